"""The cone of a question: the constraints on those constants that it depends on. The rest of a position can't matter to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from brassspec.checker.symbolic.terms import Bit, Term, Terms


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name stands for. title: the first constant of the name."""

    title: Term
    make: Callable[[], Term]


class Cone:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._constraints: dict[Term, tuple[Term, ...]] = {}
        self._definitions: dict[Term, Definition] = {}
        self._titles: dict[Term, Term] = {}  # of definitions that were made

    def branch(self) -> Cone:
        """Another that begins with all that is noted here."""
        other = Cone(self._terms)
        other._constraints = self._constraints.copy()
        other._definitions = self._definitions.copy()
        other._titles = self._titles
        return other

    def constrain(self, bits: Iterable[Bit]) -> None:
        """Notes what always holds of the constants in the conditions."""
        for bit in bits:
            if bit is not True:
                term = self._terms.term(bit)
                for constant in self._terms.constants(term):
                    self._constraints[constant] = (*self._constraints.get(constant, ()), term)

    def define(self, constants: Sequence[Term], definition: Callable[[], Bit]) -> None:
        """Notes what says which values these constants have. It is made when it is first asked for."""

        def make() -> Term:
            made = self._terms.term(definition())
            self._titles[made] = constants[0]
            return made

        named = Definition(constants[0], cache(make))
        for constant in constants:
            self._definitions[constant] = named

    def title(self, condition: Term) -> Term:
        """What a condition is known by: a definition by the first constant that it defines, so that it need not be made for that."""
        return self._titles.get(condition, condition)

    def everything(self) -> list[Term]:
        """All constraints: with them a model is a position and a move in full."""
        return list(dict.fromkeys(term for terms in self._constraints.values() for term in terms))

    def among(self, terms: Iterable[Term], wanted: Callable[[Term], bool]) -> list[Term]:
        """Some conditions with those constraints and definitions that they depend on whose titles are wanted."""
        found: dict[Term, None] = {}
        constants = 0
        todo = [*terms]
        while todo:
            term = todo.pop()
            if term in found:
                continue
            found[term] = None
            mask = self._terms.mask(term)
            for constant in self._terms.numbered(mask & ~constants):
                todo += filter(wanted, self._constraints.get(constant, ()))
                named = self._definitions.get(constant)
                if named and wanted(named.title):
                    todo.append(named.make())
            constants |= mask
        return [*found]

    def reach(self, terms: Iterable[Term]) -> Reach:
        found = Reach(self._terms, self._constraints, self._definitions)
        for term in terms:
            found.add(term)
        return found


class Reach:
    """Some conditions with all constraints that they depend on. To go by what names stand for is left to the caller."""

    def __init__(
        self, terms: Terms, constraints: dict[Term, tuple[Term, ...]], definitions: dict[Term, Definition]
    ) -> None:
        self._terms = terms
        self._constraints = constraints
        self._definitions = definitions
        self.found: dict[Term, None] = {}
        self._constants = 0  # a bit for each that is there
        self._named: list[Definition] = []  # what those of them stand for that are names
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
        self._meanings.update((named.make(), None) for named in self._named)
        self._named.clear()
        return [*self._meanings]

    def close(self) -> None:
        """Goes by all that names stand for."""
        while definitions := [d for d in self.definitions() if d not in self.found]:
            for definition in definitions:
                self.add(definition)
