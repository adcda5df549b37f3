"""Building an industry tile, with one card or by combining both actions, and what a card allows to build where."""

from __future__ import annotations

from collections.abc import Callable

from brassspec.engine import build, network
from brassspec.engine.lancashire import tables
from brassspec.engine.lancashire.state import State
from brassspec.engine.tables import CANAL
from brassspec.engine.verdict import Faults, passes
from brassspec.formats import Move

# What the rules require


def check_build(state: State, move: Move) -> Faults:
    """cz "AKCE Výstavba průmyslu": the card, the space, the cubes and the price."""
    player, card, slot, industry = (move[name] for name in ("player", "card", "slot", "industry"))
    yield from _check_allows(state, player, card, slot, industry, _towns_for_industry_cards(state, player))
    yield from _check_uncarded(state, move)


def check_combine(state: State, move: Move) -> Faults:
    """cz "Slučování akcí": two cards and both actions, and any space; all other rules hold."""
    if state.actions < 2:
        yield "combine.two_actions", f"{state.actions} of two actions left"
    yield from _check_uncarded(state, move)


def _check_uncarded(state: State, move: Move) -> Faults:
    """cz "AKCE Výstavba průmyslu": all that is required whatever the card: the tile, the space, the cubes and the price."""
    player, slot, industry = move["player"], move["slot"], move["industry"]
    yield from build.check_tile(state, player, industry)
    yield from build.check_space(state, player, slot, industry)
    yield from _check_choice(state, slot, industry)
    yield from build.check_supply(state, move)


def _check_choice(state: State, slot: str, industry: str) -> Faults:
    """cz "Lancaster", "Preston": a port takes the space that shows it alone before one that shows it among others.

    No other towns have such spaces for ports. Reading port_first=single, the default of 2018 (r18
    "single_icon_slot_first"): so does any industry. Replacing a tile takes no space from anybody.
    """
    game, shown = state.game, state.game.slots[slot]
    named = game.reads("port_first", "named")
    if slot in state.tile or industry not in shown or len(shown) == 1 or (named and industry != tables.PORT):
        return
    for other in game.next_to[slot]:
        if game.slots[other] == (industry,) and other not in state.tile:
            yield f"port.{game.place_of[slot]}" if named else "space.single", f"{other} is empty"


# Zahrání správné karty


def _towns_for_industry_cards(state: State, player: str) -> set[str]:
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


def _check_allows(state: State, player: str, card: str, slot: str, industry: str, towns: set[str]) -> Faults:
    """cz "Lokační karty" and "Průmyslová karta": what a card allows; `towns` is for industry cards.

    2018, r18 "industry_card_network": whether an industry card may replace an own tile is no question.
    """
    game = state.game
    town = game.place_of[slot]
    if card not in game.industries:
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


# Which moves there are


def places(state: State) -> list[Move]:
    """Every tile the acting player may build, whatever the cards: spaces, then industries, then sources."""
    return [place for place in build.places(state) if passes(_check_choice(state, place["slot"], place["industry"]))]


def suits(state: State) -> Callable[[str, Move], bool]:
    """Whether a card of the acting player's allows to build a tile."""
    player, towns = state.acting, _towns_for_industry_cards(state, state.acting)
    return lambda card, tile: passes(_check_allows(state, player, card, tile["slot"], tile["industry"], towns))
