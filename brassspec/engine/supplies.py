"""Coal and iron: where cubes may be taken from, what they cost, and what a new mine or works sells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from brassspec.engine import income, tables
from brassspec.engine.network import Distances, from_slot, reaches_market
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, passes, skip
from brassspec.formats import Event

# Slots or the market, in the order in which cubes are taken.
Sources = tuple[str, ...]


def stocked(state: State, industry: str, taken: Sequence[str]) -> list[str]:
    """The tiles of an industry that hold cubes once those `taken` are gone, alphabetically."""
    tiles = state.tile.items()
    return sorted(slot for slot, tile in tiles if tile.industry == industry and tile.cubes > taken.count(slot))


def sequences(needed: int, sources: Callable[[Sources], Sequence[str]]) -> list[Sources]:
    """Every way to take so many cubes, given the sources there are once some are taken."""
    ways: list[Sources] = [()]
    for _ in range(needed):
        ways = [(*taken, source) for taken in ways for source in sources(taken)]
    return ways


def take(state: State, resource: str, source: str, events: list[Event]) -> None:
    """cz "Doprava uhlí", "Braní železa na výstavbu", pl "WĘGIEL", "ŻELAZO", "PIWO": the cube goes from its tile or market.

    Sheet "last_resource_removed": a tile flips when its last cube has gone.
    """
    events.append({"event": f"{resource}_taken", "source": source})
    if source == tables.MARKET:
        setattr(state, resource, max(getattr(state, resource) - 1, 0))
        return
    state.tile[source] = state.tile[source]._replace(cubes=state.tile[source].cubes - 1)
    if not state.tile[source].cubes:
        income.flip(state, source, events)


# Coal. `ends` are the distances from each place it may be brought to: the one of a building, or those of a rail.


def check_coal(state: State, player: str, ends: Sequence[Distances], sources: Sequence[str], at_hand: bool) -> Faults:
    """cz "Doprava uhlí", "Železnice", pl "WĘGIEL": each cube comes to one of the ends, of the builder's choice.

    `at_hand`: the market's coal needs no connection here (reading liverpool_coal=always).
    """
    for number, source in enumerate(sources):
        mines = stocked(state, tables.COAL_MINE, sources[:number])
        by_end = [list(_coal_faults(state, player, away, mines, source, at_hand)) for away in ends]
        for requirement, facts in min(by_end, key=len):  # the end with least against it
            yield requirement, facts
            if requirement == "coal.connected":
                yield from skip("coal.nearest")


def _coal_faults(state: State, player: str, away: Distances, mines: list[str], source: str, at_hand: bool) -> Faults:
    """cz "Doprava uhlí", pl "WĘGIEL": first the nearest connected mine, then the market; `mines` are those with coal.

    Reading nearest_coal=any of Lancashire: an own mine may be used though another is nearer.
    """
    place_of = state.game.place_of
    within = [mine for mine in mines if place_of[mine] in away]
    if source == tables.MARKET:
        if within:
            yield "coal.mine_first", f"{within[0]} is connected and has coal"
        if not at_hand and not reaches_market(state, away):
            yield state.game.unreached
        return
    if source not in mines:
        yield "coal.mine", f"{source} holds no coal"
    if place_of[source] not in away:
        yield "coal.connected", f"{source} is not connected"
        return
    nearer = [mine for mine in within if away[place_of[mine]] < away[place_of[source]]]
    if nearer and not (state.game.reads("nearest_coal", "any") and state.owns(player, source)):
        yield "coal.nearest", f"{nearer[0]} is nearer than {source}"


def coal_ways(state: State, player: str, ends: Sequence[Distances], needed: int, at_hand: bool) -> list[Sources]:
    """Every way to bring so many cubes of coal."""

    def sources(taken: Sources) -> list[str]:
        mines = stocked(state, tables.COAL_MINE, taken)
        return [
            source
            for source in (*mines, tables.MARKET)
            if any(passes(_coal_faults(state, player, away, mines, source, at_hand)) for away in ends)
        ]

    return sequences(needed, sources)


# Iron


def check_iron(state: State, sources: Sequence[str]) -> Faults:
    """cz "Braní železa na výstavbu", pl "ŻELAZO": from any works first; it needs no connection."""
    for number, source in enumerate(sources):
        works = stocked(state, tables.IRON_WORKS, sources[:number])
        if source == tables.MARKET:
            if works:
                yield "iron.works_first", f"{works[0]} has iron"
        elif source not in works:
            yield "iron.works", f"{source} holds no iron"


def iron_ways(state: State, needed: int) -> list[Sources]:
    """Every way to take so many cubes of iron."""
    return sequences(needed, lambda taken: stocked(state, tables.IRON_WORKS, taken) or [tables.MARKET])


# The two markets


def price(state: State, coal: Sequence[str], iron: Sequence[str]) -> int:
    """cz "Ukazatel poptávky", sheet markets: the price of the cubes bought, cheapest first, then from the supply."""
    game = state.game
    return _bought(game.coal_prices, state.coal, coal) + _bought(game.iron_prices, state.iron, iron)


def _bought(prices: tuple[int, ...], stock: int, sources: Sequence[str]) -> int:
    bought = sources.count(tables.MARKET)
    return sum(prices[max(stock - earlier, 0)] for earlier in range(bought)) if bought else 0


def sell_cubes(state: State, slot: str, events: list[Event]) -> None:
    """cz "Uhelné doly", "Železárny", POZOR, pl "BUDOWA" 5: a new works, and a new mine that is connected, fill their market.

    Reading mine_sale_connection=not_required of Birmingham: a mine need not be connected.
    """
    game, industry = state.game, state.tile[slot].industry
    if industry == tables.IRON_WORKS:
        state.iron += _sell(state, slot, game.iron_prices, state.iron, events)
    elif industry == tables.COAL_MINE and (
        reaches_market(state, from_slot(state, slot)) or game.reads("mine_sale_connection", "not_required")
    ):
        state.coal += _sell(state, slot, game.coal_prices, state.coal, events)


def _sell(state: State, slot: str, prices: tuple[int, ...], stock: int, events: list[Event]) -> int:
    """Sheet sell_order: how many cubes of a new tile the market takes, the dearest space first."""
    tile = state.tile[slot]
    sold = min(len(prices) - 1 - stock, tile.cubes)
    if sold:
        state.tile[slot] = tile._replace(cubes=tile.cubes - sold)
        events.append({"event": "cubes_sold", "slot": slot, "cubes": sold})
        income.receive(state, tile.owner, sum(prices[stock + 1 : stock + sold + 1]), events)
    return sold
