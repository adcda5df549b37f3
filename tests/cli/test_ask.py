"""`ask`: open moves, follow-ups, readings that answer otherwise, parts unknown, mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from brassspec.cli.main import brassspec, main

OLDHAM = """question "Oldham":
    ruleset lancashire-2007
    given round = 3
    given tile[rochdale.1] = red coal_mine 1 with 2 cubes
    given tile[bury.1] = yellow coal_mine 1 with 2 cubes
    given link[oldham--rochdale, manchester--oldham] = red
    given link[bury--manchester] = yellow
    given stack[yellow, cotton_mill, 1] = 0
    given hand[yellow] = oldham, cotton_mill
"""
PRESTON = """question "Preston":
    ruleset lancashire-2007
    given round = 3
    given tile[preston.1] = yellow port 1
    given link[lancaster--preston, preston--wigan, warrington_and_runcorn--wigan] = yellow
    given link[blackburn--wigan] = red
    given hand[yellow] = cotton_mill
"""
RAILS = """question "two rails":
    ruleset lancashire-2007
    given era = rail
    given round = 3
    given tile[bolton.1] = yellow coal_mine 2 with 3 cubes
    given money[yellow] = £10
    given hand[yellow] = wigan, bolton
"""


def ask(folder: Path, question: str, *moves: str, options: tuple[str, ...] = ()) -> dict[str, Any]:
    path = folder / "question.brass"
    path.write_text(question + "".join(f"    > {m}\n" for m in moves), encoding="utf-8")
    result = CliRunner().invoke(brassspec, ["ask", str(path), "--json", *options])
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def reasons(finding: dict[str, Any]) -> list[str]:
    return [r["requirement"] for r in finding.get("reasons", [])]


def test_an_open_move_lists_its_ways(tmp_path: Path) -> None:
    (found,) = ask(tmp_path, PRESTON, "yellow builds cotton_mill at ? with cotton_mill")["findings"]
    assert found["verdict"] == "legal"
    spaces = {o["move"].split(" at ")[1].split()[0] for o in found["options"]}
    assert spaces == {"lancaster.2", "warrington_and_runcorn.1"}


@pytest.mark.parametrize(
    ("space", "rules"),
    [
        ("wigan.1", ["build.symbol"]),
        ("preston.2", ["build.one_per_town"]),
        ("blackburn.1", ["card.network"]),
    ],
)
def test_each_other_space_is_refused_for_its_own_reason(tmp_path: Path, space: str, rules: list[str]) -> None:
    (found,) = ask(tmp_path, PRESTON, f"yellow builds cotton_mill at {space} with cotton_mill")["findings"]
    assert reasons(found) == rules


def test_an_illegal_open_move_tells_why_each_way_fails(tmp_path: Path) -> None:
    question = OLDHAM.replace("given hand[yellow] = oldham, cotton_mill", "given hand[yellow] = bury")
    (found,) = ask(tmp_path, question, "yellow builds cotton_mill at bury with bury, coal from bury.1")["findings"]
    assert found["verdict"] == "illegal"
    assert any(
        "bury.2" in other and "build.one_per_town" in other
        for other in [found["judged"] + str(reasons(found)), *found["others"]]
    )


def test_what_follows_is_judged_before_the_action_closes_by_itself(tmp_path: Path) -> None:
    first, second, done = ask(
        tmp_path,
        RAILS,
        "yellow builds rail bolton--wigan with wigan, coal from bolton.1",
        "yellow builds second rail bolton--bury, coal from bolton.1",
        "yellow is done",
    )["findings"]
    assert first["verdict"] == "legal"
    assert reasons(second) == ["money.enough"]
    assert second["reasons"][0]["facts"] == "the price is £10, and yellow has £5"
    assert done["verdict"] == "legal"


def test_readings_that_answer_otherwise_are_named(tmp_path: Path) -> None:
    move = "yellow builds cotton_mill at oldham with oldham, coal from bury.1"
    result = ask(tmp_path, OLDHAM, move, options=("--readings",))
    elsewhere = [f for f in result["findings"] if f["kind"] == "elsewhere"]
    assert [(f["ruleset"], f["verdict"]) for f in elsewhere] == [("lancashire-2007+nearest_coal=any", "legal")]


def test_links_are_known_by_either_end(tmp_path: Path) -> None:
    (found,) = ask(tmp_path, RAILS, "yellow builds rail wigan--bolton with wigan")["findings"]
    assert found["judged"] == "yellow builds rail bolton--wigan with wigan, coal from bolton.1"


def test_never_names_the_rule_and_always_needs_no_luck(tmp_path: Path) -> None:
    question = PRESTON + "    unknown tile[lancaster.1]\n    unknown money[red]\n"
    always, never = ask(
        tmp_path, question, "yellow passes with cotton_mill", "yellow builds canal lancaster--scotland with cotton_mill"
    )["findings"]
    assert always["verdict"] == "always"
    assert (never["verdict"], reasons(never)) == ("never", ["link.canal_line"])


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("    given tile[bury.2] = red port 1\n    unknown tile[bury.2]\n", "this is stated, and unknown"),
        ("    given round = 4\n", "this was stated otherwise before"),
        ("    given tile[bury.2] = yellow cotton_mill 2\n", "tiles.one_per_town"),
        ("    given tile[manchester.1] = purple coal_mine 1\n", "tiles.cubes"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, told: str
) -> None:
    path = tmp_path / "question.brass"
    path.write_text(OLDHAM + lines + "    > yellow passes with oldham\n", encoding="utf-8")
    assert main(["ask", str(path)]) == 2
    assert told in capsys.readouterr().err


def test_a_text_that_is_no_question_is_told_how_to_begin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "question.brass"
    path.write_text("> yellow passes with oldham\n", encoding="utf-8")
    assert main(["ask", str(path)]) == 2
    assert 'begin with question "...":' in capsys.readouterr().err


def test_only_what_the_move_needs_would_be_otherwise(tmp_path: Path) -> None:
    # No card has been played in this position, so play never reaches it; that is no reason to change the discard pile.
    question = OLDHAM.replace("lancashire-2007", "lancashire-2018\n    players 3")
    move = "yellow builds cotton_mill at oldham with oldham, coal from bury.1"
    (found,) = ask(tmp_path, question, move, options=("--legal-if",))["findings"]
    assert [way["instead_of"] for way in found["legal_if"]] == [
        ["tile[rochdale.1] = red coal_mine 1 with 2 cubes"],
        ["link[oldham--rochdale] = red"],
    ]
