"""What is not well formed is refused by name."""

from __future__ import annotations

from typing import Any

import pytest
from engine_playing import engine, names, stack, table, tile

from brassspec.engine import Engine
from brassspec.engine.lancashire.tables import FULL
from brassspec.formats import InputError, Position

PASS = {"action": "pass", "player": "yellow", "card": "bury"}
GOOD = table(hand={"yellow": ["bury", "bury"]})


@pytest.mark.parametrize(
    ("move", "place"),
    [
        ({}, "move.action"),
        ({"action": "fly", "player": "yellow"}, "move.action"),
        ({"action": "pass", "player": "yellow"}, "move.card"),
        (PASS | {"slot": "bury.1"}, "move.slot"),
        (PASS | {"player": "green"}, "move.player"),
        (PASS | {"card": "leeds"}, "move.card"),
        (PASS | {"card": 3}, "move.card"),
        ({"action": "give_up", "player": "yellow", "slot": "bury.3"}, "move.slot"),
        ({"action": "canal", "player": "yellow", "card": "bury", "link": "bury--bolton"}, "move.link"),
        ({"action": "rail", "player": "yellow", "card": "bury", "link": "bolton--bury", "coal": []}, "move.coal"),
        ({"action": "sell", "player": "yellow", "card": "bury", "mill": "bury.1", "through": "market"}, "move.through"),
        ({"action": "loan", "player": "yellow", "card": "bury", "amount": 30}, "move.amount"),
        ({"action": "loan", "player": "yellow", "card": "bury", "amount": True}, "move.amount"),
        (
            {
                "action": "build",
                "player": "yellow",
                "card": "bury",
                "slot": "bury.1",
                "industry": "cotton_mill",
                "coal": ["market", "leeds.1"],
                "iron": [],
            },
            "move.coal.1",
        ),
        (
            {
                "action": "combine",
                "player": "yellow",
                "card": "coal_mine",
                "other": "bury",
                "slot": "bury.1",
                "industry": "cotton_mill",
                "coal": [],
                "iron": [],
            },
            "move.other",
        ),
    ],
)
def test_moves(move: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=rf"^{place}:"):
        engine().step(GOOD, move)


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ({"weather": "wet"}, "state.weather"),
        ({"era": "steam"}, "state.era"),
        ({"round": 11}, "state.round"),
        ({"round": True}, "state.round"),
        ({"phase": "merchants"}, "state.phase"),
        ({"order": ["yellow", "red"]}, "state.order"),
        ({"turn": 4}, "state.turn"),
        ({"actions": 0}, "state.actions"),
        ({"pending": "distant"}, "state.selling"),
        ({"phase": "deal", "actions": 0, "pending": "rail"}, "state.pending"),
        ({"tile": {"leeds.1": {}}}, "state.tile"),
        ({"tile": {"bury.1": {"owner": "yellow"}}}, "state.tile.bury.1"),
        ({"link": {"bury--leeds": "yellow"}}, "state.link"),
        ({"coal": 9}, "state.coal"),
        ({"distant": [5]}, "state.distant.0"),
        ({"money": {"green": 3}}, "state.money"),
        ({"money": {"red": -3}}, "state.money.red"),
        ({"income": {"red": 100}}, "state.income.red"),
        ({"hand": {"red": "bury"}}, "state.hand.red"),
        ({"deck": ["leeds"]}, "state.deck.0"),
        ({"stack": {"red": {"port": {"5": 1}}}}, "state.stack.red.port"),
        ({"stack": {"red": {"port": {"1": 3}}}}, "state.stack.red.port.1"),
        ({"built": {"red": 1}}, "state.built.red"),
    ],
)
def test_positions(state: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=rf"^{place}:"):
        engine().legal_moves(Position(GOOD.ruleset, 3, GOOD.state | state))


def test_other_games() -> None:
    for ruleset, players in (("birmingham-2018", 5), ("lancashire-2007", 2), ("lancashire-2007-2p", 3)):
        with pytest.raises(InputError):
            Engine(ruleset, players)
    for part in ("+weather=wet", "+last_tie=nobody", "+last_tie"):
        with pytest.raises(InputError, match=r"^ruleset:"):
            Engine("lancashire-2007" + part, 3)
    with pytest.raises(InputError, match=r"^ruleset:"):
        engine(2).legal_moves(GOOD)
    with pytest.raises(InputError, match=r"^players:"):
        engine(4).legal_moves(GOOD)
    with pytest.raises(InputError, match=r"^move.slot:"):
        engine(2).step(table(2), {"action": "give_up", "player": "yellow", "slot": "oldham.1"})


def test_chance_not_due() -> None:
    with pytest.raises(InputError, match=r"^chance:"):
        engine().apply_chance(GOOD, {"chance": "first", "player": "red"})
    with pytest.raises(InputError, match=r"^chance:"):
        engine().apply_chance(engine().initial(), {"chance": "first", "player": "green"})


def test_variables_left_out_are_as_at_set_up() -> None:
    assert engine().legal_moves(Position("lancashire-2007", 3, {})) == []
    assert len(engine().chance(Position("lancashire-2007", 3, {}))) == 3


def test_out_of_turn() -> None:
    assert names(engine().step(GOOD, PASS | {"player": "red"})) == ["turn.order", "card.held"]
    assert names(engine().step(engine().initial(), PASS)) == ["turn.order", "card.held"]


def test_every_violation_is_named_in_order() -> None:
    move = {
        "action": "build",
        "player": "red",
        "card": "cotton_mill",
        "slot": "wigan.1",
        "industry": "port",
        "coal": ["bury.1"],
        "iron": ["market"],
    }
    position = Position(GOOD.ruleset, 3, GOOD.state | {"money": {}, "stack": {}})
    outcome = engine().step(position, move)
    assert names(outcome) == [
        "turn.order",
        "card.held",
        "card.industry",
        "card.network",
        "build.stack",
        "build.symbol",
        "coal.mine",
        "coal.connected",
    ]
    assert outcome.unevaluated == (
        "build.level_zero",
        "build.canal_tile",
        "build.rail_tile",
        "build.coal",
        "build.iron",
        "coal.nearest",
        "money.enough",
    )
    assert outcome.position is None
    assert all(violation.facts for violation in outcome.violated)


RAIL_TABLE = {
    "era": "rail",
    "tile": {"bury.1": tile("red", "iron_works", 1, cubes=1), "colne.1": tile("yellow", "cotton_mill", 2)},
    "stack": {},
}


@pytest.mark.parametrize(
    ("state", "move", "violated"),
    [
        (
            {"stack": stack("yellow", cotton_mill=3)},
            {
                "action": "build",
                "card": "bury",
                "slot": "bury.1",
                "industry": "cotton_mill",
                "coal": [],
                "iron": [],
            },
            ["build.coal", "build.iron"],
        ),
        (
            {"stack": stack("yellow", cotton_mill=1), "era": "rail"},
            {
                "action": "build",
                "card": "bury",
                "slot": "bury.1",
                "industry": "cotton_mill",
                "coal": [],
                "iron": ["bury.2"],
            },
            ["build.canal_tile", "build.iron", "iron.works"],
        ),
        (
            RAIL_TABLE,
            {"action": "develop_second", "industry": "port", "iron": "bury.1"},
            ["develop.stack", "develop.second"],
        ),
        (
            {"link": {"ellesmere_port--liverpool": "yellow"}},
            {"action": "rail", "card": "bury", "link": "ellesmere_port--liverpool", "coal": "market"},
            ["coal.port", "link.rail_era", "link.rail_line", "link.free"],
        ),
        (
            {"era": "rail", "link": dict.fromkeys(list(FULL.lines)[:14], "yellow")},
            {"action": "rail", "card": "bury", "link": "rochdale--yorkshire", "coal": "market"},
            ["link.supply"],
        ),
    ],
)
def test_other_requirements(state: dict[str, Any], move: dict[str, Any], violated: list[str]) -> None:
    outcome = engine().step(Position(GOOD.ruleset, 3, GOOD.state | state), move | {"player": "yellow"})
    assert names(outcome) == violated
