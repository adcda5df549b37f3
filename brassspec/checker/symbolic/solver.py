"""A Z3 solver that is kept, asked under assumptions, and never believed beyond what it says."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import z3

from brassspec.checker.symbolic import capi
from brassspec.checker.symbolic.terms import Bit, Term, Terms

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"
ANSWERS = {z3.Z3_L_TRUE: SAT, z3.Z3_L_FALSE: UNSAT, z3.Z3_L_UNDEF: UNKNOWN}


class Model:
    """A model, read by constants. What Z3 left open is false, or 0."""

    def __init__(self, terms: Terms, model: Any) -> None:
        self._ref = terms.ref
        self._true = terms.true.ast
        self._model = model  # keeps it alive
        self._at: int = model.model.value

    def _interpretation(self, constant: Term) -> Any:
        return capi.model_get_const_interp(self._ref, self._at, constant.decl)

    def truth(self, constant: Term) -> bool:
        return bool(self._interpretation(constant) == self._true)

    def satisfies(self, term: Term) -> bool:
        """Whether a condition holds in the model. What the model leaves open is false, or 0."""
        value = ctypes.c_void_p()
        done = capi.model_eval(self._ref, self._at, term.ast, True, ctypes.byref(value))
        return bool(done and value.value == self._true)

    def integer(self, constant: Term) -> int:
        ast = self._interpretation(constant)
        return int(capi.get_numeral_string(self._ref, ast)) if ast else 0


def _assert(terms: Terms, solver: z3.Solver, conditions: Iterable[Term]) -> None:
    for condition in conditions:
        capi.solver_assert(terms.ref, solver.solver.value, condition.ast)
        if capi.get_error_code(terms.ref):
            capi.failed(terms.ref)


class Solver:
    def __init__(self, terms: Terms, backend: str) -> None:
        self._terms = terms
        self._solver = z3.SolverFor("QF_FD", ctx=terms.context) if backend == "bv" else z3.Solver(ctx=terms.context)
        self._solver.set("random_seed", 0)
        self._asserted: list[Term] = []
        self._marks: list[int] = []
        self._rlimit: int | None = None
        self.reason = ""
        self.units = 0  # what Z3 has done so far, in the units of `rlimit`

    def add(self, bits: Iterable[Bit]) -> None:
        new = [self._terms.term(bit) for bit in bits if bit is not True]
        self._asserted += new
        _assert(self._terms, self._solver, new)

    def push(self) -> None:
        """What is added from here on can be taken back."""
        self._marks.append(len(self._asserted))
        self._solver.push()

    def pop(self) -> None:
        """Takes back what was added since the last `push`."""
        del self._asserted[self._marks.pop() :]
        self._solver.pop()

    @property
    def asserted(self) -> tuple[Term, ...]:
        """What was added so far."""
        return tuple(self._asserted)

    def check(self, assumptions: Sequence[Term], rlimit: int = 0) -> str:
        """ "sat", "unsat" or "unknown" (then `reason` says why). `rlimit` bounds Z3's work, 0 doesn't."""
        if rlimit != self._rlimit:
            self._solver.set("rlimit", rlimit)
            self._rlimit = rlimit
        code = capi.solver_check_assumptions(
            self._terms.ref, self._solver.solver.value, len(assumptions), capi.array([x.ast for x in assumptions])
        )
        if capi.get_error_code(self._terms.ref):
            capi.failed(self._terms.ref)
        answer = ANSWERS[code]
        spent = int(self._solver.statistics().get_key_value("rlimit count"))  # for all solvers of these terms
        self.units += spent - self._terms.spent
        self._terms.spent = spent
        # The first line says it; Z3 may list thousands of functions that it had no time to look at.
        self.reason = self._solver.reason_unknown().partition("\n")[0] if answer == UNKNOWN else ""
        return answer

    def model(self) -> Model:
        return Model(self._terms, self._solver.model())

    def core(self) -> set[Term]:
        """Of the last assumptions those by which there is no model."""
        return {self._terms.wrap(ast.as_ast().value) for ast in self._solver.unsat_core()}

    def smt2(self, assumptions: Iterable[Term]) -> str:
        """The query as SMT-LIB text. From a plain solver: one for finite domains prints nothing."""
        plain = z3.Solver(ctx=self._terms.context)
        _assert(self._terms, plain, [*self._asserted, *assumptions])
        return str(plain.to_smt2())
