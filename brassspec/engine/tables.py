"""What is printed alike in all games: the names, the income track and the common numbers."""

from __future__ import annotations

from dataclasses import dataclass

PLAYERS = ("yellow", "red", "purple", "green")  # clockwise

COTTON_MILL = "cotton_mill"
COAL_MINE = "coal_mine"
IRON_WORKS = "iron_works"

CANAL = "canal"
RAIL = "rail"

MARKET = "market"


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
    # Birmingham only. `beer`: barrels to sell it (None: it is not sold); `icons`: what it adds to its place's links.
    beer: int | None = None
    icons: int = 1
    lightbulb: bool = False


HAND_SIZE = 8
LINK_TILES = 14
LINK_PRICES = {"canal": 3, "rail": 5, "second_rail": 10}  # two rails in one action cost 15 together
INCOME_START = 10  # a space of the income track

# Income of each space of the income track.
INCOME_OF_SPACE = (
    *(-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
    *(8, 8, 9, 9, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15, 16, 16, 16, 17),
    *(17, 17, 18, 18, 18, 19, 19, 19, 20, 20, 20, 21, 21, 21, 21, 22, 22, 22, 22, 23, 23, 23, 23, 24, 24),
    *(24, 24, 25, 25, 25, 25, 26, 26, 26, 26, 27, 27, 27, 27, 28, 28, 28, 28, 29, 29, 29, 29, 30, 30, 30),
)
LOWEST_INCOME = -10

# The last scoring of the introductory games.
INTRO_MONEY_PER_VP = 4
INTRO_MONEY_MOST_VP = 15
