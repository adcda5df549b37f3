"""The small game `mini`: it loads, plays to its end, and the first part of its tree is what it should be."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from brassspec.checker.check import check
from brassspec.checker.exhaustive import enumerate_all, exhaustive, successors
from brassspec.formats import Move, Position
from brassspec.rules.api import Game
from brassspec.rules.cache import load_rules
from brassspec.rules.concrete import Rules
from brassspec.rules.library import load_model

FIRST = 4_000


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules("mini", 2)


def test_its_requirements_are_those_of_2007(rules: Rules) -> None:
    assert list(rules.model.requirements) == list(load_model("lancashire-2007", 3).requirements)


def test_random_games_end_after_ten_actions_and_two_rounds_of_scoring(rules: Rules) -> None:
    phase, vp = rules.index["phase"], rules.index["vp"]
    over = rules.model.sorts["Phase"].members.index("over")
    points = Counter[bool]()
    for seed in range(30):
        *moments, (state, kind, _, _) = rules.play(random.Random(seed))
        assert kind == "over"
        assert state[phase] == over
        played = [rules.action_names[a] for _, what, a, _ in moments if what == "action"]
        begun = [n for n in played if n not in ("second_rail", "develop_second", "sell_more", "done", "give_up")]
        assert sum(2 if n == "combine" else 1 for n in begun) == 10
        points[any(state[vp])] += 1
    assert points[True] > 0


def test_the_first_positions_are_distinct_and_break_no_invariant(rules: Rules) -> None:
    seen = list(enumerate_all(rules, FIRST))
    assert len(seen) == FIRST
    assert len(set(seen)) == FIRST
    assert [s for s in seen if rules.broken(s)] == []
    # Breadth first: each but the first follows an earlier one.
    followers = {after for s in seen for after in successors(rules, s)}
    assert set(seen[1:]) <= followers


def test_enumeration_has_one_order(rules: Rules) -> None:
    assert list(enumerate_all(rules, 500)) == list(enumerate_all(rules, 500))


def test_shares_add_up(rules: Rules) -> None:
    whole = exhaustive("mini", 2, None, limit=900, altered=0.5, by=("era", "phase"))
    halves = [exhaustive("mini", 2, None, limit=900, share=(i, 2), altered=0.5, by=("era", "phase")) for i in range(2)]
    both = halves[0] + halves[1]
    assert both.tally.counts == whole.tally.counts
    assert both.tally.decisive == whole.tally.decisive
    assert both.kinds == whole.kinds
    assert both.happened == whole.happened
    assert whole.tally.counts["positions"] == sum(whole.kinds.values()) == 900


def test_what_was_not_seen_to_its_end_or_by_nobody_else_is_not_called_ok() -> None:
    found = exhaustive("mini", 2, None, limit=200)
    assert not found.complete
    assert found.verdict == "unknown"
    assert exhaustive("mini", 2, None, limit=0).verdict == "vacuous"


def test_check_finds_it_good() -> None:
    (report,) = check(["mini"], games=2, jobs=1)
    assert report.verdict == "ok", report
    assert report.counts["scenarios"] == 5
    assert report.counts["games"] == 2


class Forgetful(Game):
    """An opinion with a fault: it forgets that one may borrow."""

    def legal_moves(self, position: Position) -> list[Move]:
        return [m for m in super().legal_moves(position) if m["action"] != "loan"]


def test_an_opinion_that_agrees_gives_no_divergence_and_a_faulty_one_does(rules: Rules) -> None:
    same = exhaustive("mini", 2, Game(rules), limit=120)
    assert same.tally.divergences == []
    assert same.tally.counts["legal_sets"] == same.tally.counts["positions"] == 120
    faulty = exhaustive("mini", 2, Forgetful(rules), limit=120)
    assert faulty.verdict == "failed"
    assert {d.kind for d in faulty.tally.divergences} == {"legal moves"}
    assert {d.spec for d in faulty.tally.divergences} == {"legal"}
