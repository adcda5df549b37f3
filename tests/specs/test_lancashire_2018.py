"""The figures in which Brass: Lancashire (2018) differs, against the data sheet; and the questions it asks."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from brassspec.engine import Engine
from brassspec.rules.api import game
from brassspec.rules.library import spec_of

EDITION = "lancashire-2018"
SHEET: dict[str, Any] = json.loads((Path(__file__).parent.parent / "data" / "lancashire.json").read_text())

each_number = pytest.mark.parametrize("players", [2, 3, 4])


def set_up(players: int) -> dict[str, Any]:
    return dict(game(EDITION, players).initial().state)


@each_number
def test_the_cards_of_each_number_of_players(players: int) -> None:
    cards = {c["id"].partition("_")[2]: c["roxley"][str(players)] for c in SHEET["cards"]}
    assert Counter(set_up(players)["deck"]) == Counter({card: n for card, n in cards.items() if n})
    assert len(set_up(players)["deck"]) == SHEET["deck_setup"]["roxley_2018"][str(players)]["deck"]


@each_number
def test_the_distant_market_tiles_of_each_number_of_players(players: int) -> None:
    assert set_up(players)["distant"] == SHEET["distant_market_tiles"]["roxley_2018"][str(players)]


@each_number
def test_money_and_tracks(players: int) -> None:
    state = set_up(players)
    assert set(state["money"].values()) == {SHEET["setup"]["starting_money"]["roxley_2018"][str(players)]}
    tracks = SHEET["resource_tracks"]["roxley_2018"]
    assert (state["coal"], state["iron"]) == (len(tracks["coal"]), len(tracks["iron"]))


@each_number
@pytest.mark.parametrize("ruleset", [EDITION, f"{EDITION}+card_setup=classic"])
def test_a_game_lasts_as_many_rounds_as_its_cards(ruleset: str, players: int) -> None:
    """Everybody always passes, and draws what comes first."""
    played = game(ruleset, players)
    position = played.initial()
    last = dict.fromkeys(SHEET["eras"], 0)
    while position.state["phase"] != "over":
        outcomes = played.chance(position)
        if outcomes:
            after = played.apply_chance(position, outcomes[0][0]).position
        else:
            last[position.state["era"]] = position.state["round"]
            move = next(m for m in played.legal_moves(position) if m["action"] == "pass")
            after = played.step(position, move).position
        assert after is not None
        position = after
    classic = "classic" in ruleset and players > 2
    rounds = SHEET["rounds_per_era"]["original_2007" if classic else "roxley_2018"][str(players)]
    assert last == dict.fromkeys(SHEET["eras"], rounds)


def test_the_questions_are_those_of_the_engine_and_of_2007() -> None:
    asked = {q: tuple(r.readings) for q, r in spec_of(EDITION).rulings.items()}
    answers = {q: r.default for q, r in spec_of(EDITION).rulings.items()}
    for question, readings in Engine.readings(EDITION).items():
        assert set(asked[question]) == set(readings)
        assert answers[question] == readings[0]
    base = spec_of("lancashire-2007").rulings
    assert base.keys() - asked.keys() == {
        "industry_card_own_tile",
        "isolated_overbuild",
        "preston_first",
        "virtual_industry",
    }
    assert asked.keys() - base.keys() == {"virtual_link", "card_setup", "mill_1_vp", "distant_empty_pile"}
