"""Each reading of lancashire-2018 against its default, at a position that tells them apart."""

from __future__ import annotations

from typing import Any

import pytest
from engine_2018 import RULESET, at, build, change, rail, rules, second_rail, skip, verdict
from engine_playing import after, play, stack, tile, told
from test_engine_2018 import passing, round_ends
from test_engine_readings import TWO_RAILS, VERDICTS

from brassspec.engine import Engine
from brassspec.formats import Move, Position

# Questions with the same readings in both games, and the same verdicts where their positions are judged by 2018.
AS_IN_2007 = {
    "overbuild_exhausted",
    "overbuild_works_level",
    "nearest_coal",
    "loan_lock_era",
    "rail_coal_after",
    "rail_coal_end",
    "first_link",
    "liverpool_coal",
    "pass_action",
}


@pytest.mark.parametrize(
    ("readings", "position", "move", "default", "other"),
    [row for row in VERDICTS if row[0].split("=")[0] in AS_IN_2007],
)
def test_verdicts_as_in_2007(
    readings: str, position: Position, move: Move, default: list[str], other: list[str]
) -> None:
    here = Position(RULESET, position.players, position.state)
    assert verdict(here, move) == default
    assert verdict(here, move, "+" + readings) == other


PORTS = stack("yellow", port=2)
NOTHING: dict[str, Any] = {"era": "rail", "hand": {"yellow": ["port"]}, "stack": PORTS}
LONE_TILE = at(**NOTHING, built={}, tile={"bury.1": tile("yellow", "cotton_mill", 2)})
LONE_LINK = at(**NOTHING, link={"bolton--bury": "yellow"})
IN_FLEETWOOD = build("port", "fleetwood.1", "port")
IN_LIVERPOOL = build("port", "liverpool.1", "port")

AT_LIVERPOOL = at(
    era="rail",
    tile={"liverpool.1": tile("yellow", "port", 2), "ellesmere_port.1": tile("red", "port", 2)},
    link={"birkenhead--ellesmere_port": "red"},
    hand={"yellow": ["shipyard", "oldham"]},
    stack=stack("yellow", shipyard=2),
)
YARD_IN_BIRKENHEAD = build("shipyard", "birkenhead.1", "shipyard", "market", "market")
UNLINKED = change(AT_LIVERPOOL, link={})
RAIL_TO_BIRKENHEAD = rail("birkenhead--ellesmere_port")
# In the canal era an own tile at the other end of the virtual link is enough: it stands in the network.
CANAL_YARD = at(tile={"birkenhead.1": tile("yellow", "shipyard", 1, flipped=True)}, hand={"yellow": ["port"]})
ELSEWHERE = at(tile={"bury.1": tile("yellow", "cotton_mill", 2)}, hand={"yellow": ["port"]})
EMPTY_LANCASTER = at(hand={"yellow": ["lancaster"]})

HERE: list[tuple[str, Position, Move, list[str], list[str]]] = [
    ("first_build=first", at(**NOTHING), IN_FLEETWOOD, [], ["card.network"]),
    ("first_build=first", LONE_TILE, IN_FLEETWOOD, ["card.network"], []),
    ("first_build=no_tile", LONE_LINK, IN_FLEETWOOD, ["card.network"], []),
    ("first_build=no_tile", LONE_TILE, IN_FLEETWOOD, ["card.network"], ["card.network"]),
    ("virtual_link=classic", AT_LIVERPOOL, YARD_IN_BIRKENHEAD, ["card.network"], []),
    ("virtual_link=classic", CANAL_YARD, IN_LIVERPOOL, ["card.network"], []),
    ("virtual_link=classic", ELSEWHERE, IN_LIVERPOOL, ["card.network"], ["card.network"]),
    ("virtual_link=classic", UNLINKED, RAIL_TO_BIRKENHEAD, ["link.network"], ["link.network"]),
    (
        "virtual_link=classic+virtual_direction=into_birkenhead",
        CANAL_YARD,
        IN_LIVERPOOL,
        ["card.network"],
        ["card.network"],
    ),
    ("virtual_link=classic+virtual_anchor=no", ELSEWHERE, IN_LIVERPOOL, ["card.network"], []),
    ("virtual_link=classic+virtual_use=built", UNLINKED, RAIL_TO_BIRKENHEAD, ["link.network"], []),
    # Without the link its questions do not arise.
    ("virtual_anchor=no", ELSEWHERE, IN_LIVERPOOL, ["card.network"], ["card.network"]),
    ("virtual_use=built", UNLINKED, RAIL_TO_BIRKENHEAD, ["link.network"], ["link.network"]),
    (
        "port_first=named",
        EMPTY_LANCASTER,
        build("lancaster", "lancaster.2", "port"),
        ["space.single"],
        ["port.lancaster"],
    ),
]


@pytest.mark.parametrize(("readings", "position", "move", "default", "other"), HERE)
def test_verdicts(readings: str, position: Position, move: Move, default: list[str], other: list[str]) -> None:
    assert verdict(position, move) == default
    assert verdict(position, move, "+" + readings) == other


@pytest.mark.parametrize(
    ("players", "cards", "aside", "rounds"),
    [(2, 40, {"canal": 2, "rail": 0}, 10), (3, 66, {"canal": 9, "rail": 6}, 10), (4, 66, {"canal": 6, "rail": 2}, 8)],
)
def test_classic_card_setup(players: int, cards: int, aside: dict[str, int], rounds: int) -> None:
    positions = passing(players, "+card_setup=classic")
    assert len(positions[0].state["deck"]) == cards
    acting = [position.state for position in positions if position.state["phase"] == "actions"]
    for era in ("canal", "rail"):
        assert {len(state["aside"]) for state in acting if state["era"] == era} == {aside[era]}
        assert max(state["round"] for state in acting if state["era"] == era) == rounds


def test_points_of_the_first_mill() -> None:
    position = round_ends(
        hand={"yellow": ["oldham"]},
        tile={
            "colne.1": tile("yellow", "cotton_mill", 1, flipped=True),
            "burnley.1": tile("red", "cotton_mill", 2, flipped=True),
        },
    )
    for readings, points in (("", 3), ("+mill_1_vp=five", 5)):
        outcome = rules(3, readings).step(position, skip())
        assert told(outcome, "tiles_scored") == [("tiles_scored", "red", 5), ("tiles_scored", "yellow", points)]


@pytest.mark.parametrize(
    ("reading", "events"),
    [
        ("vp", [("income_paid", "yellow", 1), ("vp_lost", "yellow", 4)]),
        ("forgiven", [("income_paid", "yellow", 1)]),
        ("debt", [("income_paid", "yellow", 5)]),
    ],
)
def test_shortfall_without_tiles(reading: str, events: list[Any]) -> None:
    position = round_ends(money={"yellow": 1}, vp={"yellow": 7})
    outcome = rules(3, f"+shortfall_no_tiles={reading}").step(position, skip())
    assert told(outcome, "income_paid", "vp_lost") == events
    assert after(outcome).state["money"].get("yellow", 0) == (-4 if reading == "debt" else 0)


@pytest.mark.parametrize(("reading", "received", "left"), [("kept", 6, 2), ("lost", 4, None)])
def test_change_of_a_tile_given_up(reading: str, received: int, left: int | None) -> None:
    lost = rules(3, f"+shortfall_change={reading}")
    position = round_ends(money={"yellow": 1}, tile={"oldham.1": tile("yellow", "cotton_mill", 1)})
    outcome = lost.step(
        after(lost.step(position, skip())), {"action": "give_up", "player": "yellow", "slot": "oldham.1"}
    )
    assert told(outcome, "received", "income_paid") == [("received", "yellow", received), ("income_paid", "yellow", 5)]
    assert after(outcome).state["money"].get("yellow") == left


def test_income_tie_break() -> None:
    position = round_ends(era="rail", money={}, hand={"yellow": ["oldham"]}, income={"yellow": 11, "red": 12})
    for readings, standing in (
        ("", {"yellow": 1, "red": 1, "purple": 3}),
        ("+tie_income=spaces", {"yellow": 2, "red": 1, "purple": 3}),
        ("+last_tie=order", {"yellow": 2, "red": 1, "purple": 3}),
    ):
        assert after(rules(3, readings).step(position, skip())).state["standing"] == standing


def test_distant_bonus() -> None:
    position = at(
        pending="distant",
        selling="colne.1",
        tile={"colne.1": tile("yellow", "cotton_mill", 1)},
        link={"colne--yorkshire": "red"},
        hand={"yellow": ["oldham"]},
    )
    for readings, events in (
        ("", [("income_moved", "yellow", 17)]),
        ("+distant_bonus=pounds", [("income_moved", "yellow", 15), ("received", "yellow", 2)]),
    ):
        outcome = rules(3, readings).apply_chance(position, {"chance": "turn_tile", "value": 2})
        assert told(outcome, "income_moved", "received") == events


def test_income_start() -> None:
    assert rules().initial().state["income"] == {"yellow": 10, "red": 10, "purple": 10}
    assert rules(3, "+income_start=space_0").initial().state["income"] == {}


def test_two_rails_apart() -> None:
    position = change(Position(RULESET, 3, TWO_RAILS.state), hand={"yellow": ["oldham", "oldham"]})
    for readings, violated in (("", []), ("+two_rails_apart=apart", ["rail.apart"])):
        first = after(rules(3, readings).step(position, rail("manchester--warrington_and_runcorn")))
        assert verdict(first, second_rail("manchester--oldham"), readings) == violated
        assert verdict(first, second_rail("colne--yorkshire"), readings) == []


@pytest.mark.parametrize(("players", "number"), [(2, 1), (3, 2), (4, 1)])
def test_games_under_other_readings(players: int, number: int) -> None:
    """Every question read otherwise at once, each alternative in one game at least."""
    offered = Engine.readings(RULESET)
    chosen = [f"+{question}={readings[min(number, len(readings) - 1)]}" for question, readings in offered.items()]
    end = None
    for _, _, _, end in play(players, number, "".join(chosen), RULESET):
        assert end.legal
    assert end is not None
    assert after(end).state["phase"] == "over"
