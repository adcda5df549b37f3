"""Arguments that several commands take."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from brassspec.formats import InputError, Move, Position
from brassspec.formats.documents import read_position
from brassspec.formats.reading import MAX_NUMBER, clean, name_of, parse_json, read_json

F = TypeVar("F", bound=Callable[..., Any])


def position_argument(function: F) -> F:
    """POSITION: a file with a position, or - for standard input."""
    return click.argument("position", metavar="POSITION")(function)


def ruleset_argument(function: F) -> F:
    return click.argument("ruleset", metavar="RULESET")(function)


def players_option(required: bool = False) -> Callable[[F], F]:
    return click.option("--players", type=click.IntRange(1, 100), required=required, help="The number of players.")


def seed_option(function: F) -> F:
    kind = click.IntRange(0, MAX_NUMBER)
    return click.option("--seed", type=kind, default=1, show_default=True, help="What chance follows from.")(function)


def read_position_argument(source: str) -> Position:
    """The position in a file. Raises InputError."""
    return read_position(read_json(source), name_of(source))


def read_move_argument(text: str) -> Move | str:
    """A move: JSON where it begins like JSON, else words. Raises InputError."""
    if len(text) > 10_000:
        raise InputError("move: longer than 10000 characters")
    if text.lstrip()[:1] in ("{", "["):
        move = parse_json(text.encode("utf-8", "surrogateescape"), "move")
        if not isinstance(move, dict):
            raise InputError(f"move: {clean(json.dumps(move), 60)} is no object")
        return move
    return text
