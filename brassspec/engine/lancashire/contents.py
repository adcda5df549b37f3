"""The chapters of the Lancashire games, the shape of their moves, and their chance."""

from __future__ import annotations

from brassspec.engine import develop, income, loans, rounds
from brassspec.engine.lancashire import build, era_end, links, sell
from brassspec.engine.lancashire import loans as own_loans
from brassspec.engine.lancashire.catalogue import REQUIREMENTS
from brassspec.engine.lancashire.readings import Lancashire
from brassspec.engine.lancashire.state import State, complete, readers, set_up
from brassspec.engine.lancashire.tables import DISTANT, LARGEST_LOAN
from brassspec.engine.plain import Reader, list_of, name_in, number
from brassspec.engine.rules import Rules
from brassspec.engine.tables import CANAL, MARKET
from brassspec.formats import Chance, Event

# Moves


def shapes(game: Lancashire) -> dict[str, dict[str, Reader]]:
    """Action: the fields of its moves, besides `action` and `player`, and what reads each."""
    card = {"card": name_in(game.card_rank)}
    slot, industry = name_in(game.slots), {"industry": name_in(game.industries)}
    link = {"link": name_in(game.lines)}
    source = name_in((*game.slots, MARKET))
    tile = {"slot": slot, **industry, "coal": list_of(source), "iron": list_of(source)}
    sale = {"mill": slot, "through": name_in((*game.slots, DISTANT))}
    return {
        "build": {**card, **tile},
        "combine": {**card, "other": name_in(game.card_rank), **tile},
        "canal": {**card, **link},
        "rail": {**card, **link, "coal": source},
        "second_rail": {**link, "coal": source},
        "develop": {**card, **industry, "iron": source},
        "develop_second": {**industry, "iron": source},
        "sell": {**card, **sale},
        "sell_more": sale,
        "loan": {**card, "amount": number(1, LARGEST_LOAN)},
        "pass": card,
        "give_up": {"slot": slot},
        "done": {},
    }


# Chance


def due(state: State) -> list[tuple[Chance, int]]:
    """Who plays first in 2007, and which distant-market tile is turned."""
    if state.phase == "start":
        return [({"chance": "first", "player": player}, 1) for player in state.game.players]
    if state.pending == "distant":
        values = sorted(set(state.distant))
        return [({"chance": "turn_tile", "value": value}, state.distant.count(value)) for value in values]
    return []


def begin_2007(state: State, outcome: Chance, events: list[Event]) -> None:
    """cz "Příprava hry": the starting player, then the others clockwise."""
    seat = state.order.index(outcome["player"])
    state.order = state.order[seat:] + state.order[:seat]
    rounds.begin_era(state, CANAL, events)


def seat_2018(state: State, outcome: Chance, events: list[Event]) -> None:
    """2018, r18 "first_turn_order": the order of play is drawn."""
    if rounds.seat(state, outcome["player"]):
        rounds.begin_era(state, CANAL, events)


RULES = Rules(
    set_up=set_up,
    readers=readers,
    complete=complete,
    catalogue=REQUIREMENTS,
    shapes=shapes,
    openers={
        "build": build.build_moves,
        "combine": build.combine_moves,
        "canal": links.canal_moves,
        "rail": links.rail_moves,
        "develop": develop.develop_moves,
        "sell": sell.sell_moves,
        "loan": own_loans.loan_moves,
        "pass": loans.pass_moves,
    },
    follow_ups={
        "rail": links.second_rail_moves,
        "sale": sell.sell_more_moves,
        "develop": develop.develop_second_moves,
    },
    actions={
        "build": (build.check_build, build.build),
        "combine": (build.check_combine, build.build),
        "canal": (links.check_canal, links.canal),
        "rail": (links.check_rail, links.rail),
        "second_rail": (links.check_rail, links.rail),
        "develop": (develop.check_develop, develop.develop),
        "develop_second": (develop.check_develop, develop.develop),
        "sell": (sell.check_sell, sell.sell),
        "sell_more": (sell.check_sell, sell.sell),
        "loan": (own_loans.check_loan, own_loans.loan),
        "pass": (loans.check_pass, loans.pass_by),
        "give_up": (income.check_give_up, income.give_up),
        "done": (rounds.check_done, rounds.done),
    },
    due=due,
    chances={"first": begin_2007, "seat": seat_2018, "turn_tile": sell.turn_tile},
    scoring=era_end.score,
    clean_up=era_end.clean_up,
)
