"""Which places are connected, how far apart, and which a player's own tiles and links touch."""

from __future__ import annotations

from collections.abc import Collection

from brassspec.engine.state import State

# Place: its distance in built links. Places not connected are not in it.
Distances = dict[str, int]
# Place: the places one built link away.
Neighbours = dict[str, list[str]]


def neighbours(state: State) -> Neighbours:
    """The places one built link away from each place, whoever built the link."""
    joined: Neighbours = {}
    for link in state.link:
        ends = state.game.lines[link]
        for end in ends:
            joined.setdefault(end, []).extend(ends)
    return joined


def distances(joined: Neighbours, starts: Collection[str], new: Collection[str] = ()) -> Distances:
    """cz "Spojení (propojení)": the connected places by distance from the nearest start; `new`: the ends of one more link."""
    away = dict.fromkeys(starts, 0)
    queue = list(away)
    for place in queue:  # the queue grows while it is read: nearest places come first
        for other in joined.get(place, ()):
            if other not in away:
                away[other] = away[place] + 1
                queue.append(other)
        if place in new:
            for other in new:
                if other not in away:
                    away[other] = away[place] + 1
                    queue.append(other)
    return away


def connected(state: State, joined: Neighbours, starts: Collection[str], new: Collection[str] = ()) -> Distances:
    """cz "Spojení (propojení)", pl "POŁĄCZENIE": the places connected to a start; so is the start itself.

    Reading same_place=links_only of Birmingham: it is not.
    """
    if not state.game.reads("same_place", "links_only"):
        return distances(joined, starts, new)
    nearest: Distances = {}
    for start in starts:
        for place, away in distances(joined, [start], new).items():
            if place != start:
                nearest[place] = min(away, nearest.get(place, away))
    return nearest


def from_slot(state: State, slot: str) -> Distances:
    """The places connected to a space's place."""
    return connected(state, neighbours(state), [state.game.place_of[slot]])


def reaches_market(state: State, away: Distances) -> bool:
    """cz "Postavené Přístavy", pl "WĘGIEL": whether an outlet to the coal market is connected."""
    return not state.outlets().isdisjoint(away)


def own_towns(state: State, player: str) -> set[str]:
    """The places where a tile of the player's stands."""
    place_of = state.game.place_of
    return {place_of[slot] for slot, tile in state.tile.items() if tile.owner == player}


def own_ends(state: State, player: str) -> set[str]:
    """The places where links of the player's end."""
    lines = state.game.lines
    return {end for link, owner in state.link.items() if owner == player for end in lines[link]}
