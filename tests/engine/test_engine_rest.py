"""From a position that need not be at rest, the rules go on by themselves until somebody or chance decides."""

from __future__ import annotations

from typing import Any

import pytest
from engine_playing import engine, kinds, play, table, tile, told

from brassspec.engine import Engine
from brassspec.formats import InputError, Outcome, Position

GAMES = [
    ("lancashire-2007", 3),
    ("lancashire-2007-2p", 2),
    ("lancashire-2018", 3),
    ("lancashire-2018-intro", 2),
    ("birmingham-2018", 2),
    ("birmingham-2018-intro", 4),
    ("mini", 2),
    ("mini-birmingham", 2),
]


def last_era(ruleset: str) -> str:
    return "canal" if ruleset.endswith("intro") else "rail"


def at(ruleset: str, players: int, phase: str, **state: Any) -> Position:
    """As at set-up but for the phase and what is told; nobody has a card, and the deck is empty."""
    return Position(ruleset, players, {"phase": phase, "deck": []} | state)


def rest(position: Position, readings: str = "") -> Outcome:
    """Where the rules go on from there; nobody decides and no chance falls before."""
    rules = Engine(position.ruleset + readings, position.players)
    assert rules.legal_moves(position) == []
    assert rules.chance(position) == []
    return rules.rest(position)


def state(outcome: Outcome) -> dict[str, Any]:
    assert outcome.position is not None
    return outcome.position.state


# At rest


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
@pytest.mark.parametrize("readings", ["", "shortfall_no_tiles=debt"])
def test_nothing_happens_at_rest(ruleset: str, players: int, readings: str) -> None:
    if readings.split("=")[0] not in ("", *Engine.readings(ruleset)):
        return
    named = f"+{readings}" if readings else ""
    rules = engine(players, named, ruleset)
    position = rules.initial()
    assert rules.rest(position) == Outcome(position=position)
    for _, _, _, outcome in play(players, 5, named, ruleset):
        assert outcome.position is not None
        met = Position(outcome.position.ruleset, players, outcome.position.state.copy())
        assert rules.rest(met) == Outcome(position=outcome.position)


# The end of an era


def test_scoring_of_2007() -> None:
    """cz "Fáze 3. Vítězné body", PŘÍKLAD: yellow has 9 for canals and 15 for tiles, red 3 and 2, none for the mill."""
    tiles = {
        "colne.1": tile("yellow", "cotton_mill", 1, flipped=True),
        "burnley.1": tile("yellow", "cotton_mill", 2, flipped=True),
        "rochdale.3": tile("yellow", "iron_works", 2, flipped=True),
        "bury.1": tile("yellow", "coal_mine", 2, flipped=True),
        "wigan.1": tile("red", "coal_mine", 2, flipped=True),
        "bolton.1": tile("red", "cotton_mill", 1),
    }
    yellow = ("colne--yorkshire", "rochdale--yorkshire", "burnley--colne", "oldham--rochdale")
    red = ("bolton--bury", "liverpool--wigan", "preston--wigan")
    links = dict.fromkeys(yellow, "yellow") | dict.fromkeys(red, "red")
    scored = rest(at("lancashire-2007", 3, "scoring", tile=tiles, link=links, demand=3))
    assert scored.events[:4] == (
        {"event": "links_scored", "player": "yellow", "vp": 9},
        {"event": "tiles_scored", "player": "yellow", "vp": 15},
        {"event": "links_scored", "player": "red", "vp": 3},
        {"event": "tiles_scored", "player": "red", "vp": 2},
    )
    assert state(scored)["vp"] == {"yellow": 24, "red": 5}
    cleared = rest(at("lancashire-2007", 3, "cleanup", tile=tiles, link=links, demand=3, vp=state(scored)["vp"]))
    assert scored.events[4:] == cleared.events
    assert cleared.position == scored.position
    assert told(cleared, "tile_removed", "era_begun") == [
        ("tile_removed", "bolton.1"),
        ("tile_removed", "colne.1"),
        ("era_begun", "rail"),
    ]


def test_scoring_of_birmingham() -> None:
    """pl "KONIEC ERY" 1, 2: a point a symbol at both ends of a link, anybody's, and the points of what is flipped.

    No rulebook at hand works one out. By hand: Stone 2 and Warrington 2, Stafford's tile is not flipped;
    the links are off the board before the clean-up.
    """
    tiles = {"stone.1": tile("red", "brewery", 2, flipped=True), "stafford.1": tile("red", "manufacturer", 2)}
    links = {"stafford--stone": "yellow", "stoke_on_trent--warrington": "red"}
    merchant = {"gloucester.1": "cotton", "gloucester.2": "blank", "oxford.1": "blank", "oxford.2": "all"}
    board = {"tile": tiles, "link": links, "merchant": merchant | {"shrewsbury.1": "manufacturer"}}
    scored = rest(at("birmingham-2018", 2, "scoring", **board))
    assert [tuple(event.values()) for event in scored.events] == [
        ("links_scored", "yellow", 2),
        ("links_scored", "red", 2),
        ("tiles_scored", "red", 5),
        ("barrel_placed", "gloucester.1"),
        ("barrel_placed", "oxford.2"),
        ("barrel_placed", "shrewsbury.1"),
        ("era_begun", "rail"),
        ("round_begun", 1),
    ]
    assert (state(scored)["link"], state(scored)["vp"]) == ({}, {"yellow": 2, "red": 7})
    cleared = rest(at("birmingham-2018", 2, "cleanup", **(board | {"link": {}, "vp": {"yellow": 2, "red": 7}})))
    assert cleared == Outcome(position=scored.position, events=scored.events[3:])


@pytest.mark.parametrize(
    ("ruleset", "link", "tiles", "for_link"),
    [
        (
            "lancashire-2018-intro",
            "bolton--manchester",
            {
                "bolton.1": tile("red", "coal_mine", 1, flipped=True),
                "manchester.1": tile("red", "coal_mine", 2, flipped=True),
            },
            2,
        ),
        (
            "birmingham-2018-intro",
            "gloucester--worcester",
            {
                "worcester.1": tile("red", "cotton_mill", 2, flipped=True),
                "birmingham.1": tile("red", "cotton_mill", 1, flipped=True),
            },
            4,
        ),
    ],
)
def test_further_points_of_an_introductory_game(ruleset: str, link: str, tiles: dict[str, Any], for_link: int) -> None:
    """By hand, the sheets' introductory game: in cleanup links and tiles have been scored, in scoring they have not."""
    level_2, both = (2, 3) if "lancashire" in ruleset else (5, 10)
    board = {"tile": tiles, "money": {"yellow": 43, "red": 90}, "income": {"yellow": 11, "red": 8}}
    merchant = {"gloucester.1": "cotton", "gloucester.2": "blank", "oxford.1": "blank", "oxford.2": "all"}
    if "birmingham" in ruleset:
        board["merchant"] = merchant | {"shrewsbury.1": "manufacturer"}
    scored = rest(at(ruleset, 2, "scoring", link={link: "yellow"}, **board))
    first = [("links_scored", "yellow", for_link), ("tiles_scored", "red", both)]
    further = [
        ("money_scored", "yellow", 10),
        ("income_scored", "yellow", 1),
        ("money_scored", "red", 15),
        ("income_scored", "red", -2),
        ("tiles_scored", "red", level_2),
    ]
    ranked = [("ranked", "red", 1), ("ranked", "yellow", 2)]
    assert [tuple(event.values()) for event in scored.events] == [*first, *further, *ranked]
    points = {"yellow": for_link, "red": both}
    left = state(scored)["link"]
    assert left == ({link: "yellow"} if "lancashire" in ruleset else {})  # of Birmingham's none once they are scored
    assert rest(at(ruleset, 2, "cleanup", link=left, vp=points, **board)) == Outcome(
        position=scored.position, events=scored.events[len(first) :]
    )
    unscored = rest(at(ruleset, 2, "cleanup", link={link: "yellow"}, **board))
    assert [tuple(event.values()) for event in unscored.events] == [*further, *ranked]
    assert state(unscored)["phase"] == "over"
    assert state(unscored)["vp"] == {"yellow": 11, "red": 13 + level_2}


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_the_last_ranking(ruleset: str, players: int) -> None:
    """Points, income and money are equal: in 2007 the order of play decides, in 2018 the place is shared."""
    era = last_era(ruleset)
    seats = ["green", "purple", "red", "yellow"][4 - players :]
    equal = {name: dict.fromkeys(seats, value) for name, value in (("vp", 7), ("income", 10), ("money", 2))}
    outcome = rest(at(ruleset, players, "scoring", era=era, order=seats, **equal))
    places = [number if "2007" in ruleset or ruleset == "mini" else 1 for number in range(1, players + 1)]
    ranking = list(zip(seats, places, strict=True))
    assert [tuple(event.values()) for event in outcome.events] == [("ranked", *place) for place in ranking]
    assert (state(outcome)["phase"], state(outcome)["standing"]) == ("over", dict(ranking))


# Rounds


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_the_order_by_spending(ruleset: str, players: int) -> None:
    """cz "Pořadí ve hře", pl "KONIEC RUNDY" 1: who spent least is first; at a tie nothing changes."""
    seats = ["green", "purple", "red", "yellow"][4 - players :]
    spent = {"green": 6, "purple": 6, "red": 5, "yellow": 4}
    card = engine(players, ruleset=ruleset).initial().state["deck"][0]
    stated = {"order": seats, "spent": {player: spent[player] for player in seats}, "hand": {seats[0]: [card]}}
    outcome = rest(at(ruleset, players, "order", **stated))
    order = [player for player in ("yellow", "red", "green", "purple") if player in seats]
    assert told(outcome, "order_set") == [("order_set", player, place) for place, player in enumerate(order, start=1)]
    after = state(outcome)
    assert (after["order"], after["spent"], after["round"], after["turn"]) == (order, {}, 2, 1)
    assert (after["phase"], after["actions"]) == ("actions", 2)


@pytest.mark.parametrize(
    ("ruleset", "told_then"),
    [("lancashire-2007", ["round_begun", "income_taken"]), ("lancashire-2018", ["income_taken", "round_begun"])],
)
def test_income_before_and_after_a_round(ruleset: str, told_then: list[str]) -> None:
    position = at(ruleset, 3, "order", hand={"red": ["bury"]}, income={"yellow": 11, "red": 10, "purple": 10})
    assert kinds(rest(position))[3:] == told_then


def test_income_due_and_not_yet_due() -> None:
    """Red is next, with an income of -5; yellow, who is before, neither takes nor pays again."""
    income = {"yellow": 20, "red": 5, "purple": 14}
    for due in ({}, {"owed": 5}):
        for ruleset in ("lancashire-2007", "lancashire-2018", "birmingham-2018"):
            position = at(ruleset, 3, "income", turn=2, money={"red": 9}, income=income, **due)
            outcome = rest(position)
            assert told(outcome, "income_taken", "income_paid") == [
                ("income_paid", "red", 5),
                ("income_taken", "purple", 2),
            ]


def test_a_shortfall_waits_for_the_player() -> None:
    tiles = {"bury.1": tile("red", "coal_mine", 1, cubes=2)}
    position = at("lancashire-2007", 3, "income", turn=2, money={"red": 1}, income={"red": 5}, tile=tiles)
    outcome = rest(position)
    assert (outcome.events, state(outcome)["owed"], state(outcome)["phase"]) == ((), 5, "income")
    assert outcome.position is not None
    assert engine().rest(outcome.position) == outcome
    assert [move["slot"] for move in engine().legal_moves(outcome.position)] == ["bury.1"]


def test_a_debt_is_no_shortfall_of_its_own() -> None:
    """Reading shortfall_no_tiles=debt: below £0 no tile is given up for an income that need not be paid."""
    tiles = {"bury.1": tile("red", "coal_mine", 1, cubes=2)}
    fields: dict[str, Any] = {"turn": 2, "money": {"red": -7}, "income": {"red": 14, "purple": 10}, "tile": tiles}
    outcome = rest(at("lancashire-2007", 3, "income", **fields), "+shortfall_no_tiles=debt")
    assert told(outcome, "income_taken", "tile_removed") == [("income_taken", "red", 2)]
    assert (state(outcome)["phase"], state(outcome)["money"]) == ("actions", {"red": -5})


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_nothing_left_to_draw(ruleset: str, players: int) -> None:
    for phase in ("deal", "set_aside"):
        outcome = rest(at(ruleset, players, phase))
        assert kinds(outcome)[0] == "round_begun"
        assert (state(outcome)["phase"], state(outcome)["actions"]) == ("actions", 1)
    card = engine(players, ruleset=ruleset).initial().state["deck"][0]
    after = state(rest(at(ruleset, players, "refill", hand={"yellow": [card]})))
    of_2007 = "2007" in ruleset or ruleset == "mini"
    assert (after["phase"], after["round"], after["turn"]) == ("actions", *((2, 1) if of_2007 else (1, 2)))


def test_set_up_goes_on() -> None:
    """2018: the last place in the order of play and the last merchant's space leave nothing to chance."""
    seated = rest(Position("lancashire-2018", 2, {"seated": 1}))
    assert (kinds(seated), state(seated)["phase"], state(seated)["seated"]) == (["era_begun"], "deal", 0)
    seated = rest(Position("birmingham-2018", 2, {"seated": 1}))
    assert (kinds(seated), state(seated)["phase"]) == ([], "merchants")
    merchant = {"gloucester.1": "cotton", "gloucester.2": "blank", "oxford.1": "blank", "oxford.2": "all"}
    placed = {"phase": "merchants", "merchant": merchant | {"shrewsbury.1": "manufacturer"}}
    assert kinds(rest(Position("birmingham-2018", 2, placed))) == ["era_begun"]


def test_an_action_that_nothing_can_follow_is_closed() -> None:
    position = table(actions=2, pending="sale", hand={"yellow": ["bury", "bury"]})
    outcome = engine().rest(position)
    assert (outcome.events, state(outcome)["pending"], state(outcome)["actions"]) == ((), "none", 1)


# Positions that no game could have


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_refused(ruleset: str, players: int) -> None:
    no_era = "era" if last_era(ruleset) == "canal" else "phase"  # an introductory game has no rail era at all
    refused: list[tuple[str, dict[str, Any]]] = [(no_era, {"phase": "cleanup", "era": "rail"})]
    for phase in ("order", "scoring", "cleanup"):
        wrong = {"turn": 2, "owed": 1, "standing": {"red": 1}, "actions": 1, "pending": "rail"}
        refused += [(variable, {"phase": phase, variable: value}) for variable, value in wrong.items()]
    for variable, stated in refused:
        with pytest.raises(InputError, match=rf"^state.{variable}:"):
            Engine(ruleset, players).rest(Position(ruleset, players, stated))
    with pytest.raises(InputError, match=r"^players:"):
        Engine(ruleset, players).rest(Position(ruleset, players + 1, {}))
