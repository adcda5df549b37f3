"""brassspec prove"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from brassspec.checker import prove as proving
from brassspec.checker.prove import Case, Report, Shown
from brassspec.cli.arguments import players_option, ruleset_argument
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats.envelope import Result, Verdict

SILENT = 5.0  # seconds after which a line is written of how far things are, where there is no terminal


@verb(
    example="""brassspec prove lancashire-2007
brassspec prove lancashire-2007 tiles.conserved --players 4
brassspec prove lancashire-2007+line_kind=any shipyards.canal --json"""
)
@ruleset_argument
@click.argument("name", metavar="[PROPERTY]", required=False)
@players_option()
@click.option("--jobs", type=click.IntRange(1, 1000), default=2, show_default=True, help="Processes.")
@click.option(
    "--smt2", type=click.Path(path_type=Path), metavar="DIR", help="A folder for the solver's questions, as SMT-LIB."
)
@click.option(
    "--note",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Note in FILE what proofs needed, keeping what of it is still of use. Later runs go by those in brassspec/checker/hints.",
)
def prove(
    ruleset: str, name: str | None, players: int | None, jobs: int, smt2: Path | None, note: Path | None
) -> Answer:
    """Proves invariants, the bounds of all numbers, and claims of the rulebooks, or shows what refutes them.

    Invariants and bounds are proved by induction over set-up, actions, automatic steps and chance: so they hold in every position that
    play can reach, at rest or between two steps. A claim that is marked as refuted must be. A property that is never about
    anything is an error.
    """
    told = time.monotonic()
    with Progress("proving") as progress:

        def tell(done: int, total: int, what: str) -> None:
            nonlocal told
            progress.describe(f"proving: {what}", total)
            progress(done)
            # It takes minutes: so that is told where there is no bar too.
            if not sys.stderr.isatty() and time.monotonic() - told > SILENT:
                click.echo(f"proving: {done} of {total} units done, the last: {what}", err=True)
                told = time.monotonic()

        r = proving.prove(ruleset, name, players=players, jobs=jobs, smt2=smt2, note=note, progress=tell)
    counts = {
        "properties": len(r.shown),
        "as_expected": sum(s.as_expected for s in r.shown),
        "questions": sum(len(s.cases) for s in r.shown),
        "hints": r.hints,
        "games": r.games,
        "positions": r.positions,
    }
    result = Result(
        "prove",
        Verdict(r.verdict),
        r.target,
        r.readings,
        {s.name: s.assurance for s in r.shown},
        counts,
        tuple(finding(s) for s in r.shown),
        solver=r.units,
    )
    return Answer(result, lines(r))


def finding(s: Shown) -> dict[str, object]:
    cases = [
        {
            "players": c.players,
            "transition": c.transition,
            "assurance": c.assurance,
            "backend": c.backend,
            "solver": c.units,
        }
        | ({"reason": c.reason} if c.reason else {})
        | ({"example": c.example} if c.example else {})
        for c in s.cases
    ]
    told = {"kind": "property", "property": s.name, "is": s.kind, "sentence": s.sentence, "verdict": s.verdict}
    reason = {"reason": s.reason} if s.reason else {}
    return told | {"assurance": s.assurance, "as_expected": s.as_expected} | reason | {"cases": cases}


def lines(r: Report) -> Iterator[str]:
    numbers = ", ".join(map(str, r.players))
    good = sum(s.as_expected for s in r.shown)
    yield f"{r.target}, {numbers} players: {r.verdict}: {good} of {len(r.shown)} properties as expected"
    yield f"  played: {plural(r.games, 'game')}, {plural(r.positions, 'position')}"
    width = max((len(s.name) for s in r.shown), default=0)
    for s in r.shown:
        yield f"  {s.name:{width}}  {word(s)}: {s.assurance}"
        if not s.as_expected or s.kind in ("refuted", "possible"):
            yield from examples(s)


def word(s: Shown) -> str:
    """The verdict as it is read, with what was expected where that is another."""
    words = {"refuted": "REFUTED", "unknown": "UNKNOWN", "vacuous": "VACUOUS"}
    if s.as_expected:
        return {"refuted": "refuted, as it should be", "possible": "possible"}.get(s.kind, "proved")
    if s.kind == "refuted" and s.verdict == "proved":
        return "PROVED, though it should be refuted"
    return {"possible": {"refuted": "IMPOSSIBLE"}}.get(s.kind, {}).get(s.verdict, words[s.verdict])


def examples(s: Shown) -> Iterator[str]:
    if s.reason:
        yield f"    because {s.reason}"
    shown = [c for c in s.cases if c.assurance in ("played", "found")][:1] if s.as_expected else s.cases
    for c in shown:
        if c.assurance != "proved":
            yield from case(c, s.as_expected)


def case(c: Case, brief: bool) -> Iterator[str]:
    where = f"{c.players} players, {c.transition or 'a position'}"
    if not c.example:
        yield f"    {where}: {c.assurance}: {c.reason}"
        return
    yield f"    {where}: {c.example['move'] or 'no move'}; {c.example['origin']}; agreed: {', '.join(c.example['agreed'])}"
    if not brief:
        yield f"    {json.dumps(c.example['position'], ensure_ascii=False)}"


command = prove
