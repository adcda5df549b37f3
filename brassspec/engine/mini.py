"""The ruleset `mini`: a small board with the rules of 2007, so that the whole game tree can be enumerated."""

from __future__ import annotations

from dataclasses import replace

from brassspec.engine import lancashire
from brassspec.engine import tables as printed
from brassspec.engine.lancashire import tables
from brassspec.engine.lancashire.tables import PORT
from brassspec.engine.tables import CANAL, COAL_MINE, COTTON_MILL, IRON_WORKS, RAIL, SHIPYARD, Kind

TOWNS: printed.Places = {
    "birkenhead": ((SHIPYARD,),),
    "lancaster": ((PORT,), (COTTON_MILL, PORT)),
    "liverpool": ((COAL_MINE, IRON_WORKS, SHIPYARD),),
    "preston": ((PORT,), (COTTON_MILL, PORT, COAL_MINE), (COTTON_MILL,)),
}
MINI = replace(
    tables.FULL,
    players=printed.PLAYERS[:2],
    rounds=2,
    slots=printed.slots(TOWNS),
    lines_of=printed.lines("liverpool--preston", "birkenhead--preston lancaster--scotland", "lancaster--preston"),
    tiles={
        (COTTON_MILL, 2): Kind(2, 3, 0, 0, 1, 1, 0),
        (PORT, 2): Kind(1, 3, 0, 0, 1, 1, 0),
        (COAL_MINE, 1): Kind(1, 1, 0, 0, 1, 1, 1, CANAL),
        (COAL_MINE, 2): Kind(1, 2, 0, 0, 1, 1, 2),
        (IRON_WORKS, 2): Kind(1, 5, 0, 0, 1, 1, 2, RAIL),
        (SHIPYARD, 0): Kind(1, 0, 0, 0, 0, 0, 0),
        (SHIPYARD, 2): Kind(1, 3, 1, 1, 1, 1, 0, RAIL),
    },
    link_tiles=2,
    cards={"preston": 5, COAL_MINE: 1},
    hand_size={CANAL: 2, RAIL: 2},
    set_aside={CANAL: 0, RAIL: 2},
    money=6,
    income_start=(10, 9),
    income_of_space=printed.INCOME_OF_SPACE[:13],
    lowest_income=-1,
    coal_prices=(16, 3),
    iron_prices=(16, 3),
    coal_start=0,
    iron_start=0,
    external=("scotland",),
    printed_icons={"scotland": 2},
    demand_bonus=(3, 1),
    distant=(1, 2),
)

RULES = replace(lancashire.RULES, editions={"mini": {2: MINI}})
