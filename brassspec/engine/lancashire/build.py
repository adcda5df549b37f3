"""Building an industry tile, with one card or by combining both actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from brassspec.engine import build as common
from brassspec.engine.lancashire import cards
from brassspec.engine.lancashire.state import State
from brassspec.engine.lancashire.tables import PORT, PORT_FIRST
from brassspec.engine.verdict import Faults
from brassspec.formats import Move

# What the rules require


def check_build(state: State, move: Move) -> Faults:
    """cz "AKCE Výstavba průmyslu": the card, the space, the cubes and the price."""
    player, card, slot, industry = (move[name] for name in ("player", "card", "slot", "industry"))
    yield from cards.check_allows(state, player, card, slot, industry, cards.towns_for_industry_cards(state, player))
    yield from common.check_uncarded(state, move, _check_choice)


def check_combine(state: State, move: Move) -> Faults:
    """cz "Slučování akcí": two cards and both actions, and any space; all other rules hold."""
    if state.actions < 2:
        yield "combine.two_actions", f"{state.actions} of two actions left"
    yield from common.check_uncarded(state, move, _check_choice)


def _check_choice(state: State, player: str, slot: str, industry: str) -> Faults:
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
    return common.places(state, _check_choice)


def suits(state: State) -> Callable[[str, Move], bool]:
    """Whether a card allows to build a tile."""
    return common.suits(state, cards.check_allows, cards.towns_for_industry_cards(state, state.acting))
