"""Who may begin outside the network."""

from __future__ import annotations

from brassspec.engine.birmingham.state import State


def is_exempt(state: State, player: str, reach: set[str]) -> bool:
    """Sheet no_tiles_build, no_tiles_link: whoever has neither tile nor link on the board begins anywhere.

    `reach` is the player's network.
    """
    if reach or state.game.reads("no_tiles_exception", "no"):
        return False
    return state.game.reads("exception_returns", "yes") or player not in state.placed
