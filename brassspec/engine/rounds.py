"""The course of an era, round by round: everything that happens without a decision, by chance or of itself."""

from __future__ import annotations

from collections import Counter

from brassspec.engine import cards, income, tables
from brassspec.engine.rules import Rules, Step
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, allowed
from brassspec.formats import Chance, Event, Move


def run_on(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Průběh hry": go on until a player decides, chance falls, or the game is over."""
    phase = None
    while phase != state.phase:  # a phase that is not over after its step waits for somebody
        phase = state.phase
        if phase in rules.steps:
            rules.steps[phase](rules, state, events)


# Chance


def due(rules: Rules, state: State) -> list[tuple[Chance, int]]:
    """The outcomes of the chance that is due, with their weights: cards, or the game's own."""
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
    """cz "KROK Hraní karet": after a player's actions it is the next one's turn."""
    close_unless_more(rules, state)
    if not state.actions:
        next_turn(state)


def close_unless_more(rules: Rules, state: State) -> None:
    """cz "KROK Hraní karet", pl "TURA GRACZA": an action that nothing can follow in closes by itself."""
    while state.pending not in ("none", "distant") and not rules.may_go_on(state):
        state.close()


def check_done(state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet", fi "Myy": an action that may go on is closed."""
    if not state.may_close():
        yield "done.open", "no action is in progress that could be closed"


def done(state: State, move: Move, events: list[Event]) -> None:
    """The action in progress is over."""
    # card, place, pay, consume, board, flip, income, discard: nothing
    state.close()


def closing(state: State) -> list[Move]:
    """The action in progress may be closed, or not."""
    return allowed(state, check_done, [{}])


def next_turn(state: State) -> None:
    """cz "KROK Hraní karet": the next player in order of play; after the last one the new order is set."""
    if state.turn < len(state.order):
        state.turn += 1
        _begin_turn(state)
    else:
        state.turn = 1
        state.phase = "order"


def _order(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "KROK Pořadí ve hře": the new order of play; then the hands are refilled."""
    set_order(state, events)
    state.phase = "refill"


def set_order(state: State, events: list[Event]) -> None:
    """cz "KROK Pořadí ve hře", pl "KONIEC RUNDY" 1: who spent least plays first; at a tie the old order stays."""
    state.order.sort(key=state.spent.__getitem__)
    for place, player in enumerate(state.order, start=1):
        events.append({"event": "order_set", "player": player, "place": place})
    state.spent = dict.fromkeys(state.spent, 0)


def _refill(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "KROK Doplnění karet na ruce": up to a full hand each, while the deck lasts."""
    if cards.next_to_draw(state) is None:
        close_round(state, events)


def close_round(state: State, events: list[Event]) -> None:
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


# What each phase does, but `start`, in which chance decides all, the end of an era, which is each game's own, and `over`.
STEPS: dict[str, Step] = {
    "deal": _deal,
    "set_aside": _set_aside,
    "income": _income,
    "actions": _actions,
    "order": _order,
    "refill": _refill,
}
