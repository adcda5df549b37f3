"""Help for the tests of lancashire-2018: positions and moves of yellow in the middle of the canal era."""

from __future__ import annotations

from typing import Any

from engine_playing import engine, names, table

from brassspec.engine import Engine
from brassspec.formats import Move, Position

RULESET = "lancashire-2018"


def rules(players: int = 3, readings: str = "") -> Engine:
    return engine(players, readings, RULESET)


def at(players: int = 3, **state: Any) -> Position:
    """A position in the middle of the canal era with yellow to act."""
    return table(players, RULESET, **state)


def change(position: Position, **state: Any) -> Position:
    return Position(position.ruleset, position.players, position.state | state)


def verdict(position: Position, move: Move, readings: str = "") -> list[str]:
    """What a move violates; a move is among the legal ones if and only if that is nothing."""
    judge = rules(position.players, readings)
    outcome = judge.step(position, move)
    assert (move in judge.legal_moves(position)) == outcome.legal
    return names(outcome)


def build(card: str, slot: str, industry: str, coal: str = "", iron: str = "", player: str = "yellow") -> Move:
    cubes = {"coal": [coal] if coal else [], "iron": [iron] if iron else []}
    return {"action": "build", "player": player, "card": card, "slot": slot, "industry": industry} | cubes


def canal(link: str) -> Move:
    return {"action": "canal", "player": "yellow", "card": "oldham", "link": link}


def rail(link: str, coal: str = "market") -> Move:
    return {"action": "rail", "player": "yellow", "card": "oldham", "link": link, "coal": coal}


def second_rail(link: str, coal: str = "market") -> Move:
    return {"action": "second_rail", "player": "yellow", "link": link, "coal": coal}


def sale(mill: str, through: str) -> Move:
    return {"action": "sell", "player": "yellow", "card": "oldham", "mill": mill, "through": through}


def skip(player: str = "yellow", card: str = "oldham") -> Move:
    return {"action": "pass", "player": player, "card": card}
