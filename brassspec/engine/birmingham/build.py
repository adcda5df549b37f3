"""Building an industry tile."""

from __future__ import annotations

from collections.abc import Callable

from brassspec.engine import build, network
from brassspec.engine.birmingham import cards
from brassspec.engine.birmingham.state import State
from brassspec.engine.verdict import Faults, passes
from brassspec.formats import Move

# What the rules require


def check_build(state: State, move: Move) -> Faults:
    """pl "BUDOWA": what the card allows, the space, the cubes and the price."""
    player, slot, industry = move["player"], move["slot"], move["industry"]
    yield from cards.check_allows(state, player, move["card"], slot, industry, network.own(state, player))
    yield from build.check_tile(state, player, industry)
    yield from build.check_space(state, player, slot, industry)
    yield from _check_choice(state, player, slot, industry)
    yield from build.check_supply(_as_replaced(state, slot), move)


def _check_choice(state: State, player: str, slot: str, industry: str) -> Faults:
    """pl "BUDOWA" 2: a space that shows the industry alone is filled before one that shows more."""
    game = state.game
    has_choice = industry in game.slots[slot] and len(game.slots[slot]) > 1
    singles_first = slot not in state.tile or game.reads("overbuild_single_first", "yes")
    may_stay = state.owns(player, slot)
    for other in game.next_to[slot]:
        if other in state.tile:
            continue
        if has_choice and singles_first and game.slots[other] == (industry,):
            yield "space.single", f"{other} is free and shows {industry} alone"
        if may_stay and industry in game.slots[other] and game.reads("own_overbuild_free_space", "only_if_full"):
            yield "overbuild.full", f"{other} is free"


def _as_replaced(state: State, slot: str) -> State:
    """Sheet build_order: what lies on a tile that is replaced goes before anything is paid (overbuilt_resources=no)."""
    if slot not in state.tile or state.game.reads("overbuilt_resources", "yes"):
        return state
    state = state.copy()
    state.remove(slot)
    return state


# Which moves there are


def places(state: State) -> list[Move]:
    """Every tile the acting player may build, whatever the card: spaces, then industries, then sources."""
    found, player = build.places(state), state.acting
    return [place for place in found if passes(_check_choice(state, player, place["slot"], place["industry"]))]


def suits(state: State) -> Callable[[str, Move], bool]:
    """Whether a card of the acting player's allows to build a tile."""
    player, reach = state.acting, network.own(state, state.acting)
    return lambda card, tile: passes(cards.check_allows(state, player, card, tile["slot"], tile["industry"], reach))
