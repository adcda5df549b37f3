"""Building industry tiles: what is required in all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from brassspec.engine import cards, income, network, supplies
from brassspec.engine.state import State
from brassspec.engine.tables import CANAL, COAL_MINE, IRON_WORKS
from brassspec.engine.verdict import Verdict
from brassspec.formats import Move


def check_symbol(state: State, slot: str, industry: str, verdict: Verdict) -> None:
    """cz "Porovnání symbolu", pl "BUDOWA" 2: the space shows the industry."""
    shown = state.game.slots[slot]
    if industry not in shown:
        verdict.violate("build.symbol", f"{slot} shows {' and '.join(shown)}")


def check_era(state: State, industry: str, level: int, verdict: Verdict) -> None:
    """cz "Další omezení výstavby", pl "ERA KANAŁOWA": some tiles are for one era only."""
    era = state.game.tiles[industry, level].era
    if era is not None and era != state.era:
        verdict.violate(f"build.{era}_tile", f"{industry} of level {level} is for the {era} era only")


def check_alone(state: State, player: str, slot: str, verdict: Verdict) -> None:
    """cz "Další omezení výstavby", pl "ERA KANAŁOWA": in the canal era one tile a town for each player."""
    if state.era == CANAL:
        for other in state.game.next_to[slot]:
            if other in state.tile and state.tile[other].owner == player:
                verdict.violate("build.one_per_town", f"{player} has a tile at {other}")


def check_overbuild(state: State, player: str, slot: str, industry: str, level: int | None, verdict: Verdict) -> None:
    """cz "Přestavba Průmyslových destiček", pl "PRZEBUDOWA": which tiles may be replaced, by what.

    The readings overbuild_works_level=any and overbuild_exhausted=either are of Lancashire.
    """
    game, there = state.game, state.tile[slot]
    opponents = there.owner != player
    if there.industry != industry:
        verdict.violate("overbuild.industry", f"{slot} holds a {there.industry}")
    any_level = opponents and there.industry == IRON_WORKS and game.reads("overbuild_works_level", "any")
    if level is None:
        verdict.skip("overbuild.level")
    elif level <= there.level and not any_level:
        verdict.violate("overbuild.level", f"{slot} holds level {there.level}, the new tile is of level {level}")
    if not opponents:
        return
    if there.industry not in (COAL_MINE, IRON_WORKS):
        verdict.violate("overbuild.opponent", f"{slot} holds a {there.industry} of {there.owner}")
        return
    on_board = any(tile.cubes for tile in state.tile.values() if tile.industry == there.industry)
    in_market = (state.coal if there.industry == COAL_MINE else state.iron) > 0
    either = game.reads("overbuild_exhausted", "either")
    if (on_board and in_market) if either else (on_board or in_market):
        verdict.violate("overbuild.exhausted", "there are cubes on the board or in the market")


def check_supply(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Doprava uhlí", "Braní železa", "Placení", pl "BUDOWA" 3, 4: so many cubes as the tile asks for, and the price."""
    player, slot, industry = move["player"], move["slot"], move["industry"]
    coal, iron, lost = move["coal"], move["iron"], _lost(state, slot)
    away = network.from_slot(state, slot)
    supplies.check_coal(state, player, [away], coal, verdict, lost, state.coal_is_at_hand(slot, industry))
    supplies.check_iron(state, iron, verdict, lost)
    level = state.top(player, industry)
    if level is None:
        verdict.skip("build.coal", "build.iron", "money.enough")
        return
    kind = state.game.tiles[industry, level]
    if len(coal) != kind.coal:
        verdict.violate("build.coal", f"the tile needs {kind.coal} coal, {len(coal)} brought")
    if len(iron) != kind.iron:
        verdict.violate("build.iron", f"the tile needs {kind.iron} iron, {len(iron)} taken")
    income.check_enough(state, player, kind.price + supplies.price(state, coal, iron), verdict)


def _lost(state: State, slot: str) -> str | None:
    """Sheet build_order of Birmingham: what lies on a tile that is replaced goes before anything is paid."""
    return slot if state.game.reads("overbuilt_resources", "no") else None


# Which moves there are

# Of a state, a player, and an industry with the level of its next tile; and, of the second, a space.
CheckTile = Callable[[Any, str, str, int | None, Verdict], None]
CheckSpace = Callable[[Any, str, str, str, int | None, Verdict], None]


def places(state: State, check_tile: CheckTile, check_space: CheckSpace) -> Iterator[Move]:
    """Every tile the acting player may build, whatever the card: spaces, then industries, then sources."""
    player, game = state.acting, state.game
    joined = network.neighbours(state)
    away: dict[str, network.Distances] = {}  # from each place where coal is needed
    levels = {}
    for industry in game.industries:
        level = state.top(player, industry)
        verdict = Verdict()
        check_tile(state, player, industry, level, verdict)
        if level is not None and not verdict.violated:
            levels[industry] = level
    for slot, shown in game.slots.items():
        for industry in shown:
            if industry not in levels:
                continue
            verdict = Verdict()
            check_space(state, player, slot, industry, levels[industry], verdict)
            if verdict.violated:
                continue
            kind, lost = game.tiles[industry, levels[industry]], _lost(state, slot)
            place = game.place_of[slot]
            if kind.coal and place not in away:
                away[place] = network.connected(state, joined, [place])
            ends = [away[place]] if kind.coal else []
            at_hand = state.coal_is_at_hand(slot, industry)
            irons = supplies.iron_ways(state, kind.iron, lost)
            for coal in supplies.coal_ways(state, player, ends, kind.coal, lost, at_hand):
                for iron in irons:
                    if income.can_pay(state, player, kind.price + supplies.price(state, coal, iron)):
                        yield {"slot": slot, "industry": industry, "coal": list(coal), "iron": list(iron)}


def with_cards(
    state: State, found: Iterable[Move], reach: set[str], check_allows: Callable[[Any, Move, set[str], Verdict], None]
) -> Iterator[Move]:
    """Every build with one card that allows it: cards, then places; `reach` is where industry cards build."""
    for move in cards.begun(state, "build", found):
        verdict = Verdict()
        check_allows(state, move, reach, verdict)
        if not verdict.violated:
            yield move
