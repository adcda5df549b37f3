"""What Birmingham has on the table besides: merchants, their barrels, and wild cards; and no more pieces than there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Self

from brassspec.engine import state
from brassspec.engine.birmingham import tables
from brassspec.engine.birmingham.readings import Birmingham
from brassspec.engine.plain import Reader, bag_of, map_of, name_in, names_marked, number
from brassspec.engine.state import in_card_order, pile, without_zeros
from brassspec.formats import InputError, Plain, Position


@dataclass(kw_only=True)
class State(state.State):
    """Everything on the table."""

    game: Birmingham
    bonuses: int = 0  # Gloucester's tiles due; not in every position, see _tells_bonuses
    merchant: dict[str, str] = field(default_factory=dict)
    barrel: dict[str, int]
    wilds: list[str]
    placed: set[str] = field(default_factory=set)

    def copy(self) -> Self:
        """A state of its own, which may be changed."""
        other = super().copy()
        other.merchant = self.merchant.copy()
        other.barrel = self.barrel.copy()
        other.wilds = self.wilds.copy()
        other.placed = self.placed.copy()
        return other

    def throw(self, card: str) -> None:
        """pl "Karta joker": a wild card goes back to its draw area, any other to the player's pile."""
        (self.wilds if card in tables.WILDS else self.discard).append(card)

    def close(self) -> None:
        """The action in progress is over; of a sale that owes Gloucester's bonus only that one, taken or not."""
        if self.pending == "bonus":
            self.bonuses -= 1
            self.pending = "bonus" if self.bonuses else "sale"
        else:
            super().close()

    def may_close(self) -> bool:
        """fi "Myy", pl "ROZWÓJ" 2: whoever may go on need not; only Gloucester's tile must be developed."""
        if self.pending == "bonus":
            return self.game.reads("bonus_develop", "may")
        return self.pending != "none"

    def outlets(self) -> set[str]:
        """pl "WĘGIEL": the merchants' places, with tiles or without."""
        return set(self.game.merchant_place.values())

    def own_variables(self) -> Plain:
        """The variables of this game alone, as they are written."""
        bonuses = {"bonuses": self.bonuses} if _tells_bonuses(self.game) else {}
        return bonuses | {
            "merchant": dict(sorted(self.merchant.items())),
            "barrel": without_zeros(self.barrel),
            "wilds": in_card_order(self.game, self.wilds),
            "placed": dict.fromkeys(sorted(self.placed), True),
        }


def set_up(game: Birmingham) -> State:
    """pl "PRZYGOTOWANIE GRY": the table before the order of play is drawn."""
    return State.set_up(game, barrel=dict.fromkeys(game.merchant_place, 0), wilds=pile(game.wilds))


def _tells_bonuses(game: Birmingham) -> bool:
    """Whether positions have the variable `bonuses`: only where a sale may use two barrels of one merchant."""
    return game.reads("one_merchant_barrel", "any")


def readers(game: Birmingham) -> dict[str, Reader]:
    """The variables of the game's positions, and what reads each."""
    spaces = game.merchant_spaces
    barrels = map_of(spaces, number(0, 1))
    none = dict.fromkeys(game.merchant_place, 0)
    bonuses = {"bonuses": number(0, 2)} if _tells_bonuses(game) else {}
    return (
        state.readers(game)
        | bonuses
        | {
            "merchant": map_of(spaces, name_in(tables.BUYS)),
            "barrel": lambda place, value: none | barrels(place, value),
            "wilds": bag_of(game.wilds),
            "placed": names_marked(game.players),
        }
    )


def complete(state: State, position: Position) -> None:
    """Of variables that are left out `stack`, `deck` and `wilds` are what the others leave of it.

    InputError on more pieces than there are, and on variables that contradict each other. Fewer pieces are allowed, since
    a position may state only what matters.
    """
    if not _tells_bonuses(state.game):
        state.bonuses = 1 if state.pending == "bonus" else 0
    _count_tiles(state, "stack" in position.state)
    _count_cards(state, "deck" in position.state, "wilds" in position.state)
    _count_merchants(state)
    _check_coherent(state)


def _count_tiles(state: State, told: bool) -> None:
    game = state.game
    on_board = Counter((tile.owner, tile.industry, tile.level) for tile in state.tile.values())
    for (industry, level), kind in game.tiles.items():
        for player in game.players:
            stack = state.stack[player][industry]
            used = state.gone[player][industry].get(level, 0) + on_board[player, industry, level]
            if not told and used:
                stack[level] = max(kind.count - used, 0)
                if not stack[level]:
                    del stack[level]
            tiles = used + stack.get(level, 0)
            if tiles > kind.count:
                place = f"state.stack.{player}.{industry}.{level}"
                raise InputError(f"{place}: {kind.count} such tiles, in stack and gone and on the board, not {tiles}")
    for player, links in Counter(state.link.values()).items():
        if links > game.link_tiles and game.reads("link_limit", "limit"):
            raise InputError(f"state.link: {player} has {links} links, more than {game.link_tiles}")


def _count_cards(state: State, deck_told: bool, wilds_told: bool) -> None:
    game = state.game
    used = Counter([*state.discard, *state.aside, *(card for hand in state.hand.values() for card in hand)])
    if not deck_told:
        state.deck = pile({card: copies - used[card] for card, copies in game.cards.items()})
    if not wilds_told:
        state.wilds = pile({card: copies - used[card] for card, copies in game.wilds.items()})
    used.update(state.deck)
    used.update(state.wilds)
    for place, there in (("deck", game.cards), ("wilds", game.wilds)):
        for card, copies in there.items():
            if used[card] > copies:
                raise InputError(f"state.{place}: {copies} cards {card}, in all piles and hands, not {used[card]}")


def _count_merchants(state: State) -> None:
    for tile, tiles in Counter(state.merchant.values()).items():
        there = state.game.merchant_tiles.count(tile)
        if tiles > there:
            raise InputError(f"state.merchant: {there} tiles {tile}, not {tiles}")
    for space, barrels in state.barrel.items():
        if barrels and state.merchant.get(space, tables.BLANK) == tables.BLANK:
            raise InputError(f"state.barrel.{space}: no barrel lies where no merchant tile buys")


def _check_coherent(state: State) -> None:
    for variable, phase in (("owed", "income"), ("standing", "over")):
        value = getattr(state, variable)
        if (state.phase == phase) != bool(value):
            raise InputError(f"state.{variable}: {value!r} in phase {state.phase}; it goes with {phase} and no other")
    if (state.pending == "bonus") != (state.bonuses > 0):
        raise InputError(f"state.bonuses: {state.bonuses} while {state.pending} is pending; 1 or 2 with bonus, else 0")
    if state.turn > 1 and state.phase not in ("actions", "refill", "income"):
        raise InputError(f"state.turn: {state.turn} in phase {state.phase}; 1 there")
