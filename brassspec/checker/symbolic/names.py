"""Names for what is costly to tell: a proof may do without their definitions, which are made when they are asked for.

What is proved with a value left open holds whatever it is. So sums and paths, of which most proofs need nothing but that
they are what they were before, get a name each; only where a counterexample turns up it is asked what they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable

from brassspec.checker.symbolic.cone import Cone
from brassspec.checker.symbolic.numbers import Number, Numbers, SymNum
from brassspec.checker.symbolic.terms import Bit, Term, Terms
from brassspec.checker.symbolic.values import Maybe, OneHot, SymSet, Value

SMALL = 3  # sums of no more unknown terms are left as they are


class Names:
    """title: with which each name begins, another for each branch, so that no two things have one name."""

    def __init__(self, terms: Terms, numbers: Numbers, cone: Cone, title: str = "") -> None:
        self._terms = terms
        self._title = title
        self._numbers = numbers
        self._cone = cone
        self._named: dict[Hashable, Bit | SymNum] = {}
        self._one_hots: dict[OneHot, OneHot] = {}
        self._taken: set[str] = set()

    def branch(self, cone: Cone, title: str) -> Names:
        """Others that begin with these names. Those to come are defined in `cone`."""
        other = Names(self._terms, self._numbers, cone, title)
        other._named, other._one_hots, other._taken = self._named.copy(), self._one_hots.copy(), self._taken.copy()
        return other

    def _new(self, key: Hashable) -> str:
        """A name for what has the key. It follows from what it names, so that it is the same in every run."""
        name = f"{self._title} {zlib.crc32(repr(self._plain(key)).encode()):08x}"
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name

    def _plain(self, key: object) -> object:
        match key:
            case Term():
                return self._terms.key(key)
            case SymNum():
                return self._terms.key(key.term)
            case OneHot() | SymSet():
                return [(k, self._plain(bit)) for k, bit in key.bits.items()]
            case Maybe():
                return self._plain((key.present, key.inner))
            case tuple():
                return [self._plain(part) for part in key]
            case type():
                return key.__name__
        return key

    def total(self, summands: list[Number]) -> Number:
        """The sum of the numbers, by a name where it is long."""
        total = self._numbers.total(summands)
        if not isinstance(total, SymNum) or sum(isinstance(x, SymNum) for x in summands) <= SMALL:
            return total
        return self.number(total, total.lo, total.hi, lambda: total)

    def number(self, key: Hashable, lo: int, hi: int, define: Callable[[], Number]) -> SymNum:
        """A number within bounds, known by `key`."""
        if key not in self._named:
            number = self._numbers.variable(self._new(key), lo, hi)
            self._named[key] = number
            self._cone.constrain([self._numbers.proper(number)])
            self._cone.define(self._numbers.constants(number), lambda: self._numbers.eq(number, define()))
        found = self._named[key]
        assert isinstance(found, SymNum)
        return found

    def value(self, value: Value) -> Value:
        """The value with a name for each formula in it."""
        match value:
            case Term():
                return (
                    value if value.decl or (value.negation and value.negation.decl) else self.bit(value, lambda: value)
                )
            case SymNum():
                if self._numbers.is_variable(value):
                    return value
                return self.number(value, value.lo, value.hi, lambda: value)
            case OneHot():
                if value not in self._one_hots:
                    self._one_hots[value] = OneHot({k: self.value(b) for k, b in value.bits.items()})
                return self._one_hots[value]
            case Maybe():
                return Maybe(self.value(value.present), self.value(value.inner))
            case tuple():
                return tuple(self.value(part) for part in value)
        return value

    def bit(self, key: Hashable, define: Callable[[], Bit]) -> Bit:
        if key not in self._named:
            bit = self._terms.constant(self._new(key))
            self._named[key] = bit
            self._cone.define([bit], lambda: self._terms.iff(bit, define()))
        found = self._named[key]
        assert isinstance(found, Term)
        return found
