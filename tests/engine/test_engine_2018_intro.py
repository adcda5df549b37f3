"""The introductory game of lancashire-2018: it ends after the canal era, with a scoring of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from engine_2018 import skip
from engine_playing import after, engine, names, table, tile

from brassspec.engine import Engine, edition_2018
from brassspec.engine.lancashire_2018 import EDITIONS
from brassspec.formats import InputError, Outcome, Position

SHEET: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "lancashire.json").read_text(encoding="utf-8"))
INTRO = "lancashire-2018-intro"


def ending(**state: Any) -> Position:
    """Yellow's last card, in an order of play that spending does not change."""
    last = {"order": ["red", "purple", "yellow"], "turn": 3, "actions": 1, "round": 9, "deck": []}
    return table(3, INTRO, **(last | {"hand": {"yellow": ["oldham"]}} | state))


def end(position: Position, readings: str = "") -> Outcome:
    return engine(3, readings, INTRO).step(position, skip())


def scored(outcome: Outcome) -> list[tuple[Any, ...]]:
    """What is told after the last turn and the new order of play."""
    before = ("card_played", "passed", "order_set")
    return [tuple(event.values()) for event in outcome.events if event["event"] not in before]


def test_figures() -> None:
    game = SHEET["editions"]["roxley_2018"]["introductory_game"]
    assert game["eras"] == [EDITIONS[INTRO][4].last_era] == ["canal"]
    assert game["extra_scoring"] == {
        "money_per_vp": edition_2018.INTRO_MONEY_PER_VP,
        "money_vp_cap": edition_2018.INTRO_MONEY_MOST_VP,
        "income_level_as_vp": True,
        "level_2_plus_tiles_scored_again": True,
    }


def test_all_else_is_as_in_the_whole_game() -> None:
    assert Engine.readings(INTRO) == Engine.readings("lancashire-2018")
    for players in (2, 3, 4):
        whole, intro = (engine(players, ruleset=ruleset).initial() for ruleset in ("lancashire-2018", INTRO))
        assert intro.state == whole.state
    with pytest.raises(InputError, match=r"^players:"):
        Engine(INTRO, 5)


def test_scoring() -> None:
    """By hand: yellow 2 + 9 + 10 + 1 + 9, red 3 + 15 - 2 + 2, purple 2 + 4 of which an income of -10 leaves nothing."""
    tiles = {
        "bolton.1": tile("red", "coal_mine", 1, flipped=True),
        "colne.1": tile("yellow", "cotton_mill", 3, flipped=True),
        "manchester.1": tile("red", "coal_mine", 2, flipped=True),
        "manchester.2": tile("yellow", "cotton_mill", 2),
    }
    links = {"bolton--manchester": "yellow", "northwich--the_midlands": "purple"}
    position = ending(
        tile=tiles,
        link=links,
        money={"yellow": 43, "red": 90, "purple": 3},
        income={"yellow": 11, "red": 8, "purple": 0},
        vp={"purple": 2},
        demand=5,
        distant=[0, 1, 2, 2, 2, 3, 3, 4],
        turned=[2, 3],
    )
    outcome = end(position)
    assert scored(outcome) == [
        ("tiles_scored", "red", 3),
        ("links_scored", "purple", 4),
        ("links_scored", "yellow", 2),
        ("tiles_scored", "yellow", 9),
        ("money_scored", "red", 15),
        ("income_scored", "red", -2),
        ("tiles_scored", "red", 2),
        ("income_scored", "purple", -6),
        ("money_scored", "yellow", 10),
        ("income_scored", "yellow", 1),
        ("tiles_scored", "yellow", 9),
        ("ranked", "yellow", 1),
        ("ranked", "red", 2),
        ("ranked", "purple", 3),
    ]
    state = after(outcome).state
    assert (state["phase"], state["era"], state["round"]) == ("over", "canal", 9)
    assert state["vp"] == {"yellow": 31, "red": 18}
    assert state["standing"] == {"yellow": 1, "red": 2, "purple": 3}
    # Neither income nor clean-up.
    assert state["money"] == position.state["money"]
    assert (state["tile"], state["link"]) == (tiles, links)
    assert (state["demand"], state["turned"]) == (5, [2, 3])


def test_a_debt_costs_no_points() -> None:
    """Reading shortfall_no_tiles=debt: money below £0 scores nothing, as at the end of the whole game."""
    position = ending(money={"yellow": -9, "red": 4}, income={"yellow": 10, "red": 10, "purple": 10})
    assert scored(end(position, "+shortfall_no_tiles=debt"))[0] == ("money_scored", "red", 1)


def test_no_rail_era() -> None:
    with pytest.raises(InputError, match=r"^state.era:"):
        engine(3, ruleset=INTRO).legal_moves(ending(era="rail"))
    rail = {"action": "rail", "player": "yellow", "card": "oldham", "link": "bolton--manchester", "coal": "market"}
    assert "link.rail_era" in names(engine(3, ruleset=INTRO).step(ending(), rail))
