"""The smallest disagreement: the same difference in a position with as few pieces as possible, told so that its rule is found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from brassspec.checker.compare import Comparison, Difference, NoAnswer
from brassspec.checker.crosscheck import Divergence
from brassspec.formats import InputError, Outcome, Plain
from brassspec.formats.documents import write_position
from brassspec.rules.concrete import NOT_GIVEN, InternalError, State
from brassspec.rules.model import Assign, AssignAll, Bool, Emit, Num, Option, Record, Sort, Transition, Type
from brassspec.rules.spoken import Given

MAX_TRIES = 4_000  # positions tried for one difference
MAX_SAID = 6  # lines that each side says
MAX_CHARS = 300  # of one such line


@dataclass(frozen=True, slots=True)
class Finding:
    """A divergence told.

    times: how often it was found; game, policy, start, moves: the shortest game in which it was; position: the smallest that
    was found, in so many `lines` of a scenario; spec, other: what each says; rules: the requirements, actions and automatic steps
    concerned, each with a sentence and its place; scenario: to be pasted into a spec; repro: the command that finds it again.
    """

    kind: str
    signature: str
    times: int
    players: int
    game: int
    policy: str
    start: str
    moves: tuple[str, ...]
    move: str
    taken: Plain | None
    position: Plain
    lines: int
    spec: tuple[str, ...]
    other: tuple[str, ...]
    rules: tuple[Plain, ...]
    scenario: str
    repro: str

    def plain(self) -> Plain:
        return asdict(self)

    @staticmethod
    def of(data: Plain) -> Finding:
        given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        return Finding(**given)


def tell(compare: Comparison, found: Divergence, times: int, repro: str) -> Finding:
    """A divergence in its smallest position, with what each side says there."""
    state = compare.codec.state(found.position, check=False)
    taken, is_chance = None, False
    if found.taken is not None:
        request = compare.game.request(found.taken)
        taken, is_chance = compare.game.whole(request), request.is_chance
    d = Difference(found.kind, found.names, found.spec, found.other, taken, is_chance)
    search = Shrinking(compare, d, state)
    if found.kind != "set-up" and search.differs(state) is not None:
        search.shrink()
        state, d = search.state, search.difference
    teller = Teller(compare, state, d)
    spec, other = teller.sides()
    return Finding(
        kind=d.kind,
        signature=found.signature,
        times=times,
        players=found.position.players,
        game=found.game,
        policy=found.policy,
        start=found.start,
        moves=found.moves,
        move=compare.say(d.taken, d.is_chance),
        taken=compare.told(d.taken, d.is_chance),
        position=write_position(compare.plain(state)),
        lines=len(search.lines),
        spec=cut(spec),
        other=cut(other),
        rules=tuple(teller.concerned()),
        scenario=teller.scenario(search.lines),
        repro=repro,
    )


def cut(lines: Iterable[str]) -> tuple[str, ...]:
    said = [x if len(x) <= MAX_CHARS else x[: MAX_CHARS - 3] + "..." for x in lines]
    return tuple(said[:MAX_SAID]) + ((f"and {len(said) - MAX_SAID} more",) if len(said) > MAX_SAID else ())


class Shrinking:
    """Puts what a position states back to what it is at set-up, as long as the same difference remains."""

    def __init__(self, compare: Comparison, d: Difference, state: State) -> None:
        self.compare = compare
        self.rules = compare.rules
        self.difference = d
        self.state = state
        self.mover = 0 if d.taken is None or d.is_chance else int(d.taken[1][0])
        self.lines: list[Given] = []
        self.tries = 0

    def differs(self, state: State) -> Difference | None:
        """The same difference in a position, if it is there."""
        try:
            found = self.compare.again(state, self.difference)
        except InternalError:
            return None
        return next((d for d in found if d.signature == self.difference.signature), None)

    def position(self, lines: Sequence[Given], source: State) -> State | None:
        """The position that states of `source` only these lines; None where there is none that could be played on."""
        given: dict[str, Any] = {}
        for g in lines:
            values = self.compare.game.speaker.value(source, g)
            if not g.var.keys:
                given[g.var.name] = values[0]
                continue
            cells = given.setdefault(g.var.name, [NOT_GIVEN] * len(self.rules.keys(g.var.name)))
            for i, v in zip(g.cells, values, strict=True):
                cells[i] = v
        try:
            state = self.rules.defaults(
                {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}, self.mover
            )
            self.compare.codec.check_bounds(state)
            if self.rules.broken(state) or not self.may_stand(state):
                return None
        except (InputError, InternalError, TypeError):
            return None  # what is left unstated has no value that fits
        return state

    def may_stand(self, state: State) -> bool:
        """Whether a position is one to tell a difference in: one at rest."""
        return self.rules.rest(state, []) == state

    def attempt(self, lines: Sequence[Given], source: State) -> bool:
        """Whether fewer lines will do; then they are kept."""
        self.tries += 1
        if self.tries > MAX_TRIES:
            return False
        state = self.position(lines, source)
        if state is None:
            return False
        d = self.difference if state == self.state else self.differs(state)
        if d is None:
            return False
        self.lines, self.state, self.difference = list(lines), state, d
        return True

    def shrink(self) -> None:
        """Leaves the fewest lines it can: whole variables first, then halves, quarters, single lines, then single copies in bags."""
        self.lines = list(self.compare.game.speaker.givens)
        if self.position(self.lines, self.state) != self.state:
            return  # no scenario states this position
        before = -1
        while before != len(self.lines):
            before = len(self.lines)
            for name in reversed(self.rules.model.state):
                self.attempt([g for g in self.lines if g.var.name != name], self.state)
            size = max(1, len(self.lines) // 2)
            while size:
                at = 0
                while at < len(self.lines):
                    if not self.attempt(self.lines[:at] + self.lines[at + size :], self.state):
                        at += size
                size //= 2
        for g in [g for g in self.lines if g.var.display == "bag"]:
            for cell in g.cells:
                self.fewer(g, cell)

    def fewer(self, g: Given, cell: int) -> None:
        """Takes copies of one thing out of a bag, all if possible."""
        at = self.rules.index[g.var.name]
        for count in range(self.state[at][cell]):
            cells = self.state[at]
            source = (*self.state[:at], (*cells[:cell], count, *cells[cell + 1 :]), *self.state[at + 1 :])
            if self.attempt(self.lines, source):
                return


class Teller:
    """Tells a difference in one position."""

    def __init__(self, compare: Comparison, state: State, d: Difference) -> None:
        self.compare = compare
        self.model = compare.rules.model
        self.speaker = compare.game.speaker
        self.state = state
        self.d = d

    @property
    def transition(self) -> Transition | None:
        if self.d.taken is None:
            return None
        group = self.model.chances if self.d.is_chance else self.model.actions
        return list(group.values())[self.d.taken[0]]

    # ------------------------------------------------------------ what each side says

    def sides(self) -> tuple[list[str], list[str]]:
        d = self.d
        if d.kind in ("position", "set-up", "z3 position"):
            return self.both_positions()
        if d.taken is None or d.is_chance or d.kind not in ("verdict", "legal moves", "z3 verdict"):
            return [d.spec], [d.other]
        j = self.compare.rules.judge(self.state, *d.taken)
        t = self.transition
        assert t is not None
        spec = [self.reason(f.requirement, self.compare.game.facts(t, f)) for f in j.violated] or ["legal"]
        spec += [f"by the exception {x}: {self.model.requirements[x].sentence}" for x in j.exceptions]
        if d.kind != "verdict":
            return spec, [d.other]
        outcome = self.outcome()
        other = [d.other]
        if outcome is not None:
            other = [self.reason(v.requirement, v.facts) for v in outcome.violated] or ["legal"]
        return spec, other

    def reason(self, name: str, facts: str) -> str:
        r = self.model.requirements.get(name)
        return f"{name}: {r.sentence if r is not None else '(not a rule of the spec)'}" + (
            f" (here: {facts})" if facts else ""
        )

    def outcome(self) -> Outcome | None:
        """What the other opinion says of the move or outcome of chance."""
        other, taken = self.compare.other, self.d.taken
        if other is None or taken is None:
            return None
        position = self.compare.plain(self.state)
        try:
            if self.d.is_chance:
                told = self.compare.codec.chance(*taken)
                return self.compare.hear(lambda: other.apply_chance(position, told))
            return self.compare.hear(lambda: other.step(position, self.compare.move_of(taken)[0]))
        except NoAnswer:
            return None

    def both_positions(self) -> tuple[list[str], list[str]]:
        """The lines in which the two next positions differ, as a scenario would have them."""
        mine = self.after()
        theirs: State | None = None
        outcome = self.outcome()
        if outcome is not None and outcome.position is not None and self.d.kind == "position":
            try:
                theirs = self.compare.codec.state(outcome.position, check=False)
            except InputError:
                theirs = None
        if mine is None or theirs is None:
            return [self.d.spec], [self.d.other]
        lines = self.speaker.differing(mine, theirs)
        return [self.speaker.say_given(mine, g) for g in lines], [self.speaker.say_given(theirs, g) for g in lines]

    def after(self) -> State | None:
        """The next position by the rules."""
        taken, rules = self.d.taken, self.compare.rules
        if taken is None:
            return None
        try:
            return rules.happen(self.state, *taken)[0] if self.d.is_chance else rules.step(self.state, *taken).state
        except InternalError:
            return None

    # ------------------------------------------------------------ the rules concerned

    def concerned(self) -> list[Plain]:
        """Where to look: requirements, invariants and claims by name; of a position or events, the statements that make them."""
        out = []
        properties = {p.name: p for p in self.model.properties}
        for name in self.d.names:
            known = self.model.requirements.get(name) or properties.get(name)
            if known is not None:
                out.append({"name": name, "sentence": known.sentence, "place": f"{known.file}:{known.line}"})
        if out and self.d.kind not in ("invariant",):
            return out
        if self.d.kind == "chance":
            chances = [self.model.chances[n] for n in self.d.names if n in self.model.chances]
            return [self.place_of(t) for t in chances]
        for t in self.ran():
            places = list(dict.fromkeys(self.statements(t)))
            out += [
                {"name": t.name if within == t.name else f"{t.name}, {within}", "sentence": what, "place": place}
                for what, within, place in places[:MAX_SAID]
            ]
        return out or [self.place_of(t) for t in self.ran()[:1]]

    def place_of(self, t: Transition) -> Plain:
        words = t.sentence or t.spoken or "what happens before a game"
        return {"name": t.name, "sentence": words, "place": f"{t.written.file}:{t.written.line}"}

    def statements(self, t: Transition) -> Iterable[tuple[str, str, str]]:
        """(what it does, within what, where) of the statements that set a variable or tell an event which differs."""
        for n in t.nodes:
            if isinstance(n, Assign | AssignAll) and n.var in self.d.names:
                what = f"sets {n.var}"
            elif isinstance(n, Emit) and n.event in self.d.names:
                what = f"tells {n.event}"
            else:
                continue
            yield what, n.written.within, f"{n.written.file}:{n.written.line}"

    def ran(self) -> list[Transition]:
        """The action or chance, and the automatic steps that followed it, each once."""
        t = self.transition
        if t is None:
            return [self.model.setup] if self.d.kind == "set-up" else []
        rules = self.compare.rules
        found = [t]
        assert self.d.taken is not None
        state = rules.made(t.name, self.state, self.d.taken[1])
        while state is not None and (due := rules.due(state)):
            step = self.model.transition(due)
            if step not in found:
                found.append(step)
            state = rules.made(due, state, ())
        return found

    # ------------------------------------------------------------ the scenario

    def scenario(self, lines: Sequence[Given]) -> str:
        """A scenario of this position and move, with the verdict of the spec: run in a check, it fails by the same difference."""
        about = ", ".join(dict.fromkeys(r["name"] for r in self.concerned())) or self.d.kind
        out = [
            f'scenario "{self.d.kind}: {about.replace(chr(34), "")}":',
            f"    ruleset {self.model.ruleset}",
            f"    players {self.model.players}",
            *[f"    given {self.speaker.say_given(self.state, g)}" for g in lines],
        ]
        taken = self.d.taken
        if taken is None:
            return "\n".join([*out, "    expect true"]) + "\n"
        out.append(f"    > {self.compare.say(taken, self.d.is_chance)}")
        after = self.after()
        shown = self.afterwards(after) if after is not None else ""
        if self.d.is_chance:
            out.append(f"    expect {shown or 'true'}")
        elif after is not None:
            out.append(f"    => legal: {shown}" if shown else "    => legal")
        else:
            names = [f.requirement for f in self.compare.rules.judge(self.state, *taken).violated]
            out.append(f"    => illegal by {', '.join(names)}")
        return "\n".join(out) + "\n"

    def afterwards(self, after: State) -> str:
        """What the spec says of the next position where the other differs, as a condition; "" where they agree on it."""
        outcome = self.outcome() if self.d.kind == "position" else None
        if outcome is None or outcome.position is None:
            return ""
        try:
            theirs = self.compare.codec.state(outcome.position, check=False)
        except InputError:
            return ""
        found = []
        for g in self.speaker.differing(after, theirs):
            keys = self.compare.rules.keys(g.var.name) if g.var.keys else [()]
            for i, a, b in zip(g.cells, self.speaker.value(after, g), self.speaker.value(theirs, g), strict=True):
                if a != b:
                    index = ", ".join(self.literal(k, t) for k, t in zip(keys[i], g.var.keys, strict=True))
                    found.append(self.holds(f"{g.var.name}[{index}]" if index else g.var.name, a, g.var.type))
        return " and ".join(found[:3])

    def literal(self, value: Any, t: Type) -> str:
        if isinstance(t, Sort):
            return f"{t.name}.{self.model.sorts[t.name].members[value]}"
        return str(value).lower() if isinstance(t, Bool) else str(value)

    def holds(self, text: str, value: Any, t: Type) -> str:
        """A condition that what `text` names has this value."""
        if isinstance(t, Option):
            return f"not {text} exists" if value is None else self.holds(text, value, t.inner)
        if isinstance(t, Record):
            fields = zip(value, self.model.records[t.name].fields, strict=True)
            return " and ".join(self.holds(f"{text}.{name}", v, ft) for v, (name, ft) in fields)
        if isinstance(t, Bool):
            return text if value else f"not {text}"
        assert isinstance(t, Num | Sort)
        return f"{text} = {self.literal(value, t)}"
