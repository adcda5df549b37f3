"""The data sheets of the engine's tables have the shape that the games ask for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from engine_playing import EDITIONS

from brassspec.engine import Engine, birmingham
from brassspec.engine import tables as printed

ENGINE = Path(printed.__file__).parent
SHEETS = sorted(ENGINE.rglob("*.toml"))
BOARD = {"game", "places", "lines", "tiles"}
LISTS = {"requirements", "cards", "offered", "moves"}
OWN = {"rounds", "shows", "merchants", "bonus", "buys", "merchant_tiles", "other_merchant_tiles"}
TABLES = {
    "tables.toml": {"game"},
    "mini.toml": BOARD,
    "lancashire/tables.toml": BOARD | LISTS,
    "birmingham/tables.toml": BOARD | LISTS | OWN,
    "birmingham/mini.toml": BOARD,
}
GAMES = {
    f"{edition} {players}": game
    for edition, games in (EDITIONS | birmingham.RULES.editions).items()
    for players, game in games.items()
}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what a type hint says."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple and parts[1:] == (...,):
        return type(value) is tuple and all(fits(entry, parts[0]) for entry in value)
    if origin is tuple:
        return type(value) is tuple and len(value) == len(parts) and all(map(fits, value, parts))
    if origin in (dict, Mapping):
        return type(value) is dict and all(
            fits(name, parts[0]) and fits(entry, parts[1]) for name, entry in value.items()
        )
    if origin is Union or parts:
        return any(fits(value, part) for part in parts)
    return type(value) is hint


def test_every_sheet_has_its_tables_and_no_others() -> None:
    found = {str(path.relative_to(ENGINE)): set(tomllib.loads(path.read_text("utf-8"))) for path in SHEETS}
    assert found == TABLES


@pytest.mark.parametrize("name", GAMES)
def test_every_field_is_of_its_type(name: str) -> None:
    game = GAMES[name]
    for field, hint in get_type_hints(type(game)).items():
        assert fits(getattr(game, field), hint), field
    for kind in game.tiles.values():
        for field, hint in get_type_hints(type(kind)).items():
            assert fits(getattr(kind, field), hint), field


@pytest.mark.parametrize("name", GAMES)
def test_names_within_a_game_are_known(name: str) -> None:
    game = GAMES[name]
    assert {industry for industry, _ in game.tiles} <= set(game.industries)
    assert {industry for shown in game.slots.values() for industry in shown} <= set(game.industries)
    assert {kind.era for kind in game.tiles.values()} <= {None, "canal", "rail"}
    assert game.lines_of.keys() == {"canal", "rail"} == game.hand_size.keys() == game.set_aside.keys()
    assert game.last_era in game.lines_of
    assert game.link_prices.keys() == {"canal", "rail", "second_rail"}
    assert len(game.players) <= len(game.income_start)


@pytest.mark.parametrize("value", ["1.5", "2026-01-01", "[[1, 2.5]]"])
def test_what_no_sheet_holds(tmp_path: Path, value: str) -> None:
    (tmp_path / "tables.toml").write_text(f"[game]\nmoney = {value}\n", "utf-8")
    with pytest.raises(TypeError, match="a data sheet holds"):
        printed.read_sheet(str(tmp_path / "tables.py"))


def test_what_a_sheet_is_read_as(tmp_path: Path) -> None:
    (tmp_path / "tables.toml").write_text('[game]\nloans = { 1 = 10 }\nnames = [["a"], ["b", "c"]]\n', "utf-8")
    assert printed.read_sheet(str(tmp_path / "tables.py")) == {
        "game": {"loans": {1: 10}, "names": (("a",), ("b", "c"))}
    }


def test_a_field_too_many_or_too_few() -> None:
    tile = {"count": 1, "price": 1, "coal": 0, "iron": 0, "income": 1, "vp": 1, "cubes": 0}
    board = {"game": {}, "places": {}, "lines": {"both_eras": (), "canal_only": (), "rail_only": ()}}
    assert printed.fields(board | {"tiles": {"port": {1: tile}}})["tiles"] == {("port", 1): printed.Kind(**tile)}
    for wrong in (tile | {"cost": 1}, {"count": 1}):
        with pytest.raises(TypeError):
            printed.fields(board | {"tiles": {"port": {1: wrong}}})


def test_every_edition_reads_its_moves() -> None:
    for name in GAMES:
        edition, players = name.split()
        assert Engine(edition, int(players)).initial().players == int(players)
