"""Every figure of the specs' tables against the data sheet of the printed game, for Brass (2007) and its variant for two players."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from brassspec.checker.mutants import mutants
from brassspec.checker.wording import value_word
from brassspec.rules.cache import load_rules
from brassspec.rules.concrete import Rules
from brassspec.rules.evaluate import evaluator
from brassspec.rules.model import Call, Const

SHEET: dict[str, Any] = json.loads((Path(__file__).parent.parent / "data" / "lancashire.json").read_text())

GAMES = [("lancashire-2007", 3), ("lancashire-2007", 4), ("lancashire-2007-2p", 2)]
SOURCE = {"lancashire-2007": "original_2007", "lancashire-2007-2p": "community_2p_2009"}

each_game = pytest.mark.parametrize(("ruleset", "players"), GAMES)


def spoken(rules: Rules, table: str) -> dict[tuple[str, ...], Any]:
    """A table with its keys and values as the language writes them; sets as Python sets of words."""
    model = rules.model
    t = model.tables[table]

    def said(value: Any, kind: Any) -> Any:
        if isinstance(value, frozenset):
            return {value_word(model, v, kind.inner) for v in value}
        return value if isinstance(value, int) and str(kind)[-1].isdigit() else value_word(model, value, kind)

    return {
        tuple(value_word(model, k, kt) for k, kt in zip(key, t.keys, strict=True)): said(value, t.type)
        for key, value in t.rows.items()
    }


def column(rules: Rules, table: str) -> dict[str, Any]:
    """A table with one key."""
    return {key: value for (key,), value in spoken(rules, table).items()}


def defined(rules: Rules, name: str, *args: int) -> Any:
    """What a definition gives in the position at set-up."""
    d = rules.model.defines[name]
    given = tuple(Const(p.type, a) for p, a in zip(d.params, args, strict=True))
    expr = Call(d.body.type, name, d.reads, given)
    return evaluator(rules, expr)(rules.initial())


def at_first(rules: Rules, variable: str) -> Any:
    """A variable of the position at set-up."""
    return rules.initial()[rules.index[variable]]


@each_game
def test_industry_tiles(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    tiles = {(t["industry"], str(t["level"])): t for t in SHEET["industry_tiles"]}
    columns = {
        "cost": "cost",
        "coal_needed": "coal",
        "iron_needed": "iron",
        "steps": "income_steps",
        "points": "vp",
        "cubes": "cubes",
    }
    for table, field in columns.items():
        assert spoken(rules, table) == {k: t[field] or 0 for k, t in tiles.items()}, table
    assert {k: n for k, n in spoken(rules, "number_of").items() if n} == {k: t["count"] for k, t in tiles.items()}
    # What is never built has no era to be built in; the spec says that by a rule of its own.
    eras = {k: set(t["eras"]) for k, t in tiles.items() if t["buildable"]}
    assert {k: e for k, e in spoken(rules, "eras").items() if k in eras} == eras
    assert {k for k, t in tiles.items() if not t["buildable"]} == {("shipyard", "0")}


@each_game
def test_places(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    places = {p["id"]: p for p in SHEET["locations"]}
    assert column(rules, "kind") == {i: p["kind"] for i, p in places.items()}
    assert column(rules, "icons") == {i: p["printed_link_icons"] for i, p in places.items()}
    titles = dict(zip(rules.model.sorts["Place"].members, rules.model.sorts["Place"].titles, strict=True))
    assert titles == {i: p["name"] for i, p in places.items()}


@each_game
def test_spaces(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    slots = {s["id"]: (p["id"], s) for p in SHEET["locations"] for s in p["slots"]}
    assert column(rules, "town") == {i: town for i, (town, _) in slots.items()}
    assert column(rules, "shows") == {i: set(s["industries"]) for i, (_, s) in slots.items()}


@each_game
def test_lines(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    lines = {line["id"].replace("__", "--"): line for line in SHEET["links"]}
    assert column(rules, "ends") == {i: set(line["ends"]) for i, line in lines.items()}
    marked = {
        i: {era for era in ("canal", "rail") if line[era]}
        | ({"canal"} if players == 2 and line["community_2p_canal"] else set())
        for i, line in lines.items()
    }
    assert column(rules, "marked") == marked


@each_game
def test_cards(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    cards = {c["id"].partition("_")[2]: c for c in SHEET["cards"]}
    assert column(rules, "names") == {i: c.get("location", "none") for i, c in cards.items()}
    assert column(rules, "trade") == {i: c.get("industry", "none") for i, c in cards.items()}
    in_deck = {i: c["community_2p" if players == 2 else "full_deck"] for i, c in cards.items()}
    assert column(rules, "copies") == in_deck
    decks = SHEET["deck_setup"][SOURCE[ruleset]][str(players)]
    assert sum(in_deck.values()) == decks["deck"] == defined(rules, "deck_size")
    assert {era: spoken(rules, "set_aside")[era, str(players)] for era in ("canal", "rail")} == decks["set_aside"]
    assert defined(rules, "full_hand") == SHEET["card_totals"]["hand_size"]


def test_cards_set_aside_for_every_number_of_players() -> None:
    found = spoken(load_rules("lancashire-2007", 3), "set_aside")
    decks = [d for source in SOURCE.values() for d in SHEET["deck_setup"][source].items() if d[0].isdigit()]
    assert found == {(era, n): number for n, d in decks for era, number in d["set_aside"].items()}


@each_game
def test_demand_tracks(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    track = SHEET["resource_tracks"][SOURCE[ruleset]]
    spaces = defined(rules, "track_spaces")
    price = column(rules, "price")
    assert price["0"] == track["price_when_empty"]
    # The cheapest space is emptied first: with n cubes left, the next one costs what the n dearest spaces begin with.
    for kind in ("coal", "iron"):
        assert spaces == len(track[kind])
        assert [price[str(n)] for n in range(1, spaces + 1)] == sorted(track[kind], reverse=True)
        assert at_first(rules, kind) == spaces


@each_game
def test_cotton(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    spaces = {str(s["index"]): s for s in SHEET["cotton_demand_track"]["spaces"]}
    assert column(rules, "bonus") == {i: s["income_steps"] or 0 for i, s in spaces.items()}
    assert [i for i, s in spaces.items() if s["closed"]] == [str(defined(rules, "demand_end"))]
    tiles = Counter(map(str, SHEET["distant_market_tiles"][SOURCE[ruleset]][str(players)]))
    assert column(rules, "copies_of") == {str(v): tiles[str(v)] for v in range(5)}


@each_game
def test_income_track(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    track = SHEET["progress_track"]
    assert column(rules, "level_of") == {str(i): level for i, level in enumerate(track["income_by_space"])}
    assert column(rules, "top_space") == {str(b["income"]): b["last_space"] for b in track["bands"]}
    assert defined(rules, "lowest_income") == track["min_income"]
    assert defined(rules, "highest_income") == track["max_income"]
    assert defined(rules, "income_end") == track["last_space"]
    assert at_first(rules, "income") == (track["income_start_space"],) * players


@each_game
def test_money_and_links(ruleset: str, players: int) -> None:
    rules = load_rules(ruleset, players)
    assert at_first(rules, "money") == (SHEET["setup"]["starting_money"][SOURCE[ruleset]][str(players)],) * players
    assert defined(rules, "links_each") == SHEET["link_costs"]["link_tiles_per_player"]


def test_the_closed_towns_of_the_variant() -> None:
    rules = load_rules("lancashire-2007-2p", 2)
    places = enumerate(rules.model.sorts["Place"].members)
    closed = {name for i, name in places if defined(rules, "closed", i)}
    assert closed == set(SHEET["editions"]["community_2p_2009"]["unavailable_locations"])


@each_game
def test_no_table_is_left_out(ruleset: str, players: int) -> None:
    """Every table whose figures can be misprinted is held against the sheet above."""
    held = {
        "cost",
        "coal_needed",
        "iron_needed",
        "steps",
        "points",
        "cubes",
        "number_of",
        "eras",
        "kind",
        "icons",
        "town",
    }
    held |= {"shows", "ends", "marked", "names", "trade", "copies", "set_aside", "price", "bonus", "copies_of"}
    held |= {"level_of", "top_space"}
    model = load_rules(ruleset, players).model
    assert {m.id.partition(":")[2].partition("(")[0] for m in mutants(model) if m.kind == "figure"} == held
