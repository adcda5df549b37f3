"""Developing: removing one or two tiles from the stacks for an iron cube each."""

from __future__ import annotations

from brassspec.engine import cards, income, supplies
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, passes
from brassspec.formats import Event, Move

# What the rules require


def check_develop(state: State, move: Move) -> Faults:
    """cz "Rozvoj", pl "ROZWÓJ": one or two tiles an action, with iron."""
    player, iron = move["player"], [move["iron"]]
    yield from supplies.check_iron(state, iron)
    yield from income.check_enough(state, player, supplies.price(state, [], iron))
    yield from check_tile(state, player, move["industry"])


def check_tile(state: State, player: str, industry: str) -> Faults:
    """cz "Rozvoj", pl "ROZWÓJ": the lowest tile of an industry."""
    if state.top(player, industry) is None:
        yield "develop.stack", f"{player} has no {industry} left"


# What happens


def develop(state: State, move: Move, events: list[Event]) -> None:
    """cz "Rozvoj", pl "ROZWÓJ": a first tile, which a second may follow, or a second one."""
    player, industry = move["player"], move["industry"]
    # card
    cards.play(state, move, events)
    # place: none is built on
    # pay: before the cube goes, told after it
    paid = income.pay(state, player, supplies.price(state, [], [move["iron"]]))
    # consume; flip and income of a works emptied by it
    supplies.take(state, "iron", move["iron"], events)
    events.extend(paid)
    # board: nothing; the tile goes from the stack out of the game
    take_off(state, player, industry, events)
    # flip, income: nothing
    # discard
    cards.discard(state, move)
    if move["action"] == "develop":
        state.pending = "develop"
    else:
        state.close()


def take_off(state: State, player: str, industry: str, events: list[Event]) -> None:
    """The lowest tile of an industry goes from the stack out of the game."""
    level = state.unstack(player, industry)
    state.retire(player, industry, level)
    events.append({"event": "tile_developed", "player": player, "industry": industry, "level": level})


# Which moves there are


def tiles(state: State) -> list[Move]:
    """The tiles the acting player may develop: industries, then sources."""
    paid = [way for way in supplies.iron_ways(state, 1) if state.can_pay(state.acting, supplies.price(state, [], way))]
    left = [industry for industry in state.game.industries if passes(check_tile(state, state.acting, industry))]
    return [{"industry": industry, "iron": source} for industry in left for (source,) in paid]
