"""The income track: flipping tiles, the income step of a round, and what happens when a player cannot pay."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move


def level(state: State, player: str) -> int:
    """cz "Ukazatel Příjmu/VB": the player's income in pounds."""
    return state.game.edition.income_of_space[state.income[player]]


def raise_marker(state: State, player: str, steps: int, events: list[Event]) -> None:
    """cz "Zvyšování úrovně": up by spaces; "Úroveň příjmu": never above the income where the track ends."""
    state.income[player] = min(state.income[player] + steps, state.game.edition.last_space)
    events.append({"event": "income_moved", "player": player, "space": state.income[player]})


def flip(state: State, slot: str, events: list[Event], bonus: int = 0) -> None:
    """cz "Otočení Průmyslové destičky": the tile shows its back and its owner's income rises."""
    tile = state.tile[slot]
    tile.flipped = True
    events.append({"event": "tile_flipped", "slot": slot})
    raise_marker(state, tile.owner, state.kind_of(tile).income + bonus, events)


# KROK Příjem


def take_step(state: State, events: list[Event]) -> bool:
    """cz "KROK Příjem": each in order of play takes or pays; True when one must first give up a tile."""
    while state.turn <= len(state.order):
        player = state.acting
        if not state.owed:
            pounds = level(state, player)
            if pounds > 0:
                state.money[player] += pounds
                events.append({"event": "income_taken", "player": player, "amount": pounds})
            state.owed = max(-pounds, 0)
        if state.owed > state.money[player] and any(tile.owner == player for tile in state.tile.values()):
            return True
        _pay_owed(state, player, events)
        state.owed = 0
        state.turn += 1
    return False


def _pay_owed(state: State, player: str, events: list[Event]) -> None:
    """cz "KROK Příjem": the bank gets the whole debt or, with no tile left to give up, what money there is."""
    into_debt = state.game.reads("shortfall_no_tiles", "debt")
    paid = state.owed if into_debt else min(state.owed, state.money[player])
    state.money[player] -= paid
    if paid:
        events.append({"event": "income_paid", "player": player, "amount": paid})
    if state.game.reads("shortfall_no_tiles", "vp"):
        lost = min(state.owed - paid, state.vp[player])
        state.vp[player] -= lost
        if lost:
            events.append({"event": "vp_lost", "player": player, "amount": lost})


# Giving up a tile


def check_give_up(state: State, move: Move, verdict: Verdict) -> None:
    """cz "KROK Příjem": an own tile, of the player's choice, by the player who cannot pay."""
    player, slot = move["player"], move["slot"]
    if state.phase != "income" or player != state.acting or state.owed <= state.money[player]:
        verdict.violate("shortfall.due", f"no negative income is due that {player} cannot pay")
    tile = state.tile.get(slot)
    if tile is None or tile.owner != player:
        verdict.violate("shortfall.own", f"{slot} holds no tile of {player}")


def give_up(state: State, move: Move, events: list[Event]) -> None:
    """cz "KROK Příjem": the tile leaves the game; half its price, rounded down, is received."""
    player, slot = move["player"], move["slot"]
    # card: none is played
    # place: none is built on
    # pay: the debt is paid by the income step itself, as soon as the money suffices
    # consume: nothing; cubes on the tile are lost
    # board
    tile = state.tile.pop(slot)
    state.retire(player, tile.industry, tile.level)
    events.append({"event": "tile_removed", "slot": slot})
    # flip: nothing
    # income: money is received, the marker stays
    received = state.kind_of(tile).price // 2
    if state.game.reads("shortfall_change", "lost"):
        received = min(received, state.owed - state.money[player])
    state.money[player] += received
    if received:
        events.append({"event": "received", "player": player, "amount": received})
    # discard: nothing


def give_up_moves(state: State) -> Iterator[Move]:
    """The tiles the player may choose from."""
    player = state.acting
    if state.owed <= state.money[player]:
        return
    for slot in sorted(state.tile):
        if state.tile[slot].owner == player:
            yield {"action": "give_up", "player": player, "slot": slot}
