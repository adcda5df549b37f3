"""The chapters of Birmingham, the shape of its moves, its chance, and its editions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from brassspec.engine import cards, edition_2018, income, loans, rounds
from brassspec.engine.birmingham import build, develop, era_end, links, passing, scout, sell, shortfall, tables
from brassspec.engine.birmingham.state import State
from brassspec.engine.build import build as build_tile
from brassspec.engine.develop import develop as develop_tile
from brassspec.engine.links import lay
from brassspec.engine.plain import Reader, list_of, name_in
from brassspec.engine.rules import Action, Rules
from brassspec.engine.tables import CANAL, MARKET
from brassspec.formats import Chance, Event, InputError

# Moves


def readers(game: tables.Birmingham) -> dict[str, Reader]:
    """What reads each kind of field of a move."""
    slot, source, merchant = name_in(game.slots), name_in((*game.slots, MARKET)), name_in(game.merchant_place)
    return {
        "card": name_in(game.card_rank),
        "slot": slot,
        "slots": _two_of(slot),
        "industry": name_in(game.industries),
        "link": name_in(game.lines),
        "source": source,
        "sources": _two_of(source),
        "merchant": merchant,
        "merchants": _two_of(merchant),
    }


def _two_of(entry: Reader) -> Reader:
    """A list of two entries at most."""
    entries = list_of(entry)

    def read(place: str, value: Any) -> list[Any]:
        found: list[Any] = entries(place, value)
        if len(found) > 2:
            raise InputError(f"{place}: {value!r} names more than 2")
        return found

    return read


# Chance


def due(state: State) -> list[tuple[Chance, int]]:
    """The places in the order of play, and which merchant tile comes next."""
    if state.phase == "start":
        return edition_2018.seats(state)
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


def place_merchant(state: State, outcome: Chance, events: list[Event]) -> None:
    """pl "PRZYGOTOWANIE GRY" 5, 6: a merchant tile, and its barrel."""
    space, tile = outcome["space"], outcome["tile"]
    state.merchant[space] = tile
    events.append({"event": "merchant_placed", "space": space, "tile": tile})
    era_end.place_barrel(state, space, events)


def _start(rules: Rules, state: State, events: list[Event]) -> None:
    """pl "PRZYGOTOWANIE GRACZY" 7: the order of play is drawn, then the merchant tiles are."""
    if edition_2018.all_seated(state):
        state.seated = 0
        state.phase = "merchants"


def _merchants(rules: Rules, state: State, events: list[Event]) -> None:
    """pl "PRZYGOTOWANIE GRY" 5: once the merchant tiles are drawn, the canal era begins."""
    if _next_space(state) is None:
        rounds.begin_era(state, CANAL, events)


def as_read(game: tables.Birmingham) -> tables.Birmingham:
    """The game with what its readings put on the table."""
    fourth = tables.MANUFACTURER, 4
    if game.reads("manufacturer_4_cost", "fourteen") and fourth in game.tiles:
        prototype = replace(game.tiles[fourth], price=tables.MANUFACTURER_4_PROTOTYPE)
        game = replace(game, tiles={**game.tiles, fourth: prototype})
    if game.reads("merchant_mix", "other"):
        game = replace(game, merchant_tiles=game.other_merchant_tiles)
    if game.reads("link_limit", "unlimited"):
        game = replace(game, link_tiles=len(game.lines) + 1)  # more than there is room for
    return game


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
        "canal": Action(links.check_link, lay, lambda state: links.places(state, "canal")),
        "rail": Action(links.check_link, lay, lambda state: links.places(state, "rail")),
        "second_rail": Action(links.check_link, lay, lambda state: links.places(state, "second_rail"), "rail"),
        "develop": Action(develop.check_develop, develop_tile, develop.tiles),
        "develop_second": Action(develop.check_develop, develop_tile, develop.tiles, "develop"),
        "sell": Action(sell.check_sell, sell.sell, sell.sales),
        "sell_more": Action(sell.check_sell, sell.sell, sell.sales, "sale"),
        "bonus_develop": Action(develop.check_bonus, develop.develop_free, develop.free_tiles, "bonus"),
        "loan": Action(loans.check_loan, loans.loan, loans.amounts),
        "scout": Action(scout.check_scout, scout.scout, scout.scouting),
        "pass": Action(passing.check_pass, loans.pass_by, passing.passing),
        "give_up": Action(income.check_give_up, shortfall.give_up, income.tiles_to_give_up, "income"),
        "done": Action(rounds.check_done, rounds.done, rounds.closing, None),
    },
    due=due,
    chances={
        "draw": cards.draw,
        "set_aside": cards.set_aside,
        "seat": edition_2018.seat,
        "place_merchant": place_merchant,
    },
    steps=edition_2018.STEPS
    | {"start": _start, "merchants": _merchants, "scoring": era_end.scoring, "cleanup": era_end.clean_up},
)
