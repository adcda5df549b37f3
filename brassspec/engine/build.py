"""Building an industry tile, with one card or by combining both actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brassspec.engine import cards, coal_iron, income, money, network, tables
from brassspec.engine.state import State, Tile
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move


@dataclass(frozen=True, slots=True)
class Placement:
    """A tile that may be built in a space, and where its cubes come from."""

    slot: str
    industry: str
    coal: list[str]
    iron: list[str]


# What the rules require


def check_build(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Výstavba průmyslu": the card, the space, the cubes and the price."""
    player, card = move["player"], move["card"]
    cards.check_held(state, player, [card], verdict)
    towns = cards.towns_for_industry_cards(state, player)
    cards.check_allows(state, player, card, move["slot"], move["industry"], towns, verdict)
    check_space(state, player, move["slot"], move["industry"], verdict)
    check_supply(state, move, verdict)


def check_combine(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Slučování akcí": two cards and both actions, and any space; all other rules hold."""
    player = move["player"]
    if state.actions < 2:
        verdict.violate("combine.two_actions", f"{state.actions} of two actions left")
    cards.check_held(state, player, [move["card"], move["other"]], verdict)
    check_space(state, player, move["slot"], move["industry"], verdict)
    check_supply(state, move, verdict)


def check_space(state: State, player: str, slot: str, industry: str, verdict: Verdict) -> None:
    """cz "Porovnání symbolu" and what follows it: whether the tile may come into the space, cards and cubes apart."""
    edition = state.game.edition
    town = edition.town_of[slot]
    there = state.tile.get(slot)
    level = state.top(player, industry)
    _check_tile(state, player, industry, level, verdict)
    if industry not in edition.spaces[slot]:
        verdict.violate("build.symbol", f"{slot} shows {' and '.join(edition.spaces[slot])}")
    if state.era == tables.CANAL:
        for other, tile in state.tile.items():
            if other != slot and tile.owner == player and edition.town_of[other] == town:
                verdict.violate("build.one_per_town", f"{player} has a tile at {other}")
                break
    if there is not None:
        _check_overbuild(state, player, slot, there, industry, level, verdict)
    else:
        # Replacing a port takes no space from anybody: the rule speaks of filling empty spaces.
        for other in _spaces_before(state, slot, industry):
            if other not in state.tile:
                named = state.game.reads("port_first", "named")  # of Lancaster or of Preston
                verdict.violate(f"port.{town}" if named else "space.single", f"{other} is empty")


def _spaces_before(state: State, slot: str, industry: str) -> list[str]:
    """cz "Lancaster", "Preston": the spaces an industry takes before this one.

    Reading port_first=single: any industry that may choose, in any town, between spaces that show it alone and one that
    shows it among others takes the former first. Whether this space shows it at all is not asked here.
    """
    edition = state.game.edition
    if state.game.reads("port_first", "named"):
        named = tables.PORT_FIRST.get(slot) if industry == tables.PORT else None
        return [] if named is None else [named]
    symbols = edition.spaces[slot]
    if industry not in symbols or len(symbols) == 1:
        return []
    town = edition.town_of[slot]
    return [other for other, shown in edition.spaces.items() if shown == (industry,) and edition.town_of[other] == town]


def _check_tile(state: State, player: str, industry: str, level: int | None, verdict: Verdict) -> None:
    """cz "Další omezení výstavby": the top tile of the stack, in its era."""
    if level is None:
        verdict.violate("build.stack", f"{player} has no {industry} left")
        verdict.skip("build.level_zero", "build.canal_tile", "build.rail_tile")
        return
    kind = state.kind(industry, level)
    if level == 0:
        verdict.violate("build.level_zero", f"{industry} of level 0 is never built")
    if kind.era == tables.CANAL and state.era == tables.RAIL:
        verdict.violate("build.canal_tile", f"{industry} of level {level} is for the canal era only")
    if kind.era == tables.RAIL and state.era == tables.CANAL:
        verdict.violate("build.rail_tile", f"{industry} of level {level} is for the rail era only")


def _check_overbuild(
    state: State, player: str, slot: str, there: Tile, industry: str, level: int | None, verdict: Verdict
) -> None:
    """cz "Přestavba Průmyslových destiček": which tiles may be replaced, by what."""
    game = state.game
    opponents = there.owner != player
    if opponents and there.industry not in (tables.COAL_MINE, tables.IRON_WORKS):
        verdict.violate("overbuild.opponent", f"{slot} holds a {there.industry} of {there.owner}")
    if there.industry != industry:
        verdict.violate("overbuild.industry", f"{slot} holds a {there.industry}")
    any_level = opponents and there.industry == tables.IRON_WORKS and game.reads("overbuild_works_level", "any")
    if level is None:
        verdict.skip("overbuild.level")
    elif level <= there.level and not any_level:
        verdict.violate("overbuild.level", f"{slot} holds level {there.level}, the new tile is of level {level}")
    if opponents and there.industry in (tables.COAL_MINE, tables.IRON_WORKS):
        on_board = any(tile.cubes for tile in state.tile.values() if tile.industry == there.industry)
        on_track = (state.coal if there.industry == tables.COAL_MINE else state.iron) > 0
        both = game.reads("overbuild_exhausted", "both")
        if (on_board or on_track) if both else (on_board and on_track):
            verdict.violate("overbuild.exhausted", "there are cubes on the board or on the track")


def check_supply(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Doprava uhlí", "Braní železa", "Placení": the cubes and the price."""
    player, slot, industry = move["player"], move["slot"], move["industry"]
    coal, iron = move["coal"], move["iron"]
    level = state.top(player, industry)
    away = network.distances(network.neighbours(state), [state.game.edition.town_of[slot]])
    coal_iron.check_coal(state, player, [away], coal, coal_at_hand(state, slot, industry), verdict)
    coal_iron.check_iron(state, iron, verdict)
    if level is None:
        verdict.skip("build.coal", "build.iron", "money.enough")
        return
    kind = state.kind(industry, level)
    if len(coal) != kind.coal:
        verdict.violate("build.coal", f"the tile needs {kind.coal} coal, {len(coal)} brought")
    if len(iron) != kind.iron:
        verdict.violate("build.iron", f"the tile needs {kind.iron} iron, {len(iron)} taken")
    money.check_enough(state, player, price(state, kind, coal, iron), verdict)


def price(state: State, kind: tables.Kind, coal: list[str], iron: list[str]) -> int:
    """cz "Placení za Průmyslovou destičku": the tile and the cubes from the tracks."""
    return (
        kind.price + coal_iron.market_price(state, state.coal, coal) + coal_iron.market_price(state, state.iron, iron)
    )


def coal_at_hand(state: State, slot: str, industry: str) -> bool:
    """Reading liverpool_coal=always: a shipyard in Liverpool needs no port for the track's coal in the canal era."""
    return (
        state.game.reads("liverpool_coal", "always")
        and state.era == tables.CANAL
        and industry == tables.SHIPYARD
        and state.game.edition.town_of[slot] == tables.LIVERPOOL
    )


# What happens


def build(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Výstavba průmyslu": one card, one action."""
    _perform(state, move, [move["card"]], events)


def combine(state: State, move: Move, events: list[Event]) -> None:
    """cz "Slučování akcí": two cards, both actions."""
    _perform(state, move, [move["card"], move["other"]], events)


def _perform(state: State, move: Move, played: list[str], events: list[Event]) -> None:
    player, slot, industry = move["player"], move["slot"], move["industry"]
    # card
    for card in played:
        cards.play(state, player, card, events)
    # place
    level = state.top(player, industry)
    assert level is not None, "build.stack holds"
    kind = state.kind(industry, level)
    # pay: before the cubes go, since each cube bought makes the next one dearer; told after them
    paid = money.pay(state, player, price(state, kind, move["coal"], move["iron"]))
    # consume
    for source in move["coal"]:
        coal_iron.take_coal(state, source, events)
    for source in move["iron"]:
        coal_iron.take_iron(state, source, events)
    events.extend(paid)
    # board
    replaced = state.tile.pop(slot, None)
    if replaced is not None:
        state.retire(replaced.owner, replaced.industry, replaced.level)
        events.append({"event": "tile_removed", "slot": slot})
    state.unstack(player, industry, level)
    tile = Tile(player, industry, level, False, kind.cubes)
    state.tile[slot] = tile
    state.built.add(player)
    events.append({"event": "tile_built", "slot": slot, "industry": industry, "level": level})
    if industry == tables.COAL_MINE:
        away = network.distances(network.neighbours(state), [state.game.edition.town_of[slot]])
        if network.reaches_port(state, away):
            coal_iron.sell_coal(state, slot, events)
    elif industry == tables.IRON_WORKS:
        coal_iron.sell_iron(state, slot, events)
    # flip, income: at once if it is a shipyard, or all its cubes were sold
    emptied = industry in (tables.COAL_MINE, tables.IRON_WORKS) and not tile.cubes
    if industry == tables.SHIPYARD or emptied:
        income.flip(state, slot, events)
    # discard
    for card in played:
        cards.discard(state, card)
    state.actions -= len(played)


# Which moves there are


def build_moves(state: State) -> Iterator[Move]:
    """Every build with one card: cards, then spaces, then industries, then sources."""
    player = state.acting
    places = list(placements(state))
    towns = cards.towns_for_industry_cards(state, player)
    for card in cards.distinct(state.hand[player]):
        for place in places:
            verdict = Verdict()
            cards.check_allows(state, player, card, place.slot, place.industry, towns, verdict)
            if not verdict.violated:
                yield {
                    "action": "build",
                    "player": player,
                    "card": card,
                    "slot": place.slot,
                    "industry": place.industry,
                    "coal": list(place.coal),
                    "iron": list(place.iron),
                }


def combine_moves(state: State) -> Iterator[Move]:
    """Every build with two cards: pairs of cards, then spaces, then industries, then sources."""
    if state.actions < 2:
        return
    player = state.acting
    hand = state.hand[player]
    places = list(placements(state))
    different = cards.distinct(hand)
    for number, card in enumerate(different):
        first_other = number if hand.count(card) > 1 else number + 1
        for other in different[first_other:]:
            for place in places:
                yield {
                    "action": "combine",
                    "player": player,
                    "card": card,
                    "other": other,
                    "slot": place.slot,
                    "industry": place.industry,
                    "coal": list(place.coal),
                    "iron": list(place.iron),
                }


def placements(state: State) -> Iterator[Placement]:
    """Every tile the acting player may build, whatever the card; spaces, then industries, then sources."""
    player = state.acting
    edition = state.game.edition
    joined = network.neighbours(state)
    iron_for_one = [[source] for source in coal_iron.iron_sources(state)]
    away_from: dict[str, network.Distances] = {}
    for slot, symbols in edition.spaces.items():
        town = edition.town_of[slot]
        for industry in symbols:
            verdict = Verdict()
            check_space(state, player, slot, industry, verdict)
            level = state.top(player, industry)
            if verdict.violated or level is None:
                continue
            kind = state.kind(industry, level)
            # No tile needs more than one cube of a kind.
            coal_choices: list[list[str]] = [[]]
            if kind.coal:
                if town not in away_from:
                    away_from[town] = network.distances(joined, [town])
                at_hand = coal_at_hand(state, slot, industry)
                coal_choices = [
                    [source] for source in coal_iron.coal_sources(state, player, [away_from[town]], at_hand)
                ]
            for coal in coal_choices:
                for iron in iron_for_one if kind.iron else [[]]:
                    if price(state, kind, coal, iron) <= state.money[player]:
                        yield Placement(slot, industry, coal, iron)
