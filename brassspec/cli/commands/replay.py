"""brassspec replay"""

from __future__ import annotations

from collections.abc import Iterator

import click

from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats.envelope import Result, Verdict
from brassspec.rules import games


@verb(example="brassspec replay games.jsonl")
@click.argument("log", metavar="LOG")
def replay(log: str) -> Answer:
    """Plays a log again: names the first line that breaks a rule or its digest, or the line after.

    LOG is a file that `play` or another program wrote, or - for standard input.
    """
    with Progress("lines") as progress:
        r = games.replay(log, progress=progress)
    findings: list[dict[str, object]] = [{"kind": "note", "message": note} for note in r.notes]
    if r.fault is not None:
        violated = [{"requirement": v.requirement, "facts": v.facts} for v in r.fault.violated]
        findings.append({"kind": "fault", "line": r.fault.line, "message": r.fault.cause, "violated": violated})
    result = Result(
        "replay",
        Verdict.OK if r.fault is None else Verdict.FAILED,
        r.ruleset,
        r.readings,
        counts={"games": r.games, "lines": r.lines, "decisions": r.decisions, "chances": r.chances},
        findings=tuple(findings),
    )
    return Answer(result, _lines(r), [f"note: {note}" for note in r.notes])


def _lines(r: games.Replayed) -> Iterator[str]:
    if r.fault is None:
        counts = f"{plural(r.decisions, 'decision')}, {plural(r.chances, 'chance event')}"
        yield f"ok: {plural(r.games, 'game')} of {r.ruleset}, {counts}: every move legal, every digest right"
        return
    yield f"line {r.fault.line}: {r.fault.cause}"
    for v in r.fault.violated:
        yield f"  {v.requirement}: {v.facts}"


command = replay
