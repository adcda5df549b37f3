"""The position as a document of its own: what it is wrapped in, read and written."""

from __future__ import annotations

from typing import Any

from brassspec.formats.plain import InputError, Plain, Position
from brassspec.formats.reading import clean

POSITION_FORMAT = "brassspec/position/1"
MAX_PLAYERS = 100


def write_position(position: Position) -> Plain:
    """The document of a position; its digest is the position's digest."""
    return {
        "format": POSITION_FORMAT,
        "ruleset": position.ruleset,
        "players": position.players,
        "state": position.state,
    }


def read_position(data: Any, name: str = "position") -> Position:
    """The position of a document; whether the rules know what is in it is not asked here.

    Raises InputError, naming the place, where the document is not well formed or of another version.
    """
    fields = expect(data, name, {"format": str, "ruleset": str, "players": int, "state": dict})
    check_format(fields["format"], POSITION_FORMAT, name)
    if not 1 <= fields["players"] <= MAX_PLAYERS:
        raise InputError(f"{name}: players: {fields['players']} is no number of players")
    return Position(fields["ruleset"], fields["players"], fields["state"])


def check_format(found: str, known: str, name: str) -> None:
    """Raises InputError where a document is of another format or version than the one this tool knows."""
    if found != known:
        kind = known.rsplit("/", 1)[0]
        remedy = "another version of brassspec wrote it" if found.startswith(kind + "/") else f"write {known}"
        raise InputError(f"{name}: format: {clean(repr(found), 60)} is not {known}: {remedy}")


def expect(data: Any, name: str, fields: dict[str, type], optional: tuple[str, ...] = ()) -> Plain:
    """The object `data`, with these fields of these types and no others. Raises InputError."""
    if not isinstance(data, dict):
        raise InputError(f"{name}: an object with {', '.join(fields)} is due")
    for key in data:
        if key not in fields:
            raise InputError(f"{name}: there is no field {clean(repr(key), 60)}: known here: {', '.join(fields)}")
    for key, kind in fields.items():
        if key not in data:
            if key in optional:
                continue
            raise InputError(f"{name}: the field {key} is missing")
        if not isinstance(data[key], kind) or isinstance(data[key], bool):
            word = {str: "a text", int: "a whole number", dict: "an object"}[kind]
            raise InputError(f"{name}: {key}: {clean(repr(data[key]), 60)} is not {word}")
    return data
