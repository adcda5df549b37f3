"""The smallest position in which something holds still: what it states put back to set-up, then its numbers as near to that as will do."""

from __future__ import annotations

from brassspec.checker.compare import Comparison, Difference
from brassspec.checker.shrink import Shrinking
from brassspec.rules.concrete import Rules, State
from brassspec.rules.model import Num
from brassspec.rules.spoken import Given

SET_BACK = "by setting back to set-up what need not differ"
UNREACHED = "reachability unknown"


class Smaller(Shrinking):
    """Shrinks a position; `differs` says what must stay so. moving: whether it may be one in which an automatic step is due."""

    def __init__(self, rules: Rules, state: State, mover: int, moving: bool) -> None:
        super().__init__(Comparison(rules, None), Difference("kept", (), "", ""), state)
        self.mover = mover
        self.moving = moving

    def may_stand(self, state: State) -> bool:
        return self.moving or super().may_stand(state)

    def shrink(self) -> None:
        super().shrink()
        for g in list(self.lines):
            if isinstance(g.var.type, Num) and len(g.cells) == 1:
                self.nearer(g)

    def origin(self, of: str = "") -> str:
        """Where the position comes from, if it was made of one of the solver's. of: whose invariants that fulfils."""
        found = f"consistent with the proven invariants{of and f' of {of}'}"
        if self.rules.unlike_play(self.state):
            found = f"made from one {found} {SET_BACK}"
        return f"{found}, {UNREACHED}"

    def nearer(self, g: Given) -> None:
        """A number nearer to what it is at set-up, by halves."""
        speaker, at = self.compare.game.speaker, self.rules.index[g.var.name]
        wrong, right = (speaker.value(x, g)[0] for x in (self.rules.defaults({}, self.mover), self.state))
        while abs(right - wrong) > 1:
            middle = (wrong + right) // 2
            cells = self.state[at]
            value = middle if not g.var.keys else (*cells[: g.cells[0]], middle, *cells[g.cells[0] + 1 :])
            if self.attempt(self.lines, (*self.state[:at], value, *self.state[at + 1 :])):
                right = middle
            else:
                wrong = middle
