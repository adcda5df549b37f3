"""brassspec check"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from brassspec.checker.check import ALTERED, GAMES, Report
from brassspec.checker.check import check as examine
from brassspec.checker.shrink import Finding
from brassspec.cli.arguments import seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats import Plain
from brassspec.formats.envelope import Result, Verdict, worst

WIDTH = 120  # of lists


@verb(
    example="""brassspec check
brassspec check lancashire-2007 --games 50 --seed 7
brassspec check lancashire-2007 --games 10000 --journal games.journal
brassspec check my-variant.brass"""
)
@click.argument("targets", metavar="[RULESET | FILE.brass]...", nargs=-1)
@click.option(
    "--games",
    type=click.IntRange(0, 1_000_000),
    default=None,
    help=f"Games a number of players, {GAMES} unasked (half as many where the edition that it builds on is checked too); "
    "every third is played on from positions of scenarios.",
)
@click.option(
    "--altered",
    type=click.IntRange(0, 100),
    default=ALTERED,
    show_default=True,
    help="Moves judged at each decision that are altered in a part, and as many that one requirement alone forbids.",
)
@click.option(
    "--z3", type=click.IntRange(0, 1_000_000), default=None, help="Every how manieth verdict of the games Z3 gives too."
)
@click.option("--jobs", type=click.IntRange(1, 256), default=None, help="Processes; by default one a core.")
@click.option(
    "--journal", metavar="FILE", help="Where what is done is noted: the same command, stopped, goes on from there."
)
@seed_option
def check(
    targets: tuple[str, ...],
    games: int | None,
    altered: int,
    z3: int | None,
    jobs: int | None,
    journal: str | None,
    seed: int,
) -> Answer:
    """Checks rulesets: every scenario, invariant and claim, and a cross-check of all opinions in random games.

    With no argument every ruleset that ships. At each decision of a random game the spec's concrete meaning, the hand-written
    reference engine and (at some) Z3 judge the position, the legal moves, the move made and some that should be illegal. What
    differs is shown once a kind, in the smallest position, as a scenario to paste.
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
            symbolic=z3,
            jobs=jobs,
            journal=Path(journal) if journal is not None else None,
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
        out.append({**d.plain(), "kind": "divergence", "target": r.target, "about": d.kind})
    out += [
        {"kind": "claim_refuted", "target": r.target, "claim": name, "example": example} for name, example in r.refuted
    ]
    out += [{"kind": "dangling_exception", "target": r.target, "message": x} for x in r.dangling]
    out += [{"kind": "vacuous", "target": r.target, "message": v} for v in r.vacuous]
    out += [{"kind": "divergence_not_shown", "target": r.target, "message": x} for x in r.more]
    if r.counts["games"]:
        decided = dict(sorted(r.decided.items()))
        out.append(
            {
                "kind": "sole_decider",
                "target": r.target,
                "times": decided,
                "never": r.never_decided,
                "excused": r.excused,
            }
        )
    return out


def report_lines(r: Report) -> Iterator[str]:
    """One page for people."""
    c = r.counts
    how = {k: v for k, v in r.assurance.items() if k.startswith("claim ")}
    yield f"{r.target}: {r.verdict}"

    def listed(*names: str) -> str:
        return ", ".join(plural(c[n], n.removesuffix("s").replace("_", " ")) for n in names)

    yield f"  {listed('requirements', 'exceptions')}; {listed('scenarios')}, {len(r.failed_scenarios)} failed"
    policies = ", ".join(f"{n.removeprefix('games_')} {c[n]}" for n in sorted(c) if n.startswith("games_"))
    if c["games"]:
        tours = f"{plural(c['tours'], 'tour')} of {plural(c['scenario_starts'], 'scenario position')}"
        yield f"  {plural(c['games'], 'game')} ({policies}), {tours}"
        yield f"  {listed('decisions')}, legal moves compared: {c['moves']}"
        besides = f"{c['tried_moves']} other legal moves, {c['altered_moves']} altered ones"
        yield f"  judged besides: {besides}, {c['relaxed_moves']} that one rule alone forbids;"
        yield f"    {plural(c['varied_positions'], 'varied position')}"
    yield f"  reference engine: {r.assurance['reference engine']}; Z3: {r.assurance['z3']}"
    proofs = ", ".join(f"{list(how.values()).count(v)} {v}" for v in sorted(set(how.values()))) or "none"
    yield f"  {listed('invariants')}: {r.assurance['invariants']}; claims: {proofs}"
    for s in r.failed_scenarios:
        yield f"  FAILED {s.title} ({s.players} players)"
        for p in s.problems:
            yield from (f"    {line}" for line in p.splitlines())
    for d in r.divergences:
        yield from (f"  {line}".rstrip() for line in divergence_lines(d))
    for x in r.more:
        yield f"  DIFFERENCE, not shown: {x}"
    for name, example in r.refuted:
        yield f"  REFUTED claim {name}: {example[:400]}"
    for x in r.dangling:
        yield f"  DANGLING exception {x}"
    for v in r.vacuous:
        yield f"  VACUOUS {v}"
    if c["games"]:
        yield from decider_lines(r)


def decider_lines(r: Report) -> Iterator[str]:
    """How often each requirement alone forbade a move of the games, the rarest first."""
    times = ", ".join(f"{name} {n}" for name, n in sorted(r.decided.items(), key=lambda item: (item[1], item[0])))
    told = textwrap.wrap(
        f"sole decider, times: {times or 'none'}", WIDTH, initial_indent="  ", subsequent_indent="    "
    )
    yield from told
    yield f"  never sole decider: {', '.join(r.never_decided) or 'none'}"
    for name, why in r.excused.items():
        yield f"  excused: {name}: {why}"


def divergence_lines(d: Finding) -> Iterator[str]:
    """A difference told: what it is about, where, what each says, which rule to open, how to find it again."""
    yield f"DIFFERENCE about {d.kind}, {d.players} players: {d.move or 'the position'}"
    yield from (f"  spec:  {line}" for line in d.spec)
    yield from (f"  other: {line}" for line in d.other)
    yield from (f"  see {r['place']}: {r['name']}: {r['sentence']}" for r in d.rules)
    where = f"in game {d.game} ({d.policy})" if not d.start else f"in game {d.game} from the scenario {d.start}"
    yield f"  found {plural(d.times, 'time')}, first {where}, after {plural(len(d.moves), 'move')}; again: {d.repro}"
    if d.scenario:
        yield f"  the smallest position found, {plural(d.lines, 'line')}:"
        yield from (f"    {line}" for line in d.scenario.splitlines())


command = check
