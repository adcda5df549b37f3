"""Chance: the outcomes that are due, and what they lead to."""

from __future__ import annotations

from collections import Counter

from brassspec.engine import cards
from brassspec.engine.rules import Rules
from brassspec.engine.state import State
from brassspec.formats import Chance, Event


def due(rules: Rules, state: State) -> list[tuple[Chance, int]]:
    """The outcomes of the chance that is due, with their weights: places in the order of play, cards, or the game's own."""
    if state.phase == "start" and state.game.year == 2018:
        return [({"chance": "seat", "player": player}, 1) for player in state.order[state.seated :]]
    player = cards.next_to_draw(state) if state.phase in ("deal", "refill") else None
    if player is not None:
        drawn = {"chance": "draw", "player": player}
    elif state.phase == "set_aside" and cards.sets_aside(state):
        drawn = {"chance": "set_aside"}
    else:
        return rules.due(state)
    copies = Counter(state.deck)
    return [({**drawn, "card": card}, copies[card]) for card in state.game.cards if card in copies]


def fall(rules: Rules, state: State, outcome: Chance, events: list[Event]) -> None:
    """What an outcome that is due does."""
    kind = outcome["chance"]
    if kind == "draw":
        cards.draw(state, outcome["player"], outcome["card"], events)
    elif kind == "set_aside":
        cards.set_aside(state, outcome["card"], events)
    else:
        rules.chances[kind](state, outcome, events)
