"""Coverage: which requirements the scenarios satisfy in a legal move, and which alone decide a verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from brassspec.checker.check import Target, plan, run_scenarios, start_anew


@dataclass(slots=True)
class Coverage:
    """For each requirement of a ruleset, by name: the scenarios in which a legal move satisfied it, and in which it alone decided.

    `excused`: those that can never be sole decider, or in no legal move, with the reason that the spec gives. `unused`: exceptions that
    no scenario uses.
    """

    ruleset: str
    readings: dict[str, str]
    scenarios: int = 0
    satisfied: dict[str, list[str]] = field(default_factory=dict)
    decisive: dict[str, list[str]] = field(default_factory=dict)
    excused: dict[str, str] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def never_satisfied(self) -> list[str]:
        return [n for n, where in self.satisfied.items() if not where and n not in self.excused]

    @property
    def never_decisive(self) -> list[str]:
        return [n for n, where in self.decisive.items() if not where and n not in self.excused]

    @property
    def verdict(self) -> str:
        if not self.scenarios or not self.satisfied:
            return "vacuous"
        return "failed" if self.never_satisfied or self.never_decisive or self.unused or self.failed else "ok"


def coverage(ruleset: str, progress: Callable[[int], None] | None = None) -> Coverage:
    """Runs the scenarios of a ruleset and tells what they cover.

    Raises InputError where there is no such ruleset, SpecError on a faulty spec.
    """
    start_anew()
    target = Target.of(ruleset)
    spec, _ = target.spec()
    model = target.model(spec.players[0])
    found = Coverage(model.ruleset, model.readings, excused=dict(model.excused))
    for name, r in model.requirements.items():
        if r.kind == "requirement":
            found.satisfied[name], found.decisive[name] = [], []
    used: set[str] = set()
    for work in plan(target, 0, 0, 0, whole=False):
        # Z3 is only asked where nobody else can answer.
        for result in run_scenarios(replace(work, symbolic=0)):
            found.scenarios += 1
            if progress is not None:
                progress(found.scenarios)
            used |= result.exceptions
            if result.problems:
                found.failed.append(result.title)
            for name in result.satisfied & found.satisfied.keys():
                found.satisfied[name].append(result.title)
            for name in result.decisive & found.decisive.keys():
                found.decisive[name].append(result.title)
    found.unused = [n for n, r in model.requirements.items() if r.kind == "exception" and n not in used]
    return found
