"""What must be possible for a property to say anything: where no position or move ever fulfils it, the property is vacuous."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from brassspec.checker.constants import TRUE
from brassspec.rules.compile import asks_what_is_after
from brassspec.rules.model import And, Expr, Model, Not, Or, Property, Quant

PREMISE = "premise"  # the kind of the properties that say so; `reason` names the one they are about


def with_premises(model: Model) -> Model:
    """The model with the premises of its properties as properties of their own: that they are fulfilled now and then."""
    found = [
        replace(p, name=f"{p.name} (premise {i})", kind=PREMISE, cond=cond, reason=p.name)
        for p in model.properties
        for i, cond in enumerate(premises(p), start=1)
    ]
    return replace(model, properties=(*model.properties, *found))


def premises(p: Property) -> list[Expr]:
    """Of what never happens where some conditions hold: that it happens at all, and where any one of them holds, but for what is said
    of the position after: that is what is claimed. Of what always holds where something does: that something does. What is shown by an
    example has none."""
    if p.kind not in ("invariant", "in play", "claim"):
        return []
    if p.transitions:
        parts = p.cond.items if isinstance(p.cond, And) else ()
        return [TRUE, *(part for part in parts if len(parts) > 1 and not asks_what_is_after(part))]
    return list(_of(p.cond))


def _of(cond: Expr) -> Iterator[Expr]:
    match cond:
        case And(items):
            for item in items:
                yield from _of(item)
        case Quant("all", var, domain, body):
            for found in _of(body):
                yield Quant("some", var, domain, found)
        case Or((Not(premise), conclusion)):
            yield premise
            for found in _of(conclusion):
                yield And((premise, found))
        case Not(Quant("some", var, domain, body)):  # no x where ...: ...
            for found in _of(Not(body)):
                yield Quant("some", var, domain, found)
        case Not(And((premise, _))):
            yield premise
