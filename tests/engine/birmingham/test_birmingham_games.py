"""Random games end where they should, and nothing gets lost on the way."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from birmingham_playing import engine, play
from engine_playing import cards, tiles

from brassspec.engine.birmingham import tables
from brassspec.formats import Outcome, Position

CUBED = {"coal": "coal_mine", "iron": "iron_works", "beer": "brewery"}


def check_money(old: dict[str, Any], new: dict[str, Any], outcome: Outcome) -> None:
    """Money and victory points change by just what the events tell."""
    money: Counter[str] = Counter(old["money"])
    points: Counter[str] = Counter(old["vp"])
    for event in outcome.events:
        if event["event"] in ("received", "income_taken", "loan_taken"):
            money[event["player"]] += event["amount"]
        elif event["event"] in ("paid", "income_paid"):
            money[event["player"]] -= event["amount"]
        elif event["event"] in ("vp_gained", "vp_lost"):
            points[event["player"]] += event["amount"] if event["event"] == "vp_gained" else -event["amount"]
        elif event["event"].endswith("_scored"):
            points[event["player"]] += event["vp"]
    assert +money == new["money"]
    assert +points == new["vp"]


def check_cubes(old: dict[str, Any], new: dict[str, Any], outcome: Outcome) -> None:
    """So do the cubes and barrels on the board and in the markets."""
    assert outcome.position is not None
    on_board: dict[str, int] = {slot: each["cubes"] for slot, each in old["tile"].items()}
    markets = {"coal": old["coal"], "iron": old["iron"]}
    barrels: Counter[str] = Counter(old["barrel"])
    era = old["era"]
    edition = tables.EDITIONS[outcome.position.ruleset.split("+")[0]][outcome.position.players]
    for event in outcome.events:
        kind = event["event"].removesuffix("_taken")
        if kind in CUBED and event["source"] == "market":
            markets[kind] = max(markets[kind] - 1, 0)
        elif kind in CUBED:
            on_board[event["source"]] -= 1
        elif event["event"] == "tile_removed":
            del on_board[event["slot"]]
        elif event["event"] == "tile_built":
            laid = edition.tiles[event["industry"], event["level"]].cubes
            on_board[event["slot"]] = tables.BARRELS[era] if event["industry"] == "brewery" else laid
            built = event
        elif event["event"] == "cubes_sold":
            on_board[event["slot"]] -= event["cubes"]
            markets["coal" if built["industry"] == "coal_mine" else "iron"] += event["cubes"]
        elif event["event"] in ("barrel_placed", "barrel_taken"):
            barrels[event["space"]] += 1 if event["event"] == "barrel_placed" else -1
    assert on_board == {slot: each["cubes"] for slot, each in new["tile"].items()}
    assert markets == {"coal": new["coal"], "iron": new["iron"]}
    assert +barrels == new["barrel"]
    assert all(number <= 1 for number in barrels.values())
    for each in new["tile"].values():
        if each["industry"] in CUBED.values():
            assert each["flipped"] == (each["cubes"] == 0)


@pytest.mark.parametrize(
    ("players", "seed", "readings", "edition"),
    [
        (2, 1, "", "birmingham-2018"),
        (3, 2, "", "birmingham-2018"),
        (4, 3, "", "birmingham-2018"),
        (4, 4, "+one_merchant_barrel=any+bonus_develop=may+vp_floor=none", "birmingham-2018"),
        (3, 5, "+same_place=links_only+pass_action=forced+merchant_mix=other", "birmingham-2018"),
        (2, 6, "", "birmingham-2018-intro"),
        (4, 7, "", "birmingham-2018-intro"),
    ],
)
def test_random_game(players: int, seed: int, readings: str, edition: str) -> None:
    rules = engine(players, readings, edition)
    deck = sum(copies[players - 2] for copies in tables.SHEET["cards"].values())
    rounds: Counter[str] = Counter()
    played: Counter[str] = Counter()
    decisions = 0
    for position, moves, _, outcome in play(players, seed, readings, edition):
        assert outcome.position is not None
        old, new = position.state, outcome.position.state
        era = old["era"]
        for event in outcome.events:
            if event["event"] == "era_begun":
                era = event["era"]
            elif event["event"] == "round_begun":
                rounds[era] += 1
            elif event["event"] == "card_played":
                played[era] += 1
            elif event["event"] == "wild_taken":
                played[era] -= 1
        assert cards(new) == deck + 8
        for player in new["order"]:
            assert tiles(new, player) == 45
            assert list(new["link"].values()).count(player) <= 14
        if "none" not in readings:
            check_money(old, new, outcome)
        check_cubes(old, new, outcome)
        if moves:
            decisions += 1
            assert len({json.dumps(move, sort_keys=True) for move in moves}) == len(moves)
            if decisions % 40 == 0:
                assert all(rules.step(position, move).legal for move in moves)
    number = tables.SHEET["rounds"][players]
    eras = ("canal",) if edition.endswith("intro") else ("canal", "rail")
    assert rounds == dict.fromkeys(eras, number)
    assert new["phase"] == "over"
    assert new["hand"] == {}
    assert new["deck"] == []
    # Two cards a player and round, in the very first round one; each wild card taken is one more to play.
    assert played["canal"] == players * (2 * number - 1)
    assert played["rail"] == (players * 2 * number if "rail" in eras else 0)
    assert set(new["standing"]) == set(new["order"])


def test_positions_are_read_back_as_written() -> None:
    rules = engine(4)
    for number, (position, moves, choice, outcome) in enumerate(play(4, seed=11)):
        if number % 4 == 0:
            again = Position(position.ruleset, position.players, json.loads(json.dumps(position.state)))
            assert rules.legal_moves(again) == moves
            assert (rules.step(again, choice) if moves else rules.apply_chance(again, choice)) == outcome
            assert again == position  # nothing given is changed


def test_moves_are_complete() -> None:
    """Whatever else is tried at a position is refused."""
    for players, seed, readings in ((3, 5, ""), (4, 6, "+one_merchant_barrel=any+rail_coal_end=chosen_end")):
        rules = engine(players, readings)
        for number, (position, moves, _, _) in enumerate(play(players, seed, readings)):
            if moves and number in (130, 330):
                for move in candidates(position):
                    assert rules.step(position, move).legal == (move in moves), move


def candidates(position: Position) -> list[dict[str, Any]]:
    """Well-formed moves of the player whose turn it is, with two of the cards held and one not held."""
    state = position.state
    player = state["order"][state["turn"] - 1]
    held = list(dict.fromkeys(state["hand"].get(player, [])))
    hand = [*held[:1], *held[-1:], *[card for card in tables.SHEET["cards"] if card not in held][:1]]
    filled = list(state["tile"])
    of = {name: [slot for slot in filled if state["tile"][slot]["industry"] == made] for name, made in CUBED.items()}
    coal, iron = [*of["coal"][:2], "market"], [*of["iron"][:1], "market"]
    one = {"player": player}
    spaces = list(tables.MERCHANT_SPACES)
    moves: list[dict[str, Any]] = [
        {"action": "second_rail", "link": link, "coal": source, "beer": brewery}
        for link in list(tables.FULL.lines)[::3]
        for source in coal
        for brewery in [*of["beer"][:2], "derby.3"]
    ]
    sales = [
        {"tile": slot, "merchant": space, "beer": beer, "barrels": barrels}
        for slot in filled
        for space in spaces[::2]
        for beer in ([], of["beer"][:1])
        for barrels in ([], [space], spaces[:1])
    ]
    moves += [{"action": "sell_more", **sale} for sale in sales]
    moves += [{"action": "bonus_develop", "industry": industry} for industry in tables.FULL.industries]
    moves += [
        {"action": "develop_second", "industry": industry, "iron": source}
        for industry in tables.FULL.industries
        for source in iron
    ]
    moves += [{"action": "give_up", "slot": slot} for slot in filled]
    moves.append({"action": "done"})
    for card in hand:
        moves += [
            {"action": "build", "card": card, "slot": slot, "industry": industry, "coal": black, "iron": orange}
            for slot in list(tables.FULL.slots)[::4]
            for industry in tables.FULL.industries[:: 1 if card == hand[0] else 2]
            for black in ([], *([source] for source in coal))
            for orange in ([], *([source] for source in iron))
        ]
        moves += [{"action": "canal", "card": card, "link": link} for link in list(tables.FULL.lines)[::2]]
        moves += [
            {"action": "rail", "card": card, "link": link, "coal": source}
            for link in tables.FULL.lines
            for source in coal
        ]
        moves += [{"action": "sell", "card": card, **sale} for sale in sales[::3]]
        moves += [
            {"action": "develop", "card": card, "industry": industry, "iron": source}
            for industry in tables.FULL.industries
            for source in iron
        ]
        moves += [{"action": "loan", "card": card}, {"action": "pass", "card": card}]
        moves.append({"action": "scout", "card": card, "second": card, "third": card})
    return [{**move, **one} for move in moves]
