"""brassspec apply"""

from __future__ import annotations

from collections.abc import Iterator

import click

from brassspec.cli.arguments import position_argument, read_move_argument, read_position_argument
from brassspec.cli.frame import Answer, verb
from brassspec.cli.render import branch_finding, branch_lines, option_finding, plural, refusal_findings, refusal_lines
from brassspec.formats.envelope import Result, Verdict
from brassspec.rules import games
from brassspec.rules.api import game_of
from brassspec.rules.games import Applied
from brassspec.rules.model import Model


@verb(
    example="""brassspec apply position.json "yellow builds coal_mine at wigan.1 with wigan"
brassspec apply position.json '{"action": "pass", "player": "yellow", "card": "wigan"}'
brassspec apply start.json '{"chance": "first", "player": "red"}'"""
)
@position_argument
@click.argument("move", required=False)
def apply(position: str, move: str | None) -> Answer:
    """The next position and what happened, or every requirement that the move violates.

    MOVE is a move or an outcome of chance, as JSON or in words. If it leaves something open, every legal completion is
    shown. Without MOVE: every outcome of the chance that is due, or what the rules do by themselves.
    """
    where = read_position_argument(position)
    applied = games.apply(where, None if move is None else read_move_argument(move))
    model = game_of(where).model
    findings = [branch_finding(b) for b in applied.branches]
    if applied.refusal is not None and applied.nearest is not None:
        findings = [{**option_finding(applied.nearest), "kind": "judged"}, *refusal_findings(model, applied.refusal)]
    result = Result(
        "apply",
        Verdict.LEGAL if applied.legal else Verdict.ILLEGAL,
        where.ruleset,
        model.readings,
        counts={"outcomes": len(applied.branches), "violated": len(applied.refusal.violated) if applied.refusal else 0},
        findings=tuple(findings),
    )
    return Answer(result, _lines(applied, model))


def _lines(applied: Applied, model: Model) -> Iterator[str]:
    if applied.refusal is None:
        total = sum(b.option.weight for b in applied.branches if b.option)
        if len(applied.branches) > 1:
            yield f"{plural(len(applied.branches), 'outcome')}:"
        for branch in applied.branches:
            yield from branch_lines(branch, total, model.told)
    else:
        yield f"illegal: {applied.nearest.text if applied.nearest else ''}"
        yield from refusal_lines(model, applied.refusal)


command = apply
