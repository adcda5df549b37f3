"""Z3 formulas behind a thin layer: cheap to build, folded where constant, one Python object a formula.

Building formulas in Python costs more than solving them, so terms go straight to the C interface (`capi`). Z3 shares equal
terms; as each is wrapped once, identity is structural equality and terms are good dictionary keys. A term lives as long
as its `Terms`.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import z3

from brassspec.checker.symbolic import capi

Ast: TypeAlias = int  # where Z3 keeps a formula


class Term:
    """A Z3 formula or number. `decl` is there for constants only: by it a model is read. `conjuncts`: of an `and`."""

    __slots__ = ("ast", "conjuncts", "decl", "negation", "negative")

    def __init__(self, ast: Ast) -> None:
        self.ast = ast
        self.decl: int | None = None
        self.conjuncts: tuple[Term, ...] = ()
        self.negation: Term | None = None
        self.negative = False  # whether it is the `not` of its negation


Bit: TypeAlias = bool | Term  # a truth value, known or symbolic


def _release(context: z3.Context, known: dict[int, Term]) -> None:
    """Lets go of the terms one by one: Z3 takes a hundred times as long if the context goes first."""
    ref = context.ref().value
    for ast in known:
        capi.dec_ref(ref, ast)


class Terms:
    """A factory of terms, with a Z3 context of its own."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.ref: int = self.context.ref().value
        self._known: dict[int, Term] = {}
        self._numbered: list[Term] = []  # constants
        self._masks: dict[int, int] = {}  # by formula, the numbers of the constants in it
        self._same: dict[int, int] = {}  # one object for equal masks
        self.spent = 0  # by Z3 so far, in the units of `rlimit`
        weakref.finalize(self, _release, self.context, self._known)
        self._bool = z3.BoolSort(self.context)
        self.true = self.wrap(capi.mk_true(self.ref))
        self.false = self.wrap(capi.mk_false(self.ref))

    def wrap(self, ast: Ast) -> Term:
        term = self._known.get(ast)
        if term is None:
            if not ast:
                capi.failed(self.ref)
            capi.inc_ref(self.ref, ast)
            term = self._known[ast] = Term(ast)
        return term

    def constant(self, name: str, sort: Any = None) -> Term:
        symbol = capi.mk_string_symbol(self.ref, name.encode())
        term = self.wrap(capi.mk_const(self.ref, symbol, (self._bool if sort is None else sort).ast.value))
        if term.decl is None:
            term.decl = capi.get_app_decl(self.ref, term.ast)
            capi.inc_ref(self.ref, term.decl)
        return term

    def term(self, bit: Bit) -> Term:
        return bit if isinstance(bit, Term) else self.true if bit else self.false

    def apply(self, make: Any, *args: Ast) -> Term:
        """A term by one of the functions of Z3's C interface that take a fixed number of terms."""
        return self.wrap(make(self.ref, *args))

    def not_(self, x: Bit) -> Bit:
        if not isinstance(x, Term):
            return not x
        if x.negation is None:
            x.negation = self.wrap(capi.mk_not(self.ref, x.ast))
            x.negation.negation = x
            x.negation.negative = True
        return x.negation

    def and_(self, items: Iterable[Bit]) -> Bit:
        kept: dict[Term | None, None] = {}
        for x in items:
            if x is True:
                continue
            if x is False or not isinstance(x, Term) or x.negation in kept:
                return False
            kept[x] = None
        if not kept:
            return True
        term = self._many(capi.mk_and, kept)
        if len(kept) > 1 and not term.conjuncts:
            term.conjuncts = tuple(part for x in kept if x for part in x.conjuncts or (x,))
        return term

    @staticmethod
    def parts(bit: Bit) -> tuple[Bit, ...]:
        """What a condition is a conjunction of."""
        return bit.conjuncts if isinstance(bit, Term) and bit.conjuncts else (bit,)

    def or_(self, items: Iterable[Bit]) -> Bit:
        kept: dict[Term | None, None] = {}
        for x in items:
            if x is False:
                continue
            if x is True or not isinstance(x, Term) or x.negation in kept:
                return True
            kept[x] = None
        return self._many(capi.mk_or, kept) if kept else False

    def _many(self, make: Any, items: dict[Any, None]) -> Term:
        if len(items) == 1:
            only: Term = next(iter(items))
            return only
        return self.wrap(make(self.ref, len(items), capi.array([x.ast for x in items])))

    def key(self, term: Term) -> int:
        """A number that the same formula has in every run. Others may have it, too."""
        return int(capi.get_ast_hash(self.ref, term.ast))

    def constants(self, root: Term) -> Iterator[Term]:
        """The constants in a term, each once."""
        return self.numbered(self.mask(root))

    def numbered(self, mask: int) -> Iterator[Term]:
        """The constants that the bits of a number stand for."""
        while mask:
            lowest = mask & -mask
            yield self._numbered[lowest.bit_length() - 1]
            mask ^= lowest

    def mask(self, root: Term) -> int:
        """The constants in a term, as a number with a bit for each."""
        found = self._masks.get(root.ast)
        return self._walked(root.ast) if found is None else found

    def _walked(self, root: Ast) -> int:
        """As `mask`. What terms share, as paths in a graph do, is walked once."""
        masks, ref = self._masks, self.ref
        todo = [root]
        while todo:
            ast = todo[-1]
            if ast in masks:
                todo.pop()
                continue
            parts = [capi.get_app_arg(ref, ast, i) for i in range(capi.get_app_num_args(ref, ast))]
            left = [part for part in parts if part not in masks]
            if left:
                todo += left
                continue
            todo.pop()
            mask = 0
            for part in parts:
                mask |= masks[part]
            if not parts and (term := self._known.get(ast)) is not None and term.decl is not None:
                mask = 1 << len(self._numbered)
                self._numbered.append(term)
            masks[ast] = self._same.setdefault(mask, mask)
        return masks[root]

    def implies(self, x: Bit, y: Bit) -> Bit:
        return self.or_((self.not_(x), y))

    def iff(self, x: Bit, y: Bit) -> Bit:
        if x is y:
            return True
        if not isinstance(x, Term):
            return y if x else self.not_(y)
        if not isinstance(y, Term):
            return x if y else self.not_(x)
        if x.negation is y:
            return False
        return self.wrap(capi.mk_eq(self.ref, x.ast, y.ast))

    def ite(self, c: Bit, x: Bit, y: Bit) -> Bit:
        if not isinstance(c, Term):
            return x if c else y
        if x is y:
            return x
        if not isinstance(x, Term):
            return self.or_((c, y)) if x else self.and_((self.not_(c), y))
        if not isinstance(y, Term):
            return self.or_((self.not_(c), x)) if y else self.and_((c, x))
        return self.wrap(capi.mk_ite(self.ref, c.ast, x.ast, y.ast))
