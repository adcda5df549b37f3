"""The list of legal moves: all that is judged legal, in order, however it is put together."""

from __future__ import annotations

import random

import pytest

from brassspec.rules.api import Game, Request, Taken, game
from brassspec.rules.concrete import State


def decisions(g: Game, seed: int) -> list[State]:
    """The positions of a random game in which a player decides."""
    return [state for state, kind, _, _ in g.rules.play(random.Random(seed)) if kind == "action"]


def judged_legal(g: Game, state: State) -> set[Taken]:
    """Every well-formed move that no requirement forbids."""
    tried = {taken for number, t in enumerate(g.model.actions.values()) for taken in g.possible(Request(t, number, {}))}
    return {taken for taken in tried if g.rules.judge(state, *taken).state is not None}


def order(move: Taken) -> tuple[int, list[int]]:
    """By action, then by arguments, nothing before all values."""
    return move[0], [-1 if a is None else a for a in move[1]]


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_what_is_listed_is_what_is_judged_legal(seed: int) -> None:
    g = game("mini", 2)
    state = random.Random(seed).choice(decisions(g, seed))
    assert g.rules.legal(state) == sorted(judged_legal(g, state), key=order)


@pytest.mark.parametrize(("ruleset", "players"), [("mini", 2), ("mini-birmingham", 2), ("birmingham-2018", 2)])
def test_choices_are_the_legal_moves_in_order(ruleset: str, players: int) -> None:
    g = game(ruleset, players)
    for state in decisions(g, 1):
        legal = g.rules.legal(state)
        assert legal == sorted(set(legal), key=order)
        choices = g.rules.choices(state)
        assert len(choices) == len(legal)
        last = len(legal) - 1
        assert [choices[i] for i in (last, last // 2, 0)] == [legal[i] for i in (last, last // 2, 0)]
        with pytest.raises(IndexError):
            choices[len(legal)]
