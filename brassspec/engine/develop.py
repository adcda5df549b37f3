"""Developing: removing one or two tiles from the stacks for an iron cube each."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import cards, income, supplies
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_develop(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Rozvoj", pl "ROZWÓJ": one or two tiles an action, with iron (Gloucester's in Birmingham without)."""
    player, industry = move["player"], move["industry"]
    if move["action"] == "develop_second" and state.pending != "develop":
        verdict.violate("develop.second", "no first tile was just developed")
    if "iron" in move:
        supplies.check_iron(state, [move["iron"]], verdict)
        income.check_enough(state, player, supplies.price(state, [], [move["iron"]]), verdict)
    if state.top(player, industry) is None:
        verdict.violate("develop.stack", f"{player} has no {industry} left")


# What happens


def develop(state: State, move: Move, events: list[Event]) -> None:
    """cz "Rozvoj", pl "ROZWÓJ": a first tile, which a second may follow, or a second one."""
    player, industry = move["player"], move["industry"]
    # card
    cards.play(state, move, events)
    # place: none is built on
    if "iron" in move:
        # pay: before the cube goes, told after it
        paid = income.pay(state, player, supplies.price(state, [], [move["iron"]]))
        # consume; flip and income of a works emptied by it
        supplies.take_iron(state, move["iron"], events)
        events.extend(paid)
    # board: nothing; the tile goes from the stack out of the game
    level = state.unstack(player, industry)
    state.retire(player, industry, level)
    events.append({"event": "tile_developed", "player": player, "industry": industry, "level": level})
    # flip, income: nothing
    # discard
    cards.discard(state, move)
    if move["action"] == "develop":
        state.pending = "develop"
    else:
        state.close()


# Which moves there are


def develop_moves(state: State) -> Iterator[Move]:
    """Every first tile: cards, then industries, then sources."""
    return cards.begun(state, "develop", _tiles(state))


def develop_second_moves(state: State) -> Iterator[Move]:
    """Every second tile: industries, then sources."""
    return cards.continued(state, "develop_second", _tiles(state))


def _tiles(state: State) -> Iterator[Move]:
    player = state.acting
    ways = [
        way for way in supplies.iron_ways(state, 1) if income.can_pay(state, player, supplies.price(state, [], way))
    ]
    for industry in developable(state, player):
        for (source,) in ways:
            yield {"industry": industry, "iron": source}


def developable(state: State, player: str) -> Iterator[str]:
    """The industries whose next tile may be developed: it must not show a lightbulb, as some do in Birmingham."""
    for industry in state.game.industries:
        level = state.top(player, industry)
        if level is not None and not state.game.tiles[industry, level].lightbulb:
            yield industry
