"""Selling cotton through ports and to the distant market."""

from __future__ import annotations

from brassspec.engine import cards, income, network, tables
from brassspec.engine.lancashire.state import State
from brassspec.engine.lancashire.tables import DISTANT, PORT
from brassspec.engine.verdict import Faults, allowed
from brassspec.formats import Chance, Event, Move

# What the rules require


def check_sell(state: State, move: Move) -> Faults:
    """cz "AKCE Prodej bavlny", "Vzdálený trh": an own mill, and a port or the distant market it is connected to.

    cz "Prodej bavlny": any number of mills an action.
    """
    player, mill, through = move["player"], move["mill"], move["through"]
    if not _is_unsold_mill(state, player, mill):
        yield "sell.mill", f"{mill} holds no mill of {player} that is still to be sold"
    away = network.from_slot(state, mill)
    if through == DISTANT:
        if state.demand >= state.game.demand_closed:
            yield "sell.distant_open", "the demand marker is at the bottom"
        if not network.reaches_market(state, away):
            yield "sell.distant_port", f"{mill} is connected to no built port or external location"
        return
    port = state.tile.get(through)
    if port is None or port.industry != PORT or port.flipped:
        yield "sell.port", f"{through} holds no port that is still unflipped"
    if state.game.place_of[through] not in away:
        yield "sell.connected", f"{mill} is not connected to {through}"


def _is_unsold_mill(state: State, player: str, slot: str) -> bool:
    return state.owns(player, slot) and state.tile[slot].industry == tables.COTTON_MILL and not state.tile[slot].flipped


# What happens


def sell(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Prodej bavlny": a mill is sold, to the distant market perhaps; more may follow."""
    mill, through = move["mill"], move["through"]
    # card: of the first sale
    cards.play(state, move, events)
    # place: none is built on
    # pay: nothing
    # consume: nothing
    # board: no tile comes or goes
    if through == DISTANT:
        # flip, income: once the distant-market tile is turned
        state.pending = "distant"
        state.selling = mill
    else:
        events.append({"event": "mill_sold", "slot": mill, "through": through})
        # flip, income: of the mill, then of the port
        income.flip(state, mill, events)
        income.flip(state, through, events)
        state.pending = "sale"
    # discard
    cards.discard(state, move)


def turn_tile(state: State, outcome: Chance, events: list[Event]) -> None:
    """cz "Vzdálený trh": the marker goes down; if it stays above the bottom, the mill is sold."""
    value, mill, game = outcome["value"], state.selling, state.game
    assert mill is not None, "a sale to the distant market is in progress"
    state.selling = None
    state.distant.remove(value)
    state.turned.append(value)
    state.demand = min(state.demand + value, game.demand_closed)
    events.append({"event": "tile_turned", "value": value})
    events.append({"event": "demand_moved", "space": state.demand})
    if state.demand == game.demand_closed:
        events.append({"event": "distant_closed"})
        state.close()  # a failure ends the action at once
        return
    events.append({"event": "mill_sold", "slot": mill, "through": DISTANT})
    bonus = game.demand_bonus[state.demand]
    if game.reads("distant_bonus", "spaces"):
        income.flip(state, mill, events, bonus)
    else:
        income.flip(state, mill, events)
        income.receive(state, state.acting, bonus, events)
    state.pending = "sale"


def tiles_to_turn(state: State) -> list[tuple[Chance, int]]:
    """cz "Vzdálený trh": which distant-market tile is turned, if a sale waits for it."""
    values = sorted(set(state.distant)) if state.pending == "distant" else []
    return [({"chance": "turn_tile", "value": value}, state.distant.count(value)) for value in values]


# Which moves there are


def sales(state: State) -> list[Move]:
    """The mills the acting player may sell, with what they may be sold through; alphabetically."""
    mills = sorted(slot for slot in state.tile if _is_unsold_mill(state, state.acting, slot))
    outlets = sorted([DISTANT, *state.tile])
    return allowed(state, check_sell, [{"mill": mill, "through": through} for mill in mills for through in outlets])
