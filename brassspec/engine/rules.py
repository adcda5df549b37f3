"""The table of contents of one game: where the engine finds its chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from brassspec.engine.plain import Reader
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults
from brassspec.formats import Chance, Event, Move

# A chapter takes the state of its own game, which no common type can tell: Any.
Check = Callable[[Any, Move], Faults]
Effect = Callable[[Any, Move, list[Event]], None]
# What its moves may name, besides `action`, `player` and the cards played.
Options = Callable[[Any], Iterable[Move]]
# Action: the fields of its moves, besides `action` and `player`, and what reads each.
Shapes = dict[str, dict[str, Reader]]
# Whether a card suits what a move names.
Suits = Callable[[Any], Callable[[str, Move], bool]]


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

    state: Callable[[Any], State]  # at set-up
    catalogue: tuple[str, ...]  # the requirements, in the order in which they are told
    shapes: Callable[[Any], Shapes]
    actions: dict[str, Action]  # in the order of the move table
    due: Callable[[Any], list[tuple[Chance, int]]]  # chance of this game alone
    chances: dict[str, Callable[[Any, Chance, list[Event]], None]]  # what each outcome does
    set_up: Callable[[Any, list[Event]], None]  # goes on once what chance decides before the cards is decided
    scoring: Callable[[Any, list[Event]], None]
    clean_up: Callable[[Any, list[Event]], None]

    def may_go_on(self, state: State) -> bool:
        """Whether anything may follow in the action in progress."""
        return any(True for each in self.actions.values() if each.stage == state.stage for _ in each.options(state))
