"""Hints: what was noted once is found at once, and nothing is believed for their sake."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brassspec.checker.prove import Report, prove
from brassspec.checker.symbolic import hints
from brassspec.formats import InputError

LANES = (Path(__file__).parents[1] / "data" / "lanes.brass").read_text(encoding="utf-8")
INVARIANT = "loads.conserved"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the hints that ship are, here: none, at first."""
    monkeypatch.setattr(hints, "FOLDER", tmp_path)
    hints.shipped.cache_clear()
    yield tmp_path
    hints.shipped.cache_clear()


def proved(folder: Path, text: str = LANES, note: str | None = None, name: str | None = None) -> Report:
    path = folder / "lanes.brass"
    path.write_text(text, encoding="utf-8")
    hints.shipped.cache_clear()
    return prove(str(path), name, jobs=1, note=None if note is None else folder / note)


def verdicts(report: Report) -> dict[str, tuple[str, str]]:
    return {s.name: (s.verdict, s.assurance) for s in report.shown}


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def replaced(path: Path, conditions: str) -> None:
    """The same goals, with other conditions."""
    told = document(path)
    for backends in told["hints"].values():
        for goals in backends.values():
            goals.update(dict.fromkeys(goals, conditions))
    path.write_text(json.dumps(told), encoding="utf-8")


def test_what_was_noted_is_of_use(folder: Path) -> None:
    without = proved(folder, note="lanes.json")
    assert without.hints == 0
    again = proved(folder)
    assert again.hints > 0
    assert again.units < without.units
    assert verdicts(again) == verdicts(without)


def test_notes_are_the_same_in_every_run(folder: Path) -> None:
    proved(folder, note="one.part")
    proved(folder, note="two.part")
    assert (folder / "one.part").read_bytes() == (folder / "two.part").read_bytes()


def test_a_file_that_is_written_anew_keeps_what_is_of_use(folder: Path) -> None:
    proved(folder, note="lanes.json")
    before = document(folder / "lanes.json")
    told = document(folder / "lanes.json")
    told["hints"]["no_such_transition"] = {"bv": {"1": "2 3"}}
    (folder / "lanes.json").write_text(json.dumps(told), encoding="utf-8")
    proved(folder, note="lanes.json")
    assert document(folder / "lanes.json") == before


@pytest.mark.parametrize("conditions", ["", "0", "1 2 3"])
def test_a_wrong_hint_costs_time_and_nothing_else(folder: Path, conditions: str) -> None:
    without = proved(folder, note="lanes.json")
    replaced(folder / "lanes.json", conditions)
    assert verdicts(proved(folder)) == verdicts(without)


def test_a_rule_broken_since_is_refuted(folder: Path) -> None:
    proved(folder, note="lanes.json")
    assert LANES.count("    spare := spare + 1\n") == 1
    report = proved(folder, LANES.replace("    spare := spare + 1\n", ""), name=INVARIANT)
    assert report.verdict == "refuted"


def test_the_hints_that_ship_fit_the_rules() -> None:
    """Else they are to be noted anew: `brassspec prove RULESET --note brassspec/checker/hints/RULESET.json`. With another Z3, too."""
    assert prove("mini", "tiles.cubes", jobs=1).hints >= 10


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "no JSON"),
        ("[]", "no file of hints"),
        ('{"format": "brassspec/hints/9", "hints": {}}', "no file of hints"),
        ('{"format": "brassspec/hints/2"}', "hex digits"),
        ('{"format": "brassspec/hints/2", "hints": {"build": {"bv": {"1": 2}}}}', "hex digits"),
        ('{"format": "brassspec/hints/2", "hints": {"build": {"bv": {"1": "xyz"}}}}', "hex digits"),
        ('{"format": "brassspec/hints/2", "hints": {"build": {"bv": {"123456789": "1"}}}}', "hex digits"),
    ],
)
def test_what_is_no_file_of_hints_is_refused_and_left(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "some.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        prove("mini", note=path)
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be written"):
        hints.Notebook(tmp_path / "none" / "some.json")
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "some.json", tmp_path / ("a" * 300), Path("-")):
        with pytest.raises(InputError, match="can't be written"):
            hints.Notebook(path)


def test_hints_are_noted_of_all_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leave out"):
        prove("mini", "tiles.cubes", note=tmp_path / "some.json")
