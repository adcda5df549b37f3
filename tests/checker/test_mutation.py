"""`mutate`: what notices a mutant, marks of equivalent ones, samples, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brassspec.checker.check import Target
from brassspec.checker.mutation import Mutation, Trial, do, mutate
from brassspec.cli.main import main
from brassspec.formats import InputError
from brassspec.formats.envelope import Verdict
from brassspec.rules.library import build, edition_file, load_spec

BEACONS = Path(__file__).parent.parent / "data" / "beacons.brass"

# What the two scenarios of the game don't notice.
SURVIVORS = {
    "weaken:turn.order/1",
    "weaken:fog_lifts.when/2",
    "off_by_one:rock.price",
    "off_by_one:fog_falls.lit/1",
    "off_by_one:fog_lifts.when/1",
    "own_to_any:lit_by",
    "drop_effect:light.lights",
    "figure:price(c)",
    "figure:ends(a--b)",
    "figure:ends(b--c)",
}


@pytest.fixture(scope="module")
def found() -> Mutation:
    return mutate(str(BEACONS), jobs=1)


def marked(folder: Path, *lines: str) -> str:
    path = folder / "beacons.brass"
    path.write_text(BEACONS.read_text() + "\n" + "\n".join(lines) + "\n")
    return str(path)


def test_survivors_are_told(found: Mutation) -> None:
    assert {f.id for f in found.survivors} == SURVIVORS
    assert found.verdict == "failed"
    assert not found.has_reference
    assert len(found.killed) + len(found.survivors) + len(found.equivalent) == len(found.fates)
    assert {f.by for f in found.killed} == {"scenarios"}


def test_it_is_told_what_noticed_a_mutant(found: Mutation) -> None:
    by_id = {f.id: f for f in found.fates}
    assert by_id["drop:rock.near"].found.endswith("the shore is lit from a")
    assert by_id["drop:rock.gift"].found.endswith("oil has its price, but at flood")


def test_steps_that_are_never_due_at_once_may_change_places(found: Mutation) -> None:
    [steps] = found.equivalent
    assert steps.id == "swap_steps:fog_falls, fog_lifts"
    assert steps.reason.startswith("proved")


def test_marks(tmp_path: Path) -> None:
    marks = [f'equivalent "{i}" because "a test"' for i in sorted(SURVIVORS)]
    good = mutate(marked(tmp_path, *marks), jobs=1)
    assert good.verdict == "ok"
    assert not good.survivors
    assert {f.id for f in good.equivalent} == SURVIVORS | {"swap_steps:fog_falls, fog_lifts"}
    wrong = mutate(marked(tmp_path, *marks, 'equivalent "drop:rock.near" because "no"'), jobs=1)
    assert wrong.verdict == "failed"
    assert [f.id for f in wrong.wrongly_marked] == ["drop:rock.near"]
    nothing = mutate(marked(tmp_path, *marks, 'equivalent "drop:no.such" because "no"'), jobs=1)
    assert nothing.verdict == "failed"
    assert nothing.missing == ["drop:no.such"]


def test_a_mark_stands_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is already a mark of a:b"):
        mutate(marked(tmp_path, *['equivalent "a:b" because "no"'] * 2), jobs=1)


def test_an_edition_takes_the_marks_of_its_base() -> None:
    base, edition = (load_spec(edition_file(name)) for name in ("lancashire-2007", "lancashire-2018"))
    assert base.own_marks
    assert edition.own_marks
    assert not set(base.own_marks) & set(edition.own_marks)
    assert set(build(edition, {}, 3).equivalent) == {*base.own_marks, *edition.own_marks}


def test_a_sample_is_the_same_for_the_same_seed(found: Mutation) -> None:
    first, again, other = (mutate(str(BEACONS), sample=5, seed=s, jobs=1) for s in (1, 1, 2))
    assert len(first.fates) == 5
    assert first.fates == again.fates
    assert first.fates != other.fates
    assert set(first.fates) <= set(found.fates)


def test_a_journal_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    whole = mutate(str(BEACONS), sample=6, jobs=1, journal=journal)
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:3]))
    seen: list[tuple[int, int]] = []
    again = mutate(str(BEACONS), sample=6, jobs=1, journal=journal, progress=lambda *done: seen.append(done))
    assert again.fates == whole.fates
    assert seen == [(i, 6) for i in range(1, 7)]
    assert sorted(journal.read_text().splitlines()) == sorted(line.rstrip("\n") for line in lines)


def test_scenarios_that_fail_anyway_tell_nothing(tmp_path: Path) -> None:
    wrong = 'scenario "wrong" cites book "Turns":\n    expect turn = 2'
    with pytest.raises(InputError, match="on the rules as they are a scenario fails"):
        mutate(marked(tmp_path, wrong), jobs=1)


def test_without_scenarios_and_engine_nothing_is_examined(tmp_path: Path) -> None:
    path = tmp_path / "beacons.brass"
    path.write_text(BEACONS.read_text().partition("scenario ")[0])
    found = mutate(str(path), sample=3, jobs=1)
    assert found.verdict == "vacuous"
    assert not found.killed


def test_the_reference_engine_notices_what_scenarios_can_not() -> None:
    told = do(Trial(Target("mini"), "drop_effect:play.card_played"))
    assert told["by"] == "cross-check"
    assert do(Trial(Target("mini"), "negate:card.held"))["by"] == "scenarios"


def test_what_is_read_beyond_a_list_is_undefined() -> None:
    """The change reads the first barrel of a list that has none."""
    assert do(Trial(Target("mini-birmingham"), "off_by_one:sell_one.if/1"))["by"]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutate", str(BEACONS), "--sample", "5", "--jobs", "1", "--json"]) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    assert told["counts"]["mutants"] == 5 == len(told["findings"])
    counts = told["counts"]
    assert counts["killed"] + counts["equivalent"] + counts["survived"] == 5
    assert told["assurance"]["reference engine"] == "not run"
    assert main(["mutate", str(BEACONS), "--sample", "0"]) == Verdict.INPUT_ERROR.exit_code
    assert main(["mutate", "no-such-game"]) == Verdict.INPUT_ERROR.exit_code


def test_the_command_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutate", str(BEACONS), "--jobs", "1"]) == 1
    out = capsys.readouterr().out
    assert "SURVIVED beacons.brass:35: `lit[r] = k` is always so  [own_to_any:lit_by]" in out
    assert "there is no reference engine for this ruleset" in out
