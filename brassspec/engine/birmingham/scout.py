"""Scouting for wild cards."""

from __future__ import annotations

from brassspec.engine.birmingham.state import State
from brassspec.engine.birmingham.tables import WILDS
from brassspec.engine.cards import discard, play
from brassspec.engine.verdict import Faults, allowed
from brassspec.formats import Event, Move

# What the rules require


def check_scout(state: State, move: Move) -> Faults:
    """pl "ROZPOZNANIE": any three cards, while no wild one is held."""
    if any(card in WILDS for card in state.hand[move["player"]]):
        yield "scout.no_wild", f"{move['player']} holds a wild card"


# What happens


def scout(state: State, move: Move, events: list[Event]) -> None:
    """pl "ROZPOZNANIE": three cards go, two wild ones come."""
    player = move["player"]
    # card
    play(state, move, events)
    # place, pay, consume, board, flip, income: nothing
    for wild in WILDS:
        state.wilds.remove(wild)
        state.hand[player].append(wild)
        events.append({"event": "wild_taken", "player": player, "card": wild})
    # discard
    discard(state, move)
    state.close()


# Which moves there are


def scouting(state: State) -> list[Move]:
    """Any three cards, if scouting is allowed."""
    return allowed(state, check_scout, [{}])
