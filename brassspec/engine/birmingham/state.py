"""What Birmingham has on the table besides: merchants, their barrels, and wild cards; and no more pieces than there are."""

from __future__ import annotations

from collections import Counter

from brassspec.engine import edition_2018, income, state
from brassspec.engine.birmingham import tables
from brassspec.engine.plain import list_of, map_of, name_in, number, stated, yes_or_no
from brassspec.engine.state import Variable, in_order, pile, with_more
from brassspec.formats import InputError


class State(edition_2018.State):
    """Everything on the table."""

    game: tables.Birmingham

    def __init__(self, game: tables.Birmingham) -> None:
        """pl "PRZYGOTOWANIE GRY": the table before the order of play is drawn."""
        super().__init__(game)
        self.bonuses = 0  # Gloucester's tiles due; told only where a sale may use two barrels of one merchant
        self.merchant: dict[str, str] = {}
        self.barrel = dict.fromkeys(game.merchant_place, 0)
        self.wilds = pile(game.wilds)
        self.placed: dict[str, bool] = {}  # player: True

    def put(self, slot: str, tile: state.Tile) -> None:
        """Put a tile on the board: a brewery with the barrels of the era."""
        brews = tile.industry == tables.BREWERY
        super().put(slot, tile._replace(cubes=tables.BARRELS[self.era]) if brews else tile)
        self.placed[tile.owner] = True

    def lay(self, link: str, player: str) -> None:
        """Put a link on the board."""
        super().lay(link, player)
        self.placed[player] = True

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
        return super().may_close() and (self.pending != "bonus" or self.game.reads("bonus_develop", "may"))

    def outlets(self) -> set[str]:
        """pl "WĘGIEL": the merchants' places, with tiles or without."""
        return set(self.game.merchant_place.values())

    def kind_of(self, tile: state.Tile) -> tables.Kind:
        """What is printed on a tile on the board."""
        return self.game.tiles[tile.industry, tile.level]

    def falls_short(self, player: str) -> bool:
        """pl "KONIEC RUNDY" 2: the money is short, and a tile can help, or is there at all (shortfall_zero_tile=goes)."""
        own = [slot for slot, tile in self.tile.items() if tile.owner == player]
        worthless_too = self.game.reads("shortfall_zero_tile", "goes")
        return super().falls_short(player) and any(worthless_too or income.value(self, slot) for slot in own)

    def points_lost(self, player: str, owed: int) -> int:
        """Reading vp_floor=none: victory points go below 0."""
        return owed if self.game.reads("vp_floor", "none") else super().points_lost(player, owed)

    def variables(self) -> dict[str, Variable]:
        """The variables of the game's positions."""
        game, none = self.game, self.barrel
        barrels = map_of(dict.fromkeys(game.merchant_spaces, number(0, 1)))
        own = {
            "merchant": Variable(map_of(dict.fromkeys(game.merchant_spaces, name_in(tables.BUYS))), in_order),
            "barrel": Variable(lambda place, value: none | barrels(place, value), stated),
            "wilds": Variable(list_of(name_in(game.wilds)), self.in_card_order),
            "placed": Variable(map_of(dict.fromkeys(game.players, yes_or_no)), in_order),
        }
        if game.reads("one_merchant_barrel", "any"):
            own["bonuses"] = Variable(number(0, 2))
        if game.reads("vp_floor", "none"):
            own["vp"] = self.by_player(None)
        return super().variables() | own

    def complete(self, told: set[str]) -> None:
        """Of variables that are left out `stack`, `deck` and `wilds` are what the others leave of it.

        InputError on more pieces than there are, and on variables that contradict each other. Fewer pieces are allowed,
        since a position may state only what matters.
        """
        super().complete(told)
        if self.game.reads("one_merchant_barrel", "one"):
            self.bonuses = 1 if self.pending == "bonus" else 0
        _count_tiles(self, "stack" in told)
        _count_cards(self, "deck" in told, "wilds" in told)
        _count_merchants(self)
        _check_coherent(self)


def _count_tiles(state: State, told: bool) -> None:
    game = state.game
    on_board = Counter((tile.owner, tile.industry, tile.level) for tile in state.tile.values())
    for player in game.players:
        stacks, gone = state.stack.get(player, {}), state.gone.get(player, {})
        for (industry, level), kind in game.tiles.items():
            name = str(level)
            used = gone.get(industry, {}).get(name, 0) + on_board[player, industry, level]
            stacked = stacks.get(industry, {}).get(name, 0)
            if used and not told:
                stacked -= min(used, kind.count)
                state.stack = with_more(state.stack, player, industry, level, -min(used, kind.count))
            if used + stacked > kind.count:
                place = f"state.stack.{player}.{industry}.{level}"
                tiles = f"{kind.count} such tiles, in stack and gone and on the board, not {used + stacked}"
                raise InputError(f"{place}: {tiles}")
    for player, links in Counter(state.link.values()).items():
        if links > game.link_tiles:
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
    for variable, phase, always in (("owed", "income", False), ("standing", "over", True)):
        value = getattr(state, variable)
        if (value and state.phase != phase) or (always and not value and state.phase == phase):
            raise InputError(f"state.{variable}: {value!r} in phase {state.phase}; it goes with {phase} and no other")
    if (state.pending == "bonus") != (state.bonuses > 0):
        raise InputError(f"state.bonuses: {state.bonuses} while {state.pending} is pending; 1 or 2 with bonus, else 0")
    if state.turn > 1 and state.phase not in ("actions", "refill", "income"):
        raise InputError(f"state.turn: {state.turn} in phase {state.phase}; 1 there")
