"""JSON Schemas (draft 2020-12) of a ruleset's positions, moves, chance outcomes and events, from its model."""

from __future__ import annotations

from typing import Any

from brassspec.formats.documents import POSITION_FORMAT
from brassspec.rules.model import Bool, Model, Num, Option, Param, Record, Seq, Set, Sort, StateVar, Type

Schema = dict[str, Any]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def position_schema(model: Model) -> Schema:
    """The schema of positions: any variable may be left out, and any entry of a map that is 0, false or nothing."""
    return {
        "$schema": _DRAFT,
        "title": f"a position of {model.ruleset} for {model.players} players",
        "type": "object",
        "properties": {
            "format": {"const": POSITION_FORMAT},
            "ruleset": {"const": model.ruleset},
            "players": {"const": model.players},
            "state": _object({v.name: _variable(model, v) for v in model.state.values()}, required=()),
        },
        "required": ["format", "ruleset", "players", "state"],
        "additionalProperties": False,
        "$defs": _definitions(model),
    }


def move_schema(model: Model, partial: bool = False) -> Schema:
    """The schema of moves in full or, with `partial`, of moves that may leave out any field but `action`."""
    return _choice(model, "move", "action", {t.name: t.params for t in model.actions.values()}, partial)


def chance_schema(model: Model, partial: bool = False) -> Schema:
    """The schema of chance outcomes."""
    return _choice(model, "chance outcome", "chance", {t.name: t.params for t in model.chances.values()}, partial)


def event_schema(model: Model) -> Schema:
    """The schema of events."""
    return _choice(model, "event", "event", model.events, False)


def _choice(model: Model, what: str, word: str, kinds: dict[str, tuple[Param, ...]], partial: bool) -> Schema:
    options = []
    for name, params in kinds.items():
        fields: Schema = {word: {"const": name}, **{p.name: _value(p.type) for p in params}}
        options.append(_object(fields, required=(word,) if partial else tuple(fields)))
    return {
        "$schema": _DRAFT,
        "title": f"a {what} of {model.ruleset} for {model.players} players",
        "oneOf": options,
        "$defs": _definitions(model),
    }


def _object(fields: Schema, required: tuple[str, ...]) -> Schema:
    return {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}


def _definitions(model: Model) -> Schema:
    sorts: Schema = {s.name: {"enum": list(s.members)} for s in model.sorts.values()}
    records: Schema = {}
    for r in model.records.values():
        fields = {name: _value(t) for name, t in r.fields}
        records[r.name] = _object(fields, required=tuple(fields))
    return {**sorts, **records}


def _value(t: Type) -> Schema:
    match t:
        case Bool():
            return {"type": "boolean"}
        case Num():
            return {"type": "integer", "minimum": t.lo, "maximum": t.hi}
        case Sort() | Record():
            return {"$ref": f"#/$defs/{t.name}"}
        case Option():
            return {"anyOf": [{"const": None if t.absent == "none" else t.absent}, _value(t.inner)]}
        case Seq():
            return {"type": "array", "items": _value(t.inner), "minItems": t.lo, "maxItems": t.hi}
        case Set():
            raise TypeError("no position or move holds a set")


def _variable(model: Model, var: StateVar) -> Schema:
    if not var.keys:
        return _value(var.type)
    if var.display == "ranking":
        size = model.size(var.keys[0])
        return {"type": "array", "items": _value(var.keys[0]), "minItems": size, "maxItems": size, "uniqueItems": True}
    *outer, last = var.keys
    inner: Schema = (
        {"type": "array", "items": _value(last)} if var.display == "bag" else _map(model, last, _value(var.type))
    )
    for key in reversed(outer):
        inner = _map(model, key, inner)
    return inner


def _map(model: Model, key: Type, inner: Schema) -> Schema:
    names = model.sorts[key.name].members if isinstance(key, Sort) else tuple(map(str, model.values(key)))
    return {"type": "object", "propertyNames": {"enum": list(names)}, "additionalProperties": inner}
