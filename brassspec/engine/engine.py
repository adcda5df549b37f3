"""The front door: moves, chance and their outcomes on plain positions."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import birmingham, cards, chance, income, lancashire, moves, rounds
from brassspec.engine.rules import Rules
from brassspec.engine.state import State, read, write
from brassspec.engine.verdict import Verdict
from brassspec.formats import Chance, Event, InputError, Move, Outcome, Position

REMEMBERED = 16  # positions: of one, several things are asked, and several moves tried


class Engine:
    """The game of one ruleset, such as `birmingham-2018+vp_floor=none`, for a number of players.

    InputError on a ruleset, a number of players, a position, a move or a chance outcome that is none of the game's. What
    positions lead to is remembered for a while: they must not be changed in place.
    """

    def __init__(self, ruleset: str = "lancashire-2007", players: int = 4) -> None:
        edition = birmingham if _is_birmingham(ruleset) else lancashire
        self._rules = edition.RULES
        self._game = edition.game(ruleset, players)
        self._readers = self._rules.readers(self._game)
        self._shapes = self._rules.shapes(self._game)
        self._set_up = self._rules.set_up(self._game)
        # The positions last read or reached, by identity, with their states, which are never changed.
        self._states: dict[int, tuple[Position, State]] = {}

    @staticmethod
    def readings(edition: str = "lancashire-2007") -> dict[str, tuple[str, ...]]:
        """The questions on which readings are offered in an edition, the default first."""
        return birmingham.offered(edition) if _is_birmingham(edition) else lancashire.offered(edition)

    def initial(self) -> Position:
        """The position at set-up, before the order of play is known."""
        return write(self._set_up)

    # Moves

    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move once: in the order of the move table, then of the fields of a move."""
        return list(_legal_moves(self._rules, self._state(position)))

    def step(self, position: Position, move: Move) -> Outcome:
        """What a move leads to: the next position at rest and what happened, or every requirement it violates."""
        moves.check_well_formed(self._shapes, self._game, move)
        state = self._state(position)
        verdict = _judge(self._rules, state, move)
        if verdict.violated:
            return verdict.outcome(self._rules.catalogue)
        state = state.copy()
        events: list[Event] = []
        _, effect = self._rules.actions[move["action"]]
        effect(state, move, events)
        return self._run_on(state, events)

    # Chance

    def chance(self, position: Position) -> list[tuple[Chance, int]]:
        """The outcomes of the chance that is due, with their weights; none if a player decides or the game is over."""
        return chance.due(self._rules, self._state(position))

    def apply_chance(self, position: Position, outcome: Chance) -> Outcome:
        """What an outcome of chance leads to."""
        state = self._state(position)
        due = [one for one, _ in chance.due(self._rules, state)]
        if outcome not in due:
            raise InputError(f"chance: {outcome!r} is not among the {len(due)} outcomes due in phase {state.phase}")
        state = state.copy()
        events: list[Event] = []
        chance.fall(self._rules, state, outcome, events)
        return self._run_on(state, events)

    # Positions

    def _state(self, position: Position) -> State:
        known, state = self._states.get(id(position), (None, self._set_up))
        if known is not position:
            state = read(self._readers, self._set_up, position)
            self._rules.complete(state, position)
            self._remember(position, state)
        return state

    def _remember(self, position: Position, state: State) -> None:
        if len(self._states) >= REMEMBERED:
            del self._states[next(iter(self._states))]  # the oldest
        self._states[id(position)] = position, state

    def _run_on(self, state: State, events: list[Event]) -> Outcome:
        rounds.run_on(self._rules, state, events)
        position = write(state)
        self._remember(position, state)
        return Outcome(position=position, events=tuple(events))


def _is_birmingham(ruleset: str) -> bool:
    return "birmingham" in ruleset.split("+")[0]


def _judge(rules: Rules, state: State, move: Move) -> Verdict:
    """cz "KROK Hraní karet", fi "Pelaajan vuoro": everything against a well-formed move."""
    verdict = Verdict()
    action = move["action"]
    if action != "give_up":
        if state.phase != "actions":
            verdict.violate("turn.order", f"no actions are being taken in phase {state.phase}")
        elif move["player"] != state.acting:
            verdict.violate("turn.order", f"it is the turn of {state.acting}")
        if action in rules.openers and state.pending != "none":
            verdict.violate("turn.unfinished", f"an action is in progress: {state.pending}")
    cards.check_held(state, move, verdict)
    check, _ = rules.actions[action]
    check(state, move, verdict)
    if action == "pass" and not verdict.violated and _passing_is_closed(rules, state):
        verdict.violate("pass.forced", "another action is possible")
    return verdict


def _passing_is_closed(rules: Rules, state: State) -> bool:
    """Reading pass_action=forced: only who can do nothing else passes."""
    return state.game.reads("pass_action", "forced") and any(
        True for action, each in rules.openers.items() if action != "pass" for _ in each(state)
    )


def _legal_moves(rules: Rules, state: State) -> Iterator[Move]:
    if state.phase == "income":
        yield from income.give_up_moves(state)
    elif state.phase == "actions" and state.pending == "none":
        for action, each in rules.openers.items():
            if action != "pass" or not _passing_is_closed(rules, state):
                yield from each(state)
    elif state.pending in rules.follow_ups:
        yield from rules.follow_ups[state.pending](state)
        if state.may_close():
            yield {"action": "done", "player": state.acting}
