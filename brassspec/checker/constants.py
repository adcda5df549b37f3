"""What is always the same in a model: the chapters that editions share ask which edition it is, by definitions that are constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from brassspec.rules import model as m

TRUE = m.Const(m.Bool(), True)
FALSE = m.Const(m.Bool(), False)

EXPRESSIONS = m.Expr.__args__

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Constants:
    """Replaces what is constant by its value (of definitions, yes or no); what stays the same under that is the same rule."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self._defines: dict[str, m.Const | None] = {}
        self._lets: dict[str, dict[str, m.Const]] = {}

    def live(self, t: m.Transition) -> Iterator[tuple[int, m.Node]]:
        """The nodes of a transition that can ever count, with their numbers."""
        lets = self.lets(t)
        if self.fold(t.when, lets) == FALSE:
            return
        for i, n in enumerate(t.nodes):
            if n.guard is None or self.fold(n.guard, lets) != FALSE:
                yield i, n

    def lets(self, t: m.Transition) -> Mapping[str, m.Const]:
        """The names of a transition that always have one value."""
        found = self._lets.get(t.name)
        if found is None:
            found = self._lets[t.name] = {}
            for n in t.nodes:
                if isinstance(n, m.Let):
                    never = n.guard is not None and self.fold(n.guard, found) == FALSE
                    value = FALSE if never and isinstance(n.expr.type, m.Bool) else self.fold(n.expr, found)
                    always = n.guard is None or self.fold(n.guard, found) == TRUE
                    if isinstance(value, m.Const) and (always or value == FALSE):
                        found[n.name] = value
        return found

    def fold(self, e: Any, lets: Mapping[str, m.Const]) -> Any:
        """An expression (or statement) with what is constant in it replaced."""
        changes = {}
        for f in fields(e):
            value = getattr(e, f.name)
            if f.name in ("type", "var", "written"):
                continue
            if isinstance(value, EXPRESSIONS):
                changes[f.name] = self.fold(value, lets)
            elif isinstance(value, tuple) and any(isinstance(x, EXPRESSIONS) for x in value):
                changes[f.name] = tuple(self.fold(x, lets) if isinstance(x, EXPRESSIONS) else x for x in value)
        e = replace(e, **changes) if changes else e
        match e:
            case m.Var():
                return lets.get(e.name, e)
            case m.Call() if isinstance(e.type, m.Bool) and all(isinstance(a, m.Var | m.Const) for a in e.args):
                return self._define(e.define) or e
            case m.Not(inner=m.Const(value=value)):
                return FALSE if value else TRUE
            case m.And() | m.Or():
                return _fold_items(e)
            case m.Compare(op=op, left=m.Const(value=left), right=m.Const(value=right)):
                return TRUE if _COMPARE[op](left, right) else FALSE
            case m.If(cond=m.Const(value=value)):
                return e.then if value else e.other
        return e

    def _define(self, name: str) -> m.Const | None:
        if name not in self._defines:
            value = self.fold(self.model.defines[name].body, {})
            self._defines[name] = value if isinstance(value, m.Const) else None
        return self._defines[name]


def _fold_items(e: m.And | m.Or) -> m.Expr:
    neutral, deciding = (TRUE, FALSE) if isinstance(e, m.And) else (FALSE, TRUE)
    items = tuple(i for i in e.items if i != neutral)
    if deciding in items:
        return deciding
    return neutral if not items else items[0] if len(items) == 1 else replace(e, items=items)
