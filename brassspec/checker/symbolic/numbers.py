"""Bounded whole numbers: a Python int where known, else a Z3 number with the interval in which it lies.

The interval picks the width of a bit-vector, so that no operation can overflow, and decides comparisons that need no
formula. Two backends: bit-vectors built from named bits (for SolverFor("QF_FD")), and Z3's integers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol, TypeAlias

import z3

from brassspec.checker.symbolic import capi
from brassspec.checker.symbolic.terms import Ast, Bit, Term, Terms


@dataclass(frozen=True, slots=True)
class SymNum:
    term: Term
    lo: int
    hi: int


Number: TypeAlias = int | SymNum


class Reader(Protocol):
    """A model of Z3, read by constants."""

    def truth(self, constant: Term) -> bool: ...

    def integer(self, constant: Term) -> int: ...


def bounds(x: Number) -> tuple[int, int]:
    return (x.lo, x.hi) if isinstance(x, SymNum) else (x, x)


class Numbers(ABC):
    """Arithmetic on numbers known and symbolic; what depends on the backend is abstract."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._cases: dict[SymNum, list[tuple[int, Bit]]] = {}

    @abstractmethod
    def variable(self, name: str, lo: int, hi: int) -> SymNum:
        """A new number, made of constants. That it lies in its bounds is for the caller to assert (`proper`)."""

    @abstractmethod
    def is_variable(self, x: SymNum) -> bool: ...

    @abstractmethod
    def constants(self, x: SymNum) -> list[Term]:
        """The constants that a variable is made of."""

    @abstractmethod
    def literals(self, x: SymNum, value: int) -> list[Term]:
        """What to assume for a variable to have the value."""

    @abstractmethod
    def read(self, x: SymNum, model: Reader) -> int:
        """A variable's value in a model."""

    @abstractmethod
    def _fit(self, x: Number, lo: int, hi: int) -> Ast:
        """The number as a Z3 number for the interval; exact if it lies there."""

    @abstractmethod
    def _make(self, op: str, x: Ast, y: Ast) -> Term:
        """x op y for op + - * div; both fit the result."""

    @abstractmethod
    def _less_equal(self, x: Number, y: Number, lo: int, hi: int) -> Term:
        """x <= y, both within lo..hi."""

    def proper(self, x: SymNum) -> Bit:
        """That a variable lies in its bounds."""
        return self.terms.and_((self._less_equal(x.lo, x, x.lo, x.hi), self._less_equal(x, x.hi, x.lo, x.hi)))

    def _arith(self, op: str, x: Number, y: Number, lo: int, hi: int) -> Number:
        if lo == hi:
            return lo
        return SymNum(self._make(op, self._fit(x, lo, hi), self._fit(y, lo, hi)), lo, hi)

    def narrow(self, x: Number, lo: int, hi: int) -> Number:
        """The number, known to lie in the interval."""
        xlo, xhi = bounds(x)
        lo, hi = max(lo, xlo), min(hi, xhi)
        if (lo, hi) == (xlo, xhi) or lo > hi:
            return x
        return lo if lo == hi else SymNum(self.terms.wrap(self._fit(x, lo, hi)), lo, hi)

    def add(self, x: Number, y: Number) -> Number:
        if x == 0:
            return y
        if y == 0:
            return x
        (xlo, xhi), (ylo, yhi) = bounds(x), bounds(y)
        return self._arith("+", x, y, xlo + ylo, xhi + yhi)

    def sub(self, x: Number, y: Number) -> Number:
        if y == 0:
            return x
        (xlo, xhi), (ylo, yhi) = bounds(x), bounds(y)
        return 0 if x == y else self._arith("-", x, y, xlo - yhi, xhi - ylo)

    def mul(self, x: Number, y: Number) -> Number:
        if x == 1:
            return y
        if y == 1:
            return x
        ends = [a * b for a in bounds(x) for b in bounds(y)]
        return self._arith("*", x, y, min(ends), max(ends))

    def div(self, x: Number, by: int) -> Number:
        """Rounded down. The dividend is shifted to be positive, as the backends differ below zero."""
        lo, hi = bounds(x)
        shift = lo // by
        lifted = self.sub(x, shift * by)
        _, top = bounds(lifted)
        if isinstance(lifted, int) or top < by:
            return hi // by
        quotient = self._make("div", self._fit(lifted, 0, top), self._fit(by, 0, top))
        return self.add(self.narrow(SymNum(quotient, 0, top), 0, top // by), shift)

    def mod(self, x: Number, by: int) -> Number:
        return self.narrow(self.sub(x, self.mul(self.div(x, by), by)), 0, by - 1)

    def min(self, x: Number, y: Number) -> Number:
        (xlo, xhi), (ylo, yhi) = bounds(x), bounds(y)
        return self.narrow(self.ite(self.le(x, y), x, y), min(xlo, ylo), min(xhi, yhi))

    def max(self, x: Number, y: Number) -> Number:
        (xlo, xhi), (ylo, yhi) = bounds(x), bounds(y)
        return self.narrow(self.ite(self.le(x, y), y, x), max(xlo, ylo), max(xhi, yhi))

    def le(self, x: Number, y: Number) -> Bit:
        (xlo, xhi), (ylo, yhi) = bounds(x), bounds(y)
        if xhi <= ylo or x == y:
            return True
        if xlo > yhi:
            return False
        return self._less_equal(x, y, min(xlo, ylo), max(xhi, yhi))

    def eq(self, x: Number, y: Number) -> Bit:
        (xlo, xhi), (ylo, yhi) = bounds(x), bounds(y)
        if x == y:
            return True
        if xhi < ylo or yhi < xlo or (isinstance(x, int) and isinstance(y, int)):
            return False
        lo, hi = min(xlo, ylo), max(xhi, yhi)
        return self.terms.apply(capi.mk_eq, self._fit(x, lo, hi), self._fit(y, lo, hi))

    def within(self, x: Number, lo: int, hi: int) -> Bit:
        return self.terms.and_((self.le(lo, x), self.le(x, hi)))

    def ite(self, c: Bit, x: Number, y: Number) -> Number:
        if not isinstance(c, Term):
            return x if c else y
        if x == y:
            return x
        (xlo, xhi), (ylo, yhi) = bounds(x), bounds(y)
        lo, hi = min(xlo, ylo), max(xhi, yhi)
        return SymNum(self.terms.apply(capi.mk_ite, c.ast, self._fit(x, lo, hi), self._fit(y, lo, hi)), lo, hi)

    def select(self, cases: Sequence[tuple[Bit, Number]]) -> Number:
        """The number of the case that holds; the last one where none does."""
        result = cases[-1][1]
        for c, x in reversed(cases[:-1]):
            result = self.ite(c, x, result)
        return result

    def total(self, items: Iterable[Number]) -> Number:
        """The sum, added in pairs, so that widths grow only as they must."""
        known, row = 0, []
        for x in items:
            if isinstance(x, int):
                known += x
            else:
                row.append(x)
        while len(row) > 1:
            pairs: list[Any] = [self.add(x, y) for x, y in zip(row[::2], row[1::2], strict=False)]
            row = pairs + row[len(row) & ~1 :]
        return self.add(row[0], known) if row else known

    def cases(self, x: SymNum) -> list[tuple[int, Bit]]:
        """Each value that the number may have, and whether it has it."""
        if x not in self._cases:
            self._cases[x] = [(value, self.eq(x, value)) for value in range(x.lo, x.hi + 1)]
        return self._cases[x]


class BitVectors(Numbers):
    """Two's complement, in as few bits as the interval needs (none for the sign where nothing is below zero)."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._bits: dict[Term, list[Term]] = {}
        self._numerals: dict[tuple[int, int], Ast] = {}
        self._zero, self._one = self._numeral(0, 1), self._numeral(1, 1)

    @staticmethod
    def _width(lo: int, hi: int) -> int:
        return max(1, hi.bit_length()) if lo >= 0 else max(hi.bit_length(), (-lo - 1).bit_length()) + 1

    def _numeral(self, value: int, width: int) -> Ast:
        key = (value, width)
        if key not in self._numerals:
            sort = z3.BitVecSort(width, self.terms.context)
            ast = capi.mk_unsigned_int64(self.terms.ref, value % (1 << width), sort.ast.value)
            self._numerals[key] = self.terms.wrap(ast).ast
        return self._numerals[key]

    def variable(self, name: str, lo: int, hi: int) -> SymNum:
        """Made of Boolean constants, so that a value can be assumed and read as literals."""
        terms = self.terms
        bits = [terms.constant(f"{name}#{i}") for i in range(self._width(lo, hi))]
        ones = [terms.apply(capi.mk_ite, bit.ast, self._one, self._zero) for bit in bits]
        term = reduce(lambda low, high: terms.apply(capi.mk_concat, high.ast, low.ast), ones)
        self._bits[term] = bits
        return SymNum(term, lo, hi)

    def is_variable(self, x: SymNum) -> bool:
        return x.term in self._bits

    def constants(self, x: SymNum) -> list[Term]:
        return self._bits[x.term]

    def literals(self, x: SymNum, value: int) -> list[Term]:
        return [
            bit if value >> i & 1 else self.terms.term(self.terms.not_(bit)) for i, bit in enumerate(self._bits[x.term])
        ]

    def read(self, x: SymNum, model: Reader) -> int:
        bits = self._bits[x.term]
        value = sum(model.truth(bit) << i for i, bit in enumerate(bits))
        return value - (1 << len(bits)) if x.lo < 0 and value >> (len(bits) - 1) else value

    def _fit(self, x: Number, lo: int, hi: int) -> Ast:
        width = self._width(lo, hi)
        if isinstance(x, int):
            return self._numeral(x, width)
        more = width - self._width(x.lo, x.hi)
        if more == 0:
            return x.term.ast
        if more < 0:
            return self.terms.apply(capi.mk_extract, width - 1, 0, x.term.ast).ast
        return self.terms.apply(capi.mk_zero_ext if x.lo >= 0 else capi.mk_sign_ext, more, x.term.ast).ast

    def _make(self, op: str, x: Ast, y: Ast) -> Term:
        make = {"+": capi.mk_bvadd, "-": capi.mk_bvsub, "*": capi.mk_bvmul, "div": capi.mk_bvudiv}[op]
        return self.terms.apply(make, x, y)

    def _less_equal(self, x: Number, y: Number, lo: int, hi: int) -> Term:
        make = capi.mk_bvule if lo >= 0 else capi.mk_bvsle
        return self.terms.apply(make, self._fit(x, lo, hi), self._fit(y, lo, hi))


class Integers(Numbers):
    """Z3's integers: no widths, linear arithmetic."""

    def variable(self, name: str, lo: int, hi: int) -> SymNum:
        return SymNum(self.terms.constant(name, z3.IntSort(self.terms.context)), lo, hi)

    def is_variable(self, x: SymNum) -> bool:
        return x.term.decl is not None

    def constants(self, x: SymNum) -> list[Term]:
        return [x.term]

    def literals(self, x: SymNum, value: int) -> list[Term]:
        return [self.terms.term(self.eq(x, value))]

    def read(self, x: SymNum, model: Reader) -> int:
        return model.integer(x.term)

    def _fit(self, x: Number, lo: int, hi: int) -> Ast:
        if isinstance(x, SymNum):
            return x.term.ast
        sort = z3.IntSort(self.terms.context)
        return self.terms.wrap(capi.mk_int64(self.terms.ref, x, sort.ast.value)).ast

    def _make(self, op: str, x: Ast, y: Ast) -> Term:
        if op == "div":
            return self.terms.apply(capi.mk_div, x, y)
        make = {"+": capi.mk_add, "-": capi.mk_sub, "*": capi.mk_mul}[op]
        return self.terms.wrap(make(self.terms.ref, 2, capi.array([x, y])))

    def _less_equal(self, x: Number, y: Number, lo: int, hi: int) -> Term:
        return self.terms.apply(capi.mk_le, self._fit(x, lo, hi), self._fit(y, lo, hi))
