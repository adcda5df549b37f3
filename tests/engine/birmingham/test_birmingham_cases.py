"""The settled questions of the game, one by one, in the order of their numbers."""

from __future__ import annotations

from typing import Any

import pytest
from birmingham_playing import (
    DONE,
    LOAN,
    PASS,
    after,
    build,
    canal,
    develop,
    develop_second,
    engine,
    gone,
    play,
    rail,
    scout,
    second_rail,
    sell,
    sell_more,
    simple,
    state_after,
    table,
)
from engine_playing import names, tile, told

from brassspec.engine.birmingham.tables import BARRELS, FULL, SHEET

HAND = {"yellow": ["dudley", "dudley", "brewery", "wild_location"]}
THREE_WAY = "farm_brewery_south--kidderminster--worcester"


# Setup and data


@pytest.mark.parametrize("players", [2, 3, 4])
def test_b001_b002_starting_money_and_income(players: int) -> None:
    rules = engine(players)
    state = rules.initial().state
    assert list(state["money"].values()) == [17] * players
    assert list(state["income"].values()) == [10] * players
    idle = table(players, round=1, turn=players, actions=1, hand={state["order"][-1]: ["dudley", "dudley"]}, deck=[])
    outcome = rules.step(idle, PASS | {"player": state["order"][-1]})
    assert told(outcome, "income_taken", "income_paid") == []
    assert told(outcome, "round_begun") == [("round_begun", 2)]


def test_b004_blank_merchant_tile() -> None:
    for position, _, choice, outcome in play(4, 2):
        if choice.get("chance") == "place_merchant":
            assert bool(told(outcome, "barrel_placed")) == (choice["tile"] != "blank")
            assert outcome.position is not None
            assert outcome.position.state["barrel"].get(choice["space"], 0) == (choice["tile"] != "blank")
        elif position.state["phase"] == "actions":
            break
    mill = table(
        tile={"stoke_on_trent.1": tile("yellow", "cotton_mill", 1), "derby.1": tile("yellow", "brewery", 1, 1)},
        link={"stoke_on_trent--warrington": "red"},
        hand=HAND,
    )
    move = sell("stoke_on_trent.1", "warrington.1", beer=["derby.1"])
    assert names(after(mill, move)) == ["sell.merchant"]
    works = table(link={"stoke_on_trent--warrington": "red"}, hand={"yellow": ["stoke_on_trent"]})
    assert after(works, build("stoke_on_trent", "stoke_on_trent.2", "iron_works", ["market"])).legal


def test_b007_two_player_edges() -> None:
    position = table(2, era="rail", link={"stoke_on_trent--warrington": "red"}, hand={"yellow": ["dudley"]})
    first = state_after(position, rail("leek--stoke_on_trent"))
    assert first["money"]["yellow"] == 17 - 5 - 1
    to_nottingham = table(2, tile={"derby.3": tile("yellow", "iron_works", 1, 4)}, hand={"yellow": ["dudley"]})
    assert after(to_nottingham, canal("derby--nottingham")).legal
    mine = table(
        2, link={"leek--stoke_on_trent": "yellow", "stoke_on_trent--warrington": "red"}, hand={"yellow": ["coal_mine"]}
    )
    assert told(after(mine, build("coal_mine", "leek.2", "coal_mine")), "cubes_sold") == [("cubes_sold", "leek.2", 1)]


def test_b008_dual_cards() -> None:
    assert SHEET["cards"]["cotton_mill_or_manufacturer"] == (0, 6, 8)
    position = table(link={"birmingham--worcester": "yellow"}, hand={"yellow": ["cotton_mill_or_manufacturer"]})
    mill = build("cotton_mill_or_manufacturer", "worcester.1", "cotton_mill")
    assert after(position, mill).legal
    works = build("cotton_mill_or_manufacturer", "birmingham.3", "iron_works", ["market"])
    assert names(after(position, works)) == ["card.industry", "coal.merchant"]


def test_b010_tiles() -> None:
    assert [FULL.tiles["manufacturer", level].beer for level in (3, 7)] == [0, 0]
    assert [FULL.tiles["manufacturer", level].icons for level in (3, 7)] == [0, 0]
    assert {(FULL.tiles["brewery", level].icons, FULL.tiles["brewery", level].iron) for level in (1, 2, 3, 4)} == {
        (2, 1)
    }
    assert (FULL.tiles["brewery", 4].vp, FULL.tiles["brewery", 4].era) == (10, "rail")
    assert (FULL.tiles["coal_mine", 1].icons, FULL.tiles["cotton_mill", 2].icons) == (2, 2)
    assert (FULL.tiles["cotton_mill", 4].beer, FULL.tiles["cotton_mill", 4].income) == (1, 2)


def test_b011_pottery_at_two_players() -> None:
    position = table(
        2,
        era="rail",
        tile={"coventry.1": tile("yellow", "pottery", 1), "stone.1": tile("yellow", "brewery", 2, 2)},
        link={"birmingham--coventry": "red", "birmingham--oxford": "red"},
        hand={"yellow": ["dudley"]},
    )
    assert after(position, sell("coventry.1", "oxford.2", beer=["stone.1"])).legal
    assert names(after(position, sell("coventry.1", "oxford.1", beer=["stone.1"]))) == ["sell.merchant"]
    pool = {choice["tile"] for _, _, choice, _ in play(2, 3) if choice.get("chance") == "place_merchant"}
    assert "pottery" not in pool


# Coal: iron works I in Coalbrookdale and manufacturer III in Birmingham need coal, one and two cubes.

WORKS = build("coalbrookdale", "coalbrookdale.2", "iron_works")
GOODS = build("birmingham", "birmingham.2", "manufacturer")
GOODS_3 = gone("yellow", manufacturer=2)


def test_b013_equal_distance() -> None:
    position = table(
        tile={"wolverhampton.2": tile("red", "coal_mine", 1, 2), "kidderminster.1": tile("green", "coal_mine", 1, 2)},
        link={"coalbrookdale--wolverhampton": "red", "coalbrookdale--kidderminster": "red"},
        hand={"yellow": ["coalbrookdale"]},
    )
    for mine in ("wolverhampton.2", "kidderminster.1"):
        assert after(position, WORKS | {"coal": [mine]}).legal


TWO_MINES = table(
    money={"yellow": 12},
    tile={"dudley.1": tile("red", "coal_mine", 1, 1), "cannock.2": tile("red", "coal_mine", 2, 2)},
    link={"birmingham--dudley": "red", "dudley--wolverhampton": "red", "cannock--wolverhampton": "green"},
    gone=GOODS_3,
    hand={"yellow": ["birmingham"]},
)


def test_b014_running_out_goes_to_the_next_mine() -> None:
    outcome = after(TWO_MINES, GOODS | {"coal": ["dudley.1", "cannock.2"]})
    assert told(outcome, "coal_taken", "tile_flipped", "paid") == [
        ("coal_taken", "dudley.1"),
        ("tile_flipped", "dudley.1"),
        ("coal_taken", "cannock.2"),
        ("paid", "yellow", 12),
    ]
    assert names(after(TWO_MINES, GOODS | {"coal": ["cannock.2", "cannock.2"]})) == ["coal.nearest"]
    assert names(after(TWO_MINES, GOODS | {"coal": ["dudley.1", "dudley.1"]})) == ["coal.mine"]


def test_b016_no_buying_past_a_mine() -> None:
    position = table(
        tile={"cannock.2": tile("red", "coal_mine", 2, 3)},
        link=dict.fromkeys(
            ["birmingham--dudley", "dudley--wolverhampton", "cannock--wolverhampton", "birmingham--oxford"], "green"
        ),
        gone=gone("yellow", manufacturer=4),
        hand={"yellow": ["birmingham"]},
    )
    assert names(after(position, GOODS | {"coal": ["market"]})) == ["coal.mine_first"]
    assert after(position, GOODS | {"coal": ["cannock.2"]}).legal


def test_b017_mixing_mine_and_market() -> None:
    position = table(
        tile={"dudley.1": tile("red", "coal_mine", 1, 1)},
        link={"birmingham--dudley": "red", "birmingham--oxford": "red"},
        gone=GOODS_3,
        hand={"yellow": ["birmingham"]},
    )
    outcome = after(position, GOODS | {"coal": ["dudley.1", "market"]})
    assert told(outcome, "paid") == [("paid", "yellow", 13)]
    assert names(after(position, GOODS | {"coal": ["market", "dudley.1"]})) == ["coal.mine_first"]


def test_b019_two_cubes_from_the_market() -> None:
    position = table(link={"birmingham--oxford": "red"}, gone=GOODS_3, hand={"yellow": ["birmingham"]})
    outcome = after(position, GOODS | {"coal": ["market", "market"]})
    assert told(outcome, "paid") == [("paid", "yellow", 15)]
    assert outcome.position is not None
    assert outcome.position.state["coal"] == 11
    empty = table(
        coal=1, money={"yellow": 27}, link={"birmingham--oxford": "red"}, gone=GOODS_3, hand={"yellow": ["birmingham"]}
    )
    assert told(after(empty, GOODS | {"coal": ["market", "market"]}), "paid") == [("paid", "yellow", 12 + 7 + 8)]


def test_b020_coal_is_judged_with_the_rail_in_place() -> None:
    position = table(
        era="rail",
        tile={"cannock.2": tile("red", "coal_mine", 2, 3), "stafford.1": tile("yellow", "manufacturer", 2)},
        hand={"yellow": ["dudley"]},
    )
    outcome = after(position, rail("cannock--stafford", "cannock.2"))
    assert told(outcome, "paid") == [("paid", "yellow", 5)]


def test_b022_mine_in_the_same_location() -> None:
    position = table(tile={"coalbrookdale.3": tile("red", "coal_mine", 1, 2)}, hand={"yellow": ["coalbrookdale"]})
    assert after(position, WORKS | {"coal": ["coalbrookdale.3"]}).legal


def test_b023_routes_through_a_merchant() -> None:
    position = table(
        tile={"redditch.1": tile("red", "coal_mine", 2, 3)},
        link={"gloucester--worcester": "red", "gloucester--redditch": "green"},
        gone=gone("yellow", cotton_mill=1),
        hand={"yellow": ["worcester"]},
    )
    assert after(position, build("worcester", "worcester.1", "cotton_mill", ["redditch.1"])).legal


def test_b025_the_first_rail_empties_the_mine() -> None:
    position = table(
        era="rail",
        tile={
            "cannock.2": tile("red", "coal_mine", 2, 1),
            "stafford.1": tile("yellow", "manufacturer", 2),
            "uttoxeter.1": tile("yellow", "brewery", 2, 2),
        },
        hand={"yellow": ["dudley"]},
    )
    first = after(position, rail("cannock--stafford", "cannock.2"))
    assert first.legal
    assert first.position is not None
    assert first.position.state["pending"] == "none"  # nothing can follow: the action closed by itself
    again = table(
        era="rail",
        pending="rail",
        tile={
            "cannock.2": tile("red", "coal_mine", 2, 0, flipped=True),
            "stafford.1": tile("yellow", "manufacturer", 2),
            "uttoxeter.1": tile("yellow", "brewery", 2, 2),
        },
        link={"cannock--stafford": "yellow"},
        hand={"yellow": ["dudley"]},
    )
    assert names(after(again, second_rail("stafford--stone", "uttoxeter.1", "cannock.2"))) == ["coal.mine"]
    assert names(after(again, second_rail("stafford--stone", "uttoxeter.1"))) == ["coal.merchant"]


# Iron

TWO_WORKS = table(
    tile={"derby.3": tile("red", "iron_works", 1, 1), "coventry.3": tile("yellow", "iron_works", 1, 1)},
    hand=HAND,
)


def test_b026_any_works_without_connection() -> None:
    outcome = after(TWO_WORKS, develop("coal_mine", "derby.3"), develop_second("coal_mine", "coventry.3"))
    assert outcome.legal
    assert told(outcome, "tile_flipped", "income_moved", "paid") == [
        ("tile_flipped", "coventry.3"),
        ("income_moved", "yellow", 13),
    ]
    first = after(TWO_WORKS, develop("coal_mine", "derby.3"))
    assert told(first, "income_moved") == [("income_moved", "red", 13)]
    assert names(after(TWO_WORKS, develop("coal_mine"))) == ["iron.works_first"]


def test_b028_several_cubes_from_one_works() -> None:
    position = table(tile={"derby.3": tile("red", "iron_works", 1, 4)}, hand=HAND)
    state = state_after(position, develop("brewery", "derby.3"), develop_second("coal_mine", "derby.3"))
    assert state["tile"]["derby.3"]["cubes"] == 2
    assert state["money"]["yellow"] == 17


def test_b029_iron_works_sale() -> None:
    position = table(tile={"coalbrookdale.3": tile("red", "coal_mine", 1, 2)}, hand={"yellow": ["coalbrookdale"]})
    outcome = after(position, WORKS | {"coal": ["coalbrookdale.3"]})
    assert told(outcome, "cubes_sold", "received") == [("cubes_sold", "coalbrookdale.2", 2), ("received", "yellow", 2)]
    assert outcome.position is not None
    assert outcome.position.state["tile"]["coalbrookdale.2"] == tile("yellow", "iron_works", 1, 2)
    position.state["iron"] = 6
    outcome = after(position, WORKS | {"coal": ["coalbrookdale.3"]})
    assert told(outcome, "received", "tile_flipped", "income_moved") == [
        ("received", "yellow", 6),
        ("tile_flipped", "coalbrookdale.2"),
        ("income_moved", "yellow", 13),
    ]


def test_b031_develop_you_cannot_afford() -> None:
    position = table(money={"yellow": 2}, hand=HAND)
    first = after(position, develop("coal_mine"))
    assert first.position is not None
    assert first.position.state["pending"] == "none"
    second = table(money={}, pending="develop", hand=HAND)
    assert names(after(second, develop_second("coal_mine"))) == ["money.enough"]


# Sales of cubes on building


def test_b032_mine_sale_needs_a_connection_at_that_moment() -> None:
    mine = build("wolverhampton", "wolverhampton.2", "coal_mine")
    links = {"coalbrookdale--wolverhampton": "red", "coalbrookdale--shrewsbury": "green"}
    second = gone("yellow", coal_mine=1)
    connected = after(table(link=links, gone=second, hand={"yellow": ["wolverhampton"]}), mine)
    assert told(connected, "cubes_sold", "received") == [
        ("cubes_sold", "wolverhampton.2", 1),
        ("received", "yellow", 1),
    ]
    assert connected.position is not None
    assert connected.position.state["tile"]["wolverhampton.2"]["cubes"] == 2
    alone = table(
        gone=second, link={"coalbrookdale--wolverhampton": "yellow"}, hand={"yellow": ["wolverhampton", "dudley"]}
    )
    later = state_after(alone, mine, canal("coalbrookdale--shrewsbury") | {"card": "dudley"})
    assert later["tile"]["wolverhampton.2"]["cubes"] == 3
    assert later["coal"] == 13


def test_b034_full_market() -> None:
    links = {"coalbrookdale--wolverhampton": "red", "coalbrookdale--shrewsbury": "green"}
    state = state_after(
        table(coal=14, link=links, hand={"yellow": ["wolverhampton"]}),
        build("wolverhampton", "wolverhampton.2", "coal_mine"),
    )
    assert state["tile"]["wolverhampton.2"] == tile("yellow", "coal_mine", 1, 2)


# Beer


@pytest.mark.parametrize(
    ("owner", "links", "violated"),
    [
        ("yellow", [], []),
        ("red", [], ["beer.connected"]),
        ("red", ["stone--uttoxeter", "stafford--stone", "cannock--stafford", "cannock--walsall"], []),
    ],
)
def test_b035_own_and_rival_brewery(owner: str, links: list[str], violated: list[str]) -> None:
    position = table(
        era="rail",
        tile={"walsall.2": tile("yellow", "manufacturer", 2), "uttoxeter.1": tile(owner, "brewery", 2, 2)},
        link=dict.fromkeys([*links, "birmingham--walsall", "birmingham--oxford"], "green"),
        hand=HAND,
    )
    assert names(after(position, sell("walsall.2", "oxford.1", beer=["uttoxeter.1"]))) == violated


def test_b037_merchant_beer_for_rails() -> None:
    position = table(
        era="rail",
        barrel={"oxford.1": 1},
        link={"birmingham--oxford": "yellow"},
        hand=HAND,
    )
    state = state_after(position, rail("birmingham--walsall"))
    assert (state["pending"], state["actions"]) == ("none", 1)


def test_b038_rival_beer_must_reach_the_second_rail() -> None:
    position = table(
        era="rail",
        tile={
            "stone.1": tile("red", "brewery", 2, 1),
            "stafford.1": tile("red", "brewery", 2, 0, flipped=True),
            "burton_on_trent.1": tile("yellow", "manufacturer", 2),
            "cannock.2": tile("red", "coal_mine", 2, 3),
        },
        link={"stafford--stone": "red", "cannock--stafford": "red", "oxford--redditch": "yellow"},
        hand=HAND,
    )
    west, south = "burton_on_trent--stone", "birmingham--oxford"
    assert names(after(position, rail(west, "cannock.2"), second_rail(south, "stone.1"))) == ["beer.connected"]
    outcome = after(position, rail(south), second_rail(west, "stone.1", "cannock.2"))
    assert [event["event"] for event in outcome.events] == [
        "coal_taken",
        "beer_taken",
        "tile_flipped",
        "income_moved",
        "paid",
        "link_built",
    ]
    assert told(outcome, "paid") == [("paid", "yellow", 10)]


def test_b040_a_brewery_does_not_flip_when_built() -> None:
    position = table(iron=8, hand={"yellow": ["burton_on_trent"]})
    state = state_after(position, build("burton_on_trent", "burton_on_trent.2", "brewery", iron=["market"]))
    assert state["tile"]["burton_on_trent.2"] == tile("yellow", "brewery", 1, BARRELS["canal"])
    assert state["income"]["yellow"] == 10


GLOUCESTER = table(
    tile={"worcester.1": tile("yellow", "cotton_mill", 1), "worcester.2": tile("red", "cotton_mill", 1)},
    link={"gloucester--worcester": "red"},
    barrel={"gloucester.1": 1},
    hand=HAND,
)


def test_b041_which_barrel() -> None:
    move = sell("worcester.1", "gloucester.2", barrels=["gloucester.1"])
    assert names(after(GLOUCESTER, move)) == ["beer.merchant"]
    assert names(after(GLOUCESTER, move | {"barrels": ["gloucester.2"]})) == ["beer.barrel"]
    assert after(GLOUCESTER, move, readings="+one_merchant_barrel=any").legal


def test_b043_mixed_barrels() -> None:
    position = table(
        era="rail",
        tile={"walsall.1": tile("yellow", "manufacturer", 5), "stone.1": tile("yellow", "brewery", 2, 1)},
        link={"birmingham--walsall": "red", "birmingham--oxford": "red"},
        barrel={"oxford.1": 1},
        hand=HAND,
    )
    outcome = after(position, sell("walsall.1", "oxford.1", beer=["stone.1"], barrels=["oxford.1"]))
    assert [tuple(event.values()) for event in outcome.events] == [
        ("card_played", "yellow", "dudley"),
        ("beer_taken", "stone.1"),
        ("tile_flipped", "stone.1"),
        ("income_moved", "yellow", 15),
        ("barrel_taken", "oxford.1"),
        ("tile_sold", "walsall.1", "oxford.1"),
        ("tile_flipped", "walsall.1"),
        ("income_moved", "yellow", 17),
        ("income_moved", "yellow", 19),
    ]
    assert names(after(position, sell("walsall.1", "oxford.1", beer=["stone.1"]))) == ["sell.beer"]


def test_b044_last_rival_barrel() -> None:
    position = table(
        tile={"walsall.1": tile("yellow", "manufacturer", 2), "walsall.2": tile("red", "brewery", 2, 1)},
        link={"birmingham--walsall": "red", "birmingham--oxford": "red"},
        hand=HAND,
    )
    outcome = after(position, sell("walsall.1", "oxford.1", beer=["walsall.2"]))
    assert told(outcome, "income_moved")[0] == ("income_moved", "red", 15)


def test_b046_farm_beer_through_the_three_way_link() -> None:
    position = table(
        tile={"worcester.1": tile("yellow", "cotton_mill", 1), "farm_brewery_south.1": tile("red", "brewery", 1, 1)},
        link={"gloucester--worcester": "red", THREE_WAY: "green"},
        hand=HAND,
    )
    assert after(position, sell("worcester.1", "gloucester.2", beer=["farm_brewery_south.1"])).legal


# Sell


def test_b047_one_card_any_number_of_tiles() -> None:
    position = table(
        era="rail",
        tile={
            "birmingham.1": tile("yellow", "cotton_mill", 2),
            "walsall.1": tile("yellow", "manufacturer", 2),
            "worcester.1": tile("yellow", "cotton_mill", 2),
            "stone.1": tile("yellow", "brewery", 2, 2),
            "derby.1": tile("yellow", "brewery", 2, 1),
        },
        link=dict.fromkeys(["birmingham--walsall", "birmingham--oxford", "birmingham--worcester"], "red"),
        hand=HAND,
    )
    outcome = after(
        position,
        sell("birmingham.1", "oxford.2", beer=["stone.1"]),
        sell_more("worcester.1", "oxford.2", beer=["stone.1"]),
        sell_more("walsall.1", "oxford.1", beer=["derby.1"]),
    )
    assert outcome.position is not None
    state = outcome.position.state
    assert all(each["flipped"] for each in state["tile"].values())
    assert len(state["hand"]["yellow"]) == 3
    assert (state["pending"], state["actions"]) == ("none", 1)


def test_b049_merchants_are_not_used_up() -> None:
    position = table(
        tile={
            "birmingham.1": tile("red", "cotton_mill", 1, flipped=True),
            "worcester.1": tile("yellow", "cotton_mill", 1),
            "stone.1": tile("yellow", "brewery", 1, 1),
        },
        link=dict.fromkeys(["birmingham--oxford", "birmingham--worcester"], "red"),
        hand=HAND,
    )
    outcome = after(position, sell("worcester.1", "oxford.2", beer=["stone.1"]))
    assert told(outcome, "tile_sold") == [("tile_sold", "worcester.1", "oxford.2")]
    assert told(outcome, "barrel_taken", "vp_gained", "received") == []


def test_b050_gloucester_bonus() -> None:
    position = table(
        tile={"worcester.1": tile("yellow", "cotton_mill", 1), "stone.1": tile("yellow", "brewery", 1, 1)},
        link={"gloucester--worcester": "red"},
        barrel={"gloucester.2": 1},
        gone=gone("yellow", coal_mine=1),
        hand=HAND,
    )
    sale = after(position, sell("worcester.1", "gloucester.2", barrels=["gloucester.2"]))
    assert sale.position is not None
    assert sale.position.state["pending"] == "bonus"
    moves = engine().legal_moves(sale.position)
    assert {move["action"] for move in moves} == {"bonus_develop"}
    industries = {move["industry"] for move in moves}
    assert "pottery" not in industries
    assert {"cotton_mill", "coal_mine"} <= industries
    pottery = simple("bonus_develop", industry="pottery")
    assert names(engine().step(sale.position, pottery)) == ["develop.lightbulb"]
    assert names(engine().step(sale.position, DONE)) == ["done.open"]
    assert names(engine().step(sale.position, sell_more("worcester.1", "gloucester.2"))) == [
        "sell.more",
        "sell.tile",
        "sell.beer",
    ]
    outcome = engine().step(sale.position, simple("bonus_develop", industry="coal_mine"))
    assert [tuple(event.values()) for event in outcome.events] == [("tile_developed", "yellow", "coal_mine", 2)]
    assert outcome.position is not None
    assert outcome.position.state["actions"] == 1


@pytest.mark.parametrize(
    ("income", "space", "barrels", "events"),
    [
        (29, "oxford.2", ["oxford.2"], [("income_moved", "yellow", 31)]),
        (97, "oxford.2", ["oxford.2"], [("income_moved", "yellow", 99)]),
        (29, "shrewsbury.1", ["shrewsbury.1"], [("vp_gained", "yellow", 4)]),
        (29, "nottingham.1", ["nottingham.1"], [("vp_gained", "yellow", 3)]),
        (29, "warrington.1", ["warrington.1"], [("received", "yellow", 5)]),
    ],
)
def test_b052_b053_bonuses(income: int, space: str, barrels: list[str], events: list[tuple[Any, ...]]) -> None:
    """Every merchant but Gloucester buys goods of a tile next door; what comes after the sale's own income."""
    town = {
        "oxford.2": "redditch.1",
        "shrewsbury.1": "coalbrookdale.1",
        "nottingham.1": "derby.2",
        "warrington.1": "stoke_on_trent.1",
    }
    slot = town[space]
    line = next(line for line, ends in FULL.lines.items() if slot.split(".")[0] in ends and space.split(".")[0] in ends)
    position = table(
        income={"yellow": income - 1},
        tile={slot: tile("yellow", "manufacturer", 2)},
        link={line: "red"},
        merchant={space: "manufacturer"},
        barrel={space: 1},
        hand=HAND,
    )
    outcome = after(position, sell(slot, space, barrels=barrels))
    assert [tuple(event.values()) for event in outcome.events][-1:] == events
    assert outcome.position is not None
    assert outcome.position.state["spent"] == {}


def test_b055_wrong_icon() -> None:
    position = table(
        tile={"redditch.2": tile("red", "iron_works", 1, 4), "worcester.1": tile("yellow", "cotton_mill", 1)},
        link={"gloucester--worcester": "red"},
        barrel={"gloucester.1": 1},
        merchant={"gloucester.1": "manufacturer", "gloucester.2": "blank"},
        hand=HAND,
    )
    move = sell("worcester.1", "gloucester.1", barrels=["gloucester.1"])
    assert names(after(position, move)) == ["sell.merchant"]


# Network and links


@pytest.mark.parametrize(
    ("owner", "card", "violated"),
    [
        ("red", "cotton_mill_or_manufacturer", ["card.network"]),
        ("yellow", "cotton_mill_or_manufacturer", []),
        ("red", "walsall", []),
    ],
)
def test_b056_network_is_not_the_same_as_connected(owner: str, card: str, violated: list[str]) -> None:
    position = table(
        tile={"birmingham.1": tile("yellow", "cotton_mill", 1), "dudley.1": tile("red", "coal_mine", 1, 2)},
        link={"birmingham--walsall": owner, "birmingham--dudley": "red"},
        hand={"yellow": [card]},
    )
    assert names(after(position, build(card, "walsall.1", "manufacturer", ["dudley.1"]))) == violated


def test_b058_line_types() -> None:
    canals = table(hand=HAND)
    rails = table(era="rail", hand=HAND)
    assert names(after(canals, canal("belper--leek"))) == ["link.canal_line"]
    assert names(after(rails, rail("burton_on_trent--walsall"))) == ["coal.merchant", "link.rail_line"]
    assert after(canals, canal("burton_on_trent--walsall")).legal
    assert names(after(canals, rail("birmingham--oxford"))) == ["link.rail_era"]
    assert names(after(rails, canal("birmingham--oxford"))) == ["link.canal_era"]


def test_b059_second_rail_may_extend_from_the_first() -> None:
    position = table(
        era="rail",
        tile={"kidderminster.1": tile("yellow", "coal_mine", 2, 3), "stone.1": tile("yellow", "brewery", 2, 2)},
        hand=HAND,
    )
    first = rail("coalbrookdale--kidderminster", "kidderminster.1")
    second = second_rail("coalbrookdale--shrewsbury", "stone.1", "kidderminster.1")
    assert after(position, first, second).legal
    assert names(after(position, rail("coalbrookdale--shrewsbury", "kidderminster.1"))) == [
        "coal.connected",
        "link.network",
    ]


def test_b061_three_way_link() -> None:
    position = table(link={THREE_WAY: "yellow"}, hand={"yellow": ["brewery", "dudley", "coal_mine"]})
    assert after(position, build("brewery", "farm_brewery_south.1", "brewery", iron=["market"])).legal
    assert after(position, build("coal_mine", "kidderminster.1", "coal_mine")).legal
    assert after(position, canal("birmingham--worcester")).legal
    assert names(after(position, canal(THREE_WAY))) == ["link.free"]


def last_action(era: str, **state: Any) -> Any:
    """The position before the last action of an era, green's; merchants' icons do not count unless a link leads there."""
    order = ["yellow", "red", "purple", "green"]
    return table(era=era, round=8, order=order, turn=4, actions=1, deck=[], hand={"green": ["dudley"]}, **state)


END = PASS | {"player": "green"}


def test_b061_three_way_link_scores_three_places() -> None:
    position = last_action(
        "rail",
        tile={
            "farm_brewery_south.1": tile("red", "brewery", 2, flipped=True),
            "kidderminster.1": tile("red", "coal_mine", 2, flipped=True),
            "worcester.1": tile("red", "cotton_mill", 3, flipped=True),
        },
        link={THREE_WAY: "yellow"},
    )
    assert told(after(position, END), "links_scored") == [("links_scored", "yellow", 4)]


def test_b062_northern_farm() -> None:
    assert [line for line in FULL.lines if "farm_brewery_north" in line] == ["cannock--farm_brewery_north"]


def test_b064_b065_the_exception() -> None:
    swept = table(
        era="rail", round=1, tile={"stone.2": tile("red", "coal_mine", 2, 3)}, hand={"yellow": ["pottery", "dudley"]}
    )
    anywhere = build("pottery", "stafford.2", "pottery", iron=["market"])
    swept.state["money"] = {"yellow": 19}
    assert after(swept, anywhere).legal
    assert after(swept, rail("stafford--stone", "stone.2")).legal
    for bound in (
        {"tile": {"farm_brewery_north.1": tile("yellow", "brewery", 2, 2)}},
        {"link": {"birmingham--oxford": "yellow"}},
    ):
        position = table(**(swept.state | bound))
        assert "card.network" in names(after(position, anywhere))
        assert "link.network" in names(after(position, rail("stafford--stone")))


def test_b067_fourteen_links() -> None:
    links = dict.fromkeys(list(FULL.lines)[:14], "yellow")
    position = table(link=links, hand=HAND)
    assert names(after(position, canal("derby--nottingham"))) == ["link.supply"]


# Building, cards, replacing


def test_b068_one_tile_per_location() -> None:
    tiles = {"coalbrookdale.3": tile("yellow", "coal_mine", 2, 3)}
    works = build("coalbrookdale", "coalbrookdale.2", "iron_works", ["coalbrookdale.3"])
    state = {"tile": tiles, "gone": gone("yellow", iron_works=1), "hand": {"yellow": ["coalbrookdale"]}}
    assert names(after(table(**state), works)) == ["build.one_per_town"]
    assert after(table(**state, era="rail"), works).legal


def test_b070_rival_overbuild_under_the_canal_limit() -> None:
    tiles = {
        "coalbrookdale.2": tile("yellow", "iron_works", 1, 4),
        "coalbrookdale.3": tile("red", "coal_mine", 1, flipped=True),
    }
    position = table(coal=0, tile=tiles, gone=gone("yellow", coal_mine=1), hand={"yellow": ["coalbrookdale"]})
    mine = build("coalbrookdale", "coalbrookdale.3", "coal_mine")
    assert names(after(position, mine)) == ["build.one_per_town"]
    del tiles["coalbrookdale.2"]
    assert after(position, mine).legal
    position.state["coal"] = 1
    assert names(after(position, mine)) == ["overbuild.exhausted"]


def test_b071_lowest_tile_blocks() -> None:
    position = table(era="rail", hand={"yellow": ["cannock"]})
    mine = build("cannock", "cannock.2", "coal_mine")
    assert names(after(position, mine)) == ["build.canal_tile"]
    position.state["gone"] = gone("yellow", coal_mine=1)
    assert after(position, mine).legal


def test_b073_single_icon_space_first() -> None:
    position = table(hand={"yellow": ["cannock", "derby"]})
    assert names(after(position, build("cannock", "cannock.1", "coal_mine"))) == ["space.single"]
    position.state["tile"] = {"cannock.2": tile("red", "coal_mine", 1, 2)}
    assert after(position, build("cannock", "cannock.1", "coal_mine")).legal
    assert after(position, build("derby", "derby.1", "cotton_mill")).legal


def test_b074_two_double_spaces() -> None:
    position = table(hand={"yellow": ["uttoxeter"]})
    for slot in ("uttoxeter.1", "uttoxeter.2"):
        assert after(position, build("uttoxeter", slot, "brewery", iron=["market"])).legal


def test_b076_same_industry_strictly_higher() -> None:
    position = table(
        tile={"derby.1": tile("yellow", "brewery", 2, 1), "birmingham.1": tile("yellow", "manufacturer", 2)},
        gone=gone("yellow", brewery=1),
        hand={"yellow": ["derby", "birmingham"]},
    )
    assert names(after(position, build("derby", "derby.1", "brewery", iron=["market"]))) == ["overbuild.level"]
    assert "overbuild.industry" in names(after(position, build("birmingham", "birmingham.1", "cotton_mill")))


def test_b077_overbuilding_my_flipped_tile() -> None:
    position = table(
        tile={"dudley.2": tile("yellow", "iron_works", 1, flipped=True), "dudley.1": tile("red", "coal_mine", 1, 2)},
        gone={"yellow": {"iron_works": {"2": 1}}},
        income={"yellow": 13},
        hand=HAND,
    )
    outcome = after(position, build("dudley", "dudley.2", "iron_works", ["dudley.1"]))
    assert told(outcome, "tile_removed", "tile_built") == [
        ("tile_removed", "dudley.2"),
        ("tile_built", "dudley.2", "iron_works", 3),
    ]
    assert outcome.position is not None
    assert outcome.position.state["gone"]["yellow"]["iron_works"] == {"1": 1, "2": 1}
    assert outcome.position.state["income"]["yellow"] == 13


def test_b079_cubes_under_an_overbuilt_tile() -> None:
    position = table(
        iron=10,
        tile={"dudley.2": tile("yellow", "iron_works", 1, 3), "dudley.1": tile("red", "coal_mine", 1, 2)},
        hand=HAND,
    )
    works = build("dudley", "dudley.2", "iron_works", ["dudley.1"])
    state = state_after(position, works)
    assert (state["tile"]["dudley.2"]["cubes"], state["iron"]) == (4, 10)
    position.state["iron"] = 8
    state = state_after(position, works)
    assert (state["tile"]["dudley.2"]["cubes"], state["iron"]) == (2, 10)


def test_b082_farm_cards() -> None:
    hand = {"yellow": ["brewery", "cannock", "wild_industry", "wild_location"]}
    linked = table(link={"cannock--farm_brewery_north": "yellow"}, hand=hand)
    apart = table(link={"cannock--walsall": "yellow"}, hand=hand)
    bare = table(hand=hand)
    for card, at_link, elsewhere in (
        ("wild_location", ["card.farm"], ["card.farm"]),
        ("cannock", ["card.location", "card.farm"], ["card.location", "card.farm"]),
        ("brewery", [], ["card.network"]),
        ("wild_industry", [], ["card.network"]),
    ):
        move = build(card, "farm_brewery_north.1", "brewery", iron=["market"])
        assert names(after(linked, move)) == at_link
        assert names(after(apart, move)) == elsewhere
        assert after(bare, move).legal == (card in ("brewery", "wild_industry"))
        assert after(bare, move, readings="+farm_first=no").legal is False


def test_b083_space_must_exist() -> None:
    position = table(hand={"yellow": ["birmingham"]})
    move = build("birmingham", "birmingham.2", "brewery", iron=["market"])
    assert names(after(position, move)) == ["build.symbol"]


def test_b085_cities_outside_the_deck() -> None:
    hand = {"yellow": ["wild_industry", "wild_location"]}
    position = table(2, link={"leek--stoke_on_trent": "yellow"}, hand=hand)
    assert after(position, build("wild_industry", "leek.1", "cotton_mill")).legal
    assert after(position, build("wild_location", "leek.1", "cotton_mill")).legal


def test_b086_a_failed_action_costs_nothing() -> None:
    for position, moves, _, _ in play(3, seed=4):
        before = repr(position)
        if moves:
            assert not engine(3).step(position, {**build("dudley", "derby.1", "pottery"), "player": "purple"}).legal
            assert repr(position) == before
            break


# Develop


def test_b088_the_second_tile_is_judged_anew() -> None:
    position = table(
        tile={"coventry.1": tile("yellow", "pottery", 1), "derby.3": tile("red", "iron_works", 1, 4)},
        gone={"yellow": {"cotton_mill": {"1": 2}}},
        hand=HAND,
    )
    first = develop("pottery", "derby.3")
    assert after(position, first).legal
    assert names(after(position, first, develop_second("pottery", "derby.3"))) == ["develop.lightbulb"]
    assert after(position, first, develop_second("coal_mine", "derby.3")).legal
    mills = after(position, develop("cotton_mill", "derby.3"), develop_second("cotton_mill", "derby.3"))
    assert told(mills, "tile_developed") == [("tile_developed", "yellow", "cotton_mill", 2)]
    assert names(after(table(hand=HAND), develop("pottery"))) == ["develop.lightbulb"]


# Loan, income, shortfall


@pytest.mark.parametrize(("space", "reached"), [(29, 24), (10, 7), (3, 0), (11, 8), (64, 54)])
def test_b089_loan_landing(space: int, reached: int) -> None:
    outcome = after(table(income={"yellow": space}, hand=HAND), LOAN)
    assert told(outcome, "loan_taken", "income_moved") == [
        ("loan_taken", "yellow", 30),
        ("income_moved", "yellow", reached),
    ]


def test_b089_loan_floor() -> None:
    assert names(after(table(income={"yellow": 2}, hand=HAND), LOAN)) == ["loan.floor"]


@pytest.mark.parametrize(("space", "reached"), [(21, 26), (98, 99), (99, 99)])
def test_b091_flips_move_spaces(space: int, reached: int) -> None:
    position = table(
        income={"yellow": space},
        tile={"worcester.1": tile("yellow", "cotton_mill", 1), "stone.1": tile("yellow", "brewery", 1, 1)},
        link={"gloucester--worcester": "red"},
        barrel={"gloucester.2": 1},
        hand=HAND,
    )
    outcome = after(position, sell("worcester.1", "gloucester.2", barrels=["gloucester.2"]))
    assert told(outcome, "income_moved") == [("income_moved", "yellow", reached)]


SHORT = table(
    phase="income",
    actions=0,
    owed=5,
    money={"yellow": 1},
    income={"yellow": 5, "red": 10, "purple": 10, "green": 10},
    tile={"worcester.1": tile("yellow", "cotton_mill", 1), "cannock.2": tile("yellow", "coal_mine", 1, 2)},
    link={"cannock--walsall": "yellow"},
    hand=HAND,
)
GIVE_MILL = simple("give_up", slot="worcester.1")
GIVE_MINE = simple("give_up", slot="cannock.2")


def test_b092_shortfall() -> None:
    assert engine().legal_moves(SHORT) == [GIVE_MINE, GIVE_MILL]
    outcome = after(SHORT, GIVE_MILL)
    assert [tuple(event.values()) for event in outcome.events[:4]] == [
        ("tile_removed", "worcester.1"),
        ("received", "yellow", 6),
        ("income_paid", "yellow", 5),
        ("round_begun", 4),
    ]
    assert outcome.position is not None
    assert outcome.position.state["money"]["yellow"] == 2
    assert list(outcome.position.state["tile"]) == ["cannock.2"]
    both = state_after(SHORT, GIVE_MINE, GIVE_MILL)
    assert both["money"]["yellow"] == 4
    assert both["tile"] == {}
    assert both["spent"] == {}
    assert both["link"] == {"cannock--walsall": "yellow"}
    assert both["gone"]["yellow"] == {"coal_mine": {"1": 1}, "cotton_mill": {"1": 1}}
    assert names(after(table(hand=HAND, tile=SHORT.state["tile"]), GIVE_MILL)) == ["shortfall.due"]
    assert names(after(SHORT, simple("give_up", slot="stone.1"))) == ["shortfall.own"]


def test_b095_which_final_round_pays_no_income() -> None:
    income = {"yellow": 20, "red": 5, "purple": 10, "green": 10}
    canals = after(last_action("canal", income=income), END)
    assert told(canals, "income_taken", "income_paid") == [("income_taken", "yellow", 5), ("income_paid", "red", 5)]
    assert told(canals, "era_begun") == [("era_begun", "rail")]
    rails = after(last_action("rail", income=income), END)
    assert told(rails, "income_taken", "income_paid") == []
    assert len(told(rails, "ranked")) == 4


# Order of play, hands, scouting


def test_b097_what_counts_as_spent() -> None:
    position = table(
        era="rail",
        turn=3,
        spent={"yellow": 7, "red": 4},
        order=["yellow", "red", "purple", "green"],
        link={"birmingham--oxford": "purple"},
        deck=[],
        hand={"yellow": ["stone"], "red": ["stone"], "purple": ["dudley"] * 2, "green": ["cannock"] * 2},
    )
    rules = engine()
    moves = [
        LOAN | {"player": "purple"},
        rail("birmingham--walsall") | {"player": "purple"},
        LOAN | {"player": "green", "card": "cannock"},
        LOAN | {"player": "green", "card": "cannock"},
    ]
    for move in moves:
        outcome = rules.step(position, move)
        assert outcome.position is not None, outcome.violated
        position = outcome.position
        if move["action"] == "rail":
            assert position.state["spent"]["purple"] == 6
    assert told(outcome, "order_set") == [
        ("order_set", "green", 1),
        ("order_set", "red", 2),
        ("order_set", "purple", 3),
        ("order_set", "yellow", 4),
    ]
    assert position.state["spent"] == {}


def test_b098_refill_after_both_actions() -> None:
    position = table(hand={"yellow": ["dudley", "cannock", "cannock", "stone", "stone", "derby", "derby", "brewery"]})
    one = state_after(position, PASS)
    assert (one["phase"], len(one["hand"]["yellow"])) == ("actions", 7)
    assert names(after(position, PASS, PASS)) == ["card.held"]
    two = after(position, PASS, PASS | {"card": "brewery"})
    assert two.position is not None
    assert (two.position.state["phase"], two.position.state["turn"]) == ("refill", 1)
    assert {one["player"] for one, _ in engine().chance(two.position)} == {"yellow"}


def test_b100_wild_cards() -> None:
    position = table(hand={"yellow": ["wild_location", "wild_industry", "birmingham"]})
    for move in (PASS, LOAN, build("dudley", "worcester.1", "cotton_mill")):
        state = state_after(position, move | {"card": "wild_location"})
        assert state["wilds"].count("wild_location") == 4
        assert state["discard"] == []


def test_b101_scout() -> None:
    held = table(hand={"yellow": ["dudley", "dudley", "stone", "wild_location"]})
    assert names(after(held, scout("dudley", "dudley", "stone"))) == ["scout.no_wild"]
    position = table(hand={"yellow": ["dudley", "dudley", "stone", "stone"]})
    assert names(after(position, scout("cannock", "dudley", "dudley"))) == ["card.held"]
    outcome = after(position, scout("dudley", "dudley", "stone"))
    assert [tuple(event.values()) for event in outcome.events] == [
        ("card_played", "yellow", "dudley"),
        ("card_played", "yellow", "dudley"),
        ("card_played", "yellow", "stone"),
        ("wild_taken", "yellow", "wild_location"),
        ("wild_taken", "yellow", "wild_industry"),
    ]
    assert outcome.position is not None
    state = outcome.position.state
    assert state["hand"]["yellow"] == ["stone", "wild_location", "wild_industry"]
    assert state["discard"] == ["dudley", "dudley", "stone"]
    assert state["actions"] == 1


# The end of an era


def test_b103_canal_clean_up() -> None:
    position = last_action(
        "canal",
        tile={
            "worcester.1": tile("yellow", "cotton_mill", 3, flipped=True),
            "stone.1": tile("yellow", "brewery", 2, 1),
            "cannock.2": tile("yellow", "coal_mine", 1, 2),
            "coventry.1": tile("red", "pottery", 1, flipped=True),
        },
        discard=["stone", "derby"],
        aside=["cannock"],
    )
    outcome = after(position, END)
    assert told(outcome, "tiles_scored") == [("tiles_scored", "yellow", 9), ("tiles_scored", "red", 10)]
    assert told(outcome, "tile_removed") == [("tile_removed", "cannock.2"), ("tile_removed", "coventry.1")]
    assert outcome.position is not None
    state = outcome.position.state
    assert state["tile"] == {
        "stone.1": tile("yellow", "brewery", 2, 1),
        "worcester.1": tile("yellow", "cotton_mill", 3, flipped=True),
    }
    assert state["deck"] == ["cannock", "derby", "dudley", "stone"]
    assert state["aside"] == state["discard"] == []
    assert (state["era"], state["phase"], state["round"]) == ("rail", "deal", 1)


def test_b106_icons_of_all_owners() -> None:
    position = last_action(
        "canal",
        tile={"stone.1": tile("red", "brewery", 2, flipped=True), "stafford.1": tile("red", "manufacturer", 2)},
        link={"stafford--stone": "yellow", "stoke_on_trent--warrington": "red"},
    )
    outcome = after(position, END)
    assert told(outcome, "links_scored", "tiles_scored") == [
        ("links_scored", "yellow", 2),
        ("links_scored", "red", 2),
        ("tiles_scored", "red", 5),
    ]
    assert outcome.position is not None
    assert outcome.position.state["link"] == {}


def test_b107_no_money_or_income_vp() -> None:
    outcome = after(last_action("rail", money={"yellow": 43}, income={"yellow": 50}), END)
    assert outcome.position is not None
    assert outcome.position.state["vp"] == {}
    assert outcome.position.state["standing"] == {"yellow": 1, "red": 2, "purple": 2, "green": 2}


def test_b109_merchant_beer_reset() -> None:
    order = ["yellow", "red"]
    position = table(
        2,
        round=10,
        order=order,
        turn=2,
        actions=1,
        deck=[],
        hand={"red": ["dudley"]},
        barrel={"gloucester.2": 1},
    )
    outcome = after(position, PASS | {"player": "red"})
    assert told(outcome, "barrel_placed") == [("barrel_placed", "gloucester.1"), ("barrel_placed", "oxford.2")]
    assert outcome.position is not None
    assert outcome.position.state["barrel"] == {"gloucester.1": 1, "gloucester.2": 1, "oxford.2": 1}


def test_b110_highest_link_value() -> None:
    position = last_action(
        "rail",
        tile={
            "birmingham.1": tile("red", "cotton_mill", 2, flipped=True),
            "birmingham.2": tile("green", "manufacturer", 5, flipped=True),
            "birmingham.3": tile("red", "iron_works", 2, flipped=True),
            "birmingham.4": tile("red", "manufacturer", 5, flipped=True),
            "coventry.1": tile("red", "pottery", 1, flipped=True),
            "coventry.2": tile("red", "manufacturer", 5, flipped=True),
            "coventry.3": tile("green", "manufacturer", 5, flipped=True),
        },
        link={"birmingham--coventry": "yellow"},
    )
    assert told(after(position, END), "links_scored") == [("links_scored", "yellow", 12)]


def test_b113_double_develop_and_flips_between_purchases() -> None:
    position = table(iron=10, tile={"derby.3": tile("red", "iron_works", 1, 1)}, hand=HAND)
    first = after(position, develop("coal_mine", "derby.3"))
    assert told(first, "tile_flipped", "paid") == [("tile_flipped", "derby.3")]
    second = after(position, develop("coal_mine", "derby.3"), develop_second("coal_mine"))
    assert told(second, "paid") == [("paid", "yellow", 1)]
    assert names(after(position, develop("coal_mine", "derby.3"), develop_second("coal_mine", "derby.3"))) == [
        "iron.works"
    ]
