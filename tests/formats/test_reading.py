"""JSON from anywhere: what is not strict and small is refused by name."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from brassspec.formats import InputError
from brassspec.formats.documents import read_position
from brassspec.formats.reading import MAX_BYTES, parse_json, read_json

HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "random bytes": bytes(range(256)),
    "no utf-8": b'{"a": "\xff\xfe"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "utf-16": '{"a": 1}'.encode("utf-16"),
    "deep lists": b"[" * 100_000,
    "deep and closed": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "infinite number": b'{"players": 1e999}',
    "long number": b'{"players": ' + b"9" * 5000 + b"}",
    "negative long number": b"-" + b"1" * 20,
    "not a number": b"[NaN]",
    "infinity": b"[-Infinity]",
    "duplicate key": b'{"a": 1, "b": 2, "a": 3}',
    "lone surrogate": b'["\\ud800"]',
    "lone surrogate as a key": b'{"\\udfff": 1}',
    "two values": b"{} {}",
    "single quotes": b"{'a': 1}",
    "control character": b'["\x00"]',
    "open text": b'{"a": "',
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^here: ") as caught:
        parse_json(data, "here")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_brackets_in_text_are_no_nesting() -> None:
    text = "[" * 1000 + '\\"' + "{" * 1000
    assert parse_json(f'["{text}", 1.5, 9007199254740991]'.encode(), "here") == [text.replace("\\", ""), 1.5, 2**53 - 1]


def test_pairs_of_surrogates_are_text() -> None:
    assert parse_json(b'["\\ud83d\\ude00"]', "here") == ["\N{GRINNING FACE}"]


def test_size_is_bounded(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    large.write_bytes(b" " * MAX_BYTES + b"1")
    with pytest.raises(InputError, match="longer than"):
        read_json(large)
    with pytest.raises(InputError, match="longer than"):
        read_json("/dev/zero")


def test_what_is_no_file(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "none", "a\0b", tmp_path / ("x" * 5000)):
        with pytest.raises(InputError, match="can't be read"):
            read_json(source)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1]")))
    assert read_json("-") == [1]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[")))
    with pytest.raises(InputError, match=r"^standard input: line 1"):
        read_json("-")


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ([], "an object"),
        ({}, "format"),
        ({"format": "brassspec/position/2", "ruleset": "x", "players": 3, "state": {}}, "another version"),
        ({"format": 1, "ruleset": "x", "players": 3, "state": {}}, "format"),
        ({"format": "brassspec/position/1", "ruleset": "x", "players": True, "state": {}}, "players"),
        ({"format": "brassspec/position/1", "ruleset": "x", "players": 0, "state": {}}, "players"),
        ({"format": "brassspec/position/1", "ruleset": "x", "players": 3, "state": []}, "state"),
        ({"format": "brassspec/position/1", "ruleset": "x", "players": 3, "state": {}, "\x1b[2J": 1}, "no field"),
    ],
)
def test_position_documents(data: object, place: str) -> None:
    with pytest.raises(InputError, match=f"^p: .*{place}") as caught:
        read_position(data, "p")
    assert str(caught.value).isprintable()
