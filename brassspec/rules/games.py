"""The verbs about single games, as functions: moves, apply, play, replay."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from brassspec.formats import Chance, InputError, Move, Outcome, Position, Violation
from brassspec.formats.log import BadLine, End, Header, Line, LogWriter, Step, read_log
from brassspec.formats.reading import MAX_NUMBER, clean
from brassspec.rules.api import MAX_COMPLETIONS, Game, Request, Taken, game, game_of
from brassspec.rules.concrete import State
from brassspec.rules.policies import policies_of

MAX_GAMES = 1_000_000
CARRY = 64  # positions that a log in part may stand for at once

# Called after each game, or so many lines of a log, with how many are done.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Option:
    """What can happen now: a move or chance outcome in full, the same in words, and its weight (1 for a move)."""

    taken: Move | Chance
    text: str
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Branch:
    """What was asked for and can happen, and its outcome. `option` is None for what the rules do by themselves."""

    option: Option | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a move.

    Legal: one branch, or, if the move leaves something open or chance was asked for, one for each possibility.
    Illegal: no branch, and `refusal` is the outcome that says why; for a move in part, of the completion (`nearest`)
    that violates the fewest requirements.
    """

    branches: tuple[Branch, ...]
    refusal: Outcome | None = None
    nearest: Option | None = None

    @property
    def legal(self) -> bool:
        return self.refusal is None

    @property
    def outcome(self) -> Outcome:
        """The only outcome. Raises ValueError where there are several."""
        if self.refusal is not None:
            return self.refusal
        if len(self.branches) != 1:
            raise ValueError(f"there are {len(self.branches)} outcomes")
        return self.branches[0].outcome


@dataclass(slots=True)
class Played:
    """What was played: how much, how often each action and chance, and the last game's last position."""

    ruleset: str
    readings: dict[str, str]
    players: int
    seed: int
    games: int = 0
    decisions: int = 0
    moves: int = 0  # legal ones that were listed, at all decisions
    chances: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """The first line of a log (from 1) at which something is wrong, what, and what its move violates."""

    line: int
    cause: str
    violated: tuple[Violation, ...] = ()


@dataclass(slots=True)
class Replayed:
    """What a log holds, up to its first fault; `notes` are what is odd, but no fault."""

    ruleset: str = ""
    readings: dict[str, str] = field(default_factory=dict)
    lines: int = 0
    games: int = 0
    decisions: int = 0
    chances: int = 0
    fault: Fault | None = None
    notes: list[str] = field(default_factory=list)


# ---------------------------------------------------------------- moves, apply


def moves(position: Position) -> list[Option]:
    """The legal moves; where chance is due, nothing (see `chances`).

    Raises InputError where the position is not well formed, breaks an invariant, or is not at rest.
    """
    g = game_of(position)
    return [_option(g, m) for m in g.rules.legal(_at_rest(g, position))]


def chances(position: Position) -> list[Option]:
    """What chance may bring now, with weights; nothing where a player decides or the game is over.

    Raises InputError as `moves` does.
    """
    g = game_of(position)
    return [_option(g, (i, args), weight) for i, args, weight in g.rules.chance(_at_rest(g, position))]


def apply(position: Position, move: Move | Chance | str | None = None) -> Applied:
    """What a move or chance outcome, as JSON or in words, leads to.

    What leaves something open gives every outcome of its legal completions. Without a move: every outcome of the chance
    that is due, or what the rules do by themselves if the position is not at rest.
    Raises InputError where the position or the move is not well formed, and on a chance outcome that cannot happen.
    """
    g = game_of(position)
    state = g.read(position)
    if move is None:
        return _by_itself(g, state)
    request = g.request(move)
    _demand_rest(g, state)
    due = g.rules.chance(state)
    if request.is_chance:
        weights = {(i, args): weight for i, args, weight in due}
        found = g.completions(request, list(weights))
        if not found:
            raise InputError(f"chance: {clean(str(move))} cannot happen here: {_what_is_due(g, state)}")
        return Applied(tuple(_happened(g, state, taken, weights[taken]) for taken in found))
    if g.is_whole(request):
        taken = g.whole(request)
        outcome = g.judge(state, taken)
        if not outcome.legal:
            return Applied((), outcome, _option(g, taken))
        if due:
            raise InputError(f"chance comes before any move: {_what_is_due(g, state)}")
        return Applied((Branch(_option(g, taken), outcome),))
    found = g.completions(request, g.rules.legal(state)) if not due else []
    if found:
        return Applied(tuple(Branch(_option(g, taken), g.judge(state, taken)) for taken in found))
    return _nearest(g, state, request)


def _by_itself(g: Game, state: State) -> Applied:
    if g.due(state):
        raw: list[tuple[object, ...]] = []
        after = g.rules.rest(state, raw)
        return Applied(
            (Branch(None, Outcome(position=g.codec.position(after), events=tuple(g.codec.event(e) for e in raw))),)
        )
    due = g.rules.chance(state)
    if not due:
        raise InputError(f"a move is missing: {_what_is_due(g, state)}")
    return Applied(tuple(_happened(g, state, (i, args), weight) for i, args, weight in due))


def _nearest(g: Game, state: State, request: Request) -> Applied:
    """Why no completion of a move in part is legal: what the one that violates the fewest requirements violates."""
    best: tuple[int, Taken] | None = None
    for taken in itertools.islice(g.possible(request), MAX_COMPLETIONS):
        j = g.rules.judge(state, *taken)
        if j.violated or j.unevaluated:
            count = len(j.violated) + len(j.unevaluated)
            if best is None or count < best[0]:
                best = (count, taken)
    if best is None:
        raise InputError(f"{request.transition.name}: nothing is left that this could stand for")
    return Applied((), g.judge(state, best[1]), _option(g, best[1]))


def _happened(g: Game, state: State, taken: Taken, weight: int) -> Branch:
    return Branch(_option(g, taken, weight), g.happen(state, taken))


def _option(g: Game, taken: Taken, weight: int | None = None) -> Option:
    """A move, or with a weight a chance outcome, in plain data and in words."""
    if weight is None:
        return Option(g.codec.move(*taken), g.speaker.say_move(*taken))
    return Option(g.codec.chance(*taken), g.speaker.say_chance(*taken), weight)


def _at_rest(g: Game, position: Position) -> State:
    state = g.read(position)
    _demand_rest(g, state)
    return state


def _demand_rest(g: Game, state: State) -> None:
    due = g.due(state)
    if due:
        raise InputError(f"the position is not at rest: {due} is due: apply the position without a move first")


def _what_is_due(g: Game, state: State) -> str:
    due = g.rules.chance(state)
    if due:
        names = dict.fromkeys(g.rules.chance_names[i] for i, *_ in due)
        return f"{', '.join(names)} is due, with {len(due)} outcomes"
    number = len(g.rules.legal(state))
    return f"a player decides among {number} moves" if number else "no move is legal and no chance is due"


# ---------------------------------------------------------------- play


def play(
    ruleset: str,
    players: int,
    seed: int = 1,
    games: int = 1,
    log: str | Path | None = None,
    policy: str = "uniform",
    progress: Progress | None = None,
) -> Played:
    """Plays random games. A game's choices follow from the seed and its number (from 1): the same call plays the same.

    policy: "uniform" takes any legal move alike, "seeking" looks for positions in which single requirements decide, others are
    declared in the spec.
    log: a file that all games are written to, once all are played.
    Raises InputError on a ruleset, number of players, seed, number of games or policy that there is not, and where the
    log can't be written.
    """
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"games: {games} is no number 1 to {MAX_GAMES}")
    if not 0 <= seed <= MAX_NUMBER:
        raise InputError(f"seed: {seed} is no number 0 to 2^53")
    g = game(ruleset, players)
    policies_of(g.rules).player(policy, random.Random(seed))  # whether there is such a policy
    result = Played(g.model.ruleset, g.model.readings, players, seed)
    if log is None:
        _play_all(g, result, games, policy, None, progress)
    else:
        with LogWriter(log) as writer:
            _play_all(g, result, games, policy, writer, progress)
    return result


def _play_all(
    g: Game, result: Played, games: int, policy: str, writer: LogWriter | None, progress: Progress | None
) -> None:
    start = g.rules.initial()
    for number in range(1, games + 1):
        state = start
        if writer is not None:
            header = Header(g.model.ruleset, g.model.players, result.seed, g.model.digest, policy, number, games)
            writer.header(header, g.digest(start))
        for kind, taken, after, among in random_game(g, start, random.Random(f"{result.seed}/{number}"), policy):
            state = after
            if kind == "chance":
                result.chances += 1
                result.taken[g.rules.chance_names[taken[0]]] += 1
                if writer is not None:
                    writer.chance(g.codec.chance(*taken), g.digest(state))
            else:
                result.decisions += 1
                result.moves += among
                result.taken[g.rules.action_names[taken[0]]] += 1
                if writer is not None:
                    writer.move(g.codec.move(*taken), g.digest(state))
        if writer is not None:
            writer.end()
        result.games = number
        result.position = g.codec.position(state)
        if progress is not None:
            progress(number)


def random_game(
    g: Game, state: State, rng: random.Random, policy: str = "uniform"
) -> Iterator[tuple[str, Taken, State, int]]:
    """A random game from a state at rest on: what happened ("action" or "chance"), the state after, and among how many; to the end."""
    choose = policies_of(g.rules).player(policy, rng)
    while True:
        due = g.rules.chance(state)
        if due:
            number, args, _ = rng.choices(due, weights=[w for *_, w in due])[0]
            state, _ = g.rules.happen(state, number, args)
            yield "chance", (number, args), state, len(due)
            continue
        legal = g.rules.choices(state)
        if not legal:
            return
        taken = choose(state, legal)
        after = g.rules.step(state, *taken).state
        assert after is not None
        state = after
        yield "action", taken, state, len(legal)


# ---------------------------------------------------------------- replay


def replay(log: str | Path, carry: int = CARRY, progress: Progress | None = None) -> Replayed:
    """Plays a log again: is every move legal, can every chance happen, do the digests agree, is it whole?

    A move that leaves something open stands for all its legal completions: up to `carry` positions that agree with all
    digests so far are carried along. "-" is standard input.
    Raises InputError on a file that does not begin as a log or can't be read, and where its ruleset does not ship. A line that is
    not well formed further on is a fault of the log.
    """
    result = Replayed()
    try:
        _Replay(result, carry, progress).run(log)
    except _Broken as e:
        result.fault = e.fault
    return result


def moment(log: str | Path, at: int) -> tuple[Position, Move | None]:
    """The position of a log's first game before its entry number `at` (its "n"), and the move that the log makes there, if any.

    Raises InputError where the log is not well formed, breaks a rule before that entry, or has no such entry.
    """
    replay = _Replay(Replayed(), CARRY, None)
    replay.stop_at = at
    try:
        replay.run(log)
    except _Broken as e:
        raise InputError(f"line {e.fault.line}: {e.fault.cause}") from None
    if replay.game is None or replay.stopped is None:
        raise InputError(f"the log's first game has no entry {at}")
    content = replay.stopped
    return replay.game.codec.position(replay.states[0]), content.move if isinstance(content, Step) else None


class _Broken(Exception):
    def __init__(self, line: int, cause: str, violated: tuple[Violation, ...] = ()) -> None:
        super().__init__(cause)
        self.fault = Fault(line, cause, violated)


class _Replay:
    """Where a replay stands."""

    def __init__(self, result: Replayed, carry: int, progress: Progress | None) -> None:
        self.result = result
        self.carry = carry
        self.progress = progress
        self.first: Header | None = None
        self.game: Game | None = None  # None between games
        self.states: list[State] = []
        self.n = 0
        self.stop_at: int | None = None  # the entry of the first game before which to stop
        self.stopped: Step | End | None = None

    def run(self, log: str | Path) -> None:
        try:
            self.lines(read_log(log))
        except BadLine as e:
            if self.first is None:
                raise
            raise _Broken(e.line, e.cause) from None  # it began as a log, so it is one that is broken

    def lines(self, log: Iterable[Line]) -> None:
        for line in log:
            self.result.lines = line.number
            if not line.chained:
                raise _Broken(line.number, "the digest is not that of this line after the one before")
            if isinstance(line.content, Header):
                self.header(line.content, line.number)
            elif self.game is None:
                raise _Broken(line.number, "no game has begun: a header is due")
            else:
                self.n += 1
                if self.n == self.stop_at and self.result.games == 0:
                    self.stopped = line.content
                    return
                if line.content.n != self.n:
                    raise _Broken(line.number, f"n is {line.content.n}, not {self.n}")
                if isinstance(line.content, End):
                    self.end(self.game, line.content, line.number)
                else:
                    self.step(self.game, line.content, line.number)
            if self.progress is not None and line.number % 100 == 0:
                self.progress(line.number)
        last = self.result.lines + 1
        if self.first is None:
            raise InputError("the log is empty: a header is due")
        if self.game is not None:
            raise _Broken(last, "the log breaks off in the middle of a game")
        if self.result.games != self.first.games:
            raise _Broken(last, f"the log breaks off after {self.result.games} of {self.first.games} games")

    def header(self, h: Header, line: int) -> None:
        if self.game is not None:
            raise _Broken(line, "a game begins before the one before is over")
        if self.first is None:
            self.first = h
        elif replace(h, game=1) != replace(self.first, game=1):
            raise _Broken(line, "the game is not of the same series as the first")
        if h.game != self.result.games + 1:
            raise _Broken(line, f"game {h.game} stands where game {self.result.games + 1} is due")
        try:
            self.game = game(h.ruleset, h.players)
        except InputError as e:
            raise InputError(f"line {line}: {e}") from None
        m = self.game.model
        self.result.ruleset, self.result.readings = m.ruleset, m.readings
        if h.spec != m.digest and self.result.games == 0:
            self.result.notes.append(f"the log was written by another text of {m.ruleset}, digest {clean(h.spec, 64)}")
        self.states = [self.game.rules.initial()]
        self.n = 0

    def end(self, g: Game, end: End, line: int) -> None:
        over = [s for s in self.states if not g.rules.chance(s) and not g.rules.legal(s)]
        if not over:
            raise _Broken(line, f"the game is not over: {_what_is_due(g, self.states[0])}")
        if not any(g.digest(s) == end.position for s in over):
            raise _Broken(line, "the position at the end is another")
        self.result.games += 1
        self.game = None

    def step(self, g: Game, step: Step, line: int) -> None:
        try:
            request = g.request(step.move if step.move is not None else step.chance or {})
        except InputError as e:
            raise _Broken(line, str(e)) from None
        if request.is_chance != (step.chance is not None):
            raise _Broken(line, 'a move stands under "move", a chance outcome under "chance"')
        if request.is_chance:
            after = dict.fromkeys(s for state in self.states for s in self.chance(g, state, request))
            self.result.chances += 1
        else:
            after = dict.fromkeys(s for state in self.states for s in self.move(g, state, request))
            self.result.decisions += 1
        if not after:
            if request.is_chance:
                raise _Broken(line, f"this cannot happen here: {_what_is_due(g, self.states[0])}")
            raise self.refused(g, request, line)
        kept = [s for s in after if not step.position or g.digest(s) == step.position]
        if not kept:
            raise _Broken(line, "the position that follows is another: its digest differs")
        if len(kept) > self.carry:
            raise _Broken(line, f"more than {self.carry} positions agree with the log so far: state more of the moves")
        self.states = kept

    def move(self, g: Game, state: State, request: Request) -> Iterable[State]:
        if g.rules.chance(state):
            return []
        whole = g.is_whole(request)
        found = [g.whole(request)] if whole else g.completions(request, g.rules.legal(state))
        return [after for taken in found if (after := g.rules.step(state, *taken).state) is not None]

    def chance(self, g: Game, state: State, request: Request) -> Iterable[State]:
        found = g.completions(request, [(i, args) for i, args, _ in g.rules.chance(state)])
        return [g.rules.happen(state, *taken)[0] for taken in found]

    def refused(self, g: Game, request: Request, line: int) -> _Broken:
        state = self.states[0]
        if g.rules.chance(state):
            return _Broken(line, f"a move stands here: {_what_is_due(g, state)}")
        if g.is_whole(request):
            violated = g.judge(state, g.whole(request)).violated
        else:
            refusal = _nearest(g, state, request).refusal
            violated = refusal.violated if refusal is not None else ()
        return _Broken(line, "illegal by " + ", ".join(v.requirement for v in violated), violated)
