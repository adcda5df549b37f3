"""Borrowing money, and doing nothing."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import cards, income, tables
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

LARGEST_LOAN = 3

# What the rules require


def check_loan(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Půjčka": £10 to £30, not once the deck is empty, not below the lowest income."""
    cards.check_held(state, move["player"], [move["card"]], verdict)
    _check_terms(state, move["player"], move["amount"], verdict)


def _check_terms(state: State, player: str, amount: int, verdict: Verdict) -> None:
    locked = state.game.reads("loan_lock_era", state.era) or state.game.reads("loan_lock_era", "both")
    if locked and not state.deck:
        verdict.violate("loan.deck", "the deck is empty")
    lowest = state.game.edition.lowest_income
    if income.level(state, player) - amount < lowest:
        verdict.violate("loan.floor", f"{amount} below income {income.level(state, player)} is under {lowest}")


# What happens


def loan(state: State, move: Move, events: list[Event]) -> None:
    """cz "Půjčky": the marker goes down by groups, to the highest space of the group reached."""
    player, amount = move["player"], move["amount"]
    # card
    cards.play(state, player, move["card"], events)
    # place: none is built on
    # pay: nothing; the loan is received
    state.money[player] += amount * tables.LOAN_UNIT
    events.append({"event": "loan_taken", "player": player, "amount": amount * tables.LOAN_UNIT})
    # consume: nothing
    # board: nothing
    # flip: nothing
    # income
    state.income[player] = state.game.edition.highest_space(income.level(state, player) - amount)
    events.append({"event": "income_moved", "player": player, "space": state.income[player]})
    # discard
    cards.discard(state, move["card"])
    state.actions -= 1


def pass_by(state: State, move: Move, events: list[Event]) -> None:
    """cz "KROK Hraní karet": no action, but the card is discarded all the same."""
    # card
    cards.play(state, move["player"], move["card"], events)
    # place: none is built on
    # pay: nothing
    # consume: nothing
    # board: nothing
    # flip: nothing
    # income: nothing
    events.append({"event": "passed", "player": move["player"]})
    # discard
    cards.discard(state, move["card"])
    state.actions -= 1


# Which moves there are


def loan_moves(state: State) -> Iterator[Move]:
    """Every loan: cards, then amounts."""
    player = state.acting
    amounts = []
    for amount in range(1, LARGEST_LOAN + 1):
        verdict = Verdict()
        _check_terms(state, player, amount, verdict)
        if not verdict.violated:
            amounts.append(amount)
    for card in cards.distinct(state.hand[player]):
        for amount in amounts:
            yield {"action": "loan", "player": player, "card": card, "amount": amount}


def pass_moves(state: State) -> Iterator[Move]:
    """Every card that may be thrown away."""
    for card in cards.distinct(state.hand[state.acting]):
        yield {"action": "pass", "player": state.acting, "card": card}
