"""The rulings: every question of both lists with its readings, each played, and each told from the default.

A longer campaign, and the comparison of whole games with the reference engine: benchmarks/readings.py.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from brassspec.engine import Engine
from brassspec.formats import InputError, Outcome, Position
from brassspec.rules.api import Game
from brassspec.rules.codec import Codec
from brassspec.rules.concrete import Rules, State
from brassspec.rules.library import load_model, spec_of

EDITION = "lancashire-2007"

# Question -> readings, the default first.
FIRST_LIST = {
    "overbuild_exhausted": "both either",
    "overbuild_works_level": "higher any",
    "nearest_coal": "nearest any",
    "distant_bonus": "spaces pounds",
    "thirty_cap": "income loan",
    "loan_lock_era": "rail canal both",
    "income_start": "zero space_0",
    "two_rails_apart": "free apart",
    "rail_coal_after": "after before",
    "rail_coal_end": "chosen_end nearer_end",
    "first_build": "first bare no_tile",
    "first_link": "no anywhere",
    "virtual_use": "placing built",
    "virtual_direction": "both into_birkenhead",
    "virtual_anchor": "yes no",
    "industry_card_own_tile": "no yes",
    "isolated_overbuild": "link no_link",
    "liverpool_coal": "port always",
    "distant_pile": "under aside",
    "shortfall_no_tiles": "vp forgiven debt",
    "shortfall_change": "kept lost",
    "tie_income": "levels spaces",
    "last_tie": "order shared",
    "port_first": "named single",
    "income_time": "start end",
    "pass_action": "free forced",
}
SECOND_LIST = {
    "link_limit": "limit unlimited",
    "cube_limit": "unlimited printed",
    "shortfall_value": "printed price",
    "shortfall_tile": "out back",
    "virtual_industry": "any shipyard",
    "industry_card_trace": "suffices must",
    "track_buy_order": "cheapest any",
    "iron_supply_port": "no yes",
    "develop_supply_iron": "yes no",
    "combined_overbuild": "yes no",
    "line_kind": "own_kind any",
    "one_per_line": "one several",
    "external_start": "own_link any",
    "two_rails_sequence": "in_turn at_once",
    "distant_refuse": "must may",
    "after_failed_sale": "next_action next_turn same_action",
    "flip_gain": "spaces levels",
    "loan_floor": "refused clamped",
    "preston_first": "ports everything",
    "port_first_overbuild": "no yes",
    "vp_floor": "zero none",
    "tracks_era_change": "kept refilled",
    "order_era_change": "last_spending anew",
}
LISTED = {q: r.split() for q, r in (FIRST_LIST | SECOND_LIST).items()}
OTHERS = [f"{q}={r}" for q, readings in LISTED.items() for r in readings[1:]]
# Nothing that can be reached tells these from the default.
MOOT = {"thirty_cap=loan", "distant_pile=aside", "port_first=single"}


def test_every_question_is_a_ruling() -> None:
    rulings = spec_of(EDITION).rulings
    assert {q: list(r.readings) for q, r in rulings.items()} == LISTED
    for question, ruling in rulings.items():
        assert ruling.default == LISTED[question][0]
        # Where editions take different readings, each reading says what it changes.
        if question not in ("income_time", "last_tie"):
            assert not ruling.readings[ruling.default].changes, "the chapters state the default"
        assert ruling.sentence.strip()
        for reading in ruling.readings.values():
            assert reading.sentence.strip()
            assert reading.cites or reading.holder in ("community", "house")
            assert all(c.locator.strip() for c in reading.cites)


def test_every_question_of_the_engine_has_the_same_readings() -> None:
    assert {q: list(readings) for q, readings in Engine.readings().items()}.items() <= LISTED.items()


def test_the_two_player_edition_has_the_same_questions() -> None:
    assert list(spec_of("lancashire-2007-2p").rulings) == list(spec_of(EDITION).rulings)


# ---------------------------------------------------------------- one game each


@cache
def rules_of(readings: str, players: int = 3) -> tuple[Rules, Codec]:
    rules = Rules(load_model(EDITION + "".join(f"+{r}" for r in readings.split()), players))
    return rules, Codec(rules)


@pytest.mark.parametrize("reading", OTHERS)
def test_a_game_under_each_reading(reading: str) -> None:
    """Random over the kinds of action, passes rare: links, sales and shortfalls occur. The invariants hold throughout."""
    rules, codec = rules_of(reading)
    rng = random.Random(reading)
    state = rules.initial()
    moves = 0
    while True:
        outcomes = rules.chance(state)
        if outcomes:
            number, args, _ = rng.choices(outcomes, [w for *_, w in outcomes])[0]
            state, _ = rules.happen(state, number, args)
            continue
        legal = rules.legal(state)
        assert moves % 4 or not rules.broken(state)
        if not legal:
            assert not rules.broken(state)
            break
        kinds = sorted({m[0] for m in legal})
        weights = [{"pass": 0.05, "loan": 0.3}.get(rules.action_names[k], 1) for k in kinds]
        kind = rng.choices(kinds, weights)[0]
        after = rules.step(state, *rng.choice([m for m in legal if m[0] == kind])).state
        assert after is not None
        state = after
        moves += 1
    assert codec.position(state).state["phase"] == "over"
    assert moves > 60


# ---------------------------------------------------------------- readings together


def test_questions_that_change_one_thing_differently_are_refused_together() -> None:
    with pytest.raises(InputError, match=r"port_first=single and preston_first=everything can't be combined"):
        load_model(f"{EDITION}+port_first=single+preston_first=everything", 3)


def test_what_two_readings_say_alike_is_said_once() -> None:
    rules, _ = rules_of("two_rails_apart=apart two_rails_sequence=at_once")
    assert "first_rail" in rules.model.state


def test_other_questions_go_together() -> None:
    """All last readings at once, apart from the pair that contradicts itself."""
    last = [f"{q}={r[-1]}" for q, r in LISTED.items() if q != "preston_first"]
    rules, _ = rules_of(" ".join(last))
    assert rules.model.readings["vp_floor"] == "none"


# ---------------------------------------------------------------- positions that tell readings apart


def tile(owner: str, industry: str, level: int, cubes: int = 0, flipped: bool = False) -> dict[str, Any]:
    return {"owner": owner, "industry": industry, "level": level, "flipped": flipped, "cubes": cubes}


def stack(**tops: int) -> dict[str, Any]:
    """Yellow's stacks down to the levels named, one tile of each."""
    last = {"cotton_mill": 4, "port": 4, "coal_mine": 4, "iron_works": 4, "shipyard": 2}
    return {"yellow": {i: {str(n): 1 for n in range(top, last[i] + 1)} for i, top in tops.items()}}


def table(**state: Any) -> dict[str, Any]:
    """A position of three in the middle of the canal era, yellow to act; what is not said is as at set-up."""
    players = ("yellow", "red", "purple")
    hand = {"yellow": ["bolton", "bury", "cotton_mill", "port"]}
    middle = {"round": 3, "phase": "actions", "actions": 2, "built": dict.fromkeys(players, True), "hand": hand}
    return middle | state


def build(card: str, slot: str, industry: str, coal: str = "", iron: str = "") -> dict[str, Any]:
    cubes = {"coal": [coal] if coal else [], "iron": [iron] if iron else []}
    return {"action": "build", "player": "yellow", "card": card, "slot": slot, "industry": industry} | cubes


def combine(slot: str, industry: str, coal: str) -> dict[str, Any]:
    cards = {"card": "bolton", "other": "bury"}
    return {
        "action": "combine",
        "player": "yellow",
        **cards,
        "slot": slot,
        "industry": industry,
        "coal": [coal],
        "iron": [],
    }


def canal(link: str) -> dict[str, Any]:
    return {"action": "canal", "player": "yellow", "card": "bury", "link": link}


def rail(link: str, coal: str) -> dict[str, Any]:
    return {"action": "rail", "player": "yellow", "card": "bury", "link": link, "coal": coal}


def second(link: str, coal: str) -> dict[str, Any]:
    return {"action": "second_rail", "player": "yellow", "link": link, "coal": coal}


def sell(mill: str, through: str, card: str = "bury") -> dict[str, Any]:
    return {"action": "sell", "player": "yellow", "card": card, "mill": mill, "through": through}


def turned(value: int) -> dict[str, Any]:
    return {"chance": "turn_tile", "value": value}


PASS = {"action": "pass", "player": "yellow", "card": "bury"}
LOAN = {"action": "loan", "player": "yellow", "card": "bury", "amount": 1}
DEVELOP = {"action": "develop", "player": "yellow", "card": "bury", "industry": "cotton_mill", "iron": "market"}
DONE = {"action": "done", "player": "yellow"}
GIVE_UP = {"action": "give_up", "player": "yellow", "slot": "oldham.1"}

NOTHING: dict[str, Any] = {"era": "rail", "stack": stack(port=2)}
AT_BIRKENHEAD = table(**NOTHING, tile={"birkenhead.1": tile("yellow", "shipyard", 2, flipped=True)})
OWN_MILL = table(
    tile={"bury.1": tile("yellow", "cotton_mill", 1), "bolton.1": tile("red", "coal_mine", 1, 2)},
    link={"bolton--bury": "yellow"},
    stack=stack(cotton_mill=2),
)
OWN_PORT = table(tile={"liverpool.1": tile("yellow", "port", 1)}, stack=stack(port=2))
WORKS = {
    "tile": {"bolton.3": tile("red", "iron_works", 2, flipped=True), "bury.1": tile("red", "coal_mine", 1, 1)},
    "link": {"bolton--bury": "red"},
}
BUILD_WORKS = build("bolton", "bolton.3", "iron_works", "bury.1")
RAILS = table(era="rail", tile={"bolton.1": tile("yellow", "coal_mine", 2, 3)}, link={"bolton--wigan": "yellow"})
FULL_OF_COAL = table(
    era="rail",
    tile={s: tile("red", "coal_mine", 4, 5) for s in ("blackburn.1", "burnley.1")}
    | {s: tile("purple", "coal_mine", 4, 5) for s in ("blackburn.2", "burnley.2")},
    stack=stack(coal_mine=2),
    hand={"yellow": ["wigan"]},
)
FOURTEEN = (
    "blackburn--bolton blackburn--burnley blackburn--preston blackburn--wigan bolton--bury bolton--manchester bolton--wigan "
    "burnley--bury burnley--colne bury--manchester bury--rochdale manchester--oldham manchester--stockport oldham--rochdale"
)
MILLS = table(
    tile={
        "colne.1": tile("yellow", "cotton_mill", 2),
        "lancaster.1": tile("red", "port", 2),
        "lancaster.2": tile("yellow", "cotton_mill", 2),
    },
    link={"colne--yorkshire": "red"},
    demand=7,
    era="rail",
)

LEGAL: list[str] = []


@dataclass(frozen=True)
class Case:
    """Moves of which the last is judged: by the readings that are the same on both sides, and by one that is not."""

    reading: str
    position: dict[str, Any]
    moves: list[dict[str, Any]]
    default: list[str]
    other: list[str]
    alike: str = ""


CASES = [
    Case("first_build=bare", table(**NOTHING), [build("port", "fleetwood.1", "port")], ["card.network"], LEGAL),
    Case(
        "first_build=no_tile",
        table(**NOTHING, link={"bolton--bury": "yellow"}),
        [build("port", "fleetwood.1", "port")],
        ["card.network"],
        LEGAL,
    ),
    Case(
        "industry_card_trace=must",
        table(tile={"colne.1": tile("yellow", "cotton_mill", 1)}, link={"bolton--bury": "yellow"}),
        [build("cotton_mill", "bury.1", "cotton_mill")],
        LEGAL,
        ["card.network"],
    ),
    Case(
        "virtual_use=built",
        table(era="rail", tile={"ellesmere_port.1": tile("red", "port", 2), "liverpool.1": tile("yellow", "port", 2)}),
        [rail("birkenhead--ellesmere_port", "market")],
        ["link.network"],
        LEGAL,
    ),
    Case(
        "virtual_direction=into_birkenhead",
        AT_BIRKENHEAD,
        [build("port", "liverpool.1", "port")],
        LEGAL,
        ["card.network"],
    ),
    Case("virtual_anchor=no", table(**NOTHING), [build("port", "liverpool.1", "port")], ["card.network"], LEGAL),
    Case("virtual_industry=shipyard", AT_BIRKENHEAD, [build("port", "liverpool.1", "port")], LEGAL, ["card.network"]),
    Case(
        "industry_card_own_tile=yes",
        OWN_MILL,
        [build("cotton_mill", "bury.1", "cotton_mill", "bolton.1")],
        ["card.own_tile"],
        LEGAL,
    ),
    Case(
        "isolated_overbuild=no_link",
        OWN_PORT,
        [build("port", "liverpool.1", "port")],
        ["card.network"],
        LEGAL,
        alike="industry_card_own_tile=yes",
    ),
    Case(
        "combined_overbuild=no", OWN_MILL, [combine("bury.1", "cotton_mill", "bolton.1")], LEGAL, ["combine.available"]
    ),
    Case(
        "port_first_overbuild=yes",
        table(
            era="rail",
            tile={"lancaster.2": tile("yellow", "port", 2)},
            stack=stack(port=3),
            hand={"yellow": ["lancaster"]},
        ),
        [build("lancaster", "lancaster.2", "port")],
        LEGAL,
        ["port.lancaster"],
    ),
    Case(
        "preston_first=everything",
        table(hand={"yellow": ["preston"]}),
        [build("preston", "preston.2", "cotton_mill")],
        LEGAL,
        ["port.preston"],
    ),
    Case(
        "overbuild_exhausted=either",
        table(iron=1, **WORKS, stack=stack(iron_works=3)),
        [BUILD_WORKS],
        ["overbuild.exhausted"],
        LEGAL,
    ),
    Case("overbuild_works_level=any", table(iron=0, **WORKS), [BUILD_WORKS], ["overbuild.level"], LEGAL),
    Case("cube_limit=printed", FULL_OF_COAL, [build("wigan", "wigan.1", "coal_mine")], LEGAL, ["build.cubes"]),
    Case(
        "nearest_coal=any",
        table(
            tile={"bury.1": tile("yellow", "coal_mine", 2, 3), "rochdale.1": tile("red", "coal_mine", 1, 2)},
            link={"bury--manchester": "yellow", "manchester--oldham": "red", "oldham--rochdale": "red"},
            hand={"yellow": ["oldham"]},
            stack=stack(cotton_mill=2),
        ),
        [build("oldham", "oldham.1", "cotton_mill", "bury.1")],
        ["coal.nearest"],
        LEGAL,
    ),
    Case(
        "liverpool_coal=always",
        table(hand={"yellow": ["liverpool"]}, stack=stack(shipyard=1)),
        [build("liverpool", "liverpool.3", "shipyard", "market", "market")],
        ["coal.port"],
        LEGAL,
    ),
    Case(
        "iron_supply_port=yes",
        table(iron=0, tile={"bury.2": tile("red", "coal_mine", 1, 2)}, stack=stack(cotton_mill=3)),
        [build("bury", "bury.1", "cotton_mill", "bury.2", "market")],
        LEGAL,
        ["iron.port"],
    ),
    Case("first_link=anywhere", table(), [canal("bolton--bury")], ["link.network"], LEGAL),
    Case(
        "external_start=any",
        table(tile={"colne.1": tile("yellow", "cotton_mill", 1)}, link={"colne--yorkshire": "red"}),
        [canal("rochdale--yorkshire")],
        ["link.network"],
        LEGAL,
    ),
    Case(
        "line_kind=any",
        table(tile={"bolton.1": tile("yellow", "cotton_mill", 1)}),
        [canal("bolton--wigan")],
        ["link.canal_line"],
        LEGAL,
    ),
    Case("one_per_line=several", RAILS, [rail("bolton--wigan", "bolton.1")], ["link.free"], LEGAL),
    Case(
        "link_limit=unlimited",
        table(
            era="rail",
            tile={"bolton.1": tile("yellow", "coal_mine", 2, 3)},
            link=dict.fromkeys(FOURTEEN.split(), "yellow"),
        ),
        [rail("preston--wigan", "bolton.1")],
        ["link.supply"],
        LEGAL,
    ),
    Case(
        "two_rails_apart=apart",
        RAILS,
        [rail("bolton--bury", "bolton.1"), second("bolton--manchester", "bolton.1")],
        LEGAL,
        ["rail.apart"],
    ),
    Case(
        "two_rails_sequence=at_once",
        RAILS,
        [rail("bolton--bury", "bolton.1"), second("bury--rochdale", "bolton.1")],
        LEGAL,
        ["rail.at_once"],
    ),
    Case(
        "rail_coal_after=before",
        table(
            era="rail",
            tile={"colne.1": tile("yellow", "cotton_mill", 2), "bury.1": tile("red", "coal_mine", 2, 3)},
            link={"burnley--bury": "red", "colne--yorkshire": "red"},
        ),
        [rail("burnley--colne", "market")],
        ["coal.mine_first"],
        LEGAL,
    ),
    Case(
        "rail_coal_end=nearer_end",
        table(
            era="rail",
            tile={"bolton.1": tile("red", "coal_mine", 2, 1), "blackburn.1": tile("red", "coal_mine", 2, 1)},
            link={"blackburn--wigan": "yellow"},
        ),
        [rail("bolton--wigan", "blackburn.1")],
        LEGAL,
        ["coal.nearest"],
    ),
    Case("develop_supply_iron=no", table(iron=0), [DEVELOP], LEGAL, ["develop.board"]),
    Case(
        "distant_refuse=may",
        MILLS | {"demand": 0},
        [sell("colne.1", "distant"), turned(1), DONE],
        LEGAL,
        ["distant.answered"],
    ),
    Case(
        "after_failed_sale=next_turn",
        MILLS,
        [sell("colne.1", "distant"), turned(1), sell("lancaster.2", "lancaster.1", "bolton")],
        LEGAL,
        ["sell.next_turn"],
    ),
    Case(
        "after_failed_sale=same_action",
        MILLS,
        [
            sell("colne.1", "distant"),
            turned(1),
            {"action": "sell_more", "player": "yellow", "mill": "lancaster.2", "through": "lancaster.1"},
        ],
        ["sell.more"],
        LEGAL,
    ),
    Case("loan_lock_era=canal", table(deck=[]), [LOAN], LEGAL, ["loan.deck"]),
    Case("loan_lock_era=canal", table(era="rail", deck=[]), [LOAN], ["loan.deck"], LEGAL),
    Case("loan_lock_era=both", table(deck=[]), [LOAN], LEGAL, ["loan.deck"]),
    Case("loan_floor=clamped", table(income={"yellow": 0}), [LOAN], ["loan.floor"], LEGAL),
    Case("pass_action=forced", table(), [PASS], LEGAL, ["pass.forced"]),
]


class Spec:
    """One ruleset's answers on plain data."""

    def __init__(self, readings: str) -> None:
        self.rules, self.codec = rules_of(readings)

    def read(self, state: dict[str, Any]) -> State:
        if state.get("deck") == []:
            state = state | {"discard": self.played(state["hand"])}
        return self.codec.state(Position(self.rules.model.ruleset, 3, state))

    def played(self, hands: dict[str, list[str]]) -> list[str]:
        """All cards that are in nobody's hand."""
        model = self.rules.model
        cards = [c for i, c in enumerate(model.sorts["Card"].members) for _ in range(model.tables["copies"].rows[(i,)])]
        for card in (c for hand in hands.values() for c in hand):
            cards.remove(card)
        return cards

    def take(self, state: State, what: dict[str, Any]) -> tuple[list[str], State | None, list[dict[str, Any]]]:
        """What is violated, the next state, and what happened."""
        game = Game(self.rules)
        taken = game.whole(game.request(what))
        if "chance" in what:
            after, told = self.rules.happen(state, *taken)
            return [], after, [self.codec.event(e) for e in told]
        j = self.rules.step(state, *taken)
        return [f.requirement for f in j.violated], j.state, [self.codec.event(e) for e in j.events]


def engine_takes(engine: Engine, position: Position, what: dict[str, Any]) -> Outcome:
    return engine.apply_chance(position, what) if "chance" in what else engine.step(position, what)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.reading)
def test_a_move_that_tells_them_apart(case: Case) -> None:
    question, reading = case.reading.split("=")
    for readings, violated in ((case.alike, case.default), (f"{case.alike} {case.reading}".strip(), case.other)):
        spec = Spec(readings)
        state: State | None = spec.read(case.position)
        offered = not readings or reading in Engine.readings().get(question, ())
        engine = Engine(spec.rules.model.ruleset, 3) if offered else None
        position = spec.codec.position(state) if state else None
        found: list[str] = []
        for what in case.moves:
            assert state is not None
            found, state, _ = spec.take(state, what)
            if engine and position:
                outcome = engine_takes(engine, position, what)
                position = outcome.position
                if what is case.moves[-1]:
                    assert {v.requirement for v in outcome.violated} == set(violated)
        assert found == violated


# ---------------------------------------------------------------- effects that tell readings apart


def round_ends(**state: Any) -> dict[str, Any]:
    """Yellow's last action of a round, with income -5 coming and £1 in hand."""
    hand = {"yellow": ["bury", "bolton"], "red": ["colne"], "purple": ["colne"]}
    last = {"order": ["red", "purple", "yellow"], "turn": 3, "actions": 1, "deck": [], "hand": hand}
    return table(**last | state, money={"yellow": 1}, income={"yellow": 5, "red": 14, "purple": 10})


def era_ends(era: str = "canal", **state: Any) -> dict[str, Any]:
    last = {"era": era, "round": 8, "turn": 3, "actions": 1, "deck": [], "hand": {"purple": ["bury"]}, "money": {}}
    return table(**last | state)


PURPLE_PASSES = PASS | {"player": "purple"}
MILL = {"oldham.1": tile("yellow", "cotton_mill", 1)}
SOLD = table(tile={"colne.1": tile("yellow", "cotton_mill", 1)}, link={"colne--yorkshire": "red"})
SHORT = ("received", "income_paid", "vp_lost")


@dataclass(frozen=True)
class Effect:
    """What is told of some kinds of event after all moves, under the default and under the reading."""

    reading: str
    position: dict[str, Any]
    moves: list[dict[str, Any]]
    told: tuple[str, ...]
    default: list[Any]
    other: list[Any]
    first: list[dict[str, Any]] = field(default_factory=list)  # moves that only the reading has
    extra: dict[str, Any] = field(default_factory=dict)  # what only the reading remembers


EFFECTS = [
    Effect(
        "distant_bonus=pounds",
        SOLD,
        [sell("colne.1", "distant"), turned(2)],
        ("income_moved", "received"),
        [("yellow", 17)],
        [("yellow", 15), ("yellow", 2)],
    ),
    Effect(
        "flip_gain=levels",
        SOLD | {"income": {"yellow": 30}},
        [sell("colne.1", "distant"), turned(2)],
        ("income_moved",),
        [("yellow", 37)],
        [("yellow", 49)],
    ),
    Effect(
        "track_buy_order=any",
        table(),
        [DEVELOP],
        ("paid",),
        [("yellow", 1)],
        [("yellow", 4)],
        first=[{"action": "name_price", "player": "yellow", "coal_price": 0, "iron_price": 4}],
    ),
    Effect(
        "shortfall_no_tiles=forgiven",
        round_ends(vp={"yellow": 7}),
        [PASS],
        SHORT,
        [("yellow", 1), ("yellow", 4)],
        [("yellow", 1)],
    ),
    Effect(
        "shortfall_no_tiles=debt",
        round_ends(vp={"yellow": 7}),
        [PASS],
        SHORT,
        [("yellow", 1), ("yellow", 4)],
        [("yellow", 5)],
    ),
    Effect(
        "vp_floor=none",
        round_ends(vp={"yellow": 2}),
        [PASS],
        SHORT,
        [("yellow", 1), ("yellow", 2)],
        [("yellow", 1), ("yellow", 4)],
    ),
    Effect(
        "shortfall_change=lost",
        round_ends(tile=MILL),
        [PASS, GIVE_UP],
        SHORT,
        [("yellow", 6), ("yellow", 5)],
        [("yellow", 4), ("yellow", 5)],
    ),
    Effect(
        "shortfall_value=price",
        round_ends(tile=MILL),
        [PASS, GIVE_UP],
        SHORT,
        [("yellow", 6), ("yellow", 5)],
        [("yellow", 8), ("yellow", 5)],
        extra={"bought": {"oldham.1": 4}},
    ),
    Effect(
        "income_time=end",
        round_ends(vp={"yellow": 7}),
        [PASS],
        ("income_paid", "vp_lost", "round_begun"),
        [(4,), ("yellow", 1), ("yellow", 4)],
        [("yellow", 1), ("yellow", 4), (4,)],
    ),
    Effect("order_era_change=anew", era_ends(), [PURPLE_PASSES], ("era_begun",), [("rail",)], []),
    Effect(
        "tie_income=spaces",
        era_ends("rail", income={"yellow": 11, "red": 12, "purple": 11}),
        [PURPLE_PASSES],
        ("ranked",),
        [("yellow", 1), ("red", 2), ("purple", 3)],
        [("red", 1), ("yellow", 2), ("purple", 3)],
    ),
    Effect(
        "last_tie=shared",
        era_ends("rail", income={}),
        [PURPLE_PASSES],
        ("ranked",),
        [("yellow", 1), ("red", 2), ("purple", 3)],
        [("yellow", 1), ("red", 1), ("purple", 1)],
    ),
]


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda e: e.reading)
def test_an_effect_that_tells_them_apart(effect: Effect) -> None:
    question, reading = effect.reading.split("=")
    for readings, expected in (("", effect.default), (effect.reading, effect.other)):
        spec = Spec(readings)
        state: State | None = spec.read(effect.position | (effect.extra if readings else {}))
        assert state is not None
        offered = not readings or reading in Engine.readings().get(question, ())
        engine = Engine(spec.rules.model.ruleset, 3) if offered else None
        position: Position | None = spec.codec.position(state)
        told: list[Any] = []
        for what in [*(effect.first if readings else []), *effect.moves]:
            assert state is not None
            _, state, events = spec.take(state, what)
            told += [tuple(e.values())[1:] for e in events if e["event"] in effect.told]
            if engine and position:
                outcome = engine_takes(engine, position, what)
                assert list(outcome.events) == events
                position = outcome.position
        assert told == expected


def test_a_tile_given_up_goes_back_to_its_stack() -> None:
    for readings, left in (("", 2), ("shortfall_tile=back", 3)):
        spec = Spec(readings)
        state: State | None = spec.read(round_ends(tile=MILL))
        for what in (PASS, GIVE_UP):
            assert state is not None
            _, state, _ = spec.take(state, what)
        assert state is not None
        assert spec.codec.position(state).state["stack"]["yellow"]["cotton_mill"]["1"] == left


def test_the_tracks_at_the_change_of_era() -> None:
    for readings, coal in (("", 3), ("tracks_era_change=refilled", 8)):
        spec = Spec(readings)
        _, state, _ = spec.take(spec.read(era_ends(coal=3)), PURPLE_PASSES)
        assert state is not None
        assert spec.codec.position(state).state["coal"] == coal


def test_where_the_marker_starts() -> None:
    for readings, income in (("", {"yellow": 10, "red": 10, "purple": 10}), ("income_start=space_0", {})):
        spec = Spec(readings)
        assert spec.codec.position(spec.rules.initial()).state["income"] == income


def test_all_but_the_moot_are_told_apart() -> None:
    elsewhere = {"shortfall_tile=back", "tracks_era_change=refilled", "income_start=space_0"}
    assert {c.reading for c in CASES} | {e.reading for e in EFFECTS} | elsewhere | MOOT == set(OTHERS)
