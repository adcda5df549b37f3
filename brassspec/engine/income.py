"""Money and the income track: paying, flipping tiles, the income step, and what happens when a player cannot pay."""

from __future__ import annotations

from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, allowed
from brassspec.formats import Event, Move

# Money


def check_enough(state: State, player: str, price: int) -> Faults:
    """cz "Placení za Průmyslovou destičku", pl "BUDOWA" 3: the whole price out of the money held before the move."""
    if not state.can_pay(player, price):
        yield "money.enough", f"{player} has £{state.money[player]} of £{price}"


def pay(state: State, player: str, price: int) -> list[Event]:
    """cz "Boxy Utracené částky", pl "TURA GRACZA" 3: what is spent is remembered for the order of play; what is told."""
    state.money[player] -= price
    state.spent[player] += price
    return [{"event": "paid", "player": player, "amount": price}] if price else []


def receive(state: State, player: str, amount: int, events: list[Event]) -> None:
    """From the bank; it never counts against what was spent."""
    state.money[player] += amount
    if amount:
        events.append({"event": "received", "player": player, "amount": amount})


# The income track


def level(state: State, player: str) -> int:
    """cz "Ukazatel Příjmu/VB", pl "KONIEC RUNDY" 2: the player's income in pounds."""
    return state.game.income_of_space[state.income[player]]


def move_marker(state: State, player: str, space: int, events: list[Event]) -> None:
    """cz "Zvyšování úrovně", "Úroveň příjmu", sheet income_cap: the marker never leaves the track."""
    state.income[player] = min(space, len(state.game.income_of_space) - 1)
    events.append({"event": "income_moved", "player": player, "space": state.income[player]})


def flip(state: State, slot: str, events: list[Event], bonus: int = 0) -> None:
    """cz "Otočení Průmyslové destičky", fi "Myy": the tile shows its back and its owner's marker goes up, by spaces."""
    tile = state.tile[slot]
    state.tile[slot] = tile._replace(flipped=True)
    events.append({"event": "tile_flipped", "slot": slot})
    move_marker(state, tile.owner, state.income[tile.owner] + state.kind_of(tile).income + bonus, events)


# KROK Příjem, KONIEC RUNDY 2


def take_step(state: State, events: list[Event]) -> bool:
    """cz "KROK Příjem", pl "KONIEC RUNDY" 2: each in order of play takes or pays; True when one must give up a tile."""
    while state.turn <= len(state.order):
        player = state.acting
        if not state.owed:
            pounds = level(state, player)
            if pounds > 0:
                state.money[player] += pounds
                events.append({"event": "income_taken", "player": player, "amount": pounds})
            state.owed = max(-pounds, 0)
        if state.falls_short(player) and any(tile.owner == player for tile in state.tile.values()):
            return True
        settle(state, player, events)
    return False


def value(state: State, slot: str) -> int:
    """cz "KROK Příjem", pl "KONIEC RUNDY" 2: half the price of a tile, rounded down."""
    return state.kind_of(state.tile[slot]).price // 2


def settle(state: State, player: str, events: list[Event]) -> None:
    """cz "KROK Příjem", pl "KONIEC RUNDY" 2: the bank gets the whole debt or what money there is.

    2018, r18 "negative_income_roxley", pl "KONIEC RUNDY" 2: then a victory point a pound is lost (in Lancashire the
    reading `vp`, which 2007 leaves open).
    """
    into_debt = state.game.reads("shortfall_no_tiles", "debt")
    paid = state.owed if into_debt else min(state.owed, state.money[player])
    state.money[player] -= paid
    if paid:
        events.append({"event": "income_paid", "player": player, "amount": paid})
    if not state.game.reads("shortfall_no_tiles", "forgiven"):
        lost = state.points_lost(player, state.owed - paid)
        state.vp[player] -= lost
        if lost:
            events.append({"event": "vp_lost", "player": player, "amount": lost})
    state.owed = 0
    state.turn += 1


# Giving up a tile


def check_give_up(state: State, move: Move) -> Faults:
    """cz "KROK Příjem", pl "Uwaga!!!": an own tile, of the player's choice, by the player who cannot pay."""
    player, slot = move["player"], move["slot"]
    if state.phase != "income" or player != state.acting or not state.falls_short(player):
        yield "shortfall.due", f"no negative income is due that {player} cannot pay"
    if not state.owns(player, slot):
        yield "shortfall.own", f"{slot} holds no tile of {player}"


def give_up(state: State, move: Move, events: list[Event]) -> None:
    """cz "KROK Příjem", pl "KONIEC RUNDY" 2: the tile leaves the game; half its price is received."""
    player, slot = move["player"], move["slot"]
    # card: none is played
    # place: none is built on
    # pay: the debt is paid by the income step itself, as soon as the money suffices
    # consume: nothing; cubes on the tile are lost
    # board
    received = value(state, slot)
    state.remove(slot)
    events.append({"event": "tile_removed", "slot": slot})
    # flip: nothing
    # income: money is received, the marker stays
    if state.game.reads("shortfall_change", "lost"):
        received = min(received, state.owed - state.money[player])
    receive(state, player, received, events)
    # discard: nothing


def tiles_to_give_up(state: State) -> list[Move]:
    """The tiles the player may choose from."""
    return allowed(state, check_give_up, [{"slot": slot} for slot in sorted(state.tile)])
