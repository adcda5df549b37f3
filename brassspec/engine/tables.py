"""The engine's own tables: boards, tiles, cards, tracks and numbers of Brass (2007), of its variant and of `mini`."""

from __future__ import annotations

from dataclasses import dataclass, replace

PLAYERS = ("yellow", "red", "purple", "green")

COTTON_MILL = "cotton_mill"
PORT = "port"
COAL_MINE = "coal_mine"
IRON_WORKS = "iron_works"
SHIPYARD = "shipyard"
INDUSTRIES = (COTTON_MILL, PORT, COAL_MINE, IRON_WORKS, SHIPYARD)

CANAL = "canal"
RAIL = "rail"

MARKET = "market"
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

# Each marked line: its ends in alphabetical order, and whether it is marked for a canal and for a rail.
LINES: tuple[tuple[str, str, bool, bool], ...] = (
    ("barrow_in_furness", "lancaster", False, True),
    ("birkenhead", "ellesmere_port", False, True),
    ("blackburn", "bolton", False, True),
    ("blackburn", "burnley", True, True),
    ("blackburn", "preston", False, True),
    ("blackburn", "wigan", True, True),
    ("blackpool", "preston", False, True),
    ("bolton", "bury", True, True),
    ("bolton", "manchester", True, True),
    ("bolton", "wigan", False, True),
    ("burnley", "bury", False, True),
    ("burnley", "colne", True, True),
    ("bury", "manchester", True, True),
    ("bury", "rochdale", False, True),
    ("colne", "yorkshire", True, True),
    ("ellesmere_port", "liverpool", True, False),
    ("ellesmere_port", "northwich", True, True),
    ("ellesmere_port", "warrington_and_runcorn", True, True),
    ("fleetwood", "preston", True, True),
    ("lancaster", "preston", True, True),
    ("lancaster", "scotland", False, True),
    ("liverpool", "southport", False, True),
    ("liverpool", "warrington_and_runcorn", False, True),
    ("liverpool", "wigan", True, True),
    ("macclesfield", "stockport", True, True),
    ("macclesfield", "the_midlands", True, True),
    ("manchester", "oldham", True, True),
    ("manchester", "stockport", True, True),
    ("manchester", "warrington_and_runcorn", True, True),
    ("northwich", "the_midlands", True, True),
    ("oldham", "rochdale", True, True),
    ("preston", "southport", False, True),
    ("preston", "wigan", True, True),
    ("rochdale", "yorkshire", True, True),
    ("southport", "wigan", False, True),
    ("warrington_and_runcorn", "wigan", True, True),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """What is printed on an industry tile; `era` names the only era it may be built in, if there is one."""

    count: int
    price: int
    coal: int
    iron: int
    income: int
    vp: int
    cubes: int
    era: str | None


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

# Cards in canonical order: copies in the full deck, and in the deck of the two-player variant.
CARDS: dict[str, tuple[int, int]] = {
    "barrow_in_furness": (2, 2),
    "birkenhead": (2, 0),
    "blackburn": (2, 2),
    "bolton": (2, 2),
    "burnley": (2, 2),
    "bury": (1, 1),
    "colne": (2, 2),
    "ellesmere_port": (1, 0),
    "fleetwood": (1, 1),
    "lancaster": (3, 2),
    "liverpool": (4, 3),
    "macclesfield": (2, 0),
    "manchester": (4, 3),
    "oldham": (2, 0),
    "preston": (3, 2),
    "rochdale": (2, 0),
    "stockport": (2, 0),
    "warrington_and_runcorn": (2, 2),
    "wigan": (2, 1),
    COTTON_MILL: (8, 5),
    PORT: (6, 3),
    COAL_MINE: (5, 4),
    IRON_WORKS: (3, 2),
    SHIPYARD: (3, 1),
}

HAND_SIZE = 8
LINK_TILES = 14

CANAL_PRICE = 3
FIRST_RAIL_PRICE = 5
SECOND_RAIL_PRICE = 10  # two rails in one action cost 15 together

# Price of the next cube when so many cubes lie on a demand track; also what the last cube laid on it earned.
# From the empty track (index 0) a cube comes from the supply at £5.
TRACK_PRICES = (5, 4, 4, 3, 3, 2, 2, 1, 1)

# Income bonus beside each space of the cotton demand track, top to bottom; the space after the last is closed.
DEMAND_BONUS = (3, 3, 2, 2, 1, 1, 0, 0)

# Income of each space of the income track.
INCOME_OF_SPACE = (
    *(-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
    *(8, 8, 9, 9, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15, 16, 16, 16, 17),
    *(17, 17, 18, 18, 18, 19, 19, 19, 20, 20, 20, 21, 21, 21, 21, 22, 22, 22, 22, 23, 23, 23, 23, 24, 24),
    *(24, 24, 25, 25, 25, 25, 26, 26, 26, 26, 27, 27, 27, 27, 28, 28, 28, 28, 29, 29, 29, 29, 30, 30, 30),
)
LOWEST_INCOME = -10

LOAN_UNIT = 10
MONEY_PER_VP = 10


@dataclass(frozen=True, slots=True)
class Line:
    """A marked line between two places."""

    ends: tuple[str, str]
    canal: bool
    rail: bool


@dataclass(frozen=True, slots=True)
class Edition:
    """What one edition puts on the table."""

    name: str
    player_counts: tuple[int, ...]
    spaces: dict[str, tuple[str, ...]]
    town_of: dict[str, str]
    lines: dict[str, Line]
    external: tuple[str, ...]
    printed_icons: dict[str, int]
    tiles: dict[tuple[str, int], Kind]
    link_tiles: int
    cards: dict[str, int]
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
    distant: tuple[int, ...]

    @property
    def track(self) -> int:
        """How many cubes each demand track holds."""
        return len(self.track_prices) - 1

    @property
    def demand_closed(self) -> int:
        """The bottom space of the cotton demand track, where nothing is sold."""
        return len(self.demand_bonus)

    @property
    def last_space(self) -> int:
        """The highest space of the income track."""
        return len(self.income_of_space) - 1

    def highest_space(self, income: int) -> int:
        """The highest space of the income track with that income."""
        return max(space for space, pounds in enumerate(self.income_of_space) if pounds == income)


def _spaces(towns: Towns, left_out: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    return {
        f"{town}.{number}": symbols
        for town, spaces in towns.items()
        if town not in left_out
        for number, symbols in enumerate(spaces, start=1)
    }


def _town_of(spaces: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {slot: slot.split(".")[0] for slot in spaces}


def _lines(
    lines: tuple[tuple[str, str, bool, bool], ...],
    left_out: tuple[str, ...] = (),
    also_canals: tuple[tuple[str, str], ...] = (),
) -> dict[str, Line]:
    return {
        f"{one}--{other}": Line((one, other), canal or (one, other) in also_canals, rail)
        for one, other, canal, rail in lines
        if one not in left_out and other not in left_out
    }


FULL = Edition(
    name="lancashire-2007",
    player_counts=(3, 4),
    spaces=_spaces(TOWNS),
    town_of=_town_of(_spaces(TOWNS)),
    lines=_lines(LINES),
    external=EXTERNAL,
    printed_icons=PRINTED_ICONS,
    tiles=TILES,
    link_tiles=LINK_TILES,
    cards={card: full for card, (full, _) in CARDS.items()},
    hand_size=HAND_SIZE,
    set_aside={3: {CANAL: 9, RAIL: 6}, 4: {CANAL: 6, RAIL: 2}},
    rounds=10,
    money=30,
    income_start=dict.fromkeys(PLAYERS, 10),
    income_of_space=INCOME_OF_SPACE,
    lowest_income=LOWEST_INCOME,
    track_prices=TRACK_PRICES,
    track_start=8,
    demand_bonus=DEMAND_BONUS,
    distant=(0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4),
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
    lines=_lines(LINES, CLOSED_TOWNS, (("lancaster", "scotland"),)),
    cards={card: copies for card, (_, copies) in CARDS.items() if copies},
    set_aside={2: {CANAL: 2, RAIL: 0}},
    money=25,
    track_prices=TRACK_PRICES[:7],
    track_start=6,
    distant=(1, 2, 2, 2, 2, 3, 3, 4),
)

# A small board, the rules of FULL: so few cards and tiles that the whole game tree can be enumerated.
MINI_TOWNS: Towns = {
    "birkenhead": ((SHIPYARD,),),
    "lancaster": ((PORT,), (COTTON_MILL, PORT)),
    "liverpool": ((COAL_MINE, IRON_WORKS, SHIPYARD),),
    "preston": ((PORT,), (COTTON_MILL, PORT, COAL_MINE), (COTTON_MILL,)),
}

MINI = Edition(
    name="mini",
    player_counts=(2,),
    spaces=_spaces(MINI_TOWNS),
    town_of=_town_of(_spaces(MINI_TOWNS)),
    lines=_lines(
        (
            ("birkenhead", "preston", False, True),
            ("lancaster", "preston", True, False),
            ("lancaster", "scotland", False, True),
            ("liverpool", "preston", True, True),
        )
    ),
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
    cards={"preston": 5, COAL_MINE: 1},
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
    distant=(1, 2),
)

EDITIONS = {edition.name: edition for edition in (FULL, TWO_PLAYERS, MINI)}
