"""Canals and rails: what is required of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brassspec.engine import cards, income, network, supplies, tables
from brassspec.engine.network import Distances, Neighbours
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move


def check_line(state: State, move: Move, reach: set[str], verdict: Verdict) -> None:
    """cz "AKCE Výstavba průplavu/železnice", fi "Verkostoidu": the era, the line, and whether one may build there."""
    era = tables.CANAL if move["action"] == "canal" else tables.RAIL
    if state.era != era:
        verdict.violate(f"link.{era}_era", f"{era}s are for the {era} era")
    if move["link"] not in state.game.lines_of[era]:
        verdict.violate(f"link.{era}_line", f"{move['link']} is not marked for a {era}")
    if move["action"] == "second_rail" and state.pending != "rail":
        verdict.violate("rail.second", "no first rail was just built")
    _check_place(state, move["player"], move["link"], reach, verdict)


def _check_place(state: State, player: str, link: str, reach: set[str], verdict: Verdict) -> None:
    """cz "Objasnění", "Komponenty", pl "ROZBUDOWA POŁĄCZEŃ" 2: `reach` is where the player may join."""
    if link in state.link:
        verdict.violate("link.free", f"{link} is built")
    if reach.isdisjoint(state.game.lines[link]):
        verdict.violate("link.network", f"{link} adjoins no tile and no link of {player}")
    unlimited = state.game.reads("link_limit", "unlimited")  # of Birmingham
    if not unlimited and list(state.link.values()).count(player) >= state.game.link_tiles:
        verdict.violate("link.supply", f"{player} has no link left")


def coal_ends(state: State, joined: Neighbours, link: str) -> list[Distances]:
    """cz "Železnice", sheet rail_coal_distance, coal_after_placement: the distances from the ends the coal may come to.

    The new rail counts as built, unless rail_coal_after=before is read in Lancashire.
    """
    ends = state.game.lines[link]
    new = () if state.game.reads("rail_coal_after", "before") else ends
    if state.game.reads("rail_coal_end", "nearer_end"):
        return [network.connected(state, joined, ends, new)]
    return [network.connected(state, joined, [end], new) for end in ends]


def price(state: State, action: str, coal: Sequence[str]) -> int:
    """cz "Průplavy", "Železnice", fi "Verkostoidu": the price of a canal, a rail or a second one, and the coal."""
    return state.game.link_prices[action] + supplies.price(state, coal, [])


def lay(state: State, player: str, link: str, events: list[Event]) -> None:
    """The link comes onto the board."""
    state.link[link] = player
    events.append({"event": "link_built", "link": link})


# Which moves there are


def canal_moves(state: State, reach: set[str]) -> Iterator[Move]:
    """Every canal: cards, then lines."""
    canals = (
        _free_lines(state, tables.CANAL, reach)
        if income.can_pay(state, state.acting, price(state, "canal", []))
        else ()
    )
    return cards.begun(state, "canal", ({"link": link} for link in canals))


def rails(state: State, action: str, reach: set[str]) -> Iterator[Move]:
    """The rails the acting player may build and pay: lines, then sources of their coal."""
    player, joined = state.acting, network.neighbours(state)
    if not income.can_pay(state, player, price(state, action, [])):
        return
    for link in _free_lines(state, tables.RAIL, reach):
        for coal in supplies.coal_ways(state, player, coal_ends(state, joined, link), 1):
            if income.can_pay(state, player, price(state, action, coal)):
                yield {"link": link, "coal": coal[0]}


def _free_lines(state: State, era: str, reach: set[str]) -> Iterator[str]:
    """The lines the acting player may build on, in their era."""
    for link in state.game.lines_of[era] if era == state.era else ():
        verdict = Verdict()
        _check_place(state, state.acting, link, reach, verdict)
        if not verdict.violated:
            yield link
