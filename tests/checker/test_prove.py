"""`prove` on a tiny game: what holds is proved, and what is broken by hand is refuted by what replays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brassspec.checker import prove as proving
from brassspec.checker.prove import Report, Shown, prove
from brassspec.cli.main import main
from brassspec.formats import InputError

LANES = (Path(__file__).parents[1] / "data" / "lanes.brass").read_text(encoding="utf-8")


def proved(tmp_path: Path, *changes: tuple[str, str], name: str | None = None) -> Report:
    """What `prove` says of the tiny game with some of its text changed."""
    text = LANES
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = tmp_path / "lanes.brass"
    path.write_text(text, encoding="utf-8")
    return prove(str(path), name, jobs=1)


def of(report: Report, name: str) -> Shown:
    return next(s for s in report.shown if s.name == name)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return proved(tmp_path_factory.mktemp("lanes"))


def test_all_is_as_expected(whole: Report) -> None:
    assert whole.verdict == "proved"
    assert {s.name: (s.verdict, s.assurance) for s in whole.shown} == {
        "loads.conserved": ("proved", "proved"),
        "purse.reload": ("proved", "proved"),
        "purse.bank": ("proved", "proved"),
        "lower.empty": ("refuted", "reached by play"),
        "lower.reload": ("proved", "reached by play"),
        **{f"bounds.{name}": ("proved", "proved") for name in ("load", "spare", "purse", "turn", "wind")},
    }


def test_an_invariant_has_a_case_for_set_up_and_each_transition(whole: Report) -> None:
    cases = [c.transition for c in of(whole, "loads.conserved").cases]
    assert cases == ["setup", "unload", "reload", "gather", "gust"]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("    spare := spare + 1\n", "", "loads.conserved"),  # an effect dropped
        (
            "sum { load[k] for k in Lane }",
            "load[upper] + load[middle]",
            "loads.conserved",
        ),  # in a step, many cells at once
        ("min(9, purse[carter] + 1)", "purse[carter] + 1", "bounds.purse"),  # a cap dropped
        ("        purse[carter] > 0\n", "        purse[carter] >= 0\n", "bounds.purse"),  # a bound off by one
        (
            "    purse[carter] := purse[carter] - 1\n",
            "    purse[carter] := min(9, purse[carter] + 1)\n",
            "purse.reload",
        ),
    ],
)
def test_rules_broken_by_hand(tmp_path: Path, old: str, new: str, name: str) -> None:
    report = proved(tmp_path, (old, new), name=name)
    assert report.verdict == "refuted"
    examples = [c.example for c in of(report, name).cases if c.example]
    assert examples
    assert all(e["position"]["state"] and e["origin"] and e["agreed"] == ["spec"] for e in examples)


def test_what_never_happens_breaks_nothing(tmp_path: Path) -> None:
    broken = ("sum { load[k] for k in Lane }", "load[upper] + load[middle]")
    report = proved(tmp_path, broken, ("when wind:", "when wind and spare > 4:"), name="loads.conserved")
    assert report.verdict == "proved"


def test_what_should_be_refuted_must_be(tmp_path: Path) -> None:
    report = proved(tmp_path, ("always load[lower] = 0", "always load[lower] <= 4"), name="lower.empty")
    assert (report.verdict, of(report, "lower.empty").verdict) == ("refuted", "proved")


def test_what_is_impossible(tmp_path: Path) -> None:
    change = ("possible reload where lane = lower", "possible reload where spare = 0")
    report = proved(tmp_path, change, name="lower.reload")
    assert (report.verdict, of(report, "lower.reload").verdict) == ("refuted", "refuted")


@pytest.mark.parametrize(
    "condition",
    [
        "never reload where spare = 0 and some c in Carter: after(purse[c]) > purse[c]",
        "always spare > 4 implies turn = 1",
    ],
)
def test_what_is_about_nothing(tmp_path: Path, condition: str) -> None:
    old = "never reload where some c in Carter: after(purse[c]) > purse[c]"
    report = proved(tmp_path, (old, condition), name="purse.reload")
    assert (report.verdict, of(report, "purse.reload").verdict) == ("vacuous", "vacuous")


def test_an_invariant_in_play_is_not_asked_of_positions(tmp_path: Path) -> None:
    change = ("invariant loads.conserved ", "invariant loads.conserved in play ")
    assert of(proved(tmp_path, change, name="loads.conserved"), "loads.conserved").verdict == "proved"


def test_the_same_twice(tmp_path: Path, whole: Report) -> None:
    again = proved(tmp_path)
    assert [(s.name, s.verdict, [c.units for c in s.cases]) for s in again.shown] == [
        (s.name, s.verdict, [c.units for c in s.cases]) for s in whole.shown
    ]


def test_what_is_not_proved_is_tested_and_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "BUDGETS", (1,))
    report = proved(tmp_path, name="loads.conserved")
    shown = of(report, "loads.conserved")
    assert (report.verdict, shown.verdict) == ("unknown", "unknown")
    assert shown.assurance == f"tested({report.positions} positions)"
    unknown = [c for c in shown.cases if c.assurance == "unknown"]
    assert unknown
    assert all(c.transition and c.reason.startswith("Z3 gave up, at 1 units a question: ") for c in unknown)


def test_a_retry_proves_only_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Report) -> None:
    monkeypatch.setattr(proving, "BUDGETS", (1, *proving.BUDGETS))
    report = proved(tmp_path)
    assert {s.name: s.verdict for s in report.shown} == {s.name: s.verdict for s in whole.shown}


def test_questions_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lanes.brass"
    path.write_text(LANES, encoding="utf-8")
    folder = tmp_path / "smt2"
    assert main(["prove", str(path), "purse.bank", "--jobs", "1", "--smt2", str(folder), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "proved"
    assert result["findings"][0]["cases"]
    texts = [p.read_text(encoding="utf-8") for p in sorted(folder.iterdir())]
    assert texts
    assert all("(check-sat)" in text for text in texts)


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"purse\.bank"):
        proved(tmp_path, name="purse.bonk")
    with pytest.raises(InputError, match="2 players, not 3"):
        prove(str(tmp_path / "lanes.brass"), players=3)
