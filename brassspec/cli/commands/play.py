"""brassspec play"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from brassspec.cli.arguments import players_option, ruleset_argument, seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats.canonical import digest
from brassspec.formats.documents import write_position
from brassspec.formats.envelope import Result, Verdict
from brassspec.rules import api
from brassspec.rules import games as verbs


@verb(
    example="""brassspec play lancashire-2007 --players 3 --seed 7 --games 10 --log games.jsonl
brassspec play lancashire-2007 --players 3 --by-hand"""
)
@ruleset_argument
@players_option(required=True)
@seed_option
@click.option("--games", type=click.IntRange(1, verbs.MAX_GAMES), default=1, show_default=True, help="How many games.")
@click.option("--log", metavar="FILE", help="The file to write all games to; it appears when all are played.")
@click.option(
    "--policy",
    metavar="NAME",
    default="uniform",
    show_default=True,
    help="How moves are chosen: uniform, any alike; seeking, to where single rules decide; or one that the spec declares.",
)
@click.option("--by-hand", is_flag=True, help="One game at the keyboard: moves in words, chance by the seed, undo.")
def play(ruleset: str, players: int, seed: int, games: int, log: str | None, policy: str, by_hand: bool) -> Answer:
    """Plays random games; the same seed plays the same games, and gives the same log byte by byte."""
    if by_hand:
        if log is not None or games != 1:
            raise click.UsageError("--by-hand plays one game, without a log")
        return _by_hand(ruleset, players, seed)
    with Progress("games", games) as progress:
        played = verbs.play(ruleset, players, seed, games, log, policy, progress)
    assert played.position is not None
    last = write_position(played.position)
    result = Result(
        "play",
        Verdict.OK,
        played.ruleset,
        played.readings,
        assurance={"opinions agree": "not run"},
        counts={
            "games": played.games,
            "decisions": played.decisions,
            "actions": played.decisions,
            "moves": played.moves,
            "chances": played.chances,
        },
        findings=(
            {"kind": "taken", "counts": dict(sorted(played.taken.items()))},
            {"kind": "last_position", "position": last, "digest": digest(last)},
        ),
    )
    return Answer(result, _lines(played, log))


def _by_hand(ruleset: str, players: int, seed: int) -> Answer:
    from brassspec.cli.by_hand import ByHand

    def ask(prompt: str) -> str | None:
        click.echo(prompt, nl=False, err=True)
        line = sys.stdin.readline(10_000)
        return line if line else None

    session = ByHand(api.game(ruleset, players), seed, ask, lambda text: click.echo(text, err=True))
    over = session.run()
    model = session.game.model
    result = Result("play", Verdict.OK, model.ruleset, model.readings, counts={"decisions": session.decisions})
    return Answer(
        result, [f"{plural(session.decisions, 'decision')}, {'to the end' if over else 'left before the end'}"]
    )


def _lines(played: verbs.Played, log: str | None) -> Iterator[str]:
    counts = f"{plural(played.decisions, 'decision')}, {plural(played.chances, 'chance event')}"
    yield f"{plural(played.games, 'game')} of {played.ruleset} for {played.players}, seed {played.seed}: {counts}"
    for name, n in sorted(played.taken.items(), key=lambda item: (-item[1], item[0])):
        yield f"{n:8} {name}"
    if log is not None:
        yield f"written to {log}"


command = play
