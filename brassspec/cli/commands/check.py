"""brassspec check"""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from brassspec.checker.check import Report
from brassspec.checker.check import check as examine
from brassspec.cli.arguments import seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats import Plain
from brassspec.formats.documents import write_position
from brassspec.formats.envelope import Result, Verdict, worst

MOST_JOBS = 4  # unasked: Z3 needs some two gigabytes a process


@verb(
    example="""brassspec check
brassspec check lancashire-2007 --games 50 --seed 7
brassspec check my-variant.brass"""
)
@click.argument("targets", metavar="[RULESET | FILE.brass]...", nargs=-1)
@click.option(
    "--games", type=click.IntRange(0, 1_000_000), default=4, show_default=True, help="Random games a number of players."
)
@click.option(
    "--altered",
    type=click.IntRange(0, 100),
    default=2,
    show_default=True,
    help="Altered moves judged at each decision.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=None, help="Processes; by default one a core, at most four."
)
@seed_option
def check(targets: tuple[str, ...], games: int, altered: int, jobs: int | None, seed: int) -> Answer:
    """Checks rulesets: every scenario, invariant and claim, and a cross-check of all opinions in random games.

    With no argument every ruleset that ships. At each decision of a random game the spec's concrete meaning, the hand-written
    reference engine and (at some) Z3 judge the position, the legal moves, the move made and some altered ones.
    """
    with Progress("checking") as progress:

        def advance(done: int, total: int, what: str) -> None:
            progress.describe(what, total)
            progress(done)

        reports = examine(
            targets,
            games=games,
            seed=seed,
            altered=altered,
            jobs=jobs or min(os.cpu_count() or 1, MOST_JOBS),
            progress=advance,
        )
    findings: list[Plain] = []
    lines: list[str] = []
    counts: dict[str, int] = {}
    for r in reports:
        findings += report_findings(r)
        lines += report_lines(r)
        for k, v in r.counts.items():
            counts[k] = counts.get(k, 0) + v
    one = reports[0] if len(reports) == 1 else None
    assurance = {k if one else f"{r.target}: {k}": v for r in reports for k, v in r.assurance.items()}
    result = Result(
        "check",
        worst(Verdict(r.verdict) for r in reports),
        " ".join(r.target for r in reports),
        one.readings if one else {},
        assurance,
        dict(sorted(counts.items())),
        tuple(findings),
    )
    return Answer(result, lines)


def report_findings(r: Report) -> list[Plain]:
    out: list[Plain] = []
    for s in r.failed_scenarios:
        place = f"{s.place.file}:{s.place.line}"
        out.append(
            {
                "kind": "scenario_failed",
                "target": r.target,
                "scenario": s.title,
                "place": place,
                "players": s.players,
                "problems": s.problems,
            }
        )
    for d in r.divergences:
        out.append(
            {
                "kind": "divergence",
                "target": r.target,
                "about": d.kind,
                "move": d.move,
                "spec": d.spec,
                "other": d.other,
                "game": d.game,
                "position": write_position(d.position),
            }
        )
    out += [
        {"kind": "claim_refuted", "target": r.target, "claim": name, "example": example} for name, example in r.refuted
    ]
    out += [{"kind": "dangling_exception", "target": r.target, "message": x} for x in r.dangling]
    out += [{"kind": "vacuous", "target": r.target, "message": v} for v in r.vacuous]
    out += [{"kind": "unknown", "target": r.target, "message": u} for u in r.unknown]
    if r.never_decisive:
        out.append({"kind": "never_sole_decider", "target": r.target, "requirements": r.never_decisive})
    return out


def report_lines(r: Report) -> Iterator[str]:
    """One page for people."""
    c = r.counts
    how = {k: v for k, v in r.assurance.items() if k.startswith("claim ")}
    yield f"{r.target}: {r.verdict}"

    def listed(*names: str) -> str:
        return ", ".join(plural(c[n], n.removesuffix("s").replace("_", " ")) for n in names)

    yield f"  {listed('requirements', 'exceptions')}; {listed('scenarios')}, {len(r.failed_scenarios)} failed"
    yield f"  {listed('games', 'decisions', 'altered_moves')}, legal moves compared: {c['moves']}"
    yield f"  reference engine: {r.assurance['reference engine']}; Z3: {r.assurance['z3']}"
    proofs = ", ".join(f"{list(how.values()).count(v)} {v}" for v in sorted(set(how.values()))) or "none"
    yield f"  {listed('invariants')}: {r.assurance['invariants']}; claims: {proofs}"
    for s in r.failed_scenarios:
        yield f"  FAILED {s.title} ({s.players} players)"
        for p in s.problems:
            yield from (f"    {line}" for line in p.splitlines())
    shown: set[str] = set()
    for d in r.divergences:
        # Failures of one kind are shown once.
        if d.signature in shown:
            continue
        shown.add(d.signature)
        yield f"  DIVERGENCE about {d.kind}, {d.position.players} players, game {d.game}: {d.move}"
        yield f"    spec:  {d.spec[:400]}"
        yield f"    other: {d.other[:400]}"
    for name, example in r.refuted:
        yield f"  REFUTED claim {name}: {example[:400]}"
    for x in r.dangling:
        yield f"  DANGLING exception {x}"
    for v in r.vacuous:
        yield f"  VACUOUS {v}"
    for u in r.unknown:
        yield f"  unknown: {u}"
    if r.never_decisive:
        yield f"  never sole decider here: {', '.join(r.never_decisive)}"


command = check
