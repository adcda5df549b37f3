"""Developing: no tile that shows a lightbulb, and one without iron for Gloucester's beer."""

from __future__ import annotations

from brassspec.engine import develop
from brassspec.engine.birmingham.state import State
from brassspec.engine.verdict import Faults, allowed, passes, skip
from brassspec.formats import Event, Move

# What the rules require


def check_develop(state: State, move: Move) -> Faults:
    """pl "ROZWÓJ": one or two tiles an action, with iron."""
    yield from develop.check_develop(state, move)
    yield from _check_lightbulb(state, move["player"], move["industry"])


def check_bonus(state: State, move: Move) -> Faults:
    """Sheet gloucester_bonus: a tile without iron, as soon as beer of Gloucester was used."""
    if state.pending != "bonus":
        yield "bonus.due", "no beer of Gloucester was just used"
    yield from develop.check_tile(state, move["player"], move["industry"])
    yield from _check_lightbulb(state, move["player"], move["industry"])


def _check_lightbulb(state: State, player: str, industry: str) -> Faults:
    """pl "ROZWÓJ": a tile that shows a lightbulb stays."""
    level = state.top(player, industry)
    if level is None:
        yield from skip("develop.lightbulb")
    elif state.game.tiles[industry, level].lightbulb:
        yield "develop.lightbulb", f"{industry} of level {level} shows a lightbulb"


# What happens


def develop_free(state: State, move: Move, events: list[Event]) -> None:
    """Sheet gloucester_bonus: the tile goes."""
    # card, place, pay, consume: nothing
    # board: nothing; the tile goes from the stack out of the game
    develop.take_off(state, move["player"], move["industry"], events)
    # flip, income, discard: nothing
    state.close()


# Which moves there are


def tiles(state: State) -> list[Move]:
    """The tiles the acting player may develop for iron: industries, then sources."""
    player, found = state.acting, develop.tiles(state)
    return [tile for tile in found if passes(_check_lightbulb(state, player, tile["industry"]))]


def free_tiles(state: State) -> list[Move]:
    """The tiles the acting player may develop without iron: industries."""
    return allowed(state, check_bonus, [{"industry": industry} for industry in state.game.industries])
