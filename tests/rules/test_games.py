"""moves, apply, play, replay, as functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brassspec.formats import InputError, Position
from brassspec.formats.log import chained
from brassspec.rules.api import game
from brassspec.rules.games import Played, apply, chances, moves, play, random_game, replay

RULESET = "lancashire-2007"
START = Position(RULESET, 3, {"phase": "start"})


def deal(**state: Any) -> Position:
    """The first decision of a game with yellow to move, holding known cards."""
    g = game(RULESET, 3)
    hands = {
        "yellow": ["wigan", "oldham", "bury", "port", "coal_mine", "coal_mine", "iron_works", "shipyard"],
        "red": ["colne"],
        "purple": ["colne"],
    }
    full = list(g.codec.position(g.rules.initial()).state["deck"])
    for card in (c for hand in hands.values() for c in hand):
        full.remove(card)
    given = {"phase": "actions", "actions": 2, "round": 2, "hand": hands, "deck": full, **state}
    return Position(RULESET, 3, given)


# ---------------------------------------------------------------- moves and apply


def test_moves_are_legal_and_said_both_ways() -> None:
    position = deal()
    found = moves(position)
    assert len(found) > 50
    assert chances(position) == []
    for option in found[::40]:
        by_json, by_words = apply(position, option.taken), apply(position, option.text)
        assert by_json.legal
        assert by_json == by_words
        assert by_json.branches[0].option == option


def test_chance() -> None:
    assert moves(START) == []
    assert [(o.taken, o.weight) for o in chances(START)] == [
        ({"chance": "first", "player": p}, 1) for p in ("yellow", "red", "purple")
    ]
    all_of_them = apply(START)
    assert [b.option for b in all_of_them.branches] == chances(START)
    one = apply(START, {"chance": "first", "player": "red"})
    assert one.branches == (all_of_them.branches[1],)
    assert apply(START, "red starts") == one
    dealt = one.outcome.position
    assert dealt is not None
    draws = apply(dealt, {"chance": "draw"})
    assert draws == apply(dealt)
    weights = [b.option.weight for b in draws.branches if b.option]
    assert sum(weights) == len(game(RULESET, 3).codec.position(game(RULESET, 3).rules.initial()).state["deck"])


@pytest.mark.parametrize(
    "wrong",
    [{"chance": "first", "player": "green"}, {"chance": "draw", "player": "red", "card": "bury"}, {"chance": "x"}],
)
def test_chance_that_cannot_happen(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        apply(START, wrong)
    with pytest.raises(InputError):
        apply(deal(), wrong)


def test_a_move_where_chance_is_due() -> None:
    outcome = apply(START, {"action": "pass", "player": "yellow", "card": "wigan"}).outcome
    assert outcome.position is None
    assert [v.requirement for v in outcome.violated] == ["turn.order", "card.held"]


def test_illegal_changes_nothing_and_says_why() -> None:
    applied = apply(deal(), "yellow builds cotton_mill at oldham.1 with wigan")
    assert not applied.legal
    assert applied.branches == ()
    assert applied.refusal is not None
    assert "card.location" in [v.requirement for v in applied.refusal.violated]
    assert all(v.facts for v in applied.refusal.violated)


def test_moves_in_part() -> None:
    position = deal()
    legal = [o.taken for o in moves(position)]
    for part in (
        {"action": "build"},
        {"action": "build", "card": "wigan"},
        {"action": "build", "industry": "coal_mine", "player": "yellow"},
        {"action": "develop", "industry": "port"},
        {"action": "loan", "amount": 2},
    ):
        applied = apply(position, part)
        assert applied.legal
        assert [b.option.taken for b in applied.branches if b.option] == [m for m in legal if part.items() <= m.items()]
    assert len(apply(position, "yellow builds ? at wigan with ?").branches) == 4


def test_either_order() -> None:
    position = deal()
    one = {"action": "combine", "player": "yellow", "card": "bury", "other": "wigan", "slot": "colne.1"}
    other = {**one, "card": "wigan", "other": "bury"}
    assert apply(position, one).legal
    assert apply(position, one) == apply(position, other)
    cards = [
        apply(position, {"action": "combine", key: "bury", "slot": "colne.1"}).branches for key in ("card", "other")
    ]
    assert cards[0] == cards[1]
    assert len(cards[0]) == 6


def test_a_move_in_part_that_cannot_be_legal() -> None:
    applied = apply(deal(), {"action": "build", "card": "wigan", "slot": "oldham.1"})
    assert not applied.legal
    assert applied.refusal is not None
    assert "card.location" in [v.requirement for v in applied.refusal.violated]
    assert applied.nearest is not None
    assert applied.nearest.taken["slot"] == "oldham.1"


def test_not_at_rest() -> None:
    position = deal(phase="order", actions=0, spent={"yellow": 12})
    for ask in (lambda: moves(position), lambda: chances(position), lambda: apply(position, {"action": "pass"})):
        with pytest.raises(InputError, match="not at rest: set_order"):
            ask()
    (branch,) = apply(position).branches
    assert branch.option is None
    assert branch.outcome.position is not None
    assert branch.outcome.position.state["order"] == ["red", "purple", "yellow"]
    assert [e["event"] for e in branch.outcome.events][:3] == ["order_set"] * 3


def test_without_a_move_where_one_is_due() -> None:
    with pytest.raises(InputError, match="a player decides among"):
        apply(deal())


@pytest.mark.parametrize(
    "move",
    [
        {},
        [],
        7,
        {"action": []},
        {"action": "fly"},
        {"action": "pass", "wings": 2},
        {"action": "pass", "card": "leeds"},
        {"action": "pass", "card": ["bury"]},
        {"action": "build", "coal": "market"},
        {"action": "build", "coal": ["market"] * 50},
        {"action": "loan", "amount": True},
        {"action": "loan", "amount": 10**15},
        {"action": "pass", "chance": "draw"},
        "",
        "yellow flies to bury",
        "yellow passes with leeds",
        "x" * 5000,
    ],
)
def test_moves_that_are_not_well_formed(move: Any) -> None:
    with pytest.raises(InputError):
        apply(deal(), move)


def test_positions_of_other_rulesets() -> None:
    for ruleset, players in (("chess", 2), (RULESET, 9), ("../x", 3), (RULESET + "+weather=wet", 3)):
        with pytest.raises(InputError):
            moves(Position(ruleset, players, {}))


def test_readings_in_any_order_are_one_ruleset() -> None:
    position = Position(RULESET + "+overbuild_exhausted=either", 3, {"phase": "start"})
    assert apply(position).branches[0].outcome.position is not None


# ---------------------------------------------------------------- play


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Played, Path]:
    """Two games and their log."""
    path = tmp_path_factory.mktemp("log") / "two.jsonl"
    return play(RULESET, 3, seed=2, games=2, log=path, policy="builder"), path


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "one.jsonl"
    play(RULESET, 3, seed=2, games=1, log=path, policy="builder")
    return path


@pytest.fixture
def lines(one: Path) -> list[dict[str, Any]]:
    """The lines of a log of one game."""
    return [json.loads(line) for line in one.read_text().splitlines()]


def test_the_same_seed_plays_the_same(one: Path, tmp_path: Path) -> None:
    play(RULESET, 3, seed=2, log=tmp_path / "again", policy="builder")
    assert one.read_bytes() == (tmp_path / "again").read_bytes()
    assert play(RULESET, 3, seed=2).position != play(RULESET, 3, seed=3).position


def test_a_game_is_the_same_alone_or_among_others(lines: list[dict[str, Any]], two: tuple[Played, Path]) -> None:
    among = [json.loads(line) for line in two[1].read_text().splitlines()][: len(lines)]
    assert [(a.get("move"), a.get("chance"), a.get("position")) for a in among] == [
        (a.get("move"), a.get("chance"), a.get("position")) for a in lines
    ]


def test_builders_do_more_than_pass(two: tuple[Played, Path]) -> None:
    played, _ = two
    assert played.games == 2
    assert set(played.taken) >= {"build", "canal", "rail", "develop", "loan"}
    assert played.decisions + played.chances == sum(played.taken.values())


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 1},
        {"ruleset": "chess"},
        {"seed": -1},
        {"seed": 2**60},
        {"games": 0},
        {"games": 10**9},
        {"policy": "x"},
    ],
)
def test_what_cannot_be_played(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        play(**{"ruleset": RULESET, "players": 3, **wrong})


# ---------------------------------------------------------------- replay


def write(path: Path, lines: list[dict[str, Any]], sign: bool = False) -> Path:
    """A log of these lines; with `sign` the digests are made anew."""
    previous = ""
    with path.open("w") as file:
        for line in lines:
            if sign:
                bare = {k: v for k, v in line.items() if k != "digest"}
                previous = chained(bare, previous)
                line = {**bare, "digest": previous}
            file.write(json.dumps(line) + "\n")
    return path


def test_a_log_replays(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    r = replay(write(tmp_path / "log", lines))
    assert (r.fault, r.games, r.lines, r.notes) == (None, 1, len(lines), [])
    assert r.decisions + r.chances == len(lines) - 2


def test_every_line_that_is_missing_is_noticed(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    for i in [0, 1, 2, *range(3, len(lines) - 2, 97), len(lines) - 2, len(lines) - 1]:
        r = replay(write(tmp_path / "log", lines[:i] + lines[i + 1 :]))
        assert r.fault is not None
        assert i + 1 <= r.fault.line <= i + 2


def test_every_line_that_is_cut_off_is_noticed(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    for n in [1, 2, 50, len(lines) - 2, len(lines) - 1]:
        r = replay(write(tmp_path / "log", lines[:n]))
        assert r.fault is not None
        assert r.fault.line == n + 1
    with pytest.raises(InputError, match="empty"):
        replay(write(tmp_path / "log", []))


def test_every_value_that_is_changed_is_noticed(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    """Even where whoever changed it made that line's digest anew."""
    for i in [0, 1, 2, 15, 40, len(lines) - 2, len(lines) - 1]:
        for key, value in lines[i].items():
            changed = (
                value + 1 if isinstance(value, int) else f"{value}0" if isinstance(value, str) else {**value, "x": 1}
            )
            line = {**lines[i], key: changed}
            bare = {k: v for k, v in line.items() if k != "digest"}
            signed = {**bare, "digest": chained(bare, lines[i - 1]["digest"] if i else "")}
            for told in (line,) if key == "digest" else (signed,) if i > 40 else (line, signed):
                found = noticed(write(tmp_path / "log", [*lines[:i], told, *lines[i + 1 :]]))
                assert i + 1 <= found <= i + 2, (key, told)


def noticed(path: Path) -> int:
    """The line at which something is found to be wrong; 0 if nothing is."""
    try:
        fault = replay(path).fault
    except InputError as e:
        return int(str(e).split("line ")[1].split(":")[0])
    return fault.line if fault is not None else 0


def test_an_illegal_move_is_named(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    i = next(i for i, line in enumerate(lines) if "move" in line)
    other = next(p for p in ("yellow", "red", "purple") if p != lines[i]["move"]["player"])
    wrong = {**lines[i], "move": {**lines[i]["move"], "player": other}}
    r = replay(write(tmp_path / "log", [*lines[:i], wrong, *lines[i + 1 :]], sign=True))
    assert r.fault is not None
    assert r.fault.line == i + 1
    assert "turn.order" in [v.requirement for v in r.fault.violated]


def test_an_impossible_chance_is_named(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    for wrong in ({"chance": "turn_tile", "value": 2}, {"chance": "draw", "player": "green", "card": "bury"}, {}):
        r = replay(write(tmp_path / "log", [*lines[:2], {**lines[2], "chance": wrong}, *lines[3:]], sign=True))
        assert r.fault is not None
        assert r.fault.line == 3


def test_a_game_that_ends_too_soon(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    end = {**lines[-1], "n": 30, "position": lines[29]["position"]}
    r = replay(write(tmp_path / "log", [*lines[:30], end], sign=True))
    assert r.fault is not None
    assert r.fault.line == 31
    assert "not over" in r.fault.cause


def test_whole_games_that_are_missing(two: tuple[Played, Path], tmp_path: Path) -> None:
    text = two[1].read_text().splitlines(keepends=True)
    end = next(i for i, line in enumerate(text) if '"end"' in line)
    assert replay(two[1]).games == 2
    for kept, line in ((text[: end + 1], end + 2), (text[end + 1 :], 1)):
        (tmp_path / "log").write_text("".join(kept))
        r = replay(tmp_path / "log")
        assert r.fault is not None
        assert r.fault.line == line


def test_logs_in_part(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    """Another program leaves out what it chose for itself, and some digests of positions."""
    part = []
    for i, line in enumerate(lines):
        bare = dict(line)
        if "move" in line:
            bare["move"] = {k: v for k, v in line["move"].items() if k not in ("card", "coal", "iron", "player")}
            if i % 3 == 0:
                del bare["position"]
        part.append(bare)
    r = replay(write(tmp_path / "log", part, sign=True), carry=500)
    assert (r.fault, r.games) == (None, 1)
    bare = [{k: v for k, v in line.items() if k != "position" or "n" not in line or "end" in line} for line in part]
    r = replay(write(tmp_path / "log", bare, sign=True), carry=5)
    assert r.fault is not None
    assert "more than 5 positions" in r.fault.cause


def test_random_games_do_not_hang() -> None:
    import random

    g = game(RULESET, 4)
    assert sum(1 for _ in random_game(g, g.rules.initial(), random.Random(0), "builder")) > 100
