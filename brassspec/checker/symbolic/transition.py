"""An action, automatic step or chance event as one formula, built once; queries only assume what they know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from brassspec.checker.symbolic.execution import Execution, Judgement, State, Verdict, execute
from brassspec.checker.symbolic.fewest import Fewest, reason_of, switch
from brassspec.checker.symbolic.position import Args, Position, Unanswered, by_name
from brassspec.checker.symbolic.solver import SAT, UNKNOWN, UNSAT, Model, Solver
from brassspec.checker.symbolic.terms import Bit, Term
from brassspec.checker.symbolic.values import UNKNOWN as ANY
from brassspec.checker.symbolic.values import Value, Values
from brassspec.rules import model as m

# Conditions of legality that are no requirement, as they stand in cores.
WHEN = "(due)"
BOUNDS = "(within bounds)"

RLIMIT = 30_000_000  # some ten seconds of Z3

Wish: TypeAlias = tuple[str, list[Term]]  # a line of a position, and what holds where it is as wished for


@dataclass(frozen=True, slots=True)
class Completion:
    """A full position and move that agree with all that is known, and the verdict on them."""

    state: State
    args: dict[str, Any]
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a move is legal, where not all is known.

    verdict: "always", "never", "depends"; "impossible" where nothing agrees with what is known; "unknown" for `reason`.
    core: for "never" the requirements that cannot all be fulfilled, none of which can be left out if `minimal`.
    """

    verdict: str
    core: tuple[str, ...] = ()
    minimal: bool = True
    legal: Completion | None = None
    illegal: Completion | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """An answer of Z3, with an example, a core, or the reason why there is neither."""

    answer: str
    completion: Completion | None = None
    core: frozenset[Term] = frozenset()
    reason: str = ""


def lengths(transition: m.Transition) -> dict[str, tuple[str, int]]:
    """The elements of list parameters: the parameter that says how long the list is, and the place in it."""
    lists = [(p.name, p.type.hi) for p in transition.params if isinstance(p.type, m.Seq)]
    return {f"{name}.{i}": (f"{name}.len", i) for name, hi in lists for i in range(hi)}


def parameters(position: Position, transition: m.Transition, values: Values | None = None) -> dict[str, Value]:
    """The scalar parameters. Elements beyond a list's length are pinned, as they don't matter. values: of the transition's model, if
    that is another than the position's."""
    values, terms = values or position.values, position.terms
    well_formed: list[Bit] = []
    args = {p.name: values.variable(p.type, p.name, well_formed) for p in transition.scalars()}
    types = {p.name: p.type for p in transition.scalars()}
    for name, (length, i) in lengths(transition).items():
        used = terms.not_(values.less_equal(args[length], i))
        pinned = values.literals(types[name], args[name], values.first(types[name]))
        well_formed += [terms.or_((used, pin)) for pin in pinned]
    position.constrain(well_formed)
    return args


def read_parameters(values: Values, transition: m.Transition, args: dict[str, Value], found: Model) -> dict[str, Any]:
    """The values that a model gives the scalar parameters; None for elements beyond a list's length."""
    read = {p.name: values.read(p.type, args[p.name], found) for p in transition.scalars()}
    for name, (length, i) in lengths(transition).items():
        if read[length] <= i:
            read[name] = None
    return read


class SymbolicTransition:
    def __init__(self, model: m.Model, transition: m.Transition, backend: str = "bv") -> None:
        self.model = model
        self.transition = transition
        self.position = Position(model, backend)
        self._terms = self.position.terms
        self._solver = self.position.solver
        self._lengths = lengths(transition)
        self.args: dict[str, Value] = parameters(self.position, transition)
        execution = execute(self.position.evaluator, transition, self.args)
        self._verdicts(execution)
        self._effects(execution)

    def _verdicts(self, execution: Execution) -> None:
        """One literal a requirement, though it may have been asked several times."""
        terms, named = self._terms, self.position.named
        failed: dict[str, list[Bit]] = {}
        self._asked: list[Verdict] = []
        for i, v in enumerate(execution.verdicts):
            skipped, violated = (
                named(v.unevaluated, f"skipped {i} {v.name}"),
                named(v.violated, f"violated {i} {v.name}"),
            )
            self._asked.append(Verdict(v.name, skipped, violated))
            failed.setdefault(v.name, []).extend((skipped, violated))
        self._fulfilled = {
            name: named(terms.not_(terms.or_(bits)), f"fulfilled {name}") for name, bits in failed.items()
        }
        weight = execution.weight
        possible = True if weight is None else terms.not_(self.position.values.less_equal(weight, 0))
        self._weight = named(weight, "weight")
        self._when = named(terms.and_((execution.when, possible)), "when")

    def _effects(self, execution: Execution) -> None:
        terms, named = self._terms, self.position.named
        self._final = execution.final
        self._defined: dict[str, Bit] = {}
        for name, version in execution.final.items():
            self._defined[name] = named(version.defined, f"defined {name}")
            version.touched = [named(bit, f"touched {name} {i}") for i, bit in enumerate(version.touched)]
            version.cells = [
                cell if touched is False else named(cell, f"next {name} {i}")
                for i, (cell, touched) in enumerate(zip(version.cells, version.touched, strict=True))
            ]
        bounds = named(terms.and_(self._defined.values()), "within bounds")
        self._needs: dict[str, Term] = {}  # what legality consists of
        for name, bit in {WHEN: self._when, **self._fulfilled, BOUNDS: bounds}.items():
            if bit is not True:
                self._needs[name] = terms.term(bit)
        # Bounds are the rules' promise, not a rule: where they could be exceeded in play, that is a fault of the rules. So
        # questions are about positions in which nothing that the requirements allow exceeds them.
        allowed = terms.and_(need for name, need in self._needs.items() if name != BOUNDS)
        self._proper = terms.term(named(terms.or_((terms.not_(allowed), bounds)), "proper"))
        self._sound = named(terms.and_(need for name, need in self._needs.items() if name != WHEN), "sound")
        self.legal = terms.term(named(terms.and_((self._when, self._sound)), "legal"))

    # ---------------------------------------------------------------- what is known

    def _known(self, state: State, given: Args) -> list[Term]:
        args = by_name(self.transition, given)
        known = self.position.assume(state)
        for p in self.transition.scalars():
            value = args.get(p.name, ANY)
            if p.name in self._lengths:
                length, i = self._lengths[p.name]
                beyond = args.get(length, ANY)
                if (beyond is not ANY and beyond <= i) or (value is None and not isinstance(p.type, m.Option)):
                    continue
            known += self.position.values.literals(p.type, self.args[p.name], value)
        return known

    def _conditions(self, args: Args, assumptions: Iterable[m.Expr], invariants: Iterable[m.Expr] | None) -> list[Term]:
        """What else is assumed. Parameters that may be named either way are put in order, unless they are known."""
        values, switch = self.position.values, self.position.switch
        fulfilled = self.position.invariants() if invariants is None else invariants
        conditions = [switch(self.holds(condition)) for condition in (*fulfilled, *assumptions)]
        args = by_name(self.transition, args)
        for first, second in (pair for names in self.transition.either_order for pair in pairwise(names)):
            if args.get(first, ANY) is ANY or args.get(second, ANY) is ANY:
                conditions.append(switch(values.less_equal(self.args[first], self.args[second])))
        return conditions

    # ---------------------------------------------------------------- verdicts

    def judge(self, state: State, args: Args) -> Judgement:
        """The verdict on a move in a position, both known, and the position after it, before any automatic step."""
        answer = self._solver.check(self._known(state, args))
        if answer != SAT:
            raise Unanswered(f"{self.transition.name}: {answer} {self._solver.reason}")
        return self._judgement(self._solver.model(), state)

    def _judgement(self, model: Model, state: State) -> Judgement:
        def true(bit: Bit) -> bool:
            return model.truth(bit) if isinstance(bit, Term) else bit

        when = true(self._when)
        weight = self.position.values.read(m.Num(0, 0), self._weight, model)
        if true(self._sound):
            return Judgement(True, state=self._next(model, state), when=when, weight=weight)
        violated = dict.fromkeys(v.name for v in self._asked if true(v.violated))
        skipped = dict.fromkeys(v.name for v in self._asked if true(v.unevaluated) and v.name not in violated)
        faults = [] if violated or skipped else [name for name, bit in self._defined.items() if not true(bit)]
        return Judgement(False, tuple(violated), tuple(skipped), None, when, weight, tuple(faults))

    def _next(self, model: Model, state: State) -> State:
        """The position after. A cell that was not assigned to is as before."""
        values = self.position.values
        after = list(state)
        for i, (name, var) in enumerate(self.model.state.items()):
            if name not in self._final:
                continue
            version = self._final[name]
            cells = list(state[i]) if var.keys else [state[i]]
            for k, touched in enumerate(version.touched):
                if touched is True or (isinstance(touched, Term) and model.truth(touched)):
                    cells[k] = values.read(var.type, version.cells[k], model)
            after[i] = self.position.whole(var, cells)
        return tuple(after)

    # ---------------------------------------------------------------- questions

    def decide(
        self,
        state: State,
        args: Args,
        assumptions: Iterable[m.Expr] = (),
        invariants: Iterable[m.Expr] | None = None,
        rlimit: int = RLIMIT,
        wishes: Sequence[Wish] = (),
    ) -> Decision:
        """Whether the move is legal, however what is UNKNOWN is completed.

        Completions fulfil the invariants (by default those of the model) and the assumptions, and as many wishes as they can (see
        `fewest.as_in`). `rlimit` bounds Z3's work on each single question.
        """
        known = [*self._known(state, args), *self._conditions(args, assumptions, invariants), self._proper]
        needs = [need for name, need in self._needs.items() if name != BOUNDS]
        legal = self._example([*known, *needs], wishes, rlimit)
        if legal.answer == UNKNOWN:
            return Decision("unknown", reason=legal.reason)
        illegal = self._example([*known, self._terms.term(self._terms.not_(self.legal))], wishes, rlimit)
        if illegal.answer == UNKNOWN:
            return Decision("unknown", reason=illegal.reason, legal=legal.completion)
        if legal.completion and illegal.completion:
            return Decision("depends", legal=legal.completion, illegal=illegal.completion)
        if legal.completion:
            return Decision("always", legal=legal.completion)
        if not illegal.completion:
            return Decision("impossible")
        found = [name for name, term in self._needs.items() if name != BOUNDS and term in legal.core]
        names, minimal = self._minimal(found, known, rlimit)
        return Decision("never", tuple(names), minimal, illegal=illegal.completion)

    def _example(self, known: Sequence[Term], wishes: Sequence[Wish], rlimit: int) -> Found:
        """A completion, as many wishes fulfilled as can be: near a position that is known Z3 finds one where else it is lost."""
        if wishes:
            self._solver.push()
            try:
                literals = [switch(self._terms, self._solver, *wish) for wish in wishes]
                answer = Fewest(self._terms, self._solver).check(known, literals, max(1, rlimit // 2))
                if answer != UNKNOWN:
                    return self._found(answer, self._solver)
            finally:
                self._solver.pop()
        return self._found(*self._asked_of(known, rlimit))

    def _found(self, answer: str, solver: Solver) -> Found:
        return Found(
            answer,
            self._completion(solver) if answer == SAT else None,
            frozenset(solver.core()) if answer == UNSAT else frozenset(),
            reason_of(solver) if answer == UNKNOWN else "",
        )

    def _asked_of(self, known: Sequence[Term], rlimit: int) -> tuple[str, Solver]:
        """The answer and the solver that gave it: the one that is kept or, where what it was asked before leads it astray, a new one."""
        first = max(1, rlimit // 3)
        answer = self._solver.check(known, first)
        if answer != UNKNOWN:
            return answer, self._solver
        new = Solver(self._terms, self.position.backend)
        new.add(self._solver.asserted)
        return new.check(known, max(1, rlimit - first)), new

    def _minimal(self, names: list[str], known: Sequence[Term], rlimit: int) -> tuple[list[str], bool]:
        """By leaving out one after another. Also whether it was always found out if that is possible."""
        minimal = True
        for name in list(names):
            if name not in names:
                continue
            rest = [other for other in names if other != name]
            answer = self._solver.check([*known, *(self._needs[other] for other in rest)], rlimit)
            minimal = minimal and answer != UNKNOWN
            if answer == UNSAT:
                core = self._solver.core()
                names = [other for other in rest if self._needs[other] in core]
        return names, minimal

    def _completion(self, solver: Solver) -> Completion:
        model = solver.model()
        state = self.position.read(model)
        args = read_parameters(self.position.values, self.transition, self.args, model)
        return Completion(state, args, self._judgement(model, state))

    def holds(self, condition: m.Expr) -> Bit:
        """Whether a condition holds of the move and the position before it."""
        return self.position.holds(condition, self.args)

    def find(self, bits: Iterable[Bit], invariants: Iterable[m.Expr] | None = None) -> str:
        """Whether there is a legal move of which the bits hold (see `holds`): the solver's answer."""
        known = [*self._conditions({}, (), invariants), *map(self.position.switch, bits), self.legal]
        return self._solver.check(known, RLIMIT)

    def smt2(
        self,
        state: State,
        args: Args,
        assumptions: Iterable[m.Expr] = (),
        invariants: Iterable[m.Expr] | None = None,
        legal: bool = True,
    ) -> str:
        """The question whether the move can be legal (or illegal), as SMT-LIB text."""
        side = self.legal if legal else self._terms.term(self._terms.not_(self.legal))
        return self._solver.smt2([*self._known(state, args), *self._conditions(args, assumptions, invariants), side])
