"""Running scenarios: every move is judged by all opinions, and each verdict compared with what the scenario expects."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from brassspec.checker.compare import Comparison, Difference, explain
from brassspec.checker.opinions import Opinion
from brassspec.checker.questions import Judge
from brassspec.formats import InputError, Plain
from brassspec.grammar.errors import Place, SpecError
from brassspec.rules.concrete import InternalError, Judgement, RawEvent, Rules, State
from brassspec.rules.model import Require
from brassspec.rules.scenarios import Line, Situation, holds, setting, told
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

    def plain(self) -> Plain:
        sets = {name: sorted(getattr(self, name)) for name in ("satisfied", "decisive", "exceptions")}
        return {**asdict(self), "counts": dict(self.counts), **sets}

    @staticmethod
    def of(data: Plain) -> ScenarioResult:
        """A result as `plain` wrote it."""
        sets: dict[str, Any] = {name: set(data[name]) for name in ("satisfied", "decisive", "exceptions")}
        made: dict[str, Any] = {"place": Place(**data["place"]), "counts": Counter(data["counts"])}
        return ScenarioResult(**{**data, **made, **sets})


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
        self.compare = Comparison(rules, other)
        self.heard: State | None = None  # the position that was compared last
        self.events: tuple[RawEvent, ...] = ()  # what the last move or outcome of chance told
        self.result = ScenarioResult(s.title, s.place, rules.model.players)

    def fail(self, where: Line | Situation, message: str) -> None:
        problem = f"{where.place.file}:{where.place.line}: {message}"
        if problem not in self.result.problems:
            self.result.problems.append(problem)

    def run(self) -> ScenarioResult:
        try:
            where = setting(self.rules, self.speaker, self.s)
            if self.s.is_partial:
                self.run_partial()
            else:
                state, found = self.compare.rest(where.state)
                self.differ(self.s, found)
                self.run_concrete(state)
        except SpecError as e:
            self.result.problems.append(str(e))
        except InternalError as e:
            self.fail(self.s, f"the rules contradict themselves: {e}")
        if not any(self.result.counts[c] for c in ("verdicts", "expectations")):
            self.fail(self.s, "the scenario expects nothing: add a line => or expect")
        return self.result

    # ------------------------------------------------------------ everything known

    def run_concrete(self, state: State) -> None:
        last: tuple[Line, Judgement] | None = None
        lines = [
            x
            for x in self.s.lines
            if x.kind in ("move", "expect", "tells", "legal", "illegal", "always", "never", "depends")
        ]
        for i, line in enumerate(lines):
            if line.kind in ("move", "expect"):
                self.hear_position(line, state)
            if line.kind == "expect":
                self.result.counts["expectations"] += 1
                if not holds(self.rules, self.s, line, state):
                    self.fail(line, f"this does not hold: {line.text}")
            elif line.kind == "tells":
                self.result.counts["expectations"] += 1
                self.tells(line, state)
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

    def tells(self, line: Line, state: State) -> None:
        expected = told(self.rules, self.s, line, state)
        if expected != list(self.events):
            ours, theirs = (str([self.speaker.codec.event(e) for e in events]) for events in (self.events, expected))
            self.fail(line, f"expected to tell {theirs}, but it tells {ours}")

    def chance(self, line: Line, state: State) -> State:
        try:
            chance, args = self.speaker.parse_chance(line.text)
        except InputError as e:
            self.fail(line, str(e))
            return state
        if not any((c, a) == (chance, args) for c, a, _ in self.rules.chance(state)):
            self.fail(line, f"this can't happen now: {line.text}")
            return state
        self.events = self.rules.happen(state, chance, args)[1]
        after, found = self.compare.happen(state, (chance, args))
        self.differ(line, found)
        return state if after is None else after

    def judge(self, line: Line, state: State) -> Judgement:
        """The concrete verdict; the other opinions are held against it."""
        try:
            action, args = self.speaker.parse_move(line.text)
        except InputError as e:
            self.fail(line, str(e))
            return Judgement((), (), (), state, ())
        self.result.counts["decisions"] += 1
        j = self.rules.step(state, action, args)
        self.events = j.events if j.state is not None else ()
        names = [f.requirement for f in j.violated]
        if not names:
            nodes = list(self.rules.model.actions.values())[action].nodes
            self.result.satisfied |= {n.name for n in nodes if isinstance(n, Require)}
            self.result.exceptions |= set(j.exceptions)
        if len(names) == 1:
            self.result.decisive.add(names[0])
        if self.other is not None:
            self.result.counts["engine_verdicts"] += 1
            self.differ(line, self.compare.other_verdict(state, (action, args), j))
        if j.state is not None:
            self.differ(line, self.compare.invariants(j.state, (action, args)))
        if self.symbolic is not None:
            self.hear_symbolic(line, state, action, args, j, names)
        return j

    def hear_position(self, line: Line, state: State) -> None:
        """What the opinions say of a position without a move: what is legal, what chance may bring, whether it refutes a claim."""
        if state == self.heard:
            return
        self.heard = state
        legal = self.rules.legal_now(state)
        found = self.compare.claims(state, legal)
        if self.other is not None:
            found += self.compare.chance(state, self.rules.chance(state)) + self.compare.legal(state, legal)
        self.differ(line, found)

    def differ(self, where: Line | Situation, found: list[Difference]) -> None:
        """Fails by what another opinion says differently."""
        for d in found:
            is_said = d.taken is None or (isinstance(where, Line) and where.kind == "move")
            said = "" if is_said else f"{self.compare.say(d.taken, d.is_chance)}: "
            self.fail(where, f"the opinions differ ({d.kind}): {said}spec: {d.spec[:300]}; other: {d.other[:300]}")

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
        said = explain(names)
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
