"""The end of an era: scoring and clearing the board."""

from __future__ import annotations

from collections import Counter

from brassspec.engine import edition_2018, era_end, rounds
from brassspec.engine.birmingham import tables
from brassspec.engine.birmingham.state import State
from brassspec.engine.rules import Rules
from brassspec.engine.tables import CANAL, RAIL
from brassspec.formats import Event

# KONIEC ERY 1, 2


def scoring(rules: Rules, state: State, events: list[Event]) -> None:
    """pl "KONIEC ERY" 1, 2: links, which then leave the board, and flipped tiles."""
    icons = _icons(state)
    for player in state.order:
        era_end.score(state, player, icons, events)
    state.link.clear()
    era_end.close(state, events)


def _icons(state: State) -> Counter[str]:
    """Sheet score_links: the link icons at each place, merchants' and those of flipped tiles, anybody's."""
    icons: Counter[str] = Counter()
    if state.game.reads("merchant_icons", "two"):
        icons.update(dict.fromkeys(state.outlets(), tables.MERCHANT_ICONS))
    for slot, tile in state.tile.items():
        if tile.flipped or state.game.reads("unflipped_icons", "printed"):
            icons[state.game.place_of[slot]] += state.kind_of(tile).icons
    return icons


# KONIEC ERY 3-5


def clean_up(rules: Rules, state: State, events: list[Event]) -> None:
    """pl "KONIEC ERY" 3-5: the merchants' beer comes back, and the rail era begins.

    The introductory game has a last scoring of its own instead.
    """
    if state.game.last_era == CANAL:
        edition_2018.score_introductory(state, events)
        return
    era_end.clear_away(state, events)
    for space in sorted(state.merchant):
        if not state.barrel[space]:
            place_barrel(state, space, events)
    rounds.begin_era(state, RAIL, events)


def place_barrel(state: State, space: str, events: list[Event]) -> None:
    """pl "PRZYGOTOWANIE GRY" 6: a barrel beside each merchant tile that is not blank."""
    if state.merchant[space] != tables.BLANK:
        state.barrel[space] = 1
        events.append({"event": "barrel_placed", "space": space})
