"""Breaks every requirement of a ruleset in turn, by leaving it out and by negating it, and tells whether the scenarios notice.

python benchmarks/broken_rules.py --ruleset lancashire-2007
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace

from brassspec.checker.check import Target, situations
from brassspec.checker.questions import Judge
from brassspec.checker.scenarios import ScenarioRun
from brassspec.grammar.errors import SpecError
from brassspec.grammar.parser import parse
from brassspec.rules.api import Game
from brassspec.rules.concrete import Rules
from brassspec.rules.library import build, spec_of
from brassspec.rules.model import Model


def changed(ruleset: str, change: str) -> Model:
    """The model with one more change, written in the language."""
    spec = spec_of(ruleset)
    declarations, problems = parse(change, "broken.brass")
    assert not problems, problems
    return build(replace(spec, declarations=[*spec.declarations, *declarations]), {}, spec.players[0])


def noticed(ruleset: str, model: Model) -> str:
    """The first scenario that fails, or ""."""
    spec = spec_of(ruleset)
    judge = Judge(Game(Rules(model)))
    for s in situations(spec, Target(ruleset)):
        if s.is_partial or (s.players or spec.players[0]) != spec.players[0]:
            continue
        result = ScenarioRun(judge.rules, judge.speaker, s, None, None).run()
        if result.problems:
            return s.title
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="lancashire-2007")
    given = parser.parse_args()
    start = time.monotonic()
    model = build(spec_of(given.ruleset), {}, spec_of(given.ruleset).players[0])
    survivors = []
    tried = 0
    for name, r in model.requirements.items():
        if r.kind != "requirement":
            continue
        for how, change in (("left out", f"drop {name}\n"), ("negated", f"replace {name}: not ({r.text})\n")):
            try:
                broken = changed(given.ruleset, change)
            except SpecError as e:
                print(f"{name} {how}: the spec itself is refused: {e.problems[0].cause}", flush=True)
                continue
            tried += 1
            scenario = noticed(given.ruleset, broken)
            print(f"{name} {how}: {scenario or 'NOT NOTICED'}", flush=True)
            if not scenario:
                survivors.append(f"{name} {how}")
    print(f"{tried} broken rules, {len(survivors)} not noticed, {time.monotonic() - start:.0f} s")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
