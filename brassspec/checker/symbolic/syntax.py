"""What expressions of the rule model consist of: their parts, the names and the versions that they read."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from brassspec.rules import model as m

TYPES = m.Bool | m.Num | m.Sort | m.Option | m.Record | m.Set | m.Seq


@dataclass(frozen=True, slots=True)
class Reads:
    names: frozenset[str] = frozenset()
    versions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """The only keys at which the terms of a sum read a version; the one at `index` is the bound variable."""

    keys: tuple[m.Expr, ...]
    index: int


def parts(expr: m.Expr) -> Iterator[m.Expr]:
    """What the value of an expression is made from. A bound variable is none of it."""
    match expr:
        case m.Const() | m.Var():
            return
        case m.Read() | m.Lookup():
            yield from expr.keys
        case m.Field():
            yield expr.record
        case m.Make():
            yield from expr.values
        case m.With():
            yield from (expr.record, expr.value)
        case m.Some() | m.Get() | m.Exists() | m.Not() | m.After():
            yield expr.inner
        case m.And() | m.Or() | m.SetOf():
            yield from expr.items
        case m.Compare() | m.Arith() | m.Connected() | m.Distance():
            yield from (expr.left, expr.right)
        case m.If():
            yield from (expr.cond, expr.then, expr.other)
        case m.In():
            yield from (expr.item, expr.set)
        case m.Call():
            yield from expr.args
        case m.Filter() | m.Pick() | m.Quant() | m.Fold():
            if not isinstance(expr.domain, TYPES):
                yield expr.domain
            if isinstance(expr, m.Quant):
                yield expr.body
            else:
                yield expr.cond
            if isinstance(expr, m.Fold):
                yield expr.body


class Syntax:
    """What expressions read, found once. They are known by identity, and kept so that this stays sound."""

    def __init__(self, model: m.Model) -> None:
        self._model = model
        self._reads: dict[int, Reads] = {}
        self._digests: dict[int, int] = {}
        self._digested: dict[int, str] = {}
        self._narrowed: dict[int, tuple[m.Domain, m.Expr]] = {}
        self._places: dict[tuple[int, str], Place | None] = {}
        self._kept: list[m.Expr] = []

    def reads(self, expr: m.Expr) -> Reads:
        """The free names, and the versions by the names that they have in the expression."""
        found = self._reads.get(id(expr))
        if found is None:
            self._kept.append(expr)
            found = self._reads[id(expr)] = self._find_reads(expr)
        return found

    def _find_reads(self, expr: m.Expr) -> Reads:
        below = [self.reads(part) for part in parts(expr)]
        names = frozenset().union(*(r.names for r in below))
        versions = frozenset().union(*(r.versions for r in below))
        match expr:
            case m.Var():
                names |= {expr.name}
            case m.Read():
                versions |= {expr.version}
            case m.Call() | m.Connected() | m.Distance():
                versions |= set(expr.versions)
            case m.After():
                versions = frozenset()  # it names the versions of another position
            case m.Filter() | m.Quant() | m.Fold() | m.Pick():
                names -= {expr.var.name}
                if not isinstance(expr.domain, TYPES):
                    names |= self.reads(expr.domain).names
        return Reads(names, versions)

    def digest(self, expr: m.Expr) -> int:
        """A number that equal expressions have, in every run the same, and no others."""
        if id(expr) not in self._digests:
            self._kept.append(expr)
            text = repr(expr)
            number = zlib.crc32(text.encode())
            while self._digested.setdefault(number, text) != text:
                number += 1
            self._digests[id(expr)] = number
        return self._digests[id(expr)]

    def narrowed(self, expr: m.Filter | m.Pick | m.Fold) -> tuple[m.Domain, m.Expr]:
        """The domain and condition, with `x in Type where x in set and ...` as `x in set where ...`: the set may be small."""
        if id(expr) not in self._narrowed:
            self._kept.append(expr)
            self._narrowed[id(expr)] = self._narrow(expr)
        return self._narrowed[id(expr)]

    def _narrow(self, expr: m.Filter | m.Pick | m.Fold) -> tuple[m.Domain, m.Expr]:
        domain = expr.domain
        items = expr.cond.items if isinstance(expr.cond, m.And) else (expr.cond,)
        for item in items if isinstance(domain, TYPES) else ():
            if not isinstance(item, m.In) or item.item != expr.var or expr.var.name in self.reads(item.set).names:
                continue
            if isinstance(item.set.type, m.Set) and item.set.type.inner == domain:
                return item.set, m.And(tuple(other for other in items if other is not item))
        return domain, expr.cond

    def place(self, fold: m.Fold | m.Quant, version: str) -> Place | None:
        """Where each term of a sum (or case of a quantifier) reads a version, if that is in the term's own place only."""
        key = (id(fold), version)
        if key not in self._places:
            self._kept.append(fold)
            self._places[key] = self._find_place(fold, version)
        return self._places[key]

    def _find_place(self, fold: m.Fold | m.Quant, version: str) -> Place | None:
        if not isinstance(fold.domain, TYPES):
            return None
        terms = (fold.body,) if isinstance(fold, m.Quant) else (fold.cond, fold.body)
        found = [self._keys(expr, version) for expr in terms]
        places = set().union(*(keys for keys in found if keys))
        if None in found or len(places) != 1:
            return None
        keys = places.pop()
        own = [i for i, key in enumerate(keys) if key == fold.var]
        others = [self.reads(key) for key in keys if key != fold.var]
        free = self.reads(fold).names
        if len(own) != 1 or any(version in r.versions or not r.names <= free for r in others):
            return None
        return Place(keys, own[0])

    def _keys(self, expr: m.Expr, version: str) -> set[tuple[m.Expr, ...]] | None:
        """The keys at which an expression reads a version; None if that can't be told."""
        if version not in self.reads(expr).versions:
            return set()
        found: set[tuple[m.Expr, ...]] = set()
        for part in parts(expr):
            keys = self._keys(part, version)
            if keys is None:
                return None
            found |= keys
        if isinstance(expr, m.Read) and expr.version == version:
            return found | {expr.keys}
        if isinstance(expr, m.Connected | m.Distance) and version in expr.versions:
            return None
        if isinstance(expr, m.Call) and version in expr.versions:
            define = self._model.defines[expr.define]
            inner = self._keys(define.body, define.reads[expr.versions.index(version)])
            args: dict[m.Expr, m.Expr] = dict(zip(define.params, expr.args, strict=True))
            if inner is None or any(key not in args for keys in inner for key in keys):
                return None
            return found | {tuple(args[key] for key in keys) for keys in inner}
        return found
