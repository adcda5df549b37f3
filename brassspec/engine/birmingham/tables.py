"""The tables of Brass: Birmingham (2018) and `mini-birmingham`: board, tiles, cards, merchants, markets and numbers."""

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
    LINK_PRICES,
    LINK_TILES,
    LOWEST_INCOME,
    PLAYERS,
    RAIL,
    Kind,
)

MANUFACTURER = "manufacturer"
POTTERY = "pottery"
BREWERY = "brewery"
INDUSTRIES = (COTTON_MILL, MANUFACTURER, POTTERY, COAL_MINE, IRON_WORKS, BREWERY)

ROUNDS = {2: 10, 3: 9, 4: 8}  # of an era

# Of a brewery the cubes are the barrels that it brews at most: see BARRELS.
TILES: dict[tuple[str, int], Kind] = {
    (COTTON_MILL, 1): Kind(3, 12, 0, 0, 5, 5, 0, CANAL, 1, 1),
    (COTTON_MILL, 2): Kind(2, 14, 1, 0, 4, 5, 0, None, 1, 2),
    (COTTON_MILL, 3): Kind(3, 16, 1, 1, 3, 9, 0, None, 1, 1),
    (COTTON_MILL, 4): Kind(3, 18, 1, 1, 2, 12, 0, None, 1, 1),
    (MANUFACTURER, 1): Kind(1, 8, 1, 0, 5, 3, 0, CANAL, 1, 2),
    (MANUFACTURER, 2): Kind(2, 10, 0, 1, 1, 5, 0, None, 1, 1),
    (MANUFACTURER, 3): Kind(1, 12, 2, 0, 4, 4, 0, None, 0, 0),
    (MANUFACTURER, 4): Kind(1, 8, 0, 1, 6, 3, 0, None, 1, 1),
    (MANUFACTURER, 5): Kind(2, 16, 1, 0, 2, 8, 0, None, 2, 2),
    (MANUFACTURER, 6): Kind(1, 20, 0, 0, 6, 7, 0, None, 1, 1),
    (MANUFACTURER, 7): Kind(1, 16, 1, 1, 4, 9, 0, None, 0, 0),
    (MANUFACTURER, 8): Kind(2, 20, 0, 2, 1, 11, 0, None, 1, 1),
    (POTTERY, 1): Kind(1, 17, 0, 1, 5, 10, 0, None, 1, 1, lightbulb=True),
    (POTTERY, 2): Kind(1, 0, 1, 0, 1, 1, 0, None, 1, 1),
    (POTTERY, 3): Kind(1, 22, 2, 0, 5, 11, 0, None, 2, 1, lightbulb=True),
    (POTTERY, 4): Kind(1, 0, 1, 0, 1, 1, 0, None, 1, 1),
    (POTTERY, 5): Kind(1, 24, 2, 0, 5, 20, 0, RAIL, 2, 1),
    (COAL_MINE, 1): Kind(1, 5, 0, 0, 4, 1, 2, CANAL, None, 2),
    (COAL_MINE, 2): Kind(2, 7, 0, 0, 7, 2, 3, None, None, 1),
    (COAL_MINE, 3): Kind(2, 8, 0, 1, 6, 3, 4, None, None, 1),
    (COAL_MINE, 4): Kind(2, 10, 0, 1, 5, 4, 5, None, None, 1),
    (IRON_WORKS, 1): Kind(1, 5, 1, 0, 3, 3, 4, CANAL, None, 1),
    (IRON_WORKS, 2): Kind(1, 7, 1, 0, 3, 5, 4, None, None, 1),
    (IRON_WORKS, 3): Kind(1, 9, 1, 0, 2, 7, 5, None, None, 1),
    (IRON_WORKS, 4): Kind(1, 12, 1, 0, 1, 9, 6, None, None, 1),
    (BREWERY, 1): Kind(2, 5, 0, 1, 4, 4, 1, CANAL, None, 2),
    (BREWERY, 2): Kind(2, 7, 0, 1, 5, 5, 2, None, None, 2),
    (BREWERY, 3): Kind(2, 9, 0, 1, 5, 7, 2, None, None, 2),
    (BREWERY, 4): Kind(1, 9, 0, 1, 5, 10, 2, RAIL, None, 2),
}
BARRELS = {CANAL: 1, RAIL: 2}  # a brewery brews, by the era it is built in
MANUFACTURER_4_PROTOTYPE = 14  # price under the reading manufacturer_4_cost=fourteen

# Place: its spaces with the industries they show.
Places = dict[str, tuple[tuple[str, ...], ...]]

# Spaces of each place, in reading order, with the industries they show.
PLACES: Places = {
    "belper": ((COTTON_MILL, MANUFACTURER), (COAL_MINE,), (POTTERY,)),
    "birmingham": ((COTTON_MILL, MANUFACTURER), (MANUFACTURER,), (IRON_WORKS,), (MANUFACTURER,)),
    "burton_on_trent": ((MANUFACTURER, COAL_MINE), (BREWERY,)),
    "cannock": ((MANUFACTURER, COAL_MINE), (COAL_MINE,)),
    "coalbrookdale": ((IRON_WORKS, BREWERY), (IRON_WORKS,), (COAL_MINE,)),
    "coventry": ((POTTERY,), (MANUFACTURER, COAL_MINE), (IRON_WORKS, MANUFACTURER)),
    "derby": ((COTTON_MILL, BREWERY), (COTTON_MILL, MANUFACTURER), (IRON_WORKS,)),
    "dudley": ((COAL_MINE,), (IRON_WORKS,)),
    "farm_brewery_north": ((BREWERY,),),
    "farm_brewery_south": ((BREWERY,),),
    "kidderminster": ((COTTON_MILL, COAL_MINE), (COTTON_MILL,)),
    "leek": ((COTTON_MILL, MANUFACTURER), (COTTON_MILL, COAL_MINE)),
    "nuneaton": ((MANUFACTURER, BREWERY), (COTTON_MILL, COAL_MINE)),
    "redditch": ((MANUFACTURER, COAL_MINE), (IRON_WORKS,)),
    "stafford": ((MANUFACTURER, BREWERY), (POTTERY,)),
    "stoke_on_trent": ((COTTON_MILL, MANUFACTURER), (POTTERY, IRON_WORKS), (MANUFACTURER,)),
    "stone": ((COTTON_MILL, BREWERY), (MANUFACTURER, COAL_MINE)),
    "tamworth": ((COTTON_MILL, COAL_MINE), (COTTON_MILL, COAL_MINE)),
    "uttoxeter": ((MANUFACTURER, BREWERY), (COTTON_MILL, BREWERY)),
    "walsall": ((IRON_WORKS, MANUFACTURER), (MANUFACTURER, BREWERY)),
    "wolverhampton": ((MANUFACTURER,), (MANUFACTURER, COAL_MINE)),
    "worcester": ((COTTON_MILL,), (COTTON_MILL,)),
}
FARMS = ("farm_brewery_north", "farm_brewery_south")

# Merchant: its spaces, and from how many players on tiles lie there.
MERCHANTS = {"gloucester": (2, 2), "nottingham": (2, 4), "oxford": (2, 2), "shrewsbury": (1, 2), "warrington": (2, 3)}
MERCHANT_SPACES = {f"{place}.{n}": least for place, (spaces, least) in MERCHANTS.items() for n in range(1, spaces + 1)}
MERCHANT_ICONS = 2
GLOUCESTER = "gloucester"  # its beer develops a tile
BONUS_VP = {"nottingham": 3, "shrewsbury": 4}
BONUS_MONEY = {"warrington": 5}
BONUS_INCOME = {"oxford": 2}  # spaces

# Merchant tiles: what each buys; which are in play with two players, and which join them with three and with four.
BUYS = {
    "all": (COTTON_MILL, MANUFACTURER, POTTERY),
    "cotton": (COTTON_MILL,),
    "manufacturer": (MANUFACTURER,),
    "pottery": (POTTERY,),
    "blank": (),
}
BLANK = "blank"
MERCHANT_TILES = {
    2: ("all", "cotton", "manufacturer", "blank", "blank"),
    3: ("pottery", "blank"),
    4: ("cotton", "manufacturer"),
}
OTHER_MERCHANT_TILES = MERCHANT_TILES | {3: ("pottery", "manufacturer"), 4: ("all", "cotton")}

_BOTH_ERAS = """
    belper--derby  birmingham--coventry  birmingham--dudley  birmingham--oxford  birmingham--tamworth
    birmingham--walsall  birmingham--worcester  burton_on_trent--derby  burton_on_trent--stone
    burton_on_trent--tamworth  cannock--farm_brewery_north  cannock--stafford  cannock--walsall
    cannock--wolverhampton  coalbrookdale--kidderminster  coalbrookdale--shrewsbury  coalbrookdale--wolverhampton
    derby--nottingham  dudley--kidderminster  dudley--wolverhampton  gloucester--redditch  gloucester--worcester
    farm_brewery_south--kidderminster--worcester  leek--stoke_on_trent  nuneaton--tamworth  oxford--redditch
    stafford--stone  stoke_on_trent--stone  stoke_on_trent--warrington  walsall--wolverhampton"""
_RAIL_ONLY = """
    belper--leek  birmingham--nuneaton  birmingham--redditch  burton_on_trent--cannock  coventry--nuneaton
    derby--uttoxeter  stone--uttoxeter  tamworth--walsall"""
_CANAL_ONLY = "burton_on_trent--walsall"

COTTON_OR_MANUFACTURER = "cotton_mill_or_manufacturer"
WILD_LOCATION = "wild_location"
WILD_INDUSTRY = "wild_industry"
WILDS = (WILD_LOCATION, WILD_INDUSTRY)
WILD_COPIES = 4
# Card of the deck, in canonical order: copies with two, three and four players.
CARDS: dict[str, tuple[int, int, int]] = {
    "belper": (0, 0, 2),
    "birmingham": (3, 3, 3),
    "burton_on_trent": (2, 2, 2),
    "cannock": (2, 2, 2),
    "coalbrookdale": (3, 3, 3),
    "coventry": (3, 3, 3),
    "derby": (0, 0, 3),
    "dudley": (2, 2, 2),
    "kidderminster": (2, 2, 2),
    "leek": (0, 2, 2),
    "nuneaton": (1, 1, 1),
    "redditch": (1, 1, 1),
    "stafford": (2, 2, 2),
    "stoke_on_trent": (0, 3, 3),
    "stone": (0, 2, 2),
    "tamworth": (1, 1, 1),
    "uttoxeter": (0, 1, 2),
    "walsall": (1, 1, 1),
    "wolverhampton": (2, 2, 2),
    "worcester": (2, 2, 2),
    COAL_MINE: (2, 2, 3),
    IRON_WORKS: (4, 4, 4),
    POTTERY: (2, 2, 3),
    BREWERY: (5, 5, 5),
    COTTON_OR_MANUFACTURER: (0, 6, 8),
}
# Industry card: the industries it shows.
SHOWS = {
    **{industry: (industry,) for industry in (COAL_MINE, IRON_WORKS, POTTERY, BREWERY)},
    COTTON_OR_MANUFACTURER: (COTTON_MILL, MANUFACTURER),
    WILD_INDUSTRY: INDUSTRIES,
}

# As Game.coal_prices and Game.iron_prices.
COAL_PRICES = (8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1)
IRON_PRICES = (6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1)
COAL_START = 13
IRON_START = 8

MONEY = 17
LOAN_MONEY = 30
LOAN_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Edition:
    """What one edition puts on the table; the maps by number are by the number of players."""

    last_era: str
    rounds: dict[int, int]  # of the longest era
    slots: dict[str, tuple[str, ...]]
    lines: dict[str, tuple[str, ...]]  # with the places they join, two or three
    lines_of: dict[str, tuple[str, ...]]  # era: the lines that are marked for it
    tiles: dict[tuple[str, int], Kind]
    link_tiles: int
    link_prices: dict[str, int]  # as LINK_PRICES
    cards: dict[int, dict[str, int]]
    wild_copies: int  # of each wild card
    hand_size: dict[str, int]  # era: number of cards
    set_aside: dict[int, dict[str, int]]
    money: int
    income_start: dict[str, int]  # a space of the income track
    income_of_space: tuple[int, ...]
    lowest_income: int  # that a loan may lead to
    loan_money: int
    loan_levels: int
    coal_prices: tuple[int, ...]  # as COAL_PRICES
    iron_prices: tuple[int, ...]
    coal_start: int
    iron_start: int
    merchant_spaces: dict[str, int]  # as MERCHANT_SPACES
    merchant_tiles: dict[int, tuple[str, ...]]  # as MERCHANT_TILES
    other_merchant_tiles: dict[int, tuple[str, ...]]


def _slots(places: Places) -> dict[str, tuple[str, ...]]:
    return {
        f"{place}.{number}": shown for place, spaces in places.items() for number, shown in enumerate(spaces, start=1)
    }


def _lines(both_eras: str, rail_only: str, canal_only: str) -> dict[str, tuple[str, ...]]:
    return {line: tuple(line.split("--")) for line in sorted(f"{both_eras} {rail_only} {canal_only}".split())}


def _lines_of(both_eras: str, rail_only: str, canal_only: str) -> dict[str, tuple[str, ...]]:
    return {CANAL: tuple(_lines(both_eras, "", canal_only)), RAIL: tuple(_lines(both_eras, rail_only, ""))}


FULL = Edition(
    last_era=RAIL,
    rounds=ROUNDS,
    slots=_slots(PLACES),
    lines=_lines(_BOTH_ERAS, _RAIL_ONLY, _CANAL_ONLY),
    lines_of=_lines_of(_BOTH_ERAS, _RAIL_ONLY, _CANAL_ONLY),
    tiles=TILES,
    link_tiles=LINK_TILES,
    link_prices=LINK_PRICES,
    cards={players: {card: copies[players - 2] for card, copies in CARDS.items()} for players in ROUNDS},
    wild_copies=WILD_COPIES,
    hand_size=dict.fromkeys((CANAL, RAIL), HAND_SIZE),
    set_aside={players: {CANAL: players, RAIL: 0} for players in ROUNDS},
    money=MONEY,
    income_start=dict.fromkeys(PLAYERS, INCOME_START),
    income_of_space=INCOME_OF_SPACE,
    lowest_income=LOWEST_INCOME,
    loan_money=LOAN_MONEY,
    loan_levels=LOAN_LEVELS,
    coal_prices=COAL_PRICES,
    iron_prices=IRON_PRICES,
    coal_start=COAL_START,
    iron_start=IRON_START,
    merchant_spaces=MERCHANT_SPACES,
    merchant_tiles=MERCHANT_TILES,
    other_merchant_tiles=OTHER_MERCHANT_TILES,
)

# The introductory game ends after the canal era.
INTRO = replace(FULL, last_era=CANAL)

# A small board, the rules of FULL: so few cards and tiles that the whole game tree can be enumerated.
MINI_PLACES: Places = {
    "farm_brewery_south": ((BREWERY,),),
    "kidderminster": ((COAL_MINE,),),
    "worcester": ((COTTON_MILL,), (COTTON_MILL, IRON_WORKS, BREWERY)),
}
_MINI_LINES = ("farm_brewery_south--kidderminster--worcester", "gloucester--kidderminster", "gloucester--worcester")

MINI = Edition(
    last_era=RAIL,
    rounds={2: 2},
    slots=_slots(MINI_PLACES),
    lines=_lines(*_MINI_LINES),
    lines_of=_lines_of(*_MINI_LINES),
    tiles={
        (COTTON_MILL, 1): Kind(1, 3, 0, 0, 1, 1, 0, CANAL, 1, 1),
        (COTTON_MILL, 2): Kind(1, 4, 1, 0, 1, 1, 0, None, 1, 1),
        (POTTERY, 1): Kind(1, 9, 0, 0, 1, 1, 0, None, 1, 1, lightbulb=True),
        (COAL_MINE, 1): Kind(1, 2, 0, 0, 1, 1, 2, CANAL, None, 1),
        (COAL_MINE, 2): Kind(1, 2, 0, 0, 1, 1, 2, None, None, 1),
        (IRON_WORKS, 2): Kind(1, 9, 0, 0, 1, 1, 2, RAIL, None, 1),
        (BREWERY, 2): Kind(1, 2, 0, 0, 1, 1, 2, None, None, 1),
    },
    link_tiles=2,
    link_prices={"canal": 3, "rail": 1, "second_rail": 2},
    cards={2: {"worcester": 5, BREWERY: 1}},
    wild_copies=2,
    hand_size={CANAL: 3, RAIL: 2},
    set_aside={2: {CANAL: 0, RAIL: 2}},
    money=6,
    income_start={"yellow": 10, "red": 9},
    income_of_space=INCOME_OF_SPACE[:13],
    lowest_income=-1,
    loan_money=8,
    loan_levels=1,
    coal_prices=(2, 1),
    iron_prices=(16, 3),
    coal_start=0,
    iron_start=0,
    merchant_spaces={"gloucester.1": 2},
    merchant_tiles={2: ("cotton",)},
    other_merchant_tiles={2: ("cotton",)},
)

EDITIONS = {"birmingham-2018": FULL, "birmingham-2018-intro": INTRO, "mini-birmingham": MINI}
