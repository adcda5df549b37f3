"""The settled questions as Brass: Lancashire (2018) answers them; each test names its cases."""

from __future__ import annotations

from typing import Any

import pytest
from engine_2018 import at, build, canal, change, rail, rules, sale, second_rail, skip, verdict
from engine_playing import after, kinds, stack, tile, told

from brassspec.formats import Move, Position

MERSEY: dict[str, Any] = {
    "era": "rail",
    "tile": {"wigan.1": tile("red", "coal_mine", 2, cubes=3)},
    "link": {"liverpool--wigan": "yellow"},
    "stack": stack("yellow", shipyard=2),
}
COTTON: dict[str, Any] = {
    "tile": {"bury.1": tile("yellow", "cotton_mill", 1), "oldham.1": tile("yellow", "cotton_mill", 1)},
    "link": {"bury--manchester": "red", "manchester--warrington_and_runcorn": "red"},
    "hand": {"yellow": ["oldham", "oldham"]},
}
TWO_PORTS = {
    "warrington_and_runcorn.2": tile("red", "port", 1),
    "ellesmere_port.1": tile("red", "port", 1),
}
TO_TWO_PORTS = {"ellesmere_port--warrington_and_runcorn": "red"}
OLDHAM = at(
    tile={"bury.1": tile("yellow", "coal_mine", 2, cubes=3), "rochdale.1": tile("red", "coal_mine", 1, cubes=2)},
    link={"bury--manchester": "yellow", "manchester--oldham": "red", "oldham--rochdale": "red"},
    hand={"yellow": ["colne", "oldham", "cotton_mill"]},
    stack=stack("yellow", cotton_mill=2),
)
PRESTON = at(
    tile={"preston.1": tile("yellow", "port", 1)},
    link={
        "lancaster--preston": "yellow",
        "preston--wigan": "yellow",
        "warrington_and_runcorn--wigan": "yellow",
        "blackburn--wigan": "red",
    },
    hand={"yellow": ["cotton_mill", "port"]},
)
EMPTY_PORTS = at(hand={"yellow": ["lancaster", "preston"]})
YARD = at(
    tile={"liverpool.1": tile("yellow", "port", 2)}, hand={"yellow": ["liverpool"]}, stack=stack("yellow", shipyard=1)
)
SPENT_MINE = at(
    coal=0,
    tile={"wigan.1": tile("red", "coal_mine", 1, flipped=True)},
    hand={"yellow": ["wigan"]},
    stack=stack("yellow", coal_mine=2),
)
SPENT_WORKS = at(
    iron=0,
    tile={"bolton.3": tile("red", "iron_works", 1, flipped=True), "bury.1": tile("red", "coal_mine", 1, cubes=1)},
    link={"bolton--bury": "red"},
    hand={"yellow": ["bolton"]},
    stack=stack("yellow", iron_works=2),
)
NEW_WORKS = build("bolton", "bolton.3", "iron_works", "bury.1")
TRACK_COAL = at(hand={"yellow": ["warrington_and_runcorn", "colne"]}, stack=stack("yellow", cotton_mill=2))
WARRINGTON_MILL = build("warrington_and_runcorn", "warrington_and_runcorn.1", "cotton_mill", "market")
BARROW = at(
    era="rail",
    tile={"lancaster.1": tile("red", "port", 2)},
    hand={"yellow": ["barrow_in_furness"]},
    stack=stack("yellow", iron_works=2),
)
BARROW_WORKS = build("barrow_in_furness", "barrow_in_furness.2", "iron_works", "market")

CASES: list[tuple[str, Position, Move, list[str]]] = [
    ("L008", OLDHAM, build("oldham", "oldham.1", "cotton_mill", "rochdale.1"), []),
    ("L008", OLDHAM, build("oldham", "oldham.1", "cotton_mill", "bury.1"), ["coal.nearest"]),
    ("L010", OLDHAM, build("colne", "colne.1", "cotton_mill", "rochdale.1"), ["coal.connected"]),
    ("L010", OLDHAM, build("colne", "colne.1", "cotton_mill", "market"), ["coal.port"]),
    ("L011", PRESTON, build("cotton_mill", "lancaster.2", "cotton_mill"), []),
    ("L011", PRESTON, build("cotton_mill", "warrington_and_runcorn.1", "cotton_mill"), []),
    ("L011", PRESTON, build("cotton_mill", "wigan.1", "cotton_mill"), ["build.symbol"]),
    ("L011", PRESTON, build("cotton_mill", "preston.2", "cotton_mill"), ["build.one_per_town"]),
    ("L011", PRESTON, build("cotton_mill", "blackburn.1", "cotton_mill"), ["card.network"]),
    (
        "L013",
        at(**MERSEY, hand={"yellow": ["birkenhead"]}),
        build("birkenhead", "birkenhead.1", "shipyard", "wigan.1", "market"),
        ["coal.connected"],
    ),
    (
        "L013",
        at(
            era="rail",
            tile={
                "warrington_and_runcorn.1": tile("yellow", "cotton_mill", 2),
                "liverpool.1": tile("red", "port", 2),
            },
            link={"ellesmere_port--warrington_and_runcorn": "yellow", "birkenhead--ellesmere_port": "yellow"},
            hand={"yellow": ["oldham", "oldham"]},
        ),
        sale("warrington_and_runcorn.1", "liverpool.1"),
        ["sell.connected"],
    ),
    (
        "L016",
        at(money={"yellow": 999}, hand={"yellow": ["liverpool"]}),
        build("liverpool", "liverpool.3", "shipyard"),
        ["build.level_zero"],
    ),
    (
        "L017",
        change(YARD, era="rail"),
        build("liverpool", "liverpool.3", "shipyard", "market", "market"),
        ["build.canal_tile"],
    ),
    ("L020", EMPTY_PORTS, build("lancaster", "lancaster.2", "port"), ["space.single"]),
    ("L020", EMPTY_PORTS, build("preston", "preston.2", "port"), ["space.single"]),
    ("L020", EMPTY_PORTS, build("preston", "preston.2", "cotton_mill"), []),
    (
        "L020",
        change(EMPTY_PORTS, tile={"preston.1": tile("red", "port", 1)}),
        build("preston", "preston.2", "port"),
        [],
    ),
    (
        "L022",
        at(tile={"colne.1": tile("yellow", "cotton_mill", 1)}, hand={"yellow": ["oldham", "oldham"]}),
        build("oldham", "colne.2", "cotton_mill") | {"action": "combine", "other": "oldham"},
        ["build.one_per_town"],
    ),
    ("L023", YARD, build("liverpool", "liverpool.3", "shipyard", "market", "market"), ["build.one_per_town"]),
    (
        "L023",
        change(YARD, era="rail", stack=stack("yellow", shipyard=2)),
        build("liverpool", "liverpool.3", "shipyard", "market", "market"),
        [],
    ),
    ("L025", SPENT_MINE, build("wigan", "wigan.1", "coal_mine"), []),
    ("L025", change(SPENT_MINE, coal=1), build("wigan", "wigan.1", "coal_mine"), ["overbuild.exhausted"]),
    (
        "L025",
        change(SPENT_MINE, stack=stack("yellow", coal_mine=1)),
        build("wigan", "wigan.1", "coal_mine"),
        ["overbuild.level"],
    ),
    ("L025", SPENT_WORKS, NEW_WORKS, []),
    ("L025", change(SPENT_WORKS, iron=1), NEW_WORKS, ["overbuild.exhausted"]),
    ("L025", change(SPENT_WORKS, stack=stack("yellow", iron_works=1)), NEW_WORKS, ["overbuild.level"]),
    (
        "L025",
        at(tile={"liverpool.1": tile("red", "port", 1)}, hand={"yellow": ["liverpool"]}, stack=stack("yellow", port=2)),
        build("liverpool", "liverpool.1", "port"),
        ["overbuild.opponent"],
    ),
    (
        "L028",
        at(
            iron=4,
            money={"yellow": 4},
            tile={"bury.1": tile("red", "coal_mine", 1, cubes=1)},
            link={"bolton--bury": "red"},
            hand={"yellow": ["bolton"]},
        ),
        NEW_WORKS,
        ["money.enough"],
    ),
    (
        "L031",
        at(link={"colne--yorkshire": "yellow"}, hand={"yellow": ["oldham", "oldham"]}),
        canal("rochdale--yorkshire"),
        [],
    ),
    ("L032", TRACK_COAL, WARRINGTON_MILL, ["coal.port"]),
    (
        "L032",
        change(TRACK_COAL, tile={"warrington_and_runcorn.2": tile("red", "port", 1, flipped=True)}),
        WARRINGTON_MILL,
        [],
    ),
    (
        "L032",
        change(TRACK_COAL, link={"colne--yorkshire": "red"}),
        build("colne", "colne.1", "cotton_mill", "market"),
        [],
    ),
    ("L038", change(TRACK_COAL, coal=0), WARRINGTON_MILL, ["coal.port"]),
    ("L041", BARROW, BARROW_WORKS, ["coal.port"]),
    ("L041", change(BARROW, link={"barrow_in_furness--lancaster": "red"}), BARROW_WORKS, []),
    (
        "L043",
        at(**COTTON | {"tile": COTTON["tile"] | TWO_PORTS, "link": COTTON["link"] | TO_TWO_PORTS}),
        sale("bury.1", "ellesmere_port.1"),
        [],
    ),
    (
        "L044",
        at(**COTTON | {"tile": COTTON["tile"] | {"warrington_and_runcorn.2": tile("red", "port", 1, flipped=True)}}),
        sale("bury.1", "warrington_and_runcorn.2"),
        ["sell.port"],
    ),
    (
        "L044",
        at(**COTTON | {"tile": COTTON["tile"] | {"warrington_and_runcorn.2": tile("red", "port", 1, flipped=True)}}),
        sale("bury.1", "distant"),
        [],
    ),
    (
        "L050",
        at(**COTTON | {"link": COTTON["link"] | {"colne--yorkshire": "red", "burnley--colne": "red"}}, demand=8),
        sale("bury.1", "distant"),
        ["sell.distant_open", "sell.distant_port"],
    ),
    ("L053", at(hand={"yellow": ["oldham", "oldham"]}), canal("preston--wigan"), ["link.network"]),
    (
        "L055",
        at(tile={"liverpool.1": tile("yellow", "port", 1)}, hand={"yellow": ["oldham", "oldham"]}),
        canal("ellesmere_port--liverpool"),
        [],
    ),
    (
        "L055",
        at(tile={"ellesmere_port.1": tile("yellow", "port", 1)}, hand={"yellow": ["oldham", "oldham"]}),
        canal("ellesmere_port--warrington_and_runcorn"),
        [],
    ),
    (
        "L074",
        at(
            tile={"bury.1": tile("red", "coal_mine", 1, cubes=1)},
            link={"bolton--bury": "red"},
            hand={"yellow": ["bolton"]},
            stack=stack("yellow", coal_mine=1),
        ),
        NEW_WORKS,
        ["build.stack"],
    ),
]


@pytest.mark.parametrize(("case", "position", "move", "violated"), CASES)
def test_cases(case: str, position: Position, move: Move, violated: list[str]) -> None:
    assert verdict(position, move) == violated, case


# Settled questions about what happens


def test_both_level_zero_shipyards_are_developed_first() -> None:
    """L016."""
    position = at(hand={"yellow": ["oldham", "liverpool"]}, tile={"liverpool.1": tile("red", "port", 1)})
    develop = {"action": "develop", "player": "yellow", "card": "oldham", "industry": "shipyard", "iron": "market"}
    first = after(rules().step(position, develop))
    second = {"action": "develop_second", "player": "yellow", "industry": "shipyard", "iron": "market"}
    position = after(rules().step(first, second))
    assert position.state["money"]["yellow"] == 28
    assert verdict(position, build("liverpool", "liverpool.3", "shipyard", "market", "market")) == []


def test_equally_near_mines_are_a_free_choice() -> None:
    """L029."""
    mines = {"bury.1": tile("red", "coal_mine", 1, cubes=2), "rochdale.1": tile("red", "coal_mine", 1, cubes=2)}
    links = {"bury--manchester": "red", "manchester--oldham": "red", "oldham--rochdale": "red"}
    stacks = stack("yellow", cotton_mill=2)
    position = at(tile=mines, link=links, hand={"yellow": ["oldham", "manchester"]}, stack=stacks)
    for card, coal in (("manchester", ["bury.1"]), ("oldham", ["rochdale.1"])):
        moves = rules().legal_moves(position)
        assert [move["coal"] for move in moves if move["action"] == "build" and move["slot"] == f"{card}.1"] == [coal]
    near = links | {"bolton--bury": "red", "bolton--manchester": "red"}
    mines = {"bury.1": tile("red", "coal_mine", 1, cubes=2), "bolton.1": tile("red", "coal_mine", 1, cubes=2)}
    moves = rules().legal_moves(change(position, tile=mines, link=near))
    sources = {move["coal"][0] for move in moves if move["action"] == "build" and move["slot"] == "manchester.1"}
    assert sources == {"bury.1", "bolton.1"}


@pytest.mark.parametrize(("case", "level", "on_track", "cubes", "pounds"), [("L034", 2, 5, 3, 4), ("L035", 1, 5, 2, 3)])
def test_a_new_mine_fills_the_track(case: str, level: int, on_track: int, cubes: int, pounds: int) -> None:
    """L034: £2 + £1 + £1; L035: £2 + £1, the dearest spaces first."""
    position = at(
        coal=on_track,
        link={"colne--yorkshire": "red", "burnley--colne": "red"},
        hand={"yellow": ["burnley"]},
        stack=stack("yellow", coal_mine=level),
    )
    outcome = rules().step(position, build("burnley", "burnley.1", "coal_mine"))
    assert told(outcome, "cubes_sold", "received") == [
        ("cubes_sold", "burnley.1", cubes),
        ("received", "yellow", pounds),
    ], case
    assert told(outcome, "tile_flipped") == [("tile_flipped", "burnley.1")]
    assert told(outcome, "income_moved") == [("income_moved", "yellow", 10 + {1: 4, 2: 7}[level])]
    assert after(outcome).state["coal"] == on_track + cubes


def test_a_mine_connected_later_sells_nothing() -> None:
    """L037."""
    position = at(coal=2, tile={"burnley.1": tile("yellow", "coal_mine", 1, cubes=2)}, hand={"yellow": ["oldham"] * 2})
    joined = after(rules().step(position, canal("burnley--colne")))
    outcome = rules().step(joined, canal("colne--yorkshire"))
    assert kinds(outcome)[:3] == ["card_played", "paid", "link_built"]
    assert told(outcome, "cubes_sold", "received", "tile_flipped") == []
    assert after(outcome).state["tile"]["burnley.1"]["cubes"] == 2


def test_the_empty_track_sells_for_five() -> None:
    """L038: iron without a port."""
    develop = {"action": "develop", "player": "yellow", "card": "oldham", "industry": "port", "iron": "market"}
    outcome = rules().step(at(iron=0, hand={"yellow": ["oldham"]}), develop)
    assert told(outcome, "paid") == [("paid", "yellow", 5)]
    assert after(outcome).state["iron"] == 0


RAILS = at(
    era="rail",
    money={"yellow": 40},
    tile={
        "colne.1": tile("yellow", "cotton_mill", 2),
        "bolton.1": tile("yellow", "coal_mine", 2, cubes=1),
    },
    hand={"yellow": ["oldham", "oldham"]},
)


def test_each_rail_needs_a_cube_of_its_own() -> None:
    """L040."""
    first = rules().step(RAILS, rail("bolton--bury", "bolton.1"))
    assert told(first, "coal_taken", "tile_flipped", "paid") == [
        ("coal_taken", "bolton.1"),
        ("tile_flipped", "bolton.1"),
        ("paid", "yellow", 5),
    ]
    assert verdict(after(first), second_rail("burnley--colne")) == ["coal.port"]
    # From Oldham no rail leads to a port or out of Lancashire: nothing can follow, and the action closes by itself.
    mines = {"oldham.1": tile("yellow", "cotton_mill", 2), "bolton.1": tile("yellow", "coal_mine", 2, cubes=1)}
    closed = after(rules().step(change(RAILS, tile=mines), rail("bolton--bury", "bolton.1")))
    assert (closed.state["pending"], closed.state["actions"]) == ("none", 1)


def test_two_rails_need_not_touch() -> None:
    """L052: £15 and the cubes; but never two canals."""
    first = after(rules().step(RAILS, rail("bolton--bury", "bolton.1")))
    second = rules().step(first, second_rail("colne--yorkshire"))
    assert told(second, "paid") == [("paid", "yellow", 11)]
    assert after(second).state["spent"] == {"yellow": 16}
    canals = at(tile={"colne.1": tile("yellow", "cotton_mill", 2)}, hand={"yellow": ["oldham", "oldham"]})
    one = after(rules().step(canals, canal("burnley--colne")))
    assert (one.state["pending"], one.state["actions"]) == ("none", 1)


def turn(position: Position, move: Move, value: int) -> tuple[Position, list[str]]:
    asked = after(rules().step(position, move))
    outcome = rules().apply_chance(asked, {"chance": "turn_tile", "value": value})
    return after(outcome), kinds(outcome)


def test_reaching_the_bottom_ends_the_sale() -> None:
    """L046, L047: the mill that has a port is sold first; a failure at the distant market ends the action."""
    position = at(**COTTON | {"tile": COTTON["tile"] | {"warrington_and_runcorn.2": tile("red", "port", 1)}}, demand=7)
    position = change(
        position,
        distant=[3, 4],
        tile=position.state["tile"] | {"colne.1": tile("yellow", "cotton_mill", 1)},
        link=position.state["link"] | {"colne--yorkshire": "red"},
    )
    failed, events = turn(position, sale("colne.1", "distant"), 3)
    assert events == ["tile_turned", "demand_moved", "distant_closed"]
    state = failed.state
    assert (state["demand"], state["pending"], state["actions"], state["turned"]) == (8, "none", 1, [3])
    assert not state["tile"]["colne.1"]["flipped"]
    assert verdict(failed, sale("colne.1", "distant")) == ["sell.distant_open"]
    assert verdict(failed, sale("bury.1", "warrington_and_runcorn.2")) == []
    port_first = after(rules().step(position, sale("bury.1", "warrington_and_runcorn.2")))
    more = {"action": "sell_more", "player": "yellow", "mill": "colne.1", "through": "distant"}
    state = turn(port_first, more, 3)[0].state
    assert [state["tile"][slot]["flipped"] for slot in ("bury.1", "colne.1")] == [True, False]


def test_a_loan_goes_down_by_bands() -> None:
    """L056."""
    position = at(income={"yellow": 19}, hand={"yellow": ["oldham"]})
    loan = {"action": "loan", "player": "yellow", "card": "oldham", "amount": 2}
    outcome = rules().step(position, loan)
    assert told(outcome, "loan_taken", "income_moved") == [("loan_taken", "yellow", 20), ("income_moved", "yellow", 16)]


def era_ends(**state: Any) -> Position:
    """Yellow's last card of an era, in an order of play that spending does not change."""
    return at(order=["red", "purple", "yellow"], turn=3, actions=1, deck=[], hand={"yellow": ["oldham"]}, **state)


def test_the_end_of_the_canal_era() -> None:
    """L065, L067, L070 (first half), and the canal Northwich-Midlands of L068."""
    position = era_ends(
        income={"yellow": 10, "red": 10, "purple": 10},
        tile={
            "bolton.1": tile("red", "coal_mine", 1, flipped=True),
            "manchester.4": tile("red", "iron_works", 2, cubes=3),
            "manchester.1": tile("red", "coal_mine", 2, flipped=True),
            "manchester.2": tile("yellow", "cotton_mill", 1),
            "colne.1": tile("yellow", "cotton_mill", 3, flipped=True),
        },
        link={"bolton--manchester": "yellow", "northwich--the_midlands": "purple"},
        demand=5,
        distant=[0, 1, 2, 2, 2, 3, 3, 4],
        turned=[2, 3],
        coal=3,
    )
    outcome = rules().step(position, skip())
    assert told(outcome, "links_scored", "tiles_scored") == [
        ("tiles_scored", "red", 3),
        ("links_scored", "purple", 4),
        ("links_scored", "yellow", 2),
        ("tiles_scored", "yellow", 9),
    ]
    assert told(outcome, "tile_removed") == [("tile_removed", "bolton.1"), ("tile_removed", "manchester.2")]
    state = after(outcome).state
    assert (state["link"], state["demand"], state["turned"], state["coal"]) == ({}, 0, [], 3)
    assert state["distant"] == [0, 1, 2, 2, 2, 2, 3, 3, 3, 4]
    assert state["tile"]["manchester.4"] == tile("red", "iron_works", 2, cubes=3)
    assert state["income"] == {"yellow": 10, "red": 10, "purple": 10}
    assert (state["phase"], state["order"]) == ("deal", ["red", "purple", "yellow"])


def test_the_end_of_the_rail_era() -> None:
    """L068, L070 (second half), L071."""
    position = era_ends(
        era="rail",
        money={"yellow": 29},
        tile={"colne.1": tile("yellow", "cotton_mill", 3, flipped=True)},
        link={"blackpool--preston": "red"},
    )
    assert told(rules().step(position, skip()), "links_scored", "tiles_scored", "money_scored") == [
        ("links_scored", "red", 2),
        ("tiles_scored", "yellow", 9),
        ("money_scored", "yellow", 2),
    ]
