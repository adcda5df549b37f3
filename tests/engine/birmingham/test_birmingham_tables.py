"""The engine's tables against the data sheet, and what adds up."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from brassspec.engine import Engine
from brassspec.engine.birmingham import tables
from brassspec.engine.birmingham.tables import FULL, OFFERED
from brassspec.engine.birmingham.tables import SHEET as PRINTED

SHEET: dict[str, Any] = json.loads((Path(__file__).parents[2] / "data" / "birmingham.json").read_text("utf-8"))


def test_tiles() -> None:
    levels = {
        (industry, level["level"]): level for industry, kind in SHEET["industries"].items() for level in kind["levels"]
    }
    assert FULL.tiles.keys() == levels.keys()
    eras = {None: None, "canal_only": "canal", "rail_only": "rail"}
    for (industry, number), kind in FULL.tiles.items():
        level = levels[industry, number]
        assert kind.count == level["count"]
        assert (kind.price, kind.coal, kind.iron) == (level["cost_money"], level["cost_coal"], level["cost_iron"])
        assert (kind.beer, kind.vp) == (level["beer_to_sell"], level["victory_points"])
        assert (kind.income, kind.icons) == (level["income_spaces"], level["link_icons"])
        assert kind.era == eras[level["era_restriction"]]
        assert kind.lightbulb == level["lightbulb"] == (not level["developable"])
        assert (number == 1) == level["removed_from_board_at_end_of_canal_era"]
        if industry == "brewery":
            brewed = [barrels for barrels in level["beer_produced"].values() if barrels]
            assert kind.cubes == max(brewed)
            for era, barrels in level["beer_produced"].items():
                assert barrels in (None, tables.BARRELS[era])
        else:
            assert kind.cubes == level["coal_produced"] + level["iron_produced"]
    counts: Counter[str] = Counter()
    for (industry, _), kind in FULL.tiles.items():
        counts[industry] += kind.count
    assert counts == {industry: kind["tiles_per_player"] for industry, kind in SHEET["industries"].items()}
    assert counts.total() == 45
    assert set(FULL.industries) == counts.keys()


def test_places() -> None:
    locations = SHEET["locations"]
    places = locations["towns"] + locations["farm_breweries"]
    slots = {slot["id"]: set(slot["industries"]) for place in places for slot in place["slots"]}
    assert {slot: set(shown) for slot, shown in FULL.slots.items()} == slots
    assert len(FULL.slots) == locations["totals"]["industry_slots"]
    assert list(FULL.slots) == sorted(FULL.slots)
    assert set(tables.FARMS) == {farm["id"] for farm in locations["farm_breweries"]}
    merchants = {
        place["id"]: (place["tile_spaces"], place["tile_spaces_min_player_count"]) for place in locations["merchants"]
    }
    assert merchants == tables.MERCHANTS
    assert list(tables.MERCHANT_SPACES) == sorted(tables.MERCHANT_SPACES)
    bonuses = {
        "victory_points": tables.BONUS["vp"],
        "money": tables.BONUS["money"],
        "income_spaces": tables.BONUS["income"],
        "develop": dict.fromkeys(tables.BONUS["develop"]),
    }
    for place in locations["merchants"]:
        assert place["link_icons"] == tables.MERCHANT_ICONS
        bonus = place["beer_bonus"]
        assert bonuses[bonus["type"]][place["id"]] == bonus.get("amount")
    assert sum(len(places) for places in bonuses.values()) == len(tables.MERCHANTS)


def test_lines() -> None:
    lines = {"--".join(sorted(line["locations"])): (line["canal"], line["rail"]) for line in SHEET["links"]["lines"]}
    marked = FULL.lines_of
    assert {line: (line in marked["canal"], line in marked["rail"]) for line in FULL.lines} == lines
    assert len(FULL.lines) == 39
    assert Counter(lines.values()) == {(True, True): 30, (False, True): 8, (True, False): 1}
    assert list(FULL.lines) == sorted(FULL.lines)
    assert {end for ends in FULL.lines.values() for end in ends} == {*PRINTED["places"], *tables.MERCHANTS}
    assert [ends for ends in FULL.lines.values() if len(ends) > 2] == [
        ("farm_brewery_south", "kidderminster", "worcester")
    ]
    assert [line for line in FULL.lines if "north" in line] == ["cannock--farm_brewery_north"]


def test_cards() -> None:
    sheet = SHEET["cards"]
    copies = {card["location"]: card["copies_by_player_count"] for card in sheet["location_cards"]}
    copies |= {card["id"].removeprefix("industry_"): card["copies_by_player_count"] for card in sheet["industry_cards"]}
    assert {card: {"2": two, "3": three, "4": four} for card, (two, three, four) in PRINTED["cards"].items()} == copies
    shown = {card["id"].removeprefix("industry_"): tuple(card["industries"]) for card in sheet["industry_cards"]}
    assert shown | {"wild_industry": FULL.industries} == tables.SHOWS
    assert {card["id"]: card["copies"] for card in sheet["wild_cards"]} == FULL.wilds
    towns = list(PRINTED["cards"])[:20]
    assert towns == sorted(towns)
    assert {*towns, *tables.FARMS} == PRINTED["places"].keys()
    for players, rounds in PRINTED["rounds"].items():
        deck = sum(copies[players - 2] for copies in PRINTED["cards"].values())
        assert deck == sheet["totals"]["draw_deck"][str(players)] == players * 2 * rounds
        assert rounds == SHEET["turn_structure"]["rounds_per_era"][str(players)]


def test_merchant_tiles() -> None:
    accepted = {name: set(bought) for name, bought in tables.BUYS.items()}
    for players in PRINTED["rounds"]:
        in_play = [tile for least, tiles in PRINTED["merchant_tiles"].items() if least <= players for tile in tiles]
        sheet = [
            set(tile["accepts"]) for tile in SHEET["merchant_tiles"]["tiles"] if tile["min_player_count"] <= players
        ]
        assert sorted(map(sorted, sheet)) == sorted(sorted(accepted[tile]) for tile in in_play)
        spaces = [space for space, least in tables.MERCHANT_SPACES.items() if least <= players]
        assert len(in_play) == len(spaces) == SHEET["merchant_tiles"]["tiles_in_play"][str(players)]
        other = [tile for least, tiles in PRINTED["other_merchant_tiles"].items() if least <= players for tile in tiles]
        assert len(other) == len(spaces)


def test_markets() -> None:
    for name, prices, start in (
        ("coal", FULL.coal_prices, FULL.coal_start),
        ("iron", FULL.iron_prices, FULL.iron_start),
    ):
        sheet = SHEET["markets"][name]
        assert list(reversed(prices)) == [*sheet["space_prices_ascending"], sheet["price_when_empty"]]
        assert start == sheet["initial_cubes"]


def test_numbers() -> None:
    assert list(FULL.income_of_space) == SHEET["income_track"]["level_by_space"]
    setup = SHEET["setup"]["player"]
    assert FULL.income_of_space[setup["income_space"]] == 0
    assert FULL.money == setup["money"]
    assert set(FULL.income_start) == {setup["income_space"]}
    assert set(FULL.hand_size.values()) == {setup["hand_size"]}
    assert FULL.link_tiles == setup["link_tiles"]
    actions = SHEET["actions"]
    prices = FULL.link_prices
    assert prices["canal"] == actions["network"]["canal"]["money"]
    assert prices["rail"] == actions["network"]["rail_single"]["money"]
    assert prices["rail"] + prices["second_rail"] == actions["network"]["rail_double"]["money"]
    loan = actions["loan"]
    assert FULL.loans == {-loan["income_levels"]: loan["money"]}
    assert FULL.lowest_income == loan["min_resulting_level"] == FULL.income_of_space[0]


def test_names_are_unique_and_readings_offered() -> None:
    assert len(set(PRINTED["requirements"])) == len(PRINTED["requirements"])
    assert all(len(set(readings)) == len(readings) > 1 for readings in OFFERED.values())
    assert all(Engine.readings(edition) == OFFERED for edition in tables.EDITIONS)
    for question, readings in OFFERED.items():
        for reading in readings:
            for edition in tables.EDITIONS:
                assert Engine(f"{edition}+{question}={reading}", 2).initial().state["phase"] == "start"
    assert Engine.readings().keys() != OFFERED.keys()
