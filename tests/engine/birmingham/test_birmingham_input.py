"""What is not well formed is refused by name."""

from __future__ import annotations

from typing import Any

import pytest
from birmingham_playing import PASS, build, engine, gone, rail, scout, sell, simple, table
from engine_playing import names, tile

from brassspec.engine import Engine
from brassspec.engine.birmingham.tables import FULL
from brassspec.formats import InputError, Position

GOOD = table(hand={"yellow": ["dudley", "dudley"]})


@pytest.mark.parametrize(
    ("move", "place"),
    [
        ({}, "move.action"),
        ({"action": ["pass"]}, "move.action"),
        (simple("combine"), "move.action"),
        (simple("pass"), "move.card"),
        (PASS | {"slot": "derby.1"}, "move.slot"),
        (PASS | {"player": "blue"}, "move.player"),
        (PASS | {"card": "oxford"}, "move.card"),
        (PASS | {"card": 3}, "move.card"),
        (simple("give_up", slot="derby.4"), "move.slot"),
        (simple("canal", card="dudley", link="oxford--birmingham"), "move.link"),
        (rail("birmingham--oxford") | {"coal": []}, "move.coal"),
        (build("dudley", "dudley.1", "coal_mine", ["market", "leeds.1"]), "move.coal.1"),
        (build("dudley", "dudley.1", "coal_mine", iron=["market"] * 3), "move.iron"),
        (build("dudley", "dudley.1", "port"), "move.industry"),
        (sell("dudley.1", "oxford.3"), "move.merchant"),
        (sell("dudley.1", "oxford.1", beer=["market"]), "move.beer.0"),
        (sell("dudley.1", "oxford.1", barrels=["dudley.1"]), "move.barrels.0"),
        (scout("dudley", "dudley", "cannock"), "move.third"),
    ],
)
def test_moves(move: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=rf"^{place}:"):
        engine().step(GOOD, move)


TWICE = {"dudley.1": tile("red", "coal_mine", 1, 2), "cannock.1": tile("red", "coal_mine", 1, 2)}


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ({"weather": "wet"}, "state.weather"),
        ({"bonuses": 0}, "state.bonuses"),
        ({"era": "steam"}, "state.era"),
        ({"round": 9}, "state.round"),
        ({"round": True}, "state.round"),
        ({"phase": "era_end"}, "state.phase"),
        ({"order": ["yellow", "red"]}, "state.order"),
        ({"order": ["yellow", "red", "purple", "red"]}, "state.order"),
        ({"turn": 5}, "state.turn"),
        ({"actions": 0}, "state.actions"),
        ({"seated": 1}, "state.seated"),
        ({"phase": "deal", "actions": 0, "turn": 2}, "state.turn"),
        ({"phase": "order", "actions": 0, "owed": 3}, "state.owed"),
        ({"owed": 3}, "state.owed"),
        ({"phase": "over", "actions": 0}, "state.standing"),
        ({"phase": "deal", "actions": 0, "pending": "rail"}, "state.pending"),
        ({"tile": {"leeds.1": {}}}, "state.tile"),
        ({"tile": {"derby.1": {"owner": "yellow"}}}, "state.tile.derby.1"),
        ({"tile": {"derby.1": tile("yellow", "brewery", 5)}}, "state.tile.derby.1.level"),
        ({"tile": {"derby.1": tile("yellow", "brewery", 1, 2)}}, "state.tile.derby.1.cubes"),
        ({"tile": {"derby.1": tile("yellow", "brewery", 1) | {"flipped": 1}}}, "state.tile.derby.1.flipped"),
        ({"link": {"oxford--birmingham": "yellow"}}, "state.link"),
        ({"coal": 15}, "state.coal"),
        ({"iron": 11}, "state.iron"),
        ({"merchant": {"oxford.3": "all"}}, "state.merchant"),
        ({"merchant": {"oxford.1": "all", "oxford.2": "all"}}, "state.merchant"),
        ({"barrel": {"oxford.1": 2}}, "state.barrel.oxford.1"),
        ({"barrel": {"warrington.1": 1}}, "state.barrel.warrington.1"),
        ({"money": {"blue": 3}}, "state.money"),
        ({"money": {"red": -3}}, "state.money.red"),
        ({"vp": {"red": -3}}, "state.vp.red"),
        ({"income": {"red": 100}}, "state.income.red"),
        ({"hand": {"red": "dudley"}}, "state.hand.red"),
        ({"deck": ["wild_location"]}, "state.deck.0"),
        ({"wilds": ["dudley"]}, "state.wilds.0"),
        ({"stack": {"red": {"pottery": {"6": 1}}}}, "state.stack.red.pottery"),
        ({"stack": {"red": {"pottery": {"5": 2}}}}, "state.stack.red.pottery.5"),
        ({"stack": []}, "state.stack"),
        ({"placed": {"red": 1}}, "state.placed.red"),
        # more pieces than there are
        ({"tile": TWICE}, "state.stack.red.coal_mine.1"),
        ({"tile": {"dudley.1": TWICE["dudley.1"]}, "gone": gone("red", coal_mine=1)}, "state.stack.red.coal_mine.1"),
        ({"tile": {"dudley.1": TWICE["dudley.1"]}, "stack": gone("red", coal_mine=1)}, "state.stack.red.coal_mine.1"),
        ({"hand": {"red": ["dudley"], "yellow": ["dudley", "dudley"]}}, "state.deck"),
        ({"discard": ["belper"], "deck": ["belper", "belper"]}, "state.deck"),
        ({"hand": {"red": ["wild_industry"] * 5}}, "state.wilds"),
        ({"link": dict.fromkeys(["birmingham--oxford"], "blue")}, "state.link.birmingham--oxford"),
    ],
)
def test_positions(state: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=rf"^{place}:"):
        engine().legal_moves(Position(GOOD.ruleset, 4, GOOD.state | state))


def test_fifteen_links() -> None:
    links = dict.fromkeys(list(FULL.lines)[:15], "red")
    with pytest.raises(InputError, match=r"^state.link: red has 15 links"):
        engine().legal_moves(Position(GOOD.ruleset, 4, GOOD.state | {"link": links}))


def test_other_games() -> None:
    for ruleset, players in (("birmingham-2018", 5), ("birmingham-2018-intro", 1), ("birmingham-2007", 3)):
        with pytest.raises(InputError):
            Engine(ruleset, players)
    for part in ("+weather=wet", "+vp_floor=one", "+vp_floor", "+cube_limit=printed"):
        with pytest.raises(InputError, match=r"^ruleset:"):
            engine(3, part)
    with pytest.raises(InputError, match=r"^ruleset:"):
        engine(4, edition="birmingham-2018-intro").legal_moves(GOOD)
    with pytest.raises(InputError, match=r"^ruleset:"):
        Engine.readings("birmingham-1066")
    with pytest.raises(InputError, match=r"^players:"):
        engine(3).legal_moves(GOOD)
    with pytest.raises(InputError, match=r"^state.era:"):
        engine(4, edition="birmingham-2018-intro").legal_moves(table(edition="birmingham-2018-intro", era="rail"))
    with pytest.raises(InputError, match=r"^state.hand|^state.deck"):
        engine(2).legal_moves(table(2, hand={"yellow": ["leek"]}))


def test_chance_not_due() -> None:
    for position, chance in (
        (GOOD, {"chance": "seat", "player": "red"}),
        (engine().initial(), {"chance": "seat", "player": "blue"}),
        (engine().initial(), {"chance": "draw", "player": "red", "card": "dudley"}),
    ):
        with pytest.raises(InputError, match=r"^chance:"):
            engine().apply_chance(position, chance)


def test_variables_left_out_are_as_at_set_up() -> None:
    empty = Position("birmingham-2018", 3, {})
    assert engine(3).legal_moves(empty) == []
    assert len(engine(3).chance(empty)) == 3
    with_tile = Position("birmingham-2018", 3, {"tile": {"dudley.1": TWICE["dudley.1"]}, "hand": {"red": ["dudley"]}})
    after = engine(3).apply_chance(with_tile, {"chance": "seat", "player": "red"}).position
    assert after is not None
    assert "1" not in after.state["stack"]["red"]["coal_mine"]
    assert after.state["deck"].count("dudley") == 1


def test_out_of_turn_and_unfinished() -> None:
    assert names(engine().step(GOOD, PASS | {"player": "red"})) == ["turn.order", "card.held"]
    assert names(engine().step(engine().initial(), PASS)) == ["turn.order", "card.held"]
    selling = Position(GOOD.ruleset, 4, GOOD.state | {"pending": "sale"})
    assert names(engine().step(selling, PASS)) == ["turn.unfinished"]
    assert names(engine().step(GOOD, simple("done"))) == ["done.open"]
    assert names(engine().step(GOOD, simple("bonus_develop", industry="brewery"))) == ["bonus.due"]


def test_every_violation_is_named_in_order() -> None:
    position = Position(GOOD.ruleset, 4, GOOD.state | {"money": {}, "stack": {}})
    works = build("cotton_mill_or_manufacturer", "coalbrookdale.3", "iron_works", ["dudley.1"], ["market"])
    outcome = engine().step(position, works | {"player": "red"})
    assert names(outcome) == [
        "turn.order",
        "card.held",
        "card.industry",
        "build.stack",
        "build.symbol",
        "coal.mine",
        "coal.connected",
    ]
    assert outcome.unevaluated == (
        "money.enough",
        "build.canal_tile",
        "build.rail_tile",
        "build.coal",
        "build.iron",
        "coal.nearest",
    )
    assert outcome.position is None
    assert all(violation.facts for violation in outcome.violated)
    nothing = engine().step(GOOD, sell("derby.1", "oxford.1", beer=["stone.1"], barrels=["oxford.2"]))
    assert names(nothing) == ["beer.brewery", "beer.merchant", "beer.barrel", "sell.tile", "sell.connected"]
    assert nothing.unevaluated == ("beer.connected", "sell.merchant", "sell.beer")
    theirs = table(
        tile={"derby.1": tile("red", "brewery", 1, 1), "dudley.1": tile("red", "coal_mine", 1, 2)},
        hand=GOOD.state["hand"],
    )
    over = engine().step(theirs, build("dudley", "derby.1", "cotton_mill", ["market"]))
    assert names(over) == [
        "card.location",
        "overbuild.opponent",
        "overbuild.industry",
        "overbuild.level",
        "build.coal",
        "coal.merchant",
    ]
