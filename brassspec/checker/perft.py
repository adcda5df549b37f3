"""`perft`: how many sequences of moves there are, by depth, chance falling by a script that any program can follow (docs/perft.md).

Every opinion walks on its own, by its own moves, outcomes of chance and events; what is compared are the counts.
"""

from __future__ import annotations

import json
import marshal
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Protocol

from brassspec.checker.check import Target, start_anew
from brassspec.checker.opinions import Opinion, reference
from brassspec.formats import InputError, Move, Plain, Position
from brassspec.rules.api import Game, game, game_of
from brassspec.rules.concrete import RawEvent, State
from brassspec.rules.shipped import shipped_editions

OPINIONS = ("spec", "engine", "both")
MAX_DEPTH = 1_000  # moves; more than any game has
MAX_POSITIONS = 1_000_000  # different ones at one depth that are kept: two or three gigabytes
EVERY = 200  # positions between two reports of progress

# Called with what is being counted, how many positions of this depth are done, and of how many.
Progress = Callable[[str, int, int], None]


def ticket(total: int, seed: int) -> int:
    """The script of chance: which of `total` tickets, counted from 0, is drawn.

    Each outcome has as many as it has weight, in canonical order. So what falls follows from the position and the seed alone.
    """
    return (total + 1000 * seed) * 2654435761 % 2**32 * total >> 32


@dataclass(frozen=True, slots=True)
class Row:
    """Sequences of `depth` moves: how many, by the action of the last move, and by kind the events told since the move before.

    `events` is None where the last moves were counted without being made. Depth 0 is the position itself: one sequence
    without a move, with the events until the first decision.
    """

    depth: int
    moves: int
    actions: Counter[str]
    events: Counter[str] | None

    def __add__(self, other: Row) -> Row:
        events = None if self.events is None or other.events is None else self.events + other.events
        return Row(self.depth, self.moves + other.moves, self.actions + other.actions, events)


@dataclass(frozen=True, slots=True)
class Line:
    """A first move, in full and in words, and the rows of all that begins with it; row 0 has what the move itself tells."""

    move: Move
    text: str
    rows: tuple[Row, ...]

    @property
    def moves(self) -> int:
        """How many sequences begin with the move."""
        return self.rows[-1].moves


@dataclass(frozen=True, slots=True)
class Count:
    """What one opinion counts. `complete`: no limit was reached; else the rows end before the depth that was asked for.

    Rows also end with the last move of the last game. positions: how many were looked at; seconds: of processor time.
    """

    opinion: str
    rows: tuple[Row, ...]
    lines: tuple[Line, ...] = ()
    complete: bool = True
    positions: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the opinions part: in the counts of which depth, below which first move ("" before any), and what each has there.

    None: no such move, or nothing that deep.
    """

    depth: int
    move: str
    spec: Row | None
    engine: Row | None


@dataclass(frozen=True, slots=True)
class Perft:
    """The counts of one or both opinions; `difference` is the first line in which two that were compared differ."""

    ruleset: str
    readings: dict[str, str]
    players: int
    depth: int
    seed: int
    counts: tuple[Count, ...]
    difference: Difference | None = None

    @property
    def verdict(self) -> str:
        if self.difference is not None:
            return "different"
        if not all(c.complete for c in self.counts):
            return "unknown"
        return "same" if len(self.counts) > 1 else "ok"


def perft(
    start: str | Position,
    depth: int,
    *,
    players: int | None = None,
    seed: int = 1,
    opinion: str | None = None,
    events: bool = False,
    divide: bool = False,
    limit: int = MAX_POSITIONS,
    progress: Progress | None = None,
) -> Perft:
    """Counts the sequences of 1, 2, ... `depth` moves from the start of a ruleset (or FILE.brass), or from a position at rest.

    players: how many, for a ruleset; unsaid, the fewest it is for. opinion: one of OPINIONS; unsaid, both where there are two.
    events: the last moves are made too, to count what they tell. divide: also by first move.
    A depth at which more than `limit` different positions would have to be kept is not counted, and the result says so.
    Raises InputError where there is no such ruleset, number of players, opinion or depth, or the position is none of its
    ruleset, breaks an invariant or is not at rest; SpecError on a faulty spec.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise InputError(f"depth: {depth} is not between 1 and {MAX_DEPTH} moves")
    g, other, where = _start(start, players)
    if opinion is None:
        opinion = "spec" if other is None else "both"
    if opinion not in OPINIONS:
        raise InputError(f"opinion: {opinion!r} is none of {', '.join(OPINIONS)}")
    if other is None and opinion != "spec":
        raise InputError(f"opinion: the reference engine does not play {g.model.ruleset}: ask for the spec alone")
    walks: dict[str, Walk] = {}
    if opinion != "engine":
        walks["spec"] = SpecWalk(g, where)
    if other is not None and opinion != "spec":
        # What a position leaves out is filled in once, alike for both.
        walks["engine"] = PlainWalk(other, g.codec.position(g.read(where)) if where else other.initial())
    counting = {name: _Counting(walk, name, seed, events, limit, progress) for name, walk in walks.items()}
    counts = [c.count(g, depth, divide) for c in counting.values()]
    difference = _first_difference(g, counting, counts) if len(counts) > 1 else None
    return Perft(g.model.ruleset, g.model.readings, g.model.players, depth, seed, tuple(counts), difference)


def _start(start: str | Position, players: int | None) -> tuple[Game, Opinion | None, Position | None]:
    """The rules, the other opinion of them if there is one, and the position to start from if one is given."""
    if isinstance(start, Position):
        if players is not None and players != start.players:
            raise InputError(f"players: the position is for {start.players}, not {players}")
        return game_of(start), reference(start.ruleset, start.players), start
    target = Target.of(start)
    if target.path is not None:
        start_anew()
        spec, _ = target.spec()
        return Game(target.rules(players or spec.players[0])), None, None
    edition = shipped_editions().get(start.split("+")[0])
    number = players or (edition.players[0] if edition else 1)
    return game(start, number), reference(start, number), None


# ---------------------------------------------------------------- how an opinion walks


class Walk(Protocol):
    """Positions, moves and chance as one opinion has them. A node is a position at rest, equal to others that are the same."""

    def start(self) -> Hashable: ...

    def kinds(self, node: Any) -> Counter[str]:
        """How many legal moves there are, by action."""

    def moves(self, node: Any) -> Iterable[tuple[str, Any]]:
        """Every legal move, with its action."""

    def make(self, node: Any, move: Any) -> tuple[Hashable, list[str]]:
        """What a move leads to, and the kinds of events in between."""

    def chance(self, node: Any) -> Sequence[tuple[Any, int]]:
        """The outcomes of chance with their weights, in canonical order; none where a player decides or the game is over."""

    def happen(self, node: Any, outcome: Any) -> tuple[Hashable, list[str]]:
        """What an outcome leads to, and the kinds of events in between."""

    def plain(self, move: Any) -> Move:
        """A move as others know it."""


class SpecWalk:
    """The spec's concrete meaning. Nodes are states."""

    def __init__(self, g: Game, where: Position | None) -> None:
        self.game = g
        self.rules = g.rules
        self.where = where

    def start(self) -> State:
        if self.where is None:
            return self.rules.initial()
        state = self.game.read(self.where)
        due = self.game.due(state)
        if due:
            raise InputError(f"the position is not at rest: {due} is due: apply the position without a move first")
        return state

    def kinds(self, node: State) -> Counter[str]:
        return Counter(
            {name: n for i, name in enumerate(self.rules.action_names) if (n := len(self.rules.moves(node, i)))}
        )

    def moves(self, node: State) -> Iterable[tuple[str, Any]]:
        names = self.rules.action_names
        return [(names[move[0]], move) for move in self.rules.legal(node)]

    def make(self, node: State, move: Any) -> tuple[State, list[str]]:
        j = self.rules.step(node, *move)
        assert j.state is not None
        return j.state, self.told(j.events)

    def chance(self, node: State) -> Sequence[tuple[Any, int]]:
        return [((i, args), weight) for i, args, weight in self.rules.chance(node)]

    def happen(self, node: State, outcome: Any) -> tuple[State, list[str]]:
        after, events = self.rules.happen(node, *outcome)
        return after, self.told(events)

    def told(self, events: Iterable[RawEvent]) -> list[str]:
        return [self.rules.event_names[e[0]] for e in events]

    def plain(self, move: Any) -> Move:
        return self.game.codec.move(*move)


class PlainWalk:
    """Another implementation, in plain data. Nodes are states, packed."""

    def __init__(self, opinion: Opinion, where: Position) -> None:
        self.opinion = opinion
        self.where = where

    def pack(self, state: Plain) -> bytes:
        return marshal.dumps(state, 2)  # this version writes equal states alike

    def position(self, node: bytes) -> Position:
        return Position(self.where.ruleset, self.where.players, marshal.loads(node))

    def start(self) -> bytes:
        return self.pack(self.where.state)

    def kinds(self, node: bytes) -> Counter[str]:
        return Counter(move["action"] for move in self.opinion.legal_moves(self.position(node)))

    def moves(self, node: bytes) -> Iterable[tuple[str, Any]]:
        return [(move["action"], move) for move in self.opinion.legal_moves(self.position(node))]

    def make(self, node: bytes, move: Any) -> tuple[bytes, list[str]]:
        outcome = self.opinion.step(self.position(node), move)
        assert outcome.position is not None, "an opinion forbids a move that it lists"
        return self.pack(outcome.position.state), [e["event"] for e in outcome.events]

    def chance(self, node: bytes) -> Sequence[tuple[Any, int]]:
        return self.opinion.chance(self.position(node))

    def happen(self, node: bytes, outcome: Any) -> tuple[bytes, list[str]]:
        after = self.opinion.apply_chance(self.position(node), outcome)
        assert after.position is not None
        return self.pack(after.position.state), [e["event"] for e in after.events]

    def plain(self, move: Any) -> Move:
        found: Move = move
        return found


# ---------------------------------------------------------------- counting


class _TooMany(Exception):
    """More different positions than are kept."""


@dataclass(slots=True)
class _Counting:
    """One opinion's counts. Positions that several sequences reach are looked at once, and count as often as they are reached."""

    walk: Walk
    name: str
    seed: int
    events: bool
    limit: int
    progress: Progress | None
    positions: int = 0

    def count(self, g: Game, depth: int, divide: bool) -> Count:
        begun = time.process_time()
        first, told = self.settle(self.walk.start())
        if divide:
            lines, complete = self.divide(g, first, depth)
            rows = _sum_up(told, lines)
        else:
            lines = []
            rows, complete = self.below(first, told, depth)
        return Count(
            self.name, tuple(rows), tuple(lines), complete, self.positions, round(time.process_time() - begun, 3)
        )

    def divide(self, g: Game, first: Hashable, depth: int) -> tuple[list[Line], bool]:
        """The first moves, each with all that it begins."""
        lines = []
        complete = True
        for _, move in self.walk.moves(first):
            after, told = self.step(first, move)
            rows, whole = self.below(after, told, depth - 1)
            complete &= whole
            plain = self.walk.plain(move)
            lines.append(Line(plain, g.speaker.say_move(*g.whole(g.request(plain))), tuple(rows)))
        return lines, complete

    def below(self, node: Hashable, told: Iterable[str], depth: int) -> tuple[list[Row], bool]:
        """The rows of depth 0 to `depth` from a position on, and whether no limit was reached."""
        rows = [Row(0, 1, Counter(), Counter(told))]
        layer: dict[Hashable, int] = {node: 1}
        for at in range(1, depth + 1):
            try:
                row, layer = self.deepen(at, layer, at == depth and not self.events)
            except _TooMany:
                return rows, False
            if not row.moves:
                break
            rows.append(row)
        return rows, True

    def deepen(self, at: int, layer: dict[Hashable, int], bulk: bool) -> tuple[Row, dict[Hashable, int]]:
        """The next row, and where its moves lead: how many sequences reach each position. In bulk they are not made."""
        actions: Counter[str] = Counter()
        events: Counter[str] = Counter()
        after: dict[Hashable, int] = {}
        for done, (node, times) in enumerate(layer.items()):
            if self.progress is not None and done % EVERY == 0:
                self.progress(f"{self.name}, depth {at}", done, len(layer))
            self.positions += 1
            if bulk:
                for action, number in self.walk.kinds(node).items():
                    actions[action] += number * times
                continue
            for action, move in self.walk.moves(node):
                actions[action] += times
                reached, told = self.step(node, move)
                for event in told:
                    events[event] += times
                after[reached] = after.get(reached, 0) + times
            if len(after) > self.limit:
                raise _TooMany
        return Row(at, actions.total(), actions, None if bulk else events), after

    def step(self, node: Hashable, move: Any) -> tuple[Hashable, list[str]]:
        """What a move leads to, up to the next decision."""
        after, told = self.walk.make(node, move)
        settled, more = self.settle(after)
        return settled, told + more

    def settle(self, node: Hashable) -> tuple[Hashable, list[str]]:
        """Chance by the script, until a player decides or the game is over."""
        told: list[str] = []
        while outcomes := self.walk.chance(node):
            tickets = [outcome for outcome, weight in outcomes for _ in range(weight)]
            node, more = self.walk.happen(node, tickets[ticket(len(tickets), self.seed)])
            told += more
        return node, told


def _sum_up(told: Iterable[str], lines: Sequence[Line]) -> list[Row]:
    """The rows of a position from those of its first moves."""
    rows = [Row(0, 1, Counter(), Counter(told))]
    if not lines:
        return rows
    events = sum((line.rows[0].events or Counter() for line in lines), Counter[str]())
    rows.append(Row(1, len(lines), Counter(line.move["action"] for line in lines), events))
    for at in range(1, max(len(line.rows) for line in lines)):
        total, *more = [line.rows[at] for line in lines if len(line.rows) > at]
        for row in more:
            total += row
        rows.append(Row(at + 1, total.moves, total.actions, total.events))
    return rows


def _first_difference(g: Game, counting: dict[str, _Counting], counts: Sequence[Count]) -> Difference | None:
    """The first line of the shallowest divide in which two opinions differ, of what both have counted."""
    spec, engine = (c.rows for c in counts)
    if not all(c.complete for c in counts):
        both = min(len(spec), len(engine))
        spec, engine = spec[:both], engine[:both]
    at = _parting(spec, engine)
    if at is None:
        return None
    if at == 0:
        return Difference(0, "", spec[0], engine[0])
    by_move = []
    for c in counting.values():
        lines, _ = c.divide(g, c.settle(c.walk.start())[0], at)
        by_move.append({json.dumps(line.move, sort_keys=True): line for line in lines})
    for key, line in {**by_move[1], **by_move[0]}.items():
        a, b = (of[key].rows if key in of else () for of in by_move)
        i = _parting(a, b)
        if i is not None:
            return Difference(at, line.text, a[i] if i < len(a) else None, b[i] if i < len(b) else None)
    raise AssertionError("the counts differ, and those of no first move do")


def _parting(a: Sequence[Row], b: Sequence[Row]) -> int | None:
    """The first row in which two counts differ."""
    for i, (x, y) in enumerate(zip_longest(a, b)):
        if x != y:
            return i
    return None
