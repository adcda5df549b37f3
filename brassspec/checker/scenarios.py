"""Running scenarios: every move is judged by all opinions, and each verdict compared with what the scenario expects."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from brassspec.checker.opinions import Opinion
from brassspec.checker.questions import Judge
from brassspec.formats import InputError
from brassspec.grammar.errors import Place, SpecError
from brassspec.rules.concrete import InternalError, Judgement, Rules, State
from brassspec.rules.model import Require
from brassspec.rules.scenarios import Line, Situation, holds, setting
from brassspec.rules.spoken import Speaker


@dataclass(slots=True)
class ScenarioResult:
    """What became of a scenario. `problems` is empty where all went as expected."""

    title: str
    place: Place
    players: int
    problems: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    satisfied: set[str] = field(default_factory=set)  # requirements that a legal move of it satisfied
    decisive: set[str] = field(default_factory=set)  # requirements that alone decided a verdict
    exceptions: set[str] = field(default_factory=set)  # exceptions that a legal move used


class ScenarioRun:
    """Runs one scenario."""

    def __init__(
        self, rules: Rules, speaker: Speaker, s: Situation, other: Opinion | None, judge: Judge | None
    ) -> None:
        self.rules = rules
        self.speaker = speaker
        self.s = s
        self.other = other
        self.symbolic = judge
        self.result = ScenarioResult(s.title, s.place, rules.model.players)

    def fail(self, line: Line, message: str) -> None:
        self.result.problems.append(f"{line.place.file}:{line.place.line}: {message}")

    def run(self) -> ScenarioResult:
        try:
            where = setting(self.rules, self.speaker, self.s)
            if self.s.is_partial:
                self.run_partial()
            else:
                self.run_concrete(self.rules.rest(where.state, []))
        except SpecError as e:
            self.result.problems.append(str(e))
        except InternalError as e:
            self.result.problems.append(
                f"{self.s.place.file}:{self.s.place.line}: the rules contradict themselves: {e}"
            )
        if not any(self.result.counts[c] for c in ("verdicts", "expectations")):
            self.result.problems.append(
                f"{self.s.place.file}:{self.s.place.line}: the scenario expects nothing: add a line => or expect"
            )
        return self.result

    # ------------------------------------------------------------ everything known

    def run_concrete(self, state: State) -> None:
        last: tuple[Line, Judgement] | None = None
        lines = [
            x for x in self.s.lines if x.kind in ("move", "expect", "legal", "illegal", "always", "never", "depends")
        ]
        for i, line in enumerate(lines):
            if line.kind == "expect":
                self.result.counts["expectations"] += 1
                if not holds(self.rules, self.s, line, state):
                    self.fail(line, f"this does not hold: {line.text}")
            elif line.kind == "move":
                if self.speaker.is_chance(line.text):
                    state = self.chance(line, state)
                    continue
                last = (line, self.judge(line, state))
                if last[1].state is not None:
                    state = last[1].state
                if i + 1 == len(lines) or lines[i + 1].kind in ("move", "expect"):
                    self.fail(line, "no verdict is expected of this move: add a line =>")
            elif last is not None:
                self.verdict(line, last[1], state)
            else:
                self.fail(line, "a verdict without a move")

    def chance(self, line: Line, state: State) -> State:
        try:
            chance, args = self.speaker.parse_chance(line.text)
        except InputError as e:
            self.fail(line, str(e))
            return state
        if not any((c, a) == (chance, args) for c, a, _ in self.rules.chance(state)):
            self.fail(line, f"this can't happen now: {line.text}")
            return state
        return self.rules.happen(state, chance, args)[0]

    def judge(self, line: Line, state: State) -> Judgement:
        """The concrete verdict; the other opinions are held against it."""
        try:
            action, args = self.speaker.parse_move(line.text)
        except InputError as e:
            self.fail(line, str(e))
            return Judgement((), (), (), state, ())
        self.result.counts["decisions"] += 1
        j = self.rules.step(state, action, args)
        names = [f.requirement for f in j.violated]
        if not names:
            nodes = list(self.rules.model.actions.values())[action].nodes
            self.result.satisfied |= {n.name for n in nodes if isinstance(n, Require)}
            self.result.exceptions |= set(j.exceptions)
        if len(names) == 1:
            self.result.decisive.add(names[0])
        self.hear_other(line, state, action, args, j, names)
        if self.symbolic is not None:
            self.hear_symbolic(line, state, action, args, j, names)
        return j

    def hear_other(
        self, line: Line, state: State, action: int, args: tuple[Any, ...], j: Judgement, names: list[str]
    ) -> None:
        if self.other is None:
            return
        try:
            outcome = self.other.step(self.speaker.codec.position(state), self.speaker.codec.move(action, args))
        except InputError as e:
            # What the spec forbids may not even be on the engine's board.
            if not names:
                self.fail(line, f"the reference engine refuses the position or the move: {e}")
            return
        self.result.counts["engine_verdicts"] += 1
        theirs = [v.requirement for v in outcome.violated]
        if bool(names) != bool(theirs) or (len(names) == 1 and names[0] not in theirs):
            self.fail(line, f"the spec says {names or 'legal'}, the reference engine {theirs or 'legal'}")
        elif (
            outcome.position is not None
            and j.state is not None
            and outcome.position.state != self.speaker.codec.position(j.state).state
        ):
            self.fail(line, "the reference engine comes to another position")

    def hear_symbolic(
        self, line: Line, state: State, action: int, args: tuple[Any, ...], j: Judgement, names: list[str]
    ) -> None:
        assert self.symbolic is not None
        self.result.counts["z3_verdicts"] += 1
        verdict = self.symbolic.step(state, action, args)
        if list(verdict.violated) != names:
            self.fail(line, f"the concrete verdict is {names or 'legal'}, Z3's {list(verdict.violated) or 'legal'}")
        elif verdict.state != j.state:
            self.fail(line, "Z3 comes to another position")

    def verdict(self, line: Line, j: Judgement, state: State) -> None:
        self.result.counts["verdicts"] += 1
        names = [f.requirement for f in j.violated]
        said = f"illegal by {', '.join(names)}" if names else "legal"
        if line.kind == "illegal":
            if set(names) != set(line.names):
                self.fail(line, f"expected {line.text}, but it is {said}")
        elif line.kind == "legal":
            if names:
                self.fail(line, f"expected legal, but it is {said}")
                return
            if set(line.using) - set(j.exceptions):
                self.fail(
                    line,
                    f"expected to use {', '.join(line.using)}, but it uses {', '.join(j.exceptions) or 'no exception'}",
                )
            if line.node is not None and not holds(self.rules, self.s, line, state):
                self.fail(line, f"afterwards this does not hold: {line.place.file}:{line.place.line}")
        else:
            self.fail(line, f"{line.kind} is for positions with unknown parts")

    # ------------------------------------------------------------ parts unknown

    def run_partial(self) -> None:
        if self.symbolic is None:
            return
        move: Line | None = None
        for line in self.s.lines:
            if line.kind == "move":
                move = line
            elif line.kind in ("always", "never", "depends") and move is not None:
                self.result.counts["verdicts"] += 1
                self.result.counts["z3_verdicts"] += 1
                answer = self.symbolic.ask_partial(self.s, move)
                core = [r.requirement for r in answer.reasons]
                if answer.verdict != line.kind:
                    self.fail(line, f"expected {line.text}, but it is {answer.verdict}")
                elif line.names and set(core) != set(line.names):
                    self.fail(line, f"expected {line.text}, but it is never by {', '.join(core)}")
            elif line.kind in ("legal", "illegal", "expect"):
                self.fail(line, "parts are unknown: expect always, never or depends")
