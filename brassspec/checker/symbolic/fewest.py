"""Models that are as like a known position as may be: as few as possible of some wishes are not fulfilled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from brassspec.checker.symbolic.solver import UNKNOWN, UNSAT, Solver
from brassspec.checker.symbolic.terms import Bit, Term, Terms
from brassspec.checker.symbolic.values import Value, Values
from brassspec.rules.codec import Codec
from brassspec.rules.concrete import Rules, State
from brassspec.rules.spoken import Speaker

CORE_RLIMIT = 500_000  # to make a core smaller


def as_in(
    rules: Rules, state: State, values: Values, cells: Mapping[str, Sequence[Value]]
) -> Iterator[tuple[str, list[Term]]]:
    """For each line that a scenario may state a title, and what holds where it is as in a known position."""
    speaker = Speaker(Codec(rules))
    for given in speaker.givens:
        var = given.var
        known = zip(given.cells, speaker.value(state, given), strict=True)
        literals = [x for i, value in known for x in values.literals(var.type, cells[var.name][i], value)]
        if literals:
            yield f"as it is: {var.name} {given.cells[0]}", literals


def switch(terms: Terms, solver: Solver, title: str, literals: Sequence[Term]) -> Term:
    """A literal to wish for, by which all these hold."""
    if len(literals) == 1:
        return literals[0]
    wish = terms.constant(title)
    solver.add([terms.implies(wish, terms.and_(literals))])
    return wish


def reason_of(solver: Solver) -> str:
    """Why there was no answer."""
    limit = not solver.reason or "canceled" in solver.reason
    return "the limit of solver units was reached" if limit else solver.reason


class Fewest:
    """A model in which as few wishes as possible are not fulfilled.

    It is come to from below: a core of wishes that can't all be fulfilled costs one of them, whichever that is, and from then
    on stands for wishes that at most one is missed, at most two, and so on (the algorithm PMRES of MaxSAT solvers). So Z3 is
    only asked about positions that are all but known, which is what it is quick at.
    """

    def __init__(self, terms: Terms, solver: Solver) -> None:
        self.terms = terms
        self.solver = solver

    def check(self, given: Sequence[Term], wishes: Sequence[Term], rlimit: int) -> str:
        """ "sat" with the model, "unsat" if what is given has none, or "unknown"."""
        left = dict.fromkeys(wishes)
        rest = rlimit
        most: int | None = None
        while rest > 0:
            answer = self.solver.check([*given, *left], rest)
            if answer != UNSAT:
                return answer
            most = self.solver.units + rlimit if most is None else most
            rest = most - self.solver.units
            core = self._small(given, left)
            if not core:
                return UNSAT
            for wish in core:
                del left[wish]
            left.update(dict.fromkeys(self._instead(given, core)))
        return UNKNOWN

    def _small(self, given: Sequence[Term], left: Iterable[Term]) -> list[Term]:
        """The wishes of a core, asked for again while that makes it smaller."""
        found = self.solver.core()
        core = [wish for wish in left if wish in found]
        while len(core) > 1:
            if self.solver.check([*given, *core], CORE_RLIMIT) != UNSAT:
                break
            found = self.solver.core()
            smaller = [wish for wish in reversed(core) if wish in found]
            if len(smaller) == len(core):
                break
            core = smaller
        return core

    def _instead(self, given: Sequence[Term], core: Sequence[Term]) -> Iterator[Term]:
        """Adds that, under what is given, one of the wishes is missed; gives wishes that no more are."""
        terms, solver = self.terms, self.solver
        solver.add([terms.or_(terms.not_(x) for x in (*given, *core))])
        before: Bit = core[0]
        for i, wish in enumerate(core[1:]):
            name = f"missed {len(solver.asserted)} {i}"
            instead = terms.constant(name)
            solver.add([terms.implies(instead, terms.or_((wish, before)))])
            yield instead
            both = terms.constant(f"{name} before")
            solver.add([terms.implies(both, terms.and_((wish, before)))])
            before = both
