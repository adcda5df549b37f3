"""brassspec find"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from brassspec.checker import find as finder
from brassspec.checker.find import Find, Sight
from brassspec.cli.arguments import players_option, ruleset_argument, seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats.envelope import Result, Verdict

MAX_LINES = 40  # of a position that are shown


@verb(
    example="""brassspec find lancashire-2007 "some s in Slot: tile[s].industry = shipyard"
brassspec find lancashire-2007 "build where era = canal and industry = shipyard and town(slot) != liverpool"
brassspec find mini "count { l in Link where link[l] exists } > 3" --players 2 --games 100 --json"""
)
@ruleset_argument
@click.argument("expr", metavar="EXPR")
@players_option()
@seed_option
@click.option(
    "--games", type=click.IntRange(0, 1_000_000), default=finder.GAMES, show_default=True, help="Play so many at most."
)
def find(ruleset: str, expr: str, players: int | None, seed: int, games: int) -> Answer:
    """A position in which a condition holds, or a move, a chance outcome or an automatic step of which one does.

    EXPR is a condition in the spec's language, or NAME where CONDITION for what happens: an action, a step, a chance event; in
    CONDITION its parameters are known, and after(...) is the position that it leads to. Looked for in random games first, by all
    policies; then by the solver among all positions that fulfil the invariants. Exit code 0: found, 1: shown not to exist, 4: unknown.
    """
    with Progress("playing", games) as progress:
        found = finder.find(ruleset, expr, players, games=games, seed=seed, progress=progress)
    tested = f"tested({found.games})"
    result = Result(
        "find",
        Verdict(found.verdict),
        found.ruleset,
        assurance={"find": {"found": "replayed", "none_exists": "proved"}.get(found.verdict, tested)},
        counts={"games": found.games, "decisions": found.decisions},
        findings=({"kind": "sight", **asdict(found.sight)},) if found.sight else (),
        solver=found.solver,
    )
    return Answer(result, lines(found))


def lines(found: Find) -> Iterator[str]:
    if found.verdict == "none_exists":
        yield f"{found.ruleset}, {plural(found.players, 'player')}: no position that fulfils the invariants has it: {found.text}"
    elif found.sight is None:
        yield f"{found.ruleset}, {plural(found.players, 'player')}: unknown: not in {plural(found.games, 'game')}; {found.reason}"
    else:
        yield f"{found.ruleset}, {plural(found.players, 'player')}: found, {found.sight.origin}"
        yield from sight_lines(found.sight)


def sight_lines(s: Sight) -> Iterator[str]:
    yield from (f"  given {line}" for line in s.lines[:MAX_LINES])
    if len(s.lines) > MAX_LINES:
        yield f"  and {len(s.lines) - MAX_LINES} lines more (--json has all)"
    if s.happening:
        yield f"  > {s.happening}"
    yield f"  reference engine: {s.engine}"


command = find
