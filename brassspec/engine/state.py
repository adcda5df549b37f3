"""The state of a game as the engine works on it, read from and written as a plain position."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple, Self

from brassspec.engine import tables
from brassspec.engine.game import Game
from brassspec.engine.plain import Reader, list_of, map_of, name_in, number, stated, yes_or_no
from brassspec.formats import InputError, Position


class Tile(NamedTuple):
    """An industry tile on the board."""

    owner: str
    industry: str
    level: int
    flipped: bool
    cubes: int


# player -> industry -> level, as it is written -> number of tiles; what is none is left out. Never changed in place.
Tiles = dict[str, dict[str, dict[str, int]]]


def with_more(tiles: Tiles, player: str, industry: str, level: int, number: int) -> Tiles:
    """The tiles, with so many more of a kind."""
    stacks = tiles.get(player, {})
    levels = stacks.get(industry, {})
    levels = stated(levels | {str(level): levels.get(str(level), 0) + number})
    return stated(tiles | {player: stated(stacks | {industry: levels})})


class Variable(NamedTuple):
    """How a variable of a position is read and, as a copy of its own, written in canonical form."""

    read: Reader
    write: Callable[[Any], Any] = lambda value: value


class State:
    """Everything on the table that is there in all games; every player has an entry in every map by player."""

    def __init__(self, game: Game) -> None:
        """cz "Příprava hry", pl "PRZYGOTOWANIE GRACZY": the table before the order of play is known."""
        players = game.players
        self.game = game
        self.era = tables.CANAL
        self.round = 1
        self.phase = "start"
        self.order = list(players)
        self.turn = 1
        self.actions = 0
        self.pending = "none"
        self.tile: dict[str, Tile] = {}
        self.link: dict[str, str] = {}
        self.coal = game.coal_start
        self.iron = game.iron_start
        self.money = dict.fromkeys(players, game.money)
        self.spent = dict.fromkeys(players, 0)
        self.vp = dict.fromkeys(players, 0)
        self.income = dict(zip(players, game.income_start, strict=False))
        self.hand: dict[str, list[str]] = {player: [] for player in players}
        self.deck = pile(game.cards)
        self.discard: list[str] = []
        self.aside: list[str] = []
        self.stack: Tiles = {}
        self.gone: Tiles = {}
        self.owed = 0
        self.standing: dict[str, int] = {}
        for player in players:
            for (industry, level), kind in game.tiles.items():
                self.stack = with_more(self.stack, player, industry, level, kind.count)

    def copy(self) -> Self:
        """A state of its own, which may be changed."""
        other = copy(self)
        for name, value in vars(self).items():
            if type(value) in (dict, list):
                setattr(other, name, value.copy())
        other.hand = {player: hand.copy() for player, hand in self.hand.items()}
        return other

    @property
    def acting(self) -> str:
        """The player at `turn`."""
        return self.order[self.turn - 1]

    @property
    def stage(self) -> str:
        """What is waited for: the phase or, in it, what an action in progress waits for."""
        return self.pending if self.phase == "actions" else self.phase

    def kind_of(self, tile: Tile) -> tables.Kind:
        """What is printed on a tile on the board."""
        return self.game.tiles[tile.industry, tile.level]

    def owns(self, player: str, slot: str) -> bool:
        """Whether a tile of the player's stands on a space."""
        return slot in self.tile and self.tile[slot].owner == player

    def can_pay(self, player: str, price: int) -> bool:
        """Whether the money held suffices.

        A price of 0 can always be paid: nothing has to be, even where money has gone below £0 (shortfall_no_tiles=debt).
        """
        return price <= max(self.money[player], 0)

    def top(self, player: str, industry: str) -> int | None:
        """The level of the next tile of a player's stack, the lowest, or None if no tile is left in it."""
        return min(map(int, self.stack.get(player, {}).get(industry, ())), default=None)

    def unstack(self, player: str, industry: str) -> int:
        """Take the next tile from the player's stack: its level."""
        level = self.top(player, industry)
        assert level is not None, "build.stack or develop.stack holds"
        self.stack = with_more(self.stack, player, industry, level, -1)
        return level

    def retire(self, player: str, industry: str, level: int) -> None:
        """Put a tile out of the game."""
        self.gone = with_more(self.gone, player, industry, level, 1)

    def remove(self, slot: str) -> None:
        """Put a tile on the board out of the game, with the cubes on it."""
        tile = self.tile.pop(slot)
        self.retire(tile.owner, tile.industry, tile.level)

    def put(self, slot: str, tile: Tile) -> None:
        """Put a tile on the board."""
        self.tile[slot] = tile

    def lay(self, link: str, player: str) -> None:
        """Put a link on the board."""
        self.link[link] = player

    def throw(self, card: str) -> None:
        """cz "KROK Hraní karet": a card played goes to the discard pile."""
        self.discard.append(card)

    def close(self) -> None:
        """The action in progress is over."""
        self.pending = "none"
        self.actions -= 1

    # What differs between the games

    def may_close(self) -> bool:
        """Whether an action is in progress that may go on, but need not."""
        return self.pending not in ("none", "distant")

    def drawing(self) -> list[str]:
        """cz "KROK Doplnění karet na ruce": whose hands are filled, one after the other."""
        return self.order

    def falls_short(self, player: str) -> bool:
        """cz "KROK Příjem", pl "KONIEC RUNDY" 2: whether the money is short of the income owed."""
        return not self.can_pay(player, self.owed)

    def points_lost(self, player: str, owed: int) -> int:
        """r18 "negative_income_roxley": one a pound that cannot be paid, as far as there are any."""
        return min(owed, self.vp[player])

    def outlets(self) -> set[str]:
        """The places that a mine or the builder must be connected to, to trade with the coal market."""
        raise NotImplementedError

    def coal_is_at_hand(self, place: str, industry: str) -> bool:
        """Whether the market's coal needs no connection for an industry in a place."""
        return False

    def variables(self) -> dict[str, Variable]:
        """The variables of the game's positions."""
        game, players = self.game, self.game.players
        card = name_in(game.card_rank)
        hands = map_of(dict.fromkeys(players, list_of(card)))
        bag = Variable(list_of(name_in(game.cards)), self.in_card_order)
        stacks = {}
        for name in game.industries:
            counts = {level: kind.count for (industry, level), kind in game.tiles.items() if industry == name}
            stacks[name] = map_of({str(level): number(0, count) for level, count in counts.items()})
        tiles = Variable(map_of(dict.fromkeys(players, map_of(stacks))))
        return {
            "era": Variable(name_in(dict.fromkeys((tables.CANAL, game.last_era)))),
            "round": Variable(number(1, game.rounds)),
            "phase": Variable(name_in(game.phases)),
            "order": Variable(list_of(name_in(players)), list),
            "turn": Variable(number(1, len(players))),
            "actions": Variable(number(0, 2)),
            "pending": Variable(name_in(game.pending)),
            "tile": Variable(map_of(dict.fromkeys(game.slots, _tile_reader(game))), _write_tiles),
            "link": Variable(map_of(dict.fromkeys(game.lines, name_in(players))), in_order),
            "coal": Variable(number(0, len(game.coal_prices) - 1)),
            "iron": Variable(number(0, len(game.iron_prices) - 1)),
            "money": self.by_player(None if game.reads("shortfall_no_tiles", "debt") else 0),
            "spent": self.by_player(0),
            "vp": self.by_player(0),
            "income": self.by_player(0, len(game.income_of_space) - 1),
            "hand": Variable(
                lambda place, value: {player: [] for player in players} | hands(place, value),
                lambda hand: {player: self.in_card_order(cards) for player, cards in hand.items() if cards},
            ),
            **dict.fromkeys(("deck", "discard", "aside"), bag),
            **dict.fromkeys(("stack", "gone"), tiles),
            "owed": Variable(number(0, -game.income_of_space[0])),
            "standing": Variable(map_of(dict.fromkeys(players, number(1, len(players)))), dict),
        }

    def by_player(self, low: int | None, high: int | None = None) -> Variable:
        """A number of each player's, as it is read and written."""
        none = dict.fromkeys(self.game.players, 0)
        numbers = map_of(dict.fromkeys(self.game.players, number(low, high)))
        return Variable(lambda place, value: none | numbers(place, value), stated)

    def in_card_order(self, cards: list[str]) -> list[str]:
        """A bag of cards, as it is written."""
        return sorted(cards, key=self.game.card_rank.__getitem__)

    def complete(self, told: set[str]) -> None:
        """What a position that states only some variables leaves open; InputError if they contradict each other."""
        self.check_order()
        if (self.phase == "actions") != (self.actions > 0):
            raise InputError(f"state.actions: {self.actions} in phase {self.phase}; 1 or 2 in actions, 0 elsewhere")
        if self.phase != "actions" and self.pending != "none":
            raise InputError(f"state.pending: {self.pending} in phase {self.phase}; nothing is pending outside actions")
        if self.phase == "cleanup" and self.era == tables.RAIL:
            raise InputError(f"state.phase: no cleanup in the {self.era} era, the game's last")
        for variable, none in (("turn", 1), ("owed", 0), ("standing", {})):
            value = getattr(self, variable)
            if self.phase in ("order", "scoring", "cleanup") and value != none:
                raise InputError(f"state.{variable}: {value!r} in phase {self.phase}; {none!r} there")

    def check_order(self) -> None:
        """InputError on an order of play that is none."""
        if len(self.order) != len(self.game.players) or len(set(self.order)) != len(self.order):
            raise InputError(f"state.order: {self.order!r} does not name each player once")


def _tile_reader(game: Game) -> Reader:
    names = {"owner": name_in(game.players), "industry": name_in(game.industries)}
    readers = names | {"level": number(1), "flipped": yes_or_no, "cubes": number(0)}

    def read(place: str, value: Any) -> Tile:
        if type(value) is not dict or value.keys() != readers.keys():
            raise InputError(f"{place}: {value!r} is not a map of {', '.join(readers)}")
        tile = Tile(**{name: reader(f"{place}.{name}", value[name]) for name, reader in readers.items()})
        kind = game.tiles.get((tile.industry, tile.level))
        if kind is None:
            raise InputError(f"{place}.level: there is no {tile.industry} of level {tile.level}")
        number(0, kind.cubes)(f"{place}.cubes", tile.cubes)
        return tile

    return read


def _write_tiles(tiles: dict[str, Tile]) -> dict[str, Any]:
    return {slot: tile._asdict() for slot, tile in sorted(tiles.items())}


def pile(copies: dict[str, int]) -> list[str]:
    """So many copies of each card."""
    return [card for card, number in copies.items() for _ in range(number)]


def in_order(entries: dict[str, Any]) -> dict[str, Any]:
    """A map, as it is written."""
    return dict(sorted(entries.items()))


def write(variables: dict[str, Variable], state: State) -> Position:
    """The position in canonical form."""
    plain = {name: variable.write(getattr(state, name)) for name, variable in variables.items()}
    return Position(state.game.ruleset, len(state.game.players), plain)


def read(variables: dict[str, Variable], set_up: State, position: Position) -> State:
    """The state a position stands for; a variable left out is as in `set_up`, the state at set-up.

    InputError, naming the place, on anything out of bounds and on variables that contradict each other.
    """
    game = set_up.game
    edition = game.ruleset.split("+")[0]
    if position.ruleset.split("+")[0] != edition:
        raise InputError(f"ruleset: this engine plays {edition}, not {position.ruleset!r}")
    if position.players != len(game.players):
        raise InputError(f"players: this engine plays with {len(game.players)}, not {position.players!r}")
    state = set_up.copy()
    for name, value in position.state.items():
        if name not in variables:
            raise InputError(f"state.{name}: no such variable; there are {', '.join(variables)}")
        setattr(state, name, variables[name].read(f"state.{name}", value))
    state.complete(set(position.state))
    return state
