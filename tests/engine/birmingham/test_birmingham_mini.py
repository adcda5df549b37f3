"""The ruleset `mini-birmingham`: the figures of its sheet, and the rules on its small board."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from birmingham_playing import engine, play
from engine_playing import after, cards, names, tile, tiles, told
from test_birmingham_games import check_cubes, check_money

from brassspec.engine import Engine
from brassspec.engine.birmingham import tables
from brassspec.formats import InputError, Move, Outcome, Position

SHEET = (Path(__file__).parents[2] / "data" / "mini_birmingham.txt").read_text("utf-8")
NAME = "mini-birmingham"
MINI = tables.MINI
RULES = engine(2, edition=NAME)
CARDS = ("worcester", "brewery", *tables.WILDS)
THREE_ENDS = "farm_brewery_south--kidderminster--worcester"
SOUTH = "farm_brewery_south.1"


def rows(heading: str) -> list[list[Any]]:
    """The rows of a table of the sheet: numbers, names, and sets of names."""
    _, _, below = SHEET.partition(f"\n{heading}")
    table = re.match(r".*\n((?: +.*\n)+)", below)
    assert table is not None, heading
    lines = [line for line in table[1].splitlines() if not line.lstrip().startswith("#")]
    return [[_value(cell) for cell in re.findall(r'"[^"]*"|\{[^}]*\}|\S+', line)] for line in lines]


def _value(cell: str) -> Any:
    if cell.startswith("{"):
        return set(filter(None, cell.strip("{}").split(", ")))
    return int(cell) if cell.isdecimal() else cell


def said(pattern: str) -> tuple[int, ...]:
    """The whole numbers in the sheet's own words."""
    found = re.search(pattern, SHEET)
    assert found is not None, pattern
    return tuple(map(int, found.groups()))


def table(**state: Any) -> Position:
    """A position in the second canal round with yellow to act; what is not said is as at set-up."""
    middle = {"round": 2, "phase": "actions", "actions": 2, "placed": {"yellow": True, "red": True}}
    middle |= {"merchant": {"gloucester.1": "cotton"}, "barrel": {"gloucester.1": 1}}
    return Position(NAME, 2, middle | {"hand": {"yellow": ["worcester", "brewery"]}} | state)


def step(position: Position, action: str, **fields: Any) -> Outcome:
    card = {} if action in ("second_rail", "bonus_develop", "sell_more") else {"card": "worcester"}
    move = {"action": action, "player": "yellow"} | card | fields
    outcome = RULES.step(position, move)
    assert outcome.legal == (move in RULES.legal_moves(position))
    return outcome


def build(position: Position, slot: str, industry: str, card: str = "worcester", coal: tuple[str, ...] = ()) -> Outcome:
    return step(position, "build", card=card, slot=slot, industry=industry, coal=list(coal), iron=[])


# Figures


def test_board() -> None:
    kinds = {place: kind for place, _, kind, _ in rows("sort Place")}
    assert {slot: set(shown) for slot, shown in MINI.slots.items()} == dict(rows("sort Slot"))
    assert list(MINI.slots) == sorted(MINI.slots)
    built_on = {slot.split(".")[0] for slot in MINI.slots}
    assert built_on == {place for place, kind in kinds.items() if kind != "merchant"}
    assert built_on.intersection(tables.FARMS) == {place for place, kind in kinds.items() if kind == "farm"}
    assert dict.fromkeys(MINI.merchant_spaces, 2) == dict(rows("sort MerchantSpace"))
    merchants = {space.split(".")[0] for space in MINI.merchant_spaces}
    icons = {place: number for place, _, _, number in rows("sort Place") if number}
    assert icons == dict.fromkeys(merchants, tables.MERCHANT_ICONS)
    assert merchants == {place for place, kind in kinds.items() if kind == "merchant"}
    lines = dict(rows("sort Link"))
    assert list(MINI.lines) == sorted(lines)
    assert all(ends == tuple(line.split("--")) and kinds.keys() >= set(ends) for line, ends in MINI.lines.items())
    for era, marked in MINI.lines_of.items():
        assert list(marked) == [line for line in sorted(lines) if era in lines[line]]


def test_tiles() -> None:
    sheet = rows("table tiles")
    assert len(sheet) == len(MINI.tiles)
    for industry, level, count, price, coal, iron, beer, income, vp, icons, cubes, eras, lightbulb in sheet:
        kind = MINI.tiles[industry, level]
        assert (kind.count, kind.price, kind.coal, kind.iron) == (count, price, coal, iron)
        assert (kind.income, kind.vp, kind.icons) == (income, vp, icons)
        assert kind.beer == (beer or None)  # tiles that are sold all ask for some
        assert kind.cubes == (tables.BARRELS["rail"] if industry == "brewery" else cubes)
        assert {kind.era or "canal", kind.era or "rail"} == eras
        assert kind.lightbulb == (lightbulb == "true")


def test_cards_and_merchant_tiles() -> None:
    assert MINI.cards == {card: copies for card, _, copies in rows("table cards_in_deck")}
    wilds = said(r"(\d) wild location and (\d) wild industry cards")
    assert wilds == tuple(MINI.wilds.values())
    for card, names_town, trades in rows("sort Card"):
        assert (names_town == card) == (card in MINI.cards and card not in tables.SHOWS)
        assert set(tables.SHOWS.get(card, ())) == trades
    assert [card for card, _, _ in rows("sort Card")] == list(CARDS)
    for mix in (MINI.merchant_tiles, MINI.other_merchant_tiles):
        assert {2: mix} == {players: (tile,) * copies for tile, players, copies in rows("table merchant_tiles")}
    assert {tile: set(bought) for tile, bought in tables.BUYS.items()} == dict(rows("table merchant_buys"))
    for place, points, pounds, spaces, develops in rows("table merchant_bonuses"):
        bonuses = [bonus.get(place, 0) for bonus in (tables.BONUS[kind] for kind in ("vp", "money", "income"))]
        assert (bonuses, place in tables.BONUS["develop"]) == ([points, pounds, spaces], develops == 1)


def test_markets() -> None:
    for name, prices, start in (
        ("coal", MINI.coal_prices, MINI.coal_start),
        ("iron", MINI.iron_prices, MINI.iron_start),
    ):
        assert list(enumerate(prices)) == sorted(map(tuple, rows(f"table {name}_market")))
        assert said(rf"define {name}_spaces = (\d)") == (len(prices) - 1,)
        assert said(rf"define {name}_at_start = (\d)") == (start,)


def test_set_up_and_limits() -> None:
    hands = said(
        r"era canal: (\d) cards dealt each, hands are filled up to (\d); rail era: (\d) each, hands filled up to (\d)"
    )
    assert hands == (MINI.hand_size["canal"],) * 2 + (MINI.hand_size["rail"],) * 2
    assert "two cards are set aside at the start of the rail era; none is set aside in the canal era" in SHEET
    assert MINI.set_aside == {"canal": 0, "rail": 2}
    assert said(r"(\d) links a player") == (MINI.link_tiles,)
    money = said(r"starting money £(\d); a rail £(\d), a second rail £(\d) more; a canal £(\d)")
    assert money == (MINI.money, *(MINI.link_prices[kind] for kind in ("rail", "second_rail", "canal")))
    loan = said(r"a loan gives £(\d) and lowers income by (\d) level; income does not fall below -£(\d)")
    pounds, levels, lowest = loan
    assert (MINI.loans, MINI.lowest_income) == ({levels: pounds}, -lowest)
    start = said(r"yellow starts on income space (\d+), red on space (\d+)")
    assert MINI.income_start == start
    assert said(r"highest income £(\d); the last space of the income track is (\d+)") == (
        max(MINI.income_of_space),
        len(MINI.income_of_space) - 1,
    )
    assert (MINI.last_era, MINI.rounds) == ("rail", 2)


def test_first_position() -> None:
    state = RULES.initial().state
    assert state["money"] == {"yellow": 6, "red": 6}
    assert state["income"] == {"yellow": 10, "red": 9}
    assert (state["coal"], state["iron"], state["deck"]) == (0, 0, ["worcester"] * 5 + ["brewery"])
    assert state["wilds"] == ["wild_location"] * 2 + ["wild_industry"] * 2
    assert state["stack"]["red"] == {
        "cotton_mill": {"1": 1, "2": 1},
        "pottery": {"1": 1},
        "coal_mine": {"1": 1, "2": 1},
        "iron_works": {"2": 1},
        "brewery": {"2": 1},
    }
    with pytest.raises(InputError, match=r"^players: mini-birmingham is for 2 players, not 3"):
        Engine(NAME, 3)


# Whole games


@pytest.mark.parametrize("seed", range(40))
def test_random_game(seed: int) -> None:
    """Three cards each and nothing set aside; one round of two cards each in the rail era, two set aside; all adds up."""
    rounds: Counter[str] = Counter()
    played: Counter[str] = Counter()
    fallen: Counter[str] = Counter()
    for position, moves, choice, outcome in play(2, seed, edition=NAME):
        old, new = position.state, after(outcome).state
        era = old["era"]
        if "chance" in choice:
            fallen[f"{choice['chance']} {era}"] += 1
        for event in outcome.events:
            if event["event"] == "era_begun":
                era = event["era"]
            rounds[era] += event["event"] == "round_begun"
            played[era] += (event["event"] == "card_played") - (event["event"] == "wild_taken")
        assert cards(new) == 10
        for player in new["order"]:
            assert tiles(new, player) == 7
            assert list(new["link"].values()).count(player) <= 2
            assert 9 <= new["income"][player] <= 12
        check_money(old, new, outcome)
        check_cubes(old, new, outcome)
        assert len({json.dumps(move, sort_keys=True) for move in moves}) == len(moves)
        assert all(RULES.step(position, move).legal for move in moves)
    assert rounds == {"canal": 2, "rail": 1}
    assert played == {"canal": 6, "rail": 4}
    assert fallen == {"seat canal": 1, "place_merchant canal": 1, "draw canal": 6, "draw rail": 4, "set_aside rail": 2}
    assert (new["phase"], new["hand"], new["deck"]) == ("over", {}, [])


@pytest.mark.parametrize("seed", range(8))
def test_moves_are_complete(seed: int) -> None:
    """Whatever else is tried is refused."""
    for position, moves, _, _ in play(2, seed, edition=NAME):
        if moves:
            found = [move for move in candidates(position) if RULES.step(position, move).legal]
            assert sorted(map(repr, map(_sorted, found))) == sorted(map(repr, map(_sorted, moves)))


def _sorted(move: Move) -> list[tuple[str, Any]]:
    return sorted(move.items())


def candidates(position: Position) -> Iterator[Move]:
    """Every well-formed move of the player at turn with at most one source of a kind: nothing asks for more."""
    state = position.state
    player = {"player": state["order"][state["turn"] - 1]}
    sources, slots, lines = [*MINI.slots, "market"], list(MINI.slots), list(MINI.lines)
    some = [[], *([source] for source in sources)]
    breweries: list[list[str]] = [[], *([slot] for slot in slots)]
    sales = [
        {"tile": slot, "merchant": "gloucester.1", "beer": beer, "barrels": barrels}
        for slot, beer, barrels in product(slots, breweries, ([], ["gloucester.1"]))
    ]
    tiles_developed = [{"industry": industry, "iron": source} for industry, source in product(MINI.industries, sources)]
    follow_ups: list[dict[str, Any]] = [{"action": "done"}, *({"action": "give_up", "slot": slot} for slot in slots)]
    follow_ups += [{"action": "sell_more", **sale} for sale in sales]
    follow_ups += [{"action": "develop_second", **each} for each in tiles_developed]
    follow_ups += [{"action": "bonus_develop", "industry": industry} for industry in MINI.industries]
    follow_ups += [
        {"action": "second_rail", "link": link, "coal": coal, "beer": beer}
        for link, coal, beer in product(lines, sources, slots)
    ]
    openers: list[dict[str, Any]] = [{"action": "loan"}, {"action": "pass"}]
    openers += [
        {"action": "build", "slot": slot, "industry": industry, "coal": coal, "iron": iron}
        for slot, industry, coal, iron in product(slots, MINI.industries, some, ([], ["market"]))
    ]
    openers += [{"action": "canal", "link": link} for link in lines]
    openers += [{"action": "rail", "link": link, "coal": coal} for link, coal in product(lines, sources)]
    openers += [{"action": "develop", **each} for each in tiles_developed]
    openers += [{"action": "sell", **sale} for sale in sales]
    for follow_up in follow_ups:
        yield {**follow_up, **player}
    for opener, card in product(openers, CARDS):
        yield {**opener, "card": card, **player}
    for card, second, third in combinations_with_replacement(CARDS, 3):
        yield {"action": "scout", "card": card, "second": second, "third": third, **player}


# Rules


def test_loans() -> None:
    """£8 for one level, down to -£1."""
    lent = step(table(income={"yellow": 12}), "loan")
    assert told(lent, "loan_taken", "income_moved") == [("loan_taken", "yellow", 8), ("income_moved", "yellow", 10)]
    assert step(table(income={"yellow": 10}), "loan").legal
    assert names(step(table(income={"yellow": 9}), "loan")) == ["loan.floor"]


def test_links() -> None:
    """A canal £3; a rail £1, a second £2 more; each line in its era; two links a player."""
    mill = {"worcester.1": tile("yellow", "cotton_mill", 2)}
    assert told(step(table(tile=mill), "canal", link=THREE_ENDS), "paid") == [("paid", "yellow", 3)]
    assert names(step(table(tile=mill), "canal", link="gloucester--kidderminster")) == [
        "link.canal_line",
        "link.network",
    ]
    brewery = {SOUTH: tile("yellow", "brewery", 2, 2), "kidderminster.1": tile("red", "coal_mine", 2, 2)}
    rails = table(era="rail", round=1, tile=brewery)
    first = step(rails, "rail", link=THREE_ENDS, coal="kidderminster.1")
    assert told(first, "paid") == [("paid", "yellow", 1)]
    second = {"link": "gloucester--kidderminster", "coal": "kidderminster.1", "beer": SOUTH}
    assert told(step(after(first), "second_rail", **second), "paid", "tile_flipped") == [
        ("tile_flipped", "kidderminster.1"),
        ("paid", "yellow", 2),
    ]
    assert "link.rail_line" in names(step(rails, "rail", link="gloucester--worcester", coal="market"))
    links = {"gloucester--worcester": "yellow", "gloucester--kidderminster": "yellow"}
    assert names(step(table(link=links), "canal", link=THREE_ENDS)) == ["link.supply"]


def test_coal() -> None:
    """The empty market sells for £2, its one space for £1; a mine that reaches Gloucester fills that space for £1."""
    roads = {"gloucester--worcester": "red", THREE_ENDS: "yellow"}
    gone = {"yellow": {"cotton_mill": {"1": 1}}}
    for coal, pounds in ((0, 6), (1, 5)):
        mill = build(table(link=roads, gone=gone, coal=coal), "worcester.1", "cotton_mill", coal=("market",))
        assert told(mill, "paid") == [("paid", "yellow", pounds)]
    wild = table(link=roads, hand={"yellow": ["wild_location"]})
    mine = build(wild, "kidderminster.1", "coal_mine", "wild_location")
    assert told(mine, "cubes_sold", "received", "tile_flipped") == [
        ("cubes_sold", "kidderminster.1", 1),
        ("received", "yellow", 1),
    ]
    alone = table(link={THREE_ENDS: "yellow"}, hand={"yellow": ["wild_location"]})
    assert told(build(alone, "kidderminster.1", "coal_mine", "wild_location"), "cubes_sold") == []


def test_iron() -> None:
    """£16 from the empty market; a works, in the rail era, sells one of its cubes for £3."""
    assert told(step(table(money={"yellow": 16}), "develop", industry="brewery", iron="market"), "paid") == [
        ("paid", "yellow", 16)
    ]
    assert names(step(table(), "develop", industry="brewery", iron="market")) == ["money.enough"]
    assert names(step(table(iron=1), "develop", industry="pottery", iron="market")) == ["develop.lightbulb"]
    works = build(table(era="rail", round=1, money={"yellow": 9}), "worcester.2", "iron_works")
    assert told(works, "cubes_sold", "received") == [("cubes_sold", "worcester.2", 1), ("received", "yellow", 3)]
    assert names(build(table(money={"yellow": 9}), "worcester.2", "iron_works")) == ["build.rail_tile"]


def test_spaces() -> None:
    """A mill takes the space for mills alone first; a brewery's card builds on the farm, Worcester's beside the mill."""
    assert names(build(table(), "worcester.2", "cotton_mill")) == ["space.single"]
    assert build(table(tile={"worcester.1": tile("red", "cotton_mill", 1)}), "worcester.2", "cotton_mill").legal
    assert build(table(), "worcester.2", "brewery").legal
    assert build(table(), SOUTH, "brewery", "brewery").legal
    near = table(link={THREE_ENDS: "yellow"}, hand={"yellow": ["wild_location"]})
    assert names(build(near, SOUTH, "brewery", "wild_location")) == ["card.farm"]
    brewed = [after(build(table(era=era), "worcester.2", "brewery")).state["tile"] for era in ("canal", "rail")]
    assert [tiles["worcester.2"]["cubes"] for tiles in brewed] == [1, 2]


def test_sale() -> None:
    """A mill is sold with Gloucester's beer, which develops a tile; the pottery's lightbulb forbids it."""
    board = table(tile={"worcester.1": tile("yellow", "cotton_mill", 1)}, link={"gloucester--worcester": "red"})
    sale = {"tile": "worcester.1", "merchant": "gloucester.1", "beer": [], "barrels": ["gloucester.1"]}
    sold = step(board, "sell", **sale)
    assert told(sold, "barrel_taken", "tile_sold", "income_moved") == [
        ("barrel_taken", "gloucester.1"),
        ("tile_sold", "worcester.1", "gloucester.1"),
        ("income_moved", "yellow", 11),
    ]
    assert [move["industry"] for move in RULES.legal_moves(after(sold))] == [
        "cotton_mill",
        "coal_mine",
        "iron_works",
        "brewery",
    ]
    assert names(step(after(sold), "bonus_develop", industry="pottery")) == ["develop.lightbulb"]
    developed = step(after(sold), "bonus_develop", industry="iron_works")
    assert told(developed, "tile_developed") == [("tile_developed", "yellow", "iron_works", 2)]


# Scoring


def ending(**state: Any) -> Position:
    """Red's last card of an era."""
    last = {"turn": 2, "actions": 1, "deck": [], "hand": {"red": ["worcester"]}}
    return table(**(last | {"discard": ["worcester"] * 4 + ["brewery"]} | state))


END = {"action": "pass", "player": "red", "card": "worcester"}
BOARD = {
    "worcester.1": tile("yellow", "cotton_mill", 1, flipped=True),
    "worcester.2": tile("red", "brewery", 2, 1),
    "kidderminster.1": tile("red", "coal_mine", 2, flipped=True),
}


def test_the_canal_era_is_scored() -> None:
    """By hand: Gloucester has two icons, Worcester and Kidderminster one each, the farm none; each flipped tile is 1 VP."""
    links = {"gloucester--worcester": "yellow", THREE_ENDS: "red"}
    outcome = RULES.step(ending(tile=BOARD, link=links, barrel={}), END)
    assert [
        tuple(event.values()) for event in outcome.events if not event["event"].startswith(("card", "pass", "order"))
    ] == [
        ("income_paid", "red", 1),
        ("links_scored", "yellow", 3),
        ("tiles_scored", "yellow", 1),
        ("links_scored", "red", 2),
        ("tiles_scored", "red", 1),
        ("tile_removed", "worcester.1"),
        ("barrel_placed", "gloucester.1"),
        ("era_begun", "rail"),
    ]
    state = after(outcome).state
    assert state["vp"] == {"yellow": 4, "red": 3}
    assert state["money"] == {"yellow": 6, "red": 5}
    assert (list(state["tile"]), state["link"]) == (["kidderminster.1", "worcester.2"], {})
    assert state["deck"] == ["worcester"] * 5 + ["brewery"]


def test_the_rail_era_is_scored() -> None:
    """By hand; no income any more. With as many points red's income is the higher."""
    board = {**BOARD, "worcester.1": tile("yellow", "cotton_mill", 2, flipped=True)}
    last = ending(
        era="rail",
        round=1,
        tile=board,
        link={"gloucester--kidderminster": "red", THREE_ENDS: "yellow"},
        discard=["worcester"] * 2 + ["brewery"],
        aside=["worcester"] * 2,
        vp={"yellow": 4, "red": 3},
        income={"yellow": 10, "red": 11},
    )
    outcome = RULES.step(last, END)
    assert told(outcome, "income_taken", "links_scored", "tiles_scored", "ranked") == [
        ("links_scored", "yellow", 2),
        ("tiles_scored", "yellow", 1),
        ("links_scored", "red", 3),
        ("tiles_scored", "red", 1),
        ("ranked", "red", 1),
        ("ranked", "yellow", 2),
    ]
    assert after(outcome).state["vp"] == {"yellow": 7, "red": 7}


# Bad input


@pytest.mark.parametrize(
    "state",
    [
        {"income": {"red": 13}},
        {"coal": 2},
        {"iron": 2},
        {"round": 3},
        {"merchant": {"gloucester.2": "cotton"}},
        {"merchant": {"gloucester.1": "all"}},
        {"tile": {"birmingham.1": tile("red", "cotton_mill", 1)}},
        {"tile": {"worcester.2": tile("red", "iron_works", 1, 2)}},
        {"stack": {"red": {"pottery": {"1": 2}}}},
        {"hand": {"red": ["kidderminster"]}},
        {"hand": {"red": ["wild_location"] * 3}},
        {"link": {"birmingham--worcester": "red"}},
        {"link": dict.fromkeys(MINI.lines, "red")},
    ],
)
def test_what_is_not_there(state: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        RULES.legal_moves(table(**state))


def test_moves_that_are_not_there() -> None:
    sale = {"tile": "worcester.1", "merchant": "oxford.1", "beer": [], "barrels": []}
    for move in ({"action": "canal", "link": "birmingham--oxford"}, {"action": "sell", **sale}):
        with pytest.raises(InputError):
            RULES.step(table(), {"player": "yellow", "card": "worcester", **move})
