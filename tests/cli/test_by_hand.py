"""A game at the keyboard: moves in words, refusals with their rules, undo."""

from __future__ import annotations

from brassspec.cli.by_hand import ByHand
from brassspec.rules.api import game


def session(*lines: str) -> tuple[ByHand, bool, list[str]]:
    told: list[str] = []
    rest = iter(lines)
    played = ByHand(game("lancashire-2007", 3), 7, lambda prompt: next(rest, None), told.append)
    return played, played.run(), told


def test_a_move_is_made_and_taken_back() -> None:
    _, _, start = session()
    moves = session("moves passes")[2]
    text = next(m.strip() for m in moves if " passes with " in m)
    played, over, told = session(text, "undo", "position", "quit")
    assert not over
    assert played.decisions == 0
    assert played.history == []
    assert not any("discard = " in line for line in told)
    again, _, told = session(text, "position")
    assert again.decisions == 1
    assert any(line.strip().startswith("discard = ") for line in told)
    assert start


def test_an_illegal_move_names_its_rules_and_changes_nothing() -> None:
    moves = session("moves passes")[2]
    who = next(m for m in moves if " passes with " in m).split()[0]
    played, _, told = session(f"{who} borrows 3 times £10 with nowhere", f"{who} is done", "undo")
    assert any("is no card" in line for line in told)
    assert any("done.open" in line for line in told)
    assert "nothing to undo" in told
    assert played.decisions == 0
