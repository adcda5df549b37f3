"""Building an industry tile."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import build as common
from brassspec.engine import income, supplies
from brassspec.engine.birmingham import cards, tables
from brassspec.engine.birmingham.network import network as own_network
from brassspec.engine.birmingham.state import State
from brassspec.engine.cards import discard, play
from brassspec.engine.state import Tile
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_build(state: State, move: Move, verdict: Verdict) -> None:
    """pl "BUDOWA": what the card allows, the space, the cubes and the price."""
    player, slot, industry = move["player"], move["slot"], move["industry"]
    level = state.top(player, industry)
    cards.check_allows(state, move, own_network(state, player), verdict)
    _check_tile(state, player, industry, level, verdict)
    _check_space(state, player, slot, industry, level, verdict)
    common.check_supply(state, move, verdict)


def _check_tile(state: State, player: str, industry: str, level: int | None, verdict: Verdict) -> None:
    """pl "BUDOWA" 2: the lowest tile of the mat, in its era."""
    if level is None:
        verdict.violate("build.stack", f"{player} has no {industry} left")
        verdict.skip("build.canal_tile", "build.rail_tile")
    else:
        common.check_era(state, industry, level, verdict)


def _check_space(state: State, player: str, slot: str, industry: str, level: int | None, verdict: Verdict) -> None:
    """pl "BUDOWA" 2, "ERA KANAŁOWA": whether the tile may come into the space."""
    game = state.game
    common.check_symbol(state, slot, industry, verdict)
    common.check_alone(state, player, slot, verdict)
    if slot in state.tile:
        common.check_overbuild(state, player, slot, industry, level, verdict)
    shown = game.slots[slot]
    free = [other for other in game.next_to[slot] if other not in state.tile]
    if slot not in state.tile or game.reads("overbuild_single_first", "yes"):
        for other in free:
            if industry in shown and len(shown) > 1 and game.slots[other] == (industry,):
                verdict.violate("space.single", f"{other} is free and shows {industry} alone")
    if slot in state.tile and game.reads("own_overbuild_free_space", "only_if_full"):
        for other in free:
            if state.tile[slot].owner == player and industry in game.slots[other]:
                verdict.violate("overbuild.full", f"{other} is free")


# What happens


def build(state: State, move: Move, events: list[Event]) -> None:
    """pl "BUDOWA": one tile an action."""
    player, slot, industry, coal, iron = (move[name] for name in ("player", "slot", "industry", "coal", "iron"))
    # card
    play(state, move, events)
    # place
    level = state.unstack(player, industry)
    kind = state.game.tiles[industry, level]
    # pay: before the cubes go, since each cube bought makes the next one dearer; told after them
    paid = income.pay(state, player, kind.price + supplies.price(state, coal, iron))
    # consume; flip and income of tiles emptied by it
    for source in coal:
        supplies.take_coal(state, source, events)
    for source in iron:
        supplies.take_iron(state, source, events)
    events.extend(paid)
    # board
    if slot in state.tile:
        state.remove(slot)
        events.append({"event": "tile_removed", "slot": slot})
    cubes = tables.BARRELS[state.era] if industry == tables.BREWERY else kind.cubes
    state.tile[slot] = Tile(player, industry, level, False, cubes)
    state.placed.add(player)
    events.append({"event": "tile_built", "slot": slot, "industry": industry, "level": level})
    supplies.sell_cubes(state, slot, events)
    # flip, income: if all cubes were sold
    if cubes and not state.tile[slot].cubes:
        income.flip(state, slot, events)
    # discard
    discard(state, move)
    state.close()


# Which moves there are


def build_moves(state: State) -> Iterator[Move]:
    """Every build: cards, then spaces, then industries, then sources."""
    places = common.places(state, _check_tile, _check_space)
    return common.with_cards(state, places, own_network(state, state.acting), cards.check_allows)
