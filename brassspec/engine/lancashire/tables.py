"""The tables of Brass of 2007: board, tiles, cards, tracks, readings offered, and requirements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from brassspec.engine import tables as printed
from brassspec.engine.game import Game
from brassspec.engine.tables import CANAL, COAL_MINE, COTTON_MILL, IRON_WORKS, RAIL, SHIPYARD, Kind

PORT = "port"
INDUSTRIES = (COTTON_MILL, PORT, COAL_MINE, IRON_WORKS, SHIPYARD)
DISTANT = "distant"
LIVERPOOL, BIRKENHEAD = "liverpool", "birkenhead"

# Spaces of each town with the symbols they show.
TOWNS: printed.Places = {
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
PRINTED_ICONS = dict.fromkeys((*EXTERNAL, "blackpool", "northwich", "southport"), 2)

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

# Tiles of each level: how many there are, price, coal, iron, spaces of income, victory points, cubes, and the only era.
# Level 0 shipyards are never built: nothing but their number matters.
TILES: dict[tuple[str, int], Kind] = {
    (COTTON_MILL, 1): Kind(3, 12, 0, 0, 5, 3, 0, CANAL),
    (COTTON_MILL, 2): Kind(3, 14, 1, 0, 4, 5, 0),
    (COTTON_MILL, 3): Kind(3, 16, 1, 1, 3, 9, 0),
    (COTTON_MILL, 4): Kind(3, 18, 1, 1, 2, 12, 0),
    (PORT, 1): Kind(2, 6, 0, 0, 3, 2, 0, CANAL),
    (PORT, 2): Kind(2, 7, 0, 0, 3, 4, 0),
    (PORT, 3): Kind(2, 8, 0, 0, 4, 6, 0),
    (PORT, 4): Kind(2, 9, 0, 0, 4, 9, 0),
    (COAL_MINE, 1): Kind(1, 5, 0, 0, 4, 1, 2, CANAL),
    (COAL_MINE, 2): Kind(2, 7, 0, 0, 7, 2, 3),
    (COAL_MINE, 3): Kind(2, 8, 0, 1, 6, 3, 4),
    (COAL_MINE, 4): Kind(2, 10, 0, 1, 5, 4, 5),
    (IRON_WORKS, 1): Kind(1, 5, 1, 0, 3, 3, 4, CANAL),
    (IRON_WORKS, 2): Kind(1, 7, 1, 0, 3, 5, 4),
    (IRON_WORKS, 3): Kind(1, 9, 1, 0, 2, 7, 5),
    (IRON_WORKS, 4): Kind(1, 12, 1, 0, 1, 9, 6),
    (SHIPYARD, 0): Kind(2, 0, 0, 0, 0, 0, 0),
    (SHIPYARD, 1): Kind(2, 16, 1, 1, 2, 10, 0, CANAL),  # the canal symbol is missing by a printing error
    (SHIPYARD, 2): Kind(2, 25, 1, 1, 1, 18, 0, RAIL),
}

# Cards in canonical order. Copies in the full deck of 2007, in that of the two-player variant, and (r18 "deck_setup") in
# those of 2018 for 2, 3 and 4 players.
_CARDS = """
    barrow_in_furness 2 2 0 2 2   birkenhead 2 0 2 2 2       blackburn 2 2 0 2 2
    bolton 2 2 2 2 2              burnley 2 2 0 0 2          bury 1 1 1 1 1
    colne 2 2 0 0 2               ellesmere_port 1 0 1 1 1   fleetwood 1 1 0 1 1
    lancaster 3 2 0 2 3           liverpool 4 3 3 3 4        macclesfield 2 0 2 2 2
    manchester 4 3 4 4 4          oldham 2 0 2 2 2           preston 3 2 3 3 3
    rochdale 2 0 2 2 2            stockport 2 0 2 2 2        warrington_and_runcorn 2 2 2 2 2
    wigan 2 1 2 2 2               cotton_mill 8 5 0 5 8      port 6 3 3 4 5
    coal_mine 5 4 3 4 4           iron_works 3 2 3 3 3       shipyard 3 1 3 3 3"""
CARDS = printed.rows(_CARDS, 5)


def deck(column: int) -> dict[str, int]:
    return {card: copies[column] for card, copies in CARDS.items()}


# Price of the next cube when so many cubes lie on a demand track; also what the last cube laid on it earned.
# From the empty track (index 0) a cube comes from the supply at £5.
TRACK_PRICES = (5, 4, 4, 3, 3, 2, 2, 1, 1)

# Income bonus beside each space of the cotton demand track, top to bottom; the space after the last is closed.
DEMAND_BONUS = (3, 3, 2, 2, 1, 1, 0, 0)

# How far each distant-market tile moves the marker.
DISTANT_TILES = (0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4)

MONEY_PER_VP = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Lancashire(Game):
    """A Lancashire game, with what it has on the table besides: external places and the cotton demand."""

    external: tuple[str, ...]
    printed_icons: dict[str, int]
    demand_bonus: tuple[int, ...]  # as DEMAND_BONUS
    distant: tuple[int, ...]
    virtual_link: bool = True
    canal_tiles_reach: bool = False  # whether own tiles, too, make the network for industry cards in the canal era

    @property
    def demand_closed(self) -> int:
        """The bottom space of the cotton demand track, where nothing is sold."""
        return len(self.demand_bonus)


# Of 2007, with four players.
FULL = Lancashire(
    players=printed.PLAYERS,
    last_era=RAIL,
    rounds=10,
    phases=("start", "deal", "set_aside", "income", "actions", "order", "refill", "scoring", "cleanup", "over"),
    pending=("none", "rail", "sale", "develop", "distant"),
    industries=INDUSTRIES,
    slots=printed.slots(TOWNS),
    lines_of=printed.lines(BOTH_ERAS, RAIL_ONLY, CANAL_ONLY),
    tiles=TILES,
    cards=deck(0),
    set_aside={CANAL: 6, RAIL: 2},
    money=30,
    loans={1: 10, 2: 20, 3: 30},
    coal_prices=TRACK_PRICES,
    iron_prices=TRACK_PRICES,
    coal_start=8,
    iron_start=8,
    unreached=("coal.port", "no built port or external location is connected"),
    external=EXTERNAL,
    printed_icons=PRINTED_ICONS,
    demand_bonus=DEMAND_BONUS,
    distant=DISTANT_TILES,
)
FULL_3 = replace(FULL, players=printed.PLAYERS[:3], set_aside={CANAL: 9, RAIL: 6})

# Edition: its games by the number of players.
EDITIONS = {"lancashire-2007": {3: FULL_3, 4: FULL}}

# Question: its readings, the default first. Two are moot, and no code asks for them: the track ends at the highest income
# and a loan at £30 anyway (thirty_cap); the distant tiles never run out before the marker is at the bottom
# (distant_pile). A third, port_first, is moot on the large boards, where only ports, in Lancaster and Preston only, have
# the choice between a space of their own and a shared one; on the board of `mini` cotton mills have it in Preston, too.
OFFERED: dict[str, tuple[str, ...]] = {
    "overbuild_exhausted": ("both", "either"),
    "overbuild_works_level": ("higher", "any"),
    "nearest_coal": ("nearest", "any"),
    "distant_bonus": ("spaces", "pounds"),
    "thirty_cap": ("income", "loan"),
    "loan_lock_era": ("rail", "canal", "both"),
    "income_start": ("zero", "space_0"),
    "two_rails_apart": ("free", "apart"),
    "rail_coal_after": ("after", "before"),
    "rail_coal_end": ("chosen_end", "nearer_end"),
    "first_build": ("first", "bare", "no_tile"),
    "first_link": ("no", "anywhere"),
    "virtual_use": ("placing", "built"),
    "virtual_direction": ("both", "into_birkenhead"),
    "virtual_anchor": ("yes", "no"),
    "industry_card_own_tile": ("no", "yes"),
    "isolated_overbuild": ("link", "no_link"),
    "liverpool_coal": ("port", "always"),
    "distant_pile": ("under", "aside"),
    "shortfall_no_tiles": ("vp", "forgiven", "debt"),
    "shortfall_change": ("kept", "lost"),
    "tie_income": ("levels", "spaces"),
    "last_tie": ("order", "shared"),
    "port_first": ("named", "single"),
    "income_time": ("start", "end"),
    "pass_action": ("free", "forced"),
}

# The requirements by name, in the order of the rulebook.
# Some are of a reading only: space.single (in the place of the two about ports) of port_first=single, the default of 2018;
# rail.apart of two_rails_apart=apart; pass.forced of pass_action=forced.
_CATALOGUE = """
    turn.order turn.unfinished combine.two_actions
    card.held card.location card.industry card.network card.own_tile
    build.stack build.level_zero build.symbol build.canal_tile build.rail_tile build.one_per_town
    overbuild.opponent overbuild.industry overbuild.level overbuild.exhausted
    port.lancaster port.preston space.single build.coal build.iron
    coal.mine coal.connected coal.nearest coal.mine_first coal.port
    iron.works iron.works_first money.enough
    link.canal_era link.rail_era link.canal_line link.rail_line link.free link.network link.supply rail.second rail.apart
    develop.stack develop.second
    sell.more sell.mill sell.port sell.connected sell.distant_open sell.distant_port
    loan.deck loan.floor shortfall.due shortfall.own done.open pass.forced
"""
REQUIREMENTS = tuple(_CATALOGUE.split())
