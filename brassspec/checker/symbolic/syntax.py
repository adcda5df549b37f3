"""What expressions of the rule model consist of: their parts, the names and the versions that they read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brassspec.rules import model as m

TYPES = m.Bool | m.Num | m.Sort | m.Option | m.Record | m.Set | m.Seq


@dataclass(frozen=True, slots=True)
class Reads:
    names: frozenset[str] = frozenset()
    versions: frozenset[str] = frozenset()


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
        case m.Some() | m.Get() | m.Exists() | m.Not():
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

    def __init__(self) -> None:
        self._reads: dict[int, Reads] = {}
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
            case m.Filter() | m.Quant() | m.Fold() | m.Pick():
                names -= {expr.var.name}
                if not isinstance(expr.domain, TYPES):
                    names |= self.reads(expr.domain).names
        return Reads(names, versions)
