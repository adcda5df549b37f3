"""The tables of Birmingham: boards, tiles, cards, merchants, markets, numbers, moves, readings offered, and requirements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from brassspec.engine import tables as printed
from brassspec.engine.game import Game
from brassspec.engine.tables import CANAL, RAIL

SHEET = printed.read_sheet(__file__)
MANUFACTURER, BREWERY = "manufacturer", "brewery"
BARRELS = {CANAL: 1, RAIL: 2}  # a brewery brews, by the era it is built in
MANUFACTURER_4_PROTOTYPE = 14  # price under the reading manufacturer_4_cost=fourteen
FARMS = ("farm_brewery_north", "farm_brewery_south")
WILDS = WILD_LOCATION, WILD_INDUSTRY = "wild_location", "wild_industry"
MERCHANTS: dict[str, tuple[int, int]] = SHEET["merchants"]
MERCHANT_SPACES = {f"{place}.{n}": least for place, (spaces, least) in MERCHANTS.items() for n in range(1, spaces + 1)}
MERCHANT_ICONS = 2
BLANK = "blank"  # the merchant tile that buys nothing
BUYS: dict[str, tuple[str, ...]] = SHEET["buys"]
BONUS: dict[str, dict[str, int]] = SHEET["bonus"]
SHOWS: dict[str, tuple[str, ...]] = SHEET["shows"]
OFFERED: dict[str, tuple[str, ...]] = SHEET["offered"]


@dataclass(frozen=True, slots=True)
class Kind(printed.Kind):
    """What is printed on an industry tile of Birmingham besides."""

    beer: int | None = None  # barrels to sell it; None: it is not sold
    icons: int = 1  # what it adds to its place's links
    lightbulb: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Birmingham(Game):
    """Birmingham, with what it has on the table besides: wild cards and merchants."""

    tiles: dict[tuple[str, int], Kind]
    wilds: dict[str, int]
    merchant_tiles: tuple[str, ...]
    other_merchant_tiles: tuple[str, ...]  # those of the reading merchant_mix=other
    merchant_spaces: tuple[str, ...]  # those in play
    merchant_place: dict[str, str]  # of every merchant space of the board

    @cached_property
    def card_rank(self) -> dict[str, int]:
        """The number of each card in canonical order."""
        return {card: rank for rank, card in enumerate((*self.cards, *self.wilds))}


def _in_play(mix: dict[int, tuple[str, ...]], players: int) -> tuple[str, ...]:
    return tuple(tile for least, tiles in mix.items() if least <= players for tile in tiles)


def _of_2018(players: int, rounds: int) -> Birmingham:
    common = printed.COMMON | {"players": printed.COMMON["players"][:players]}
    return Birmingham(
        **common,
        **printed.fields(SHEET, Kind),
        rounds=rounds,
        cards={card: copies[players - 2] for card, copies in SHEET["cards"].items()},
        set_aside={CANAL: players, RAIL: 0},
        merchant_tiles=_in_play(SHEET["merchant_tiles"], players),
        other_merchant_tiles=_in_play(SHEET["other_merchant_tiles"], players),
        merchant_spaces=tuple(space for space, least in MERCHANT_SPACES.items() if least <= players),
        merchant_place={space: space.split(".")[0] for space in MERCHANT_SPACES},
    )


BIRMINGHAM_2018 = {players: _of_2018(players, rounds) for players, rounds in SHEET["rounds"].items()}
FULL = BIRMINGHAM_2018[4]

# The introductory game ends after the canal era.
INTRO = {players: replace(game, last_era=CANAL) for players, game in BIRMINGHAM_2018.items()}

# A small board, the rules of FULL: so few cards and tiles that the whole game tree can be enumerated.
MINI = replace(BIRMINGHAM_2018[2], **printed.fields(printed.read_sheet(__file__, "mini.toml"), Kind))

EDITIONS = {"birmingham-2018": BIRMINGHAM_2018, "birmingham-2018-intro": INTRO, "mini-birmingham": {2: MINI}}
