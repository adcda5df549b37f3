"""The table of contents of one game: its editions, and where the engine finds its chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from brassspec.engine.game import Game
from brassspec.engine.plain import Reader
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults
from brassspec.formats import Chance, Event, InputError, Move

# A chapter takes the state of its own game, which no common type can tell: Any.
Check = Callable[[Any, Move], Faults]
Effect = Callable[[Any, Move, list[Event]], None]
# What its moves may name, besides `action`, `player` and the cards played.
Options = Callable[[Any], Iterable[Move]]
# Action: the fields of its moves, besides `action` and `player`, and what reads each.
Shapes = dict[str, dict[str, Reader]]
# Whether a card suits what a move names.
Suits = Callable[[Any], Callable[[str, Move], bool]]
# What a phase does by itself; it takes the rules, too, where a chapter of the game has its say.
Step = Callable[["Rules", Any, list[Event]], None]


class Action(NamedTuple):
    """The chapter of one action: what it requires, what it does, and which moves there are."""

    check: Check
    effect: Effect
    options: Options
    stage: str | None = "none"  # what waits for it, as State.stage; None: anything may
    suits: Suits | None = None  # where the card played matters


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What differs between the games, chapter by chapter."""

    editions: dict[str, dict[int, Any]]  # edition: its game by the number of players
    offered: dict[str, tuple[str, ...]]  # question: its readings, the default first
    as_read: Callable[[Any], Game]  # the game with what its readings put on the table
    state: Callable[[Any], State]  # at set-up
    catalogue: tuple[str, ...]  # the requirements, in the order in which they are told
    shapes: Callable[[Any], Shapes]
    actions: dict[str, Action]  # in the order of the move table
    due: Callable[[Any], list[tuple[Chance, int]]]  # chance of this game alone
    chances: dict[str, Callable[[Any, Chance, list[Event]], None]]  # what each outcome does
    steps: dict[str, Step]  # of the phases in which something happens by itself
    scoring: Callable[[Any, list[Event]], None]
    clean_up: Callable[[Any, list[Event]], None]

    def game(self, ruleset: str, players: int) -> Game:
        """The game of a ruleset's name, such as `lancashire-2007+last_tie=shared`; InputError unless it is one for so many.

        Each question is read as the name says in `QUESTION=READING`, else in the first reading offered.
        """
        edition, *parts = ruleset.split("+")
        games = self.editions[edition]
        if type(players) is not int or players not in games:
            counts = " or ".join(map(str, games))
            raise InputError(f"players: {edition} is for {counts} players, not {players!r}")
        chosen = {question: readings[0] for question, readings in self.offered.items()}
        for part in parts:
            question, _, reading = part.partition("=")
            if question not in chosen:
                raise InputError(f"ruleset: no question {question!r}; there are {', '.join(chosen)}")
            if reading not in self.offered[question]:
                known = ", ".join(self.offered[question])
                raise InputError(f"ruleset: no reading {reading!r} of {question}; there are {known}")
            chosen[question] = reading
        return self.as_read(replace(games[players], ruleset=ruleset, chosen=chosen))

    def may_go_on(self, state: State) -> bool:
        """Whether anything may follow in the action in progress."""
        return any(True for each in self.actions.values() if each.stage == state.stage for _ in each.options(state))
