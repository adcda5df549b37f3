"""Random games end where they should, and nothing gets lost on the way."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from engine_playing import EDITIONS, cards, engine, events_of, play, tiles

from brassspec.formats import Outcome, Position

CARDS = {
    ("lancashire-2007-2p", 2): 40,
    ("lancashire-2007", 3): 66,
    ("lancashire-2007", 4): 66,
    ("lancashire-2018", 2): 40,
    ("lancashire-2018", 3): 54,
    ("lancashire-2018", 4): 64,
    ("lancashire-2018-intro", 2): 40,
    ("lancashire-2018-intro", 3): 54,
    ("lancashire-2018-intro", 4): 64,
    ("mini", 2): 6,
}
ROUNDS = {
    ("lancashire-2007-2p", 2): {"canal": 10, "rail": 10},
    ("lancashire-2007", 3): {"canal": 10, "rail": 10},
    ("lancashire-2007", 4): {"canal": 8, "rail": 8},
    ("lancashire-2018", 2): {"canal": 10, "rail": 10},
    ("lancashire-2018", 3): {"canal": 9, "rail": 9},
    ("lancashire-2018", 4): {"canal": 8, "rail": 8},
    ("lancashire-2018-intro", 2): {"canal": 10},
    ("lancashire-2018-intro", 3): {"canal": 9},
    ("lancashire-2018-intro", 4): {"canal": 8},
    ("mini", 2): {"canal": 2, "rail": 1},
}
GAMES = [(ruleset, players, seed) for ruleset, players in ROUNDS for seed in range(40 if ruleset == "mini" else 4)]


def cubes(state: dict[str, Any], industry: str) -> int:
    return sum(tile["cubes"] for tile in state["tile"].values() if tile["industry"] == industry)


def check_balance(before: Position, outcome: Outcome) -> None:
    """Money, cubes and income change by just what the events tell."""
    assert outcome.position is not None
    edition = EDITIONS[before.ruleset][before.players]
    old, new = before.state, outcome.position.state
    change: Counter[str] = Counter()
    for event in outcome.events:
        if event["event"] in ("received", "income_taken", "loan_taken"):
            change[event["player"]] += event["amount"]
        elif event["event"] in ("paid", "income_paid"):
            change[event["player"]] -= event["amount"]
    for player in new["order"]:
        money = new["money"].get(player, 0)
        assert money == old["money"].get(player, 0) + change[player]
        assert money >= 0
    for event in events_of(outcome, "income_moved"):
        assert event["space"] <= len(edition.income_of_space) - 1
    for resource, industry in (("coal", "coal_mine"), ("iron", "iron_works")):
        sources = Counter(event["source"] for event in events_of(outcome, f"{resource}_taken"))
        bought = sources.pop("market", 0)
        built = [event for event in events_of(outcome, "tile_built") if event["industry"] == industry]
        laid = {event["slot"]: edition.tiles[industry, event["level"]].cubes for event in built}
        sold = {event["slot"]: event["cubes"] for event in events_of(outcome, "cubes_sold") if event["slot"] in laid}
        lost = 0
        for event in events_of(outcome, "tile_removed"):
            there = old["tile"].get(event["slot"])
            if there is None:  # built by this very move, and gone with the end of the era
                lost += laid.get(event["slot"], 0) - sold.get(event["slot"], 0)
            elif there["industry"] == industry:
                lost += there["cubes"] - sources[event["slot"]]
        laid_and_kept = sum(laid.values()) - sum(sold.values())
        assert new[resource] == max(old[resource] - bought, 0) + sum(sold.values())
        assert cubes(new, industry) == cubes(old, industry) - sources.total() + laid_and_kept - lost
    for slot, tile in new["tile"].items():
        if tile["industry"] in ("coal_mine", "iron_works"):
            assert tile["flipped"] == (tile["cubes"] == 0), slot


@pytest.mark.parametrize(("ruleset", "players", "seed"), GAMES)
def test_random_game(ruleset: str, players: int, seed: int) -> None:
    rules = engine(players, ruleset=ruleset)
    tiles_owned, link_tiles = (8, 2) if ruleset == "mini" else (37, 14)
    rounds: Counter[str] = Counter()
    played: Counter[str] = Counter()
    decisions = 0
    outcome = None
    for position, moves, _, outcome in play(players, seed, ruleset=ruleset):
        assert outcome.position is not None
        state = outcome.position.state
        era = position.state["era"]
        played[era] += len(events_of(outcome, "card_played"))
        for event in outcome.events:
            if event["event"] == "era_begun":
                era = event["era"]
            elif event["event"] == "round_begun":
                rounds[era] += 1
        assert cards(state) == CARDS[ruleset, players]
        assert len(state["distant"]) + len(state["turned"]) == len(EDITIONS[ruleset][players].distant)
        for player in state["order"]:
            assert tiles(state, player) == tiles_owned
            assert sum(owner == player for owner in state["link"].values()) <= link_tiles
        check_balance(position, outcome)
        if moves:
            decisions += 1
            assert len({json.dumps(move, sort_keys=True) for move in moves}) == len(moves)
            if decisions % 25 == 0 or ruleset == "mini":
                assert all(rules.step(position, move).legal for move in moves)
    assert rounds == ROUNDS[ruleset, players]
    set_aside = EDITIONS[ruleset][players].set_aside
    assert played == {era: CARDS[ruleset, players] - set_aside[era] for era in ROUNDS[ruleset, players]}
    assert outcome is not None
    assert outcome.position is not None
    assert outcome.position.state["phase"] == "over"
    state = outcome.position.state
    assert state["deck"] == []
    assert state["hand"] == {}
    places = sorted(state["standing"].values())
    if ruleset.startswith("lancashire-2018"):  # a place may be shared
        assert places == [1 + sum(other < place for other in places) for place in places]
    else:
        assert places == list(range(1, players + 1))


def test_speed() -> None:
    """A random game of four takes a fraction of a second; ten times that would make cross-checks of many games slow."""
    begun = time.process_time()
    assert sum(1 for _ in play(4, seed=1, ruleset="lancashire-2018")) > 200
    assert time.process_time() - begun < 3


def test_canonical_form_is_read_back() -> None:
    """Reading and writing is the identity: a refused change of nothing leaves the position as it was."""
    rules = engine(4)
    for position, moves, choice, outcome in play(4, seed=11):
        again = Position(position.ruleset, position.players, json.loads(json.dumps(position.state)))
        assert rules.legal_moves(again) == moves
        repeated = rules.step(again, choice) if moves else rules.apply_chance(again, choice)
        assert repeated == outcome
        assert again == position  # nothing given is changed


def test_moves_are_complete() -> None:
    """Whatever else is tried at a position is refused."""
    for ruleset, players, seed in (("", 3, 5), ("", 4, 6), ("", 2, 7), ("lancashire-2018", 3, 8)):
        rules = engine(players, ruleset=ruleset)
        for number, (position, moves, _, _) in enumerate(play(players, seed, ruleset=ruleset)):
            if moves and number % 29 == 0:
                for move in candidates(position):
                    assert rules.step(position, move).legal == (move in moves), move


def candidates(position: Position, places: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Well-formed moves of the player whose turn it is, with two of the cards held and one not held, in some or in given places."""
    state = position.state
    edition = EDITIONS[position.ruleset][position.players]
    player = state["order"][state["turn"] - 1]
    held = list(dict.fromkeys(state["hand"].get(player, [])))
    hand = [*held[:1], *held[-1:], *[card for card in edition.cards if card not in held][:1]]
    slots = list(places) or list(edition.slots)[:: 3 if player == "red" else 2]
    filled = list(state["tile"])
    mines = [slot for slot in filled if state["tile"][slot]["industry"] == "coal_mine"]
    works = [slot for slot in filled if state["tile"][slot]["industry"] == "iron_works"]
    coal = [*mines[:2], "market"]
    iron = [*works[:2], "market"]
    one = {"player": player}
    moves: list[dict[str, Any]] = []
    for card in hand:
        moves += [
            {"action": "build", **one, "card": card, "slot": slot, "industry": industry, "coal": black, "iron": orange}
            for slot in slots
            for industry in edition.industries
            for black in ([], *([source] for source in coal))
            for orange in ([], *([source] for source in iron))
        ]
        moves += [{"action": "canal", **one, "card": card, "link": link} for link in edition.lines]
        moves += [
            {"action": "rail", **one, "card": card, "link": link, "coal": source}
            for link in edition.lines
            for source in coal
        ]
        moves += [
            {"action": "develop", **one, "card": card, "industry": industry, "iron": source}
            for industry in edition.industries
            for source in iron
        ]
        moves += [
            {"action": "sell", **one, "card": card, "mill": mill, "through": through}
            for mill in filled
            for through in [*filled, "distant"]
        ]
        moves += [{"action": "loan", **one, "card": card, "amount": amount} for amount in (1, 2, 3)]
        moves.append({"action": "pass", **one, "card": card})
    moves += [
        {"action": "second_rail", **one, "link": link, "coal": source} for link in edition.lines for source in coal
    ]
    moves += [
        {"action": "develop_second", **one, "industry": industry, "iron": source}
        for industry in edition.industries
        for source in iron
    ]
    moves += [
        {"action": "sell_more", **one, "mill": mill, "through": through}
        for mill in filled
        for through in [*filled, "distant"]
    ]
    moves += [{"action": "give_up", **one, "slot": slot} for slot in slots]
    moves.append({"action": "done", **one})
    return moves


@pytest.mark.parametrize(("ruleset", "players"), [("lancashire-2007", 3), ("birmingham-2018", 3)])
def test_a_position_means_the_same_however_it_is_met(ruleset: str, players: int) -> None:
    """Reached by the engine itself or told anew, once or again after others: its moves and outcomes are the same."""
    rules = engine(players, "", ruleset)
    for position, moves, choice, outcome in islice(play(players, 5, "", ruleset), 120):
        anew = Position(position.ruleset, position.players, json.loads(json.dumps(position.state)))
        takes = rules.step if "action" in choice else rules.apply_chance
        for same in (position, anew, position):
            assert rules.legal_moves(same) == moves
            assert takes(same, choice) == outcome
