"""The worked examples of the rulebooks, and the rules beside them, one by one."""

from __future__ import annotations

from typing import Any

import pytest
from engine_playing import engine, names, stack, table, tile, told

from brassspec.formats import Move, Position


def build(player: str, card: str, slot: str, industry: str, coal: list[str], iron: list[str]) -> Move:
    return {
        "action": "build",
        "player": player,
        "card": card,
        "slot": slot,
        "industry": industry,
        "coal": coal,
        "iron": iron,
    }


def moves(position: Position, action: str, **fields: Any) -> list[Move]:
    return [
        move
        for move in engine(position.players).legal_moves(position)
        if move["action"] == action and all(move[name] == value for name, value in fields.items())
    ]


# Výstavba: the Oldham example. A mill of level 2 for £14 and a coal cube; red's mine is one canal away, the own two.

OLDHAM = table(
    tile={
        "bury.1": tile("yellow", "coal_mine", 2, cubes=3),
        "rochdale.1": tile("red", "coal_mine", 1, cubes=2),
    },
    link={"bury--manchester": "yellow", "manchester--oldham": "red", "oldham--rochdale": "red"},
    hand={"yellow": ["colne", "oldham", "cotton_mill", "cotton_mill"]},
    stack=stack("yellow", cotton_mill=2, port=1),
)


def test_oldham_with_the_location_card() -> None:
    (move,) = moves(OLDHAM, "build", card="oldham", slot="oldham.1")
    assert move == build("yellow", "oldham", "oldham.1", "cotton_mill", ["rochdale.1"], [])
    outcome = engine().step(OLDHAM, move)
    assert told(outcome, "paid") == [("paid", "yellow", 14)]
    assert [event["event"] for event in outcome.events] == ["card_played", "coal_taken", "paid", "tile_built"]


def test_oldham_not_with_the_own_mine_farther_away() -> None:
    move = build("yellow", "oldham", "oldham.1", "cotton_mill", ["bury.1"], [])
    assert names(engine().step(OLDHAM, move)) == ["coal.nearest"]


def test_oldham_with_the_industry_card_only_manchester() -> None:
    towns = {move["slot"].split(".")[0] for move in moves(OLDHAM, "build", card="cotton_mill")}
    assert towns == {"manchester"}
    bury = build("yellow", "cotton_mill", "bury.2", "cotton_mill", ["bury.1"], [])
    assert names(engine().step(OLDHAM, bury)) == ["build.one_per_town"]
    oldham = build("yellow", "cotton_mill", "oldham.1", "cotton_mill", ["rochdale.1"], [])
    assert names(engine().step(OLDHAM, oldham)) == ["card.network"]


def test_colne_has_no_coal() -> None:
    assert moves(OLDHAM, "build", card="colne") == []
    move = build("yellow", "colne", "colne.1", "cotton_mill", ["rochdale.1"], [])
    outcome = engine().step(OLDHAM, move)
    assert names(outcome) == ["coal.connected"]
    assert outcome.unevaluated == ("coal.nearest",)


# Zvyšování úrovně, PŘÍKLAD: a cotton mill card, a port in Preston and some canals.

PRESTON = table(
    tile={"preston.1": tile("yellow", "port", 1)},
    link={
        "lancaster--preston": "yellow",
        "preston--wigan": "yellow",
        "warrington_and_runcorn--wigan": "yellow",
        "blackburn--wigan": "red",
    },
    hand={"yellow": ["cotton_mill", "port", "port", "port"]},
)


def test_lancaster_or_warrington_only() -> None:
    slots = [move["slot"] for move in moves(PRESTON, "build", card="cotton_mill")]
    assert slots == ["lancaster.2", "warrington_and_runcorn.1"]


@pytest.mark.parametrize(
    ("slot", "violated"),
    [
        ("wigan.1", ["build.symbol"]),
        ("preston.2", ["build.one_per_town"]),
        ("blackburn.1", ["card.network"]),
    ],
)
def test_elsewhere_not(slot: str, violated: list[str]) -> None:
    move = build("yellow", "cotton_mill", slot, "cotton_mill", [], [])
    assert names(engine().step(PRESTON, move)) == violated


# Lancaster, Preston


def test_port_takes_the_left_space_first() -> None:
    assert [move["slot"] for move in moves(PRESTON, "build", card="port")] == [
        "lancaster.1",
        "warrington_and_runcorn.2",
    ]
    right = build("yellow", "port", "lancaster.2", "port", [], [])
    assert names(engine().step(PRESTON, right)) == ["port.lancaster"]
    empty = table(hand={"yellow": ["preston"]})
    assert [move["slot"] for move in moves(empty, "build", industry="port")] == ["preston.1"]
    lower = build("yellow", "preston", "preston.2", "port", [], [])
    assert names(engine().step(empty, lower)) == ["port.preston"]
    taken = table(tile={"preston.1": tile("red", "port", 1)}, hand={"yellow": ["preston"]})
    assert engine().step(taken, lower).legal


# Slučování akcí, PŘÍKLAD: Colne with the cards of Manchester and coal mine.

COLNE = table(hand={"yellow": ["manchester", "coal_mine", "coal_mine"]}, link={"burnley--colne": "red"})
COLNE_MOVE: Move = {
    "action": "combine",
    "player": "yellow",
    "card": "manchester",
    "other": "coal_mine",
    "slot": "colne.1",
    "industry": "cotton_mill",
    "coal": [],
    "iron": [],
}


def test_colne_with_two_cards() -> None:
    outcome = engine().step(COLNE, COLNE_MOVE)
    assert told(outcome, "card_played") == [
        ("card_played", "yellow", "manchester"),
        ("card_played", "yellow", "coal_mine"),
    ]
    assert outcome.position is not None
    assert outcome.position.state["turn"] == 2
    assert outcome.position.state["tile"] == {"colne.1": tile("yellow", "cotton_mill", 1)}
    assert {move["other"] for move in moves(COLNE, "combine", card="coal_mine")} == {"coal_mine"}


def test_combining_needs_both_actions_and_both_cards() -> None:
    one_left = Position(COLNE.ruleset, 3, COLNE.state | {"actions": 1})
    assert names(engine().step(one_left, COLNE_MOVE)) == ["combine.two_actions"]
    assert moves(one_left, "combine") == []
    twice = COLNE_MOVE | {"card": "manchester", "other": "manchester"}
    assert names(engine().step(COLNE, twice)) == ["card.held"]


def test_colne_with_coal_needs_coal() -> None:
    steam = Position(COLNE.ruleset, 3, COLNE.state | {"stack": stack("yellow", cotton_mill=2)})
    assert names(engine().step(steam, COLNE_MOVE)) == ["build.coal"]
    market = COLNE_MOVE | {"coal": ["market"]}
    assert names(engine().step(steam, market)) == ["coal.port"]
    linked = Position(COLNE.ruleset, 3, steam.state | {"link": {"colne--yorkshire": "red"}})
    assert told(engine().step(linked, market), "paid") == [("paid", "yellow", 15)]


# Ukazatel poptávky: three empty spaces; the next coal costs £2, and a new mine of three cubes earns £4.

DEMAND = table(
    coal=5,
    iron=4,
    tile={"warrington_and_runcorn.2": tile("red", "port", 1, flipped=True)},
    hand={"yellow": ["wigan", "warrington_and_runcorn", "wigan"]},
    stack=stack("yellow", coal_mine=2, cotton_mill=2),
    money={"yellow": 40, "red": 30, "purple": 30},
)


def test_next_coal_costs_two() -> None:
    move = build("yellow", "warrington_and_runcorn", "warrington_and_runcorn.1", "cotton_mill", ["market"], [])
    outcome = engine().step(DEMAND, move)
    assert told(outcome, "paid") == [("paid", "yellow", 16)]
    assert outcome.position is not None
    assert outcome.position.state["coal"] == 4


def test_next_iron_costs_three() -> None:
    develop = {"action": "develop", "player": "yellow", "card": "wigan", "industry": "coal_mine", "iron": "market"}
    assert told(engine().step(DEMAND, develop), "paid") == [("paid", "yellow", 3)]


def test_new_mine_fills_the_track() -> None:
    move = build("yellow", "warrington_and_runcorn", "warrington_and_runcorn.1", "coal_mine", [], [])
    outcome = engine().step(DEMAND, move)
    assert [tuple(event.values()) for event in outcome.events] == [
        ("card_played", "yellow", "warrington_and_runcorn"),
        ("paid", "yellow", 7),
        ("tile_built", "warrington_and_runcorn.1", "coal_mine", 2),
        ("cubes_sold", "warrington_and_runcorn.1", 3),
        ("received", "yellow", 4),
        ("tile_flipped", "warrington_and_runcorn.1"),
        ("income_moved", "yellow", 17),
    ]
    assert outcome.position is not None
    assert outcome.position.state["coal"] == 8
    assert outcome.position.state["money"]["yellow"] == 37
    assert outcome.position.state["spent"] == {"yellow": 7}


def test_mine_away_from_ports_keeps_its_coal() -> None:
    outcome = engine().step(DEMAND, build("yellow", "wigan", "wigan.1", "coal_mine", [], []))
    assert outcome.position is not None
    assert outcome.position.state["tile"]["wigan.1"] == tile("yellow", "coal_mine", 2, cubes=3)
    assert outcome.position.state["coal"] == 5


def test_the_money_earned_does_not_pay_for_the_mine() -> None:
    poor = Position(DEMAND.ruleset, 3, DEMAND.state | {"money": {"yellow": 6}})
    move = build("yellow", "warrington_and_runcorn", "warrington_and_runcorn.1", "coal_mine", [], [])
    assert names(engine().step(poor, move)) == ["money.enough"]


def test_empty_track_costs_five() -> None:
    empty = Position(DEMAND.ruleset, 3, DEMAND.state | {"coal": 0})
    move = build("yellow", "warrington_and_runcorn", "warrington_and_runcorn.1", "cotton_mill", ["market"], [])
    outcome = engine().step(empty, move)
    assert told(outcome, "coal_taken", "paid") == [("coal_taken", "market"), ("paid", "yellow", 19)]
    assert outcome.position is not None
    assert outcome.position.state["coal"] == 0


def test_works_always_fill_the_track_and_iron_comes_from_works_first() -> None:
    table_ = table(
        iron=6,
        tile={"wigan.1": tile("red", "coal_mine", 1, cubes=1)},
        link={"bolton--wigan": "red", "blackburn--wigan": "red"},
        hand={"yellow": ["blackburn", "blackburn", "blackburn"]},
    )
    outcome = engine().step(table_, build("yellow", "blackburn", "blackburn.3", "iron_works", ["wigan.1"], []))
    assert told(outcome, "tile_flipped", "income_moved", "cubes_sold", "received") == [
        ("tile_flipped", "wigan.1"),
        ("income_moved", "red", 14),
        ("cubes_sold", "blackburn.3", 2),
        ("received", "yellow", 2),
    ]
    assert outcome.position is not None
    develop = {"action": "develop", "player": "yellow", "card": "blackburn", "industry": "shipyard", "iron": "market"}
    assert names(engine().step(outcome.position, develop)) == ["iron.works_first"]
    first = engine().step(outcome.position, develop | {"iron": "blackburn.3"})
    assert first.position is not None
    assert first.position.state["pending"] == "develop"
    assert told(first, "paid") == []
    second = {"action": "develop_second", "player": "yellow", "industry": "shipyard", "iron": "blackburn.3"}
    outcome = engine().step(first.position, second)
    assert [event["event"] for event in outcome.events] == [
        "iron_taken",
        "tile_flipped",
        "income_moved",
        "tile_developed",
    ]
    assert outcome.position is not None
    assert outcome.position.state["gone"] == {"yellow": {"shipyard": {"0": 2}}}
    assert outcome.position.state["stack"]["yellow"]["shipyard"] == {"1": 2, "2": 2}
    assert outcome.position.state["turn"] == 2


# Loděnice, Birkenhead


def test_level_zero_shipyards_are_not_built() -> None:
    position = table(hand={"yellow": ["liverpool", "liverpool"]})
    move = build("yellow", "liverpool", "liverpool.3", "shipyard", [], [])
    assert names(engine().step(position, move)) == ["build.level_zero"]


def test_shipyard_in_birkenhead() -> None:
    position = table(
        era="rail",
        tile={"ellesmere_port.1": tile("red", "port", 2), "liverpool.1": tile("yellow", "port", 2)},
        link={"birkenhead--ellesmere_port": "red"},
        hand={"yellow": ["shipyard", "shipyard"]},
        stack=stack("yellow", shipyard=2),
    )
    move = build("yellow", "shipyard", "birkenhead.1", "shipyard", ["market"], ["market"])
    outcome = engine().step(position, move)
    assert told(outcome, "paid", "tile_flipped", "income_moved") == [
        ("paid", "yellow", 27),
        ("tile_flipped", "birkenhead.1"),
        ("income_moved", "yellow", 11),
    ]
    unlinked = Position(position.ruleset, 3, position.state | {"link": {}})
    assert names(engine().step(unlinked, move)) == ["coal.port"]
    away = Position(position.ruleset, 3, position.state | {"tile": {"ellesmere_port.1": tile("red", "port", 2)}})
    assert names(engine().step(away, move)) == ["card.network"]
    canal_era = Position(position.ruleset, 3, position.state | {"era": "canal"})
    assert names(engine().step(canal_era, move)) == ["card.network", "build.rail_tile"]


def test_first_build_with_an_industry_card_goes_anywhere() -> None:
    position = table(built={}, hand={"yellow": ["port", "port"]})
    assert len(moves(position, "build", card="port")) == 8  # ten port spaces less Lancaster's right, Preston's lower
    built = table(hand={"yellow": ["port", "port"]})
    assert moves(built, "build", card="port") == []


# Průplavy, Vnější lokace


def test_canals_from_the_first_tile() -> None:
    position = table(tile={"liverpool.1": tile("yellow", "port", 1)}, hand={"yellow": ["oldham", "oldham"]})
    assert [move["link"] for move in moves(position, "canal")] == ["ellesmere_port--liverpool", "liverpool--wigan"]
    rail = {"action": "canal", "player": "yellow", "card": "oldham", "link": "liverpool--southport"}
    assert names(engine().step(position, rail)) == ["link.canal_line"]


def test_canals_go_on_from_yorkshire() -> None:
    position = table(link={"colne--yorkshire": "yellow"}, hand={"yellow": ["oldham", "oldham"]})
    assert [move["link"] for move in moves(position, "canal")] == ["burnley--colne", "rochdale--yorkshire"]
    outcome = engine().step(
        position, {"action": "canal", "player": "yellow", "card": "oldham", "link": "rochdale--yorkshire"}
    )
    assert [tuple(event.values()) for event in outcome.events] == [
        ("card_played", "yellow", "oldham"),
        ("paid", "yellow", 3),
        ("link_built", "rochdale--yorkshire"),
    ]


def test_canal_refused() -> None:
    position = table(era="rail", link={"colne--yorkshire": "red"}, hand={"yellow": ["oldham"]}, money={})
    move = {"action": "canal", "player": "yellow", "card": "bury", "link": "colne--yorkshire"}
    assert names(engine().step(position, move)) == [
        "card.held",
        "money.enough",
        "link.canal_era",
        "link.free",
        "link.network",
    ]


# Železnice


def test_rail_to_manchester_buys_coal_through_the_port_it_reaches() -> None:
    position = table(
        era="rail",
        tile={
            "manchester.1": tile("red", "cotton_mill", 2),
            "warrington_and_runcorn.2": tile("yellow", "port", 2),
        },
        hand={"red": ["oldham", "oldham", "bury"]},
        turn=2,
    )
    links = {move["link"]: move["coal"] for move in moves(position, "rail", card="oldham")}
    assert links == {"manchester--warrington_and_runcorn": "market"}
    first = engine().step(position, moves(position, "rail", card="oldham")[0])
    assert told(first, "coal_taken", "paid") == [("coal_taken", "market"), ("paid", "red", 6)]
    assert first.position is not None
    assert first.position.state["pending"] == "rail"
    assert first.position.state["actions"] == 2
    second = {"action": "second_rail", "player": "red", "link": "manchester--oldham", "coal": "market"}
    outcome = engine().step(first.position, second)
    assert told(outcome, "paid") == [("paid", "red", 11)]
    assert outcome.position is not None
    assert outcome.position.state["spent"] == {"red": 17}  # £15 and two cubes
    assert names(engine().step(position, second)) == ["coal.port", "rail.second"]
    done = {"action": "done", "player": "red"}
    closed = engine().step(first.position, done)
    assert closed.events == ()
    assert closed.position is not None
    assert closed.position.state["actions"] == 1
    assert names(engine().step(position, done)) == ["done.open"]
    other = {"action": "pass", "player": "red", "card": "oldham"}
    assert names(engine().step(first.position, other)) == ["turn.unfinished"]


def test_rail_to_an_external_place_buys_coal() -> None:
    position = table(
        era="rail", tile={"colne.1": tile("yellow", "cotton_mill", 2)}, hand={"yellow": ["oldham", "oldham"]}
    )
    assert [(move["link"], move["coal"]) for move in moves(position, "rail")] == [("colne--yorkshire", "market")]


def test_rail_coal_from_the_nearest_mine_of_either_end() -> None:
    position = table(
        era="rail",
        tile={
            "bury.1": tile("red", "coal_mine", 2, cubes=1),
            "blackburn.1": tile("red", "coal_mine", 2, cubes=1),
            "oldham.1": tile("red", "coal_mine", 2, cubes=1),
            "wigan.1": tile("yellow", "coal_mine", 2, flipped=True),
        },
        link={"bolton--bury": "red", "manchester--oldham": "red", "blackburn--wigan": "yellow"},
        hand={"yellow": ["oldham", "oldham"]},
    )
    # Wigan's nearest is Blackburn's mine; Bolton's is Bury's. Oldham's is connected to neither.
    assert [move["coal"] for move in moves(position, "rail", link="bolton--wigan")] == ["blackburn.1", "bury.1"]


def test_action_that_nothing_can_follow_closes_by_itself() -> None:
    position = table(
        era="rail",
        tile={"colne.1": tile("yellow", "cotton_mill", 2)},
        hand={"yellow": ["oldham", "oldham"]},
        money={"yellow": 15},
    )
    outcome = engine().step(position, moves(position, "rail")[0])
    assert outcome.position is not None
    assert outcome.position.state["pending"] == "none"
    assert outcome.position.state["actions"] == 1


# Prodej bavlny, Vzdálený trh

SALE = table(
    tile={
        "bury.1": tile("yellow", "cotton_mill", 1),
        "manchester.1": tile("yellow", "cotton_mill", 2),
        "warrington_and_runcorn.2": tile("red", "port", 1),
        "liverpool.1": tile("yellow", "port", 2),
    },
    link={"bury--manchester": "red", "manchester--warrington_and_runcorn": "purple"},
    hand={"yellow": ["oldham", "oldham"]},
)


def sale(mill: str, through: str) -> Move:
    return {"action": "sell", "player": "yellow", "card": "oldham", "mill": mill, "through": through}


def test_sale_through_a_port_of_another() -> None:
    assert [(move["mill"], move["through"]) for move in moves(SALE, "sell")] == [
        (mill, through) for mill in ("bury.1", "manchester.1") for through in ("distant", "warrington_and_runcorn.2")
    ]
    outcome = engine().step(SALE, sale("bury.1", "warrington_and_runcorn.2"))
    assert [tuple(event.values()) for event in outcome.events] == [
        ("card_played", "yellow", "oldham"),
        ("mill_sold", "bury.1", "warrington_and_runcorn.2"),
        ("tile_flipped", "bury.1"),
        ("income_moved", "yellow", 15),
        ("tile_flipped", "warrington_and_runcorn.2"),
        ("income_moved", "red", 13),
    ]
    assert outcome.position is not None
    assert outcome.position.state["pending"] == "sale"
    # The flipped port sells no more, but still leads to the distant market.
    again = engine().legal_moves(outcome.position)
    assert again == [
        {"action": "sell_more", "player": "yellow", "mill": "manchester.1", "through": "distant"},
        {"action": "done", "player": "yellow"},
    ]


def test_sale_refused() -> None:
    assert names(engine().step(SALE, sale("bury.1", "liverpool.1"))) == ["sell.connected"]
    assert names(engine().step(SALE, sale("warrington_and_runcorn.2", "manchester.1"))) == ["sell.mill", "sell.port"]
    more = {"action": "sell_more", "player": "yellow", "mill": "bury.1", "through": "distant"}
    closed = Position(SALE.ruleset, 3, SALE.state | {"demand": 8, "link": {}})
    assert names(engine().step(closed, more)) == ["sell.more", "sell.distant_open", "sell.distant_port"]


def test_distant_market() -> None:
    asked = engine().step(SALE, sale("bury.1", "distant"))
    assert [event["event"] for event in asked.events] == ["card_played"]
    assert asked.position is not None
    assert asked.position.state["selling"] == "bury.1"
    assert engine().legal_moves(asked.position) == []
    chances = [(one["value"], weight) for one, weight in engine().chance(asked.position)]
    assert chances == [(0, 2), (1, 2), (2, 4), (3, 3), (4, 1)]
    outcome = engine().apply_chance(asked.position, {"chance": "turn_tile", "value": 2})
    assert [tuple(event.values()) for event in outcome.events] == [
        ("tile_turned", 2),
        ("demand_moved", 2),
        ("mill_sold", "bury.1", "distant"),
        ("tile_flipped", "bury.1"),
        ("income_moved", "yellow", 17),  # 5 for the mill and 2 for the space
    ]
    assert outcome.position is not None
    assert outcome.position.state["turned"] == [2]
    assert outcome.position.state["pending"] == "sale"


def test_distant_market_closes() -> None:
    low = Position(SALE.ruleset, 3, SALE.state | {"demand": 6})
    asked = engine().step(low, sale("bury.1", "distant"))
    assert asked.position is not None
    outcome = engine().apply_chance(asked.position, {"chance": "turn_tile", "value": 3})
    assert [tuple(event.values()) for event in outcome.events] == [
        ("tile_turned", 3),
        ("demand_moved", 8),
        ("distant_closed",),
    ]
    assert outcome.position is not None
    state = outcome.position.state
    assert (state["pending"], state["actions"], state["selling"], state["demand"]) == ("none", 1, None, 8)
    assert not state["tile"]["bury.1"]["flipped"]
    assert {move["through"] for move in moves(outcome.position, "sell")} == {"warrington_and_runcorn.2"}


# Přestavba

OVERBUILD = table(
    coal=0,
    tile={"wigan.1": tile("red", "coal_mine", 1, flipped=True), "bury.1": tile("yellow", "coal_mine", 1, cubes=2)},
    hand={"yellow": ["wigan", "bury"]},
    stack=stack("yellow", coal_mine=2, cotton_mill=1),
)


def test_replacing_the_mine_of_an_opponent() -> None:
    move = build("yellow", "wigan", "wigan.1", "coal_mine", [], [])
    assert names(engine().step(OVERBUILD, move)) == ["overbuild.exhausted"]
    spent = {
        "wigan.1": tile("red", "coal_mine", 1, flipped=True),
        "bury.1": tile("yellow", "coal_mine", 1, flipped=True),
    }
    exhausted = Position(OVERBUILD.ruleset, 3, OVERBUILD.state | {"tile": spent})
    outcome = engine().step(exhausted, move)
    assert told(outcome, "tile_removed", "tile_built") == [
        ("tile_removed", "wigan.1"),
        ("tile_built", "wigan.1", "coal_mine", 2),
    ]
    assert outcome.position is not None
    assert outcome.position.state["gone"] == {"red": {"coal_mine": {"1": 1}}}
    on_track = Position(OVERBUILD.ruleset, 3, exhausted.state | {"coal": 1})
    assert names(engine().step(on_track, move)) == ["overbuild.exhausted"]


def test_replacing_an_own_tile() -> None:
    outcome = engine().step(OVERBUILD, build("yellow", "bury", "bury.1", "coal_mine", [], []))
    assert outcome.position is not None
    assert outcome.position.state["tile"]["bury.1"] == tile("yellow", "coal_mine", 2, cubes=3)
    other = build("yellow", "bury", "bury.1", "cotton_mill", [], [])
    assert names(engine().step(OVERBUILD, other)) == ["overbuild.industry", "overbuild.level"]
    linked = OVERBUILD.state | {"link": {"bolton--bury": "yellow"}, "hand": {"yellow": ["coal_mine"]}}
    industry_card = build("yellow", "coal_mine", "bury.1", "coal_mine", [], [])
    assert names(engine().step(Position(OVERBUILD.ruleset, 3, linked), industry_card)) == ["card.own_tile"]


# Půjčky


def test_loan_of_thirty_goes_down_three_bands_to_the_highest_space() -> None:
    position = table(income={"yellow": 18}, hand={"yellow": ["oldham", "oldham"]})
    loan = {"action": "loan", "player": "yellow", "card": "oldham", "amount": 3}
    outcome = engine().step(position, loan)
    assert told(outcome, "loan_taken", "income_moved") == [
        ("loan_taken", "yellow", 30),
        ("income_moved", "yellow", 12),  # from income 4 to income 1
    ]
    low = table(income={"yellow": 2}, hand={"yellow": ["oldham", "oldham"]})
    assert [move["amount"] for move in moves(low, "loan")] == [1, 2]
    assert names(engine().step(low, loan)) == ["loan.floor"]


def test_no_loan_once_the_deck_is_empty_in_the_rail_era() -> None:
    loan = {"action": "loan", "player": "yellow", "card": "oldham", "amount": 1}
    hand = {"yellow": ["oldham", "oldham"]}
    assert engine().step(table(deck=[], hand=hand), loan).legal
    assert names(engine().step(table(era="rail", deck=[], hand=hand), loan)) == ["loan.deck"]
    assert engine().step(table(era="rail", deck=["bury"], hand=hand), loan).legal


# Pořadí ve hře, PŘÍKLAD: red spent 23, purple 6, green 6, yellow 12.


def test_turn_order() -> None:
    position = table(
        4,
        order=["red", "green", "yellow", "purple"],
        turn=4,
        actions=1,
        spent={"red": 23, "purple": 6, "green": 6, "yellow": 12},
        hand={player: ["bury"] for player in ("red", "green", "yellow")} | {"purple": ["bury", "bury"]},
        deck=["bolton"],
    )
    outcome = engine(4).step(position, {"action": "pass", "player": "purple", "card": "bury"})
    assert told(outcome, "order_set") == [
        ("order_set", "green", 1),
        ("order_set", "purple", 2),
        ("order_set", "yellow", 3),
        ("order_set", "red", 4),
    ]
    assert outcome.position is not None
    state = outcome.position.state
    assert (state["phase"], state["turn"], state["actions"], state["spent"]) == ("refill", 1, 0, {})
    assert engine(4).chance(outcome.position) == [({"chance": "draw", "player": "green", "card": "bolton"}, 1)]


# Příjem


def income_due(**state: Any) -> Position:
    """Red's last action of a round; yellow then has income -5, red 2, purple 0."""
    return table(
        order=["red", "purple", "yellow"],
        turn=3,
        actions=1,
        deck=[],
        hand={"yellow": ["bury", "bury"], "red": ["bury"], "purple": ["bury"]},
        income={"yellow": 5, "red": 14, "purple": 10},
        **state,
    )


PASS = {"action": "pass", "player": "yellow", "card": "bury"}


def test_income_is_taken_and_paid_in_order() -> None:
    outcome = engine().step(income_due(), PASS)
    assert told(outcome, "round_begun", "income_taken", "income_paid") == [
        ("round_begun", 4),
        ("income_taken", "red", 2),
        ("income_paid", "yellow", 5),
    ]


def test_shortfall_is_met_by_tiles() -> None:
    tiles = {
        "bury.1": tile("yellow", "coal_mine", 1, cubes=2),
        "oldham.1": tile("yellow", "cotton_mill", 1),
        "wigan.1": tile("red", "coal_mine", 1, cubes=2),
    }
    outcome = engine().step(income_due(money={"yellow": 1}, tile=tiles), PASS)
    position = outcome.position
    assert position is not None
    assert (position.state["phase"], position.state["turn"], position.state["owed"]) == ("income", 3, 5)
    give_up = {"action": "give_up", "player": "yellow", "slot": "bury.1"}
    assert [move["slot"] for move in engine().legal_moves(position)] == ["bury.1", "oldham.1"]
    assert names(engine().step(position, give_up | {"slot": "wigan.1"})) == ["shortfall.own"]
    assert names(engine().step(position, give_up | {"player": "red", "slot": "bury.1"})) == [
        "shortfall.due",
        "shortfall.own",
    ]
    assert names(engine().step(position, PASS)) == ["turn.order"]
    first = engine().step(position, give_up)
    assert told(first, "tile_removed", "received", "income_paid") == [
        ("tile_removed", "bury.1"),
        ("received", "yellow", 2),
    ]
    assert first.position is not None
    assert first.position.state["owed"] == 5
    second = engine().step(first.position, give_up | {"slot": "oldham.1"})
    assert told(second, "tile_removed", "received", "income_paid") == [
        ("tile_removed", "oldham.1"),
        ("received", "yellow", 6),
        ("income_paid", "yellow", 5),
    ]
    assert second.position is not None
    state = second.position.state
    assert (state["phase"], state["money"]["yellow"], state["owed"], state["turn"]) == ("actions", 4, 0, 1)


def test_shortfall_without_tiles_costs_points() -> None:
    outcome = engine().step(income_due(money={"yellow": 1}, vp={"yellow": 3}), PASS)
    assert told(outcome, "income_paid", "vp_lost") == [("income_paid", "yellow", 1), ("vp_lost", "yellow", 3)]
    assert outcome.position is not None
    assert outcome.position.state["vp"] == {}


# Vítězné body, Konec Období, Konec hry


def last_pass(**state: Any) -> Position:
    """Purple's last card of an era."""
    return table(round=10, turn=3, actions=1, deck=[], hand={"purple": ["bury"]}, **state)


LAST = {"action": "pass", "player": "purple", "card": "bury"}


def test_canal_era_scoring_and_clean_up() -> None:
    position = last_pass(
        tile={
            "colne.1": tile("yellow", "cotton_mill", 1, flipped=True),
            "burnley.1": tile("yellow", "cotton_mill", 2, flipped=True),
            "rochdale.3": tile("yellow", "iron_works", 2, flipped=True),
            "bury.1": tile("yellow", "coal_mine", 2, flipped=True),
            "bolton.1": tile("red", "cotton_mill", 1),
        },
        link={"colne--yorkshire": "yellow", "burnley--colne": "red", "bolton--bury": "red"},
        demand=5,
        distant=[0, 0, 1, 2, 2, 2, 3, 3, 3, 4],
        turned=[1, 2],
    )
    outcome = engine().step(position, LAST)
    assert told(outcome, "links_scored", "tiles_scored", "tile_removed", "era_begun") == [
        ("links_scored", "yellow", 3),
        ("tiles_scored", "yellow", 15),
        ("links_scored", "red", 3),
        ("tile_removed", "bolton.1"),
        ("tile_removed", "colne.1"),
        ("era_begun", "rail"),
    ]
    assert outcome.position is not None
    state = outcome.position.state
    assert (state["era"], state["phase"], state["round"], state["demand"]) == ("rail", "deal", 1, 0)
    assert (state["link"], state["turned"], len(state["distant"])) == ({}, [], 12)
    assert sorted(state["tile"]) == ["burnley.1", "bury.1", "rochdale.3"]
    assert (state["discard"], state["deck"]) == ([], ["bury"])


def test_end_of_the_game() -> None:
    position = last_pass(
        era="rail",
        spent={"yellow": 5, "red": 4, "purple": 4},
        money={"yellow": 29, "red": 29, "purple": 29},
        income={"yellow": 11, "red": 12, "purple": 11},
    )
    outcome = engine().step(position, LAST)
    assert told(outcome, "order_set", "money_scored", "ranked") == [
        ("order_set", "red", 1),
        ("order_set", "purple", 2),
        ("order_set", "yellow", 3),
        ("money_scored", "red", 2),
        ("money_scored", "purple", 2),
        ("money_scored", "yellow", 2),
        ("ranked", "red", 1),
        ("ranked", "purple", 2),
        ("ranked", "yellow", 3),
    ]
    assert outcome.position is not None
    state = outcome.position.state
    assert (state["phase"], state["standing"]) == ("over", {"yellow": 3, "red": 1, "purple": 2})
    assert engine().legal_moves(outcome.position) == []
    assert engine().chance(outcome.position) == []


# Varianta pro 2 hráče


def test_two_player_variant() -> None:
    rules = engine(2)
    state = rules.initial().state
    assert (state["money"], state["coal"], state["iron"]) == ({"yellow": 25, "red": 25}, 6, 6)
    assert state["distant"] == [1, 2, 2, 2, 2, 3, 3, 4]
    position = table(2, link={"lancaster--preston": "yellow"}, hand={"yellow": ["bury", "bury"]})
    links = [move["link"] for move in moves(position, "canal")]
    assert links == ["fleetwood--preston", "lancaster--scotland", "preston--wigan"]
    develop = {"action": "develop", "player": "yellow", "card": "bury", "industry": "shipyard", "iron": "market"}
    assert told(rules.step(position, develop), "paid") == [("paid", "yellow", 2)]


# Příprava hry, Fáze 1. Karty


def test_beginning() -> None:
    rules = engine(4)
    position = rules.initial()
    assert [(one["player"], weight) for one, weight in rules.chance(position)] == [
        ("yellow", 1),
        ("red", 1),
        ("purple", 1),
        ("green", 1),
    ]
    assert rules.legal_moves(position) == []
    outcome = rules.apply_chance(position, {"chance": "first", "player": "purple"})
    assert told(outcome, "era_begun") == [("era_begun", "canal")]
    for number in range(38):
        assert outcome.position is not None
        assert outcome.position.state["phase"] == ("deal" if number < 32 else "set_aside")
        chance, weight = rules.chance(outcome.position)[0]
        assert weight == outcome.position.state["deck"].count(chance["card"])
        if number < 32:
            assert chance["player"] == ("purple", "green", "yellow", "red")[number // 8]
        outcome = rules.apply_chance(outcome.position, chance)
    assert told(outcome, "round_begun") == [("round_begun", 1)]
    assert outcome.position is not None
    state = outcome.position.state
    assert (state["phase"], state["actions"], state["turn"]) == ("actions", 1, 1)
    assert state["order"] == ["purple", "green", "yellow", "red"]
    assert len(state["aside"]) == 6
