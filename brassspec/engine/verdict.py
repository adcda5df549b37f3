"""What is found against a move."""

from __future__ import annotations

from brassspec.formats import Outcome, Violation


class Verdict:
    """What is found against a move; legal if nothing."""

    __slots__ = ("unevaluated", "violated")

    def __init__(self) -> None:
        self.violated: dict[str, str] = {}  # requirement: the facts
        self.unevaluated: set[str] = set()

    def violate(self, requirement: str, facts: str) -> None:
        """A requirement is violated; of the same one only the first finding is kept."""
        self.violated.setdefault(requirement, facts)

    def skip(self, *requirements: str) -> None:
        """Requirements that say nothing here, since an earlier one failed."""
        self.unevaluated.update(requirements)

    def outcome(self, catalogue: tuple[str, ...]) -> Outcome:
        """The illegal outcome, in the order of the catalogue."""
        return Outcome(
            violated=tuple(Violation(name, self.violated[name]) for name in sorted(self.violated, key=catalogue.index)),
            unevaluated=tuple(sorted(self.unevaluated, key=catalogue.index)),
        )
