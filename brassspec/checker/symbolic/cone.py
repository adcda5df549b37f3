"""The cone of a question: the constraints on those constants that it depends on. The rest of a position can't matter to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from brassspec.checker.symbolic.terms import Bit, Term, Terms


class Cone:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._constraints: dict[Term, tuple[Term, ...]] = {}
        self._definitions: dict[Term, Callable[[], Term]] = {}

    def branch(self) -> Cone:
        """Another that begins with all that is noted here."""
        other = Cone(self._terms)
        other._constraints = self._constraints.copy()
        other._definitions = self._definitions.copy()
        return other

    def constrain(self, bits: Iterable[Bit]) -> None:
        """Notes what always holds of the constants in the conditions."""
        for bit in bits:
            if bit is not True:
                term = self._terms.term(bit)
                for constant in self._terms.constants(term):
                    self._constraints[constant] = (*self._constraints.get(constant, ()), term)

    def define(self, constants: Iterable[Term], definition: Callable[[], Bit]) -> None:
        """Notes what says which values these constants have. It is made when it is first asked for."""
        once = cache(lambda: self._terms.term(definition()))
        for constant in constants:
            self._definitions[constant] = once

    def everything(self) -> list[Term]:
        """All constraints: with them a model is a position and a move in full."""
        return list(dict.fromkeys(term for terms in self._constraints.values() for term in terms))

    def reach(self, terms: Iterable[Term]) -> Reach:
        found = Reach(self._terms, self._constraints, self._definitions)
        for term in terms:
            found.add(term)
        return found


class Reach:
    """Some conditions with all constraints that they depend on. To go by what names stand for is left to the caller."""

    def __init__(
        self, terms: Terms, constraints: dict[Term, tuple[Term, ...]], definitions: dict[Term, Callable[[], Term]]
    ) -> None:
        self._terms = terms
        self._constraints = constraints
        self._definitions = definitions
        self.found: dict[Term, None] = {}
        self._constants = 0  # a bit for each that is there
        self._named: list[Callable[[], Term]] = []  # what those of them stand for that are names
        self._meanings: dict[Term, None] = {}  # of them, those that were asked for

    def add(self, term: Term) -> None:
        todo = [term]
        while todo:
            term = todo.pop()
            if term in self.found:
                continue
            self.found[term] = None
            new = self._terms.mask(term) & ~self._constants
            self._constants |= new
            for constant in self._terms.numbered(new):
                todo += self._constraints.get(constant, ())
                if constant in self._definitions:
                    self._named.append(self._definitions[constant])

    def new(self, term: Term) -> int:
        """How many constants a condition would bring in."""
        return (self._terms.mask(term) & ~self._constants).bit_count()

    def touched(self, terms: Iterable[Term]) -> Iterator[Term]:
        """Those of some conditions that are about a constant that is there."""
        return (t for t in terms if self._terms.mask(t) & self._constants)

    def definitions(self) -> list[Term]:
        """What the names that are there stand for."""
        self._meanings.update((define(), None) for define in self._named)
        self._named.clear()
        return [*self._meanings]

    def close(self) -> None:
        """Goes by all that names stand for."""
        while definitions := [d for d in self.definitions() if d not in self.found]:
            for definition in definitions:
                self.add(definition)
