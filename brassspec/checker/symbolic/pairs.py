"""Two rulesets on one symbolic position: where they part at one transition, asked of Z3.

The shared variables of the position are the same constants for both, with values that both know; each side's own variables are
constants of their own. Equal parts of the two transitions become equal terms, so what is the same needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from brassspec.checker.related import BOTH, OF_A, OF_B, Related
from brassspec.checker.symbolic.evaluator import Evaluator, Frame
from brassspec.checker.symbolic.execution import Execution, State, Verdict, execute
from brassspec.checker.symbolic.fewest import Fewest, as_in, reason_of, switch
from brassspec.checker.symbolic.numbers import SymNum
from brassspec.checker.symbolic.position import Position
from brassspec.checker.symbolic.proofs import INVARIANTS
from brassspec.checker.symbolic.solver import SAT, UNKNOWN, UNSAT, Solver
from brassspec.checker.symbolic.syntax import Syntax
from brassspec.checker.symbolic.terms import Bit, Term, Terms
from brassspec.checker.symbolic.transition import parameters, read_parameters
from brassspec.checker.symbolic.values import Maybe, OneHot, SymSet, Value, Values
from brassspec.rules import model as m

RLIMIT = 40_000_000  # for one question, in Z3's units


@dataclass(frozen=True, slots=True)
class Asked:
    """answer: "sat" with positions that are alike and arguments, "unsat", "equal" (unsat without a solver), "unknown" for `reason`."""

    answer: str
    a: State = ()
    own: dict[str, Any] | None = None  # the values of B's own variables
    args: tuple[Any, ...] = ()
    reason: str = ""


@dataclass(slots=True)
class Side:
    """One ruleset at one transition: what must hold for it to happen, what comes of it."""

    happens: list[Bit]
    run: Execution
    cells: Mapping[str, Sequence[Value]]


class Pair:
    """The positions of two rulesets, built once; `between` asks about one transition."""

    def __init__(self, related: Related, backend: str = "bv") -> None:
        self.related = related
        self.backend = backend
        self.a, self.b = related.a.model, related.b.model
        self.position = Position(self.a, backend)
        self.terms = self.position.terms
        self.values = (self.position.values, Values(self.b, self.terms, self.position.values.numbers))
        self.syntax = (Syntax(self.a), Syntax(self.b))
        self._proper = self.position.solver.asserted
        self.facts: list[Bit] = []
        self.cells = (self.position.cells, self._cells_of_b())
        evaluators = [self.evaluator(0), self.evaluator(1)]
        self.invariants = [
            {p.name: evaluators[side].holds(p.cond, Frame({})) for p in model.properties if p.kind in INVARIANTS}
            for side, model in enumerate((self.a, self.b))
        ]
        self._dues = [
            [evaluators[side].holds(t.when, Frame({})) for t in model.steps]
            for side, model in enumerate((self.a, self.b))
        ]
        self.left_out: list[str] = []
        self._contradicted()

    def evaluator(self, side: int) -> Evaluator:
        return Evaluator(self.values[side], self.syntax[side], dict(self.cells[side]))

    # ------------------------------------------------------------ one position

    def _cells_of_b(self) -> dict[str, list[Value]]:
        cells: dict[str, list[Value]] = {}
        for name, var in self.b.state.items():
            if name in self.related.shared:
                here = self.a.state[name].type
                cells[name] = [self._as_b(cell, here, var.type) for cell in self.position.cells[name]]
            else:
                keys = range(len(self.related.b.keys(name)))
                cells[name] = [self.values[1].variable(var.type, f"{name}'{i}", self.facts) for i in keys]
        return cells

    def _as_b(self, value: Value, here: m.Type, there: m.Type) -> Value:
        """The value as one of B's. That it is one becomes a fact."""
        numbers, terms = self.position.values.numbers, self.terms
        match here, there:
            case m.Num(), m.Num():
                self.facts.append(numbers.within(value, there.lo, there.hi))
                return numbers.narrow(value, max(here.lo, there.lo), min(here.hi, there.hi))
            case m.Sort(), m.Sort():
                ours, theirs = self.a.sorts[here.name].members, self.b.sorts[there.name].members
                if ours == theirs:
                    return value
                cases = {ours[k]: bit for k, bit in self.values[0].cases(value)}
                bits = {k: cases[title] for k, title in enumerate(theirs) if title in cases}
                self.facts.append(terms.or_(bits.values()))
                return self.values[1].one_hot(bits)
            case m.Option(), m.Option() if isinstance(value, Maybe):
                count = len(self.facts)
                inner = self._as_b(value.inner, here.inner, there.inner)
                self.facts[count:] = [terms.implies(value.present, fact) for fact in self.facts[count:]]
                return Maybe(value.present, inner)
            case m.Record(), m.Record():
                fields = zip(value, self.values[0].fields(here), self.values[1].fields(there), strict=True)
                return tuple(self._as_b(v, x, y) for v, (_, x), (_, y) in fields)
        return value

    def _contradicted(self) -> None:
        """B's invariants that hold in no position of A's: they are not assumed, or all would hold of nothing.

        So it is where the set-ups differ: as many cards of a kind, but not the same.
        """
        known = set(self.invariants[0].values())
        others = {name: bit for name, bit in self.invariants[1].items() if bit is not True and bit not in known}
        solver = self.solver(self.invariants[0].values())
        while others:
            literals = {name: self.literal(solver, bit, f"invariant' {name}") for name, bit in others.items()}
            answer = solver.check(list(literals.values()), RLIMIT)
            if answer != UNSAT:
                break
            core = solver.core()
            gone = next(name for name in reversed(literals) if literals[name] in core)
            self.left_out.append(gone)
            del others[gone]

    def literal(self, solver: Solver, bit: Bit, name: str) -> Term:
        """A constant that implies a condition, to assume."""
        constant = self.terms.constant(name)
        solver.add([self.terms.implies(constant, bit)])
        return constant

    def solver(self, bits: Iterable[Bit]) -> Solver:
        """A solver for positions that fulfil some conditions."""
        solver = Solver(self.terms, self.backend)
        solver.add(self._proper)
        solver.add(self.facts)
        solver.add(bits)
        return solver

    def assumed(self, domain: str) -> list[Bit]:
        """The invariants of one ruleset, and what the other's say of its own variables; or of both, but for those of B that A's
        positions can't fulfil."""
        sides = (domain != OF_B, domain != OF_A)
        return [
            bit
            for here, found, own in zip(sides, self.invariants, self._of_own, strict=True)
            for name, bit in found.items()
            if (here and (domain != BOTH or name not in self.left_out)) or name in own
        ]

    @cached_property
    def _of_own(self) -> tuple[frozenset[str], frozenset[str]]:
        """The invariants that speak of what only a side remembers."""
        return tuple(  # type: ignore[return-value]
            frozenset(
                p.name
                for p in model.properties
                if p.kind in INVARIANTS and not syntax.reads(p.cond).versions.isdisjoint(own)
            )
            for model, syntax, own in zip((self.a, self.b), self.syntax, self.related.own, strict=True)
        )

    def is_wider(self, domain: str) -> bool:
        """Whether a ruleset may have positions that those of both leave out."""
        return not set(self.assumed(BOTH)) - {True} <= set(self.assumed(domain))

    # ------------------------------------------------------------ one transition

    def between(self, name: str) -> Between:
        """The two rulesets at a transition. One that only a side has happens nowhere in the other."""
        return Between(self, name)

    def rests(self, side: int, name: str) -> list[Bit]:
        """That no automatic step is due; of a step, none that comes before it."""
        steps = (self.a, self.b)[side].steps
        names = [t.name for t in steps]
        before = names.index(name) if name in names else len(names)
        return [self.terms.not_(bit) for bit in self._dues[side][:before]]


class Between:
    def __init__(self, pair: Pair, name: str) -> None:
        self.pair = pair
        self.terms = pair.terms
        self.name = name
        ours, theirs = (model.transitions().get(name) for model in (pair.a, pair.b))
        self.transition = ours or theirs
        assert self.transition is not None
        before = len(pair.position.solver.asserted)
        self.values = pair.values[ours is None]
        self.args = parameters(pair.position, self.transition, self.values)
        # Parameters that may be named either way are put in order.
        orders = (both for names in self.transition.either_order for both in pairwise(names))
        pair.position.constrain(self.values.less_equal(self.args[x], self.args[y]) for x, y in orders)
        self._proper = pair.position.solver.asserted[before:]
        self._solvers: dict[str, Solver] = {}
        self.sides = [self._side(0, ours), self._side(1, theirs)]
        self.units = 0

    def _side(self, side: int, t: m.Transition | None) -> Side:
        pair, terms = self.pair, self.terms
        if t is None:
            return Side([False], Execution(False), pair.cells[side])
        evaluator = pair.evaluator(side)
        run = execute(evaluator, t, self.args)
        kept = [terms.not_(terms.or_((v.unevaluated, v.violated))) for v in run.verdicts]
        possible = True if run.weight is None else terms.not_(pair.values[side].less_equal(run.weight, 0))
        cells = {
            name: run.final[name].cells if name in run.final else pair.cells[side][name] for name in pair.cells[side]
        }
        return Side([run.when, possible, *kept], run, cells)

    def proper(self, sides: Iterable[int]) -> list[Bit]:
        """That in these rulesets nothing becomes undefined or exceeds its bounds, which they promise and questions leave out. Where
        something is forbidden, that may well be so."""
        return [version.defined for side in sides for version in self.sides[side].run.final.values()]

    # ------------------------------------------------------------ what is asked

    def allowed(self, side: int) -> list[Bit]:
        """That it happens in one ruleset and not in the other."""
        terms = self.terms
        one, other = self.sides[side].happens, self.sides[1 - side].happens
        common = set(_parts(one))
        apart = [part for part in _parts(other) if part not in common]
        return [*one, *self._rest(side), terms.not_(terms.and_(apart))]

    def effect(self) -> list[Bit]:
        """That it happens in both, and leads to positions that are not alike."""
        a, b = self.sides
        apart = [self.terms.not_(bit) for bit in self._equations()]
        return [*a.happens, *b.happens, *self._rest(0), *self._rest(1), self.terms.or_(apart)]

    def odds(self) -> list[Bit]:
        """That chance may bring it in both, with other weights."""
        a, b = self.sides
        if a.run.weight is None or b.run.weight is None or _identical(a.run.weight, b.run.weight):
            return [False]
        same = self.pair.values[1].numbers.eq(a.run.weight, b.run.weight)
        return [*a.happens, *b.happens, *self._rest(0), *self._rest(1), self.terms.not_(same)]

    def decided(self, rule: str) -> Iterator[tuple[int, list[Bit]]]:
        """That one ruleset (its number comes with it) alone allows it for the sake of a rule: of a requirement that only that is
        violated in the other, of an exception that the requirement it excuses from is, and nothing else excuses from that."""
        for side in (0, 1):
            here, there = (self.sides[s].run.verdicts for s in (side, 1 - side))
            allows = [*self.sides[side].happens, *self._rest(side)]
            if any(v.name == rule for v in there):
                yield side, [*allows, self._alone(there, rule)]
            for v in here:
                excused = [bit for name, bit in v.excused if name == rule]
                if excused:
                    yield side, [*allows, *excused, self._alone(there, v.name)]

    def _alone(self, verdicts: Sequence[Verdict], rule: str) -> Bit:
        """That one requirement is violated, and nothing else."""
        terms = self.terms
        others = [v.unevaluated if v.name == rule else terms.or_((v.unevaluated, v.violated)) for v in verdicts]
        return terms.and_((terms.or_(v.violated for v in verdicts if v.name == rule), terms.not_(terms.or_(others))))

    def _rest(self, side: int) -> list[Bit]:
        return self.pair.rests(side, self.name)

    def _equations(self) -> Iterator[Bit]:
        pair = self.pair
        a, b = self.sides
        for name in pair.related.shared:
            if name not in a.run.final and name not in b.run.final:
                continue
            here, there = pair.a.state[name].type, pair.b.state[name].type
            for x, y in zip(a.cells[name], b.cells[name], strict=True):
                if not _identical(x, y):
                    yield self._equal(x, y, here, there)

    def _equal(self, x: Value, y: Value, here: m.Type, there: m.Type) -> Bit:
        """Equality of values of the two sides; of sorts with other members by their names."""
        pair = self.pair
        if isinstance(here, m.Sort) and isinstance(there, m.Sort):
            ours, theirs = pair.a.sorts[here.name].members, pair.b.sorts[there.name].members
            if ours != theirs:
                cases = {theirs[k]: bit for k, bit in pair.values[1].cases(y)}
                both = ((bit, cases.get(ours[k], False)) for k, bit in pair.values[0].cases(x))
                return self.terms.or_(self.terms.and_(bits) for bits in both)
        return pair.values[1].equal(there, x, y)

    # ------------------------------------------------------------ answers

    def ask(
        self, bits: Sequence[Bit], rlimit: int = RLIMIT, domain: str = BOTH, near: Sequence[State | None] = ()
    ) -> Asked:
        """A position that fulfils the invariants of one ruleset, or of both, and these conditions, as like set-up as is found.

        near: positions of A to look near to, one after the other, in place of set-up, None for anywhere; each with `rlimit` units.
        """
        if any(bit is False for bit in bits):
            return Asked("equal")
        if domain not in self._solvers:
            self._solvers[domain] = self.pair.solver([*self.pair.assumed(domain), *self._proper])
        solver = self._solvers[domain]
        question = self.pair.literal(solver, self.terms.and_(bits), f"question {len(solver.asserted)}")
        pair = self.pair
        rules = pair.related.a
        answer = UNKNOWN
        for state in near or (rules.defaults({}),):
            lines = () if state is None else as_in(rules, state, pair.values[0], pair.cells[0])
            mark = len(solver.asserted)  # another position says something else of the same line
            wishes = [switch(self.terms, solver, f"{title} ({mark})", literals) for title, literals in lines]
            answer = Fewest(self.terms, solver).check([question], wishes, rlimit)
            if answer != UNKNOWN:
                break
        self.units = sum(s.units for s in self._solvers.values())
        return self._read(solver) if answer == SAT else Asked(answer, reason=reason_of(solver))

    def smt2(self, bits: Sequence[Bit], domain: str = BOTH) -> str:
        """The question as SMT-LIB text."""
        solver = self.pair.solver([*self.pair.assumed(domain), *self._proper])
        return solver.smt2([self.terms.term(self.terms.and_(bits))])

    def _read(self, solver: Solver) -> Asked:
        pair, values = self.pair, self.pair.values
        model = solver.model()
        t = self.transition
        assert t is not None
        args = read_parameters(self.values, t, self.args, model)
        own: dict[str, Any] = {}
        for name in pair.related.own[1]:
            var = pair.b.state[name]
            own[name] = Position.whole(var, [values[1].read(var.type, cell, model) for cell in pair.cells[1][name]])
        return Asked("sat", pair.position.read(model), own, tuple(args.values()))


def _parts(bits: Iterable[Bit]) -> list[Bit]:
    """Conditions as what they are made of by `and`."""
    return [part for bit in bits for part in Terms.parts(bit)]


def _identical(x: Value, y: Value) -> bool:
    """Whether two values are the same terms throughout."""
    if x is y:
        return True
    if type(x) is not type(y):
        return False
    if isinstance(x, SymNum | Maybe):
        return all(_identical(getattr(x, f), getattr(y, f)) for f in x.__dataclass_fields__)
    if isinstance(x, OneHot | SymSet):
        return bool(x.bits == y.bits)
    if isinstance(x, tuple):
        return len(x) == len(y) and all(map(_identical, x, y))
    return bool(x == y)
