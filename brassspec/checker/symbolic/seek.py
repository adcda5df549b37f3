"""A position, or a transition that happens in one, of which a condition holds: as like set-up as there is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from brassspec.checker.symbolic.evaluator import Frame
from brassspec.checker.symbolic.execution import State, execute
from brassspec.checker.symbolic.fewest import Fewest, as_in, reason_of, switch
from brassspec.checker.symbolic.position import Position
from brassspec.checker.symbolic.proofs import INVARIANTS, NOTHING
from brassspec.checker.symbolic.solver import SAT, Solver
from brassspec.checker.symbolic.terms import Bit, Term
from brassspec.checker.symbolic.transition import lengths, parameters, read_parameters
from brassspec.checker.symbolic.values import Value
from brassspec.rules import model as m
from brassspec.rules.compile import asks_what_is_after
from brassspec.rules.concrete import Rules
from brassspec.rules.spoken import Given


@dataclass(frozen=True, slots=True)
class Answer:
    """answer: "sat" with a position and arguments, "unsat", or "unknown" for `reason`."""

    answer: str
    state: State = ()
    args: tuple[Any, ...] = ()
    reason: str = ""


class Seek:
    """Positions that fulfil the invariants, at which a transition (none: positions at large) happens.

    args: its scalar arguments, where they are known: formulas are a lot smaller then. but: the names of invariants that they need
    not fulfil.
    """

    def __init__(
        self,
        rules: Rules,
        transition: m.Transition | None,
        args: Sequence[Any] | None = None,
        but: Collection[str] = (),
    ) -> None:
        self.rules = rules
        self.transition = transition or NOTHING
        model = rules.model
        self.position = Position(model)
        evaluator, terms = self.position.evaluator, self.position.terms
        asked = [p for p in model.properties if p.kind in INVARIANTS and p.name not in but]
        known = [evaluator.holds(p.cond, Frame({})) for p in asked]
        self.args = parameters(self.position, self.transition) if args is None else self._known(args)
        self.happens: list[Bit] = list(known)
        # At rest no automatic step is due; of a step, none that comes before it.
        steps = list(model.steps)
        before = steps[: steps.index(self.transition)] if self.transition in steps else steps
        self.happens += [terms.not_(evaluator.holds(t.when, Frame({}))) for t in before]
        run = execute(evaluator, self.transition, self.args)
        possible = True if run.weight is None else terms.not_(self.position.values.less_equal(run.weight, 0))
        self.happens += [
            run.when,
            possible,
            *(terms.not_(terms.or_((v.unevaluated, v.violated))) for v in run.verdicts),
        ]
        orders = (both for names in self.transition.either_order for both in pairwise(names) if args is None)
        self.happens += [self.position.values.less_equal(self.args[x], self.args[y]) for x, y in orders]
        self._bounds = [version.defined for version in run.final.values()]
        self._asked = False
        self._switches = 0
        self.units = 0

    def ask(self, condition: m.Expr, rlimit: int) -> Answer:
        """The position that differs least from set-up in which the transition happens so."""
        position = self.position
        solver = position.solver
        bit = position.evaluator.holds(condition, Frame(dict(self.args)))
        if bit is False:
            return Answer("unsat")
        solver.add([*self.happens, bit])
        if asks_what_is_after(condition):
            solver.add(self._bounds)
        wishes = as_in(self.rules, self.rules.defaults({}), position.values, position.cells)
        return self._answer(solver, [], [switch(position.terms, solver, *wish) for wish in wishes], rlimit)

    def closest(self, state: State, kept: Sequence[Given], rlimit: int) -> Answer:
        """The position that differs in the fewest lines from a known one, in none of `kept`, in which the transition happens."""
        position = self.position
        solver = position.solver
        if not self._asked:
            solver.add(self.happens)
            self._asked = True
        given: list[Term] = []
        wishes = []
        for title, literals in as_in(self.rules, state, position.values, position.cells):
            # A switch of its own: another position says something else of the same line.
            self._switches += 1
            wishes.append(switch(position.terms, solver, f"{title} ({self._switches})", literals))
        for g in kept:
            value = state[self.rules.index[g.var.name]]
            for i in g.cells:
                given += position.values.literals(
                    g.var.type, position.cells[g.var.name][i], value[i] if g.var.keys else value
                )
        return self._answer(solver, given, wishes, rlimit)

    def _answer(self, solver: Solver, given: Sequence[Term], wishes: Sequence[Term], rlimit: int) -> Answer:
        answer = Fewest(self.position.terms, solver).check(given, wishes, rlimit)
        self.units = solver.units
        if answer != SAT:
            return Answer(answer, reason=reason_of(solver))
        return self._read(solver)

    def _known(self, args: Sequence[Any]) -> dict[str, Value]:
        """The arguments by name. What lies beyond a list's length may be anything."""
        scalars = self.transition.scalars()
        known = {p.name: value for p, value in zip(scalars, args, strict=True)}
        beyond = {name for name, (length, i) in lengths(self.transition).items() if known[length] <= i}
        return {p.name: self.position.values.first(p.type) if p.name in beyond else known[p.name] for p in scalars}

    def _read(self, solver: Solver) -> Answer:
        model = solver.model()
        args = read_parameters(self.position.values, self.transition, self.args, model)
        return Answer(SAT, self.position.read(model), tuple(args.values()))
