"""What is printed: the names that rules speak of, the industry tiles, and the data sheets with the tables of the games."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


# Data sheets: `tables.toml` beside the module whose tables it holds.


def read_sheet(module: str, name: str = "tables.toml") -> dict[str, Any]:
    """The data sheet beside a module, with tuples for its arrays, and numbers for the names that are numbers.

    TypeError on what no sheet holds; so it is where a game or a tile is made of fields that it has not, or lacks some.
    """
    sheet: dict[str, Any] = _constant(tomllib.loads(Path(module).with_name(name).read_text("utf-8")))
    return sheet


def _constant(value: Any) -> Any:
    if isinstance(value, dict):
        return {int(name) if name.isdigit() else name: _constant(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return tuple(map(_constant, value))
    if not isinstance(value, str | int):
        raise TypeError(f"a data sheet holds texts, whole numbers, and yes or no, not {value!r}")
    return value


COMMON: dict[str, Any] = read_sheet(__file__)["game"]  # the fields that are printed alike in all games


def fields(sheet: dict[str, Any], kind: type[Kind] = Kind) -> dict[str, Any]:
    """The fields of a game that its sheet tells: spaces by name, lines by era, tiles by level, and those of `game`."""
    places, lines, tiles = sheet["places"], sheet["lines"], sheet["tiles"]
    return {
        **sheet["game"],
        "slots": {f"{place}.{number}": shown for place in places for number, shown in enumerate(places[place], 1)},
        "lines_of": {era: tuple(sorted(lines["both_eras"] + lines[f"{era}_only"])) for era in (CANAL, RAIL)},
        "tiles": {(name, level): kind(**tiles[name][level]) for name in tiles for level in tiles[name]},
    }
