"""Positions, moves, logs and results as plain data."""

from brassspec.formats.plain import Chance, Event, InputError, Move, Outcome, Plain, Position, Violation

__all__ = ["Chance", "Event", "InputError", "Move", "Outcome", "Plain", "Position", "Violation"]
