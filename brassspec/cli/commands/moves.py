"""brassspec moves"""

from __future__ import annotations

from brassspec.cli.arguments import position_argument, read_position_argument
from brassspec.cli.frame import Answer, verb
from brassspec.cli.render import option_finding, option_line
from brassspec.formats.envelope import Result, Verdict
from brassspec.rules import games
from brassspec.rules.api import game_of


@verb(
    example="""brassspec moves position.json
echo '{"format": "brassspec/position/1", "ruleset": "lancashire-2007", "players": 3,
       "state": {"phase": "start"}}' | brassspec moves -"""
)
@position_argument
def moves(position: str) -> Answer:
    """The legal moves of a position, one a line; where chance is due, what it may bring.

    POSITION is a JSON file, or - for standard input. What it leaves out is as at set-up.
    """
    where = read_position_argument(position)
    legal = games.moves(where)
    chance = games.chances(where)
    total = sum(c.weight for c in chance)
    options = chance or legal
    result = Result(
        "moves",
        Verdict.OK,
        where.ruleset,
        game_of(where).model.readings,
        counts={"moves": 0 if chance else len(legal), "chances": len(chance)},
        findings=tuple(option_finding(o) for o in options),
    )
    return Answer(result, [option_line(o, total) for o in options] or ["no move is legal and no chance is due"])


command = moves
