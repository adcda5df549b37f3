"""Building canals and rails: where a player may."""

from __future__ import annotations

from brassspec.engine import links, network
from brassspec.engine.lancashire.build import virtual_ends
from brassspec.engine.lancashire.state import State
from brassspec.engine.verdict import Faults, passes
from brassspec.formats import Move

# What the rules require


def check_link(state: State, move: Move) -> Faults:
    """cz "Průplavy", "Železnice": a canal in the canal era; a rail, or two in one action, which need not touch."""
    yield from links.check_link(state, move, _touched(state, move["player"]))
    yield from _check_apart(state, move["action"], move["link"])


def _touched(state: State, player: str) -> set[str]:
    """cz "AKCE Výstavba průplavu/železnice": the places a link of the player's may start from."""
    game = state.game
    reach = network.own(state, player)
    if not reach and game.reads("first_link", "anywhere"):
        return network.everywhere(state)
    return reach | virtual_ends(state, player) if game.reads("virtual_use", "built") else reach


def _check_apart(state: State, action: str, link: str) -> Faults:
    """Reading two_rails_apart=apart: a second rail shares no place with the first one of the action.

    ro "Caile ferate": the two "NU trebuie sa fie construite in asa fel incat sa fie conectate una cu cealalta", taken as
    a ban: "must not touch". Connected to each other (una cu cealalta) are two rails that have an end in common; that
    other links join them, as they join most of what a player has, is not meant.
    """
    first, lines = state.first_rail, state.game.lines
    apart = action == "second_rail" and state.game.reads("two_rails_apart", "apart")
    if apart and first is not None and not set(lines[first]).isdisjoint(lines[link]):
        yield "rail.apart", f"{link} touches {first}"


# Which moves there are


def places(state: State, action: str) -> list[Move]:
    """The links the acting player may build: lines, then sources, the track among the mines; alphabetically."""
    found = links.places(state, action, _touched(state, state.acting))
    apart = [move for move in found if passes(_check_apart(state, action, move["link"]))]
    return sorted(apart, key=lambda move: (move["link"], move.get("coal")))
