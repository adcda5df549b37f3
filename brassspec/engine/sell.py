"""Selling cotton through ports and to the distant market."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import cards, income, network, tables
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_sell(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Prodej bavlny": a card and a first mill."""
    cards.check_held(state, move["player"], [move["card"]], verdict)
    _check_sale(state, move, verdict)


def check_sell_more(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Prodej bavlny": any number of mills an action."""
    if state.pending != "sale":
        verdict.violate("sell.more", "no sale is in progress")
    _check_sale(state, move, verdict)


def _check_sale(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Prodej bavlny", "Vzdálený trh": an own mill, and a port or the distant market it is connected to."""
    player, mill, through = move["player"], move["mill"], move["through"]
    town_of = state.game.edition.town_of
    if not _is_unsold_mill(state, player, mill):
        verdict.violate("sell.mill", f"{mill} holds no mill of {player} that is still to be sold")
    away = network.distances(network.neighbours(state), [town_of[mill]])
    if through == tables.DISTANT:
        if state.demand >= state.game.edition.demand_closed:
            verdict.violate("sell.distant_open", "the demand marker is at the bottom")
        if not network.reaches_port(state, away):
            verdict.violate("sell.distant_port", f"{mill} is connected to no built port or external location")
        return
    if not _is_unused_port(state, through):
        verdict.violate("sell.port", f"{through} holds no port that is still unflipped")
    if town_of[through] not in away:
        verdict.violate("sell.connected", f"{mill} is not connected to {through}")


def _is_unsold_mill(state: State, player: str, slot: str) -> bool:
    tile = state.tile.get(slot)
    return tile is not None and tile.owner == player and tile.industry == tables.COTTON_MILL and not tile.flipped


def _is_unused_port(state: State, slot: str) -> bool:
    tile = state.tile.get(slot)
    return tile is not None and tile.industry == tables.PORT and not tile.flipped


# What happens


def sell(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Prodej bavlny": the first mill of an action; more may follow."""
    # card
    cards.play(state, move["player"], move["card"], events)
    # place, pay, consume, board, flip, income
    _sell(state, move, events)
    # discard
    cards.discard(state, move["card"])


def sell_more(state: State, move: Move, events: list[Event]) -> None:
    """cz "Prodej bavlny": a further mill of the action."""
    # card: the one played for the first mill
    # place, pay, consume, board, flip, income
    _sell(state, move, events)
    # discard: nothing


def _sell(state: State, move: Move, events: list[Event]) -> None:
    mill, through = move["mill"], move["through"]
    # place: none is built on
    # pay: nothing
    # consume: nothing
    # board: no tile comes or goes
    if through == tables.DISTANT:
        # flip, income: once the distant-market tile is turned
        state.pending = "distant"
        state.selling = mill
        return
    events.append({"event": "mill_sold", "slot": mill, "through": through})
    # flip, income: of the mill, then of the port
    income.flip(state, mill, events)
    income.flip(state, through, events)
    state.pending = "sale"


def turn_tile(state: State, value: int, events: list[Event]) -> None:
    """cz "Vzdálený trh": the marker goes down; if it stays above the bottom, the mill is sold."""
    mill = state.selling
    assert mill is not None, "a sale to the distant market is in progress"
    state.selling = None
    state.distant.remove(value)
    state.turned.append(value)
    state.demand = min(state.demand + value, state.game.edition.demand_closed)
    events.append({"event": "tile_turned", "value": value})
    events.append({"event": "demand_moved", "space": state.demand})
    if state.demand == state.game.edition.demand_closed:
        events.append({"event": "distant_closed"})
        state.pending = "none"  # a failure ends the action at once
        state.actions -= 1
        return
    events.append({"event": "mill_sold", "slot": mill, "through": tables.DISTANT})
    bonus = state.game.edition.demand_bonus[state.demand]
    if state.game.reads("distant_bonus", "spaces"):
        income.flip(state, mill, events, bonus)
    else:
        income.flip(state, mill, events)
        state.money[state.acting] += bonus
        if bonus:
            events.append({"event": "received", "player": state.acting, "amount": bonus})
    state.pending = "sale"


# Which moves there are


def sell_moves(state: State) -> Iterator[Move]:
    """Every first sale: cards, then mills, then ports."""
    player = state.acting
    sales = list(_sales(state))
    for card in cards.distinct(state.hand[player]):
        for mill, through in sales:
            yield {"action": "sell", "player": player, "card": card, "mill": mill, "through": through}


def sell_more_moves(state: State) -> Iterator[Move]:
    """Every further sale: mills, then ports."""
    for mill, through in _sales(state):
        yield {"action": "sell_more", "player": state.acting, "mill": mill, "through": through}


def _sales(state: State) -> Iterator[tuple[str, str]]:
    """The mills the acting player may sell, with the ports they may sell through; alphabetically."""
    player = state.acting
    town_of = state.game.edition.town_of
    joined = network.neighbours(state)
    ports = [slot for slot in state.tile if _is_unused_port(state, slot)]
    for mill in sorted(slot for slot in state.tile if _is_unsold_mill(state, player, slot)):
        away = network.distances(joined, [town_of[mill]])
        through = [port for port in ports if town_of[port] in away]
        if state.demand < state.game.edition.demand_closed and network.reaches_port(state, away):
            through.append(tables.DISTANT)
        for one in sorted(through):
            yield mill, one
