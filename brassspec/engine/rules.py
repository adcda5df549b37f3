"""The table of contents of one game: where the engine finds its chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from brassspec.engine.plain import Reader
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Chance, Event, Move, Position

# A chapter takes the state of its own game, which no common type can tell: Any.
Check = Callable[[Any, Move, Verdict], None]
Effect = Callable[[Any, Move, list[Event]], None]
Moves = Callable[[Any], Iterator[Move]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What differs between the games, chapter by chapter."""

    set_up: Callable[[Any], State]
    readers: Callable[[Any], dict[str, Reader]]  # of the variables of a position
    complete: Callable[[Any, Position], None]  # what a position leaves open, and what its pieces must add up to
    catalogue: tuple[str, ...]  # the requirements, in the order in which they are told
    shapes: Callable[[Any], dict[str, dict[str, Reader]]]  # action: the fields of its moves, and what reads each
    openers: dict[str, Moves]  # actions that begin with a card, in the order of the move table
    follow_ups: dict[str, Moves]  # what is pending: what may follow
    actions: dict[str, tuple[Check, Effect]]  # action: what it requires, and what it does
    due: Callable[[Any], list[tuple[Chance, int]]]  # chance of this game alone
    chances: dict[str, Callable[[Any, Chance, list[Event]], None]]  # chance of this game alone: what it does
    scoring: Callable[[Any, list[Event]], None]
    clean_up: Callable[[Any, list[Event]], None]
