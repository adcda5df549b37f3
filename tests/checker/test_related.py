"""Two rulesets side by side: what is the same as written, and how a position of one reads in the other."""

from __future__ import annotations

import pytest

from brassspec.checker.related import Foreign, Related
from brassspec.rules.api import game


def related(reading: str) -> Related:
    return Related(game("mini", 2).rules, game(f"mini+{reading}", 2).rules)


def test_only_what_refers_to_the_change_is_not_the_same() -> None:
    both = related("overbuild_exhausted=either")
    assert set(both.a.model.transitions()) - both.same_moves == {"build", "combine"}
    assert both.rules_apart() == ([], [], ["overbuild.exhausted"])


def test_what_only_sets_an_own_variable_is_the_same_to_the_other() -> None:
    both = related("two_rails_apart=apart")
    assert both.own == ((), ("first_rail",))
    assert "pass" in both.same_moves
    assert "second_rail" not in both.same_moves


def test_a_position_of_one_is_read_by_the_other_with_what_only_that_remembers() -> None:
    both = related("two_rails_apart=apart")
    start = both.a.initial()
    there = both.as_b(start)
    assert there[both.b.index["first_rail"]] is None
    assert both.as_b(start, {"first_rail": 2})[both.b.index["first_rail"]] == 2
    assert both.alike(start, there)
    at = both.b.index["round"]
    assert both.apart(start, (*there[:at], 3, *there[at + 1 :])) == ["round"]


def test_a_value_that_the_other_has_no_word_for_is_foreign() -> None:
    both = related("vp_floor=none").back
    state = list(both.a.initial())
    at = both.a.index["vp"]
    state[at] = (-1, 0)
    with pytest.raises(Foreign):
        both.as_b(tuple(state))
    assert both.apart(tuple(state), both.b.initial()) == ["vp"]


def test_requirements_added_make_a_stricter_transition() -> None:
    assert related("combined_overbuild=no").stricter("combine") == (False, True)
    assert related("overbuild_exhausted=either").stricter("build") == (False, False)
