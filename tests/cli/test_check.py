"""`check` as people and programs see it: what was examined, and each kind of difference once, with its rule and a scenario."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from brassspec.checker import check as checking
from brassspec.cli.main import main
from brassspec.formats.schemas import schema
from brassspec.rules.api import Game
from brassspec.rules.concrete import Rules
from brassspec.rules.library import build, load_spec

RELAY = Path(__file__).parent.parent / "data" / "relay.brass"
CHECK = ["check", str(RELAY), "--games", "12", "--jobs", "1", "--z3", "0"]


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema("result")).validate(found)
    return found


@pytest.fixture
def lenient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another opinion: trails cost nothing to look at, and rivals' trails may be laid over."""
    spec = tmp_path / "relay.brass"
    text = RELAY.read_text(encoding="utf-8")
    spec.write_text(text.replace("not owner[trail] exists\n", "true\n"), encoding="utf-8")

    def reference(target: checking.Target, players: int) -> Game:
        return Game(Rules(build(load_spec(spec), {}, players)))

    monkeypatch.setattr(checking.Target, "reference", reference)


def test_what_was_examined(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(CHECK) == 0
    told = capsys.readouterr().out
    assert "  24 games (" in told
    assert "), 4 tours of 4 scenario positions\n" in told
    assert "never sole decider: none" in told
    assert "sole decider, times: " in told
    found = as_json(capsys, *CHECK, code=0)
    assert found["counts"]["games"] == 24
    assert found["counts"]["relaxed_moves"] > 0
    (deciders,) = [f for f in found["findings"] if f["kind"] == "sole_decider"]
    assert set(deciders["times"]) == {"turn.order", "trail.free", "trail.price", "trail.joined"}
    assert deciders["never"] == []


def test_a_difference_is_told_once_with_its_rule_and_a_scenario(
    lenient: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(CHECK) == 1
    told = capsys.readouterr().out
    assert told.count("illegal by trail.free\n") == told.count("DIFFERENCE about verdict") == 1
    line = next(i for i, t in enumerate(RELAY.read_text(encoding="utf-8").splitlines(), 1) if "require trail.free" in t)
    assert f"see relay.brass:{line}: trail.free: a trail is laid once" in told
    assert f"again: brassspec check {RELAY} --games 1 --seed " in told
    scenario = told[told.index('scenario "verdict') :]
    assert "given owner[" in scenario
    found = as_json(capsys, *CHECK, code=1)
    (finding,) = [f for f in found["findings"] if f["kind"] == "divergence"]
    assert finding["about"] == "verdict"
    assert finding["times"] > 1
    assert finding["spec"][0].startswith("trail.free: a trail is laid once (here: ")
    assert finding["other"] == ["legal"]
    assert finding["rules"] == [
        {"name": "trail.free", "sentence": "a trail is laid once", "place": f"relay.brass:{line}"}
    ]
    assert finding["position"]["ruleset"] == "relay"
    assert finding["taken"]["action"] == "lay"
    assert finding["lines"] == 1


def test_a_difference_is_found_again_by_its_command(lenient: None, capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = [f for f in as_json(capsys, *CHECK, code=1)["findings"] if f["kind"] == "divergence"]
    again = finding["repro"].split()[1:]
    found = as_json(capsys, *again, "--jobs", "1", code=1)["findings"]
    assert finding["signature"] in [f["signature"] for f in found if f["kind"] == "divergence"]


def test_another_checks_journal_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = str(tmp_path / "journal")
    assert main([*CHECK, "--journal", journal]) == 0
    first = capsys.readouterr().out
    assert main([*CHECK, "--journal", journal]) == 0
    assert capsys.readouterr().out == first
    assert main([*CHECK, "--seed", "5", "--journal", journal]) == 2
    assert "another campaign's" in capsys.readouterr().err
