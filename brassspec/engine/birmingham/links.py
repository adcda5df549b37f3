"""Building canals and rails."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import links, network
from brassspec.engine.birmingham.beer import beer_ways, check_beer
from brassspec.engine.birmingham.network import is_exempt
from brassspec.engine.birmingham.state import State
from brassspec.engine.network import Distances
from brassspec.engine.verdict import Faults
from brassspec.formats import Move

# What the rules require


def check_link(state: State, move: Move) -> Faults:
    """fi "Verkostoidu": a canal, a first rail, or a second one, with beer."""
    player = move["player"]
    yield from links.check_link(state, move, _reach(state, player))
    if "beer" in move:
        yield from check_beer(state, player, _from_link(state, move["link"]), [move["beer"]])


def _reach(state: State, player: str) -> set[str]:
    """pl "ROZBUDOWA POŁĄCZEŃ" 2: the places a link of the player's may start from."""
    reach = network.own(state, player)
    return network.everywhere(state) if is_exempt(state, player, reach) else reach


def _from_link(state: State, link: str) -> Distances:
    """Sheet coal_after_placement: the distances from a new link's nearest end, with the link in place."""
    ends = state.game.lines[link]
    return network.connected(state, ends, ends)


# Which moves there are


def places(state: State, action: str) -> Iterator[Move]:
    """The links the acting player may build: lines, then sources of coal, then breweries for a second rail."""
    player = state.acting
    for link in links.places(state, action, _reach(state, player)):
        if action == "second_rail":
            for (brewery,) in beer_ways(state, player, _from_link(state, link["link"]), 1):
                yield {**link, "beer": brewery}
        else:
            yield link
