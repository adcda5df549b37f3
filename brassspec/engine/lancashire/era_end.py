"""The end of an era: scoring and clearing the board."""

from __future__ import annotations

from collections import Counter

from brassspec.engine import era_end, rounds, tables
from brassspec.engine.lancashire.state import State
from brassspec.engine.lancashire.tables import MONEY_PER_VP
from brassspec.engine.rules import Rules
from brassspec.formats import Event


def scoring(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Fáze 3. Vítězné body": links, flipped tiles and, at the end of the rail era, money."""
    icons = _icons(state)
    for player in state.order:
        era_end.score(state, player, icons, events)
        if state.era == tables.RAIL:
            era_end.gain(state, player, "money_scored", max(state.money[player], 0) // MONEY_PER_VP, events)
    era_end.close(state, events)


def _icons(state: State) -> Counter[str]:
    """cz "Fáze 3. Vítězné body": gold circles at each place: printed ones, and one a flipped tile."""
    icons = Counter(state.game.printed_icons)
    icons.update(state.game.place_of[slot] for slot, tile in state.tile.items() if tile.flipped)
    return icons


def clean_up(rules: Rules, state: State, events: list[Event]) -> None:
    """cz "Fáze 4. Konec Období": the cotton demand starts anew, the other tracks stay; the rail era begins."""
    era_end.clear_away(state, events)
    state.distant.extend(state.turned)
    state.turned.clear()
    state.demand = 0
    rounds.begin_era(state, tables.RAIL, events)
