"""Borrowing money."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import loans
from brassspec.engine.cards import begun
from brassspec.engine.lancashire.state import State
from brassspec.engine.lancashire.tables import LARGEST_LOAN, LOAN_UNIT
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_loan(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Půjčka": £10 to £30, not once the deck is empty, not below the lowest income."""
    _check_terms(state, move["player"], move["amount"], verdict)


def _check_terms(state: State, player: str, amount: int, verdict: Verdict) -> None:
    locked = state.game.reads("loan_lock_era", state.era) or state.game.reads("loan_lock_era", "both")
    if locked and not state.deck:
        verdict.violate("loan.deck", "the deck is empty")
    loans.check_floor(state, player, amount, verdict)


# What happens


def loan(state: State, move: Move, events: list[Event]) -> None:
    """cz "Půjčky": a level of income for each £10."""
    loans.borrow(state, move, move["amount"] * LOAN_UNIT, move["amount"], events)


# Which moves there are


def loan_moves(state: State) -> Iterator[Move]:
    """Every loan: cards, then amounts."""
    return begun(state, "loan", _terms(state))


def _terms(state: State) -> Iterator[Move]:
    for amount in range(1, LARGEST_LOAN + 1):
        verdict = Verdict()
        _check_terms(state, state.acting, amount, verdict)
        if not verdict.violated:
            yield {"amount": amount}
