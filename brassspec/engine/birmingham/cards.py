"""What a card allows to build where."""

from __future__ import annotations

from brassspec.engine.birmingham import tables
from brassspec.engine.birmingham.network import is_exempt
from brassspec.engine.birmingham.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Move


def check_allows(state: State, move: Move, reach: set[str], verdict: Verdict) -> None:
    """pl "Karta miasta", "Karta przedsiębiorstwa", "Wiejskie browary"; `reach` is the player's network."""
    game = state.game
    player, card, slot = move["player"], move["card"], move["slot"]
    place = state.game.place_of[slot]
    if place in tables.FARMS and card not in (tables.BREWERY, tables.WILD_INDUSTRY):
        verdict.violate("card.farm", f"{card} does not build on a farm")
    if card == tables.WILD_LOCATION:
        if game.cards.get(place) == 0 and game.reads("wild_removed_town", "no"):
            verdict.violate("card.removed_town", f"the cards of {place} are out of the game")
    elif card not in tables.SHOWS:
        if card != place:
            verdict.violate("card.location", f"{card} does not build in {place}")
    else:
        if move["industry"] not in tables.SHOWS[card]:
            verdict.violate("card.industry", f"{card} does not build {move['industry']}")
        if place not in reach and not _begins_at(state, player, slot, reach):
            verdict.violate("card.network", f"{place} is not in the network of {player}")


def _begins_at(state: State, player: str, slot: str, reach: set[str]) -> bool:
    """Sheet no_tiles_build: an industry card builds on any undeveloped space; a tile is not replaced this way."""
    on_farm = state.game.place_of[slot] in tables.FARMS
    if slot in state.tile or (on_farm and state.game.reads("farm_first", "no")):
        return False
    return is_exempt(state, player, reach)
