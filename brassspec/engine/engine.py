"""The reference engine of Brass (2007): moves, chance and their outcomes on plain positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from brassspec.engine import build, cards, develop, income, links, loan, moves, readings, rounds, sell
from brassspec.engine.state import CARD_RANK, State, read, set_up, write
from brassspec.engine.verdict import Verdict
from brassspec.formats import Chance, Event, InputError, Move, Outcome, Position

# Actions that begin with a card, in the order of the move table, with their moves.
OPENERS: dict[str, Callable[[State], Iterator[Move]]] = {
    "build": build.build_moves,
    "combine": build.combine_moves,
    "canal": links.canal_moves,
    "rail": links.rail_moves,
    "develop": develop.develop_moves,
    "sell": sell.sell_moves,
    "loan": loan.loan_moves,
    "pass": loan.pass_moves,
}

CHECKS: dict[str, Callable[[State, Move, Verdict], None]] = {
    "build": build.check_build,
    "combine": build.check_combine,
    "canal": links.check_canal,
    "rail": links.check_rail,
    "second_rail": links.check_second_rail,
    "develop": develop.check_develop,
    "develop_second": develop.check_develop_second,
    "sell": sell.check_sell,
    "sell_more": sell.check_sell_more,
    "loan": loan.check_loan,
}

EFFECTS: dict[str, Callable[[State, Move, list[Event]], None]] = {
    "build": build.build,
    "combine": build.combine,
    "canal": links.canal,
    "rail": links.rail,
    "second_rail": links.second_rail,
    "develop": develop.develop,
    "develop_second": develop.develop_second,
    "sell": sell.sell,
    "sell_more": sell.sell_more,
    "loan": loan.loan,
    "pass": loan.pass_by,
    "give_up": income.give_up,
}


class Engine:
    """The game of one ruleset, such as `lancashire-2007+last_tie=shared`, for a number of players."""

    def __init__(self, ruleset: str = "lancashire-2007", players: int = 4) -> None:
        self._game = readings.game(ruleset, players)

    @staticmethod
    def readings() -> dict[str, tuple[str, ...]]:
        """The questions on which the engine offers readings, the default first."""
        return dict(readings.OFFERED)

    def initial(self) -> Position:
        """The position at set-up, before the starting player is known."""
        return write(set_up(self._game))

    # Moves

    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move once: in the order of the move table, then of the fields of a move."""
        return list(_legal_moves(read(self._game, position)))

    def step(self, position: Position, move: Move) -> Outcome:
        """What a move leads to: the next position at rest and what happened, or every requirement it violates."""
        moves.check_well_formed(self._game, move)
        state = read(self._game, position)
        verdict = _judge(state, move)
        if verdict.violated:
            return verdict.outcome()
        events: list[Event] = []
        if move["action"] == "done":
            rounds.close_action(state)
        else:
            EFFECTS[move["action"]](state, move, events)
        rounds.run_on(state, events)
        return Outcome(position=write(state), events=tuple(events))

    # Chance

    def chance(self, position: Position) -> list[tuple[Chance, int]]:
        """The outcomes of the chance that is due, with their weights; none if a player decides or the game is over."""
        return _chance(read(self._game, position))

    def apply_chance(self, position: Position, outcome: Chance) -> Outcome:
        """What an outcome of chance leads to."""
        state = read(self._game, position)
        due = [one for one, _ in _chance(state)]
        if outcome not in due:
            raise InputError(f"chance: {outcome!r} is not among the {len(due)} outcomes due in phase {state.phase}")
        events: list[Event] = []
        kind = outcome["chance"]
        if kind == "first":
            rounds.begin_game(state, outcome["player"], events)
        elif kind == "draw":
            cards.draw(state, outcome["player"], outcome["card"], events)
        elif kind == "set_aside":
            cards.set_aside(state, outcome["card"], events)
        else:
            sell.turn_tile(state, outcome["value"], events)
        rounds.run_on(state, events)
        return Outcome(position=write(state), events=tuple(events))


def _judge(state: State, move: Move) -> Verdict:
    """Everything against a well-formed move."""
    verdict = Verdict()
    action, player = move["action"], move["player"]
    if action == "give_up":
        income.check_give_up(state, move, verdict)
        return verdict
    if state.phase != "actions":
        verdict.violate("turn.order", f"no actions are being taken in phase {state.phase}")
    elif player != state.acting:
        verdict.violate("turn.order", f"it is the turn of {state.acting}")
    if action in OPENERS and state.pending != "none":
        verdict.violate("turn.unfinished", f"an action is in progress: {state.pending}")
    if action == "done":
        if state.pending not in rounds.FOLLOW_UPS:
            verdict.violate("done.open", "no action is in progress that could be closed")
    elif action == "pass":
        cards.check_held(state, player, [move["card"]], verdict)
        if state.game.reads("pass_action", "forced") and not verdict.violated and not _must_pass(state):
            verdict.violate("pass.forced", "another action is possible")
    else:
        CHECKS[action](state, move, verdict)
    return verdict


def _must_pass(state: State) -> bool:
    """Whether nothing but passing can be done."""
    return not any(True for action, each in OPENERS.items() if action != "pass" for _ in each(state))


def _legal_moves(state: State) -> Iterator[Move]:
    if state.phase == "income":
        yield from income.give_up_moves(state)
    elif state.phase == "actions" and state.pending == "none":
        forced = state.game.reads("pass_action", "forced")
        for action, each in OPENERS.items():
            if action != "pass" or not forced or _must_pass(state):
                yield from each(state)
    elif state.phase == "actions" and state.pending in rounds.FOLLOW_UPS:
        yield from rounds.FOLLOW_UPS[state.pending](state)
        yield {"action": "done", "player": state.acting}


def _chance(state: State) -> list[tuple[Chance, int]]:
    if state.phase == "start":
        return [({"chance": "first", "player": player}, 1) for player in state.game.players]
    if state.phase in ("deal", "refill"):
        player = cards.next_to_draw(state)
        return [({"chance": "draw", "player": player, "card": card}, copies) for card, copies in _weighted(state)]
    if state.phase == "set_aside":
        return [({"chance": "set_aside", "card": card}, copies) for card, copies in _weighted(state)]
    if state.phase == "actions" and state.pending == "distant":
        return [
            ({"chance": "turn_tile", "value": value}, state.distant.count(value))
            for value in sorted(set(state.distant))
        ]
    return []


def _weighted(state: State) -> list[tuple[str, int]]:
    """The different cards of the deck in canonical order, with their numbers."""
    return [(card, state.deck.count(card)) for card in CARD_RANK if card in state.deck]
