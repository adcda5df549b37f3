"""The shape of moves: their fields, and what makes one well formed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brassspec.engine import tables
from brassspec.engine.loan import LARGEST_LOAN
from brassspec.engine.readings import Game
from brassspec.engine.state import CARD_RANK
from brassspec.formats import InputError, Move

FIELDS: dict[str, tuple[str, ...]] = {
    "build": ("card", "slot", "industry", "coal", "iron"),
    "combine": ("card", "other", "slot", "industry", "coal", "iron"),
    "canal": ("card", "link"),
    "rail": ("card", "link", "coal"),
    "second_rail": ("link", "coal"),
    "develop": ("card", "industry", "iron"),
    "develop_second": ("industry", "iron"),
    "sell": ("card", "mill", "through"),
    "sell_more": ("mill", "through"),
    "loan": ("card", "amount"),
    "pass": ("card",),
    "give_up": ("slot",),
    "done": (),
}

# Actions that name all cubes of a tile, as a list; the others name the source of one cube.
LISTING = ("build", "combine")


def check_well_formed(game: Game, move: Move) -> None:
    """Raise InputError, naming the place, unless the move is one the game knows."""
    action = move.get("action")
    if type(action) is not str or action not in FIELDS:
        raise InputError(f"move.action: {action!r} is none of {', '.join(FIELDS)}")
    expected = ("action", "player", *FIELDS[action])
    for name in expected:
        if name not in move:
            raise InputError(f"move.{name}: missing; {action} has {', '.join(expected)}")
    for name in move:
        if name not in expected:
            raise InputError(f"move.{name}: {action} has no such field; it has {', '.join(expected)}")
    _check_known("player", move["player"], game.players)
    for name in FIELDS[action]:
        if name in ("coal", "iron"):
            _check_cubes(game, name, move[name], action in LISTING)
        else:
            _FIELD_CHECKS[name](game, name, move[name])
    if action == "combine" and CARD_RANK[move["card"]] > CARD_RANK[move["other"]]:
        raise InputError(f"move.other: {move['other']!r} comes before {move['card']!r} in card order; exchange them")


def _check_known(name: str, value: Any, known: Any) -> None:
    if type(value) is not str or value not in known:
        raise InputError(f"move.{name}: {value!r} is none of {', '.join(known)}")


def _check_cubes(game: Game, name: str, value: Any, listing: bool) -> None:
    if not listing:
        _check_source(game, name, value)
        return
    if type(value) is not list:
        raise InputError(f"move.{name}: {value!r} is not a list of sources")
    for number, source in enumerate(value):
        _check_source(game, f"{name}.{number}", source)


def _check_source(game: Game, name: str, value: Any) -> None:
    if value != tables.MARKET:
        _check_known(name, value, game.edition.spaces)


def _check_card(game: Game, name: str, value: Any) -> None:
    _check_known(name, value, game.edition.cards)


def _check_slot(game: Game, name: str, value: Any) -> None:
    _check_known(name, value, game.edition.spaces)


def _check_through(game: Game, name: str, value: Any) -> None:
    if value != tables.DISTANT:
        _check_known(name, value, game.edition.spaces)


def _check_industry(game: Game, name: str, value: Any) -> None:
    _check_known(name, value, tables.INDUSTRIES)


def _check_link(game: Game, name: str, value: Any) -> None:
    _check_known(name, value, game.edition.lines)


def _check_amount(game: Game, name: str, value: Any) -> None:
    if type(value) is not int or not 1 <= value <= LARGEST_LOAN:
        raise InputError(f"move.{name}: {value!r} is not 1, 2 or 3")


_FIELD_CHECKS: dict[str, Callable[[Game, str, Any], None]] = {
    "card": _check_card,
    "other": _check_card,
    "slot": _check_slot,
    "mill": _check_slot,
    "through": _check_through,
    "industry": _check_industry,
    "link": _check_link,
    "amount": _check_amount,
}
