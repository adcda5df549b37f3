"""brassspec impact"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from brassspec.checker import impact as measured
from brassspec.checker.impact import Impact, Share
from brassspec.cli.arguments import players_option, ruleset_argument, seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats.envelope import Result, Verdict


@verb(
    example="""brassspec impact lancashire-2007+overbuild_exhausted=either --games 100
brassspec impact lancashire-2007+distant_bonus=pounds --games 1000 --seed 7 --jobs 8 --journal impact.journal --json"""
)
@ruleset_argument
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="So many games.")
@seed_option
@players_option()
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Processes.")
@click.option("--journal", type=click.Path(path_type=Path), help="A file to stop and resume by.")
@click.option(
    "--places",
    default=measured.PLACES,
    show_default=True,
    help="The variable that tells in which place a player comes.",
)
def impact(
    ruleset: str, games: int, seed: int, players: int | None, jobs: int, journal: Path | None, places: str
) -> Answer:
    """How often a reading would change the legal moves, the outcome of a move, the winner.

    RULESET names the reading: RULESET+QUESTION=READING; of several readings the last one. Random games, half of them played without the
    reading and half with it, are judged by both at every decision. For the winner each game that parts is played to its end under
    either, with the same random numbers.
    """
    with Progress("playing", games) as progress:
        found = measured.impact(
            ruleset, games, seed, players=players, jobs=jobs, journal=journal, places=places, progress=progress
        )
    shares = {"legal_moves": found.legal, "outcome": found.outcome, "winner": found.winner}
    result = Result(
        "impact",
        Verdict.OK,
        found.reading,
        assurance={"impact": f"tested({games})"},
        counts={
            "games": games,
            "decisions": found.decisions,
            "legal_moves_changed": found.legal_decisions,
            "outcomes_changed": found.outcome_decisions,
        },
        findings=(
            *({"kind": "share", "of": name, **asdict(share)} for name, share in shares.items() if share is not None),
            *({"kind": "parting", "transition": name, "times": n} for name, n in found.by_transition.items()),
        ),
    )
    return Answer(result, lines(found))


def lines(found: Impact) -> Iterator[str]:
    yield f"{found.reading}, against {found.base}, {plural(found.players, 'player')}"
    yield f"  other legal moves:  {told(found.legal)}; at {found.legal_decisions} of {found.decisions} decisions and chance events"
    yield f"  another outcome:    {told(found.outcome)}; of {found.outcome_decisions}"
    yield f"  another winner:     {told(found.winner) if found.winner else 'the rules name no winner'}"
    for name, n in found.by_transition.items():
        yield f"  parted at {name}: {n} times"
    if found.first is not None:
        game, policy, moves = found.first
        yield f"  earliest: game {game} (policy {policy}), after {plural(max(0, moves - 1), 'move')}"


def told(share: Share) -> str:
    return f"{share.count} of {share.total} games ({share.count / share.total:.1%}, 95 %: {share.low:.1%} to {share.high:.1%})"


command = impact
