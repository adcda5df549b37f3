"""Paying for what is built, out of the player's money into the box of amounts spent."""

from __future__ import annotations

from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event


def check_enough(state: State, player: str, price: int, verdict: Verdict) -> None:
    """cz "Placení za Průmyslovou destičku": the whole price out of the money held before the move."""
    if price > state.money[player]:
        verdict.violate("money.enough", f"{player} has £{state.money[player]} of £{price}")


def pay(state: State, player: str, price: int) -> list[Event]:
    """cz "Boxy Utracené částky": all that is spent is remembered for the turn order; what there is to tell."""
    state.money[player] -= price
    state.spent[player] += price
    return [{"event": "paid", "player": player, "amount": price}] if price else []
