"""Building canals and rails."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import cards, coal_iron, money, network, tables
from brassspec.engine.state import State
from brassspec.engine.verdict import Verdict
from brassspec.formats import Event, Move

# What the rules require


def check_canal(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Výstavba průplavu/železnice", "Průplavy": £3, on a line marked for canals, in the canal era."""
    player, link = move["player"], move["link"]
    cards.check_held(state, player, [move["card"]], verdict)
    money.check_enough(state, player, tables.CANAL_PRICE, verdict)
    if state.era != tables.CANAL:
        verdict.violate("link.canal_era", "canals are for the canal era")
    if not state.game.edition.lines[link].canal:
        verdict.violate("link.canal_line", f"{link} is not marked for a canal")
    _check_line(state, player, link, touched(state, player), verdict)


def check_rail(state: State, move: Move, verdict: Verdict) -> None:
    """cz "AKCE Výstavba průplavu/železnice", "Železnice": £5 and a coal cube."""
    cards.check_held(state, move["player"], [move["card"]], verdict)
    _check_rail(state, move, tables.FIRST_RAIL_PRICE, verdict)


def check_second_rail(state: State, move: Move, verdict: Verdict) -> None:
    """cz "Železnice": two rails in one action cost £15, and need not touch."""
    if state.pending != "rail":
        verdict.violate("rail.second", "no first rail was just built")
    if _touches_first(state, move["link"]):
        verdict.violate("rail.apart", f"{move['link']} touches {state.first_rail}")
    _check_rail(state, move, tables.SECOND_RAIL_PRICE, verdict)


def _check_rail(state: State, move: Move, base: int, verdict: Verdict) -> None:
    player, link, source = move["player"], move["link"], move["coal"]
    ends = coal_ends(state, network.neighbours(state), link)
    coal_iron.check_coal(state, player, ends, [source], False, verdict)
    money.check_enough(state, player, base + coal_iron.market_price(state, state.coal, [source]), verdict)
    if state.era != tables.RAIL:
        verdict.violate("link.rail_era", "rails are for the rail era")
    if not state.game.edition.lines[link].rail:
        verdict.violate("link.rail_line", f"{link} is not marked for a rail")
    _check_line(state, player, link, touched(state, player), verdict)


def _check_line(state: State, player: str, link: str, reach: set[str], verdict: Verdict) -> None:
    """cz "Objasnění", "Komponenty": what canals and rails have in common; `reach` is where the player may join."""
    if link in state.link:
        verdict.violate("link.free", f"{link} is built")
    if not any(end in reach for end in state.game.edition.lines[link].ends):
        verdict.violate("link.network", f"{link} adjoins no tile and no link of {player}")
    if sum(owner == player for owner in state.link.values()) >= state.game.edition.link_tiles:
        verdict.violate("link.supply", f"{player} has no link left")


def touched(state: State, player: str) -> set[str]:
    """cz "AKCE Výstavba průplavu/železnice": the places a link of the player's may start from."""
    game = state.game
    reach = network.own_towns(state, player) | network.own_ends(state, player)
    if not reach and game.reads("first_link", "anywhere"):
        return {end for line in game.edition.lines.values() for end in line.ends}
    if game.reads("virtual_use", "built"):
        return reach | cards.virtual_ends(state, player)
    return reach


def _touches_first(state: State, link: str) -> bool:
    """Reading two_rails_apart=apart: whether a rail shares a place with the first one of the action.

    ro "Caile ferate": the two "NU trebuie sa fie construite in asa fel incat sa fie conectate una cu cealalta", taken as
    a ban: "must not touch". Connected to each other (una cu cealalta) are two rails that have an end in common; that
    other links join them, as they join most of what a player has, is not meant.
    """
    if state.first_rail is None or state.game.reads("two_rails_apart", "free"):
        return False
    lines = state.game.edition.lines
    return any(end in lines[state.first_rail].ends for end in lines[link].ends)


def coal_ends(state: State, joined: dict[str, list[str]], link: str) -> list[network.Distances]:
    """cz "Železnice": the distances from the ends the coal may come to, the new rail counting as built."""
    game = state.game
    one, other = game.edition.lines[link].ends
    new = (one, other) if game.reads("rail_coal_after", "after") else None
    if game.reads("rail_coal_end", "nearer_end"):
        return [network.distances(joined, [one, other], new)]
    return [network.distances(joined, [one], new), network.distances(joined, [other], new)]


# What happens


def canal(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Výstavba průplavu/železnice": one canal an action."""
    player, link = move["player"], move["link"]
    # card
    cards.play(state, player, move["card"], events)
    # place: the line is named by the move
    # pay
    events.extend(money.pay(state, player, tables.CANAL_PRICE))
    # consume: nothing
    # board
    _lay(state, player, link, events)
    # flip: nothing
    # income: nothing
    # discard
    cards.discard(state, move["card"])
    state.actions -= 1


def rail(state: State, move: Move, events: list[Event]) -> None:
    """cz "AKCE Výstavba průplavu/železnice": the first rail of an action; a second may follow."""
    # card
    cards.play(state, move["player"], move["card"], events)
    # place, pay, consume, board, flip, income
    _build_rail(state, move, tables.FIRST_RAIL_PRICE, events)
    # discard
    cards.discard(state, move["card"])
    state.pending = "rail"
    state.first_rail = move["link"]


def second_rail(state: State, move: Move, events: list[Event]) -> None:
    """cz "Železnice": the second rail of an action."""
    # card: the one played for the first rail
    # place, pay, consume, board, flip, income
    _build_rail(state, move, tables.SECOND_RAIL_PRICE, events)
    # discard: nothing
    state.pending = "none"
    state.first_rail = None
    state.actions -= 1


def _build_rail(state: State, move: Move, base: int, events: list[Event]) -> None:
    player, source = move["player"], move["coal"]
    # place: the line is named by the move
    # pay: before the cube goes, told after it
    paid = money.pay(state, player, base + coal_iron.market_price(state, state.coal, [source]))
    # consume; flip and income of a mine emptied by it
    coal_iron.take_coal(state, source, events)
    events.extend(paid)
    # board
    _lay(state, player, move["link"], events)


def _lay(state: State, player: str, link: str, events: list[Event]) -> None:
    state.link[link] = player
    events.append({"event": "link_built", "link": link})


# Which moves there are


def canal_moves(state: State) -> Iterator[Move]:
    """Every canal: cards, then lines."""
    player = state.acting
    if state.era != tables.CANAL or state.money[player] < tables.CANAL_PRICE:
        return
    reach = touched(state, player)
    links = []
    for link, line in state.game.edition.lines.items():
        verdict = Verdict()
        _check_line(state, player, link, reach, verdict)
        if line.canal and not verdict.violated:
            links.append(link)
    for card in cards.distinct(state.hand[player]):
        for link in links:
            yield {"action": "canal", "player": player, "card": card, "link": link}


def rail_moves(state: State) -> Iterator[Move]:
    """Every first rail: cards, then lines, then sources."""
    player = state.acting
    rails = list(_rails(state, tables.FIRST_RAIL_PRICE))
    for card in cards.distinct(state.hand[player]):
        for link, source in rails:
            yield {"action": "rail", "player": player, "card": card, "link": link, "coal": source}


def second_rail_moves(state: State) -> Iterator[Move]:
    """Every second rail: lines, then sources."""
    for link, source in _rails(state, tables.SECOND_RAIL_PRICE):
        if not _touches_first(state, link):
            yield {"action": "second_rail", "player": state.acting, "link": link, "coal": source}


def _rails(state: State, base: int) -> Iterator[tuple[str, str]]:
    """The rails the acting player may build and pay, with the source of their coal."""
    player = state.acting
    if state.era != tables.RAIL or state.money[player] < base:
        return
    reach = touched(state, player)
    joined = network.neighbours(state)
    for link, line in state.game.edition.lines.items():
        verdict = Verdict()
        _check_line(state, player, link, reach, verdict)
        if not line.rail or verdict.violated:
            continue
        for source in coal_iron.coal_sources(state, player, coal_ends(state, joined, link), False):
            if base + coal_iron.market_price(state, state.coal, [source]) <= state.money[player]:
                yield link, source
