"""Looking for a position, or something that happens: by play, by the solver, or shown not to exist."""

from __future__ import annotations

import pytest

from brassspec.checker.find import find
from brassspec.formats import InputError
from brassspec.formats.documents import read_position
from brassspec.grammar.errors import SpecError
from brassspec.rules.api import game


def test_play_finds_a_position_with_the_moves_that_lead_there() -> None:
    found = find("mini", "count { l in Link where link[l] exists } = 1", games=4)
    assert found.verdict == "found"
    assert found.sight is not None
    assert found.sight.origin.startswith(f"reached by play: {len(found.sight.moves)} moves, game ")
    assert len([line for line in found.sight.lines if line.startswith("link[")]) == 1
    assert found.sight.engine == "agrees"


def test_play_finds_a_move_and_it_is_legal_there() -> None:
    found = find("mini", "build where industry = port and money[player] >= 10", games=4)
    assert found.sight is not None
    assert " builds port at " in found.sight.happening
    g = game("mini", 2)
    state = g.read(read_position(found.sight.position, "sight"))
    assert g.judge(state, g.speaker.parse_move(found.sight.happening)).legal


def test_play_finds_an_automatic_step() -> None:
    found = find("mini", "score where era = canal", games=1)
    assert found.sight is not None
    assert found.sight.happening == "score"


def test_the_solver_finds_what_play_did_not_in_few_lines() -> None:
    found = find("mini", "money[yellow] = 123 and era = rail", games=0)
    assert found.verdict == "found"
    assert found.sight is not None
    assert set(found.sight.lines) >= {"era = rail", "money[yellow] = £123"}
    assert len(found.sight.lines) <= 3
    assert "reachability unknown" in found.sight.origin


def test_the_solver_finds_a_move_by_what_comes_of_it() -> None:
    found = find("mini", "loan where after(money[player]) = 77", games=0)
    assert found.verdict == "found"
    assert found.sight is not None
    g = game("mini", 2)
    state = g.read(read_position(found.sight.position, "sight"))
    after = g.judge(state, g.whole(g.request(found.sight.happening))).position
    assert after is not None
    assert 77 in after.state["money"].values()


def test_what_no_position_has_is_shown_not_to_exist() -> None:
    assert find("mini", "loan where after(money[player]) <= money[player]", games=1).verdict == "none_exists"
    assert find("mini", "some p in Player: money[p] = 7 and money[p] > 8", games=0).verdict == "none_exists"


def test_what_the_solver_cannot_be_asked_stays_unknown() -> None:
    found = find("mini+pass_action=forced", "pass where money[player] = 998", games=0)
    assert (found.verdict, found.sight) == ("unknown", None)
    assert "pass asks what else is possible" in found.reason


@pytest.mark.parametrize(
    ("text", "column", "cause"),
    [
        ("some s in Slott: tile[s] exists", 11, "there is no type Slott"),
        ("build where industry = portt", 24, "nothing is called portt here"),
        ("bild where industry = port", 1, "nothing that happens is called bild"),
        ("money[yellow] = ", 16, ""),
        ("", 1, ""),
    ],
)
def test_mistakes_are_shown_with_a_caret(text: str, column: int, cause: str) -> None:
    with pytest.raises(SpecError) as e:
        find("mini", text)
    (problem,) = e.value.problems
    assert problem.place.file == "EXPR"
    assert cause in problem.cause
    assert abs(problem.place.column - column) <= 1


def test_a_ruleset_that_there_is_not() -> None:
    with pytest.raises(InputError, match="no ruleset minni"):
        find("minni", "era = rail")
