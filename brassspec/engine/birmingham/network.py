"""A player's network, and who may begin outside it."""

from __future__ import annotations

from brassspec.engine.birmingham.state import State
from brassspec.engine.network import own_ends, own_towns


def network(state: State, player: str) -> set[str]:
    """pl "TWOJA SIEĆ": where an own tile stands, and where an own link ends."""
    return own_towns(state, player) | own_ends(state, player)


def is_exempt(state: State, player: str, reach: set[str]) -> bool:
    """Sheet no_tiles_build, no_tiles_link: whoever has neither tile nor link on the board begins anywhere.

    `reach` is the player's network.
    """
    if reach or state.game.reads("no_tiles_exception", "no"):
        return False
    return state.game.reads("exception_returns", "yes") or player not in state.placed
