"""A symbolic position: every variable of the state unknown, in a solver that is kept; queries assume what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from itertools import product
from typing import Any, TypeAlias

from brassspec.checker.symbolic.cone import Cone
from brassspec.checker.symbolic.evaluator import Evaluator, Frame
from brassspec.checker.symbolic.execution import State
from brassspec.checker.symbolic.names import Names
from brassspec.checker.symbolic.numbers import BitVectors, Integers, Numbers
from brassspec.checker.symbolic.solver import Model, Solver
from brassspec.checker.symbolic.syntax import Syntax
from brassspec.checker.symbolic.terms import Bit, Term, Terms
from brassspec.checker.symbolic.values import UNKNOWN, Value, Values
from brassspec.rules import model as m
from brassspec.rules.concrete import InternalError

Args: TypeAlias = Mapping[str, Any] | Sequence[Any]  # scalar parameters by name, or all of them in order

BACKENDS: dict[str, Callable[[Terms], Numbers]] = {"bv": BitVectors, "int": Integers}


def by_name(transition: m.Transition, args: Args) -> Mapping[str, Any]:
    if isinstance(args, Mapping):
        return args
    return {p.name: value for p, value in zip(transition.scalars(), args, strict=True)}


class Unanswered(InternalError):
    """The solver did not answer a question that must have an answer."""


class Position:
    """cone: whether each question gets a solver of its own, with no more than it depends on; what is costly to tell has a name."""

    def __init__(self, model: m.Model, backend: str = "bv", cone: bool = False) -> None:
        self.model = model
        self.backend = backend
        self.terms = Terms()
        self.values = Values(model, self.terms, BACKENDS[backend](self.terms))
        self.solver = Solver(self.terms, backend)
        well_formed: list[Bit] = []
        self.cells: dict[str, list[Value]] = {
            name: [self.values.variable(var.type, self._title(var, key), well_formed) for key in self._keys(var)]
            for name, var in model.state.items()
        }
        self.cone = Cone(self.terms) if cone else None
        self.constrain(well_formed)
        names = Names(self.terms, self.values.numbers, self.cone) if self.cone else None
        self.evaluator = Evaluator(self.values, Syntax(model), dict(self.cells), names)
        self._literals: dict[str, list[dict[Any, list[Term]]]] = {
            name: [{} for _ in cells] for name, cells in self.cells.items()
        }
        self._switches: dict[Bit, Term] = {}
        self._memos: dict[Any, dict[Any, Any]] = {}

    def branch(self, title: str) -> Position:
        """The same position, to go on with by itself: a transition's versions, names and constraints are its own.

        title: with which its names begin.
        """
        assert self.cone is not None
        assert self.evaluator.names is not None
        other = copy(self)
        other.cone = self.cone.branch()
        other.evaluator = self.evaluator.branch(self.evaluator.names.branch(other.cone, title))
        other._memos = {versions: memo.copy() for versions, memo in self._memos.items()}
        return other

    def constrain(self, bits: Iterable[Bit]) -> None:
        """Asserts what holds of all positions and moves."""
        if self.cone:
            self.cone.constrain(bits)
        else:
            self.solver.add(bits)

    def _keys(self, var: m.StateVar) -> Iterable[tuple[Any, ...]]:
        return product(*(self.values.members(t) for t in var.keys))

    def _title(self, var: m.StateVar, key: tuple[Any, ...]) -> str:
        if not key:
            return var.name
        spoken = (
            self.model.sorts[t.name].members[k] if isinstance(t, m.Sort) else str(k)
            for t, k in zip(var.keys, key, strict=True)
        )
        return f"{var.name}[{','.join(spoken)}]"

    def assume(self, state: State) -> list[Term]:
        """What to assume for the position to be this one, as far as it is known."""
        found: list[Term] = []
        for (name, var), value in zip(self.model.state.items(), state, strict=True):
            if value is UNKNOWN:
                continue
            cells = value if var.keys else (value,)
            known = self._literals[name]
            for i, cell in enumerate(cells):
                literals = known[i].get(cell)
                if literals is None:
                    literals = known[i][cell] = self.values.literals(var.type, self.cells[name][i], cell)
                found += literals
        return found

    def read(self, model: Model) -> State:
        return tuple(
            self.whole(var, [self.values.read(var.type, cell, model) for cell in self.cells[name]])
            for name, var in self.model.state.items()
        )

    @staticmethod
    def whole(var: m.StateVar, cells: Sequence[Any]) -> Any:
        """The cells as the value of the variable."""
        return tuple(cells) if var.keys else cells[0]

    def named(self, value: Value, name: str) -> Value:
        """The value by constants, which a model tells."""
        equations: list[Bit] = []
        value = self.values.named(value, name, equations)
        self.solver.add(equations)
        return value

    def switch(self, bit: Bit) -> Term:
        """A literal that is equal to a condition, to assume. What conditions share has one literal, and a negation the
        opposite one: once Z3 has simplified them it may not see that they are the same."""
        terms = self.terms
        if not isinstance(bit, Term) or bit.decl is not None:
            return terms.term(bit)
        if bit.negative:
            return terms.term(terms.not_(self.switch(terms.not_(bit))))
        if bit not in self._switches:
            whole = terms.and_(self.switch(part) for part in bit.conjuncts) if bit.conjuncts else bit
            self._switches[bit] = terms.term(self.named(whole, f"switch {len(self._switches)}"))
        return self._switches[bit]

    def holds(self, condition: m.Expr, names: Mapping[str, Value], versions: Mapping[str, str] | None = None) -> Bit:
        """Whether a condition on the given names and versions (by default the position as it was) holds."""
        memo = self._memos.setdefault(tuple((versions or {}).items()), {})
        return self.evaluator.holds(condition, Frame(dict(names), versions, memo))

    def invariants(self) -> list[m.Expr]:
        return [p.cond for p in self.model.properties if p.kind == "invariant"]
