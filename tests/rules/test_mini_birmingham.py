"""The small game `mini-birmingham`: it has the rules of Birmingham, plays to its end, and its first positions break no invariant."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from brassspec.checker.exhaustive import enumerate_all
from brassspec.rules.cache import load_rules
from brassspec.rules.concrete import Rules
from brassspec.rules.library import load_model

FIRST = 3_000


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules("mini-birmingham", 2)


def test_its_requirements_are_those_of_birmingham(rules: Rules) -> None:
    assert list(rules.model.requirements) == list(load_model("birmingham-2018", 2).requirements)


def test_random_games_end_after_ten_actions(rules: Rules) -> None:
    over = rules.model.sorts["Phase"].members.index("over")
    follow = {"second_rail", "develop_second", "bonus_develop", "sell_more", "done", "give_up"}
    seen = Counter[str]()
    for seed in range(40):
        *moments, (state, kind, _, _) = rules.play(random.Random(seed))
        assert kind == "over"
        assert state[rules.index["phase"]] == over
        begun = [rules.action_names[a] for _, what, a, _ in moments if what == "action"]
        seen.update(begun)
        assert sum(name not in follow for name in begun) == 10
    assert {"build", "canal", "rail", "develop", "loan", "pass"} <= seen.keys()


def test_the_first_positions_are_distinct_and_break_no_invariant(rules: Rules) -> None:
    positions = list(enumerate_all(rules, FIRST))
    assert len(set(positions)) == FIRST
    assert [s for s in positions if rules.broken(s)] == []
