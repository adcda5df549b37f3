"""What would make an illegal move legal: the fewest lines of the position that would have to be otherwise, by the solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from brassspec.rules.api import Game, Taken
from brassspec.rules.concrete import NOT_GIVEN, InternalError, State
from brassspec.rules.model import Num
from brassspec.rules.spoken import Given

if TYPE_CHECKING:
    from brassspec.checker.symbolic.seek import Seek

RLIMIT = 20_000_000  # units of the solver for one way
WAYS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of a position as they would have to be, and as they are; with them the move is legal."""

    lines: tuple[str, ...]
    instead_of: tuple[str, ...]


class LegalIf:
    """Of one ruleset."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = game.rules
        self.speaker = game.speaker

    def ask(self, state: State, taken: Taken, ways: int = WAYS) -> list[Change]:
        """The smallest changes under which a move would be legal, those of the fewest lines first; each changes other lines.

        None where there is none, or the limit is reached before one is found.
        """
        from brassspec.checker.symbolic.seek import Seek  # the solver takes a while to load

        # A question states what it is about, often in a position that play would not have reached: that is not to be mended.
        but = self.rules.unlike_play(state)
        seek = Seek(self.rules, list(self.rules.model.actions.values())[taken[0]], taken[1], but)
        found: list[Change] = []
        kept: list[Given] = []  # lines that an earlier way changed
        for _ in range(ways):
            changed = self._closest(seek, state, taken, kept)
            if changed is None:
                break
            lines = self.changes(state, self._nearest(state, changed, taken))
            found.append(
                Change(
                    tuple(self.speaker.say_given(x, g) for x, g in lines),
                    tuple(self.speaker.say_given(state, g) for _, g in lines),
                )
            )
            kept += [g for _, g in lines]
        return found

    def _closest(self, seek: Seek, state: State, taken: Taken, kept: Sequence[Given]) -> State | None:
        answer = seek.closest(state, kept, RLIMIT)
        if answer.answer != "sat" or not self.legal(answer.state, taken):
            return None
        return answer.state

    def legal(self, state: State, taken: Taken) -> bool:
        """Whether a move is legal in a position that may stand."""
        try:
            return not self.rules.broken(state) and self.rules.judge(state, *taken).state is not None
        except InternalError:
            return False

    # ------------------------------------------------------------ in few words

    def changes(self, state: State, other: State) -> list[tuple[State, Given]]:
        """The lines in which another position differs, but for those that follow from the rest, as what is left in a stack does."""
        lines = self.speaker.differing(state, other)
        for g in [g for g in lines if g.var.name in self._derived]:
            rest = [x for x in lines if x is not g]
            if self.stated(state, other, rest) == other:
                lines = rest
        return [(other, g) for g in lines]

    @cached_property
    def _derived(self) -> frozenset[str]:
        """The variables that are by default what others make of them."""
        return frozenset(name for name, reads in self.rules.default_reads.items() if reads)

    def stated(self, state: State, other: State, lines: Sequence[Given]) -> State | None:
        """A position with these lines as in another one; the other lines in which it differs are as by default."""
        given: dict[str, Any] = {name: state[i] for name, i in self.rules.index.items()}
        for g in self.speaker.differing(state, other):
            name, at = g.var.name, self.rules.index[g.var.name]
            if not g.var.keys:
                given.pop(name)
                if g in lines:
                    given[name] = other[at]
                continue
            cells = list(given[name])
            for i in g.cells:
                cells[i] = other[at][i] if g in lines else NOT_GIVEN
            given[name] = tuple(cells)
        try:
            return self.rules.defaults(given)
        except (InternalError, TypeError):
            return None

    def _nearest(self, state: State, other: State, taken: Taken) -> State:
        """The numbers that were changed as near to what they were as will do."""
        for g in self.speaker.differing(state, other):
            if not isinstance(g.var.type, Num) or len(g.cells) > 1:
                continue
            at = self.rules.index[g.var.name]
            was, now = self.speaker.value(state, g)[0], self.speaker.value(other, g)[0]
            for value in range(was + 1, now) if was < now else range(was - 1, now, -1):
                cells = (
                    value if not g.var.keys else tuple(value if i == g.cells[0] else v for i, v in enumerate(other[at]))
                )
                nearer = (*other[:at], cells, *other[at + 1 :])
                if self.legal(nearer, taken):
                    other = nearer
                    break
        return other
