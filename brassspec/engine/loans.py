"""Borrowing money, and doing nothing."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import cards, income
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_floor(state: State, player: str, levels: int, verdict: Verdict) -> None:
    """cz "AKCE Půjčka", fi "Ota laina": not below the lowest income."""
    before, lowest = income.level(state, player), state.game.lowest_income
    if before - levels < lowest:
        verdict.violate("loan.floor", f"{levels} below income {before} is under {lowest}")


def check_pass(state: State, move: Move, verdict: Verdict) -> None:
    """cz "KROK Hraní karet", fi "Jätä toiminto väliin": any card."""
    if state.game.reads("pass_action", "never"):  # of Birmingham
        verdict.violate("pass.never", "nobody passes")


# What happens


def borrow(state: State, move: Move, pounds: int, levels: int, events: list[Event]) -> None:
    """cz "Půjčky", fi "Ota laina": the marker goes down by levels, to the highest space of the level reached."""
    player = move["player"]
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


def pass_moves(state: State) -> Iterator[Move]:
    """Every card that may be thrown away."""
    if state.game.reads("pass_action", "never"):
        return iter(())
    return cards.begun(state, "pass", [{}])
