"""Expressions and statements of the rule model in the words of the language, to tell which part of a rule is meant."""

from __future__ import annotations

from typing import Any

from brassspec.rules import model as m

LONGEST = 100  # characters of an expression that is shown


def word(model: m.Model, expr: Any) -> str:
    """An expression or statement on one line, cut where it is long."""
    text = _word(model, expr)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def value_word(model: m.Model, value: Any, t: m.Type) -> str:
    """A value of a type, as the language writes it."""
    match t:
        case m.Option():
            return t.absent if value is None else value_word(model, value, t.inner)
        case m.Sort():
            member: str = model.sorts[t.name].members[value]
            return member
        case m.Set():
            return "{" + ", ".join(value_word(model, v, t.inner) for v in sorted(value)) + "}"
        case m.Bool():
            return "true" if value else "false"
    return str(value)


def _word(model: m.Model, e: Any) -> str:
    def w(part: Any) -> str:
        return _word(model, part)

    def listed(parts: Any) -> str:
        return ", ".join(map(w, parts))

    match e:
        case m.Const():
            return value_word(model, e.value, e.type)
        case m.Var():
            return e.name.partition("@")[0].partition("'")[0]
        case m.Read():
            return e.var + (f"[{listed(e.keys)}]" if e.keys else "")
        case m.Field():
            return f"{w(e.record)}.{e.name}"
        case m.Make():
            return f"{e.type.name}({listed(e.values)})"
        case m.With():
            return f"{w(e.record)} with {model.records[e.type.name].fields[e.index][0]} {w(e.value)}"
        case m.Some() | m.Get():
            return w(e.inner)
        case m.Exists():
            return f"{w(e.inner)} exists"
        case m.Not():
            return f"not {w(e.inner)}"
        case m.And():
            return "(" + " and ".join(map(w, e.items)) + ")"
        case m.Or():
            return "(" + " or ".join(map(w, e.items)) + ")"
        case m.Compare() | m.Arith():
            called = e.op in ("min", "max")
            return f"{e.op}({w(e.left)}, {w(e.right)})" if called else f"{w(e.left)} {e.op} {w(e.right)}"
        case m.If():
            return f"(if {w(e.cond)} then {w(e.then)} else {w(e.other)})"
        case m.SetOf():
            return "{" + listed(e.items) + "}"
        case m.In():
            return f"{w(e.item)} in {w(e.set)}"
        case m.Filter() | m.Pick() | m.Fold():
            kind = {m.Filter: "", m.Pick: "first "}.get(type(e)) if not isinstance(e, m.Fold) else f"{e.kind} "
            return f"{kind}{{ {w(e.var)} in {w(e.domain)} where {w(e.cond)} }}"
        case m.Quant():
            return f"{e.kind} {w(e.var)} in {w(e.domain)}: {w(e.body)}"
        case m.Lookup():
            return f"{e.table.partition(' ')[0]}({listed(e.keys)})"
        case m.Call():
            return e.define + (f"({listed(e.args)})" if e.args else "")
        case m.Connected() | m.Distance():
            return f"{'connected' if isinstance(e, m.Connected) else 'distance'}({e.graph}, {w(e.left)}, {w(e.right)})"
        case m.Possible():
            return f"can({w(e.player)}, {e.action})"
        case m.Assign() | m.AssignAll():
            return f"{e.var} := {w(e.expr)}"
        case m.Emit():
            return f"{e.event}({listed(e.args)})"
        case m.Let():
            return f"{w(m.Var(e.expr.type, e.name))} = {w(e.expr)}"
        case m.Define():
            return f"{e.name} = {w(e.body)}"
        case m.StateVar():
            return f"{e.name} = {w(e.default)}"
        case m.Transition():
            return f"when {w(e.when)}" + (f" weight {w(e.weight)}" if e.weight is not None else "")
        case m.Require() | m.Exception_() | m.Graph():
            return w(e.cond)
    return str(e)
