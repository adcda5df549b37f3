"""Developing: removing one or two top tiles from the stacks for an iron cube each."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import cards, coal_iron, money, tables
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_develop(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Rozvoj": a card, a tile and an iron cube."""
    cards.check_held(state, move["player"], [move["card"]], verdict)
    _check_tile(state, move, verdict)


def check_develop_second(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Rozvoj": up to two tiles an action."""
    if state.pending != "develop":
        verdict.violate("develop.second", "no first tile was just developed")
    _check_tile(state, move, verdict)


def _check_tile(state: State, move: Move, verdict: Verdict) -> None:
    player, source = move["player"], move["iron"]
    coal_iron.check_iron(state, [source], verdict)
    money.check_enough(state, player, coal_iron.market_price(state, state.iron, [source]), verdict)
    if state.top(player, move["industry"]) is None:
        verdict.violate("develop.stack", f"{player} has no {move['industry']} left")


# What happens


def develop(state: State, move: Move, events: list[Event]) -> None:
    """cz "Rozvoj": the first tile of an action; a second may follow."""
    # card
    cards.play(state, move["player"], move["card"], events)
    # place, pay, consume, board, flip, income
    _remove(state, move, events)
    # discard
    cards.discard(state, move["card"])
    state.pending = "develop"


def develop_second(state: State, move: Move, events: list[Event]) -> None:
    """cz "Rozvoj": the second tile of an action."""
    # card: the one played for the first tile
    # place, pay, consume, board, flip, income
    _remove(state, move, events)
    # discard: nothing
    state.pending = "none"
    state.actions -= 1


def _remove(state: State, move: Move, events: list[Event]) -> None:
    player, industry, source = move["player"], move["industry"], move["iron"]
    # place: none is built on
    # pay: before the cube goes, told after it
    paid = money.pay(state, player, coal_iron.market_price(state, state.iron, [source]))
    # consume; flip and income of a works emptied by it
    coal_iron.take_iron(state, source, events)
    events.extend(paid)
    # board: nothing; the tile goes from the stack out of the game
    level = state.top(player, industry)
    assert level is not None, "develop.stack holds"
    state.unstack(player, industry, level)
    state.retire(player, industry, level)
    events.append({"event": "tile_developed", "player": player, "industry": industry, "level": level})


# Which moves there are


def develop_moves(state: State) -> Iterator[Move]:
    """Every first tile: cards, then industries, then sources."""
    player = state.acting
    tiles = list(_tiles(state))
    for card in cards.distinct(state.hand[player]):
        for industry, source in tiles:
            yield {"action": "develop", "player": player, "card": card, "industry": industry, "iron": source}


def develop_second_moves(state: State) -> Iterator[Move]:
    """Every second tile: industries, then sources."""
    for industry, source in _tiles(state):
        yield {"action": "develop_second", "player": state.acting, "industry": industry, "iron": source}


def _tiles(state: State) -> Iterator[tuple[str, str]]:
    """The stacks the acting player may develop from, with the source of the iron."""
    player = state.acting
    sources = [
        source
        for source in coal_iron.iron_sources(state)
        if coal_iron.market_price(state, state.iron, [source]) <= state.money[player]
    ]
    for industry in tables.INDUSTRIES:
        if state.top(player, industry) is not None:
            for source in sources:
                yield industry, source
