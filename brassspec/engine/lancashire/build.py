"""Building an industry tile, with one card or by combining both actions."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import build as common
from brassspec.engine import income, supplies
from brassspec.engine.cards import discard, distinct, play
from brassspec.engine.lancashire import cards
from brassspec.engine.lancashire.state import State
from brassspec.engine.lancashire.tables import PORT, PORT_FIRST, SHIPYARD
from brassspec.engine.state import Tile
from brassspec.engine.tables import COAL_MINE, IRON_WORKS
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_build(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Výstavba průmyslu": the card, the space, the cubes and the price."""
    cards.check_allows(state, move, cards.towns_for_industry_cards(state, move["player"]), verdict)
    _check_uncarded(state, move, verdict)


def check_combine(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Slučování akcí": two cards and both actions, and any space; all other rules hold."""
    if state.actions < 2:
        verdict.violate("combine.two_actions", f"{state.actions} of two actions left")
    _check_uncarded(state, move, verdict)


def _check_uncarded(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Výstavba průmyslu": all that is required whatever the card."""
    player, industry = move["player"], move["industry"]
    level = state.top(player, industry)
    _check_tile(state, player, industry, level, verdict)
    _check_space(state, player, move["slot"], industry, level, verdict)
    common.check_supply(state, move, verdict)


def _check_tile(state: State, player: str, industry: str, level: int | None, verdict: Verdict) -> None:
    """cz "Další omezení výstavby": the top tile of the stack, in its era."""
    if level is None:
        verdict.violate("build.stack", f"{player} has no {industry} left")
        verdict.skip("build.level_zero", "build.canal_tile", "build.rail_tile")
        return
    if level == 0:
        verdict.violate("build.level_zero", f"{industry} of level 0 is never built")
    common.check_era(state, industry, level, verdict)


def _check_space(state: State, player: str, slot: str, industry: str, level: int | None, verdict: Verdict) -> None:
    """cz "Porovnání symbolu" and what follows it: whether the tile may come into the space."""
    game = state.game
    common.check_symbol(state, slot, industry, verdict)
    common.check_alone(state, player, slot, verdict)
    if slot in state.tile:
        common.check_overbuild(state, player, slot, industry, level, verdict)
        return
    # Replacing a port takes no space from anybody: the rule speaks of filling empty spaces.
    for other in _spaces_before(state, slot, industry):
        if other not in state.tile:
            named = game.reads("port_first", "named")  # of Lancaster or of Preston
            verdict.violate(f"port.{game.place_of[slot]}" if named else "space.single", f"{other} is empty")


def _spaces_before(state: State, slot: str, industry: str) -> list[str]:
    """cz "Lancaster", "Preston": the spaces an industry takes before this one.

    Reading port_first=single, the default of 2018 (r18 "single_icon_slot_first"): any industry that may choose, in any
    town, between spaces that show it alone and one that shows it among others takes the former first. Whether this space
    shows it at all is not asked here.
    """
    slots = state.game.slots
    if state.game.reads("port_first", "named"):
        return [PORT_FIRST[slot]] if industry == PORT and slot in PORT_FIRST else []
    if industry not in slots[slot] or len(slots[slot]) == 1:
        return []
    return [other for other in state.game.next_to[slot] if slots[other] == (industry,)]


# What happens


def build(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Výstavba průmyslu", "Slučování akcí": one card and one action, or two cards and both actions."""
    player, slot, industry, coal, iron = (move[name] for name in ("player", "slot", "industry", "coal", "iron"))
    # card
    play(state, move, events)
    # place
    level = state.unstack(player, industry)
    kind = state.game.tiles[industry, level]
    # pay: before the cubes go, since each cube bought makes the next one dearer; told after them
    paid = income.pay(state, player, kind.price + supplies.price(state, coal, iron))
    # consume; flip and income of tiles emptied by it
    for source in coal:
        supplies.take_coal(state, source, events)
    for source in iron:
        supplies.take_iron(state, source, events)
    events.extend(paid)
    # board
    if slot in state.tile:
        state.remove(slot)
        events.append({"event": "tile_removed", "slot": slot})
    tile = Tile(player, industry, level, False, kind.cubes)
    state.tile[slot] = tile
    state.built.add(player)
    events.append({"event": "tile_built", "slot": slot, "industry": industry, "level": level})
    supplies.sell_cubes(state, slot, events)
    # flip, income: at once if it is a shipyard, or all its cubes were sold
    emptied = industry in (COAL_MINE, IRON_WORKS) and not tile.cubes
    if industry == SHIPYARD or emptied:
        income.flip(state, slot, events)
    # discard
    discard(state, move)
    state.close()
    if move["action"] == "combine":
        state.actions -= 1


# Which moves there are


def build_moves(state: State) -> Iterator[Move]:
    """Every build with one card: cards, then spaces, then industries, then sources."""
    towns = cards.towns_for_industry_cards(state, state.acting)
    return common.with_cards(state, common.places(state, _check_tile, _check_space), towns, cards.check_allows)


def combine_moves(state: State) -> Iterator[Move]:
    """Every build with two cards: pairs of cards, then spaces, then industries, then sources."""
    if state.actions < 2:
        return
    player = state.acting
    places = list(common.places(state, _check_tile, _check_space))
    different = distinct(state, player)
    for number, card in enumerate(different):
        first_other = number if state.hand[player].count(card) > 1 else number + 1
        for other in different[first_other:]:
            for place in places:
                yield {"action": "combine", "player": player, "card": card, "other": other, **place}
