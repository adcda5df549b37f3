"""The chapters of Birmingham, the shape of its moves, and its chance."""

from __future__ import annotations

from typing import Any

from brassspec.engine import develop, income, loans, rounds
from brassspec.engine.birmingham import build, era_end, links, others, sell, tables
from brassspec.engine.birmingham.catalogue import REQUIREMENTS
from brassspec.engine.birmingham.develop import bonus_moves, check_develop
from brassspec.engine.birmingham.readings import Birmingham
from brassspec.engine.birmingham.state import State, complete, readers, set_up
from brassspec.engine.plain import Reader, list_of, name_in
from brassspec.engine.rules import Rules
from brassspec.engine.tables import CANAL, MARKET
from brassspec.formats import Chance, Event, InputError

# Moves


def shapes(game: Birmingham) -> dict[str, dict[str, Reader]]:
    """Action: the fields of its moves, besides `action` and `player`, and what reads each."""
    card = {"card": name_in(game.card_rank)}
    slot, industry = name_in(game.slots), {"industry": name_in(game.industries)}
    link = {"link": name_in(game.lines)}
    source, space = name_in((*game.slots, MARKET)), name_in(game.merchant_place)
    sale = {"tile": slot, "merchant": space, "beer": _up_to_two(slot), "barrels": _up_to_two(space)}
    return {
        "build": {**card, "slot": slot, **industry, "coal": _up_to_two(source), "iron": _up_to_two(source)},
        "canal": {**card, **link},
        "rail": {**card, **link, "coal": source},
        "second_rail": {**link, "coal": source, "beer": slot},
        "develop": {**card, **industry, "iron": source},
        "develop_second": {**industry, "iron": source},
        "sell": {**card, **sale},
        "sell_more": sale,
        "bonus_develop": industry,
        "loan": card,
        "scout": {**card, "second": card["card"], "third": card["card"]},
        "pass": card,
        "give_up": {"slot": slot},
        "done": {},
    }


def _up_to_two(entry: Reader) -> Reader:
    entries = list_of(entry)

    def read(place: str, value: Any) -> list[str]:
        listed: list[str] = entries(place, value)
        if len(listed) > 2:
            raise InputError(f"{place}: {value!r} names more than 2")
        return listed

    return read


# Chance


def due(state: State) -> list[tuple[Chance, int]]:
    """Which merchant tile comes next."""
    space = _next_space(state) if state.phase == "merchants" else None
    if space is None:
        return []
    left = list(state.game.merchant_tiles)
    for tile in state.merchant.values():
        left.remove(tile)
    outcome = {"chance": "place_merchant", "space": space}
    return [({**outcome, "tile": tile}, left.count(tile)) for tile in tables.BUYS if tile in left]


def _next_space(state: State) -> str | None:
    """pl "PRZYGOTOWANIE GRY" 5: where the next merchant tile goes."""
    return next((space for space in state.game.merchant_spaces if space not in state.merchant), None)


def seat(state: State, outcome: Chance, events: list[Event]) -> None:
    """pl "PRZYGOTOWANIE GRACZY" 7: the order of play is drawn, then the merchant tiles are."""
    if rounds.seat(state, outcome["player"]):
        state.phase = "merchants"


def place_merchant(state: State, outcome: Chance, events: list[Event]) -> None:
    """pl "PRZYGOTOWANIE GRY" 5, 6: a merchant tile, and its barrel."""
    space, tile = outcome["space"], outcome["tile"]
    state.merchant[space] = tile
    events.append({"event": "merchant_placed", "space": space, "tile": tile})
    era_end.place_barrel(state, space, events)
    if _next_space(state) is None:
        rounds.begin_era(state, CANAL, events)


RULES = Rules(
    set_up=set_up,
    readers=readers,
    complete=complete,
    catalogue=REQUIREMENTS,
    shapes=shapes,
    openers={
        "build": build.build_moves,
        "canal": links.canal_moves,
        "rail": links.rail_moves,
        "develop": develop.develop_moves,
        "sell": sell.sell_moves,
        "loan": others.loan_moves,
        "scout": others.scout_moves,
        "pass": loans.pass_moves,
    },
    follow_ups={
        "rail": links.second_rail_moves,
        "sale": sell.sell_more_moves,
        "develop": develop.develop_second_moves,
        "bonus": bonus_moves,
    },
    actions={
        "build": (build.check_build, build.build),
        "canal": (links.check_link, links.lay),
        "rail": (links.check_link, links.lay),
        "second_rail": (links.check_link, links.lay),
        "develop": (check_develop, develop.develop),
        "develop_second": (check_develop, develop.develop),
        "sell": (sell.check_sell, sell.sell),
        "sell_more": (sell.check_sell, sell.sell),
        "bonus_develop": (check_develop, develop.develop),
        "loan": (others.check_loan, others.loan),
        "scout": (others.check_scout, others.scout),
        "pass": (loans.check_pass, loans.pass_by),
        "give_up": (income.check_give_up, income.give_up),
        "done": (rounds.check_done, rounds.done),
    },
    due=due,
    chances={"seat": seat, "place_merchant": place_merchant},
    scoring=era_end.score,
    clean_up=era_end.clean_up,
)
