"""Developing: removing one or two tiles from the stacks for an iron cube each."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import cards, income, supplies
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, passes, skip
from brassspec.formats import Event, Move

# What the rules require


def check_develop(state: State, move: Move) -> Faults:
    """cz "Rozvoj", pl "ROZWÓJ", sheet gloucester_bonus: one or two tiles an action, with iron; Gloucester's without."""
    player, industry = move["player"], move["industry"]
    if "iron" in move:
        yield from supplies.check_iron(state, [move["iron"]])
        yield from income.check_enough(state, player, supplies.price(state, [], [move["iron"]]))
    yield from _check_tile(state, player, industry)


def _check_tile(state: State, player: str, industry: str) -> Faults:
    """cz "Rozvoj", pl "ROZWÓJ": the lowest tile of an industry, unless it shows a lightbulb, as some do in Birmingham."""
    level = state.top(player, industry)
    if level is None:
        yield "develop.stack", f"{player} has no {industry} left"
        yield from skip("develop.lightbulb")
    elif state.game.tiles[industry, level].lightbulb:
        yield "develop.lightbulb", f"{industry} of level {level} shows a lightbulb"


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
        supplies.take(state, "iron", move["iron"], events)
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


def tiles(state: State) -> Iterator[Move]:
    """The tiles the acting player may develop for iron: industries, then sources."""
    ways = supplies.iron_ways(state, 1)
    paid = [way for way in ways if income.can_pay(state, state.acting, supplies.price(state, [], way))]
    for tile in free_tiles(state):
        for (source,) in paid:
            yield {**tile, "iron": source}


def free_tiles(state: State) -> Iterator[Move]:
    """The tiles the acting player may develop, whatever it costs: industries."""
    for industry in state.game.industries:
        if passes(_check_tile(state, state.acting, industry)):
            yield {"industry": industry}
