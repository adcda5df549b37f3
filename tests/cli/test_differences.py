"""The commands `diff`, `find`, `impact`, and `ask --legal-if`: what they print, their JSON and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from brassspec.cli.main import main
from brassspec.formats.schemas import schema

QUESTION = """question "a loan without a card":
    ruleset mini
    given hand[yellow] = coal_mine
    > yellow borrows 1 times £10 with preston
"""
PARTIAL = """question "a canal":
    ruleset mini
    unknown money
    given hand[yellow] = preston
    given tile[preston.1] = yellow port 2
    > yellow builds canal liverpool--preston with preston
"""


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema("result")).validate(found)
    return found


def test_a_difference_is_shown_with_its_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "mini", "mini+shortfall_change=lost", "--games", "0"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["A: mini", "B: mini+shortfall_change=lost"]
    assert lines[2].startswith("different, for 2 players: of ")
    assert "action give_up: other effect" in lines
    assert any(line.startswith("    given owed = ") for line in lines)
    assert [line[:6] for line in lines if "money[yellow] = " in line][-2:] == ["    A:", "    B:"]


def test_a_difference_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "diff", "mini", "mini+income_start=space_0", "--games", "0", code=1)
    assert found["verdict"] == "different"
    assert [(f["kind"], f["key"]) for f in found["findings"]] == [("row", "income[yellow]"), ("row", "income[red]")]
    assert found["counts"]["identical"] == found["counts"]["transitions"] > 20


def test_the_same_rules_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "diff", "mini", "mini+distant_pile=aside")
    assert (found["verdict"], found["findings"]) == ("same", [])
    assert set(found["assurance"].values()) == {"proved"}


def test_what_is_found_and_what_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "find", "mini", "count { l in Link where link[l] exists } = 1", "--games", "4")
    (sight,) = found["findings"]
    assert sight["kind"] == "sight"
    assert sight["moves"]
    none = as_json(capsys, "find", "mini", "some p in Player: money[p] < 10 and money[p] > 20", "--games", "1", code=1)
    assert (none["verdict"], none["assurance"]) == ("none_exists", {"find": "proved"})


def test_a_mistake_in_a_condition_is_shown_with_a_caret(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "mini", "some p in Playr: money[p] < 10"]) == 2
    assert capsys.readouterr().err.splitlines()[1:3] == ["    some p in Playr: money[p] < 10", "              ^^^^^"]


def test_an_impact_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "impact", "mini+first_link=anywhere", "--games", "4")
    shares = {f["of"]: f for f in found["findings"] if f["kind"] == "share"}
    assert set(shares) == {"legal_moves", "outcome", "winner"}
    assert shares["legal_moves"]["count"] > 0
    assert shares["legal_moves"]["total"] == 4
    assert found["counts"]["legal_moves_changed"] > 0


def test_what_would_make_a_move_legal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "question.brass"
    path.write_text(QUESTION, encoding="utf-8")
    found = as_json(capsys, "ask", str(path), "--legal-if", code=1)
    (answer,) = found["findings"]
    first = answer["legal_if"][0]
    assert first["instead_of"] == ["hand[yellow] = coal_mine"]
    assert len(first["lines"]) == 1
    assert "preston" in first["lines"][0]


def test_an_assumption_narrows_what_is_unknown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "question.brass"
    path.write_text(PARTIAL, encoding="utf-8")
    found = as_json(capsys, "ask", str(path), code=1)
    assert found["verdict"] == "depends"
    (answer,) = found["findings"]
    # Each example is as like set-up as there is, and says where it comes from.
    move = "yellow builds canal liverpool--preston with preston"
    assert answer["completions"]["legal"] == [move, "what is unknown as at set-up"]
    first, changed, why = answer["completions"]["illegal"]
    assert (first, changed.split(" = ")[0]) == (move, "money[yellow]")
    assert why.startswith("by money.enough: ")
    assert answer["origin"] == "consistent with the proven invariants, reachability unknown"
    assert as_json(capsys, "ask", str(path), "--assume", "money[yellow] >= 3")["verdict"] == "always_legal"
    path.write_text(PARTIAL.replace("    unknown money\n", ""), encoding="utf-8")
    assert main(["ask", str(path), "--assume", "money[yellow] >= 3"]) == 2
    assert "nothing in this question is unknown" in capsys.readouterr().err
