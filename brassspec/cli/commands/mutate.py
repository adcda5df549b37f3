"""brassspec mutate"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from brassspec.checker import mutation
from brassspec.checker.mutants import KINDS
from brassspec.checker.mutation import Fate, Mutation
from brassspec.cli.arguments import ruleset_argument, seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats import Plain
from brassspec.formats.envelope import Result, Verdict

# What a line tells of the mutants of a kind, besides how many were made.
COLUMNS = ("killed by scenarios", "by the cross-check", "equivalent", "survived")


@verb(
    example="""brassspec mutate lancashire-2007
brassspec mutate lancashire-2007 --sample 60 --seed 2
brassspec mutate my-variant.brass --journal mutants.jsonl"""
)
@ruleset_argument
@click.option("--sample", type=click.IntRange(1, 1_000_000), help="Only so many mutants, chosen by the seed.")
@click.option("--jobs", type=click.IntRange(1, 256), default=None, help="Processes; by default one a core.")
@click.option(
    "--journal",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keeps what is done: the same command goes on from there.",
)
@seed_option
def mutate(ruleset: str, sample: int | None, jobs: int | None, journal: Path | None, seed: int) -> Answer:
    """Breaks the rules in many small ways; tells which changes nothing notices.

    A mutant is the rulebook with one small change: a requirement dropped, a bound off by one, an effect left out, a figure
    misprinted. The scenarios should notice it, or else the cross-check against the reference engine, with the games that `check` plays.
    What survives is a scenario that is missing, or a mark `equivalent "ID" because "REASON"`.
    """
    with Progress("mutants") as progress:

        def advance(done: int, total: int) -> None:
            progress.describe("mutants", total)
            progress(done)

        found = mutation.mutate(
            ruleset, sample=sample, seed=seed, jobs=jobs or os.cpu_count() or 1, journal=journal, progress=advance
        )
    return Answer(result(found), lines(found))


def result(found: Mutation) -> Result:
    rules = [f for f in found.fates if f.is_rule]
    counts = {
        "mutants": len(found.fates),
        "killed": len(found.killed),
        "killed_by_scenarios": sum(f.by == "scenarios" for f in found.fates),
        "killed_by_cross_check": sum(f.by == "cross-check" for f in found.fates),
        "equivalent": len(found.equivalent),
        "survived": len(found.survivors),
        "scenarios": found.scenarios,
        "rule_mutants": len(rules),
        "rule_mutants_killed_by_scenarios": sum(f.by == "scenarios" for f in rules),
    }
    tried = f"tested({len(found.fates)} mutants)"
    assurance = {"scenarios": tried, "reference engine": tried if found.has_reference else "not run"}
    return Result(
        "mutate",
        Verdict(found.verdict),
        found.ruleset,
        found.readings,
        assurance,
        counts,
        (*map(finding, found.fates), *({"kind": "mark_without_mutant", "mutant": i} for i in found.missing)),
    )


def finding(f: Fate) -> Plain:
    told = {"killed_by": f.by, "found": f.found} if f.by else {}
    reason = {"equivalent": f.reason} if f.reason else {}
    place = f"{f.file}:{f.line}"
    return {"kind": "mutant", "mutant": f.id, "change": f.kind, "words": f.words, "place": place, **told, **reason}


def lines(found: Mutation) -> Iterator[str]:
    yield f"{found.ruleset}: {found.verdict}: {plural(len(found.fates), 'mutant')}, {len(found.killed)} killed"
    if not found.has_reference:
        yield "  there is no reference engine for this ruleset: the scenarios alone were tried"
    table = [("", "made", *COLUMNS), *(row(found, kind) for kind in KINDS), row(found, "")]
    widths = [max(len(str(r[i])) for r in table) for i in range(len(table[0]))]
    for name, *cells in (r for r in table if r[1]):
        yield f"  {name:{widths[0]}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(cells, widths[1:], strict=True))
    for f in found.survivors:
        yield f"  SURVIVED {f.file}:{f.line}: {f.words}  [{f.id}]"
    for f in found.wrongly_marked:
        yield f"  NOT EQUIVALENT {f.file}:{f.line}: {f.words}  [{f.id}]: noticed by {f.found}"
    for i in found.missing:
        yield f"  MARKED AS EQUIVALENT, BUT NO MUTANT: {i}"
    for f in found.equivalent:
        yield f"  equivalent: {f.id}: {f.reason}"


def row(found: Mutation, kind: str) -> tuple[str | int, ...]:
    """The mutants of a kind, or all: made, and by what became of them."""
    of_kind = [f for f in found.fates if not kind or f.kind == kind]
    became = Counter(f.by or ("equivalent" if f.reason else "survived") for f in of_kind)
    ends = ("scenarios", "cross-check", "equivalent", "survived")
    return (kind or "all", len(of_kind), *(became[end] for end in ends))


command = mutate
