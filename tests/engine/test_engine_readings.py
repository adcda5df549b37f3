"""Each reading against its default, at a position that tells them apart."""

from __future__ import annotations

from typing import Any

import pytest
from engine_playing import engine, names, play, stack, table, tile, told

from brassspec.engine import Engine
from brassspec.formats import InputError, Move, Position

# Alternatives without a difference to the default: the reason stands in readings.py.
MOOT = {"thirty_cap", "distant_pile", "port_first"}


def build(card: str, slot: str, industry: str, coal: list[str], iron: list[str]) -> Move:
    return {
        "action": "build",
        "player": "yellow",
        "card": card,
        "slot": slot,
        "industry": industry,
        "coal": coal,
        "iron": iron,
    }


def rail(link: str, coal: str) -> Move:
    return {"action": "rail", "player": "yellow", "card": "bury", "link": link, "coal": coal}


LOAN = {"action": "loan", "player": "yellow", "card": "bury", "amount": 1}
PASS = {"action": "pass", "player": "yellow", "card": "bury"}
CANAL = {"action": "canal", "player": "yellow", "card": "bury", "link": "bolton--bury"}
PORT_IN_FLEETWOOD = build("port", "fleetwood.1", "port", [], [])
PORT_IN_LIVERPOOL = build("port", "liverpool.1", "port", [], [])

HAND = {"yellow": ["bury", "bury", "cotton_mill", "port"]}
# Yellow in the rail era with ports of level 2, having built before, with nothing on the board.
NOTHING: dict[str, Any] = {"era": "rail", "hand": HAND, "stack": stack("yellow", port=2)}
WORKS: dict[str, Any] = {
    "tile": {"bolton.3": tile("red", "iron_works", 2, flipped=True), "bury.1": tile("red", "coal_mine", 1, cubes=1)},
    "link": {"bolton--bury": "red"},
    "hand": {"yellow": ["bolton"]},
}
BUILD_WORKS = build("bolton", "bolton.3", "iron_works", ["bury.1"], [])
OLDHAM = table(
    tile={"bury.1": tile("yellow", "coal_mine", 2, cubes=3), "rochdale.1": tile("red", "coal_mine", 1, cubes=2)},
    link={"bury--manchester": "yellow", "manchester--oldham": "red", "oldham--rochdale": "red"},
    hand={"yellow": ["oldham"]},
    stack=stack("yellow", cotton_mill=2),
)
COLNE = table(
    era="rail",
    tile={"colne.1": tile("yellow", "cotton_mill", 2), "bury.1": tile("red", "coal_mine", 2, cubes=3)},
    link={"burnley--bury": "red", "colne--yorkshire": "red"},
    hand=HAND,
)
WIGAN = table(
    era="rail",
    tile={"bolton.1": tile("red", "coal_mine", 2, cubes=1), "blackburn.1": tile("red", "coal_mine", 2, cubes=1)},
    link={"blackburn--wigan": "yellow"},
    hand=HAND,
)
BIRKENHEAD = table(
    era="rail",
    tile={"ellesmere_port.1": tile("red", "port", 2), "liverpool.1": tile("yellow", "port", 2)},
    hand=HAND,
)
# The canal era; a shipyard in Birkenhead is never built then, so only a position by hand has it.
CANAL_YARD = table(tile={"birkenhead.1": tile("yellow", "shipyard", 1, flipped=True)}, hand=HAND)
CANAL_TO_LIVERPOOL = CANAL | {"link": "liverpool--wigan"}
LIVERPOOL_TILE = table(
    tile={"ellesmere_port.1": tile("red", "port", 1), "liverpool.1": tile("yellow", "port", 1)}, hand=HAND
)
LIVERPOOL_CANAL = table(
    tile={"ellesmere_port.1": tile("red", "port", 1)}, link={"liverpool--wigan": "yellow"}, hand=HAND
)
RAIL_TO_BIRKENHEAD = rail("birkenhead--ellesmere_port", "market")
OWN_MILL = table(
    tile={"bury.1": tile("yellow", "cotton_mill", 1), "bolton.1": tile("red", "coal_mine", 1, cubes=2)},
    link={"bolton--bury": "yellow"},
    hand=HAND,
    stack=stack("yellow", cotton_mill=2),
)
REPLACE_MILL = build("cotton_mill", "bury.1", "cotton_mill", ["bolton.1"], [])
OWN_PORT = table(tile={"liverpool.1": tile("yellow", "port", 1)}, hand=HAND, stack=stack("yellow", port=2))
LONE_TILE = table(**NOTHING | {"built": {}}, tile={"bury.1": tile("yellow", "cotton_mill", 2)})
LONE_LINK = table(**NOTHING, link={"bolton--bury": "yellow"})
SHIPYARD = table(hand={"yellow": ["liverpool"]}, stack=stack("yellow", shipyard=1))
BUILD_SHIPYARD = build("liverpool", "liverpool.3", "shipyard", ["market"], ["market"])

# Readings, position, move, what is violated by the default and by the readings.
VERDICTS: list[tuple[str, Position, Move, list[str], list[str]]] = [
    (
        "overbuild_exhausted=either",
        table(iron=1, **WORKS, stack=stack("yellow", iron_works=3)),
        BUILD_WORKS,
        ["overbuild.exhausted"],
        [],
    ),
    ("overbuild_works_level=any", table(iron=0, **WORKS), BUILD_WORKS, ["overbuild.level"], []),
    (
        "nearest_coal=any",
        OLDHAM,
        build("oldham", "oldham.1", "cotton_mill", ["bury.1"], []),
        ["coal.nearest"],
        [],
    ),
    ("loan_lock_era=canal", table(deck=[], hand=HAND), LOAN, [], ["loan.deck"]),
    ("loan_lock_era=canal", table(era="rail", deck=[], hand=HAND), LOAN, ["loan.deck"], []),
    ("loan_lock_era=both", table(deck=[], hand=HAND), LOAN, [], ["loan.deck"]),
    ("loan_lock_era=both", table(era="rail", deck=[], hand=HAND), LOAN, ["loan.deck"], ["loan.deck"]),
    ("rail_coal_after=before", COLNE, rail("burnley--colne", "market"), ["coal.mine_first"], []),
    ("rail_coal_end=nearer_end", WIGAN, rail("bolton--wigan", "blackburn.1"), [], ["coal.nearest"]),
    ("first_build=bare", table(**NOTHING), PORT_IN_FLEETWOOD, ["card.network"], []),
    ("first_build=bare", LONE_LINK, PORT_IN_FLEETWOOD, ["card.network"], ["card.network"]),
    ("first_build=bare", LONE_TILE, PORT_IN_FLEETWOOD, [], ["card.network"]),
    ("first_build=no_tile", LONE_LINK, PORT_IN_FLEETWOOD, ["card.network"], []),
    ("first_build=no_tile", LONE_TILE, PORT_IN_FLEETWOOD, [], ["card.network"]),
    ("first_link=anywhere", table(hand=HAND), CANAL, ["link.network"], []),
    (
        "first_link=anywhere",
        table(hand=HAND, link={"burnley--colne": "yellow"}),
        CANAL,
        ["link.network"],
        ["link.network"],
    ),
    (
        "first_link=anywhere",
        table(2, hand=HAND),
        CANAL | {"link": "northwich--the_midlands"},  # not among the places that cz "Varianta pro 2 hráče" closes
        ["link.network"],
        [],
    ),
    ("virtual_use=built", BIRKENHEAD, rail("birkenhead--ellesmere_port", "market"), ["link.network"], []),
    # In the canal era an own tile at the other end anchors the virtual link for no use: a link of one's own must end there.
    ("virtual_use=built", CANAL_YARD, CANAL_TO_LIVERPOOL, ["link.network"], ["link.network"]),
    ("virtual_use=built+virtual_anchor=no", CANAL_YARD, CANAL_TO_LIVERPOOL, ["link.network"], []),
    ("virtual_use=built", CANAL_YARD, PORT_IN_LIVERPOOL, ["card.network"], ["card.network"]),
    ("virtual_anchor=no", CANAL_YARD, PORT_IN_LIVERPOOL, ["card.network"], []),
    (
        "virtual_use=built",
        LIVERPOOL_TILE,
        RAIL_TO_BIRKENHEAD,
        ["link.rail_era", "link.network"],
        ["link.rail_era", "link.network"],
    ),
    ("virtual_use=built", LIVERPOOL_CANAL, RAIL_TO_BIRKENHEAD, ["link.rail_era", "link.network"], ["link.rail_era"]),
    (
        "virtual_direction=into_birkenhead",
        table(**NOTHING, tile={"birkenhead.1": tile("yellow", "shipyard", 2, flipped=True)}),
        PORT_IN_LIVERPOOL,
        [],
        ["card.network"],
    ),
    ("virtual_anchor=no", table(**NOTHING), PORT_IN_LIVERPOOL, ["card.network"], []),
    ("industry_card_own_tile=yes", OWN_MILL, REPLACE_MILL, ["card.own_tile"], []),
    (
        "industry_card_own_tile=yes",
        OWN_PORT,
        PORT_IN_LIVERPOOL,
        ["card.network", "card.own_tile"],
        ["card.network"],
    ),
    (
        "industry_card_own_tile=yes+isolated_overbuild=no_link",
        OWN_PORT,
        PORT_IN_LIVERPOOL,
        ["card.network", "card.own_tile"],
        [],
    ),
    ("liverpool_coal=always", SHIPYARD, BUILD_SHIPYARD, ["coal.port"], []),
    ("pass_action=forced", table(hand=HAND), PASS, [], ["pass.forced"]),
    ("pass_action=forced", table(hand={"yellow": ["bury"]}, actions=1, money={}, income={}), PASS, [], []),
]


@pytest.mark.parametrize(("readings", "position", "move", "default", "other"), VERDICTS)
def test_verdicts(readings: str, position: Position, move: Move, default: list[str], other: list[str]) -> None:
    for chosen, violated in (("", default), ("+" + readings, other)):
        rules = engine(position.players, chosen)
        outcome = rules.step(position, move)
        assert names(outcome) == violated
        assert (move in rules.legal_moves(position)) == outcome.legal


# Two rails from Manchester touch; one from Manchester and one from Colne lie at opposite ends of the network.
TWO_RAILS = table(
    era="rail",
    tile={
        "manchester.1": tile("yellow", "cotton_mill", 2),
        "warrington_and_runcorn.2": tile("red", "port", 2),
        "colne.1": tile("yellow", "cotton_mill", 2),
    },
    hand=HAND,
)


def second_rail(link: str) -> Move:
    return {"action": "second_rail", "player": "yellow", "link": link, "coal": "market"}


def test_two_rails_apart() -> None:
    first_rail = rail("manchester--warrington_and_runcorn", "market")
    touching = [
        second_rail("manchester--oldham"),  # at the end that had been joined before
        second_rail("warrington_and_runcorn--wigan"),  # at the end the first rail reaches
    ]
    across = second_rail("colne--yorkshire")
    for readings, violated in (("", []), ("+two_rails_apart=apart", ["rail.apart"])):
        rules = engine(3, readings)
        position = rules.step(TWO_RAILS, first_rail).position
        assert position is not None
        assert position.state["pending"] == "rail"
        moves = rules.legal_moves(position)
        for move in touching:
            assert names(rules.step(position, move)) == violated
            assert (move in moves) == (not violated)
        outcome = rules.step(position, across)
        assert across in moves
        assert told(outcome, "paid") == [("paid", "yellow", 11)]  # £10 and the second cube from a full track
        assert outcome.position is not None
        assert rules.legal_moves(outcome.position)
        assert names(rules.step(TWO_RAILS, touching[0])) == ["coal.port", "rail.second"]


def test_positions_tell_the_first_rail_only_where_it_matters() -> None:
    first_rail = rail("manchester--warrington_and_runcorn", "market")
    free, apart = engine(), engine(3, "+two_rails_apart=apart")
    told_free = free.step(TWO_RAILS, first_rail).position
    told_apart = apart.step(TWO_RAILS, first_rail).position
    assert told_free is not None
    assert told_apart is not None
    assert told_apart.state == told_free.state | {"first_rail": "manchester--warrington_and_runcorn"}
    for closing in ({"action": "done", "player": "yellow"}, second_rail("colne--yorkshire")):
        closed = apart.step(told_apart, closing).position
        assert closed is not None
        assert closed.state["first_rail"] is None
    for refused in (None, "burnley--colne"):  # a rail is pending; no such rail is built
        with pytest.raises(InputError, match=r"^state.first_rail:"):
            apart.legal_moves(Position(told_apart.ruleset, 3, told_apart.state | {"first_rail": refused}))
    with pytest.raises(InputError, match=r"^state.first_rail:"):
        free.legal_moves(Position(told_free.ruleset, 3, told_apart.state))


def test_action_closes_by_itself_where_every_second_rail_would_touch() -> None:
    state = TWO_RAILS.state | {
        "tile": {slot: one for slot, one in TWO_RAILS.state["tile"].items() if slot != "colne.1"}
    }
    first_rail = rail("manchester--warrington_and_runcorn", "market")
    for readings, pending, actions in (("", "rail", 2), ("+two_rails_apart=apart", "none", 1)):
        position = engine(3, readings).step(Position(TWO_RAILS.ruleset, 3, state), first_rail).position
        assert position is not None
        assert (position.state["pending"], position.state["actions"]) == (pending, actions)


def test_distant_bonus_in_pounds() -> None:
    position = table(
        pending="distant",
        selling="colne.1",
        tile={"colne.1": tile("yellow", "cotton_mill", 1)},
        link={"colne--yorkshire": "red"},
        hand=HAND,
    )
    outcome = engine(3, "+distant_bonus=pounds").apply_chance(position, {"chance": "turn_tile", "value": 2})
    assert told(outcome, "income_moved", "received") == [("income_moved", "yellow", 15), ("received", "yellow", 2)]
    outcome = engine().apply_chance(position, {"chance": "turn_tile", "value": 2})
    assert told(outcome, "income_moved", "received") == [("income_moved", "yellow", 17)]


def test_income_starts_at_space_zero() -> None:
    assert engine(3, "+income_start=space_0").initial().state["income"] == {}
    assert engine().initial().state["income"] == {"yellow": 10, "red": 10, "purple": 10}


def round_ends(**state: Any) -> Position:
    """Yellow's last action of a round, with income -5 coming, £1 in hand."""
    return table(
        order=["red", "purple", "yellow"],
        turn=3,
        actions=1,
        deck=[],
        **{"hand": {"yellow": ["bury", "bury"], "red": ["bury"], "purple": ["bury"]}} | state,
        money={"yellow": 1},
        income={"yellow": 5, "red": 14, "purple": 10},
    )


@pytest.mark.parametrize(
    ("reading", "events", "money", "vp"),
    [
        ("vp", [("income_paid", "yellow", 1), ("vp_lost", "yellow", 4)], None, 3),
        ("forgiven", [("income_paid", "yellow", 1)], None, 7),
        ("debt", [("income_paid", "yellow", 5)], -4, 7),
    ],
)
def test_shortfall_without_tiles(reading: str, events: list[Any], money: int | None, vp: int) -> None:
    rules = engine(3, f"+shortfall_no_tiles={reading}")
    outcome = rules.step(round_ends(vp={"yellow": 7}), PASS)
    assert told(outcome, "income_paid", "vp_lost") == events
    assert outcome.position is not None
    assert outcome.position.state["money"].get("yellow") == money
    assert outcome.position.state["vp"]["yellow"] == vp
    assert rules.legal_moves(outcome.position)


@pytest.mark.parametrize("cubes", [1, 0])
def test_in_debt_what_costs_nothing_can_be_paid(cubes: int) -> None:
    """Developing with the iron of a works is free; from the track it is not."""
    rules = engine(3, "+shortfall_no_tiles=debt")
    works = {"bury.1": tile("red", "iron_works", 1, cubes=cubes)}
    position = table(money={"yellow": -4}, hand={"yellow": ["bury"]}, tile=works)
    source = "bury.1" if cubes else "market"
    move = {"action": "develop", "player": "yellow", "card": "bury", "industry": "port", "iron": source}
    outcome = rules.step(position, move)
    assert (move in rules.legal_moves(position)) == outcome.legal == bool(cubes)
    if cubes:
        assert told(outcome, "tile_developed") == [("tile_developed", "yellow", "port", 1)]
        assert outcome.position is not None
        assert outcome.position.state["money"]["yellow"] == -4
    else:
        assert names(outcome) == ["money.enough"]


def test_change_of_a_tile_given_up_is_lost() -> None:
    position = round_ends(tile={"oldham.1": tile("yellow", "cotton_mill", 1)})
    for reading, received, money in (("kept", 6, 2), ("lost", 4, None)):
        rules = engine(3, f"+shortfall_change={reading}")
        asked = rules.step(position, PASS).position
        assert asked is not None
        outcome = rules.step(asked, {"action": "give_up", "player": "yellow", "slot": "oldham.1"})
        assert told(outcome, "received", "income_paid") == [
            ("received", "yellow", received),
            ("income_paid", "yellow", 5),
        ]
        assert outcome.position is not None
        assert outcome.position.state["money"].get("yellow") == money


def standing(readings: str, income: dict[str, int]) -> dict[str, int]:
    position = table(
        era="rail", round=10, turn=3, actions=1, deck=[], hand={"purple": ["bury"]}, money={}, income=income
    )
    outcome = engine(3, readings).step(position, PASS | {"player": "purple"})
    assert outcome.position is not None
    result: dict[str, int] = outcome.position.state["standing"]
    return result


def test_ties() -> None:
    one_group = {"yellow": 11, "red": 12, "purple": 11}
    assert standing("", one_group) == {"yellow": 1, "red": 2, "purple": 3}
    assert standing("+tie_income=spaces", one_group) == {"yellow": 2, "red": 1, "purple": 3}
    assert standing("+last_tie=shared", one_group) == {"yellow": 1, "red": 1, "purple": 1}
    assert standing("+tie_income=spaces+last_tie=shared", one_group) == {"yellow": 2, "red": 1, "purple": 2}


def test_income_at_the_end_of_a_round() -> None:
    rules = engine(3, "+income_time=end")
    outcome = rules.step(round_ends(vp={"yellow": 7}), PASS)
    kinds = [event["event"] for event in outcome.events if event["event"] != "order_set"]
    assert kinds == ["card_played", "passed", "income_taken", "income_paid", "vp_lost", "round_begun"]
    # At the change of era a level 1 tile can still be given up, for it is not yet cleared away.
    last = round_ends(hand={"yellow": ["bury"]}, tile={"oldham.1": tile("yellow", "cotton_mill", 1)})
    asked = rules.step(last, PASS).position
    assert asked is not None
    assert asked.state["phase"] == "income"
    assert [move["slot"] for move in rules.legal_moves(asked)] == ["oldham.1"]
    outcome = rules.step(asked, {"action": "give_up", "player": "yellow", "slot": "oldham.1"})
    assert [event["event"] for event in outcome.events] == ["tile_removed", "received", "income_paid", "era_begun"]
    # After the game's last round there is no income.
    over = rules.step(Position(last.ruleset, 3, last.state | {"era": "rail"}), PASS)
    assert told(over, "income_taken", "income_paid") == []


def test_games_under_other_readings() -> None:
    """Every question read otherwise at once, each alternative in one game at least."""
    offered = Engine.readings()
    assert MOOT.issubset(offered)
    for number in (1, 2):
        chosen = [f"+{question}={readings[min(number, len(readings) - 1)]}" for question, readings in offered.items()]
        end = None
        for _, _, _, end in play(4, number, "".join(chosen)):
            assert end.legal
        assert end is not None
        assert end.position is not None
        assert end.position.state["phase"] == "over"
