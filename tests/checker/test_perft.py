"""Counts of moves: against an independent count, against each other, and against those that are published."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from brassspec.checker import opinions
from brassspec.checker import perft as module
from brassspec.checker.perft import Row, perft, ticket
from brassspec.engine import Engine
from brassspec.formats import InputError, Move, Outcome, Position
from brassspec.rules.api import Game, game

RELAY = str(Path(__file__).resolve().parents[1] / "data" / "relay.brass")


def by_recursion(g: Game, position: Position, depth: int, seed: int) -> int:
    """The number of sequences as the definition says it: by plain data, one by one."""
    while due := g.chance(position):
        drawn = ticket(sum(weight for _, weight in due), seed)
        chosen = [outcome for outcome, weight in due for _ in range(weight)][drawn]
        after = g.apply_chance(position, chosen).position
        assert after is not None
        position = after
    if depth == 0:
        return 1
    nexts = [g.step(position, move).position for move in g.legal_moves(position)]
    return sum(by_recursion(g, after, depth - 1, seed) for after in nexts if after is not None)


def moves(rows: tuple[Row, ...]) -> list[int]:
    return [row.moves for row in rows]


def test_the_script_of_chance_is_the_one_written_down() -> None:
    assert ticket(66, 1) == 54
    assert [ticket(n, 2) for n in (1, 2, 3, 57)] == [0, 0, 2, 16]
    for seed in (0, 1, 2**53):
        assert all(0 <= ticket(n, seed) < n for n in range(1, 200))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_counts_are_those_of_the_definition(seed: int) -> None:
    g = game("mini", 2)
    (counted,) = perft("mini", 3, seed=seed, opinion="spec").counts
    assert moves(counted.rows) == [by_recursion(g, g.initial(), depth, seed) for depth in range(4)]


def test_both_opinions_count_the_same_on_the_small_board() -> None:
    found = perft("mini", 4, events=True)
    assert found.verdict == "same"
    spec, engine = found.counts
    assert (spec.opinion, engine.opinion) == ("spec", "engine")
    assert spec.rows == engine.rows
    assert moves(spec.rows) == [1, 6, 41, 406, 2137]
    assert all(row.moves == row.actions.total() for row in spec.rows[1:])


def test_a_position_counts_what_its_first_moves_count_with_one_move_less() -> None:
    found = perft("mini", 4, divide=True, events=True)
    spec, engine = found.counts
    assert {line.text: line for line in spec.lines} == {line.text: line for line in engine.lines}
    assert spec.rows == perft("mini", 4, opinion="spec", events=True).counts[0].rows
    assert sum(line.moves for line in spec.lines) == spec.rows[-1].moves
    g = game("mini", 2)
    first = g.initial()
    while due := g.chance(first):
        first = g.apply_chance(first, [c for c, w in due for _ in range(w)][ticket(sum(w for _, w in due), 1)]).position  # type: ignore[assignment]
    for line in spec.lines:
        after = g.step(first, line.move).position
        assert after is not None
        (below,) = perft(after, 3, opinion="spec").counts
        assert below.rows[-1].moves == line.moves


def test_events_are_told_from_one_decision_to_the_next() -> None:
    (counted,) = perft("mini", 1, opinion="spec", events=True).counts
    assert counted.rows[0].events == Counter(era_begun=1, card_drawn=4, round_begun=1, income_paid=1)
    assert counted.rows[1].events == Counter(
        card_played=6, paid=4, tile_built=4, loan_taken=1, income_moved=1, passed=1
    )
    (in_bulk,) = perft("mini", 1, opinion="spec").counts
    assert in_bulk.rows[1].events is None


def test_a_game_that_is_no_brass_has_one_opinion() -> None:
    found = perft(RELAY, 5, players=3)
    assert found.verdict == "ok"
    g = Game(module.Target.of(RELAY).rules(3))
    assert moves(found.counts[0].rows) == [by_recursion(g, g.initial(), depth, 1) for depth in range(6)]
    with pytest.raises(InputError, match="does not play relay"):
        perft(RELAY, 1, opinion="both")


def test_rows_end_with_the_last_move_of_the_last_game() -> None:
    g = game("mini", 2)
    *_, (before, *_), _ = [m for m in g.rules.play(random.Random(5)) if m[1] != "chance"]
    found = perft(g.codec.position(before), 50, events=True)
    assert found.verdict == "same"
    (last, *_), _ = (c.rows for c in found.counts)
    rows = found.counts[0].rows
    assert all(c.complete for c in found.counts)
    assert 2 <= len(rows) < 50
    assert last.moves == 1
    assert (rows[-1].events or {})["ranked"] == 2 * rows[-1].moves


def test_a_depth_that_needs_too_many_positions_is_not_counted() -> None:
    found = perft("mini", 4, limit=30, opinion="spec")
    assert found.verdict == "unknown"
    assert moves(found.counts[0].rows) == [1, 6]


@pytest.mark.parametrize(
    ("depth", "players", "message"),
    [(0, None, "depth: 0 is not between 1 and"), (10**6, None, "is not between"), (1, 3, "mini is for 2 players")],
)
def test_what_cannot_be_counted_is_said(depth: int, players: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        perft("mini", depth, players=players)


def test_a_position_must_be_at_rest_and_for_as_many_players() -> None:
    with pytest.raises(InputError, match="not at rest: set_order is due"):
        perft(Position("lancashire-2007", 3, {"phase": "order", "actions": 0, "turn": 1}), 1)
    with pytest.raises(InputError, match="for 3, not 4"):
        perft(Position("lancashire-2007", 3, {"phase": "start"}), 1, players=4)


class Forgetful(Engine):
    """An engine with a fault: where somebody has a canal, nobody passes."""

    def legal_moves(self, position: Position) -> list[Move]:
        passed = position.state["link"]
        return [m for m in super().legal_moves(position) if not passed or m["action"] != "pass"]


class Silent(Engine):
    """An engine with a fault: it does not tell who borrows."""

    def step(self, position: Position, move: Move) -> Outcome:
        outcome = super().step(position, move)
        return Outcome(
            outcome.violated, outcome.position, tuple(e for e in outcome.events if e["event"] != "loan_taken")
        )


def test_where_the_opinions_part_the_first_line_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "reference", lambda ruleset, players: Forgetful(ruleset, players))
    found = perft("mini", 4)
    assert found.verdict == "different"
    d = found.difference
    assert d is not None
    assert d.spec is not None
    assert d.engine is not None
    assert d.depth == 4
    assert d.spec.actions - d.engine.actions == Counter({"pass": d.spec.moves - d.engine.moves})
    assert d.move


def test_a_move_that_tells_other_events_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "reference", lambda ruleset, players: Silent(ruleset, players))
    d = perft("mini", 2).difference
    assert d is not None
    assert d.depth == 1
    assert d.move == "yellow borrows 1 times £10 with preston"
    assert d.spec is not None
    assert d.spec.events == Counter(card_played=1, loan_taken=1, income_moved=1)


def test_the_engine_may_count_alone() -> None:
    found = perft("mini", 3, opinion="engine")
    assert [c.opinion for c in found.counts] == ["engine"]
    assert moves(found.counts[0].rows) == [1, 6, 41, 406]
    assert found.verdict == "ok"
    assert opinions.reference("nothing", 2) is None
