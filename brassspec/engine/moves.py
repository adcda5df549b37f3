"""The shape of moves: what makes one well formed."""

from __future__ import annotations

from brassspec.engine.cards import PLAYED
from brassspec.engine.game import Game
from brassspec.engine.plain import Reader, name_in
from brassspec.formats import InputError, Move


def check_well_formed(shapes: dict[str, dict[str, Reader]], game: Game, move: Move) -> None:
    """Raise InputError, naming the place, unless the move is one the game knows.

    `shapes`: of each action the fields of its moves, besides `action` and `player`, and what reads each.
    """
    action = name_in(shapes)("move.action", move.get("action"))
    expected = ("action", "player", *shapes[action])
    for name in expected:
        if name not in move:
            raise InputError(f"move.{name}: missing; {action} has {', '.join(expected)}")
    for name in move:
        if name not in expected:
            raise InputError(f"move.{name}: {action} has no such field; it has {', '.join(expected)}")
    name_in(game.players)("move.player", move["player"])
    for name, reader in shapes[action].items():
        reader(f"move.{name}", move[name])
    played = [name for name in PLAYED if name in expected]
    ranks = [game.card_rank[move[name]] for name in played]
    if ranks != sorted(ranks):
        raise InputError(f"move.{played[-1]}: the cards of {action} stand in card order; exchange them")
