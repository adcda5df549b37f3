"""The language is general: a small game that is not Brass is specified, played, judged and explained."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from brassspec.checker.check import check
from brassspec.checker.questions import Judge
from brassspec.rules.api import Game
from brassspec.rules.concrete import InternalError, Rules
from brassspec.rules.library import build, load_spec

RELAY = Path(__file__).parent.parent / "data" / "relay.brass"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules(build(load_spec(RELAY), {}, 2))


def test_check_examines_it_and_finds_it_good() -> None:
    (report,) = check([str(RELAY)], games=4, jobs=1)
    assert report.verdict == "ok", report
    assert report.counts["scenarios"] == 1
    assert report.counts["games"] == 8
    assert report.counts["requirements"] == 4
    assert report.counts["z3_verdicts"] > 0
    assert report.assurance["reference engine"] == "not run"


def test_random_games_end_with_a_winner(rules: Rules) -> None:
    winner = rules.index["winner"]
    for seed in range(20):
        *_, (state, kind, _, _) = rules.play(random.Random(seed))
        assert kind == "over"
        assert state[winner] is not None


def test_every_violated_requirement_is_named_with_its_facts(rules: Rules) -> None:
    judge = Judge(Game(rules))
    state = rules.initial()
    answer = judge.ask(state, "ann lays a--d")
    assert answer.verdict == "illegal"
    assert [(r.requirement, r.facts) for r in answer.reasons] == [("trail.price", "a--d costs 3, ann has 2")]
    assert answer.nearby == ["ann lays a--b"]
    both = judge.ask(state, "bob lays c--d")
    assert [r.requirement for r in both.reasons] == ["turn.order", "trail.joined"]


def test_chance_is_weighted(rules: Rules) -> None:
    judge = Judge(Game(rules))
    after = rules.step(rules.initial(), *judge.speaker.parse_move("ann rests")).state
    assert after is not None
    assert [(args, weight) for _, args, weight in rules.chance(after)] == [((1,), 3), ((2,), 2), ((3,), 1)]


def third_to_move(rules: Rules) -> tuple[object, ...]:
    state = list(rules.initial())
    state[rules.index["turn"]] = 3
    return tuple(state)


def test_a_legal_verdict_names_the_exception_it_used() -> None:
    judge = Judge(Game(Rules(build(load_spec(RELAY), {}, 3))))
    answer = judge.ask(third_to_move(judge.rules), "cy lays a--d")
    assert answer.verdict == "legal"
    assert answer.exceptions == ("trail.friends",)


def test_a_bound_exceeded_in_play_is_an_internal_error_never_a_silent_cap(tmp_path: Path) -> None:
    faulty = tmp_path / "relay.brass"
    faulty.write_text(RELAY.read_text().replace("max(0, coins[runner] - price(trail))", "coins[runner] - price(trail)"))
    judge = Judge(Game(Rules(build(load_spec(faulty), {}, 3))))
    with pytest.raises(InternalError, match="exceeds its bounds"):
        judge.ask(third_to_move(judge.rules), "cy lays a--d")


def test_a_file_that_changed_between_two_checks_is_read_again(tmp_path: Path) -> None:
    game = tmp_path / "relay.brass"
    game.write_text(RELAY.read_text(encoding="utf-8"), encoding="utf-8")
    (sound,) = check([str(game)], games=0, jobs=1)
    assert sound.verdict == "ok"
    game.write_text(
        RELAY.read_text(encoding="utf-8").replace("<= coins[runner]", "<= coins[runner] + 9"), encoding="utf-8"
    )
    (faulty,) = check([str(game)], games=0, jobs=1)
    assert [s.title for s in faulty.failed_scenarios] == ["a trail out of reach"]
