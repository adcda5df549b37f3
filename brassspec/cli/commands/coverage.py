"""brassspec coverage"""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.checker import coverage as coverage_of
from brassspec.checker.coverage import Coverage
from brassspec.cli.arguments import ruleset_argument
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats.envelope import Result, Verdict


@verb(
    example="""brassspec coverage lancashire-2007
brassspec coverage my-variant.brass --json"""
)
@ruleset_argument
def coverage(ruleset: str) -> Answer:
    """Which requirements the scenarios satisfy, and which alone decide one of their verdicts.

    Every requirement should be satisfied in a legal move of some scenario and be the sole decider of another; what can't be is
    listed with the reason that the spec gives.
    """
    with Progress("running scenarios") as progress:
        c = coverage_of.coverage(ruleset, progress)
    counts = {
        "requirements": len(c.satisfied),
        "satisfied": sum(map(bool, c.satisfied.values())),
        "decisive": sum(map(bool, c.decisive.values())),
        "excused": len(c.excused),
        "scenarios": c.scenarios,
    }
    findings = [
        {"kind": "requirement", "requirement": n, "satisfied_in": c.satisfied[n], "decides": c.decisive[n]}
        | ({"excused": c.excused[n]} if n in c.excused else {})
        for n in c.satisfied
    ]
    findings += [{"kind": "exception_unused", "exception": n} for n in c.unused]
    findings += [{"kind": "scenario_failed", "scenario": t} for t in c.failed]
    result = Result("coverage", Verdict(c.verdict), c.ruleset, c.readings, counts=counts, findings=tuple(findings))
    return Answer(result, lines(c))


def lines(c: Coverage) -> Iterator[str]:
    yield f"{c.ruleset}: {c.verdict}: {plural(len(c.satisfied), 'requirement')}, {plural(c.scenarios, 'scenario')}"
    width = max(map(len, c.satisfied), default=0)
    for name in c.satisfied:
        yield f"  {name:{width}}  satisfied in {len(c.satisfied[name]):3}, decides {len(c.decisive[name]):3}"
    for name in c.never_satisfied:
        yield f"  NEVER SATISFIED {name}"
    for name in c.never_decisive:
        yield f"  NEVER SOLE DECIDER {name}"
    for name, reason in c.excused.items():
        what = (
            "sole decider" if c.satisfied[name] else "satisfied" if c.decisive[name] else "satisfied, or sole decider"
        )
        yield f"  can't be {what}: {name}: {reason}"
    for name in c.unused:
        yield f"  EXCEPTION NEVER USED {name}"
    for title in c.failed:
        yield f"  FAILED {title}"


command = coverage
