"""Building canals and rails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brassspec.engine import cards, income, network, supplies, tables
from brassspec.engine.network import Distances
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults, passes
from brassspec.formats import Event, Move

# What the rules require


def check_link(state: State, move: Move, reach: set[str]) -> Faults:
    """cz "AKCE Výstavba průplavu/železnice", fi "Verkostoidu": the era, the line, whether one may build there, and the price.

    `reach` is where the player may join.
    """
    player, link, coal = move["player"], move["link"], _coal(move)
    era = _era(move["action"])
    if state.era != era:
        yield f"link.{era}_era", f"{era}s are for the {era} era"
    if link not in state.game.lines_of[era]:
        yield f"link.{era}_line", f"{link} is not marked for a {era}"
    yield from _check_place(state, player, link, reach)
    yield from supplies.check_coal(state, player, _coal_ends(state, link), coal, False)
    yield from income.check_enough(state, player, _price(state, move["action"], coal))


def _era(action: str) -> str:
    return tables.CANAL if action == "canal" else tables.RAIL


def _coal(move: Move) -> list[str]:
    return [move["coal"]] if "coal" in move else []


def _check_place(state: State, player: str, link: str, reach: set[str]) -> Faults:
    """cz "Objasnění", "Komponenty", pl "ROZBUDOWA POŁĄCZEŃ" 2: `reach` is where the player may join."""
    if link in state.link:
        yield "link.free", f"{link} is built"
    if reach.isdisjoint(state.game.lines[link]):
        yield "link.network", f"{link} adjoins no tile and no link of {player}"
    if list(state.link.values()).count(player) >= state.game.link_tiles:
        yield "link.supply", f"{player} has no link left"


def _coal_ends(state: State, link: str) -> list[Distances]:
    """cz "Železnice", sheet rail_coal_distance, coal_after_placement: the distances from the ends the coal may come to.

    The new rail counts as built, unless rail_coal_after=before is read in Lancashire.
    """
    ends = state.game.lines[link]
    new = () if state.game.reads("rail_coal_after", "before") else ends
    if state.game.reads("rail_coal_end", "nearer_end"):
        return [network.connected(state, ends, new)]
    return [network.connected(state, [end], new) for end in ends]


def _price(state: State, action: str, coal: Sequence[str]) -> int:
    """cz "Průplavy", "Železnice", fi "Verkostoidu": the price of a canal, a rail or a second one, and the coal."""
    return state.game.link_prices[action] + supplies.price(state, coal, [])


# What happens


def lay(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Výstavba průplavu/železnice", fi "Verkostoidu": one canal an action; or a rail, which a second may follow."""
    player, link = move["player"], move["link"]
    # card: of the first rail
    cards.play(state, move, events)
    # place: the line is named by the move
    # pay: before the cube goes, told after it
    paid = income.pay(state, player, _price(state, move["action"], _coal(move)))
    # consume; flip and income of a mine, or brewery in Birmingham, emptied by it
    for resource in ("coal", "beer"):
        if resource in move:
            supplies.take(state, resource, move[resource], events)
    events.extend(paid)
    # board
    state.lay(link, player)
    events.append({"event": "link_built", "link": link})
    # flip, income: nothing
    # discard
    cards.discard(state, move)
    if move["action"] == "rail":
        state.pending = "rail"
    else:
        state.close()


# Which moves there are


def places(state: State, action: str, reach: set[str]) -> Iterator[Move]:
    """The links the acting player may build by an action and pay: lines, then sources of the coal for a rail."""
    player, era = state.acting, _era(action)
    if era != state.era or not state.can_pay(player, _price(state, action, [])):
        return
    for link in state.game.lines_of[era]:
        if passes(_check_place(state, player, link, reach)):
            ends = _coal_ends(state, link) if era == tables.RAIL else []
            for coal in supplies.coal_ways(state, player, ends, 1, False) if ends else [()]:
                if state.can_pay(player, _price(state, action, coal)):
                    yield {"link": link, "coal": coal[0]} if coal else {"link": link}
