"""The tables of the Lancashire games: boards, tiles, cards, tracks and numbers of 2007, its variant, 2018, its introduction and `mini`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from brassspec.engine.tables import (
    CANAL,
    COAL_MINE,
    COTTON_MILL,
    HAND_SIZE,
    INCOME_OF_SPACE,
    INCOME_START,
    IRON_WORKS,
    LINK_TILES,
    LOWEST_INCOME,
    PLAYERS,
    RAIL,
    Kind,
)

PORT = "port"
SHIPYARD = "shipyard"
INDUSTRIES = (COTTON_MILL, PORT, COAL_MINE, IRON_WORKS, SHIPYARD)

DISTANT = "distant"

LIVERPOOL = "liverpool"
BIRKENHEAD = "birkenhead"

# Town: its spaces with the symbols they show.
Towns = dict[str, tuple[tuple[str, ...], ...]]

# Spaces of each town, left to right and top to bottom, with the symbols they show.
TOWNS: Towns = {
    "barrow_in_furness": ((SHIPYARD,), (IRON_WORKS,)),
    "birkenhead": ((SHIPYARD,),),
    "blackburn": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE), (IRON_WORKS,)),
    "bolton": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE), (IRON_WORKS,)),
    "burnley": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE)),
    "bury": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE)),
    "colne": ((COTTON_MILL,), (COTTON_MILL,)),
    "ellesmere_port": ((PORT,),),
    "fleetwood": ((PORT,),),
    "lancaster": ((PORT,), (COTTON_MILL, PORT)),
    "liverpool": ((PORT,), (PORT,), (SHIPYARD,), (PORT,)),
    "macclesfield": ((COTTON_MILL,), (COTTON_MILL,)),
    "manchester": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE), (IRON_WORKS,)),
    "oldham": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE)),
    "preston": ((PORT,), (COTTON_MILL, PORT), (IRON_WORKS,)),
    "rochdale": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE), (IRON_WORKS,)),
    "stockport": ((COTTON_MILL,), (COTTON_MILL,)),
    "warrington_and_runcorn": ((COTTON_MILL, COAL_MINE), (PORT,)),
    "wigan": ((COAL_MINE,), (COAL_MINE,)),
}

# The space a port takes before another.
PORT_FIRST = {"lancaster.2": "lancaster.1", "preston.2": "preston.1"}

EXTERNAL = ("scotland", "the_midlands", "yorkshire")

# Gold circles printed on the board: the external locations and the three places without spaces.
PRINTED_ICONS = {
    "blackpool": 2,
    "northwich": 2,
    "scotland": 2,
    "southport": 2,
    "the_midlands": 2,
    "yorkshire": 2,
}

# Marked lines: for canals and rails, for rails only, for canals only. Their ends are in alphabetical order.
BOTH_ERAS = """
    blackburn--burnley  blackburn--wigan  bolton--bury  bolton--manchester  burnley--colne  bury--manchester
    colne--yorkshire  ellesmere_port--northwich  ellesmere_port--warrington_and_runcorn  fleetwood--preston
    lancaster--preston  liverpool--wigan  macclesfield--stockport  macclesfield--the_midlands
    manchester--oldham  manchester--stockport  manchester--warrington_and_runcorn  northwich--the_midlands
    oldham--rochdale  preston--wigan  rochdale--yorkshire  warrington_and_runcorn--wigan"""
RAIL_ONLY = """
    barrow_in_furness--lancaster  birkenhead--ellesmere_port  blackburn--bolton  blackburn--preston
    blackpool--preston  bolton--wigan  burnley--bury  bury--rochdale  lancaster--scotland
    liverpool--southport  liverpool--warrington_and_runcorn  preston--southport  southport--wigan"""
CANAL_ONLY = "ellesmere_port--liverpool"

# Level 0 shipyards are never built: nothing but their number matters.
TILES: dict[tuple[str, int], Kind] = {
    (COTTON_MILL, 1): Kind(3, 12, 0, 0, 5, 3, 0, CANAL),
    (COTTON_MILL, 2): Kind(3, 14, 1, 0, 4, 5, 0, None),
    (COTTON_MILL, 3): Kind(3, 16, 1, 1, 3, 9, 0, None),
    (COTTON_MILL, 4): Kind(3, 18, 1, 1, 2, 12, 0, None),
    (PORT, 1): Kind(2, 6, 0, 0, 3, 2, 0, CANAL),
    (PORT, 2): Kind(2, 7, 0, 0, 3, 4, 0, None),
    (PORT, 3): Kind(2, 8, 0, 0, 4, 6, 0, None),
    (PORT, 4): Kind(2, 9, 0, 0, 4, 9, 0, None),
    (COAL_MINE, 1): Kind(1, 5, 0, 0, 4, 1, 2, CANAL),
    (COAL_MINE, 2): Kind(2, 7, 0, 0, 7, 2, 3, None),
    (COAL_MINE, 3): Kind(2, 8, 0, 1, 6, 3, 4, None),
    (COAL_MINE, 4): Kind(2, 10, 0, 1, 5, 4, 5, None),
    (IRON_WORKS, 1): Kind(1, 5, 1, 0, 3, 3, 4, CANAL),
    (IRON_WORKS, 2): Kind(1, 7, 1, 0, 3, 5, 4, None),
    (IRON_WORKS, 3): Kind(1, 9, 1, 0, 2, 7, 5, None),
    (IRON_WORKS, 4): Kind(1, 12, 1, 0, 1, 9, 6, None),
    (SHIPYARD, 0): Kind(2, 0, 0, 0, 0, 0, 0, None),
    (SHIPYARD, 1): Kind(2, 16, 1, 1, 2, 10, 0, CANAL),  # the canal symbol is missing by a printing error
    (SHIPYARD, 2): Kind(2, 25, 1, 1, 1, 18, 0, RAIL),
}

# Cards in canonical order. Copies in the full deck of 2007, in that of the two-player variant, and (r18 "deck_setup") in
# those of 2018 for 2, 3 and 4 players.
CARDS: dict[str, tuple[int, int, int, int, int]] = {
    "barrow_in_furness": (2, 2, 0, 2, 2),
    "birkenhead": (2, 0, 2, 2, 2),
    "blackburn": (2, 2, 0, 2, 2),
    "bolton": (2, 2, 2, 2, 2),
    "burnley": (2, 2, 0, 0, 2),
    "bury": (1, 1, 1, 1, 1),
    "colne": (2, 2, 0, 0, 2),
    "ellesmere_port": (1, 0, 1, 1, 1),
    "fleetwood": (1, 1, 0, 1, 1),
    "lancaster": (3, 2, 0, 2, 3),
    "liverpool": (4, 3, 3, 3, 4),
    "macclesfield": (2, 0, 2, 2, 2),
    "manchester": (4, 3, 4, 4, 4),
    "oldham": (2, 0, 2, 2, 2),
    "preston": (3, 2, 3, 3, 3),
    "rochdale": (2, 0, 2, 2, 2),
    "stockport": (2, 0, 2, 2, 2),
    "warrington_and_runcorn": (2, 2, 2, 2, 2),
    "wigan": (2, 1, 2, 2, 2),
    COTTON_MILL: (8, 5, 0, 5, 8),
    PORT: (6, 3, 3, 4, 5),
    COAL_MINE: (5, 4, 3, 4, 4),
    IRON_WORKS: (3, 2, 3, 3, 3),
    SHIPYARD: (3, 1, 3, 3, 3),
}


def _deck(column: int) -> dict[str, int]:
    return {card: copies[column] for card, copies in CARDS.items()}


# Price of the next cube when so many cubes lie on a demand track; also what the last cube laid on it earned.
# From the empty track (index 0) a cube comes from the supply at £5.
TRACK_PRICES = (5, 4, 4, 3, 3, 2, 2, 1, 1)

# Income bonus beside each space of the cotton demand track, top to bottom; the space after the last is closed.
DEMAND_BONUS = (3, 3, 2, 2, 1, 1, 0, 0)

# How far each distant-market tile moves the marker.
DISTANT_TILES = (0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4)

LOAN_UNIT = 10  # pounds, and one level of income
LARGEST_LOAN = 3
MONEY_PER_VP = 10


@dataclass(frozen=True, slots=True)
class Line:
    """A marked line between two places."""

    ends: tuple[str, str]
    canal: bool
    rail: bool


@dataclass(frozen=True, slots=True)
class Edition:
    """What one edition puts on the table; the maps by number are by the number of players."""

    name: str
    year: int  # of the rules: 2007 or 2018
    player_counts: tuple[int, ...]
    last_era: str
    spaces: dict[str, tuple[str, ...]]
    town_of: dict[str, str]
    lines: dict[str, Line]
    external: tuple[str, ...]
    printed_icons: dict[str, int]
    tiles: dict[tuple[str, int], Kind]
    link_tiles: int
    cards: dict[int, dict[str, int]]
    hand_size: int
    set_aside: dict[int, dict[str, int]]
    rounds: int  # of the longest era
    money: int
    income_start: dict[str, int]  # a space of the income track
    income_of_space: tuple[int, ...]
    lowest_income: int  # that a loan may lead to
    track_prices: tuple[int, ...]  # as TRACK_PRICES
    track_start: int
    demand_bonus: tuple[int, ...]  # as DEMAND_BONUS
    distant: dict[int, tuple[int, ...]]

    @property
    def demand_closed(self) -> int:
        """The bottom space of the cotton demand track, where nothing is sold."""
        return len(self.demand_bonus)


def _spaces(towns: Towns, left_out: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    return {
        f"{town}.{number}": symbols
        for town, spaces in towns.items()
        if town not in left_out
        for number, symbols in enumerate(spaces, start=1)
    }


def _town_of(spaces: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {slot: slot.split(".")[0] for slot in spaces}


def _lines(both_eras: str, rail_only: str, canal_only: str, left_out: tuple[str, ...] = ()) -> dict[str, Line]:
    canals, rails = (both_eras + " " + canal_only).split(), (both_eras + " " + rail_only).split()
    lines = {}
    for line in sorted({*canals, *rails}):
        one, other = line.split("--")
        if one not in left_out and other not in left_out:
            lines[line] = Line((one, other), line in canals, line in rails)
    return lines


FULL = Edition(
    name="lancashire-2007",
    year=2007,
    player_counts=(3, 4),
    last_era=RAIL,
    spaces=_spaces(TOWNS),
    town_of=_town_of(_spaces(TOWNS)),
    lines=_lines(BOTH_ERAS, RAIL_ONLY, CANAL_ONLY),
    external=EXTERNAL,
    printed_icons=PRINTED_ICONS,
    tiles=TILES,
    link_tiles=LINK_TILES,
    cards=dict.fromkeys((3, 4), _deck(0)),
    hand_size=HAND_SIZE,
    set_aside={3: {CANAL: 9, RAIL: 6}, 4: {CANAL: 6, RAIL: 2}},
    rounds=10,
    money=30,
    income_start=dict.fromkeys(PLAYERS, INCOME_START),
    income_of_space=INCOME_OF_SPACE,
    lowest_income=LOWEST_INCOME,
    track_prices=TRACK_PRICES,
    track_start=8,
    demand_bonus=DEMAND_BONUS,
    distant={3: DISTANT_TILES, 4: DISTANT_TILES},
)

# cz "Varianta pro 2 hráče": neither industry nor links are built into these towns. Northwich and the Midlands are not
# named: the line between them stays, though no other leads there, so that only first_link=anywhere lets anybody build it.
CLOSED_TOWNS = (BIRKENHEAD, "ellesmere_port", "macclesfield", "oldham", "rochdale", "stockport")

TWO_PLAYERS = replace(
    FULL,
    name="lancashire-2007-2p",
    player_counts=(2,),
    spaces=_spaces(TOWNS, CLOSED_TOWNS),
    town_of=_town_of(_spaces(TOWNS, CLOSED_TOWNS)),
    lines=_lines(BOTH_ERAS, RAIL_ONLY, CANAL_ONLY + " lancaster--scotland", CLOSED_TOWNS),
    cards={2: {card: copies for card, copies in _deck(1).items() if copies}},
    set_aside={2: {CANAL: 2, RAIL: 0}},
    money=25,
    track_prices=TRACK_PRICES[:7],
    track_start=6,
    distant={2: (1, 2, 2, 2, 2, 3, 3, 4)},
)

# Brass: Lancashire (2018): the board, tiles and tracks of 2007 for every number of players; cards and distant-market tiles
# are marked with it. A card that is not marked for so few stays in the box, but it is a card.
LANCASHIRE_2018 = replace(
    FULL,
    name="lancashire-2018",
    year=2018,
    player_counts=(2, 3, 4),
    cards={2: _deck(2), 3: _deck(3), 4: _deck(4)},
    set_aside={players: {CANAL: players, RAIL: 0} for players in (2, 3, 4)},
    distant={2: (1, 2, 2, 2, 3, 3, 3, 4), 3: (0, 1, 2, 2, 2, 2, 3, 3, 3, 4), 4: DISTANT_TILES},
)

# Its introductory game ends after the canal era.
LANCASHIRE_2018_INTRO = replace(LANCASHIRE_2018, name="lancashire-2018-intro", last_era=CANAL)

# A small board, the rules of FULL: so few cards and tiles that the whole game tree can be enumerated.
MINI_TOWNS: Towns = {
    "birkenhead": ((SHIPYARD,),),
    "lancaster": ((PORT,), (COTTON_MILL, PORT)),
    "liverpool": ((COAL_MINE, IRON_WORKS, SHIPYARD),),
    "preston": ((PORT,), (COTTON_MILL, PORT, COAL_MINE), (COTTON_MILL,)),
}

MINI = Edition(
    name="mini",
    year=2007,
    player_counts=(2,),
    last_era=RAIL,
    spaces=_spaces(MINI_TOWNS),
    town_of=_town_of(_spaces(MINI_TOWNS)),
    lines=_lines("liverpool--preston", "birkenhead--preston lancaster--scotland", "lancaster--preston"),
    external=("scotland",),
    printed_icons={"scotland": 2},
    tiles={
        (COTTON_MILL, 2): Kind(2, 3, 0, 0, 1, 1, 0, None),
        (PORT, 2): Kind(1, 3, 0, 0, 1, 1, 0, None),
        (COAL_MINE, 1): Kind(1, 1, 0, 0, 1, 1, 1, CANAL),
        (COAL_MINE, 2): Kind(1, 2, 0, 0, 1, 1, 2, None),
        (IRON_WORKS, 2): Kind(1, 5, 0, 0, 1, 1, 2, RAIL),
        (SHIPYARD, 0): Kind(1, 0, 0, 0, 0, 0, 0, None),
        (SHIPYARD, 2): Kind(1, 3, 1, 1, 1, 1, 0, RAIL),
    },
    link_tiles=2,
    cards={2: {"preston": 5, COAL_MINE: 1}},
    hand_size=2,
    set_aside={2: {CANAL: 0, RAIL: 2}},
    rounds=2,
    money=6,
    income_start={"yellow": 10, "red": 9},
    income_of_space=(-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 1),
    lowest_income=-1,
    track_prices=(16, 3),
    track_start=0,
    demand_bonus=(3, 1),
    distant={2: (1, 2)},
)

EDITIONS = {edition.name: edition for edition in (FULL, TWO_PLAYERS, LANCASHIRE_2018, LANCASHIRE_2018_INTRO, MINI)}
