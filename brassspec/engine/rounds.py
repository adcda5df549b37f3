"""The course of an era, round by round: everything that happens without a decision, by chance or of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from brassspec.engine import cards, era_end, income, tables
from brassspec.engine.rules import Rules
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, passes
from brassspec.formats import Chance, Event, Move


def run_on(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Průběh hry": go on until a player decides, chance falls, or the game is over."""
    phase = None
    while phase != state.phase:  # a phase that is not over after its step waits for somebody
        phase = state.phase
        if phase in STEPS:
            STEPS[phase](rules, state, events)


# Chance


def due(rules: Rules, state: State) -> list[tuple[Chance, int]]:
    """The outcomes of the chance that is due, with their weights: places in the order of play, cards, or the game's own."""
    if state.phase == "start" and state.game.year == 2018:
        unseated = [] if all_seated(state) else state.order[state.seated :]
        return [({"chance": "seat", "player": player}, 1) for player in unseated]
    player = cards.next_to_draw(state) if state.phase in ("deal", "refill") else None
    if player is not None:
        drawn = {"chance": "draw", "player": player}
    elif state.phase == "set_aside" and cards.sets_aside(state):
        drawn = {"chance": "set_aside"}
    else:
        return rules.due(state)
    copies = Counter(state.deck)
    return [({**drawn, "card": card}, copies[card]) for card in state.game.cards if card in copies]


# Eras


def seat(state: State, outcome: Chance, events: list[Event]) -> None:
    """2018, r18 "first_turn_order", pl "PRZYGOTOWANIE GRACZY" 7: the next place in the order of play is the player's."""
    state.order.remove(outcome["player"])
    state.order.insert(state.seated, outcome["player"])
    state.seated += 1


def all_seated(state: State) -> bool:
    """2018, while the order of play is drawn: whether it is known, the last place being left to the last player."""
    return state.seated == len(state.order) - 1


def _set_up(rules: Rules, state: State, events: list[Event]) -> None:
    rules.set_up(state, events)


def begin_era(state: State, era: str, events: list[Event]) -> None:
    """cz "Fáze v Období": it begins with the cards."""
    state.era = era
    state.round = 1
    state.phase = "deal"
    events.append({"event": "era_begun", "era": era})


def _deal(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Fáze 1. Karty", pl "PRZYGOTOWANIE GRACZY" 4: a full hand each."""
    if cards.next_to_draw(state) is None:
        state.phase = "set_aside"


def _set_aside(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Fáze 1. Karty", pl "PRZYGOTOWANIE GRACZY" 5: then some cards are removed from the deck."""
    if not cards.sets_aside(state):
        _begin_round(state, 1, events)


# Rounds


def _begin_round(state: State, number: int, events: list[Event]) -> None:
    """cz "Fáze 2. Akce hráčů": a round of 2007 begins with income (the reading income_time=start)."""
    state.round = number
    events.append({"event": "round_begun", "round": number})
    if state.game.reads("income_time", "start"):
        state.phase = "income"
    else:
        _begin_turn(state)


def _begin_turn(state: State) -> None:
    """cz "KROK Hraní karet", pl "TURA GRACZA" 1: two actions, in the very first round one."""
    state.phase = "actions"
    state.actions = 1 if state.era == tables.CANAL and state.round == 1 else 2


def _actions(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "KROK Hraní karet", pl "TURA GRACZA": an action that nothing can follow in closes by itself.

    2018, r18 "round_structure", pl "TURA GRACZA" 2: a player's hand is refilled before the next one's turn.
    """
    while state.pending not in ("none", "distant") and not rules.may_go_on(state):
        state.close()
    if state.actions:
        return
    if state.game.year == 2018:
        state.phase = "refill"
    else:
        _next_turn(state)


def check_done(state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet", fi "Myy": an action that may go on is closed."""
    if not state.may_close():
        yield "done.open", "no action is in progress that could be closed"


def done(state: State, move: Move, events: list[Event]) -> None:
    """The action in progress is over."""
    # card, place, pay, consume, board, flip, income, discard: nothing
    state.close()


def closing(state: State) -> Iterator[Move]:
    """The action in progress may be closed, or not."""
    if passes(check_done(state, {})):
        yield {}


def _next_turn(state: State) -> None:
    """cz "KROK Hraní karet": the next player in order of play; after the last one the new order is set."""
    if state.turn < len(state.order):
        state.turn += 1
        _begin_turn(state)
    else:
        state.turn = 1
        state.phase = "order"


def _order(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "KROK Pořadí ve hře", pl "KONIEC RUNDY" 1: who spent least plays first; at a tie the old order stays.

    2018, r18 "round_structure": all hands have been refilled by then.
    """
    state.order.sort(key=state.spent.__getitem__)
    for place, player in enumerate(state.order, start=1):
        events.append({"event": "order_set", "player": player, "place": place})
    state.spent = dict.fromkeys(state.spent, 0)
    if state.game.year == 2018:
        _close_round(state, events)
    else:
        state.phase = "refill"


def _refill(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "KROK Doplnění karet na ruce", pl "TURA GRACZA" 2: up to a full hand, while the deck lasts."""
    if cards.next_to_draw(state) is not None:
        return
    if state.game.year == 2018:
        _next_turn(state)
    else:
        _close_round(state, events)


def _close_round(state: State, events: list[Event]) -> None:
    """2018, pl "KONIEC RUNDY" 2: income is the last step of a round (income_time=end), but not of the game's last."""
    game_ends = state.era == state.game.last_era and not any(state.hand.values())
    if state.game.reads("income_time", "start") or game_ends:
        _end_round(state, events)
    else:
        state.phase = "income"


def _income(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "KROK Příjem", pl "KONIEC RUNDY" 2."""
    if income.take_step(state, events):
        return
    state.turn = 1
    if state.game.reads("income_time", "start"):
        _begin_turn(state)
    else:
        _end_round(state, events)


def _end_round(state: State, events: list[Event]) -> None:
    """cz "KROK Doplnění karet na ruce", pl "KONIEC ERY": the era ends when all cards are played."""
    if any(state.hand.values()):
        _begin_round(state, state.round + 1, events)
    else:
        state.phase = "scoring"


# The end of an era


def _scoring(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Fáze 3. Vítězné body", "Konec hry", pl "KONIEC ERY" 1, 2: the last era's scoring ends the game."""
    rules.scoring(state, events)
    if state.era == state.game.last_era:
        era_end.rank(state, events)
        state.phase = "over"
    else:
        state.phase = "cleanup"


def _cleanup(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Fáze 4. Konec Období", pl "KONIEC ERY" 3-5: the board is cleared, and the rail era begins."""
    rules.clean_up(state, events)
    begin_era(state, tables.RAIL, events)


# What each phase does, but `over`.
STEPS: dict[str, Callable[[Rules, State, list[Event]], None]] = {
    "start": _set_up,
    "merchants": _set_up,
    "deal": _deal,
    "set_aside": _set_aside,
    "income": _income,
    "actions": _actions,
    "order": _order,
    "refill": _refill,
    "scoring": _scoring,
    "cleanup": _cleanup,
}
