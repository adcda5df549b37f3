"""Positions, moves, chance, events and verdicts as plain data: the one floor all parts share.

The shapes (which variables a position has, which fields a move) follow from a spec and are documented in
docs/formats.md; nothing here knows a rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

# One JSON object: lower_snake_case keys, values built from dict, list, str, int, bool and None.
Plain: TypeAlias = dict[str, Any]

# A move: {"action": NAME, "player": ..., further fields}.
Move: TypeAlias = Plain
# A chance outcome: {"chance": NAME, further fields}.
Chance: TypeAlias = Plain
# Something that happened: {"event": NAME, further fields}.
Event: TypeAlias = Plain


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game: the ruleset it belongs to, the number of players, and one entry a state variable."""

    ruleset: str
    players: int
    state: Plain


@dataclass(frozen=True, slots=True)
class Violation:
    """A violated requirement: its dotted name and the facts that made it fail, as one sentence."""

    requirement: str
    facts: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a move or a chance outcome leads to.

    Legal: `position` is the next position at rest (a decision, chance, or the end) and `events` tells what happened, in
    causal order. Illegal: `violated` lists every violated requirement in rulebook order, `unevaluated` the names of those
    that could not be evaluated because an earlier one failed, and `position` is None.
    """

    violated: tuple[Violation, ...] = ()
    position: Position | None = None
    events: tuple[Event, ...] = ()
    unevaluated: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = field(default=())

    @property
    def legal(self) -> bool:
        return self.position is not None


class InputError(ValueError):
    """Input that is not well formed: names the place and the remedy. Exit code 2."""
