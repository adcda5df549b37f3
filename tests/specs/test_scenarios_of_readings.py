"""The scenarios that name a ruleset with readings: `check` without arguments is about editions as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from brassspec.checker.check import Target, plan, run_scenarios
from brassspec.rules.library import editions, spec_of
from brassspec.rules.scenarios import read_situation

RULESETS = sorted(
    {
        ruleset
        for edition in editions()
        for scenario in spec_of(edition).scenarios
        for ruleset in read_situation(scenario).rulesets
        if "+" in ruleset
    }
)


def test_there_are_such_scenarios_of_each_game() -> None:
    assert {"lancashire-2007", "lancashire-2018", "birmingham-2018"} <= {r.split("+")[0] for r in RULESETS}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_scenarios_of_readings(ruleset: str) -> None:
    ran = [
        r for work in plan(Target.of(ruleset), 0, 0, 0, whole=False) for r in run_scenarios(replace(work, symbolic=0))
    ]
    assert ran
    assert {r.title: r.problems for r in ran if r.problems} == {}
