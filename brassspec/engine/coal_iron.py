"""Coal and iron: where cubes may be taken from, what they cost, and what a new mine or works sells."""

from __future__ import annotations

from collections.abc import Sequence

from brassspec.engine import tables
from brassspec.engine.income import flip
from brassspec.engine.network import Distances, reaches_port
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Violation

# Coal


def _mines(state: State, away: Distances, taken: Sequence[str]) -> list[str]:
    """The connected mines that hold coal once the cubes `taken` are gone."""
    town_of = state.game.edition.town_of
    return [
        slot
        for slot, tile in state.tile.items()
        if tile.industry == tables.COAL_MINE and tile.cubes > taken.count(slot) and town_of[slot] in away
    ]


def coal_faults(
    state: State, player: str, away: Distances, source: str, taken: Sequence[str], at_hand: bool
) -> list[Violation]:
    """cz "Doprava uhlí": what is against taking a cube from a source to the place that `away` is measured from.

    `at_hand`: the track's coal needs no port here (reading liverpool_coal=always).
    """
    town_of = state.game.edition.town_of
    mines = _mines(state, away, taken)
    faults = []
    if source == tables.MARKET:
        if mines:
            faults.append(Violation("coal.mine_first", f"{mines[0]} is connected and has coal"))
        if not at_hand and not reaches_port(state, away):
            faults.append(Violation("coal.port", "no built port or external location is connected"))
        return faults
    mine = state.tile.get(source)
    if mine is None or mine.industry != tables.COAL_MINE or mine.cubes <= taken.count(source):
        faults.append(Violation("coal.mine", f"{source} holds no coal"))
    if town_of[source] not in away:
        faults.append(Violation("coal.connected", f"{source} is not connected"))
        return faults
    free_choice = state.game.reads("nearest_coal", "any") and mine is not None and mine.owner == player
    for other in mines:
        if away[town_of[other]] < away[town_of[source]] and not free_choice:
            faults.append(Violation("coal.nearest", f"{other} is nearer than {source}"))
            break
    return faults


def check_coal(
    state: State, player: str, ends: Sequence[Distances], sources: Sequence[str], at_hand: bool, verdict: Verdict
) -> None:
    """cz "Doprava uhlí", "Železnice": each cube comes to one of the ends, of the builder's choice."""
    for number, source in enumerate(sources):
        by_end = [coal_faults(state, player, away, source, sources[:number], at_hand) for away in ends]
        for fault in min(by_end, key=len):  # the end with least against it
            verdict.violate(fault.requirement, fault.facts)
            if fault.requirement == "coal.connected":
                verdict.skip("coal.nearest")


def coal_sources(state: State, player: str, ends: Sequence[Distances], at_hand: bool) -> list[str]:
    """cz "Doprava uhlí": the sources one cube may be taken from."""
    candidates = {mine for away in ends for mine in _mines(state, away, ())} or {tables.MARKET}
    if len(ends) > 1:
        candidates.add(tables.MARKET)  # an end without a mine may buy where the other has one
    return [
        source
        for source in sorted(candidates)
        if any(not coal_faults(state, player, away, source, (), at_hand) for away in ends)
    ]


def take_coal(state: State, source: str, events: list[Event]) -> None:
    """cz "Doprava uhlí": the cube goes; a mine flips when its last has gone."""
    events.append({"event": "coal_taken", "source": source})
    if source == tables.MARKET:
        state.coal = max(state.coal - 1, 0)
    else:
        _take_from_tile(state, source, events)


# Iron


def _works(state: State, taken: Sequence[str]) -> list[str]:
    """The iron works that hold iron once the cubes `taken` are gone."""
    return [
        slot
        for slot, tile in state.tile.items()
        if tile.industry == tables.IRON_WORKS and tile.cubes > taken.count(slot)
    ]


def check_iron(state: State, sources: Sequence[str], verdict: Verdict) -> None:
    """cz "Braní železa na výstavbu": from any works first; it needs no connection."""
    for number, source in enumerate(sources):
        works = _works(state, sources[:number])
        if source == tables.MARKET:
            if works:
                verdict.violate("iron.works_first", f"{works[0]} has iron")
        elif source not in works:
            verdict.violate("iron.works", f"{source} holds no iron")


def iron_sources(state: State) -> list[str]:
    """cz "Braní železa na výstavbu": the sources one cube may be taken from."""
    return sorted(_works(state, ())) or [tables.MARKET]


def take_iron(state: State, source: str, events: list[Event]) -> None:
    """cz "Braní železa na výstavbu": the cube goes; a works flips when its last has gone."""
    events.append({"event": "iron_taken", "source": source})
    if source == tables.MARKET:
        state.iron = max(state.iron - 1, 0)
    else:
        _take_from_tile(state, source, events)


def _take_from_tile(state: State, slot: str, events: list[Event]) -> None:
    tile = state.tile[slot]
    tile.cubes -= 1
    if not tile.cubes:
        flip(state, slot, events)


# Ukazatel poptávky


def market_price(state: State, on_track: int, sources: Sequence[str]) -> int:
    """cz "Ukazatel poptávky": the price of the cubes bought, cheapest first, then from the supply once the track is empty."""
    bought = sources.count(tables.MARKET)
    prices = state.game.edition.track_prices
    return sum(prices[max(on_track - earlier, 0)] for earlier in range(bought))


def sell_coal(state: State, slot: str, events: list[Event]) -> None:
    """cz "Uhelné doly", POZOR: a new mine connected to a built port fills the track, dearest space first."""
    sold, earned = _sold(state, state.coal, state.tile[slot].cubes)
    state.coal += sold
    _sell(state, slot, sold, earned, events)


def sell_iron(state: State, slot: str, events: list[Event]) -> None:
    """cz "Železárny", POZOR: a new works always fills its track, dearest space first."""
    sold, earned = _sold(state, state.iron, state.tile[slot].cubes)
    state.iron += sold
    _sell(state, slot, sold, earned, events)


def _sold(state: State, on_track: int, cubes: int) -> tuple[int, int]:
    """How many of a new tile's cubes the track takes, and what they earn."""
    edition = state.game.edition
    sold = min(edition.track - on_track, cubes)
    return sold, sum(edition.track_prices[on_track + one] for one in range(1, sold + 1))


def _sell(state: State, slot: str, sold: int, earned: int, events: list[Event]) -> None:
    tile = state.tile[slot]
    tile.cubes -= sold
    state.money[tile.owner] += earned
    if sold:
        events.append({"event": "cubes_sold", "slot": slot, "cubes": sold})
        events.append({"event": "received", "player": tile.owner, "amount": earned})
