"""Scenarios that begin where something is due by itself: the other opinion is asked what, and told from the spec's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from brassspec.checker.opinions import Opinion, reference
from brassspec.checker.scenarios import ScenarioResult, ScenarioRun
from brassspec.formats import Outcome, Position
from brassspec.grammar.parser import parse
from brassspec.rules.api import game
from brassspec.rules.scenarios import read_situation

SCORING = """scenario "a mill that is flipped scores" cites cz "Konec hry":
    given era = canal
    given phase = scoring
    given round = 8
    given turn = 1
    given actions = 0
    given tile[bury.1] = yellow cotton_mill 2 flipped
    expect vp[yellow] = 5
"""


class Generous:
    """The reference engine, but for a point more to each player when the rules go on by themselves."""

    def __init__(self, engine: Opinion) -> None:
        self.engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def rest(self, position: Position) -> Outcome:
        outcome = self.engine.rest(position)
        assert outcome.position is not None
        points = {p: n + 1 for p, n in outcome.position.state["vp"].items()}
        state = {**outcome.position.state, "vp": points}
        return replace(outcome, position=replace(outcome.position, state=state))


def run(other: Opinion) -> ScenarioResult:
    declarations, problems = parse(SCORING, "scoring.brass")
    assert not problems
    g = game("lancashire-2007", 4)
    return ScenarioRun(g.rules, g.speaker, read_situation(declarations[0]), other, None).run()


def engine() -> Opinion:
    found = reference("lancashire-2007", 4)
    assert found is not None
    return found


def test_opinions_agree_on_what_happens_by_itself() -> None:
    assert run(engine()).problems == []


def test_a_difference_in_what_happens_by_itself_fails() -> None:
    (problem,) = run(Generous(engine())).problems
    assert problem.startswith(
        'scoring.brass:1: the opinions differ (position): spec: vp: {"yellow": 5}; other: vp: {"yellow": 6}'
    )
