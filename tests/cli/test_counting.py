"""The commands `perft` and `lint`: what they print, their JSON and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from brassspec.checker import perft as counting
from brassspec.cli.main import main
from brassspec.engine import Engine
from brassspec.formats import Move, Position
from brassspec.formats.schemas import schema

ROOT = Path(__file__).resolve().parents[2]
RELAY = str(ROOT / "tests" / "data" / "relay.brass")


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema("result")).validate(found)
    return found


def test_counts_are_shown_by_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "mini", "--depth", "2", "--divide", "--events"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("mini for 2, seed 1: same (spec and engine: ")
    assert lines[:3] == [
        "  depth 0:  1",
        "  depth 1:  6  build 4, loan 1, pass 1",
        "  depth 2: 41  build 29, pass 12",
    ]
    assert "  events at depth 1: card_played 6, income_moved 1, loan_taken 1, paid 4, passed 1, tile_built 4" in lines
    assert lines[lines.index("first moves:") + 1] == "  8  yellow passes with preston"
    assert len(lines) - lines.index("first moves:") - 1 == 6


def test_counts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "perft", "mini", "--depth", "2", "--opinion", "engine", "--seed", "7")
    assert found["verdict"] == "ok"
    assert found["assurance"] == {"opinions agree": "not run"}
    assert found["counts"]["depth"] == 2
    assert [(f["opinion"], f["depth"]) for f in found["findings"]] == [("engine", 0), ("engine", 1), ("engine", 2)]
    assert found["findings"][2]["events"] is None
    both = as_json(capsys, "perft", "mini", "--depth", "1")
    assert both["verdict"] == "same"
    assert both["assurance"] == {"opinions agree": "tested(1)"}
    assert both["counts"] == {"players": 2, "depth": 1, "moves": 6, "positions": 2}


def test_a_position_is_counted_from(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "perft", str(ROOT / "docs" / "perft" / "end-4.json"), "--depth", "1", "--divide")
    divided = [f for f in found["findings"] if f["kind"] == "divide"]
    assert found["counts"]["moves"] == len(divided) == 14
    assert all(f["moves"] == 1 for f in divided)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mini", "--depth", "0"], "0 is not in the range"),
        (["mini", "--depth", "1001"], "1001 is not in the range"),
        (["mini"], "Missing option '--depth'"),
        (["mini", "--depth", "1", "--players", "3"], "mini is for 2 players, not 3"),
        (["maxi", "--depth", "1"], "there is no ruleset maxi"),
        (["none.json", "--depth", "1"], "none.json"),
        ([RELAY, "--depth", "1", "--opinion", "engine"], "the reference engine does not play relay"),
    ],
)
def test_what_cannot_be_counted(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", *arguments]) == 2
    assert message in capsys.readouterr().err


class Forgetful(Engine):
    """An engine with a fault: nobody borrows."""

    def legal_moves(self, position: Position) -> list[Move]:
        return [m for m in super().legal_moves(position) if m["action"] != "loan"]


def test_opinions_that_differ(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(counting, "reference", lambda ruleset, players: Forgetful(ruleset, players))
    assert main(["perft", "mini", "--depth", "2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("DIFFERENT at depth 1, after: yellow borrows 1 times £10 with preston")
    assert lines[at + 1].startswith("  spec: 1")
    assert lines[at + 2] == "  engine: nothing"
    found = as_json(capsys, "perft", "mini", "--depth", "2", code=1)
    difference = found["findings"][-1]
    assert (difference["kind"], difference["depth"], difference["engine"]) == ("difference", 1, None)


def test_a_limit_is_no_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(counting.perft.__kwdefaults__, "limit", 30)
    assert main(["perft", "mini", "--depth", "4", "--opinion", "spec"]) == 4
    assert capsys.readouterr().out.splitlines()[-1] == "  stopped at depth 2: too many different positions to keep"


def test_ctrl_c_ends_a_count(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(counting.SpecWalk, "moves", interrupt)
    assert main(["perft", "mini", "--depth", "3"]) == 130
    assert capsys.readouterr().err == "brassspec: interrupted\n"


def test_what_lint_finds_has_a_place_and_a_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", RELAY]) == 1
    head, first, remedy, *_ = capsys.readouterr().out.splitlines()
    assert head == "relay: failed: 7 findings in 4 requirements, 1 exception, 1 scenario, 0 readings"
    assert first == "relay.brass:36: turn.order is in no scenario the only requirement that a move violates"
    assert (
        remedy
        == '    write a scenario with: => illegal by turn.order; or, if there can be none: excuse turn.order "why"'
    )
    found = as_json(capsys, "lint", RELAY, code=1)
    assert found["verdict"] == "failed"
    assert found["findings"][3] == {
        "kind": "lint",
        "about": "unused",
        "name": "winner",
        "place": "relay.brass:26",
        "message": "the state variable winner is unused: no rule reads it",
        "remedy": "take it out, or move it to the edition that needs it",
    }


def test_lint_of_what_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "none"]) == 2
    assert "there is no ruleset none" in capsys.readouterr().err
