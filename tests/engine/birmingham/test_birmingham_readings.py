"""Each reading against its default, at a position that tells them apart."""

from __future__ import annotations

from typing import Any

import pytest
from birmingham_playing import (
    DONE,
    PASS,
    after,
    build,
    canal,
    engine,
    gone,
    rail,
    second_rail,
    sell,
    simple,
    state_after,
    table,
)
from engine_playing import names, tile, told

from brassspec.engine import Engine
from brassspec.engine.birmingham.tables import FULL, OFFERED
from brassspec.formats import Move, Position

# Readings without a difference to the default in any legal move: no tile costs what its own industry makes.
MOOT = {"overbuilt_resources"}

THREE_WAY = "farm_brewery_south--kidderminster--worcester"
HAND = {"yellow": ["dudley", "dudley", "pottery", "brewery"]}
GIVE = simple("give_up", slot="coventry.1")


def last(**state: Any) -> Position:
    """Before the last action of the game."""
    fields = {"era": "rail", "round": 8, "turn": 4, "actions": 1, "deck": [], "hand": {"green": ["dudley"]}}
    return table(**(fields | state))


def short(money: int, *tiles: tuple[str, str, int], **state: Any) -> Position:
    """Yellow owes £5 and has some tiles."""
    board = {slot: tile("yellow", industry, level) for slot, industry, level in tiles}
    fields = {"phase": "income", "actions": 0, "owed": 5, "income": {"yellow": 5, "red": 10, "purple": 10, "green": 10}}
    return table(**(fields | {"money": {"yellow": money}, "tile": board, "hand": {"red": ["dudley"]}} | state))


END = PASS | {"player": "green"}
FARM_BREWERY = build("brewery", "farm_brewery_north.1", "brewery", iron=["market"])
GOODS_4 = build("birmingham", "birmingham.2", "manufacturer", iron=["market"])
MINE = build("cannock", "cannock.1", "coal_mine")
OWN_MINE: dict[str, Any] = {
    "tile": {"cannock.1": tile("yellow", "coal_mine", 1, 2)},
    "hand": {"yellow": ["cannock"]},
}
WORCESTER: dict[str, Any] = {
    "tile": {"worcester.1": tile("yellow", "cotton_mill", 1)},
    "link": {"gloucester--worcester": "red"},
    "hand": HAND,
}


@pytest.mark.parametrize(
    ("reading", "position", "move", "by_default", "by_reading"),
    [
        (
            "own_overbuild_free_space=only_if_full",
            table(**OWN_MINE),
            MINE,
            [],
            ["overbuild.full"],
        ),
        ("overbuild_single_first=yes", table(**OWN_MINE), MINE, [], ["space.single"]),
        (
            "rail_coal_end=chosen_end",
            table(
                era="rail",
                tile={"dudley.1": tile("red", "coal_mine", 2, 3), "redditch.1": tile("red", "coal_mine", 2, 3)},
                link={"birmingham--dudley": "red", "oxford--redditch": "red", "gloucester--redditch": "yellow"},
                hand=HAND,
            ),
            rail("birmingham--redditch", "dudley.1"),
            ["coal.nearest"],
            [],
        ),
        (
            "same_place=links_only",
            table(tile={"coalbrookdale.3": tile("red", "coal_mine", 1, 2)}, hand={"yellow": ["coalbrookdale"]}),
            build("coalbrookdale", "coalbrookdale.2", "iron_works", ["coalbrookdale.3"]),
            [],
            ["coal.connected"],
        ),
        (
            "wild_removed_town=no",
            table(2, hand={"yellow": ["wild_location"]}),
            build("wild_location", "leek.1", "cotton_mill"),
            [],
            ["card.removed_town"],
        ),
        (
            "no_tiles_exception=no",
            table(hand={"yellow": ["coal_mine"]}),
            build("coal_mine", "cannock.2", "coal_mine"),
            [],
            ["card.network"],
        ),
        ("no_tiles_exception=no", table(hand=HAND), canal("birmingham--oxford"), [], ["link.network"]),
        (
            "exception_returns=first_only",
            table(hand={"yellow": ["coal_mine"]}),
            build("coal_mine", "cannock.2", "coal_mine"),
            [],
            ["card.network"],
        ),
        ("exception_returns=first_only", table(hand=HAND), canal("birmingham--oxford"), [], ["link.network"]),
        ("exception_returns=first_only", table(hand=HAND, placed={}), canal("birmingham--oxford"), [], []),
        ("farm_first=no", table(hand={"yellow": ["brewery"]}), FARM_BREWERY, [], ["card.network"]),
        (
            "farm_first=no",
            table(hand={"yellow": ["brewery"]}, link={"cannock--farm_brewery_north": "yellow"}),
            FARM_BREWERY,
            [],
            [],
        ),
        (
            "one_merchant_barrel=any",
            table(**WORCESTER, barrel={"gloucester.1": 1}),
            sell("worcester.1", "gloucester.2", barrels=["gloucester.1"]),
            ["beer.merchant"],
            [],
        ),
        ("pass_action=never", table(hand=HAND), PASS, [], ["pass.never"]),
        ("pass_action=forced", table(hand=HAND), PASS, [], ["pass.forced"]),
        ("pass_action=forced", table(hand=HAND, money={}, income={}), PASS, [], ["pass.forced"]),
        (
            "pass_action=forced",
            table(hand={"yellow": ["dudley"]}, money={}, income={}),
            PASS,
            [],
            [],
        ),
    ],
)
def test_verdicts(reading: str, position: Position, move: Move, by_default: list[str], by_reading: list[str]) -> None:
    assert names(after(position, move)) == by_default
    assert names(after(position, move, readings="+" + reading)) == by_reading
    for readings, verdict in (("", by_default), ("+" + reading, by_reading)):
        assert (move in engine(position.players, readings).legal_moves(position)) == (not verdict)


@pytest.mark.parametrize(
    ("reading", "position", "move", "kinds", "by_default", "by_reading"),
    [
        (
            "manufacturer_4_cost=fourteen",
            table(gone=gone("yellow", manufacturer=3), hand={"yellow": ["birmingham"]}),
            GOODS_4,
            ["paid"],
            [("paid", "yellow", 10)],
            [("paid", "yellow", 16)],
        ),
        (
            "merchant_icons=none",
            last(link={"birmingham--oxford": "yellow"}),
            END,
            ["links_scored"],
            [("links_scored", "yellow", 2)],
            [],
        ),
        (
            "unflipped_icons=printed",
            last(link={"birmingham--walsall": "yellow"}, tile={"walsall.2": tile("red", "brewery", 2, 2)}),
            END,
            ["links_scored"],
            [],
            [("links_scored", "yellow", 2)],
        ),
        (
            "mine_sale_connection=not_required",
            table(hand={"yellow": ["cannock"]}),
            build("cannock", "cannock.2", "coal_mine"),
            ["cubes_sold", "received"],
            [],
            [("cubes_sold", "cannock.2", 1), ("received", "yellow", 1)],
        ),
        (
            "shortfall_count=one",
            short(1, ("coventry.1", "pottery", 2), ("cannock.2", "coal_mine", 1), vp={"yellow": 9}),
            simple("give_up", slot="coventry.1"),
            ["income_paid", "vp_lost"],
            [],
            [("income_paid", "yellow", 1), ("vp_lost", "yellow", 4)],
        ),
        (
            "vp_floor=none",
            short(0, ("cannock.2", "coal_mine", 1), vp={"yellow": 1}),
            simple("give_up", slot="cannock.2"),
            ["vp_lost"],
            [("vp_lost", "yellow", 1)],
            [("vp_lost", "yellow", 3)],
        ),
        (
            "tie_income=levels",
            last(income={"yellow": 11, "red": 12}, money={"yellow": 5, "red": 4}),
            END,
            ["ranked"],
            [("ranked", "red", 1), ("ranked", "yellow", 2), ("ranked", "purple", 3), ("ranked", "green", 3)],
            [("ranked", "yellow", 1), ("ranked", "red", 2), ("ranked", "purple", 3), ("ranked", "green", 3)],
        ),
    ],
)
def test_events(
    reading: str,
    position: Position,
    move: Move,
    kinds: list[str],
    by_default: list[tuple[Any, ...]],
    by_reading: list[tuple[Any, ...]],
) -> None:
    assert told(after(position, move), *kinds) == by_default
    assert told(after(position, move, readings="+" + reading), *kinds) == by_reading


def test_link_limit() -> None:
    links = [link for link in FULL.lines_of["canal"] if "derby" not in link]
    position = table(link=dict.fromkeys(links[:14], "yellow"), hand=HAND)
    assert names(after(position, canal("burton_on_trent--derby"))) == ["link.supply"]
    fifteen = after(position, canal("burton_on_trent--derby"), readings="+link_limit=unlimited")
    assert fifteen.position is not None
    assert engine(4, "+link_limit=unlimited").legal_moves(fifteen.position)


def test_merchant_mix() -> None:
    for players, retail, other in (
        (2, [1, 1, 1, 0, 2], [1, 1, 1, 0, 2]),
        (3, [1, 1, 1, 1, 3], [1, 1, 2, 1, 2]),
        (4, [1, 2, 2, 1, 3], [2, 2, 2, 1, 2]),
    ):
        for readings, numbers in (("", retail), ("+merchant_mix=other", other)):
            rules = engine(players, readings)
            position: Position | None = rules.initial()
            for player in ("red", "yellow", "purple")[: players - 1]:
                assert position is not None
                position = rules.apply_chance(position, {"chance": "seat", "player": player}).position
            assert position is not None
            weights = {chance["tile"]: weight for chance, weight in rules.chance(position)}
            tiles = ("all", "cotton", "manufacturer", "pottery", "blank")
            assert [weights.get(tile, 0) for tile in tiles] == numbers


def test_rail_coal_end_of_three() -> None:
    """The line of three places: a mine is one of the nearest for the farm only."""
    position = table(
        era="rail",
        tile={"kidderminster.1": tile("red", "coal_mine", 2, 3), "birmingham.1": tile("yellow", "cotton_mill", 2)},
        link={"birmingham--worcester": "yellow"},
        hand=HAND,
    )
    assert after(position, rail(THREE_WAY, "kidderminster.1")).legal
    assert after(position, rail(THREE_WAY, "kidderminster.1"), readings="+rail_coal_end=chosen_end").legal


def test_same_place_of_a_rail() -> None:
    """A rail's own ends are connected over the rail, so its coal and beer may come from either."""
    position = table(
        era="rail",
        tile={
            "cannock.2": tile("red", "coal_mine", 2, 3),
            "stafford.1": tile("red", "brewery", 2, 2),
            "walsall.1": tile("yellow", "manufacturer", 2),
        },
        hand=HAND,
    )
    first, second = rail("cannock--walsall", "cannock.2"), second_rail("cannock--stafford", "stafford.1", "cannock.2")
    assert after(position, first, second, readings="+same_place=links_only").legal
    beside = table(
        tile={"walsall.1": tile("yellow", "manufacturer", 2), "walsall.2": tile("red", "brewery", 2, 1)},
        link={"birmingham--walsall": "red", "birmingham--oxford": "red"},
        hand=HAND,
    )
    sale = sell("walsall.1", "oxford.1", beer=["walsall.2"])
    assert names(after(beside, sale, readings="+same_place=links_only")) == ["beer.connected"]


def test_shortfall_zero_tile() -> None:
    """Potteries II and IV are worth nothing."""
    cheap = table(
        turn=4,
        actions=1,
        tile={"coventry.1": tile("yellow", "pottery", 2)},
        money={},
        income={"yellow": 5, "red": 10, "purple": 10, "green": 10},
        vp={"yellow": 9},
        deck=[],
        hand={"yellow": ["dudley"], "green": ["dudley"]},
    )
    stays = state_after(cheap, END)
    assert (stays["phase"], stays["vp"], list(stays["tile"])) == ("actions", {"yellow": 4}, ["coventry.1"])
    goes = state_after(cheap, END, readings="+shortfall_zero_tile=goes")
    assert (goes["phase"], goes["owed"], goes["turn"]) == ("income", 5, 1)
    outcome = engine(4, "+shortfall_zero_tile=goes").step(Position(cheap.ruleset, 4, goes), GIVE)
    assert told(outcome, "tile_removed", "received", "vp_lost") == [
        ("tile_removed", "coventry.1"),
        ("vp_lost", "yellow", 5),
    ]
    choice = short(1, ("coventry.1", "pottery", 2), ("cannock.2", "coal_mine", 1))
    assert engine().legal_moves(choice) == [simple("give_up", slot="cannock.2"), GIVE]


def test_vp_below_zero_goes_on() -> None:
    position = short(0, ("cannock.2", "coal_mine", 1))
    state = state_after(position, simple("give_up", slot="cannock.2"), readings="+vp_floor=none")
    assert state["vp"] == {"yellow": -3}
    again = Position("birmingham-2018", 4, state)
    assert engine(4, "+vp_floor=none").chance(again) == []


def test_bonus_develop_may_be_declined() -> None:
    position = table(**WORCESTER, barrel={"gloucester.2": 1})
    sale = sell("worcester.1", "gloucester.2", barrels=["gloucester.2"])
    assert names(after(position, sale, DONE)) == ["done.open"]
    declined = after(position, sale, DONE, readings="+bonus_develop=may")
    assert declined.events == ()
    assert declined.position is not None
    assert (declined.position.state["pending"], declined.position.state["actions"]) == ("none", 1)


def test_two_barrels_of_gloucester() -> None:
    any_barrel = "+one_merchant_barrel=any"
    position = table(
        era="rail",
        tile={"redditch.1": tile("yellow", "manufacturer", 5)},
        link={"gloucester--redditch": "red"},
        barrel={"gloucester.1": 1, "gloucester.2": 1},
        gone=gone("yellow", coal_mine=1),
        hand=HAND,
    )
    sale = sell("redditch.1", "gloucester.1", barrels=["gloucester.1", "gloucester.2"])
    assert names(after(position, sale)) == ["beer.merchant"]
    first = state_after(position, sale, readings=any_barrel)
    assert (first["pending"], first["bonuses"]) == ("bonus", 2)
    mine = simple("bonus_develop", industry="coal_mine")
    second = state_after(position, sale, mine, readings=any_barrel)
    assert (second["pending"], second["bonuses"]) == ("bonus", 1)
    both = state_after(position, sale, mine, mine, readings=any_barrel)
    assert (both["pending"], both["bonuses"], both["gone"]["yellow"]["coal_mine"]) == ("none", 0, {"1": 1, "2": 2})
    assert "bonuses" not in table().state


def test_a_bonus_with_nothing_to_develop_lapses() -> None:
    gone_all = gone("yellow", cotton_mill=4, manufacturer=8, coal_mine=4, iron_works=4, brewery=4)
    gone_all["yellow"]["cotton_mill"]["1"] = 2
    position = table(**WORCESTER, barrel={"gloucester.2": 1}, gone=gone_all)
    outcome = after(position, sell("worcester.1", "gloucester.2", barrels=["gloucester.2"]))
    assert outcome.position is not None
    assert (outcome.position.state["pending"], outcome.position.state["actions"]) == ("none", 1)


def test_every_question_is_offered_together() -> None:
    for number in (0, -1):
        readings = "".join(f"+{question}={each[number]}" for question, each in OFFERED.items())
        rules = Engine("birmingham-2018" + readings, 3)
        assert rules.initial().ruleset == "birmingham-2018" + readings
        assert rules.legal_moves(table(3, hand={"yellow": ["dudley"]}, merchant={}))
    assert set(OFFERED) >= MOOT
