"""The state of a game as the engine works on it, read from and written as a plain position."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self

from brassspec.engine import tables
from brassspec.engine.game import Game
from brassspec.engine.plain import Reader, bag_of, map_of, map_of_all, name_in, number, yes_or_no
from brassspec.formats import InputError, Plain, Position

# player -> industry -> level -> number of tiles; a level without tiles is left out
Tiles = dict[str, dict[str, dict[int, int]]]


@dataclass(slots=True)
class Tile:
    """An industry tile on the board."""

    owner: str
    industry: str
    level: int
    flipped: bool
    cubes: int


@dataclass(kw_only=True)
class State:
    """Everything on the table that is there in all games; every player has an entry in every map by player."""

    game: Game
    era: str = tables.CANAL
    round: int = 1
    phase: str = "start"
    order: list[str]
    seated: int = 0  # 2018, while the order of play is drawn: how many places of it are
    turn: int = 1
    actions: int = 0
    pending: str = "none"
    tile: dict[str, Tile] = field(default_factory=dict)
    link: dict[str, str] = field(default_factory=dict)
    coal: int
    iron: int
    money: dict[str, int]
    spent: dict[str, int]
    vp: dict[str, int]
    income: dict[str, int]
    hand: dict[str, list[str]]
    deck: list[str]
    discard: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    stack: Tiles
    gone: Tiles
    owed: int = 0
    standing: dict[str, int] = field(default_factory=dict)

    @classmethod
    def set_up(cls, game: Game, **own: Any) -> Self:
        """cz "Příprava hry", pl "PRZYGOTOWANIE GRACZY": the table before the order of play is known."""
        stack = no_tiles(game)
        for (industry, level), kind in game.tiles.items():
            for player in game.players:
                stack[player][industry][level] = kind.count
        return cls(
            game=game,
            order=list(game.players),
            coal=game.coal_start,
            iron=game.iron_start,
            money=dict.fromkeys(game.players, game.money),
            spent=dict.fromkeys(game.players, 0),
            vp=dict.fromkeys(game.players, 0),
            income=game.income_start.copy(),
            hand={player: [] for player in game.players},
            deck=pile(game.cards),
            stack=stack,
            gone=no_tiles(game),
            **own,
        )

    def copy(self) -> Self:
        """A state of its own, which may be changed."""
        other = copy(self)
        for name in COPIED:
            setattr(other, name, getattr(self, name).copy())
        other.tile = {slot: copy(tile) for slot, tile in self.tile.items()}
        other.hand = {player: hand.copy() for player, hand in self.hand.items()}
        for name in ("stack", "gone"):
            tiles: Tiles = getattr(self, name)
            setattr(
                other,
                name,
                {
                    player: {industry: levels.copy() for industry, levels in stacks.items()}
                    for player, stacks in tiles.items()
                },
            )
        return other

    @property
    def acting(self) -> str:
        """The player at `turn`."""
        return self.order[self.turn - 1]

    def kind_of(self, tile: Tile) -> tables.Kind:
        """What is printed on a tile on the board."""
        return self.game.tiles[tile.industry, tile.level]

    def top(self, player: str, industry: str) -> int | None:
        """The level of the next tile of a player's stack, the lowest, or None if no tile is left in it."""
        return min(self.stack[player][industry], default=None)

    def unstack(self, player: str, industry: str) -> int:
        """Take the next tile from the player's stack: its level."""
        level = self.top(player, industry)
        assert level is not None, "build.stack or develop.stack holds"
        left = self.stack[player][industry]
        left[level] -= 1
        if not left[level]:
            del left[level]
        return level

    def retire(self, player: str, industry: str, level: int) -> None:
        """Put a tile out of the game."""
        gone = self.gone[player][industry]
        gone[level] = gone.get(level, 0) + 1

    def remove(self, slot: str) -> None:
        """Put a tile on the board out of the game, with the cubes on it."""
        tile = self.tile.pop(slot)
        self.retire(tile.owner, tile.industry, tile.level)

    def throw(self, card: str) -> None:
        """cz "KROK Hraní karet": a card played goes to the discard pile."""
        self.discard.append(card)

    def close(self) -> None:
        """The action in progress is over."""
        self.pending = "none"
        self.actions -= 1

    def may_close(self) -> bool:
        """Whether an action is in progress that may go on, but need not."""
        raise NotImplementedError

    def outlets(self) -> set[str]:
        """The places that a mine or the builder must be connected to, to trade with the coal market."""
        raise NotImplementedError

    def coal_is_at_hand(self, slot: str, industry: str) -> bool:
        """Whether the market's coal needs no connection for an industry in a space."""
        return False

    def own_variables(self) -> Plain:
        """The variables of this game alone, as they are written."""
        raise NotImplementedError


# The variables that are lists or maps of one level, besides those of a game alone.
COPIED = ["order", "link", "money", "spent", "vp", "income", "deck", "discard", "aside", "standing"]


def no_tiles(game: Game) -> Tiles:
    """An empty place for each player's tiles."""
    return {player: {industry: {} for industry in game.industries} for player in game.players}


def pile(copies: dict[str, int]) -> list[str]:
    """So many copies of each card."""
    return [card for card, number in copies.items() for _ in range(number)]


# Writing


def write(state: State) -> Position:
    """The position in canonical form."""
    game = state.game
    plain = {
        "era": state.era,
        "round": state.round,
        "phase": state.phase,
        "order": state.order.copy(),
        "turn": state.turn,
        "actions": state.actions,
        "pending": state.pending,
        "tile": {slot: _write_tile(tile) for slot, tile in sorted(state.tile.items())},
        "link": dict(sorted(state.link.items())),
        "coal": state.coal,
        "iron": state.iron,
        "money": without_zeros(state.money),
        "spent": without_zeros(state.spent),
        "vp": without_zeros(state.vp),
        "income": without_zeros(state.income),
        "hand": {player: in_card_order(game, hand) for player, hand in state.hand.items() if hand},
        "deck": in_card_order(game, state.deck),
        "discard": in_card_order(game, state.discard),
        "aside": in_card_order(game, state.aside),
        "stack": _write_tiles(state.stack),
        "gone": _write_tiles(state.gone),
        "owed": state.owed,
        "standing": without_zeros(state.standing),
        **state.own_variables(),
    }
    if game.year == 2018:
        plain["seated"] = state.seated
    return Position(game.ruleset, len(game.players), plain)


def in_card_order(game: Game, cards: list[str]) -> list[str]:
    """A bag of cards, as it is written."""
    return sorted(cards, key=game.card_rank.__getitem__)


def without_zeros(numbers: dict[str, int]) -> Plain:
    """A map to numbers, as it is written."""
    return {name: number for name, number in numbers.items() if number}


def _write_tile(tile: Tile) -> Plain:
    return {
        "owner": tile.owner,
        "industry": tile.industry,
        "level": tile.level,
        "flipped": tile.flipped,
        "cubes": tile.cubes,
    }


def _write_tiles(tiles: Tiles) -> Plain:
    plain: Plain = {}
    for player, stacks in tiles.items():
        kept = {
            industry: {str(level): number for level, number in levels.items()}
            for industry, levels in stacks.items()
            if levels
        }
        if kept:
            plain[player] = kept
    return plain


# Reading


def readers(game: Game) -> dict[str, Reader]:
    """The variables that all games have, and what reads each."""
    players = game.players
    pounds = map_of_all(players, number(0), int)
    bag = bag_of(game.cards)
    tiles = _tiles_reader(game)
    money = number(None if game.reads("shortfall_no_tiles", "debt") else 0)
    vp = number(None if game.reads("vp_floor", "none") else 0)
    seated = {"seated": number(0, len(players) - 1)} if game.year == 2018 else {}
    return seated | {
        "era": name_in((tables.CANAL,) if game.last_era == tables.CANAL else (tables.CANAL, tables.RAIL)),
        "round": number(1, game.rounds),
        "phase": name_in(game.phases),
        "order": bag_of(players),
        "turn": number(1, len(players)),
        "actions": number(0, 2),
        "pending": name_in(game.pending),
        "tile": map_of(game.slots, _tile_reader(game)),
        "link": map_of(game.lines, name_in(players)),
        "coal": number(0, len(game.coal_prices) - 1),
        "iron": number(0, len(game.iron_prices) - 1),
        "money": map_of_all(players, money, int),
        "spent": pounds,
        "vp": map_of_all(players, vp, int),
        "income": map_of_all(players, number(0, len(game.income_of_space) - 1), int),
        "hand": map_of_all(players, bag_of(game.card_rank), list),
        "deck": bag,
        "discard": bag,
        "aside": bag,
        "stack": tiles,
        "gone": tiles,
        "owed": number(0, -game.income_of_space[0]),
        "standing": map_of(players, number(1, len(players))),
    }


def _tile_reader(game: Game) -> Reader:
    fields = {
        "owner": name_in(game.players),
        "industry": name_in(game.industries),
        "level": number(1),
        "flipped": yes_or_no,
        "cubes": number(0),
    }

    def read(place: str, value: Any) -> Tile:
        if type(value) is not dict or value.keys() != fields.keys():
            raise InputError(f"{place}: {value!r} is not a map of {', '.join(fields)}")
        tile = Tile(*[reader(f"{place}.{name}", value[name]) for name, reader in fields.items()])
        kind = game.tiles.get((tile.industry, tile.level))
        if kind is None:
            raise InputError(f"{place}.level: there is no {tile.industry} of level {tile.level}")
        number(0, kind.cubes)(f"{place}.cubes", tile.cubes)
        return tile

    return read


def _tiles_reader(game: Game) -> Reader:
    levels_of: dict[str, dict[str, tuple[int, int]]] = {industry: {} for industry in game.industries}
    for (industry, level), kind in game.tiles.items():
        levels_of[industry][str(level)] = level, kind.count

    def read_stack(place: str, industry: str, value: Any) -> dict[int, int]:
        if type(value) is not dict:
            raise InputError(f"{place}: {value!r} is not a map")
        stack = {}
        for name, tiles in value.items():
            if name not in levels_of[industry]:
                raise InputError(f"{place}: there is no {industry} of level {name!r}")
            level, count = levels_of[industry][name]
            if type(tiles) is not int or not 0 <= tiles <= count:
                raise InputError(f"{place}.{name}: {tiles!r} is not a whole number from 0 to {count}")
            if tiles:
                stack[level] = tiles
        return stack

    by_industry = map_of(game.industries, lambda place, value: value)
    by_player = map_of(game.players, by_industry)

    def read(place: str, value: Any) -> Tiles:
        tiles = no_tiles(game)
        for player, stacks in by_player(place, value).items():
            for industry, stack in stacks.items():
                tiles[player][industry] = read_stack(f"{place}.{player}.{industry}", industry, stack)
        return tiles

    return read


def read(known: dict[str, Reader], set_up: State, position: Position) -> State:
    """The state a position stands for; a variable left out is as in `set_up`, the state at set-up.

    InputError, naming the place, on anything out of bounds and on variables that contradict each other.
    """
    game = set_up.game
    if position.ruleset.split("+")[0] != game.edition:
        raise InputError(f"ruleset: this engine plays {game.edition}, not {position.ruleset!r}")
    if position.players != len(game.players):
        raise InputError(f"players: this engine plays with {len(game.players)}, not {position.players!r}")
    # Usually every variable is stated: then nothing of the set-up is kept that would have to be copied.
    state = copy(set_up) if position.state.keys() == known.keys() else set_up.copy()
    for variable, value in position.state.items():
        if variable not in known:
            raise InputError(f"state.{variable}: no such variable; there are {', '.join(known)}")
        setattr(state, variable, known[variable](f"state.{variable}", value))
    _check_coherent(state)
    return state


def _check_coherent(state: State) -> None:
    """Variables that only mean something together."""
    if len(state.order) != len(state.game.players) or len(set(state.order)) != len(state.order):
        raise InputError(f"state.order: {state.order!r} does not name each player once")
    if state.seated and state.phase != "start":
        raise InputError(f"state.seated: {state.seated} in phase {state.phase}; places are drawn in start only")
    if (state.phase == "actions") != (state.actions > 0):
        raise InputError(f"state.actions: {state.actions} in phase {state.phase}; 1 or 2 in actions, 0 elsewhere")
    if state.phase != "actions" and state.pending != "none":
        raise InputError(f"state.pending: {state.pending} in phase {state.phase}; nothing is pending outside actions")
