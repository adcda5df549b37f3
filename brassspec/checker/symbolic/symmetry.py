"""Which members of a sort the rules tell apart. Where they don't, what is shown of one is shown of all.

Where a transition and all that is stated of positions speak of players as this one, any or all of them only, two players may
change places in a position: it fulfils the same, and the transition goes on in it in the same way. So it is enough to look at
the first player as the one who acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brassspec.rules import model as m
from brassspec.rules.compile import reached


def told_apart(model: m.Model, exprs: Iterable[m.Expr]) -> frozenset[str]:
    """The names of the sorts of which some expression, or what it calls, tells one member from another."""
    parts = (part for expr in exprs for part in reached(model, expr))
    return frozenset(name for part in parts for t in _tells_apart(model, part) for name in sorts(model, t))


def of_transition(transition: m.Transition) -> Iterator[m.Expr]:
    """All that it depends on whether a transition happens, and what comes of it; not what is told of it."""
    yield transition.when
    if transition.weight is not None:
        yield transition.weight
    for node in transition.nodes:
        if isinstance(node, m.Emit):
            continue
        if node.guard is not None:
            yield node.guard
        match node:
            case m.Let():
                yield node.expr
            case m.Assign():
                yield from (*node.keys, node.expr)
            case m.AssignAll():
                yield from (*node.keys, node.cond, node.expr)
            case m.Require():
                yield from (node.cond, *(exception.cond for exception in node.exceptions))


def sorts(model: m.Model, t: m.Type) -> Iterator[str]:
    """The sorts that a value of a type may tell members of."""
    match t:
        case m.Sort(name):
            yield name
        case m.Option(inner) | m.Set(inner) | m.Seq(inner):
            yield from sorts(model, inner)
        case m.Record(name):
            for _, field in model.records[name].fields:
                yield from sorts(model, field)


def _tells_apart(model: m.Model, part: m.Expr) -> Iterator[m.Type]:
    """The types of which a node of an expression, by itself, tells values apart: by their name, their order, or a table."""
    match part:
        case m.Const() if part.value is not None:
            yield part.type
        case m.Compare() if part.op not in ("=", "!="):
            yield part.left.type
        case m.Pick():  # the first
            yield part.type
        case m.Lookup():
            yield from (part.type, *model.tables[part.table].keys)
        case m.Connected() | m.Distance():
            yield from (model.graphs[part.graph].node, model.graphs[part.graph].edge)
