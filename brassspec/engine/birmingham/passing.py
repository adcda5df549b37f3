"""Doing nothing."""

from __future__ import annotations

from brassspec.engine.birmingham.state import State
from brassspec.engine.verdict import Faults, allowed
from brassspec.formats import Move


def check_pass(state: State, move: Move) -> Faults:
    """fi "Jätä toiminto väliin": any card."""
    if state.game.reads("pass_action", "never"):
        yield "pass.never", "nobody passes"


def passing(state: State) -> list[Move]:
    """Any card that is held may be thrown away."""
    return allowed(state, check_pass, [{}])
