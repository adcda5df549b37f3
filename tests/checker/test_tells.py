"""What a scenario expects a move to tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from brassspec.checker.scenarios import ScenarioResult, ScenarioRun
from brassspec.grammar.parser import parse
from brassspec.rules.api import Game
from brassspec.rules.concrete import Rules
from brassspec.rules.library import build, load_spec
from brassspec.rules.scenarios import read_situation

RELAY = Path(__file__).parent.parent / "data" / "relay.brass"


@pytest.fixture(scope="module")
def game() -> Game:
    return Game(Rules(build(load_spec(RELAY), {}, 2)))


def run(game: Game, *lines: str) -> ScenarioResult:
    text = 'scenario "told" cites book "Laying":\n' + "".join(f"    {line}\n" for line in lines)
    declarations, problems = parse(text, "told.brass")
    assert not problems
    return ScenarioRun(game.rules, game.speaker, read_situation(declarations[0]), None, None).run()


MOVE = ("> ann lays a--b", "=> legal")


def test_what_is_told_is_told(game: Game) -> None:
    result = run(game, *MOVE, "tells:", "    lays(ann, a--b)")
    assert result.problems == []
    assert result.counts["expectations"] == 1


def test_values_may_speak_of_the_position_after_it(game: Game) -> None:
    chance = ("> ann rests", "=> legal", "> the die shows 3", "tells:", "    earns(ann, coins[ann] - 2)")
    assert run(game, *chance).problems == []


@pytest.mark.parametrize(
    "told",
    [["    lays(bob, a--b)"], ["    lays(ann, b--c)"], ["    lays(ann, a--b)", "    wins(ann)"], ["    wins(ann)"]],
)
def test_more_less_and_other_things_fail(game: Game, told: list[str]) -> None:
    (problem,) = run(game, *MOVE, "tells:", *told).problems
    assert "but it tells [{'event': 'lays', 'runner': 'ann', 'trail': 'a--b'}]" in problem


def test_an_illegal_move_tells_nothing(game: Game) -> None:
    lines = ("> ann lays c--d", "=> illegal by trail.joined", "tells:", "    lays(ann, c--d)")
    (problem,) = run(game, *lines).problems
    assert "but it tells []" in problem


@pytest.mark.parametrize(
    ("event", "trouble"),
    [
        ("flies(ann)", "there is no event flies"),
        ("wins", "wins has 1 fields, here are 0"),
        ("wins(a--b)", "a--b"),
    ],
)
def test_what_is_no_event_is_an_error(game: Game, event: str, trouble: str) -> None:
    (problem,) = run(game, *MOVE, "tells:", f"    {event}").problems
    assert trouble in problem
