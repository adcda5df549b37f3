"""Borrowing money, and scouting for wild cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from brassspec.engine import loans
from brassspec.engine.birmingham.state import State
from brassspec.engine.birmingham.tables import WILDS
from brassspec.engine.cards import begun, discard, play
from brassspec.engine.state import in_card_order
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_loan(state: State, move: Move, verdict: Verdict) -> None:
    """fi "Ota laina": one loan, £30 for three levels of income; on the small board less of both."""
    loans.check_floor(state, move["player"], state.game.loan_levels, verdict)


def check_scout(state: State, move: Move, verdict: Verdict) -> None:
    """pl "ROZPOZNANIE": any three cards, while no wild one is held."""
    if _holds_wild(state, move["player"]):
        verdict.violate("scout.no_wild", f"{move['player']} holds a wild card")


def _holds_wild(state: State, player: str) -> bool:
    return any(card in WILDS for card in state.hand[player])


# What happens


def loan(state: State, move: Move, events: list[Event]) -> None:
    """fi "Ota laina": one loan, £30 for three levels of income; on the small board less of both."""
    loans.borrow(state, move, state.game.loan_money, state.game.loan_levels, events)


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


def loan_moves(state: State) -> Iterator[Move]:
    """The loan, if it may be taken: by cards."""
    verdict = Verdict()
    loans.check_floor(state, state.acting, state.game.loan_levels, verdict)
    return begun(state, "loan", [] if verdict.violated else [{}])


def scout_moves(state: State) -> Iterator[Move]:
    """Every three cards."""
    player = state.acting
    if _holds_wild(state, player):
        return
    hand = in_card_order(state.game, state.hand[player])
    for card, second, third in dict.fromkeys(combinations(hand, 3)):
        yield {"action": "scout", "player": player, "card": card, "second": second, "third": third}
