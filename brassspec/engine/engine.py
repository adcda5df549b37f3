"""The front door: moves, chance and their outcomes on plain positions."""

from __future__ import annotations

from importlib import import_module

from brassspec.engine import rounds
from brassspec.engine.rules import Effect, Rules, check_well_formed, judge, legal
from brassspec.engine.state import State, read, write
from brassspec.engine.verdict import refusal
from brassspec.formats import Chance, Event, InputError, Move, Outcome, Position

# Edition: the module of its rules, which is imported only once the game is asked for.
LANCASHIRE = {
    "lancashire-2007": "lancashire",
    "lancashire-2007-2p": "lancashire_2p",
    "lancashire-2018": "lancashire_2018",
    "lancashire-2018-intro": "lancashire_2018",
    "mini": "mini",
}
BIRMINGHAM = dict.fromkeys(("birmingham-2018", "birmingham-2018-intro", "mini-birmingham"), "birmingham")
REMEMBERED = 16  # positions: of one, several things are asked, and several moves tried


class Engine:
    """The game of one ruleset, such as `birmingham-2018+vp_floor=none`, for a number of players.

    InputError on a ruleset, a number of players, a position, a move or a chance outcome that is none of the game's. What
    positions lead to is remembered for a while, and shares what has not changed: they must not be changed in place.
    """

    def __init__(self, ruleset: str = "lancashire-2007", players: int = 4) -> None:
        self._rules = _rules(ruleset.split("+")[0])
        self._game = self._rules.game(ruleset, players)
        self._shapes = self._rules.shapes(self._game)
        self._set_up = self._rules.state(self._game)
        self._variables = self._set_up.variables()
        # The positions last read or reached, by identity, with their states, which are never changed.
        self._states: dict[int, tuple[Position, State]] = {}

    @staticmethod
    def readings(edition: str = "lancashire-2007") -> dict[str, tuple[str, ...]]:
        """The questions on which readings are offered in an edition, the default first."""
        return dict(_rules(edition).offered)

    def initial(self) -> Position:
        """The position at set-up, before the order of play is known."""
        return write(self._variables, self._set_up)

    # Moves

    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move once: in the order of the move table, then of the fields of a move."""
        return legal(self._rules, self._shapes, self._state(position))

    def step(self, position: Position, move: Move) -> Outcome:
        """What a move leads to: the next position at rest and what happened, or every requirement it violates."""
        check_well_formed(self._shapes, self._game, move)
        state = self._state(position)
        faults = list(judge(self._rules, self._shapes, state, move))
        if faults:
            return refusal(faults, self._rules.catalogue)
        return self._after(state, self._rules.actions[move["action"]].effect, move)

    # Chance

    def chance(self, position: Position) -> list[tuple[Chance, int]]:
        """The outcomes of the chance that is due, with their weights; none if a player decides or the game is over."""
        return rounds.due(self._rules, self._state(position))

    def apply_chance(self, position: Position, outcome: Chance) -> Outcome:
        """What an outcome of chance leads to."""
        state = self._state(position)
        due = [one for one, _ in rounds.due(self._rules, state)]
        if outcome not in due:
            raise InputError(f"chance: {outcome!r} is not among the {len(due)} outcomes due in phase {state.phase}")
        return self._after(state, self._rules.chances[outcome["chance"]], outcome)

    # Positions

    def rest(self, position: Position) -> Outcome:
        """What the rules do by themselves until a player decides, chance falls or the game is over; nothing at rest.

        The position may be in any phase; the one it comes to, perhaps itself, is in canonical form.
        """
        return self._after(self._state(position), lambda state, cause, events: None, {})

    def _state(self, position: Position) -> State:
        if id(position) not in self._states:  # a position that is remembered keeps its id from being reused
            self._remember(position, read(self._variables, self._set_up, position))
        return self._states[id(position)][1]

    def _remember(self, position: Position, state: State) -> None:
        if len(self._states) >= REMEMBERED:
            del self._states[next(iter(self._states))]  # the oldest
        self._states[id(position)] = position, state

    def _after(self, state: State, effect: Effect, cause: Move | Chance) -> Outcome:
        state = state.copy()
        events: list[Event] = []
        effect(state, cause, events)
        rounds.run_on(self._rules, state, events)
        position = write(self._variables, state)
        self._remember(position, state)
        return Outcome(position=position, events=tuple(events))


def _rules(edition: str) -> Rules:
    modules = BIRMINGHAM if "birmingham" in edition else LANCASHIRE
    if edition not in modules:
        raise InputError(f"ruleset: no ruleset {edition!r}; there are {', '.join(modules)}")
    rules: Rules = import_module(f"brassspec.engine.{modules[edition]}").RULES
    return rules
