"""What a card allows to build where."""

from __future__ import annotations

from brassspec.engine.birmingham import tables
from brassspec.engine.birmingham.network import is_exempt
from brassspec.engine.birmingham.state import State
from brassspec.engine.verdict import Faults


def check_allows(state: State, player: str, card: str, slot: str, industry: str, reach: set[str]) -> Faults:
    """pl "Karta miasta", "Karta przedsiębiorstwa", "Wiejskie browary"; `reach` is the player's network."""
    game = state.game
    place = game.place_of[slot]
    if place in tables.FARMS and card not in (tables.BREWERY, tables.WILD_INDUSTRY):
        yield "card.farm", f"{card} does not build on a farm"
    if card == tables.WILD_LOCATION:
        if game.cards.get(place) == 0 and game.reads("wild_removed_town", "no"):
            yield "card.removed_town", f"the cards of {place} are out of the game"
    elif card not in tables.SHOWS:
        if card != place:
            yield "card.location", f"{card} does not build in {place}"
    else:
        if industry not in tables.SHOWS[card]:
            yield "card.industry", f"{card} does not build {industry}"
        if place not in reach and not _begins_at(state, player, slot, reach):
            yield "card.network", f"{place} is not in the network of {player}"


def _begins_at(state: State, player: str, slot: str, reach: set[str]) -> bool:
    """Sheet no_tiles_build: an industry card builds on any undeveloped space; a tile is not replaced this way."""
    on_farm = state.game.place_of[slot] in tables.FARMS
    if slot in state.tile or (on_farm and state.game.reads("farm_first", "no")):
        return False
    return is_exempt(state, player, reach)
