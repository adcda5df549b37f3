"""Developing, and Gloucester's bonus."""

from __future__ import annotations

from brassspec.engine import develop
from brassspec.engine.birmingham.state import State
from brassspec.engine.verdict import Faults
from brassspec.formats import Move


def check_develop(state: State, move: Move) -> Faults:
    """pl "ROZWÓJ", sheet gloucester_bonus: a tile for iron, or Gloucester's without."""
    if move["action"] == "bonus_develop" and state.pending != "bonus":
        yield "bonus.due", "no beer of Gloucester was just used"
    yield from develop.check_develop(state, move)
