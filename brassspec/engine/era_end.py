"""The end of an era: what is scored and cleared away alike in all games, and the final ranking."""

from __future__ import annotations

from brassspec.engine import income, tables
from brassspec.engine.state import State
from brassspec.formats import Event


def gain(state: State, player: str, event: str, points: int, events: list[Event]) -> None:
    """Victory points are scored."""
    state.vp[player] += points
    if points:
        events.append({"event": event, "player": player, "vp": points})


def score(state: State, player: str, icons: dict[str, int], events: list[Event]) -> None:
    """cz "Fáze 3. Vítězné body", pl "KONIEC ERY" 1, 2: a link is worth the icons at its ends; flipped tiles their points."""
    ends = [end for link, owner in state.link.items() if owner == player for end in state.game.lines[link]]
    gain(state, player, "links_scored", sum(icons.get(end, 0) for end in ends), events)
    tiles = [tile for tile in state.tile.values() if tile.owner == player and tile.flipped]
    gain(state, player, "tiles_scored", sum(state.kind_of(tile).vp for tile in tiles), events)


def close(state: State, events: list[Event]) -> None:
    """cz "Fáze 4. Konec Období", "Konec hry", pl "KONIEC ERY": the rail era's scoring ends the game."""
    if state.era == tables.RAIL:
        end_game(state, events)
    else:
        state.phase = "cleanup"


def end_game(state: State, events: list[Event]) -> None:
    """cz "Konec hry": all points are scored."""
    _rank(state, events)
    state.phase = "over"


def clear_away(state: State, events: list[Event]) -> None:
    """cz "Fáze 4. Konec Období", pl "KONIEC ERY" 3-5: links and level 1 tiles go, all cards are shuffled together."""
    state.link.clear()
    for slot in sorted(state.tile):
        if state.tile[slot].level == 1:
            state.remove(slot)
            events.append({"event": "tile_removed", "slot": slot})
    for pile in (state.discard, state.aside):
        state.deck.extend(pile)
        pile.clear()


def _rank(state: State, events: list[Event]) -> None:
    """cz "Konec hry", fi "Voittopisteiden laskenta": points, then income, then money, then the order of play.

    2018, r18 "tie_break_roxley": with the same points, income and money the place is shared (in Lancashire the reading
    last_tie=shared).
    """
    spaces = state.game.reads("tie_income", "spaces")

    def result(player: str) -> tuple[int, int, int]:
        earned = state.income[player] if spaces else income.level(state, player)
        return state.vp[player], earned, state.money[player]

    ranked = sorted(state.order, key=result, reverse=True)  # stable: the order decides the rest
    for number, player in enumerate(ranked, start=1):
        shared = 1 + sum(result(other) > result(player) for other in ranked)
        state.standing[player] = number if state.game.reads("last_tie", "order") else shared
        events.append({"event": "ranked", "player": player, "place": state.standing[player]})
