"""Cards: playing them, drawing them and setting them aside."""

from __future__ import annotations

from itertools import combinations

from brassspec.engine.state import State
from brassspec.engine.verdict import Faults
from brassspec.formats import Chance, Event, Move

# The fields of a move that name cards; what goes on with an action has none. `other` is that of a second action.
PLAYED = ("card", "other", "second", "third")


def _played(move: Move) -> list[str]:
    return [move[name] for name in PLAYED if name in move]


def check_held(state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet", fi "Pelaajan vuoro": each card played is in the hand."""
    player, played = move["player"], _played(move)
    for card in played:
        if state.hand[player].count(card) < played.count(card):
            yield "card.held", f"{player} does not hold {' and '.join(played)}"


def play(state: State, move: Move, events: list[Event]) -> None:
    """cz "KROK Hraní karet", fi "Pelaajan vuoro": the cards leave the hand."""
    for card in _played(move):
        state.hand[move["player"]].remove(card)
        events.append({"event": "card_played", "player": move["player"], "card": card})


def discard(state: State, move: Move) -> None:
    """cz "KROK Hraní karet", pl "Karta joker": the cards are put away."""
    for card in _played(move):
        state.throw(card)


def ways_to_play(state: State, names: list[str]) -> list[Move]:
    """Every choice of cards from the hand for the fields that name them, in card order."""
    if "other" in names and state.actions < 2:
        return []
    hand = state.in_card_order(state.hand[state.acting])
    return [dict(zip(names, cards, strict=True)) for cards in dict.fromkeys(combinations(hand, len(names)))]


# Fáze 1. Karty, KROK Doplnění karet na ruce


def next_to_draw(state: State) -> str | None:
    """cz "KROK Doplnění karet na ruce": who draws next: in order of play, until each hand is full or the deck empty."""
    full = state.game.hand_size[state.era]
    return next((player for player in state.drawing() if state.deck and len(state.hand[player]) < full), None)


def draw(state: State, outcome: Chance, events: list[Event]) -> None:
    """A card from the deck comes into the player's hand."""
    player, card = outcome["player"], outcome["card"]
    state.deck.remove(card)
    state.hand[player].append(card)
    events.append({"event": "card_drawn", "player": player, "card": card})


def sets_aside(state: State) -> bool:
    """cz "Fáze 1. Karty": whether cards are still to be removed from the deck, unseen.

    2018, r18 "deck_setup", pl "PRZYGOTOWANIE GRACZY" 5: one a player, in the canal era only.
    """
    return bool(state.deck) and len(state.aside) < state.game.set_aside[state.era]


def set_aside(state: State, outcome: Chance, events: list[Event]) -> None:
    """cz "Fáze 1. Karty": a card is removed from the deck for this era."""
    state.deck.remove(outcome["card"])
    state.aside.append(outcome["card"])
    events.append({"event": "card_set_aside", "card": outcome["card"]})
