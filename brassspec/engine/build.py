"""Building industry tiles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from brassspec.engine import cards, income, network, supplies, tables
from brassspec.engine.state import State, Tile
from brassspec.engine.verdict import Faults, passes, skip
from brassspec.formats import Event, Move

# What the rules require


def check_tile(state: State, player: str, industry: str) -> Faults:
    """cz "Další omezení výstavby", pl "BUDOWA" 2, "ERA KANAŁOWA": the top tile of the stack; some are for one era only."""
    level = state.top(player, industry)
    if level is None:
        yield "build.stack", f"{player} has no {industry} left"
        yield from skip("build.level_zero", "build.canal_tile", "build.rail_tile")
        return
    if level == 0:
        yield "build.level_zero", f"{industry} of level 0 is never built"
    era = state.game.tiles[industry, level].era
    if era is not None and era != state.era:
        yield f"build.{era}_tile", f"{industry} of level {level} is for the {era} era only"


def check_space(state: State, player: str, slot: str, industry: str) -> Faults:
    """cz "Porovnání symbolu", "Další omezení výstavby", pl "BUDOWA" 2, "ERA KANAŁOWA": whether the tile may come there.

    The space shows the industry; in the canal era each player has one tile a town.
    """
    shown = state.game.slots[slot]
    if industry not in shown:
        yield "build.symbol", f"{slot} shows {' and '.join(shown)}"
    if state.era == tables.CANAL:
        for other in state.game.next_to[slot]:
            if state.owns(player, other):
                yield "build.one_per_town", f"{player} has a tile at {other}"
    if slot in state.tile:
        yield from _check_overbuild(state, player, slot, industry)


def _check_overbuild(state: State, player: str, slot: str, industry: str) -> Faults:
    """cz "Přestavba Průmyslových destiček", pl "PRZEBUDOWA": which tiles may be replaced, by what.

    The readings overbuild_works_level=any and overbuild_exhausted=either are of Lancashire.
    """
    game, there, level = state.game, state.tile[slot], state.top(player, industry)
    opponents = there.owner != player
    if there.industry != industry:
        yield "overbuild.industry", f"{slot} holds a {there.industry}"
    any_level = opponents and there.industry == tables.IRON_WORKS and game.reads("overbuild_works_level", "any")
    if level is None:
        yield from skip("overbuild.level")
    elif level <= there.level and not any_level:
        yield "overbuild.level", f"{slot} holds level {there.level}, the new tile is of level {level}"
    if not opponents:
        return
    if there.industry not in (tables.COAL_MINE, tables.IRON_WORKS):
        yield "overbuild.opponent", f"{slot} holds a {there.industry} of {there.owner}"
        return
    on_board = any(tile.cubes for tile in state.tile.values() if tile.industry == there.industry)
    in_market = (state.coal if there.industry == tables.COAL_MINE else state.iron) > 0
    either = game.reads("overbuild_exhausted", "either")
    if (on_board and in_market) if either else (on_board or in_market):
        yield "overbuild.exhausted", "there are cubes on the board or in the market"


def check_supply(state: State, move: Move) -> Faults:
    """cz "Doprava uhlí", "Braní železa", "Placení", pl "BUDOWA" 3, 4: so many cubes as the tile asks for, and the price."""
    player, slot, industry, coal, iron = (move[name] for name in ("player", "slot", "industry", "coal", "iron"))
    at_hand = state.coal_is_at_hand(state.game.place_of[slot], industry)
    yield from supplies.check_coal(state, player, [network.from_slot(state, slot)], coal, at_hand)
    yield from supplies.check_iron(state, iron)
    level = state.top(player, industry)
    if level is None:
        yield from skip("build.coal", "build.iron", "money.enough")
        return
    kind = state.game.tiles[industry, level]
    if len(coal) != kind.coal:
        yield "build.coal", f"the tile needs {kind.coal} coal, {len(coal)} brought"
    if len(iron) != kind.iron:
        yield "build.iron", f"the tile needs {kind.iron} iron, {len(iron)} taken"
    yield from income.check_enough(state, player, kind.price + supplies.price(state, coal, iron))


# What happens


def build(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Výstavba průmyslu", "Slučování akcí", pl "BUDOWA": a card and an action, or in Lancashire both actions."""
    player, slot, industry, coal, iron = (move[name] for name in ("player", "slot", "industry", "coal", "iron"))
    # card
    cards.play(state, move, events)
    # place
    level = state.unstack(player, industry)
    kind = state.game.tiles[industry, level]
    # pay: before the cubes go, since each cube bought makes the next one dearer; told after them
    paid = income.pay(state, player, kind.price + supplies.price(state, coal, iron))
    # consume; flip and income of tiles emptied by it
    for source in coal:
        supplies.take(state, "coal", source, events)
    for source in iron:
        supplies.take(state, "iron", source, events)
    events.extend(paid)
    # board
    if slot in state.tile:
        state.remove(slot)
        events.append({"event": "tile_removed", "slot": slot})
    state.put(slot, Tile(player, industry, level, False, kind.cubes))
    events.append({"event": "tile_built", "slot": slot, "industry": industry, "level": level})
    supplies.sell_cubes(state, slot, events)
    # flip, income: at once if it is a shipyard, or all its cubes were sold
    if industry == tables.SHIPYARD or (kind.cubes and not state.tile[slot].cubes):
        income.flip(state, slot, events)
    # discard
    cards.discard(state, move)
    state.close()
    if "other" in move:
        state.actions -= 1


# Which moves there are


def places(state: State) -> Iterator[Move]:
    """Every tile the acting player may build, whatever the card: spaces, then industries, then sources."""
    player, game = state.acting, state.game
    tiles = {
        industry: game.tiles[industry, level]
        for industry in game.industries
        if (level := state.top(player, industry)) is not None
        and passes(check_tile(state, player, industry))
        and state.can_pay(player, game.tiles[industry, level].price)  # cubes can only make it dearer
    }

    @cache
    def coal_ways(place: str, needed: int, at_hand: bool) -> list[supplies.Sources]:
        ends = [network.connected(state, [place])] if needed else []
        return supplies.coal_ways(state, player, ends, needed, at_hand)

    iron_ways = cache(lambda needed: supplies.iron_ways(state, needed))
    for slot, shown in game.slots.items():
        for industry in shown:
            if industry not in tiles or not passes(check_space(state, player, slot, industry)):
                continue
            kind, place = tiles[industry], game.place_of[slot]
            # A tile that is replaced never holds the cubes that the new one asks for.
            for coal in coal_ways(place, kind.coal, state.coal_is_at_hand(place, industry)):
                for iron in iron_ways(kind.iron):
                    if state.can_pay(player, kind.price + supplies.price(state, coal, iron)):
                        yield {"slot": slot, "industry": industry, "coal": list(coal), "iron": list(iron)}
