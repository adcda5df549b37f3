"""Help for the tests of Birmingham's engine: positions by hand, moves, and random play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine_playing import Moment, random_game

from brassspec.engine import Engine
from brassspec.engine.birmingham.tables import FULL
from brassspec.formats import Move, Outcome, Position

MERCHANTS = {
    2: {
        "gloucester.1": "manufacturer",
        "gloucester.2": "cotton",
        "oxford.1": "blank",
        "oxford.2": "all",
        "shrewsbury.1": "blank",
    },
    3: {
        "gloucester.1": "manufacturer",
        "gloucester.2": "cotton",
        "oxford.1": "pottery",
        "oxford.2": "all",
        "shrewsbury.1": "blank",
        "warrington.1": "blank",
        "warrington.2": "blank",
    },
    4: {
        "gloucester.1": "manufacturer",
        "gloucester.2": "cotton",
        "nottingham.1": "pottery",
        "nottingham.2": "blank",
        "oxford.1": "manufacturer",
        "oxford.2": "cotton",
        "shrewsbury.1": "all",
        "warrington.1": "blank",
        "warrington.2": "blank",
    },
}


def engine(players: int = 4, readings: str = "", edition: str = "birmingham-2018") -> Engine:
    return Engine(edition + readings, players)


def table(players: int = 4, edition: str = "birmingham-2018", **state: Any) -> Position:
    """The initial position, but in the third round of the canal era, with merchants and yellow to act, changed as told.

    What is left of tiles and cards stays on the mats and in the deck.
    """
    initial = engine(players, edition=edition).initial().state
    piles = ("stack", "deck", "wilds")
    middle: dict[str, Any] = {name: value for name, value in initial.items() if name not in piles}
    middle |= {"round": 3, "phase": "actions", "actions": 2, "merchant": MERCHANTS[players]}
    middle["placed"] = dict.fromkeys(middle["order"], True)
    return Position(edition, players, middle | state)


def gone(player: str, **levels: int) -> dict[str, Any]:
    """The tiles of one player up to the levels named, out of the game."""
    return {
        player: {
            industry: {str(level): FULL.tiles[industry, level].count for level in range(1, last + 1)}
            for industry, last in levels.items()
        }
    }


def build(card: str, slot: str, industry: str, coal: Sequence[str] = (), iron: Sequence[str] = ()) -> Move:
    fields = {"card": card, "slot": slot, "industry": industry, "coal": list(coal), "iron": list(iron)}
    return {"action": "build", "player": "yellow", **fields}


def canal(link: str, card: str = "dudley") -> Move:
    return {"action": "canal", "player": "yellow", "card": card, "link": link}


def rail(link: str, coal: str = "market", card: str = "dudley") -> Move:
    return {"action": "rail", "player": "yellow", "card": card, "link": link, "coal": coal}


def second_rail(link: str, beer: str, coal: str = "market") -> Move:
    return {"action": "second_rail", "player": "yellow", "link": link, "coal": coal, "beer": beer}


def develop(industry: str, iron: str = "market", card: str = "dudley") -> Move:
    return {"action": "develop", "player": "yellow", "card": card, "industry": industry, "iron": iron}


def develop_second(industry: str, iron: str = "market") -> Move:
    return {"action": "develop_second", "player": "yellow", "industry": industry, "iron": iron}


def sell(slot: str, merchant: str, beer: Sequence[str] = (), barrels: Sequence[str] = (), card: str = "dudley") -> Move:
    return {**sell_more(slot, merchant, beer, barrels), "action": "sell", "card": card}


def sell_more(slot: str, merchant: str, beer: Sequence[str] = (), barrels: Sequence[str] = ()) -> Move:
    fields = {"tile": slot, "merchant": merchant, "beer": list(beer), "barrels": list(barrels)}
    return {"action": "sell_more", "player": "yellow", **fields}


def simple(action: str, **fields: str) -> Move:
    return {"action": action, "player": "yellow", **fields}


def scout(*three: str) -> Move:
    return simple("scout", card=three[0], second=three[1], third=three[2])


PASS = simple("pass", card="dudley")
LOAN = simple("loan", card="dudley")
DONE = simple("done")


def after(position: Position, *moves: Move, readings: str = "", edition: str = "birmingham-2018") -> Outcome:
    """What the last of some moves leads to; the others are legal."""
    rules = engine(position.players, readings, edition)
    outcome = Outcome(position=position)
    for move in moves:
        assert outcome.position is not None, outcome.violated
        outcome = rules.step(outcome.position, move)
    return outcome


def state_after(
    position: Position, *moves: Move, readings: str = "", edition: str = "birmingham-2018"
) -> dict[str, Any]:
    """The position that legal moves lead to, as plain data."""
    outcome = after(position, *moves, readings=readings, edition=edition)
    assert outcome.position is not None, outcome.violated
    return outcome.position.state


IDLE = {"pass": 1, "scout": 2, "loan": 2, "develop": 3}  # weights; that of other actions is 8


def play(players: int, seed: int, readings: str = "", edition: str = "birmingham-2018") -> Iterator[Moment]:
    """A random game that prefers to build, to lay links and to sell."""
    return random_game(
        engine(players, readings, edition),
        seed,
        lambda rng, actions: rng.choices(actions, [IDLE.get(name, 8) for name in actions])[0],
    )
