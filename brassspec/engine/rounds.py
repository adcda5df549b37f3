"""The course of an era, round by round: everything that happens without a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from brassspec.engine import cards, develop, era_end, income, links, sell, tables
from brassspec.engine.state import State
from brassspec.formats import Event, Move

# What may follow in an action that stays open.
FOLLOW_UPS: dict[str, Callable[[State], Iterator[Move]]] = {
    "rail": links.second_rail_moves,
    "sale": sell.sell_more_moves,
    "develop": develop.develop_second_moves,
}


def run_on(state: State, events: list[Event]) -> None:
    """cz "Průběh hry": go on until a player decides, chance falls, or the game is over."""
    while not STEPS[state.phase](state, events):
        pass


# Eras


def begin_game(state: State, first: str, events: list[Event]) -> None:
    """cz "Příprava hry": the starting player, then the others clockwise."""
    seat = state.order.index(first)
    state.order = state.order[seat:] + state.order[:seat]
    _begin_era(state, tables.CANAL, events)


def _begin_era(state: State, era: str, events: list[Event]) -> None:
    state.era = era
    state.round = 1
    state.phase = "deal"
    events.append({"event": "era_begun", "era": era})


def _start(state: State, events: list[Event]) -> bool:
    return True


def _deal(state: State, events: list[Event]) -> bool:
    """cz "Fáze 1. Karty": a full hand each."""
    if cards.next_to_draw(state) is not None:
        return True
    state.phase = "set_aside"
    return False


def _set_aside(state: State, events: list[Event]) -> bool:
    """cz "Fáze 1. Karty": then some cards are removed from the deck."""
    if cards.left_to_set_aside(state) > 0:
        return True
    _begin_round(state, 1, events)
    return False


# Rounds


def _begin_round(state: State, number: int, events: list[Event]) -> None:
    """cz "Fáze 2. Akce hráčů": a round begins with income."""
    state.round = number
    events.append({"event": "round_begun", "round": number})
    if state.game.reads("income_time", "start"):
        state.phase = "income"
    else:
        _begin_actions(state)


def _income(state: State, events: list[Event]) -> bool:
    """cz "KROK Příjem"."""
    if income.take_step(state, events):
        return True
    state.turn = 1
    if state.game.reads("income_time", "start"):
        _begin_actions(state)
    else:
        _end_round(state, events)
    return False


def _begin_actions(state: State) -> None:
    """cz "KROK Hraní karet": two cards each, in the very first round one."""
    state.phase = "actions"
    state.turn = 1
    state.actions = _actions_a_turn(state)


def _actions_a_turn(state: State) -> int:
    return 1 if state.era == tables.CANAL and state.round == 1 else 2


def _actions(state: State, events: list[Event]) -> bool:
    """cz "KROK Hraní karet": one player after the other; an action that nothing can follow in closes by itself."""
    follow_ups = FOLLOW_UPS.get(state.pending)
    if follow_ups is not None:
        if any(True for _ in follow_ups(state)):
            return True
        close_action(state)
    if state.pending == "distant" or state.actions:
        return True
    state.turn += 1
    if state.turn <= len(state.order):
        state.actions = _actions_a_turn(state)
        return True
    state.turn = 1
    state.phase = "order"
    return False


def close_action(state: State) -> None:
    """cz "KROK Hraní karet": the action in progress is over."""
    state.pending = "none"
    state.first_rail = None
    state.actions -= 1


def _order(state: State, events: list[Event]) -> bool:
    """cz "KROK Pořadí ve hře": who spent least plays first; at a tie the old order stays."""
    state.order.sort(key=state.spent.__getitem__)
    for place, player in enumerate(state.order, start=1):
        events.append({"event": "order_set", "player": player, "place": place})
    state.spent = dict.fromkeys(state.spent, 0)
    state.phase = "refill"
    return False


def _refill(state: State, events: list[Event]) -> bool:
    """cz "KROK Doplnění karet na ruce": up to a full hand each, while the deck lasts."""
    if cards.next_to_draw(state) is not None:
        return True
    game_ends = state.era == tables.RAIL and not any(state.hand.values())
    if state.game.reads("income_time", "end") and not game_ends:
        state.phase = "income"
    else:
        _end_round(state, events)
    return False


def _end_round(state: State, events: list[Event]) -> None:
    """cz "KROK Doplnění karet na ruce": the era ends when all cards are played."""
    if any(state.hand.values()):
        _begin_round(state, state.round + 1, events)
    else:
        state.phase = "scoring"


# The end of an era


def _scoring(state: State, events: list[Event]) -> bool:
    """cz "Fáze 3. Vítězné body"."""
    era_end.score(state, events)
    state.phase = "cleanup"
    return False


def _cleanup(state: State, events: list[Event]) -> bool:
    """cz "Fáze 4. Konec Období"."""
    if state.era == tables.CANAL:
        era_end.clear_board(state, events)
        era_end.collect_cards(state)
        _begin_era(state, tables.RAIL, events)
    else:
        era_end.rank(state, events)
        state.phase = "over"
    return False


def _over(state: State, events: list[Event]) -> bool:
    return True


# What each phase does; True when the game rests there.
STEPS: dict[str, Callable[[State, list[Event]], bool]] = {
    "start": _start,
    "deal": _deal,
    "set_aside": _set_aside,
    "income": _income,
    "actions": _actions,
    "order": _order,
    "refill": _refill,
    "scoring": _scoring,
    "cleanup": _cleanup,
    "over": _over,
}
