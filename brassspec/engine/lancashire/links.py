"""Building canals and rails: where a player may, and which rails there are."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import links, network
from brassspec.engine.lancashire.cards import virtual_ends
from brassspec.engine.lancashire.state import State
from brassspec.engine.verdict import Faults
from brassspec.formats import Move

# What the rules require


def check_link(state: State, move: Move) -> Faults:
    """cz "Průplavy", "Železnice": a canal in the canal era; a rail, or two in one action, which need not touch."""
    yield from links.check_link(state, move, touched(state, move["player"]))
    if move["action"] == "second_rail" and _touches_first(state, move["link"]):
        yield "rail.apart", f"{move['link']} touches {state.first_rail}"


def touched(state: State, player: str) -> set[str]:
    """cz "AKCE Výstavba průplavu/železnice": the places a link of the player's may start from."""
    game = state.game
    reach = network.own(state, player)
    if not reach and game.reads("first_link", "anywhere"):
        return network.everywhere(state)
    if game.reads("virtual_use", "built"):
        return reach | virtual_ends(state, player)
    return reach


def _touches_first(state: State, link: str) -> bool:
    """Reading two_rails_apart=apart: whether a rail shares a place with the first one of the action.

    ro "Caile ferate": the two "NU trebuie sa fie construite in asa fel incat sa fie conectate una cu cealalta", taken as
    a ban: "must not touch". Connected to each other (una cu cealalta) are two rails that have an end in common; that
    other links join them, as they join most of what a player has, is not meant.
    """
    if state.first_rail is None or state.game.reads("two_rails_apart", "free"):
        return False
    lines = state.game.lines
    return any(end in lines[state.first_rail] for end in lines[link])


# Which moves there are


def canals(state: State) -> Iterator[Move]:
    """The canals the acting player may build: lines."""
    return links.canals(state, touched(state, state.acting))


def first_rails(state: State) -> list[Move]:
    """The first rails: lines, then sources, the track among the mines; alphabetically."""
    return _rails(state, "rail")


def second_rails(state: State) -> list[Move]:
    """The second rails: lines, then sources."""
    return [rail for rail in _rails(state, "second_rail") if not _touches_first(state, rail["link"])]


def _rails(state: State, action: str) -> list[Move]:
    rails = links.rails(state, action, touched(state, state.acting))
    return sorted(rails, key=lambda rail: (rail["link"], rail["coal"]))
