"""Selling cotton, goods and pottery to merchants."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import income, network, supplies
from brassspec.engine.birmingham import tables
from brassspec.engine.birmingham.beer import beer_ways, check_beer
from brassspec.engine.birmingham.state import State
from brassspec.engine.cards import discard, play
from brassspec.engine.supplies import Sources, sequences
from brassspec.engine.verdict import Faults, skip
from brassspec.formats import Event, Move

# What the rules require


def check_sell(state: State, move: Move) -> Faults:
    """pl "SPRZEDAŻ": a first tile or, as often as the player likes, another; a connected merchant tile; and the beer."""
    player, slot, space = move["player"], move["tile"], move["merchant"]
    if not _is_unsold(state, player, slot):
        yield "sell.tile", f"{slot} holds nothing of {player} that is still to be sold"
    if slot in state.tile:
        tile = state.tile[slot]
        if tile.industry not in _bought(state, space):
            yield "sell.merchant", f"{space} buys no {tile.industry}"
        needed = state.kind_of(tile).beer
        if needed is None:
            yield from skip("sell.beer")
        elif len(move["beer"]) + len(move["barrels"]) != needed:
            yield "sell.beer", f"the tile asks for {needed} barrels"
    else:
        yield from skip("sell.merchant", "sell.beer")
    away, place = network.from_slot(state, slot), state.game.merchant_place[space]
    if place not in away:
        yield "sell.connected", f"{slot} is not connected to {place}"
    yield from check_beer(state, player, away, move["beer"])
    for number, barrel in enumerate(move["barrels"]):
        if barrel not in _beside(state, space):
            yield "beer.merchant", f"{barrel} does not belong to a sale at {space}"
        if state.barrel[barrel] <= move["barrels"][:number].count(barrel):
            yield "beer.barrel", f"no barrel is left at {barrel}"


def _is_unsold(state: State, player: str, slot: str) -> bool:
    """fi "Myy": a cotton mill, manufacturer or pottery of the player's, not yet flipped."""
    if not state.owns(player, slot):
        return False
    tile = state.tile[slot]
    return not tile.flipped and state.kind_of(tile).beer is not None


def _bought(state: State, space: str) -> tuple[str, ...]:
    """What the merchant tile on a space buys."""
    return tables.BUYS[state.merchant.get(space, tables.BLANK)]


def _beside(state: State, space: str) -> list[str]:
    """pl "piwo kupieckie": the spaces whose barrels serve a sale to the merchant tile on a space."""
    if state.game.reads("one_merchant_barrel", "one"):
        return [space]
    place_of = state.game.merchant_place
    return [other for other in place_of if place_of[other] == place_of[space]]


# What happens


def sell(state: State, move: Move, events: list[Event]) -> None:
    """pl "SPRZEDAŻ": a tile is sold; more may follow."""
    # card
    play(state, move, events)
    # place: none is built on
    # pay: nothing
    # consume; flip and income of a brewery emptied by it
    for brewery in move["beer"]:
        supplies.take(state, "beer", brewery, events)
    for barrel in move["barrels"]:
        state.barrel[barrel] -= 1
        events.append({"event": "barrel_taken", "space": barrel})
    # board: no tile comes or goes
    # flip, income
    events.append({"event": "tile_sold", "slot": move["tile"], "space": move["merchant"]})
    income.flip(state, move["tile"], events)
    for barrel in move["barrels"]:
        _give_bonus(state, move["player"], state.game.merchant_place[barrel], events)
    # discard
    discard(state, move)
    state.pending = "bonus" if state.bonuses else "sale"


def _give_bonus(state: State, player: str, place: str, events: list[Event]) -> None:
    """fi "Olut kauppapaikasta": what each merchant gives for the use of a barrel."""
    bonus = tables.BONUS
    if place in bonus["vp"]:
        state.vp[player] += bonus["vp"][place]
        events.append({"event": "vp_gained", "player": player, "amount": bonus["vp"][place]})
    elif place in bonus["money"]:
        income.receive(state, player, bonus["money"][place], events)
    elif place in bonus["income"]:
        income.move_marker(state, player, state.income[player] + bonus["income"][place], events)
    else:
        state.bonuses += bonus["develop"][place]


# Which moves there are


def sales(state: State) -> Iterator[Move]:
    """The tiles the acting player may sell: tiles, then merchants, then beer."""
    player = state.acting
    for slot in sorted(slot for slot in state.tile if _is_unsold(state, player, slot)):
        away = network.from_slot(state, slot)
        for space in sorted(state.merchant):
            if state.tile[slot].industry in _bought(state, space) and state.game.merchant_place[space] in away:
                needed = state.kind_of(state.tile[slot]).beer or 0
                for number in range(needed, -1, -1):
                    for beer in beer_ways(state, player, away, number):
                        for barrels in _barrel_ways(state, space, needed - number):
                            yield {"tile": slot, "merchant": space, "beer": list(beer), "barrels": list(barrels)}


def _barrel_ways(state: State, space: str, needed: int) -> list[Sources]:
    """Every way to take so many barrels beside merchant tiles."""

    def sources(taken: Sources) -> list[str]:
        return [barrel for barrel in _beside(state, space) if state.barrel[barrel] > taken.count(barrel)]

    return sequences(needed, sources)
