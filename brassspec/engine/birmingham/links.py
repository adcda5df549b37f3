"""Building canals and rails."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import income, links, network, supplies
from brassspec.engine.birmingham.beer import beer_ways, check_beer, take_beer
from brassspec.engine.birmingham.network import is_exempt
from brassspec.engine.birmingham.network import network as own_network
from brassspec.engine.birmingham.state import State
from brassspec.engine.cards import begun, continued, discard, play
from brassspec.engine.network import Distances
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_link(state: State, move: Move, verdict: Verdict) -> None:
    """fi "Verkostoidu": a canal, a first rail, or a second one: its line, its coal and beer, and the price."""
    player, link, coal = move["player"], move["link"], _coal(move)
    links.check_line(state, move, _reach(state, player), verdict)
    supplies.check_coal(state, player, links.coal_ends(state, network.neighbours(state), link), coal, verdict)
    if "beer" in move:
        check_beer(state, player, _from_link(state, link), [move["beer"]], verdict)
    income.check_enough(state, player, links.price(state, move["action"], coal), verdict)


def _coal(move: Move) -> list[str]:
    return [move["coal"]] if "coal" in move else []


def _reach(state: State, player: str) -> set[str]:
    """pl "ROZBUDOWA POŁĄCZEŃ" 2: the places a link of the player's may start from."""
    reach = own_network(state, player)
    if is_exempt(state, player, reach):
        return {end for ends in state.game.lines.values() for end in ends}
    return reach


def _from_link(state: State, link: str) -> Distances:
    """Sheet coal_after_placement: the distances from a new link's nearest end, with the link in place."""
    ends = state.game.lines[link]
    return network.connected(state, network.neighbours(state), ends, ends)


# What happens


def lay(state: State, move: Move, events: list[Event]) -> None:
    """fi "Verkostoidu": one canal an action; or a rail, which a second may follow."""
    player, link, coal = move["player"], move["link"], _coal(move)
    # card
    play(state, move, events)
    # place: the line is named by the move
    # pay: before the cube goes, told after it
    paid = income.pay(state, player, links.price(state, move["action"], coal))
    # consume; flip and income of a mine or brewery emptied by it
    for source in coal:
        supplies.take_coal(state, source, events)
    if "beer" in move:
        take_beer(state, move["beer"], events)
    events.extend(paid)
    # board
    links.lay(state, player, link, events)
    state.placed.add(player)
    # flip, income: nothing
    # discard
    discard(state, move)
    if move["action"] == "rail":
        state.pending = "rail"
    else:
        state.close()


# Which moves there are


def canal_moves(state: State) -> Iterator[Move]:
    """Every canal: cards, then lines."""
    return links.canal_moves(state, _reach(state, state.acting))


def rail_moves(state: State) -> Iterator[Move]:
    """Every first rail: cards, then lines, then sources of coal."""
    return begun(state, "rail", links.rails(state, "rail", _reach(state, state.acting)))


def second_rail_moves(state: State) -> Iterator[Move]:
    """Every second rail: lines, then sources of coal, then breweries."""
    return continued(state, "second_rail", _second_rails(state))


def _second_rails(state: State) -> Iterator[Move]:
    player = state.acting
    for rail in links.rails(state, "second_rail", _reach(state, player)):
        for (brewery,) in beer_ways(state, player, _from_link(state, rail["link"]), 1):
            yield {**rail, "beer": brewery}
