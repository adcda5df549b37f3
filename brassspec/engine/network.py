"""Which places are connected, how far apart, and which a player's own tiles and links touch."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from brassspec.engine.game import Game
from brassspec.engine.state import State

# Place: its distance in built links. Places not connected are not in it.
Distances = dict[str, int]


def connected(state: State, starts: Iterable[str], new: Iterable[str] = ()) -> Distances:
    """cz "Spojení (propojení)", pl "POŁĄCZENIE": the places connected to a start; so is the start itself.

    By distance from the nearest start, over links of anybody's; `new`: the ends of one more link. Reading
    same_place=links_only of Birmingham: a start is not connected to itself; only the ends of a new link, if they all are
    starts, are to each other.
    """
    return _connected(state.game, frozenset(state.link), tuple(starts), tuple(new))


# The links on the board change seldom: what they connect is found out once.
@lru_cache(maxsize=2048)
def _connected(game: Game, links: frozenset[str], starts: tuple[str, ...], new: tuple[str, ...]) -> Distances:
    joins = [*(game.lines[link] for link in links), new]
    away = dict.fromkeys(starts, 0)
    queue = list(away)
    for place in queue:  # the queue grows while it is read: nearest places come first
        for ends in joins:
            if place in ends:
                for other in ends:
                    if other not in away:
                        away[other] = away[place] + 1
                        queue.append(other)
    if game.reads("same_place", "links_only"):
        others = {place: distance for place, distance in away.items() if place not in starts}
        return others | (dict.fromkeys(starts, 1) if len(starts) > 1 else {})
    return away


def from_slot(state: State, slot: str) -> Distances:
    """The places connected to a space's place."""
    return connected(state, [state.game.place_of[slot]])


def reaches_market(state: State, away: Distances) -> bool:
    """cz "Postavené Přístavy", pl "WĘGIEL": whether an outlet to the coal market is connected."""
    return not state.outlets().isdisjoint(away)


def everywhere(state: State) -> set[str]:
    """The places where lines end, built or not."""
    return {end for ends in state.game.lines.values() for end in ends}


def own(state: State, player: str) -> set[str]:
    """pl "TWOJA SIEĆ": where a tile of the player's stands, and where a link of the player's ends."""
    return own_towns(state, player) | own_ends(state, player)


def own_towns(state: State, player: str) -> set[str]:
    """The places where a tile of the player's stands."""
    place_of = state.game.place_of
    return {place_of[slot] for slot, tile in state.tile.items() if tile.owner == player}


def own_ends(state: State, player: str) -> set[str]:
    """The places where links of the player's end."""
    lines = state.game.lines
    return {end for link, owner in state.link.items() if owner == player for end in lines[link]}
