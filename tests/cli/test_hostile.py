"""Whatever comes in: exit code 2, a message, no traceback, nothing written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from brassspec.cli.main import main

RULESET = "lancashire-2007"
PASS = '{"action": "pass", "player": "yellow", "card": "bury"}'


def position(**state: Any) -> bytes:
    return json.dumps({"format": "brassspec/position/1", "ruleset": RULESET, "players": 3, "state": state}).encode()


BYTES: dict[str, bytes] = {
    "nothing": b"",
    "random bytes": bytes(i * 7919 % 251 for i in range(5000)),
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"format":' * 100_000,
    "deep state": position().replace(b'"state": {}', b'"state": {"tile": ' + b"[" * 990 + b"]" * 990 + b"}"),
    "infinite number": position().replace(b"3", b"1e999"),
    "enormous number": position().replace(b"3", b"1" + b"0" * 5000),
    "no number": position().replace(b"3", b"NaN"),
    "duplicate keys": position()[:-1] + b', "players": 4}',
    "no utf-8": position().replace(b"lancashire", b"\xff\xfe"),
    "surrogate": position().replace(b"lancashire", b"\\ud800"),
    "a list": b"[1, 2]",
    "a text": b'"position"',
    "null": b"null",
}
POSITIONS: dict[str, bytes] = {
    **BYTES,
    "no state": b'{"format": "brassspec/position/1", "ruleset": "lancashire-2007", "players": 3}',
    "another format": position().replace(b"position/1", b"position/9"),
    "a log": b'{"format": "brassspec/log/1"}',
    "no ruleset": position().replace(b"lancashire-2007", b"monopoly"),
    "a path as a ruleset": position().replace(b"lancashire-2007", b"../../etc/passwd"),
    "a long ruleset": position().replace(b"lancashire-2007", b"a" * 100_000),
    "too many players": position().replace(b"3", b"99"),
    "no such variable": position(wings=2),
    "no such slot": position(tile={"leeds.1": {}}),
    "half a tile": position(tile={"bury.1": {"owner": "red"}}),
    "a fraction": position(coal=1.5),
    "yes for a number": position(coal=True),
    "out of bounds": position(money={"red": 10**9}),
    "a long list": position(deck=["bury"] * 1001),
    "twice in the order": position(order=["red", "red", "yellow"]),
    "a hundred tiles": position(stack={"red": {"port": {"1": 9}}}),
    "too many cards": position(hand={"red": ["bury"] * 8}),
    "a mine with too many cubes": position(
        tile={"bury.1": {"owner": "red", "industry": "coal_mine", "level": 1, "flipped": False, "cubes": 5}}
    ),
    "a port in bury": position(
        tile={"bury.1": {"owner": "red", "industry": "port", "level": 1, "flipped": False, "cubes": 0}}
    ),
    "a rail in the canal era": position(link={"rochdale--bury": "red"}),
}
LOG_HEADER = (
    b'{"format":"brassspec/log/1","tool":"x","ruleset":"%s","players":3,"seed":1,"policy":"uniform","game":1,"games":1,'
    b'"spec":"","digest":""}\n'
)
LOGS: dict[str, bytes] = {
    **BYTES,
    "a position": position(),
    "another version": b'{"format": "brassspec/log/2"}',
    "a long line": b" " * 1_000_000,
    "a game without number": LOG_HEADER.replace(b'"games":1', b'"games":0'),
    "more fields": LOG_HEADER.replace(b'"spec":""', b'"spec":"","x":1'),
}
MOVES: dict[str, str] = {
    "nothing": "",
    "words": "please do something",
    "long": "yellow passes with " + "x" * 50_000,
    "open": '{"action": "pass"',
    "deep": "[" * 9_000,
    "deep object": '{"action":' * 900,
    "a list": "[]",
    "no action": "{}",
    "a number": '{"action": 1e999}',
    "no such action": '{"action": "fly"}',
    "no such field": '{"action": "pass", "wings": 2}',
    "an enormous number": '{"action": "loan", "amount": ' + "9" * 5000 + "}",
    "a list for a card": '{"action": "pass", "card": [["bury"]]}',
    "terminal codes": "\x1b[2J\x1b]0;x\x07",
    "surrogate": "yellow passes with \udcff",
    "impossible chance": '{"chance": "turn_tile", "value": 2}',
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
    before = sorted(os.listdir())
    for more in ([], ["--json"]):
        assert main([*arguments, *more]) == 2
        said = capsys.readouterr()
        assert said.err.startswith("brassspec: ")
        assert "Traceback" not in said.err
        assert len(said.err) < 1500
        assert all(c.isprintable() or c == "\n" for c in said.err)
        if more:
            assert json.loads(said.out)["verdict"] == "input_error"
        else:
            assert said.out == ""
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("data", POSITIONS.values(), ids=POSITIONS.keys())
def test_positions(data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("p").write_bytes(data)
    refused(capsys, "moves", "p")
    refused(capsys, "apply", "p")
    refused(capsys, "apply", "p", PASS)


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES.keys())
def test_moves(move: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("p").write_bytes(position())
    refused(capsys, "apply", "p", move)


@pytest.mark.parametrize("data", LOGS.values(), ids=LOGS.keys())
def test_logs(data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("log").write_bytes(data)
    refused(capsys, "replay", "log")


@pytest.mark.parametrize("ruleset", ["", "monopoly", "../x", "a\0b", "\udcff", "x" * 100_000, RULESET + "+a=b", "-x-"])
def test_rulesets(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "play", "--players", "3", "--log", "log", "--", ruleset)
    refused(capsys, "rules", "--ruleset", ruleset)


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "0"],
        ["--players", "2"],
        ["--players", "1e3"],
        ["--players", "3", "--seed", "-1"],
        ["--players", "3", "--seed", "9" * 5000],
        ["--players", "3", "--games", "0"],
        ["--players", "3", "--policy", "clever"],
        ["--players", "3", "--log", "."],
        ["--players", "3", "--log", "none/log"],
        ["--players", "3", "--log", "/dev/null"],
        ["--players", "3", "--log", ""],
    ],
)
def test_options(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "play", RULESET, *options)


@pytest.mark.parametrize("rule", ["", "no.such", "x" * 10_000, "\x1b[2J", "\udcff"])
def test_rules(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "rules", "--", rule)


@pytest.mark.parametrize("source", ["none", ".", "a\0b", "x" * 5000, "\udcff"])
def test_files(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "moves", source)
    refused(capsys, "replay", source)
