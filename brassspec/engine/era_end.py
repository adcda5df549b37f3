"""The end of an era: scoring, clearing the board, and the final ranking."""

from __future__ import annotations

from brassspec.engine import income, tables
from brassspec.engine.state import State
from brassspec.formats import Event

# Fáze 3. Vítězné body


def score(state: State, events: list[Event]) -> None:
    """cz "Fáze 3. Vítězné body": links, flipped tiles and, at the very end, money."""
    icons = _icons(state)
    for player in state.order:
        _gain(state, player, "links_scored", _links(state, player, icons), events)
        _gain(state, player, "tiles_scored", _tiles(state, player), events)
        if state.era == tables.RAIL:
            _gain(state, player, "money_scored", max(state.money[player], 0) // tables.MONEY_PER_VP, events)


def _gain(state: State, player: str, event: str, points: int, events: list[Event]) -> None:
    state.vp[player] += points
    if points:
        events.append({"event": event, "player": player, "vp": points})


def _icons(state: State) -> dict[str, int]:
    """cz "Fáze 3. Vítězné body": gold circles at each place: printed ones, and one a flipped tile."""
    icons = dict(state.game.edition.printed_icons)
    for slot, tile in state.tile.items():
        if tile.flipped:
            town = state.game.edition.town_of[slot]
            icons[town] = icons.get(town, 0) + 1
    return icons


def _links(state: State, player: str, icons: dict[str, int]) -> int:
    """cz "Fáze 3. Vítězné body": a link is worth the circles at both its ends."""
    lines = state.game.edition.lines
    return sum(icons.get(end, 0) for link, owner in state.link.items() if owner == player for end in lines[link].ends)


def _tiles(state: State, player: str) -> int:
    """cz "Fáze 3. Vítězné body": only flipped tiles bring their points."""
    return sum(state.kind_of(tile).vp for tile in state.tile.values() if tile.owner == player and tile.flipped)


# Fáze 4. Konec Období


def clear_board(state: State, events: list[Event]) -> None:
    """cz "Fáze 4. Konec Období": canals and level 1 tiles go; the cotton demand starts anew, the other tracks stay."""
    state.link.clear()
    for slot in sorted(state.tile):
        tile = state.tile[slot]
        if tile.level == 1:
            del state.tile[slot]
            state.retire(tile.owner, tile.industry, tile.level)
            events.append({"event": "tile_removed", "slot": slot})
    state.distant.extend(state.turned)
    state.turned.clear()
    state.demand = 0


def collect_cards(state: State) -> None:
    """cz "Fáze 1. Karty": all cards are shuffled together."""
    for pile in (state.discard, state.aside, *state.hand.values()):
        state.deck.extend(pile)
        pile.clear()


# Konec hry


def rank(state: State, events: list[Event]) -> None:
    """cz "Konec hry": points, then income, then money, then the order the next round would have."""
    spaces = state.game.reads("tie_income", "spaces")
    results = {
        player: (
            state.vp[player],
            state.income[player] if spaces else income.level(state, player),
            state.money[player],
        )
        for player in state.order
    }
    ranked = sorted(state.order, key=lambda player: results[player], reverse=True)  # stable: the order decides the rest
    for place, player in enumerate(ranked, start=1):
        above = ranked[place - 2]
        shared = place > 1 and results[above] == results[player] and state.game.reads("last_tie", "shared")
        state.standing[player] = state.standing[above] if shared else place
        events.append({"event": "ranked", "player": player, "place": state.standing[player]})
