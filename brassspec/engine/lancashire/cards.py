"""What a card allows to build where."""

from __future__ import annotations

from brassspec.engine import network
from brassspec.engine.lancashire import tables
from brassspec.engine.lancashire.state import State
from brassspec.engine.tables import CANAL
from brassspec.engine.verdict import Faults

# Zahrání správné karty


def towns_for_industry_cards(state: State, player: str) -> set[str]:
    """cz "Zahrání správné karty": the towns where the player may build with an industry card."""
    if _unbound(state, player):
        return set(state.game.place_of.values())
    return _network(state, player) | virtual_ends(state, player)


def _network(state: State, player: str) -> set[str]:
    """cz "Zahrání správné karty": where own canals end; in the rail era where own rails end or own tiles stand.

    2018, r18 "industry_card_network": where own links end or own tiles stand, in either era.
    """
    links_only = state.era == CANAL and not state.game.canal_tiles_reach
    return network.own_ends(state, player) if links_only else network.own(state, player)


def _unbound(state: State, player: str) -> bool:
    """cz "Zahrání správné karty": the player's very first build card builds anywhere.

    2018, r18 "industry_card_first_build": any, while nothing of the player's is on the board (the reading `bare`).
    """
    game = state.game
    if game.reads("first_build", "first"):
        return player not in state.built
    if game.reads("first_build", "no_tile"):
        return not network.own_towns(state, player)
    return not network.own(state, player)


def virtual_ends(state: State, player: str) -> set[str]:
    """cz "Zahrání správné karty", POZOR: the ends of the virtual link that it connects to a player.

    What its other end must be connected to (virtual_anchor=yes) is the network for industry cards, whatever the link is
    used for: in the canal era a tile at the other end is not enough.
    """
    game = state.game
    if not game.virtual_link:
        return set()
    reach, free = _network(state, player), game.reads("virtual_anchor", "no")
    ends = set()
    if free or tables.LIVERPOOL in reach:
        ends.add(tables.BIRKENHEAD)
    if game.reads("virtual_direction", "both") and (free or tables.BIRKENHEAD in reach):
        ends.add(tables.LIVERPOOL)
    return ends


def check_allows(state: State, player: str, card: str, slot: str, industry: str, towns: set[str]) -> Faults:
    """cz "Lokační karty" and "Průmyslová karta": what a card allows; `towns` is for industry cards.

    2018, r18 "industry_card_network": whether an industry card may replace an own tile is no question.
    """
    game = state.game
    town = game.place_of[slot]
    if card not in tables.INDUSTRIES:
        if card != town:
            yield "card.location", f"{card} does not build in {town}"
        return
    if card != industry:
        yield "card.industry", f"{card} does not build {industry}"
    own_tile = state.owns(player, slot)
    # Only under the two readings named here does the canal era know a network without a link.
    isolated = own_tile and game.reads("industry_card_own_tile", "yes") and game.reads("isolated_overbuild", "no_link")
    if town not in towns and not isolated:
        yield "card.network", f"{player} is not connected to {town}"
    if own_tile and state.era == CANAL and game.reads("industry_card_own_tile", "no"):
        yield "card.own_tile", f"{slot} holds a tile of {player}"
