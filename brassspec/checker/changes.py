"""The small changes of one expression or figure that a slip of the pen would make. See mutants.py for their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from brassspec.checker.constants import EXPRESSIONS, TRUE
from brassspec.checker.wording import word
from brassspec.rules import model as m
from brassspec.rules.compile import reached

# A path leads from an expression to a part of it: (field, index or None).
Path: TypeAlias = tuple[tuple[str, int | None], ...]

_CLOSED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


@dataclass(frozen=True, slots=True)
class Change:
    """One way to change an expression. `figure`: the constant that is changed, where it is one."""

    kind: str
    words: str
    new: Any
    figure: Any = None


def parts_of(e: Any, only: Iterable[str] | None = None) -> Iterator[tuple[Path, Any]]:
    """All expressions within an expression or root (a bound variable is none), each with the way to it."""
    names = [f.name for f in fields(e) if f.name not in ("type", "var")] if only is None else only
    if isinstance(e, m.Fold) and e.kind == "count":
        names = ("domain", "cond")  # the 1 that is counted is not written
    for name in names:
        value = getattr(e, name)
        for i, item in enumerate(value) if isinstance(value, tuple) else [(None, value)]:
            if isinstance(item, EXPRESSIONS):
                step = (name, i)
                yield (step,), item
                yield from (((step, *path), part) for path, part in parts_of(item))


def changes(model: m.Model, e: Any, above: Any, players: frozenset[str]) -> Iterator[Change]:
    """The changes of one expression; `above` is what it stands in."""

    def w(part: Any) -> str:
        return word(model, part)

    within = w(above)
    if isinstance(e, m.And | m.Or):
        for i, item in enumerate(e.items):
            rest = e.items[:i] + e.items[i + 1 :]
            new = rest[0] if len(rest) == 1 else replace(e, items=rest)
            if rest:
                yield Change("weaken", f"`{w(item)}` is left out of `{w(e)}`", new)
    if isinstance(e, m.Compare):
        if e.op in _CLOSED:
            yield Change("off_by_one", f"`{_CLOSED[e.op]}` for `{e.op}` in `{w(e)}`", replace(e, op=_CLOSED[e.op]))
        if _by_distance(model, e.left) or _by_distance(model, e.right):
            yield Change("nearest_to_any", f"`{w(e)}` is always so", TRUE)
        sides = [side.inner if isinstance(side, m.Some | m.Get) else side for side in (e.left, e.right)]
        if e.op in ("=", "!=") and any(isinstance(side, m.Var) and side.name in players for side in sides):
            yield Change("own_to_any", f"`{w(e)}` is always so", TRUE)
    if isinstance(e, m.In) and isinstance(e.set, m.Call) and _by_distance(model, e.set):
        yield Change("nearest_to_any", f"`{w(e)}` is always so", TRUE)
    if isinstance(e, m.Const) and isinstance(e.type, m.Num):
        n = e.value + 1
        new = m.Const(replace(e.type, lo=n, hi=n), n)
        yield Change("off_by_one", f"{n} for {e.value} in `{within}`", new, e.value)
    if isinstance(e, m.Const) and isinstance(e.type, m.Sort) and len(model.sorts[e.type.name].members) == 2:
        new = replace(e, value=1 - e.value)
        yield Change("swap", f"{w(new)} for {w(e)} in `{within}`", new, e.value)
    domain = getattr(e, "domain", None)
    if isinstance(domain, m.Num):
        for end, narrow in narrower(domain):
            yield Change("off_by_one", f"without the {end} of {domain} in `{w(e)}`", replace(e, domain=narrow))


def narrower(t: m.Num) -> Iterator[tuple[str, m.Num]]:
    """A range without its first and without its last number."""
    if t.hi > t.lo:
        yield "first", replace(t, lo=t.lo + 1)
        yield "last", replace(t, hi=t.hi - 1)


def _by_distance(model: m.Model, e: Any) -> bool:
    """Whether a value, or a definition that it asks for, speaks of distances."""
    return any(isinstance(part, m.Distance) for part in reached(model, e))


def other_value(model: m.Model, value: Any, t: m.Type) -> tuple[Any] | None:
    """Another value of a type: the next number; the first member that a set lacks added, or the last one left out; the last member
    of a sort, or the first. None where there is no other."""
    if isinstance(t, m.Set):
        inner = model.values(t.inner)
        missing = [v for v in inner if v not in value]
        return (frozenset([*value, missing[0]]) if missing else frozenset(v for v in value if v != inner[-1]),)
    values = model.values(t)
    if len(values) < 2:
        return None
    if isinstance(t, m.Num):
        i = values.index(value)
        return (values[i + 1] if i + 1 < len(values) else values[i - 1],)
    return (values[-1] if value != values[-1] else values[0],)
