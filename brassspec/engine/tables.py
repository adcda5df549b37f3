"""What is printed alike in all games: the names, the income track and the common numbers."""

from __future__ import annotations

from dataclasses import dataclass

PLAYERS = ("yellow", "red", "purple", "green")  # clockwise

COTTON_MILL, COAL_MINE, IRON_WORKS = "cotton_mill", "coal_mine", "iron_works"
SHIPYARD = "shipyard"  # of Lancashire
CANAL, RAIL = "canal", "rail"
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
    era: str | None = None


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

# Place: its spaces, left to right and top to bottom, with the symbols they show.
Places = dict[str, tuple[tuple[str, ...], ...]]


def slots(places: Places) -> dict[str, tuple[str, ...]]:
    """The spaces of a board by name, with the symbols they show."""
    return {f"{place}.{number}": shown for place, spaces in places.items() for number, shown in enumerate(spaces, 1)}


def lines(both_eras: str, rail_only: str, canal_only: str) -> dict[str, tuple[str, ...]]:
    """Era: the lines marked for it, in alphabetical order."""
    marked = {CANAL: f"{both_eras} {canal_only}", RAIL: f"{both_eras} {rail_only}"}
    return {era: tuple(sorted(names.split())) for era, names in marked.items()}


def rows(table: str, width: int) -> dict[str, tuple[int, ...]]:
    """A table of names, each followed by so many numbers."""
    words = table.split()
    starts = range(0, len(words), width + 1)
    return {words[start]: tuple(map(int, words[start + 1 : start + width + 1])) for start in starts}
