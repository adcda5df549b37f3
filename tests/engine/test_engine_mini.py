"""The ruleset `mini`: the figures of its data sheet, and the rules on its small board."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from engine_playing import engine, names, play, tile, told
from test_engine_games import candidates

from brassspec.engine.mini import MINI
from brassspec.formats import InputError, Outcome, Position

SHEET: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "mini.json").read_text(encoding="utf-8"))
RULES = engine(2, ruleset="mini")


def table(**state: Any) -> Position:
    """A position in the second canal round with yellow to act; what is not said is as at set-up."""
    names = ("yellow", "red")
    middle = {"round": 2, "phase": "actions", "actions": 2, "built": dict.fromkeys(names, True)}
    return Position("mini", 2, middle | {"hand": {"yellow": ["preston", "coal_mine"]}} | state)


def left(player: str, **levels: int) -> dict[str, Any]:
    """A player's stacks with one tile in each."""
    return {player: {industry: {str(level): 1} for industry, level in levels.items()}}


def step(position: Position, action: str, **fields: Any) -> Outcome:
    card = {} if action in ("second_rail", "develop_second", "sell_more", "give_up", "done") else {"card": "preston"}
    return RULES.step(position, {"action": action, "player": "yellow"} | card | fields)


# Figures


def test_board() -> None:
    spaces = {space["id"]: tuple(space["industries"]) for place in SHEET["locations"] for space in place["slots"]}
    assert MINI.slots == spaces
    assert list(MINI.slots) == sorted(spaces)
    assert MINI.place_of == {space["id"]: place["id"] for place in SHEET["locations"] for space in place["slots"]}
    icons = {place["id"]: place["printed_link_icons"] for place in SHEET["locations"] if place["printed_link_icons"]}
    assert MINI.printed_icons == icons
    assert list(MINI.external) == [place["id"] for place in SHEET["locations"] if place["market_access"]]
    lines = {"--".join(line["ends"]): (tuple(line["ends"]), line["canal"], line["rail"]) for line in SHEET["links"]}
    marked = MINI.lines_of
    assert {name: (ends, name in marked["canal"], name in marked["rail"]) for name, ends in MINI.lines.items()} == lines
    assert list(MINI.lines) == sorted(lines)
    costs = SHEET["link_costs"]
    assert MINI.link_tiles == costs["link_tiles_per_player"]
    assert costs["canal"] == MINI.link_prices["canal"]
    assert costs["rail_single"] == MINI.link_prices["rail"]
    assert costs["rail_double"] == MINI.link_prices["rail"] + MINI.link_prices["second_rail"]


def test_tiles() -> None:
    eras = {None: ["canal", "rail"], "canal": ["canal"], "rail": ["rail"]}
    assert len(MINI.tiles) == len(SHEET["industry_tiles"])
    for each in SHEET["industry_tiles"]:
        kind = MINI.tiles[each["industry"], each["level"]]
        assert kind.count == each["count"]
        assert kind.cubes == each["cubes"]
        assert each["buildable"] == (each["level"] > 0)
        if each["buildable"]:
            printed = tuple(each[name] for name in ("cost", "coal", "iron", "income_steps", "vp"))
            assert (kind.price, kind.coal, kind.iron, kind.income, kind.vp) == printed
            assert eras[kind.era] == each["eras"]
    assert sum(kind.count for kind in MINI.tiles.values()) == SHEET["industry_tile_total_per_player"]


def test_cards_and_rounds() -> None:
    assert MINI.cards == {
        card["location" if "location" in card else "industry"]: card["deck"] for card in SHEET["cards"]
    }
    setup = SHEET["deck_setup"]["mini"]["2"]
    assert sum(MINI.cards.values()) == setup["deck"]
    assert MINI.set_aside == setup["set_aside"]
    assert set(MINI.hand_size.values()) == {SHEET["setup"]["hand_size"]}
    assert MINI.rounds == max(SHEET["rounds_per_era"]["mini"].values())


def test_money_and_tracks() -> None:
    assert MINI.money == SHEET["setup"]["starting_money"]["mini"]["2"]
    progress = SHEET["progress_track"]
    assert list(MINI.income_of_space) == progress["income_by_space"]
    assert len(MINI.income_of_space) - 1 == progress["last_space"]
    assert dict(zip(MINI.players, MINI.income_start, strict=True)) == progress["income_start_space"]
    assert MINI.lowest_income == progress["min_income"] == SHEET["loans"]["min_income_after"]
    resources = SHEET["resource_tracks"]["mini"]
    for resource in ("coal", "iron"):
        prices, start = getattr(MINI, f"{resource}_prices"), getattr(MINI, f"{resource}_start")
        assert list(prices) == [resources["price_when_empty"], *reversed(resources[resource])]
        assert start == resources["initial_cubes"][resource]
    spaces = SHEET["cotton_demand_track"]["spaces"]
    assert list(MINI.demand_bonus) == [space["income_steps"] for space in spaces if not space["closed"]]
    assert [space["index"] for space in spaces if space["closed"]] == [MINI.demand_closed]
    assert list(MINI.distant) == SHEET["distant_market_tiles"]["mini"]["2"]


def test_set_up() -> None:
    state = RULES.initial().state
    assert state["money"] == {"yellow": 6, "red": 6}
    assert state["income"] == {"yellow": 10, "red": 9}
    assert (state["coal"], state["iron"], state["distant"]) == (0, 0, [1, 2])
    assert state["deck"] == ["preston"] * 5 + ["coal_mine"]
    assert state["stack"]["red"] == {
        "cotton_mill": {"2": 2},
        "port": {"2": 1},
        "coal_mine": {"1": 1, "2": 1},
        "iron_works": {"2": 1},
        "shipyard": {"0": 1, "2": 1},
    }


# Rules


def test_course_of_the_game() -> None:
    """Red pays in round 1; one action, then two; in the rail era two cards are set aside and the deck is empty."""
    seen: Counter[str] = Counter()
    for position, moves, choice, outcome in play(2, 3, ruleset="mini"):
        assert outcome.position is not None
        state = outcome.position.state
        if told(outcome, "round_begun") and position.state["phase"] == "deal":  # the canal era's: nothing set aside
            assert told(outcome, "income_paid") == [("income_paid", "red", 1)]
            assert state["actions"] == 1
            assert len(state["deck"]) == 2
            seen["dealt"] += 1
        if choice.get("chance") == "set_aside":
            seen["aside"] += 1
        if moves and position.state["era"] == "rail":
            assert position.state["deck"] == []
            assert not any(move["action"] == "loan" for move in moves)
    assert seen == {"dealt": 1, "aside": 2}


@pytest.mark.parametrize("seed", range(12))
def test_moves_are_complete(seed: int) -> None:
    """Whatever else is tried, combined actions and whole boards included, is refused."""
    for position, moves, _, _ in play(2, seed, ruleset="mini"):
        if moves:
            for move in _all_candidates(position):
                assert RULES.step(position, move).legal == (move in moves), move


def _all_candidates(position: Position) -> Iterator[dict[str, Any]]:
    for move in candidates(position, list(MINI.slots)):
        yield move
        if move["action"] == "build":
            for other in MINI.cards:
                if move["card"] != "coal_mine" or other == "coal_mine":
                    yield move | {"action": "combine", "other": other}


def test_loans() -> None:
    deck = ["preston"]
    assert step(table(deck=deck, income={"yellow": 10}), "loan", amount=1).legal
    assert names(step(table(deck=deck, income={"yellow": 10}), "loan", amount=2)) == ["loan.floor"]
    assert names(step(table(deck=deck, income={"yellow": 9}), "loan", amount=1)) == ["loan.floor"]
    lent = step(table(deck=deck, income={"yellow": 11}), "loan", amount=1)
    assert told(lent, "income_moved") == [("income_moved", "yellow", 10)]
    assert names(step(table(era="rail", deck=[]), "loan", amount=1)) == ["loan.deck"]


def test_links() -> None:
    links = {"birkenhead--preston": "yellow", "lancaster--scotland": "yellow"}
    rail = table(era="rail", money={"yellow": 30}, link=links)
    outcome = step(rail, "rail", link="liverpool--preston", coal="market")
    assert names(outcome) == ["coal.port", "link.supply"]
    port = {"preston.1": tile("red", "port", 2)}
    rail = table(era="rail", money={"yellow": 21}, link={"birkenhead--preston": "yellow"}, tile=port)
    assert told(step(rail, "rail", link="liverpool--preston", coal="market"), "paid") == [("paid", "yellow", 21)]


def test_mine_sells_one_cube() -> None:
    """A mine of level 1 by a port flips at once; one of level 2 keeps a cube; nothing is sold to a full track."""
    port = {"preston.1": tile("red", "port", 2)}
    build = {"slot": "preston.2", "industry": "coal_mine", "coal": [], "iron": []}
    small = step(table(tile=port, income={"yellow": 12}), "build", **build)
    assert told(small, "cubes_sold", "received", "tile_flipped", "income_moved") == [
        ("cubes_sold", "preston.2", 1),
        ("received", "yellow", 3),
        ("tile_flipped", "preston.2"),
        ("income_moved", "yellow", 12),
    ]
    position = table(tile=port, stack=left("yellow", coal_mine=2))
    large = step(position, "build", **build)
    assert told(large, "cubes_sold", "tile_flipped") == [("cubes_sold", "preston.2", 1)]
    full = step(table(tile=port, coal=1), "build", **build)
    assert told(full, "cubes_sold", "received", "tile_flipped") == []


def test_iron_at_sixteen() -> None:
    assert told(step(table(money={"yellow": 16}), "develop", industry="shipyard", iron="market"), "paid") == [
        ("paid", "yellow", 16)
    ]
    assert told(step(table(iron=1), "develop", industry="shipyard", iron="market"), "paid") == [("paid", "yellow", 3)]
    assert names(step(table(), "develop", industry="shipyard", iron="market")) == ["money.enough"]


def test_distant_market() -> None:
    mills = {"preston.2": tile("yellow", "cotton_mill", 2), "lancaster.2": tile("yellow", "cotton_mill", 2)}
    board = table(tile=mills | {"preston.1": tile("red", "port", 2, flipped=True)}, income={"yellow": 9})
    trying = step(board, "sell", mill="preston.2", through="distant").position
    assert trying is not None
    assert [outcome["value"] for outcome, _ in RULES.chance(trying)] == [1, 2]
    sold = RULES.apply_chance(trying, {"chance": "turn_tile", "value": 1})
    assert told(sold, "demand_moved", "income_moved") == [("demand_moved", 1), ("income_moved", "yellow", 11)]
    closed = RULES.apply_chance(trying, {"chance": "turn_tile", "value": 2})
    assert told(closed, "demand_moved", "distant_closed") == [("demand_moved", 2), ("distant_closed",)]
    assert names(step(table(tile=board.state["tile"], demand=2), "sell", mill="preston.2", through="distant")) == [
        "sell.distant_open"
    ]


def test_worthless_tile_given_up() -> None:
    """Half of £1 is nothing: no money is received, and none is told of."""
    mines = {"liverpool.1": tile("yellow", "coal_mine", 1, 1)}
    due = table(phase="income", actions=0, owed=1, money={"red": 6}, tile=mines, vp={"yellow": 1})
    given_up = step(due, "give_up", slot="liverpool.1")
    assert told(given_up, "tile_removed", "received", "income_paid", "vp_lost")[:2] == [
        ("tile_removed", "liverpool.1"),
        ("vp_lost", "yellow", 1),
    ]


def test_single_spaces_first() -> None:
    """Reading port_first=single: on this board it binds mills, too."""
    build = {"action": "build", "player": "yellow", "card": "preston", "slot": "preston.2", "coal": [], "iron": []}
    single = engine(2, "+port_first=single", "mini")
    mill, port, mine = (build | {"industry": industry} for industry in ("cotton_mill", "port", "coal_mine"))
    assert RULES.step(table(), mill).legal
    assert names(single.step(table(), mill)) == ["space.single"]
    assert names(RULES.step(table(), port)) == ["port.preston"]
    assert names(single.step(table(), port)) == ["space.single"]
    assert single.step(table(), mine).legal
    filled = table(tile={"preston.3": tile("red", "cotton_mill", 2)})
    assert single.step(filled, mill).legal
    # A space that shows one other industry is no choice of the mill's, and keeps nothing from anybody.
    assert names(single.step(table(), mill | {"slot": "preston.1"})) == ["build.symbol"]
    assert names(single.step(table(), port | {"slot": "preston.3"})) == ["build.symbol"]


@pytest.mark.parametrize(
    "state",
    [
        {"income": {"red": 13}},
        {"demand": 3},
        {"coal": 2},
        {"round": 3},
        {"distant": [3]},
        {"tile": {"preston.3": tile("red", "cotton_mill", 1)}},
        {"tile": {"liverpool.1": tile("red", "coal_mine", 2, 3)}},
        {"stack": {"red": {"port": {"2": 2}}}},
        {"hand": {"red": ["lancaster"]}},
        {"link": {"preston--wigan": "red"}},
    ],
)
def test_what_is_not_there(state: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        RULES.legal_moves(table(**state))
