"""Cards: playing them, what they allow to build where, drawing them and setting them aside."""

from __future__ import annotations

from brassspec.engine import tables
from brassspec.engine.network import own_ends, own_towns
from brassspec.engine.state import CARD_RANK, State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event


def distinct(cards: list[str]) -> list[str]:
    """The different cards of a bag in canonical order."""
    return sorted(set(cards), key=CARD_RANK.__getitem__)


def check_held(state: State, player: str, cards: list[str], verdict: Verdict) -> None:
    """cz "KROK Hraní karet": each card played is in the hand."""
    for card in cards:
        if state.hand[player].count(card) < cards.count(card):
            verdict.violate("card.held", f"{player} does not hold {' and '.join(cards)}")


def play(state: State, player: str, card: str, events: list[Event]) -> None:
    """cz "KROK Hraní karet": the card leaves the hand."""
    state.hand[player].remove(card)
    events.append({"event": "card_played", "player": player, "card": card})


def discard(state: State, card: str) -> None:
    """cz "KROK Hraní karet": cards played go to the discard pile."""
    state.discard.append(card)


# Zahrání správné karty


def towns_for_industry_cards(state: State, player: str) -> set[str]:
    """cz "Zahrání správné karty": the towns where the player may build with an industry card."""
    if _unbound(state, player):
        return set(state.game.edition.town_of.values())
    return _network(state, player) | virtual_ends(state, player)


def _network(state: State, player: str) -> set[str]:
    """cz "Zahrání správné karty": where own canals end; in the rail era where own rails end or own tiles stand."""
    ends = own_ends(state, player)
    return ends if state.era == tables.CANAL else ends | own_towns(state, player)


def _unbound(state: State, player: str) -> bool:
    """cz "Zahrání správné karty": the player's very first build card builds anywhere."""
    game = state.game
    if game.reads("first_build", "first"):
        return player not in state.built
    if game.reads("first_build", "no_tile"):
        return not own_towns(state, player)
    return not own_towns(state, player) and not own_ends(state, player)


def virtual_ends(state: State, player: str) -> set[str]:
    """cz "Zahrání správné karty", POZOR: the ends of the virtual link that it connects to a player.

    What its other end must be connected to (virtual_anchor=yes) is the network for industry cards, whatever the link is
    used for: in the canal era a tile at the other end is not enough.
    """
    game = state.game
    network = _network(state, player)
    if tables.BIRKENHEAD not in game.edition.town_of.values():
        return set()  # closed in the two-player variant
    free = game.reads("virtual_anchor", "no")
    ends = set()
    if free or tables.LIVERPOOL in network:
        ends.add(tables.BIRKENHEAD)
    if game.reads("virtual_direction", "both") and (free or tables.BIRKENHEAD in network):
        ends.add(tables.LIVERPOOL)
    return ends


def check_allows(
    state: State, player: str, card: str, slot: str, industry: str, towns: set[str], verdict: Verdict
) -> None:
    """cz "Lokační karty" and "Průmyslová karta": what a card allows; `towns` is for industry cards."""
    game = state.game
    town = game.edition.town_of[slot]
    if card not in tables.INDUSTRIES:
        if card != town:
            verdict.violate("card.location", f"{card} does not build in {town}")
        return
    if card != industry:
        verdict.violate("card.industry", f"{card} does not build {industry}")
    there = state.tile.get(slot)
    own_tile = there is not None and there.owner == player
    # Only under the two readings named here does the canal era know a network without a link.
    isolated = own_tile and game.reads("industry_card_own_tile", "yes") and game.reads("isolated_overbuild", "no_link")
    if town not in towns and not isolated:
        verdict.violate("card.network", f"{player} is not connected to {town}")
    if own_tile and state.era == tables.CANAL and game.reads("industry_card_own_tile", "no"):
        verdict.violate("card.own_tile", f"{slot} holds a tile of {player}")


# Fáze 1. Karty, and KROK Doplnění karet na ruce


def next_to_draw(state: State) -> str | None:
    """cz "KROK Doplnění karet na ruce": who draws next: in order of play, until each hand is full or the deck empty."""
    if not state.deck:
        return None
    for player in state.order:
        if len(state.hand[player]) < state.game.edition.hand_size:
            return player
    return None


def draw(state: State, player: str, card: str, events: list[Event]) -> None:
    """A card from the deck comes into the player's hand."""
    state.deck.remove(card)
    state.hand[player].append(card)
    events.append({"event": "card_drawn", "player": player, "card": card})


def left_to_set_aside(state: State) -> int:
    """cz "Fáze 1. Karty": how many cards are still to be removed from the deck, unseen."""
    return state.game.edition.set_aside[len(state.order)][state.era] - len(state.aside)


def set_aside(state: State, card: str, events: list[Event]) -> None:
    """cz "Fáze 1. Karty": a card is removed from the deck for this era."""
    state.deck.remove(card)
    state.aside.append(card)
    events.append({"event": "card_set_aside", "card": card})
