"""What the Polish and the Finnish aid state, each sentence once; quoted where it stands in one of them."""

from __future__ import annotations

from typing import Any

import pytest
from birmingham_playing import (
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
    second_rail,
    sell,
    state_after,
    table,
)
from engine_playing import names, tile, told

from brassspec.formats import Position

HAND = {"yellow": ["dudley", "dudley", "brewery", "pottery"]}


# Set-up


def test_set_up() -> None:
    """pl "PRZYGOTOWANIE GRY", "PRZYGOTOWANIE GRACZY", in the order of formats."""
    seen: list[tuple[Any, ...]] = []
    kinds: list[str] = []
    for position, moves, choice, outcome in play(3, seed=8):
        if moves:
            state = position.state
            break
        if choice["chance"] not in kinds:
            kinds.append(choice["chance"])
        seen += [tuple(event.values()) for event in outcome.events]
    assert kinds == ["seat", "place_merchant", "draw", "set_aside"]
    assert (state["coal"], state["iron"]) == (13, 8)
    assert [len(state["hand"][player]) for player in state["order"]] == [8, 8, 8]
    assert (len(state["aside"]), len(state["deck"]), state["discard"]) == (3, 27, [])
    assert state["wilds"] == ["wild_location"] * 4 + ["wild_industry"] * 4
    assert (state["vp"], state["actions"], state["round"]) == ({}, 1, 1)
    drawn = [event[1] for event in seen if event[0] == "card_drawn"]
    assert drawn == [player for player in state["order"] for _ in range(8)]
    barrels = sum(tile != "blank" for tile in state["merchant"].values())
    assert (len(state["merchant"]), sum(state["barrel"].values())) == (7, barrels)
    assert seen[-1] == ("round_begun", 1)
    assert [event for event in seen if event[0] == "era_begun"] == [("era_begun", "canal")]


def test_the_order_of_play_is_drawn() -> None:
    rules = engine(4)
    start = rules.initial()
    assert [chance["player"] for chance, _ in rules.chance(start)] == ["yellow", "red", "purple", "green"]
    first = rules.apply_chance(start, {"chance": "seat", "player": "purple"})
    assert first.events == ()
    assert first.position is not None
    assert (first.position.state["order"], first.position.state["seated"]) == (["purple", "yellow", "red", "green"], 1)
    second = rules.apply_chance(first.position, {"chance": "seat", "player": "green"}).position
    assert second is not None
    third = rules.apply_chance(second, {"chance": "seat", "player": "red"}).position
    assert third is not None
    assert (third.state["order"], third.state["seated"]) == (["purple", "green", "red", "yellow"], 0)
    assert third.state["phase"] == "merchants"
    assert rules.chance(third) == [
        ({"chance": "place_merchant", "space": "gloucester.1", "tile": tile_}, weight)
        for tile_, weight in (("all", 1), ("cotton", 2), ("manufacturer", 2), ("pottery", 1), ("blank", 3))
    ]


# Turns and rounds


def test_one_action_in_the_first_turn_of_the_canal_era() -> None:
    position = table(round=1, actions=1, hand={"yellow": ["dudley"] * 2, "red": ["cannock"] * 2}, deck=[])
    state = state_after(position, PASS)
    assert (state["turn"], state["actions"]) == (2, 1)
    rails = table(era="rail", round=1, actions=1, hand={"yellow": ["dudley"] * 2, "red": ["cannock"] * 2}, deck=[])
    assert state_after(rails, PASS)["actions"] == 2


def test_equal_spending_keeps_the_order() -> None:
    position = table(turn=4, actions=1, spent={"red": 3, "yellow": 3}, deck=[], hand={"green": ["dudley"] * 2})
    outcome = after(position, PASS | {"player": "green"})
    assert [player for _, player, _ in told(outcome, "order_set")] == ["purple", "green", "yellow", "red"]


def test_a_card_an_action() -> None:
    """fi "Kutakin suoritettavaa toimintoa kohden tulee luopua yhdestä kortista"."""
    for _, moves, choice, outcome in play(2, seed=9):
        if moves:
            cards = {"scout": 3, "second_rail": 0, "develop_second": 0, "sell_more": 0, "bonus_develop": 0}
            cards |= {"give_up": 0, "done": 0}
            assert len(told(outcome, "card_played")) == cards.get(choice["action"], 1)


# Building


def test_no_tile_marked_for_the_other_era() -> None:
    position = table(gone=gone("yellow", brewery=3), hand={"yellow": ["burton_on_trent"]})
    brewery = build("burton_on_trent", "burton_on_trent.2", "brewery", iron=["market"])
    assert names(after(position, brewery)) == ["build.rail_tile"]
    position.state["era"] = "rail"
    outcome = after(position, brewery)
    assert told(outcome, "tile_built") == [("tile_built", "burton_on_trent.2", "brewery", 4)]
    assert outcome.position is not None
    assert outcome.position.state["tile"]["burton_on_trent.2"]["cubes"] == 2  # pl "2 beczki w erze kolejowej"


def test_pottery_1_may_be_built_in_the_rail_era() -> None:
    position = table(era="rail", money={"yellow": 19}, hand={"yellow": ["stafford"]})
    assert after(position, build("stafford", "stafford.2", "pottery", iron=["market"])).legal


def test_location_card_outside_the_network() -> None:
    position = table(link={"birmingham--oxford": "yellow"}, hand={"yellow": ["stone", "wild_location"]})
    for card in ("stone", "wild_location"):
        assert after(position, build(card, "stone.1", "cotton_mill")).legal


def test_wild_industry_only_in_the_network() -> None:
    position = table(link={"birmingham--oxford": "yellow"}, hand={"yellow": ["wild_industry"]})
    assert names(after(position, build("wild_industry", "stone.1", "cotton_mill"))) == ["card.network"]
    assert after(position, build("wild_industry", "birmingham.1", "cotton_mill")).legal


def test_iron_is_bought_only_when_no_works_has_any() -> None:
    position = table(
        tile={"dudley.2": tile("red", "iron_works", 1, 4)}, hand={"yellow": ["burton_on_trent"]}, money={"yellow": 5}
    )
    brewery = build("burton_on_trent", "burton_on_trent.2", "brewery")
    assert names(after(position, brewery | {"iron": ["market"]})) == ["money.enough", "iron.works_first"]
    assert after(position, brewery | {"iron": ["dudley.2"]}).legal


def test_coal_needs_a_route() -> None:
    position = table(tile={"dudley.1": tile("red", "coal_mine", 1, 2)}, hand={"yellow": ["coalbrookdale"]})
    works = build("coalbrookdale", "coalbrookdale.2", "iron_works", ["dudley.1"])
    outcome = after(position, works)
    assert names(outcome) == ["coal.connected"]
    assert outcome.unevaluated == ("coal.nearest",)
    assert names(after(position, works | {"coal": ["market"]})) == ["coal.merchant"]


def test_opponents_breweries_and_mills_stay() -> None:
    """fi "Ainoastaan toisen pelaajan rauta- tai hiilikaivoksen päälle saa rakentaa"."""
    position = table(
        tile={"burton_on_trent.2": tile("red", "brewery", 1, 0, flipped=True)},
        gone=gone("yellow", brewery=1),
        hand={"yellow": ["burton_on_trent"]},
    )
    brewery = build("burton_on_trent", "burton_on_trent.2", "brewery", iron=["market"])
    assert names(after(position, brewery)) == ["overbuild.opponent"]


def test_opponents_works_once_iron_is_exhausted() -> None:
    def over(**state: Any) -> Position:
        works = {"dudley.2": tile("red", "iron_works", 1, 0, flipped=True), "dudley.1": tile("red", "coal_mine", 1, 2)}
        other = state.pop("other", {})
        return table(tile=works | other, gone=gone("yellow", iron_works=1), hand=HAND, **state)

    works = build("dudley", "dudley.2", "iron_works", ["dudley.1"])
    assert names(after(over(), works)) == ["overbuild.exhausted"]
    with_iron = over(iron=0, other={"derby.3": tile("green", "iron_works", 1, 1)})
    assert names(after(with_iron, works)) == ["overbuild.exhausted"]
    outcome = after(over(iron=0), works)
    assert outcome.position is not None
    assert outcome.position.state["gone"]["red"] == {"iron_works": {"1": 1}}
    assert told(outcome, "received") == [("received", "yellow", 5 + 5 + 4 + 4)]


def test_replacing_is_no_way_into_a_place_for_who_has_nothing() -> None:
    """Sheet no_tiles_build: only an undeveloped space; with the town's card it goes."""
    position = table(
        coal=0,
        tile={"cannock.2": tile("red", "coal_mine", 1, 0, flipped=True)},
        gone=gone("yellow", coal_mine=1),
        hand={"yellow": ["coal_mine", "cannock"]},
    )
    mine = build("coal_mine", "cannock.2", "coal_mine")
    assert names(after(position, mine)) == ["card.network"]
    assert after(position, mine | {"card": "cannock"}).legal
    assert names(after(position, mine | {"slot": "cannock.1"})) == []


# Links


def test_canals_cost_three_and_one_an_action() -> None:
    position = table(link={"birmingham--oxford": "yellow"}, hand=HAND)
    outcome = after(position, canal("birmingham--walsall"))
    assert told(outcome, "paid", "link_built") == [("paid", "yellow", 3), ("link_built", "birmingham--walsall")]
    assert outcome.position is not None
    assert outcome.position.state["actions"] == 1
    assert names(
        after(
            table(link={"birmingham--oxford": "yellow"}, money={"yellow": 2}, hand=HAND), canal("birmingham--walsall")
        )
    ) == ["money.enough"]


def test_two_rails_cost_fifteen_and_a_barrel() -> None:
    position = table(
        era="rail",
        money={"yellow": 15},
        tile={"dudley.1": tile("red", "coal_mine", 2, 3), "stone.1": tile("yellow", "brewery", 2, 1)},
        link={"birmingham--dudley": "yellow"},
        hand=HAND,
    )
    first = rail("birmingham--walsall", "dudley.1")
    outcome = after(position, first, second_rail("birmingham--oxford", "stone.1", "dudley.1"))
    assert outcome.position is not None
    assert outcome.position.state["spent"] == {"yellow": 15}
    assert outcome.position.state["money"].get("yellow", 0) == 0
    assert names(after(position, second_rail("birmingham--oxford", "stone.1", "dudley.1"))) == ["rail.second"]
    stone = table(era="rail", pending="rail", link=position.state["link"], tile=position.state["tile"], hand=HAND)
    assert names(after(stone, second_rail("birmingham--oxford", "dudley.1", "dudley.1"))) == ["beer.brewery"]


# Developing, selling, loans


def test_at_most_two_tiles() -> None:
    position = table(hand=HAND, tile={"dudley.2": tile("red", "iron_works", 1, 4)})
    state = state_after(position, develop("coal_mine", "dudley.2"), develop_second("coal_mine", "dudley.2"))
    assert (state["pending"], state["actions"]) == ("none", 1)
    assert state["gone"]["yellow"] == {"coal_mine": {"1": 1, "2": 1}}
    again = Position("birmingham-2018", 4, state)
    assert names(after(again, develop_second("coal_mine", "dudley.2"))) == ["develop.second"]


def test_mines_and_breweries_are_not_sold() -> None:
    position = table(
        tile={"burton_on_trent.2": tile("yellow", "brewery", 1, 1), "redditch.1": tile("yellow", "coal_mine", 1, 2)},
        link={"oxford--redditch": "red"},
        hand=HAND,
    )
    outcome = after(position, sell("redditch.1", "oxford.1"))
    assert names(outcome) == ["sell.tile", "sell.merchant"]
    assert outcome.unevaluated == ("sell.beer",)


def test_a_flipped_tile_is_not_sold_again() -> None:
    position = table(
        tile={"redditch.1": tile("yellow", "manufacturer", 3, flipped=True)},
        link={"oxford--redditch": "red"},
        hand=HAND,
    )
    assert names(after(position, sell("redditch.1", "oxford.1"))) == ["sell.tile"]


@pytest.mark.parametrize(("links", "legal"), [({}, False), ({"oxford--redditch": "red"}, True)])
def test_goods_without_beer_still_need_a_merchant(links: dict[str, str], legal: bool) -> None:
    position = table(tile={"redditch.1": tile("yellow", "manufacturer", 3)}, link=links, hand=HAND)
    assert names(after(position, sell("redditch.1", "oxford.1"))) == ([] if legal else ["sell.connected"])


def test_without_beer_no_sale() -> None:
    position = table(
        tile={"redditch.1": tile("yellow", "manufacturer", 2)}, link={"oxford--redditch": "red"}, hand=HAND
    )
    assert names(after(position, sell("redditch.1", "oxford.1"))) == ["sell.beer"]
    assert not [move for move in engine().legal_moves(position) if move["action"] == "sell"]


def test_a_sale_by_any_card_and_the_barrel_is_optional() -> None:
    position = table(
        tile={"redditch.1": tile("yellow", "manufacturer", 2), "stone.1": tile("yellow", "brewery", 1, 1)},
        link={"oxford--redditch": "red"},
        barrel={"oxford.1": 1},
        hand=HAND,
    )
    sales = [move for move in engine().legal_moves(position) if move["action"] == "sell"]
    assert {move["card"] for move in sales} == set(HAND["yellow"])
    assert [(move["beer"], move["barrels"]) for move in sales[:2]] == [(["stone.1"], []), ([], ["oxford.1"])]


def test_loans_are_no_spending() -> None:
    state = state_after(table(hand=HAND), LOAN)
    assert (state["money"]["yellow"], state["spent"]) == (47, {})


# Income


def test_interest_is_paid_in_victory_points_without_tiles() -> None:
    position = table(
        turn=4,
        actions=1,
        money={"yellow": 1, "red": 20},
        income={"yellow": 6, "red": 5, "purple": 9, "green": 12},
        vp={"yellow": 2, "purple": 5},
        deck=[],
        hand={"green": ["dudley"] * 2},
    )
    outcome = after(position, PASS | {"player": "green"})
    assert told(outcome, "income_paid", "income_taken", "vp_lost", "round_begun") == [
        ("income_paid", "yellow", 1),
        ("vp_lost", "yellow", 2),
        ("income_paid", "red", 5),
        ("vp_lost", "purple", 1),
        ("income_taken", "green", 1),
        ("round_begun", 4),
    ]


# The end


def ending(edition: str = "birmingham-2018", **state: Any) -> Position:
    fields = {"turn": 4, "actions": 1, "round": 8, "deck": [], "hand": {"green": ["dudley"]}}
    return table(edition=edition, **(fields | state))


END = PASS | {"player": "green"}


def test_an_unflipped_tile_scores_nothing() -> None:
    tiles = {"stone.1": tile("red", "brewery", 2, 1), "dudley.1": tile("red", "coal_mine", 2, 0, flipped=True)}
    outcome = after(ending(tile=tiles), END)
    assert told(outcome, "tiles_scored") == [("tiles_scored", "red", 2)]


def test_ties_go_to_income_then_money_then_are_shared() -> None:
    outcome = after(
        ending(
            era="rail",
            vp={"yellow": 5, "red": 5, "purple": 5, "green": 5},
            income={"yellow": 20, "red": 21, "purple": 20, "green": 20},
            money={"yellow": 3, "purple": 4, "green": 3},
        ),
        END,
    )
    assert told(outcome, "ranked") == [
        ("ranked", "red", 1),
        ("ranked", "purple", 2),
        ("ranked", "yellow", 3),
        ("ranked", "green", 3),
    ]


# The introductory game


INTRO = "birmingham-2018-intro"


def test_introductory_game() -> None:
    position = ending(
        INTRO,
        money={"yellow": 43, "red": 90, "purple": 3},
        income={"yellow": 11, "red": 8, "purple": 7, "green": 0},
        vp={"purple": 2},
        tile={
            "worcester.1": tile("yellow", "cotton_mill", 2, flipped=True),
            "birmingham.1": tile("yellow", "cotton_mill", 1, flipped=True),
            "stone.1": tile("red", "brewery", 2, 1),
        },
        link={"gloucester--worcester": "red"},
    )
    outcome = after(position, END, edition=INTRO)
    assert [
        tuple(event.values()) for event in outcome.events if not event["event"].startswith(("card", "pass", "order"))
    ] == [
        ("tiles_scored", "yellow", 10),
        ("links_scored", "red", 4),
        ("money_scored", "yellow", 10),
        ("income_scored", "yellow", 1),
        ("tiles_scored", "yellow", 5),
        ("money_scored", "red", 15),
        ("income_scored", "red", -2),
        ("income_scored", "purple", -2),
        ("ranked", "yellow", 1),
        ("ranked", "red", 2),
        ("ranked", "purple", 3),
        ("ranked", "green", 4),
    ]
    assert outcome.position is not None
    state = outcome.position.state
    assert (state["phase"], state["era"], state["link"]) == ("over", "canal", {})
    assert state["vp"] == {"yellow": 26, "red": 17}
    no_floor = state_after(position, END, edition=INTRO, readings="+vp_floor=none")
    assert no_floor["vp"] == {"yellow": 26, "red": 17, "purple": -1, "green": -10}
