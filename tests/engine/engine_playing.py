"""Help for the engine's tests: positions by hand, and random play."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from brassspec.engine import Engine, lancashire, lancashire_2p, lancashire_2018, mini
from brassspec.formats import Chance, Event, Move, Outcome, Position

# Of the Lancashire games: edition: its game by the number of players.
EDITIONS = {
    edition: games
    for game in (lancashire, lancashire_2p, lancashire_2018, mini)
    for edition, games in game.RULES.editions.items()
}
RULESET = {2: "lancashire-2007-2p", 3: "lancashire-2007", 4: "lancashire-2007"}


def engine(players: int = 3, readings: str = "", ruleset: str = "") -> Engine:
    return Engine((ruleset or RULESET[players]) + readings, players)


def tile(owner: str, industry: str, level: int, cubes: int = 0, flipped: bool = False) -> dict[str, Any]:
    return {"owner": owner, "industry": industry, "level": level, "flipped": flipped, "cubes": cubes}


def table(players: int = 3, ruleset: str = "", **state: Any) -> Position:
    """A position in the middle of the canal era with yellow to act; what is not said is as at set-up."""
    names = ["yellow", "red", "purple", "green"][:players]
    middle = {"round": 3, "phase": "actions", "actions": 2, "built": dict.fromkeys(names, True)}
    return Position(ruleset or RULESET[players], players, middle | state)


def stack(player: str, **tops: int) -> dict[str, Any]:
    """Stacks of one player down to the levels named, the other industries empty."""
    last = {"cotton_mill": 4, "port": 4, "coal_mine": 4, "iron_works": 4, "shipyard": 2}
    return {player: {name: {str(level): 1 for level in range(top, last[name] + 1)} for name, top in tops.items()}}


def names(outcome: Outcome) -> list[str]:
    return [violation.requirement for violation in outcome.violated]


def after(outcome: Outcome) -> Position:
    """Where a legal move, or chance, leads."""
    assert outcome.position is not None, names(outcome)
    return outcome.position


def kinds(outcome: Outcome) -> list[str]:
    return [event["event"] for event in outcome.events]


def told(outcome: Outcome, *kinds: str) -> list[tuple[Any, ...]]:
    """The events of some kinds, each as the tuple of its values."""
    return [tuple(event.values()) for event in outcome.events if event["event"] in kinds]


# What happened at one point of a game: the position, its legal moves, what was chosen among them or by chance, and its outcome.
Moment = tuple[Position, list[Move], Move | Chance, Outcome]


def play(players: int, seed: int, readings: str = "", ruleset: str = "") -> Iterator[Moment]:
    """A random game that favours no action."""
    return random_game(engine(players, readings, ruleset), seed, lambda rng, actions: rng.choice(actions))


def random_game(rules: Engine, seed: int, choose: Callable[[random.Random, list[str]], str]) -> Iterator[Moment]:
    """A game from set-up to its end. choose: the action, among those that are legal, sorted; its move is any."""
    rng = random.Random(seed)
    position = rules.initial()
    while True:
        chances = rules.chance(position)
        moves = rules.legal_moves(position)
        assert not (chances and moves)
        if chances:
            choice = rng.choices([one for one, _ in chances], [weight for _, weight in chances])[0]
            outcome = rules.apply_chance(position, choice)
        elif moves:
            action = choose(rng, sorted({move["action"] for move in moves}))
            choice = rng.choice([move for move in moves if move["action"] == action])
            outcome = rules.step(position, choice)
        else:
            assert position.state["phase"] == "over"
            return
        assert outcome.position is not None
        yield position, moves, choice, outcome
        position = outcome.position


def cards(state: dict[str, Any]) -> int:
    """How many there are, in all piles and hands."""
    piles = [state["deck"], state["discard"], state["aside"], state.get("wilds", []), *state["hand"].values()]
    return sum(len(pile) for pile in piles)


def tiles(state: dict[str, Any], player: str) -> int:
    """How many a player has, in the stacks, on the board and out of the game."""
    off_board: int = sum(
        number
        for place in ("stack", "gone")
        for levels in state[place].get(player, {}).values()
        for number in levels.values()
    )
    return off_board + sum(each["owner"] == player for each in state["tile"].values())


def events_of(outcome: Outcome, kind: str) -> list[Event]:
    return [event for event in outcome.events if event["event"] == kind]
