"""Building an industry tile, with one card or by combining both actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from brassspec.engine import build
from brassspec.engine.lancashire import cards
from brassspec.engine.lancashire.state import State
from brassspec.engine.lancashire.tables import PORT, PORT_FIRST
from brassspec.engine.verdict import Faults, passes
from brassspec.formats import Move

# What the rules require


def check_build(state: State, move: Move) -> Faults:
    """cz "AKCE Výstavba průmyslu": the card, the space, the cubes and the price."""
    player, card, slot, industry = (move[name] for name in ("player", "card", "slot", "industry"))
    yield from cards.check_allows(state, player, card, slot, industry, cards.towns_for_industry_cards(state, player))
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
    """cz "Lancaster", "Preston": which space is filled first. Replacing a tile takes no space from anybody."""
    for other in _spaces_before(state, slot, industry):
        if slot not in state.tile and other not in state.tile:
            named = state.game.reads("port_first", "named")  # of Lancaster or of Preston
            yield f"port.{state.game.place_of[slot]}" if named else "space.single", f"{other} is empty"


def _spaces_before(state: State, slot: str, industry: str) -> list[str]:
    """cz "Lancaster", "Preston": the spaces an industry takes before this one.

    Reading port_first=single, the default of 2018 (r18 "single_icon_slot_first"): any industry that may choose, in any
    town, between spaces that show it alone and one that shows it among others takes the former first. Whether this space
    shows it at all is not asked here.
    """
    slots = state.game.slots
    if state.game.reads("port_first", "named"):
        return [PORT_FIRST[slot]] if industry == PORT and slot in PORT_FIRST else []
    if industry not in slots[slot] or len(slots[slot]) == 1:
        return []
    return [other for other in state.game.next_to[slot] if slots[other] == (industry,)]


# Which moves there are


def places(state: State) -> Iterator[Move]:
    """Every tile the acting player may build, whatever the cards: spaces, then industries, then sources."""
    for place in build.places(state):
        if passes(_check_choice(state, place["slot"], place["industry"])):
            yield place


def suits(state: State) -> Callable[[str, Move], bool]:
    """Whether a card of the acting player's allows to build a tile."""
    player, towns = state.acting, cards.towns_for_industry_cards(state, state.acting)
    return lambda card, tile: passes(cards.check_allows(state, player, card, tile["slot"], tile["industry"], towns))
