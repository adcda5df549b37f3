"""The state of a game as the engine works on it, read from and written as a plain position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from brassspec.engine import tables
from brassspec.engine.readings import Game
from brassspec.formats import InputError, Plain, Position

RESTING_PHASES = ("start", "deal", "set_aside", "income", "actions", "refill", "over")
PENDING = ("none", "rail", "sale", "develop", "distant")

CARD_RANK = {card: rank for rank, card in enumerate(tables.CARDS)}

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


@dataclass(slots=True)
class State:
    """Everything on the table; every player has an entry in every map by player."""

    game: Game
    era: str
    round: int
    phase: str
    order: list[str]
    turn: int
    actions: int
    pending: str
    selling: str | None
    first_rail: str | None  # of the action in progress; not in every position, see _tells_first_rail
    tile: dict[str, Tile]
    link: dict[str, str]
    coal: int
    iron: int
    demand: int
    distant: list[int]
    turned: list[int]
    money: dict[str, int]
    spent: dict[str, int]
    vp: dict[str, int]
    income: dict[str, int]
    hand: dict[str, list[str]]
    deck: list[str]
    discard: list[str]
    aside: list[str]
    stack: Tiles
    gone: Tiles
    built: set[str]
    owed: int
    standing: dict[str, int]

    @property
    def acting(self) -> str:
        """The player at `turn`."""
        return self.order[self.turn - 1]

    def kind(self, industry: str, level: int) -> tables.Kind:
        """What is printed on the tiles of an industry and level."""
        return self.game.edition.tiles[industry, level]

    def kind_of(self, tile: Tile) -> tables.Kind:
        """What is printed on a tile on the board."""
        return self.kind(tile.industry, tile.level)

    def top(self, player: str, industry: str) -> int | None:
        """The level of the top tile of a stack, or None if no tile is left in it."""
        return min(self.stack[player][industry], default=None)

    def unstack(self, player: str, industry: str, level: int) -> None:
        """Take a tile from the player's stack."""
        left = self.stack[player][industry]
        left[level] -= 1
        if not left[level]:
            del left[level]

    def retire(self, player: str, industry: str, level: int) -> None:
        """Put a tile out of the game."""
        gone = self.gone[player][industry]
        gone[level] = gone.get(level, 0) + 1


def set_up(game: Game) -> State:
    """cz "Příprava hry": the table before the starting player is known."""
    edition = game.edition
    named = game.reads("income_start", "zero")
    return State(
        game=game,
        era=tables.CANAL,
        round=1,
        phase="start",
        order=list(game.players),
        turn=1,
        actions=0,
        pending="none",
        selling=None,
        first_rail=None,
        tile={},
        link={},
        coal=edition.track_start,
        iron=edition.track_start,
        demand=0,
        distant=list(edition.distant),
        turned=[],
        money=dict.fromkeys(game.players, edition.money),
        spent=dict.fromkeys(game.players, 0),
        vp=dict.fromkeys(game.players, 0),
        income={player: edition.income_start[player] if named else 0 for player in game.players},
        hand={player: [] for player in game.players},
        deck=[card for card, copies in edition.cards.items() for _ in range(copies)],
        discard=[],
        aside=[],
        stack=_full_stacks(game),
        gone=_no_tiles(game),
        built=set(),
        owed=0,
        standing={},
    )


def _no_tiles(game: Game) -> Tiles:
    return {player: {industry: {} for industry in tables.INDUSTRIES} for player in game.players}


def _full_stacks(game: Game) -> Tiles:
    stacks = _no_tiles(game)
    for (industry, level), kind in game.edition.tiles.items():
        for player in game.players:
            stacks[player][industry][level] = kind.count
    return stacks


# Writing


def write(state: State) -> Position:
    """The position in canonical form."""
    plain: Plain = {
        "era": state.era,
        "round": state.round,
        "phase": state.phase,
        "order": list(state.order),
        "turn": state.turn,
        "actions": state.actions,
        "pending": state.pending,
        "selling": state.selling,
        "tile": {slot: _write_tile(tile) for slot, tile in sorted(state.tile.items())},
        "link": dict(sorted(state.link.items())),
        "coal": state.coal,
        "iron": state.iron,
        "demand": state.demand,
        "distant": sorted(state.distant),
        "turned": sorted(state.turned),
        "money": _write_numbers(state.money),
        "spent": _write_numbers(state.spent),
        "vp": _write_numbers(state.vp),
        "income": _write_numbers(state.income),
        "hand": {player: _write_bag(hand) for player, hand in state.hand.items() if hand},
        "deck": _write_bag(state.deck),
        "discard": _write_bag(state.discard),
        "aside": _write_bag(state.aside),
        "stack": _write_tiles(state.stack),
        "gone": _write_tiles(state.gone),
        "built": {player: True for player in state.game.players if player in state.built},
        "owed": state.owed,
        "standing": _write_numbers(state.standing),
    }
    if _tells_first_rail(state.game):
        plain["first_rail"] = state.first_rail
    return Position(state.game.ruleset, len(state.game.players), plain)


def _tells_first_rail(game: Game) -> bool:
    """Whether positions have the variable `first_rail`: only what the second rail must keep apart from is told."""
    return game.reads("two_rails_apart", "apart")


def _write_tile(tile: Tile) -> Plain:
    return {
        "owner": tile.owner,
        "industry": tile.industry,
        "level": tile.level,
        "flipped": tile.flipped,
        "cubes": tile.cubes,
    }


def _write_numbers(numbers: dict[str, int]) -> Plain:
    return {player: number for player, number in numbers.items() if number}


def _write_bag(cards: list[str]) -> list[str]:
    return sorted(cards, key=CARD_RANK.__getitem__)


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


def read(game: Game, position: Position) -> State:
    """The state a position stands for; a variable left out is as at set-up."""
    if position.ruleset.split("+")[0] != game.edition.name:
        raise InputError(f"ruleset: this engine plays {game.edition.name}, not {position.ruleset!r}")
    if position.players != len(game.players):
        raise InputError(f"players: this engine plays with {len(game.players)}, not {position.players!r}")
    state = set_up(game)
    readers = _READERS | ({"first_rail": _read_first_rail} if _tells_first_rail(game) else {})
    for variable, value in position.state.items():
        reader = readers.get(variable)
        if reader is None:
            raise InputError(f"state.{variable}: no such variable; there are {', '.join(readers)}")
        setattr(state, variable, reader(game, f"state.{variable}", value))
    _check_coherent(state)
    return state


def _check_coherent(state: State) -> None:
    """Variables that only mean something together."""
    if (state.phase == "actions") != (state.actions > 0):
        raise InputError(f"state.actions: {state.actions} in phase {state.phase}; 1 or 2 in actions, 0 elsewhere")
    if state.phase != "actions" and state.pending != "none":
        raise InputError(f"state.pending: {state.pending} in phase {state.phase}; nothing is pending outside actions")
    if (state.pending == "distant") != (state.selling is not None):
        raise InputError(f"state.selling: {state.selling!r} while {state.pending} is pending; a mill goes with distant")
    if state.selling is not None and state.selling not in state.tile:
        raise InputError(f"state.selling: no tile at {state.selling}")
    if _tells_first_rail(state.game):
        if (state.pending == "rail") != (state.first_rail is not None):
            raise InputError(f"state.first_rail: {state.first_rail!r} while {state.pending} is pending; rail needs it")
        if state.first_rail is not None and state.first_rail not in state.link:
            raise InputError(f"state.first_rail: no link on {state.first_rail}")


_Reader = Callable[[Game, str, Any], Any]


def _whole(place: str, value: Any, low: int | None, high: int | None) -> int:
    if type(value) is not int or (low is not None and value < low) or (high is not None and value > high):
        raise InputError(f"{place}: {value!r} is not a whole number from {low} to {high} (None: no bound)")
    return value


def _one_of(place: str, value: Any, known: Any) -> str:
    if type(value) is not str or value not in known:
        raise InputError(f"{place}: {value!r} is none of {', '.join(known)}")
    return value


def _map(place: str, value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise InputError(f"{place}: {value!r} is not a map")
    return value


def _list(place: str, value: Any) -> list[Any]:
    if type(value) is not list:
        raise InputError(f"{place}: {value!r} is not a list")
    return value


def _number(low: int, high: int) -> _Reader:
    return lambda game, place, value: _whole(place, value, low, high)


def _name(*known: str) -> _Reader:
    return lambda game, place, value: _one_of(place, value, known)


def _read_order(game: Game, place: str, value: Any) -> list[str]:
    order = [_one_of(place, player, game.players) for player in _list(place, value)]
    if len(order) != len(game.players) or len(set(order)) != len(order):
        raise InputError(f"{place}: {value!r} does not name each player once")
    return order


def _read_turn(game: Game, place: str, value: Any) -> int:
    return _whole(place, value, 1, len(game.players))


def _read_selling(game: Game, place: str, value: Any) -> str | None:
    return None if value is None else _one_of(place, value, game.edition.spaces)


def _read_first_rail(game: Game, place: str, value: Any) -> str | None:
    return None if value is None else _one_of(place, value, game.edition.lines)


def _read_tile(game: Game, place: str, value: Any) -> dict[str, Tile]:
    tiles = {}
    for slot, plain in _map(place, value).items():
        _one_of(place, slot, game.edition.spaces)
        tiles[slot] = _read_one_tile(game, f"{place}.{slot}", plain)
    return tiles


def _read_one_tile(game: Game, place: str, value: Any) -> Tile:
    plain = _map(place, value)
    if plain.keys() != {"owner", "industry", "level", "flipped", "cubes"}:
        raise InputError(f"{place}: a tile has owner, industry, level, flipped and cubes, not {', '.join(plain)}")
    owner = _one_of(f"{place}.owner", plain["owner"], game.players)
    industry = _one_of(f"{place}.industry", plain["industry"], tables.INDUSTRIES)
    level = _whole(f"{place}.level", plain["level"], 1, 4)
    if (industry, level) not in game.edition.tiles:
        raise InputError(f"{place}.level: there is no {industry} of level {level}")
    if type(plain["flipped"]) is not bool:
        raise InputError(f"{place}.flipped: {plain['flipped']!r} is neither true nor false")
    cubes = _whole(f"{place}.cubes", plain["cubes"], 0, game.edition.tiles[industry, level].cubes)
    return Tile(owner, industry, level, plain["flipped"], cubes)


def _read_link(game: Game, place: str, value: Any) -> dict[str, str]:
    links = {}
    for link, player in _map(place, value).items():
        _one_of(place, link, game.edition.lines)
        links[link] = _one_of(f"{place}.{link}", player, game.players)
    return links


def _read_track(game: Game, place: str, value: Any) -> int:
    return _whole(place, value, 0, game.edition.track)


def _read_demand(game: Game, place: str, value: Any) -> int:
    return _whole(place, value, 0, game.edition.demand_closed)


def _read_round(game: Game, place: str, value: Any) -> int:
    return _whole(place, value, 1, game.edition.rounds)


def _read_owed(game: Game, place: str, value: Any) -> int:
    return _whole(place, value, 0, -game.edition.income_of_space[0])


def _read_income(game: Game, place: str, value: Any) -> dict[str, int]:
    spaces: dict[str, int] = _numbers(0, game.edition.last_space)(game, place, value)
    return spaces


def _read_values(game: Game, place: str, value: Any) -> list[int]:
    values = [_whole(place, one, 0, max(game.edition.distant)) for one in _list(place, value)]
    if len(values) > len(game.edition.distant):
        raise InputError(f"{place}: there are only {len(game.edition.distant)} distant-market tiles")
    return values


def _numbers(low: int | None, high: int | None) -> _Reader:
    def reader(game: Game, place: str, value: Any) -> dict[str, int]:
        numbers = dict.fromkeys(game.players, 0)
        for player, number in _map(place, value).items():
            _one_of(place, player, game.players)
            numbers[player] = _whole(f"{place}.{player}", number, low, high)
        return numbers

    return reader


def _read_money(game: Game, place: str, value: Any) -> dict[str, int]:
    low = None if game.reads("shortfall_no_tiles", "debt") else 0
    numbers: dict[str, int] = _numbers(low, None)(game, place, value)
    return numbers


def _read_standing(game: Game, place: str, value: Any) -> dict[str, int]:
    places: dict[str, int] = _numbers(1, len(game.players))(game, place, value)
    return {player: rank for player, rank in places.items() if rank}


def _read_bag(game: Game, place: str, value: Any) -> list[str]:
    cards = _list(place, value)
    for card in cards:
        _one_of(place, card, game.edition.cards)
    return list(cards)


def _read_hand(game: Game, place: str, value: Any) -> dict[str, list[str]]:
    hands: dict[str, list[str]] = {player: [] for player in game.players}
    for player, cards in _map(place, value).items():
        _one_of(place, player, game.players)
        hands[player] = _read_bag(game, f"{place}.{player}", cards)
    return hands


def _read_tiles(game: Game, place: str, value: Any) -> Tiles:
    tiles = _no_tiles(game)
    for player, stacks in _map(place, value).items():
        _one_of(place, player, game.players)
        for industry, levels in _map(f"{place}.{player}", stacks).items():
            _one_of(f"{place}.{player}", industry, tables.INDUSTRIES)
            for name, number in _map(f"{place}.{player}.{industry}", levels).items():
                level = _LEVELS.get(name, -1)
                kind = game.edition.tiles.get((industry, level))
                if kind is None:
                    raise InputError(f"{place}.{player}.{industry}: there is no {industry} of level {name!r}")
                if _whole(f"{place}.{player}.{industry}.{name}", number, 0, kind.count):
                    tiles[player][industry][level] = number
    return tiles


_LEVELS = {str(level): level for _, level in tables.TILES}


def _read_built(game: Game, place: str, value: Any) -> set[str]:
    built = set()
    for player, yes in _map(place, value).items():
        _one_of(place, player, game.players)
        if type(yes) is not bool:
            raise InputError(f"{place}.{player}: {yes!r} is neither true nor false")
        if yes:
            built.add(player)
    return built


_READERS: dict[str, _Reader] = {
    "era": _name(tables.CANAL, tables.RAIL),
    "round": _read_round,
    "phase": _name(*RESTING_PHASES),
    "order": _read_order,
    "turn": _read_turn,
    "actions": _number(0, 2),
    "pending": _name(*PENDING),
    "selling": _read_selling,
    "tile": _read_tile,
    "link": _read_link,
    "coal": _read_track,
    "iron": _read_track,
    "demand": _read_demand,
    "distant": _read_values,
    "turned": _read_values,
    "money": _read_money,
    "spent": _numbers(0, None),
    "vp": _numbers(0, None),
    "income": _read_income,
    "hand": _read_hand,
    "deck": _read_bag,
    "discard": _read_bag,
    "aside": _read_bag,
    "stack": _read_tiles,
    "gone": _read_tiles,
    "built": _read_built,
    "owed": _read_owed,
    "standing": _read_standing,
}
