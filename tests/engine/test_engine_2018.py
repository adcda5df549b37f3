"""Brass: Lancashire (2018): what differs from 2007."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from engine_2018 import RULESET, at, build, change, rules, skip, verdict
from engine_playing import after, engine, kinds, stack, tile, told

from brassspec.formats import InputError, Position

ROUNDS = {2: 10, 3: 9, 4: 8}


# Set-up, order of play


def test_order_of_play_is_drawn_for_all() -> None:
    four = rules(4)
    start = four.initial()
    assert start.state["seated"] == 0
    assert start.state["money"] == dict.fromkeys(("yellow", "red", "purple", "green"), 30)
    seats = four.chance(start)
    assert seats == [({"chance": "seat", "player": player}, 1) for player in ("yellow", "red", "purple", "green")]
    first = four.apply_chance(start, {"chance": "seat", "player": "purple"})
    assert first.events == ()
    state = after(first).state
    assert (state["phase"], state["seated"], state["order"]) == ("start", 1, ["purple", "yellow", "red", "green"])
    second = four.apply_chance(after(first), {"chance": "seat", "player": "green"})
    assert after(second).state["order"] == ["purple", "green", "yellow", "red"]
    assert [one["player"] for one, _ in four.chance(after(second))] == ["yellow", "red"]
    with pytest.raises(InputError, match=r"^chance:"):
        four.apply_chance(after(second), {"chance": "seat", "player": "green"})
    third = four.apply_chance(after(second), {"chance": "seat", "player": "red"})  # the last place is not drawn
    assert kinds(third) == ["era_begun"]
    state = after(third).state
    assert (state["phase"], state["seated"], state["order"]) == ("deal", 0, ["purple", "green", "red", "yellow"])


def test_two_players_draw_one_place() -> None:
    two = rules(2)
    outcome = two.apply_chance(two.initial(), {"chance": "seat", "player": "red"})
    assert after(outcome).state["order"] == ["red", "yellow"]
    assert kinds(outcome) == ["era_begun"]


@pytest.mark.parametrize("seated", [-1, 3, True])
def test_seated_is_checked(seated: object) -> None:
    with pytest.raises(InputError, match=r"^state.seated:"):
        rules().chance(Position(RULESET, 3, {"seated": seated}))


def test_seated_is_a_variable_of_the_start_of_2018_only() -> None:
    with pytest.raises(InputError, match=r"^state.seated:"):
        rules().legal_moves(at(seated=1))
    with pytest.raises(InputError, match=r"^state.seated:"):
        engine(3).chance(Position("lancashire-2007", 3, {"seated": 0}))
    assert "seated" not in engine(3).initial().state


def passing(players: int, readings: str = "", seed: int = 1) -> list[Position]:
    """A whole game in which everybody passes, position by position."""
    all_pass = rules(players, readings)
    rng = random.Random(seed)
    positions = [all_pass.initial()]
    while positions[-1].state["phase"] != "over":
        position = positions[-1]
        due = all_pass.chance(position)
        if due:
            drawn = rng.choices([one for one, _ in due], [weight for _, weight in due])[0]
            positions.append(after(all_pass.apply_chance(position, drawn)))
        else:
            player = position.state["order"][position.state["turn"] - 1]
            card = position.state["hand"][player][0]
            positions.append(after(all_pass.step(position, skip(player, card))))
    return positions


@pytest.mark.parametrize(("players", "canal_cards", "rail_cards"), [(2, 19, 20), (3, 17, 18), (4, 15, 16)])
def test_a_game_of_passing(players: int, canal_cards: int, rail_cards: int) -> None:
    """L002, L004, L007, L058: the length of the game, its first round, and the rounds with loans."""
    turns: Counter[tuple[str, int]] = Counter()
    cards: Counter[str] = Counter()
    loans = set()
    judge = rules(players)
    for position in passing(players):
        state = position.state
        if state["phase"] == "actions":
            turns[state["era"], state["round"]] += 1
            cards[state["era"]] += 1
            player = state["order"][state["turn"] - 1]
            loan = {"action": "loan", "player": player, "card": state["hand"][player][0], "amount": 1}
            if judge.step(position, loan).legal:
                loans.add((state["era"], state["round"]))
            assert len(state["aside"]) == (players if state["era"] == "canal" else 0)
            assert (state["coal"], state["iron"]) == (8, 8)
    assert cards == {"canal": players * canal_cards, "rail": players * rail_cards}
    rounds = range(1, ROUNDS[players] + 1)
    assert turns == {
        (era, number): players * (1 if (era, number) == ("canal", 1) else 2)
        for era in ("canal", "rail")
        for number in rounds
    }
    with_loans = {("canal", number) for number in rounds} | {("rail", number) for number in rounds[:-4]}
    assert loans == with_loans


def test_a_card_that_is_not_marked_is_still_a_card() -> None:
    assert "cotton_mill" not in rules(2).initial().state["deck"]
    assert verdict(at(2, hand={"yellow": ["oldham"]}), skip(card="cotton_mill")) == ["card.held"]


def test_no_combining_in_the_first_round() -> None:
    """L007."""
    move = build("port", "lancaster.1", "port") | {"action": "combine", "card": "oldham", "other": "port"}
    first = at(round=1, actions=1, hand={"yellow": ["oldham", "port"]})
    assert verdict(first, move) == ["combine.two_actions"]
    assert verdict(change(first, round=2, actions=2), move) == []


# Rounds


def test_hand_is_refilled_after_the_own_turn() -> None:
    position = at(
        order=["red", "yellow", "purple"],
        turn=2,
        actions=1,
        hand={"yellow": ["bury"] * 7, "red": ["oldham"] * 6, "purple": ["wigan"] * 8},
        deck=["bolton", "bolton", "bury"],
    )
    outcome = rules().step(position, skip(card="bury"))
    assert kinds(outcome) == ["card_played", "passed"]
    state = after(outcome).state
    assert (state["phase"], state["turn"], state["actions"]) == ("refill", 2, 0)
    assert rules().legal_moves(after(outcome)) == []
    assert rules().chance(after(outcome)) == [
        ({"chance": "draw", "player": "yellow", "card": "bolton"}, 2),
        ({"chance": "draw", "player": "yellow", "card": "bury"}, 1),
    ]
    one = rules().apply_chance(after(outcome), {"chance": "draw", "player": "yellow", "card": "bolton"})
    assert after(one).state["phase"] == "refill"
    two = rules().apply_chance(after(one), {"chance": "draw", "player": "yellow", "card": "bury"})
    state = after(two).state
    assert (state["phase"], state["turn"], state["actions"], state["deck"]) == ("actions", 3, 2, ["bolton"])
    assert len(state["hand"]["red"]) == 6  # not refilled in others' turns


def round_ends(**state: Any) -> Position:
    """Yellow's last action of a round, with income -5 coming."""
    return at(
        order=["red", "purple", "yellow"],
        turn=3,
        actions=1,
        **{
            "deck": [],
            "hand": {"yellow": ["oldham", "oldham"], "red": ["bury"], "purple": ["bury"]},
            "income": {"yellow": 5, "red": 14, "purple": 10},
        }
        | state,
    )


def test_a_round_ends_with_refill_order_and_income() -> None:
    full = {"yellow": ["oldham"] * 8, "red": ["bury"] * 8, "purple": ["bury"] * 8}
    position = round_ends(deck=["bury"], hand=full, spent={"yellow": 1, "red": 9})
    outcome = rules().step(position, skip())
    assert kinds(outcome) == ["card_played", "passed"]
    drawn = rules().apply_chance(after(outcome), {"chance": "draw", "player": "yellow", "card": "bury"})
    assert [tuple(event.values()) for event in drawn.events] == [
        ("card_drawn", "yellow", "bury"),
        ("order_set", "purple", 1),
        ("order_set", "yellow", 2),
        ("order_set", "red", 3),
        ("income_paid", "yellow", 5),
        ("income_taken", "red", 2),
        ("round_begun", 4),
    ]
    state = after(drawn).state
    assert (state["phase"], state["turn"], state["actions"], state["spent"]) == ("actions", 1, 2, {})


def test_income_before_the_canal_era_is_scored() -> None:
    """L061, L064: income -4 and no money, with a mill of level 1: it is given up for £6, which is not spending."""
    position = round_ends(
        hand={"yellow": ["oldham"]},
        income={"yellow": 6, "red": 10, "purple": 10},
        money={},
        tile={"oldham.1": tile("yellow", "cotton_mill", 1, flipped=True)},
    )
    asked = rules().step(position, skip())
    assert kinds(asked) == ["card_played", "passed", "order_set", "order_set", "order_set"]
    state = after(asked).state
    assert (state["phase"], state["turn"], state["owed"]) == ("income", 3, 4)
    outcome = rules().step(after(asked), {"action": "give_up", "player": "yellow", "slot": "oldham.1"})
    assert told(outcome, "received", "income_paid", "tiles_scored", "era_begun") == [
        ("received", "yellow", 6),
        ("income_paid", "yellow", 4),
        ("era_begun", "rail"),
    ]
    state = after(outcome).state
    assert (state["money"], state["vp"], state["spent"]) == ({"yellow": 2}, {}, {})


def test_no_income_after_the_last_round_of_the_game() -> None:
    position = round_ends(era="rail", hand={"yellow": ["oldham"]}, money={"yellow": 29, "red": 30})
    outcome = rules().step(position, skip())
    assert kinds(outcome)[:2] == ["card_played", "passed"]
    assert told(outcome, "income_taken", "income_paid", "money_scored") == [
        ("money_scored", "red", 3),
        ("money_scored", "yellow", 2),  # L071
    ]
    assert after(outcome).state["phase"] == "over"


def test_shortfall_without_tiles_costs_points() -> None:
    outcome = rules().step(round_ends(money={"yellow": 1}, vp={"yellow": 7}), skip())
    assert told(outcome, "income_paid", "vp_lost") == [("income_paid", "yellow", 1), ("vp_lost", "yellow", 4)]
    outcome = rules().step(round_ends(money={"yellow": 1}, vp={"yellow": 3}), skip())
    assert told(outcome, "vp_lost") == [("vp_lost", "yellow", 3)]  # not below 0


def test_last_tie_is_shared() -> None:
    position = round_ends(era="rail", hand={"yellow": ["oldham"]}, money={}, income={"red": 11, "yellow": 12})
    outcome = rules().step(position, skip())
    assert told(outcome, "ranked") == [("ranked", "red", 1), ("ranked", "yellow", 1), ("ranked", "purple", 3)]
    assert after(rules(3, "+last_tie=order").step(position, skip())).state["standing"] == {
        "red": 1,
        "yellow": 2,
        "purple": 3,
    }


# Cards

OWN_PORT = at(
    tile={"liverpool.1": tile("yellow", "port", 1)}, hand={"yellow": ["port", "port"]}, stack=stack("yellow", port=2)
)


def test_industry_card_needs_the_network_in_either_era() -> None:
    for era in ("canal", "rail"):
        position = change(OWN_PORT, era=era)
        assert verdict(position, build("port", "liverpool.1", "port")) == []  # an own tile may be replaced
        assert verdict(position, build("port", "fleetwood.1", "port")) == ["card.network"]
        linked = change(position, link={"fleetwood--preston": "yellow"})
        assert verdict(linked, build("port", "fleetwood.1", "port")) == []
        rival = change(position, link={"fleetwood--preston": "red"})
        assert verdict(rival, build("port", "fleetwood.1", "port")) == ["card.network"]


@pytest.mark.parametrize(
    ("state", "violated"),
    [
        ({}, []),  # card.nothing_built, though yellow has built before
        ({"built": {}, "link": {"bolton--bury": "yellow"}}, ["card.network"]),
        ({"built": {}, "tile": {"bury.1": tile("yellow", "cotton_mill", 2)}}, ["card.network"]),
    ],
)
def test_a_player_with_nothing_builds_anywhere(state: dict[str, Any], violated: list[str]) -> None:
    position = at(era="rail", hand={"yellow": ["port"]}, stack=stack("yellow", port=2), **state)
    assert verdict(position, build("port", "fleetwood.1", "port")) == violated
