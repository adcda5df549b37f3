"""The whole game tree of a small ruleset: every position, every legal move and chance outcome, judged by every opinion."""

from __future__ import annotations

import hashlib
import marshal
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brassspec.checker.crosscheck import CrossCheck, Options, Tally
from brassspec.checker.opinions import Opinion
from brassspec.rules.cache import load_rules
from brassspec.rules.concrete import Rules, State
from brassspec.rules.policies import any_kind

if TYPE_CHECKING:
    from brassspec.checker.symbolic import SymbolicRules


def pack(state: State) -> bytes:
    """A position as bytes; equal ones are written alike."""
    return marshal.dumps(state, 2)


def digest_of(packed: bytes) -> bytes:
    """A digest of a packed position: 16 bytes."""
    return hashlib.blake2b(packed, digest_size=16).digest()


class Frontier:
    """Positions still to be looked at, first come first served, each once. Keeps the waiting ones packed, of all others a digest."""

    def __init__(self, first: State) -> None:
        self._seen: set[bytes] = set()
        self._waiting: deque[bytes] = deque()
        self.add(first)

    def add(self, state: State) -> None:
        packed = pack(state)
        digest = digest_of(packed)
        if digest not in self._seen:
            self._seen.add(digest)
            self._waiting.append(packed)

    def __len__(self) -> int:
        return len(self._waiting)

    def next(self) -> State:
        state: State = marshal.loads(self._waiting.popleft())
        return state


def successors(rules: Rules, state: State) -> Iterator[State]:
    """The position at rest after each outcome of chance, or else after each legal move."""
    outcomes = rules.chance(state)
    for i, args, _ in outcomes:
        yield rules.happen(state, i, args)[0]
    if not outcomes:
        for action, args in rules.legal(state):
            after = rules.step(state, action, args).state
            assert after is not None
            yield after


def enumerate_all(rules: Rules, limit: int | None = None) -> Iterator[State]:
    """Every position at rest that play can reach, once, breadth first from set-up: all of them, or the first `limit`.

    The order is the same in every run: that of chance outcomes and legal moves.
    """
    waiting = Frontier(rules.initial())
    given = 0
    while waiting and (limit is None or given < limit):
        state = waiting.next()
        given += 1
        yield state
        for after in successors(rules, state):
            waiting.add(after)


@dataclass(slots=True)
class Exhausted:
    """What was examined of a game tree, and what was found. `+` adds the shares of one tree.

    tally.counts: positions, decisions (legal moves played), chance_events, altered_moves, ...; `complete`: the tree was seen to its end.
    """

    ruleset: str
    players: int
    tally: Tally = field(default_factory=Tally)
    kinds: Counter[str] = field(default_factory=Counter)  # positions by the values of some variables
    happened: Counter[str] = field(default_factory=Counter)  # actions and chances by name: how often played
    exceptions: Counter[str] = field(default_factory=Counter)  # exception -> legal moves that used it
    complete: bool = False
    reference: bool = False
    seconds: float = 0.0

    def __add__(self, other: Exhausted) -> Exhausted:
        return Exhausted(
            self.ruleset,
            self.players,
            self.tally + other.tally,
            self.kinds + other.kinds,
            self.happened + other.happened,
            self.exceptions + other.exceptions,
            self.complete and other.complete,
            self.reference and other.reference,
            max(self.seconds, other.seconds),
        )

    @property
    def verdict(self) -> str:
        """A tree that was not seen to its end, or not by a second opinion, is never called ok."""
        if self.tally.divergences:
            return "failed"
        if not self.tally.counts["decisions"]:
            return "vacuous"
        return "ok" if self.complete and self.reference else "unknown"


def exhaustive(
    ruleset: str,
    players: int,
    other: Opinion | None,
    symbolic: SymbolicRules | None = None,
    *,
    limit: int | None = None,
    share: tuple[int, int] = (0, 1),
    altered: float = 0.0,
    seed: int = 1,
    by: Sequence[str] = (),
    most: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> Exhausted:
    """Compares the opinions on every position of a ruleset's game tree, and checks its invariants and claims.

    Compared are the legal moves, the next position and the events of each, and the outcomes of chance with their weights; with
    `symbolic` Z3's verdict on each move and the position after it, too. All
    positions are enumerated; with `share` (i, n) only every n-th, from the i-th on, is examined, so that n processes share the work.
    `altered`: moves changed in a part that are judged, for each position with a decision. `by`: variables whose values tell kinds of
    positions. It ends after `limit` positions or `most` divergences. Calls progress(positions, waiting) now and then.
    Raises InputError where there is no such ruleset or number of players.
    """
    start = time.monotonic()
    rules = load_rules(ruleset, players)
    cross = CrossCheck(rules, other, symbolic, Options(symbolic=1))
    found = Exhausted(ruleset, players, cross.tally, reference=other is not None)
    state = rules.initial()
    cross.report(state, cross.compare.set_up(state))
    waiting = Frontier(state)
    number = 0
    while waiting and (limit is None or number < limit) and len(cross.tally.divergences) < most:
        state = waiting.next()
        if number % share[1] == share[0]:
            cross.game = number
            found.kinds[
                " ".join(str(cross.codec.write_var(rules.model.state[v], state[rules.index[v]])) for v in by)
            ] += 1
            after = examine(cross, found, state, altered, random.Random(f"{seed} {number}"))
        else:
            after = successors(rules, state)
        for one in after:
            waiting.add(one)
        number += 1
        if progress is not None and number % 1000 == 0:
            progress(number, len(waiting))
    found.complete = not waiting
    found.seconds = time.monotonic() - start
    return found


def examine(cross: CrossCheck, found: Exhausted, state: State, altered: float, rng: random.Random) -> Iterator[State]:
    """All opinions on one position; gives what follows it."""
    rules = cross.rules
    cross.tally.counts["positions"] += 1
    outcomes = rules.chance(state)
    cross.report(state, cross.compare.chance(state, outcomes))
    for i, args, _ in outcomes:
        found.happened[rules.chance_names[i]] += 1
        after, differences = cross.compare.happen(state, (i, args))
        cross.report(state, differences)
        if after is not None:
            yield after
    moves = [] if outcomes else rules.legal(state)
    cross.report(state, cross.compare.legal(state, moves) + cross.compare.claims(state, moves))
    for taken in moves:
        found.happened[rules.action_names[taken[0]]] += 1
        j = cross.judge(state, taken, "decisions") or rules.step(state, *taken)
        found.exceptions.update(j.exceptions)
        assert j.state is not None
        yield j.state
    if moves:
        for _ in range(int(altered) + (rng.random() < altered % 1)):
            cross.judge(state, cross.alter(rng, moves, any_kind(rng, moves)), "altered_moves")
