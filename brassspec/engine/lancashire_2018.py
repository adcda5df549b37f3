"""Brass: Lancashire of 2018 and its introductory game: what differs from the game of 2007."""

from __future__ import annotations

from dataclasses import replace

from brassspec.engine import edition_2018, lancashire, rounds
from brassspec.engine.lancashire import era_end, sell, tables
from brassspec.engine.lancashire import state as lancashire_state
from brassspec.engine.lancashire.tables import Lancashire
from brassspec.engine.rules import Rules
from brassspec.engine.tables import CANAL, COTTON_MILL, RAIL
from brassspec.formats import Chance, Event

# Tables


# The board, tiles and tracks of 2007 for every number of players; cards and distant-market tiles are marked with it. A
# card that is not marked for so few stays in the box, but it is a card.
def _marked(players: int, distant: tuple[int, ...]) -> Lancashire:
    return replace(
        tables.FULL,
        players=tables.FULL.players[:players],
        canal_tiles_reach=True,
        cards=tables.deck(players),
        set_aside={CANAL: players, RAIL: 0},
        distant=distant,
    )


LANCASHIRE_2018 = {
    2: _marked(2, (1, 2, 2, 2, 3, 3, 3, 4)),
    3: _marked(3, (0, 1, 2, 2, 2, 2, 3, 3, 3, 4)),
    4: _marked(4, tables.FULL.distant),
}
# The introductory game ends after the canal era.
INTRO = {players: replace(game, last_era=CANAL) for players, game in LANCASHIRE_2018.items()}
EDITIONS = {"lancashire-2018": LANCASHIRE_2018, "lancashire-2018-intro": INTRO}

# Question: its readings, the default first. An industry card always needs a place in the player's network and may replace
# an own tile, and income comes at the end of a round. Questions about the virtual link only arise once
# virtual_link=classic has brought it back. Moot is distant_empty_pile, too: for each number of players the tiles of the
# pile lead to the bottom.
OFFERED = {
    question: readings
    for question, readings in tables.OFFERED.items()
    if question not in ("industry_card_own_tile", "isolated_overbuild")
} | {
    "first_build": ("bare", "first", "no_tile"),
    "distant_pile": ("aside", "under"),
    "last_tie": ("shared", "order"),
    "port_first": ("single", "named"),
    "income_time": ("end",),
    "virtual_link": ("none", "classic"),
    "card_setup": ("marked", "classic"),
    "mill_1_vp": ("three", "five"),
    "distant_empty_pile": ("closed", "reshuffle"),
}


def as_read(game: Lancashire) -> Lancashire:
    """The game with what its readings put on the table."""
    # r18 "virtual_link_removed": there is no such link, unless as an option.
    game = replace(lancashire.as_read(game), virtual_link=game.reads("virtual_link", "classic"))
    classic = tables.EDITIONS["lancashire-2007"].get(len(game.players))  # 2007 sets none up for two players
    if game.reads("card_setup", "classic") and classic is not None:
        game = replace(game, cards=classic.cards, set_aside=classic.set_aside)
    if game.reads("mill_1_vp", "five"):
        mill = replace(game.tiles[COTTON_MILL, 1], vp=5)
        game = replace(game, tiles={**game.tiles, (COTTON_MILL, 1): mill})
    return game


# Rules


class State(edition_2018.State, lancashire_state.State):
    """Everything on the table."""


def due(state: State) -> list[tuple[Chance, int]]:
    """The places in the order of play, and which distant-market tile is turned."""
    return edition_2018.seats(state) if state.phase == "start" else sell.tiles_to_turn(state)


def _start(rules: Rules, state: State, events: list[Event]) -> None:
    """r18 "first_turn_order": once the order of play is drawn, the canal era begins."""
    if edition_2018.all_seated(state):
        state.seated = 0
        rounds.begin_era(state, CANAL, events)


def _clean_up(rules: Rules, state: State, events: list[Event]) -> None:
    """As in 2007; the introductory game has a last scoring of its own instead."""
    if state.game.last_era == CANAL:
        edition_2018.score_introductory(state, events)
    else:
        era_end.clean_up(rules, state, events)


RULES = replace(
    lancashire.RULES,
    editions=EDITIONS,
    offered=OFFERED,
    as_read=as_read,
    state=State,
    due=due,
    chances=lancashire.RULES.chances | {"seat": edition_2018.seat},
    steps=lancashire.RULES.steps | edition_2018.STEPS | {"start": _start, "cleanup": _clean_up},
)
