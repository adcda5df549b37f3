"""The two-player variant of Brass of 2007."""

from __future__ import annotations

from dataclasses import replace

from brassspec.engine import lancashire
from brassspec.engine.lancashire.tables import BIRKENHEAD, FULL, deck
from brassspec.engine.tables import CANAL, RAIL

# cz "Varianta pro 2 hráče": neither industry nor links are built into these towns. Northwich and the Midlands are not
# named: the line between them stays, though no other leads there, so that only first_link=anywhere lets anybody build it.
# With Birkenhead the virtual link is closed.
CLOSED_TOWNS = (BIRKENHEAD, "ellesmere_port", "macclesfield", "oldham", "rochdale", "stockport")

# Here the line from Lancaster to Scotland is marked for canals, too.
MARKED = FULL.lines_of | {CANAL: tuple(sorted((*FULL.lines_of[CANAL], "lancaster--scotland")))}

TWO_PLAYERS = replace(
    FULL,
    players=FULL.players[:2],
    slots={slot: shown for slot, shown in FULL.slots.items() if FULL.place_of[slot] not in CLOSED_TOWNS},
    lines_of={
        era: tuple(line for line in lines if set(FULL.lines[line]).isdisjoint(CLOSED_TOWNS))
        for era, lines in MARKED.items()
    },
    cards={card: copies for card, copies in deck(1).items() if copies},
    set_aside={CANAL: 2, RAIL: 0},
    money=25,
    coal_prices=FULL.coal_prices[:7],
    iron_prices=FULL.iron_prices[:7],
    coal_start=6,
    iron_start=6,
    distant=(1, 2, 2, 2, 2, 3, 3, 4),
    virtual_link=False,
)

RULES = replace(lancashire.RULES, editions={"lancashire-2007-2p": {2: TWO_PLAYERS}})
