"""Beer: which breweries it may be taken from. `away` are the distances from where it is needed."""

from __future__ import annotations

from collections.abc import Sequence

from brassspec.engine.birmingham.state import State
from brassspec.engine.birmingham.tables import BREWERY
from brassspec.engine.network import Distances
from brassspec.engine.supplies import Sources, sequences, stocked
from brassspec.engine.verdict import Faults, skip


def check_beer(state: State, player: str, away: Distances, sources: Sequence[str]) -> Faults:
    """pl "PIWO": an own brewery anywhere, or anybody's that is connected."""
    for number, source in enumerate(sources):
        tile = state.tile.get(source)
        if tile is None or tile.industry != BREWERY:
            yield "beer.brewery", f"no brewery stands at {source}"
            yield from skip("beer.connected")
            continue
        if tile.cubes <= sources[:number].count(source):
            yield "beer.brewery", f"{source} holds no barrel"
        if not _is_at_hand(state, player, away, source):
            yield "beer.connected", f"the brewery of {tile.owner} at {source} is not connected"


def _is_at_hand(state: State, player: str, away: Distances, brewery: str) -> bool:
    return state.owns(player, brewery) or state.game.place_of[brewery] in away


def beer_ways(state: State, player: str, away: Distances, needed: int) -> list[Sources]:
    """Every way to take so many barrels from breweries."""

    def sources(taken: Sources) -> list[str]:
        breweries = stocked(state, BREWERY, taken)
        return [brewery for brewery in breweries if _is_at_hand(state, player, away, brewery)]

    return sequences(needed, sources)
