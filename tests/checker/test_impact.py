"""How often a reading matters: counts of seeded games, and the interval of a share."""

from __future__ import annotations

from pathlib import Path

import pytest

from brassspec.checker.impact import impact, wilson
from brassspec.formats import InputError


def test_a_reading_that_changes_nothing_changes_no_game() -> None:
    found = impact("mini+thirty_cap=loan", 4)
    assert (found.legal.count, found.outcome.count, found.winner and found.winner.count) == (0, 0, 0)
    assert found.decisions > 0
    assert not found.by_transition
    assert found.first is None


def test_a_reading_that_allows_more_changes_legal_moves_only() -> None:
    found = impact("mini+first_link=anywhere", 8)
    assert found.legal.count > 0
    assert found.outcome.count == found.outcome_decisions == 0
    assert set(found.by_transition) <= {"canal", "rail", "second_rail"}
    assert found.first is not None
    assert found.legal.low < found.legal.count / 8 < found.legal.high or found.legal.count == 8


def test_another_set_up_is_seen_in_the_winner() -> None:
    found = impact("mini+income_start=space_0", 6)
    assert found.legal.count == 0
    assert found.winner is not None
    assert 0 <= found.winner.count <= 6


def test_a_journal_gives_the_same_again(tmp_path: Path) -> None:
    journal = tmp_path / "impact.journal"
    first = impact("mini+loan_floor=clamped", 4, seed=3, journal=journal)
    assert impact("mini+loan_floor=clamped", 4, seed=3, journal=journal) == first
    assert len(journal.read_text(encoding="utf-8").splitlines()) == 5


def test_the_interval_of_a_share() -> None:
    low, high = wilson(5, 10)
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    with pytest.raises(ValueError, match="no share"):
        wilson(0, 0)


def test_mistakes_are_refused() -> None:
    with pytest.raises(InputError, match="names no reading"):
        impact("mini", 4)
    with pytest.raises(InputError, match="no reading lone"):
        impact("mini+thirty_cap=lone", 4)
    with pytest.raises(InputError, match="games"):
        impact("mini+thirty_cap=loan", 0)
