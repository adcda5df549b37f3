"""Building canals and rails."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import income, links, network, supplies
from brassspec.engine.cards import begun, continued, discard, play
from brassspec.engine.lancashire.cards import virtual_ends
from brassspec.engine.lancashire.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_canal(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Výstavba průplavu/železnice", "Průplavy": £3, on a line marked for canals, in the canal era."""
    player = move["player"]
    links.check_line(state, move, touched(state, player), verdict)
    income.check_enough(state, player, links.price(state, "canal", []), verdict)


def check_rail(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Železnice": £5 and a coal cube; two rails in one action cost £15, and need not touch."""
    player, link, coal = move["player"], move["link"], [move["coal"]]
    links.check_line(state, move, touched(state, player), verdict)
    if move["action"] == "second_rail" and _touches_first(state, link):
        verdict.violate("rail.apart", f"{link} touches {state.first_rail}")
    supplies.check_coal(state, player, links.coal_ends(state, network.neighbours(state), link), coal, verdict)
    income.check_enough(state, player, links.price(state, move["action"], coal), verdict)


def touched(state: State, player: str) -> set[str]:
    """cz "AKCE Výstavba průplavu/železnice": the places a link of the player's may start from."""
    game = state.game
    reach = network.own_towns(state, player) | network.own_ends(state, player)
    if not reach and game.reads("first_link", "anywhere"):
        return {end for ends in game.lines.values() for end in ends}
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


# What happens


def canal(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Výstavba průplavu/železnice": one canal an action."""
    player = move["player"]
    # card
    play(state, move, events)
    # place: the line is named by the move
    # pay
    events.extend(income.pay(state, player, links.price(state, "canal", [])))
    # consume: nothing
    # board
    links.lay(state, player, move["link"], events)
    # flip, income: nothing
    # discard
    discard(state, move)
    state.close()


def rail(state: State, move: Move, events: list[Event]) -> None:
    """cz "Železnice": the first rail of an action, which a second may follow, or the second one."""
    player, link, source = move["player"], move["link"], move["coal"]
    # card: of the first rail
    play(state, move, events)
    # place: the line is named by the move
    # pay: before the cube goes, told after it
    paid = income.pay(state, player, links.price(state, move["action"], [source]))
    # consume; flip and income of a mine emptied by it
    supplies.take_coal(state, source, events)
    events.extend(paid)
    # board
    links.lay(state, player, link, events)
    # discard
    discard(state, move)
    if move["action"] == "rail":
        state.pending = "rail"
        state.first_rail = link
    else:
        state.close()


# Which moves there are


def canal_moves(state: State) -> Iterator[Move]:
    """Every canal: cards, then lines."""
    return links.canal_moves(state, touched(state, state.acting))


def rail_moves(state: State) -> Iterator[Move]:
    """Every first rail: cards, then lines, then sources."""
    return begun(state, "rail", _rails(state, "rail"))


def second_rail_moves(state: State) -> Iterator[Move]:
    """Every second rail: lines, then sources."""
    rails = _rails(state, "second_rail")
    return continued(state, "second_rail", (rail for rail in rails if not _touches_first(state, rail["link"])))


def _rails(state: State, action: str) -> list[Move]:
    """By lines, then by sources, the track among the mines; alphabetically."""
    rails = links.rails(state, action, touched(state, state.acting))
    return sorted(rails, key=lambda rail: (rail["link"], rail["coal"]))
