"""JSON from anywhere, hostile input included: bounded in size, depth and numbers, and strict."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import Any

from brassspec.formats.plain import InputError

MAX_BYTES = 4_000_000  # of one document
MAX_DEPTH = 64  # brackets within brackets
MAX_NUMBER = 2**53 - 1  # whole numbers that every language keeps exactly

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.S)
_BRACKET = re.compile(r"[\[\]{}]")


def read_bytes(source: str | Path, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file, or of standard input where `source` is "-".

    Raises InputError where it can't be read or is longer than `limit` bytes.
    """
    name = name_of(source)
    try:
        if str(source) == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(limit + 1)
    except (OSError, ValueError) as e:
        raise InputError(f"{name}: can't be read: {reason(e)}") from None
    if len(data) > limit:
        raise InputError(f"{name}: longer than {limit} bytes")
    return data


def name_of(source: str | Path) -> str:
    """What a source is called in messages."""
    return "standard input" if str(source) == "-" else clean(str(source))


def clean(text: str, limit: int = 200) -> str:
    """A text for a one-line message: nothing that a terminal would act on, and not long."""
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: limit + 1])
    return shown if len(text) <= limit else shown[:limit] + "..."


def reason(error: Exception) -> str:
    """Why the operating system refused, in its words."""
    return getattr(error, "strerror", None) or clean(str(error))


def parse_json(data: bytes, name: str) -> Any:
    """The value of a JSON text; `name` says where it comes from.

    Raises InputError, naming the place, on anything that is not strict JSON in UTF-8: wrong syntax, more than
    `MAX_DEPTH` levels, duplicate keys, NaN, numbers that are not finite or, if whole, beyond `MAX_NUMBER`, halves of
    surrogate pairs.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise InputError(f"{name}: byte {e.start + 1} is not UTF-8") from None
    check_depth(text, name)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            keys = [k for k, _ in items]
            twice = next(k for k in keys if keys.count(k) > 1)
            raise InputError(f"{name}: the key {clean(repr(twice), 60)} stands twice in one object")
        return found

    def whole(digits: str) -> int:
        if len(digits) > 17 or abs(int(digits)) > MAX_NUMBER:
            raise InputError(f"{name}: the number {clean(digits, 30)} is beyond 2^53")
        return int(digits)

    def broken(digits: str) -> float:
        number = float(digits)
        if not math.isfinite(number):
            raise InputError(f"{name}: the number {clean(digits, 30)} is too large")
        return number

    def constant(word: str) -> Any:
        raise InputError(f"{name}: {word} is no JSON number")

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=whole, parse_float=broken, parse_constant=constant)
    except json.JSONDecodeError as e:
        raise InputError(f"{name}: line {e.lineno}, column {e.colno}: no JSON: {e.msg}") from None
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(f"{name}: half of a surrogate pair stands alone") from None
    return value


def check_depth(text: str, name: str) -> None:
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise InputError(f"{name}: more than {MAX_DEPTH} levels of brackets")


def read_json(source: str | Path) -> Any:
    """The value in a JSON file, or on standard input where `source` is "-".

    Raises InputError as `read_bytes` and `parse_json` do.
    """
    return parse_json(read_bytes(source), name_of(source))
