"""The tables of Brass of 2007: board, tiles, cards, tracks, moves, readings offered, and requirements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from brassspec.engine import tables as printed
from brassspec.engine.game import Game
from brassspec.engine.tables import CANAL, RAIL

PORT, DISTANT = "port", "distant"
LIVERPOOL, BIRKENHEAD = "liverpool", "birkenhead"
MONEY_PER_VP = 10

SHEET = printed.read_sheet(__file__)
OFFERED: dict[str, tuple[str, ...]] = SHEET["offered"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Lancashire(Game):
    """A Lancashire game, with what it has on the table besides: external places and the cotton demand."""

    external: tuple[str, ...]
    printed_icons: dict[str, int]
    demand_bonus: tuple[int, ...]  # beside each space of the cotton demand track
    distant: tuple[int, ...]  # how far each distant-market tile moves the marker
    virtual_link: bool = True
    canal_tiles_reach: bool = False  # whether own tiles, too, make the network for industry cards in the canal era

    @property
    def demand_closed(self) -> int:
        """The bottom space of the cotton demand track, where nothing is sold."""
        return len(self.demand_bonus)


def deck(column: int) -> dict[str, int]:
    """The deck of one column of the sheet's cards."""
    return {card: copies[column] for card, copies in SHEET["cards"].items()}


# Of 2007, with four players and with three.
FULL = Lancashire(**printed.COMMON, **printed.fields(SHEET), cards=deck(0))
FULL_3 = replace(FULL, players=FULL.players[:3], set_aside={CANAL: 9, RAIL: 6})

# Edition: its games by the number of players.
EDITIONS = {"lancashire-2007": {3: FULL_3, 4: FULL}}
