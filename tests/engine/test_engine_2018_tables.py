"""The tables of lancashire-2018 are those of the data sheet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from engine_playing import engine

from brassspec.engine import Engine
from brassspec.engine.lancashire import tables
from brassspec.engine.lancashire_2018 import LANCASHIRE_2018
from brassspec.formats import InputError

SHEET: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "lancashire.json").read_text(encoding="utf-8"))
GAMES = LANCASHIRE_2018
EDITION = GAMES[4]


def test_board() -> None:
    slots = [space for place in SHEET["locations"] for space in place.get("slots", [])]
    assert EDITION.slots == {space["id"]: tuple(space["industries"]) for space in slots}
    icons = {place["id"]: place["printed_link_icons"] for place in SHEET["locations"] if place["printed_link_icons"]}
    assert EDITION.printed_icons == icons
    assert list(EDITION.external) == sorted(place["id"] for place in SHEET["locations"] if place["market_access"])
    lines = {"--".join(line["ends"]): (tuple(line["ends"]), line["canal"], line["rail"]) for line in SHEET["links"]}
    marked = EDITION.lines_of
    told = {name: (ends, name in marked["canal"], name in marked["rail"]) for name, ends in EDITION.lines.items()}
    assert told == lines
    assert EDITION.link_tiles == SHEET["link_costs"]["link_tiles_per_player"]


def test_tiles() -> None:
    eras = {("canal",): "canal", ("rail",): "rail", ("canal", "rail"): None}
    for row in SHEET["industry_tiles"]:
        kind = EDITION.tiles[row["industry"], row["level"]]
        assert kind.count == row["count"]
        if row["buildable"]:
            figures = (kind.price, kind.coal, kind.iron, kind.income, kind.vp, kind.cubes)
            assert figures == tuple(row[name] for name in ("cost", "coal", "iron", "income_steps", "vp", "cubes"))
            assert kind.era == eras[tuple(row["eras"])]
    assert len(EDITION.tiles) == len(SHEET["industry_tiles"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_marked_for_the_number_of_players(players: int) -> None:
    number, game = str(players), GAMES[players]
    cards = {card.get("location", card.get("industry")): card["roxley"][number] for card in SHEET["cards"]}
    assert game.cards == cards
    assert list(game.cards) == list(tables.SHEET["cards"])
    setup = SHEET["deck_setup"]["roxley_2018"][number]
    assert sum(cards.values()) == setup["deck"]
    assert game.set_aside == setup["set_aside"]
    assert game.money == SHEET["setup"]["starting_money"]["roxley_2018"][number]
    assert list(game.distant) == SHEET["distant_market_tiles"]["roxley_2018"][number]
    # So the pile never runs out with the marker above the bottom: distant_pile and distant_empty_pile are moot.
    assert sum(game.distant) >= game.demand_closed
    # Whole rounds: one card each for the first one, two cards each for every other.
    rounds = SHEET["rounds_per_era"]["roxley_2018"][number]
    assert setup["deck"] - setup["set_aside"]["canal"] == players * (1 + 2 * (rounds - 1))
    assert setup["deck"] - setup["set_aside"]["rail"] == players * 2 * rounds


def test_tracks() -> None:
    track = SHEET["resource_tracks"]["roxley_2018"]
    assert EDITION.coal_prices == EDITION.iron_prices
    assert [EDITION.coal_prices[cubes] for cubes in range(8, 0, -1)] == track["coal"] == track["iron"]
    assert EDITION.coal_prices[0] == track["price_when_empty"]
    assert EDITION.coal_start == EDITION.iron_start == len(EDITION.coal_prices) - 1 == 8
    spaces = SHEET["cotton_demand_track"]["spaces"]
    assert len(spaces) == EDITION.demand_closed + 1
    assert list(EDITION.income_of_space) == SHEET["progress_track"]["income_by_space"]
    assert set(EDITION.income_start) == {SHEET["progress_track"]["income_start_space"]}
    assert EDITION.lowest_income == SHEET["loans"]["min_income_after"]


def test_questions() -> None:
    offered = Engine.readings("lancashire-2018")
    of_2007 = Engine.readings()
    assert of_2007 == Engine.readings(edition="lancashire-2007-2p")
    assert of_2007.keys() - offered.keys() == {"industry_card_own_tile", "isolated_overbuild"}
    assert offered.keys() - of_2007.keys() == {"virtual_link", "card_setup", "mill_1_vp", "distant_empty_pile"}
    for question, readings in offered.items():
        for reading in readings:
            engine(3, f"+{question}={reading}", "lancashire-2018")
    other = {question: readings for question, readings in offered.items() if readings != of_2007.get(question)}
    assert {question: readings[0] for question, readings in other.items() if question in of_2007} == {
        "first_build": "bare",
        "distant_pile": "aside",
        "last_tie": "shared",
        "port_first": "single",
        "income_time": "end",
    }
    for ruleset in ("lancashire-2018+income_time=start", "lancashire-2018+isolated_overbuild=link"):
        with pytest.raises(InputError, match=r"^ruleset:"):
            Engine(ruleset, 3)
    with pytest.raises(InputError, match=r"^ruleset:"):
        Engine("lancashire-2007+mill_1_vp=five", 3)
    with pytest.raises(InputError, match=r"^ruleset:"):
        Engine.readings("lancashire-1066")
