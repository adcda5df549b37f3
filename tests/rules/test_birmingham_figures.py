"""The figures of Birmingham's spec are those of the data sheet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brassspec.rules.cache import load_rules
from brassspec.rules.concrete import Rules

SHEET = json.loads((Path(__file__).parent.parent / "data" / "birmingham.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=[2, 3, 4])
def rules(request: pytest.FixtureRequest) -> Rules:
    return load_rules("birmingham-2018", request.param)


def table(rules: Rules, column: str, *key: str | int) -> Any:
    """The value of a table's column in plain words; keys are ids or numbers."""
    t = rules.model.tables[column]
    index = tuple(
        k if isinstance(k, int) else rules.model.sorts[s.name].members.index(k)  # type: ignore[union-attr]
        for k, s in zip(key, t.keys, strict=True)
    )
    return t.rows[index]


def names(rules: Rules, sort: str, indices: Any) -> set[str]:
    return {rules.model.sorts[sort].members[i] for i in indices}


def test_industry_tiles(rules: Rules) -> None:
    seen = 0
    for industry, sheet in SHEET["industries"].items():
        for tile in sheet["levels"]:
            key = (industry, tile["level"])
            found = [
                table(rules, column, *key)
                for column in (
                    "number_of", "cost", "coal_needed", "iron_needed", "beer_needed", "steps", "points", "tile_icons", "lightbulb",
                )
            ]  # fmt: skip
            assert found == [
                tile["count"], tile["cost_money"], tile["cost_coal"], tile["cost_iron"], tile["beer_to_sell"] or 0,
                tile["income_spaces"], tile["victory_points"], tile["link_icons"], tile["lightbulb"],
            ]  # fmt: skip
            assert table(rules, "cubes", *key) == tile["coal_produced"] + tile["iron_produced"]
            assert names(rules, "Era", table(rules, "eras", *key)) == {
                e for e, may in tile["buildable_in"].items() if may
            }
            if industry == "brewery":
                made = {e: n for e, n in tile["beer_produced"].items() if n is not None}
                assert made == {e: table(rules, "barrels_made", e) for e in made}
            seen += tile["count"]
    assert seen == 45


def test_board(rules: Rules) -> None:
    places = [p for kind in ("towns", "farm_breweries", "merchants") for p in SHEET["locations"][kind]]
    assert {p["id"]: p["link_icons"] for p in places} == {
        q: table(rules, "icons", q) for q in rules.model.sorts["Place"].members
    }
    slots = {s["id"]: set(s["industries"]) for p in places for s in p.get("slots", [])}
    assert slots == {s: names(rules, "Industry", table(rules, "shows", s)) for s in rules.model.sorts["Slot"].members}
    lines = {frozenset(x["locations"]): {e for e in ("canal", "rail") if x[e]} for x in SHEET["links"]["lines"]}
    assert lines == {
        frozenset(names(rules, "Place", table(rules, "ends", x))): names(rules, "Era", table(rules, "marked", x))
        for x in rules.model.sorts["Link"].members
    }


def test_cards(rules: Rules) -> None:
    n = str(rules.model.players)
    sheet = {c["location"]: c["copies_by_player_count"][n] for c in SHEET["cards"]["location_cards"]}
    sheet |= {
        c["id"].removeprefix("industry_"): c["copies_by_player_count"][n] for c in SHEET["cards"]["industry_cards"]
    }
    deck = {c: table(rules, "copies", c, int(n)) for c in rules.model.sorts["Card"].members}
    assert {c: k for c, k in deck.items() if not c.startswith("wild_")} == sheet
    assert sum(deck.values()) == SHEET["cards"]["totals"]["draw_deck"][n]


def test_merchants(rules: Rules) -> None:
    n = rules.model.players
    tiles = {t: table(rules, "tiles_in_play", t, n) for t in rules.model.sorts["MerchantTile"].members}
    sheet = dict.fromkeys(tiles, 0)
    for tile in SHEET["merchant_tiles"]["tiles"]:
        sheet[tile["id"].split("_")[1]] += tile["min_player_count"] <= n
    assert tiles == sheet
    spaces = {m: table(rules, "least", m) for m in rules.model.sorts["MerchantSpace"].members}
    for merchant in SHEET["locations"]["merchants"]:
        own = [least for m, least in spaces.items() if m.startswith(merchant["id"] + ".")]
        assert own == [merchant["tile_spaces_min_player_count"]] * merchant["tile_spaces"]
        bonus = merchant["beer_bonus"]
        column = {
            "victory_points": "bonus_points", "money": "bonus_pounds", "income_spaces": "bonus_spaces", "develop": "bonus_develops",
        }[bonus["type"]]  # fmt: skip
        assert table(rules, column, merchant["id"]) == bonus.get("amount", bonus.get("tiles"))


def test_markets_and_income(rules: Rules) -> None:
    for cube in ("coal", "iron"):
        sheet = SHEET["markets"][cube]
        prices = [sheet["price_when_empty"], *reversed(sheet["space_prices_ascending"])]
        assert prices == [table(rules, f"{cube}_price", k) for k in range(sheet["spaces"] + 1)]
    levels = SHEET["income_track"]["level_by_space"]
    assert levels == [table(rules, "level_of", k) for k in range(100)]
    assert all(table(rules, "top_space", b["level"]) == b["last_space"] for b in SHEET["income_track"]["bands"])
