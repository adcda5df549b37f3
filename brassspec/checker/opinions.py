"""The opinions that are held against each other: the spec's concrete and symbolic meaning, and the reference engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from brassspec.engine import Engine
from brassspec.formats import Chance, InputError, Move, Outcome, Position


class Opinion(Protocol):
    """What another implementation of a ruleset answers, in plain data."""

    def initial(self) -> Position: ...

    def rest(self, position: Position) -> Outcome: ...

    def legal_moves(self, position: Position) -> Sequence[Move]: ...

    def step(self, position: Position, move: Move) -> Outcome: ...

    def chance(self, position: Position) -> Sequence[tuple[Chance, int]]: ...

    def apply_chance(self, position: Position, outcome: Chance) -> Outcome: ...


def reference(ruleset: str, players: int) -> Opinion | None:
    """The reference engine for a ruleset, or None where it does not know that ruleset."""
    try:
        return Engine(ruleset, players)
    except InputError:
        return None
