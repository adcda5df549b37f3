"""What is found against a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from brassspec.formats import Move, Outcome, Violation

# A violated requirement with the facts; without them, one that says nothing here since an earlier one failed.
Fault = tuple[str, str | None]
# What a check finds, one after the other.
Faults = Iterator[Fault]


def skip(*requirements: str) -> Faults:
    """Requirements that say nothing here, since an earlier one failed."""
    return ((requirement, None) for requirement in requirements)


def passes(faults: Faults) -> bool:
    """Whether a check finds nothing."""
    return next(faults, None) is None


def allowed(state: Any, check: Callable[[Any, Move], Faults], moves: Iterable[Move]) -> list[Move]:
    """The moves of the acting player's that a check finds nothing against: so the same rules judge moves and tell them."""
    return [move for move in moves if passes(check(state, {"player": state.acting, **move}))]


def refusal(faults: Iterable[Fault], catalogue: tuple[str, ...]) -> Outcome:
    """The outcome of a move that violates something: in the order of the catalogue; the first finding of a requirement."""
    violated: dict[str, str] = {}
    unevaluated = set()
    for requirement, facts in faults:
        if facts is None:
            unevaluated.add(requirement)
        else:
            violated.setdefault(requirement, facts)
    return Outcome(
        violated=tuple(Violation(name, violated[name]) for name in sorted(violated, key=catalogue.index)),
        unevaluated=tuple(name for name in catalogue if name in unevaluated),  # of those the game has
    )
