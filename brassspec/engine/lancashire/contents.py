"""The chapters of Brass of 2007, the shape of its moves, its chance, and its editions."""

from __future__ import annotations

from dataclasses import replace

from brassspec.engine import cards, develop, income, loans, rounds
from brassspec.engine.build import build as build_tile
from brassspec.engine.lancashire import build, era_end, links, sell, tables
from brassspec.engine.lancashire.state import State
from brassspec.engine.links import lay
from brassspec.engine.plain import Reader, list_of, name_in, number
from brassspec.engine.rules import Action, Rules
from brassspec.engine.tables import CANAL, MARKET
from brassspec.formats import Chance, Event

# Moves


def readers(game: tables.Lancashire) -> dict[str, Reader]:
    """What reads each kind of field of a move."""
    source = name_in((*game.slots, MARKET))
    return {
        "card": name_in(game.card_rank),
        "slot": name_in(game.slots),
        "industry": name_in(game.industries),
        "link": name_in(game.lines),
        "source": source,
        "sources": list_of(source),
        "outlet": name_in((*game.slots, tables.DISTANT)),
        "amount": number(1, max(game.loans)),
    }


# Chance


def due(state: State) -> list[tuple[Chance, int]]:
    """Who plays first, and which distant-market tile is turned."""
    if state.phase == "start":
        return [({"chance": "first", "player": player}, 1) for player in state.game.players]
    return sell.tiles_to_turn(state)


def begin(state: State, outcome: Chance, events: list[Event]) -> None:
    """cz "Příprava hry": the starting player, then the others clockwise."""
    seat = state.order.index(outcome["player"])
    state.order = state.order[seat:] + state.order[:seat]
    rounds.begin_era(state, CANAL, events)


def as_read(game: tables.Lancashire) -> tables.Lancashire:
    """The game with what its readings put on the table."""
    return replace(game, income_start=(0,) * len(game.players)) if game.reads("income_start", "space_0") else game


RULES = Rules(
    editions=tables.EDITIONS,
    offered=tables.OFFERED,
    as_read=as_read,
    state=State,
    catalogue=tables.SHEET["requirements"],
    moves=tables.SHEET["moves"],
    readers=readers,
    actions={
        "build": Action(build.check_build, build_tile, build.places, suits=build.suits),
        "combine": Action(build.check_combine, build_tile, build.places),
        "canal": Action(links.check_link, lay, lambda state: links.places(state, "canal")),
        "rail": Action(links.check_link, lay, lambda state: links.places(state, "rail")),
        "second_rail": Action(links.check_link, lay, lambda state: links.places(state, "second_rail"), "rail"),
        "develop": Action(develop.check_develop, develop.develop, develop.tiles),
        "develop_second": Action(develop.check_develop, develop.develop, develop.tiles, "develop"),
        "sell": Action(sell.check_sell, sell.sell, sell.sales),
        "sell_more": Action(sell.check_sell, sell.sell, sell.sales, "sale"),
        "loan": Action(loans.check_loan, loans.loan, loans.amounts),
        "pass": Action(loans.check_pass, loans.pass_by, loans.passing),
        "give_up": Action(income.check_give_up, income.give_up, income.tiles_to_give_up, "income"),
        "done": Action(rounds.check_done, rounds.done, rounds.closing, None),
    },
    due=due,
    chances={"draw": cards.draw, "set_aside": cards.set_aside, "first": begin, "turn_tile": sell.turn_tile},
    steps=rounds.STEPS | {"scoring": era_end.scoring, "cleanup": era_end.clean_up},
)
