"""Which places are connected, how far apart, and which a player's own tiles and links touch."""

from __future__ import annotations

from collections.abc import Iterable

from brassspec.engine import tables
from brassspec.engine.state import State

# Place: its distance in built links. Places not connected are not in it.
Distances = dict[str, int]


def neighbours(state: State) -> dict[str, list[str]]:
    """The places one built link away from each place, whoever built the link."""
    joined: dict[str, list[str]] = {}
    for link in state.link:
        one, other = state.game.edition.lines[link].ends
        joined.setdefault(one, []).append(other)
        joined.setdefault(other, []).append(one)
    return joined


def distances(joined: dict[str, list[str]], starts: Iterable[str], new: tuple[str, str] | None = None) -> Distances:
    """cz "Spojení (propojení)": the connected places by distance from the starts; `new` counts as one more link."""
    away = dict.fromkeys(starts, 0)
    queue = list(away)
    for place in queue:  # the queue grows while it is read: nearest places come first
        beyond = joined.get(place, [])
        if new is not None and place in new:
            beyond = [*beyond, new[1] if place == new[0] else new[0]]
        for other in beyond:
            if other not in away:
                away[other] = away[place] + 1
                queue.append(other)
    return away


def reaches_port(state: State, away: Distances) -> bool:
    """cz "Postavené Přístavy": whether a port tile, either side up, or an external location is connected."""
    if any(place in away for place in state.game.edition.external):
        return True
    town_of = state.game.edition.town_of
    return any(tile.industry == tables.PORT and town_of[slot] in away for slot, tile in state.tile.items())


def own_towns(state: State, player: str) -> set[str]:
    """The towns where a tile of the player's stands."""
    town_of = state.game.edition.town_of
    return {town_of[slot] for slot, tile in state.tile.items() if tile.owner == player}


def own_ends(state: State, player: str) -> set[str]:
    """The places where links of the player's end."""
    lines = state.game.edition.lines
    return {end for link, owner in state.link.items() if owner == player for end in lines[link].ends}
