"""Giving up a tile for an income that cannot be paid."""

from __future__ import annotations

from brassspec.engine import income
from brassspec.engine.birmingham.state import State
from brassspec.formats import Event, Move


def give_up(state: State, move: Move, events: list[Event]) -> None:
    """pl "KONIEC RUNDY" 2: as many tiles as are needed, or only one (reading shortfall_count=one)."""
    income.give_up(state, move, events)
    if state.game.reads("shortfall_count", "one"):
        income.settle(state, move["player"], events)
