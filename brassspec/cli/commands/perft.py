"""brassspec perft"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from brassspec.checker import perft as counting
from brassspec.checker.perft import Count, Difference, Perft, Row
from brassspec.cli.arguments import players_option, read_position_argument, seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.formats import Plain
from brassspec.formats.envelope import Result, Verdict


@verb(
    example="""brassspec perft lancashire-2007 --players 3 --depth 2
brassspec perft position.json --depth 2 --divide"""
)
@click.argument("start", metavar="RULESET|POSITION")
@click.option(
    "--depth", type=click.IntRange(1, counting.MAX_DEPTH), required=True, help="How many moves the sequences have."
)
@players_option()
@click.option("--divide", is_flag=True, help="Also the sequences that begin with each first move.")
@click.option("--events", is_flag=True, help="Also what the moves tell; the last moves must be made for it.")
@click.option(
    "--opinion", type=click.Choice(counting.OPINIONS), help="Who counts; by default both, where there are two."
)
@seed_option
def perft(
    start: str, depth: int, players: int | None, divide: bool, events: bool, opinion: str | None, seed: int
) -> Answer:
    """Counts the sequences of moves by depth, with chance by a script: for whoever writes the rules anew.

    From the start of a RULESET (or of a FILE.brass), or from a POSITION: a JSON file, or - for standard input. The moves are counted by
    action, and with --events what they tell by kind of event. The opinions must count the
    same. What is counted, how chance falls and tables of counts: docs/perft.md.
    """
    is_file = start == "-" or (not start.endswith(".brass") and any(c in start for c in "./\\"))
    with Progress("counting") as progress:

        def advance(what: str, done: int, total: int) -> None:
            progress.describe(what, total)
            progress(done)

        found = counting.perft(
            read_position_argument(start) if is_file else start,
            depth,
            players=players,
            seed=seed,
            opinion=opinion,
            events=events,
            divide=divide,
            progress=advance,
        )
    result = Result(
        "perft",
        Verdict(found.verdict),
        found.ruleset,
        found.readings,
        assurance={
            "opinions agree": f"tested({len(found.counts[0].rows) - 1})" if len(found.counts) > 1 else "not run"
        },
        counts={
            "players": found.players,
            "depth": min(len(c.rows) for c in found.counts) - 1,
            "moves": found.counts[0].rows[-1].moves,
            "positions": sum(c.positions for c in found.counts),
        },
        findings=tuple(findings(found)),
    )
    return Answer(result, lines(found, events))


def findings(found: Perft) -> Iterator[Plain]:
    for c in found.counts:
        for row in c.rows:
            yield {"kind": "perft", "opinion": c.opinion, **row_finding(row)}
    for line in found.counts[0].lines:
        yield {"kind": "divide", "move": line.move, "text": line.text, "moves": line.moves}
    if found.difference is not None:
        d = found.difference
        yield {
            "kind": "difference",
            "depth": d.depth,
            "text": d.move,
            "spec": d.spec and row_finding(d.spec),
            "engine": d.engine and row_finding(d.engine),
        }


def row_finding(row: Row) -> Plain:
    events = None if row.events is None else dict(sorted(row.events.items()))
    return {"depth": row.depth, "moves": row.moves, "actions": dict(sorted(row.actions.items())), "events": events}


def lines(found: Perft, events: bool) -> Iterator[str]:
    counted = found.counts[0]
    who = " and ".join(c.opinion for c in found.counts)
    times = ", ".join(f"{c.seconds:.1f} s" for c in found.counts)
    yield f"{found.ruleset} for {found.players}, seed {found.seed}: {found.verdict} ({who}: {times})"
    for c in found.counts if found.difference else [counted]:
        if found.difference:
            yield f"{c.opinion}:"
        yield from row_lines(c, events)
        if not c.complete:
            yield f"  stopped at depth {len(c.rows)}: too many different positions to keep"
    if counted.lines:
        yield "first moves:"
        width = max(len(str(line.moves)) for line in counted.lines)
        for line in counted.lines:
            yield f"  {line.moves:{width}}  {line.text}"
    if found.difference:
        yield from difference_lines(found.difference)


def row_lines(c: Count, events: bool) -> Iterator[str]:
    width = len(str(max(row.moves for row in c.rows)))
    for row in c.rows:
        yield f"  depth {row.depth}: {row.moves:{width}}  {told(row.actions)}".rstrip()
    for row in c.rows if events else ():
        if row.events:
            yield f"  events at depth {row.depth}: {told(row.events)}"


def told(numbers: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(numbers.items()))


def difference_lines(d: Difference) -> Iterator[str]:
    yield f"DIFFERENT at depth {d.depth}, {f'after: {d.move}' if d.move else 'before the first move'}"
    for who, row in (("spec", d.spec), ("engine", d.engine)):
        if row is None:
            yield f"  {who}: nothing"
        else:
            yield f"  {who}: {row.moves}  {told(row.actions)}; events: {told(row.events or Counter())}"


command = perft
