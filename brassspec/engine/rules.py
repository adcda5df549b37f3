"""The table of contents of one game: its editions and chapters, and the moves these make and judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from brassspec.engine import cards
from brassspec.engine.game import Game
from brassspec.engine.plain import Reader, name_in
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults
from brassspec.formats import Chance, Event, InputError, Move

# A chapter takes the state of its own game, which no common type can tell: Any.
Check = Callable[[Any, Move], Faults]
Effect = Callable[[Any, Move | Chance, list[Event]], None]
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
    moves: dict[str, dict[str, str]]  # action: the fields of its moves, besides `action` and `player`, and their kinds
    readers: Callable[[Any], dict[str, Reader]]  # kind of field: what reads it
    actions: dict[str, Action]  # in the order of the move table
    due: Callable[[Any], list[tuple[Chance, int]]]  # chance of this game alone
    chances: dict[str, Effect]  # what each outcome does
    steps: dict[str, Step]  # of the phases in which something happens by itself

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

    def shapes(self, game: Game) -> Shapes:
        """What reads each field of the moves."""
        readers = self.readers(game)
        return {action: {name: readers[kind] for name, kind in kinds.items()} for action, kinds in self.moves.items()}

    def may_go_on(self, state: State) -> bool:
        """Whether anything may follow in the action in progress."""
        return any(True for each in self.actions.values() if each.stage == state.stage for _ in each.options(state))


# Moves

# What an action may go on with, as State.pending: what is found, and the facts, where that was not begun.
NOT_BEGUN = {
    "rail": ("rail.second", "no first rail was just built"),
    "develop": ("develop.second", "no first tile was just developed"),
    "sale": ("sell.more", "no sale is in progress"),
}


def check_well_formed(shapes: Shapes, game: Game, move: Move) -> None:
    """Raise InputError, naming the place, unless the move is one the game knows."""
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
    played = [name for name in cards.PLAYED if name in expected]
    ranks = [game.card_rank[move[name]] for name in played]
    if ranks != sorted(ranks):
        raise InputError(f"move.{played[-1]}: the cards of {action} stand in card order; exchange them")


def judge(rules: Rules, shapes: Shapes, state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet", fi "Pelaajan vuoro": everything against a well-formed move."""
    faults = [*_check_turn(rules, state, move), *cards.check_held(state, move)]
    faults += rules.actions[move["action"]].check(state, move)
    yield from faults
    alone = move["action"] == "pass" and state.game.reads("pass_action", "forced")
    if alone and not faults and move not in legal(rules, shapes, state):  # there a pass comes only if nothing else does
        yield "pass.forced", "another action is possible"


def _check_turn(rules: Rules, state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet", fi "Pelaajan vuoro": one player acts, and ends an action before the next.

    Nor does anybody go on with what was not begun.
    """
    stage = rules.actions[move["action"]].stage
    if stage != "income":
        if state.phase != "actions":
            yield "turn.order", f"no actions are being taken in phase {state.phase}"
        elif move["player"] != state.acting:
            yield "turn.order", f"it is the turn of {state.acting}"
        if stage == "none" and state.pending != "none":
            yield "turn.unfinished", f"an action is in progress: {state.pending}"
    if stage in NOT_BEGUN and stage != state.pending:
        yield NOT_BEGUN[stage]


def legal(rules: Rules, shapes: Shapes, state: State) -> list[Move]:
    """Every legal move once: in the order of the move table, then of the fields of a move.

    Reading pass_action=forced: only who can do nothing else passes.
    """
    found: list[Move] = []
    options = cache(lambda find: list(find(state)))  # building with one card and with two has the same
    only_if_forced = state.game.reads("pass_action", "forced")
    for name, action in rules.actions.items():
        if action.stage not in (state.stage, None) or (name == "pass" and found and only_if_forced):
            continue
        suits = action.suits(state) if action.suits else None
        for played in cards.ways_to_play(state, [field for field in shapes[name] if field in cards.PLAYED]):
            start = {"action": name, "player": state.acting, **played}
            found += [
                start | option for option in options(action.options) if suits is None or suits(played["card"], option)
            ]
    return found
