"""Logs are written whole or not at all, and read line by line."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
import rfc8785

from brassspec.formats import InputError
from brassspec.formats.log import MAX_LINE, End, Header, LogWriter, Step, read_log

HEADER = Header("some-game", 3, 7, "0" * 64)


def write(path: Path) -> None:
    with LogWriter(path) as log:
        log.header(HEADER, "a")
        log.chance({"chance": "draw"}, "b")
        log.move({"action": "pass"}, "c")
        log.end()


def test_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write(path)
    lines = list(read_log(path))
    assert [line.content for line in lines] == [
        HEADER,
        Step(1, None, {"chance": "draw"}, "b"),
        Step(2, {"action": "pass"}, None, "c"),
        End(3, "c"),
    ]
    assert all(line.chained for line in lines)
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_the_chain_as_documented(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write(path)
    previous = ""
    for raw in path.read_text().splitlines():
        line = json.loads(raw)
        due = line.pop("digest")
        assert hashlib.sha256(rfc8785.dumps({"line": line, "previous": previous})).hexdigest() == due
        previous = due


def test_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("before")
    log = LogWriter(path)
    log.__enter__()
    log.header(HEADER, "a")
    log.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_where_no_log_can_be(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none" / "game.jsonl", "/dev/null", "a\0b"):
        with pytest.raises(InputError), LogWriter(place):
            pass
    assert os.listdir(tmp_path) == []


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("game.jsonl")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "game.jsonl").is_file()


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"[]",
        b"{}",
        b'{"n": 1}',
        b'{"n": 1, "digest": ""}',
        b'{"n": 1, "move": {}, "chance": {}, "position": "", "digest": ""}',
        b'{"n": true, "move": {}, "position": "", "digest": ""}',
        b'{"n": 1, "end": "perhaps", "position": "", "digest": ""}',
        b'{"format": "brassspec/log/2"}',
        b'{"format": "brassspec/log/1"}',
        b'{"format": "brassspec/log/1", "more": 1}',
        b"[" * 50_000,
        b" " * MAX_LINE + b"{}",
    ],
)
def test_lines_that_are_not_well_formed(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "game.jsonl"
    write(path)
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(InputError, match=r"game\.jsonl: line 5: "):
        list(read_log(path))


def test_an_endless_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: longer"):
        list(read_log("/dev/zero"))
    with pytest.raises(InputError, match="can't be read"):
        list(read_log(tmp_path))
