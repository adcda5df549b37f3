"""Borrowing money, and doing nothing."""

from __future__ import annotations

from brassspec.engine import cards, income
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, allowed
from brassspec.formats import Event, Move

# What the rules require


def check_loan(state: State, move: Move) -> Faults:
    """cz "AKCE Půjčka", fi "Ota laina": not below the lowest income; in Lancashire not once the deck is empty."""
    locked = state.game.reads("loan_lock_era", state.era) or state.game.reads("loan_lock_era", "both")
    if locked and not state.deck:
        yield "loan.deck", "the deck is empty"
    levels, before, lowest = _levels(state, move), income.level(state, move["player"]), state.game.lowest_income
    if before - levels < lowest:
        yield "loan.floor", f"{levels} below income {before} is under {lowest}"


def _levels(state: State, move: Move) -> int:
    """cz "AKCE Půjčka", fi "Ota laina": the levels of income a loan costs; an amount is named where there is a choice."""
    levels: int = move.get("amount", max(state.game.loans))
    return levels


def check_pass(state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet": any card."""
    return iter(())


# What happens


def loan(state: State, move: Move, events: list[Event]) -> None:
    """cz "Půjčky", fi "Ota laina": the marker goes down by levels, to the highest space of the level reached."""
    player, levels = move["player"], _levels(state, move)
    pounds = state.game.loans[levels]
    # card
    cards.play(state, move, events)
    # place: none is built on
    # pay: nothing; the loan is received
    state.money[player] += pounds
    events.append({"event": "loan_taken", "player": player, "amount": pounds})
    # consume, board, flip: nothing
    # income
    reached = income.level(state, player) - levels
    income.move_marker(state, player, state.game.highest_space(reached), events)
    # discard
    cards.discard(state, move)
    state.close()


def pass_by(state: State, move: Move, events: list[Event]) -> None:
    """cz "KROK Hraní karet", fi "Jätä toiminto väliin": no action, but the card is discarded all the same."""
    # card
    cards.play(state, move, events)
    # place, pay, consume, board, flip, income: nothing
    events.append({"event": "passed", "player": move["player"]})
    # discard
    cards.discard(state, move)
    state.close()


# Which moves there are


def amounts(state: State) -> list[Move]:
    """The loans the acting player may take."""
    loans = state.game.loans
    return allowed(state, check_loan, [{"amount": levels} if len(loans) > 1 else {} for levels in loans])


def passing(state: State) -> list[Move]:
    """Any card that is held may be thrown away."""
    return allowed(state, check_pass, [{}])
