"""The tables of Birmingham: boards, tiles, cards, merchants, markets and numbers, the readings offered, and the requirements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from brassspec.engine import tables as printed
from brassspec.engine.game import Game
from brassspec.engine.tables import CANAL, COAL_MINE, COTTON_MILL, IRON_WORKS, RAIL

MANUFACTURER, POTTERY, BREWERY = "manufacturer", "pottery", "brewery"
INDUSTRIES = (COTTON_MILL, MANUFACTURER, POTTERY, COAL_MINE, IRON_WORKS, BREWERY)

ROUNDS = {2: 10, 3: 9, 4: 8}  # of an era


@dataclass(frozen=True, slots=True)
class Kind(printed.Kind):
    """What is printed on an industry tile of Birmingham besides."""

    beer: int | None = None  # barrels to sell it; None: it is not sold
    icons: int = 1  # what it adds to its place's links
    lightbulb: bool = False


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

# Spaces of each place, in reading order, with the industries they show.
PLACES: printed.Places = {
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
_CARDS = """
    belper 0 0 2   birmingham 3 3 3   burton_on_trent 2 2 2   cannock 2 2 2   coalbrookdale 3 3 3
    coventry 3 3 3   derby 0 0 3   dudley 2 2 2   kidderminster 2 2 2   leek 0 2 2
    nuneaton 1 1 1   redditch 1 1 1   stafford 2 2 2   stoke_on_trent 0 3 3   stone 0 2 2
    tamworth 1 1 1   uttoxeter 0 1 2   walsall 1 1 1   wolverhampton 2 2 2   worcester 2 2 2
    coal_mine 2 2 3   iron_works 4 4 4   pottery 2 2 3   brewery 5 5 5   cotton_mill_or_manufacturer 0 6 8"""
CARDS = printed.rows(_CARDS, 3)
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Birmingham(Game):
    """Birmingham, with what it has on the table besides: wild cards and merchants."""

    tiles: dict[tuple[str, int], Kind]
    wilds: dict[str, int]
    merchant_tiles: tuple[str, ...]
    other_merchant_tiles: tuple[str, ...]  # as OTHER_MERCHANT_TILES
    merchant_spaces: tuple[str, ...]  # those in play
    merchant_place: dict[str, str]  # of every merchant space of the board

    @cached_property
    def card_rank(self) -> dict[str, int]:
        """The number of each card in canonical order."""
        return {card: rank for rank, card in enumerate((*self.cards, *self.wilds))}


def _in_play(mix: dict[int, tuple[str, ...]], players: int) -> tuple[str, ...]:
    return tuple(tile for least, tiles in mix.items() if least <= players for tile in tiles)


def _of_2018(players: int) -> Birmingham:
    return Birmingham(
        players=printed.PLAYERS[:players],
        last_era=RAIL,
        rounds=ROUNDS[players],
        phases=(
            *("start", "merchants", "deal", "set_aside", "actions", "refill", "order", "income"),
            *("scoring", "cleanup", "over"),
        ),
        pending=("none", "rail", "sale", "develop", "bonus"),
        industries=INDUSTRIES,
        slots=printed.slots(PLACES),
        lines_of=printed.lines(_BOTH_ERAS, _RAIL_ONLY, _CANAL_ONLY),
        tiles=TILES,
        cards={card: copies[players - 2] for card, copies in CARDS.items()},
        wilds=dict.fromkeys(WILDS, WILD_COPIES),
        set_aside={CANAL: players, RAIL: 0},
        money=MONEY,
        coal_prices=COAL_PRICES,
        iron_prices=IRON_PRICES,
        coal_start=COAL_START,
        iron_start=IRON_START,
        unreached=("coal.merchant", "no merchant's place is connected"),
        merchant_tiles=_in_play(MERCHANT_TILES, players),
        other_merchant_tiles=_in_play(OTHER_MERCHANT_TILES, players),
        merchant_spaces=tuple(space for space, least in MERCHANT_SPACES.items() if least <= players),
        merchant_place={space: space.split(".")[0] for space in MERCHANT_SPACES},
        loans={LOAN_LEVELS: LOAN_MONEY},
    )


BIRMINGHAM_2018 = {players: _of_2018(players) for players in ROUNDS}
FULL = BIRMINGHAM_2018[4]

# The introductory game ends after the canal era.
INTRO = {players: replace(game, last_era=CANAL) for players, game in BIRMINGHAM_2018.items()}

# A small board, the rules of FULL: so few cards and tiles that the whole game tree can be enumerated.
MINI_PLACES: printed.Places = {
    "farm_brewery_south": ((BREWERY,),),
    "kidderminster": ((COAL_MINE,),),
    "worcester": ((COTTON_MILL,), (COTTON_MILL, IRON_WORKS, BREWERY)),
}
MINI = replace(
    BIRMINGHAM_2018[2],
    rounds=2,
    slots=printed.slots(MINI_PLACES),
    lines_of=printed.lines(
        "farm_brewery_south--kidderminster--worcester", "gloucester--kidderminster", "gloucester--worcester"
    ),
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
    cards={"worcester": 5, BREWERY: 1},
    wilds=dict.fromkeys(WILDS, 2),
    hand_size={CANAL: 3, RAIL: 2},
    set_aside={CANAL: 0, RAIL: 2},
    money=6,
    income_start=(10, 9),
    income_of_space=printed.INCOME_OF_SPACE[:13],
    lowest_income=-1,
    loans={1: 8},
    coal_prices=(2, 1),
    iron_prices=(16, 3),
    coal_start=0,
    iron_start=0,
    merchant_tiles=("cotton",),
    other_merchant_tiles=("cotton",),
    merchant_spaces=("gloucester.1",),
    merchant_place={"gloucester.1": "gloucester"},
)

EDITIONS = {"birmingham-2018": BIRMINGHAM_2018, "birmingham-2018-intro": INTRO, "mini-birmingham": {2: MINI}}

# Question: its readings, the default first. What a reading means where its name does not say it all:
OFFERED: dict[str, tuple[str, ...]] = {
    "manufacturer_4_cost": ("eight", "fourteen"),  # pounds; half of them in a shortfall, too
    "merchant_mix": ("retail", "other"),
    "merchant_icons": ("two", "none"),
    "unflipped_icons": ("none", "printed"),
    "mine_sale_connection": ("required", "not_required"),
    # only_if_full: an own tile stays while another space of its place shows its industry and is empty
    "own_overbuild_free_space": ("allowed", "only_if_full"),
    # yes: a tile on a space that shows more is not replaced either while a space that shows it alone is empty there
    "overbuild_single_first": ("no", "yes"),
    "overbuilt_resources": ("no", "yes"),  # moot: no tile costs what its own industry makes
    "rail_coal_end": ("nearer_end", "chosen_end"),  # of three ends on the line of three places
    # links_only: a place is never connected to itself; either end of a new rail still is to the other, over the rail
    "same_place": ("yes", "links_only"),
    "wild_removed_town": ("yes", "no"),
    "no_tiles_exception": ("yes", "no"),
    "exception_returns": ("yes", "first_only"),  # first_only: until the player's first tile or link of the game
    "farm_first": ("yes", "no"),  # no: on a farm the exception never helps
    "one_merchant_barrel": ("one", "any"),  # any: each barrel at the same merchant, up to what the tile asks for
    "shortfall_zero_tile": ("stays", "goes"),  # goes: as long as the player has a tile one is given up
    "shortfall_count": ("as_needed", "one"),
    "vp_floor": ("zero", "none"),
    "link_limit": ("limit", "unlimited"),
    "tie_income": ("spaces", "levels"),
    "pass_action": ("free", "never", "forced"),  # never: a player who can do nothing is stuck
    "bonus_develop": ("must", "may"),
}

# The requirements by name, in the order in which they are judged.
_CATALOGUE = """
    turn.order turn.unfinished card.held money.enough
    card.location card.removed_town card.farm card.industry card.network
    build.stack build.symbol build.canal_tile build.rail_tile build.one_per_town
    overbuild.opponent overbuild.industry overbuild.level overbuild.exhausted overbuild.full
    space.single build.coal build.iron
    coal.mine coal.connected coal.nearest coal.mine_first coal.merchant
    iron.works iron.works_first
    beer.brewery beer.connected beer.merchant beer.barrel
    link.canal_era link.canal_line link.rail_era link.rail_line link.free link.network link.supply rail.second
    develop.second develop.stack develop.lightbulb bonus.due
    sell.more sell.tile sell.merchant sell.connected sell.beer
    loan.floor scout.no_wild done.open shortfall.due shortfall.own
    pass.forced pass.never
"""
REQUIREMENTS = tuple(_CATALOGUE.split())
