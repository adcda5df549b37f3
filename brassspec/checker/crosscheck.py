"""Cross-check: random games in which every opinion judges every position, the moves made, and moves that should be illegal.

Most games are whole, played from set-up by one of the ruleset's policies; every third is a tour of the positions of the spec's
scenarios, from each of which a few moves are played: so what play seldom reaches is examined too.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from brassspec.checker.compare import Comparison, Difference
from brassspec.checker.opinions import Opinion
from brassspec.formats import InputError, Plain, Position
from brassspec.rules.api import Taken
from brassspec.rules.concrete import InternalError, Judgement, Rules, State
from brassspec.rules.model import Num, Option, Param, Record, Seq, Sort, Type
from brassspec.rules.policies import Choose, any_kind, policies_of

if TYPE_CHECKING:
    from brassspec.checker.symbolic import SymbolicRules

STOPS = 72  # positions of scenarios on one tour, or as many as there are
TOUR = 288  # decisions on one tour
STRETCH = 12  # but no more than so many from one position
CLAIMS_EVERY = 6  # decisions: claims are proved elsewhere, and dear to test
LONGEST = 1_000  # decisions of a whole game: rules or a policy may be such that it never ends
FIRST_LOOKS = 16  # times as many in the position where a stretch of a tour begins
MUCH = 10  # events after a move, of which the automatic steps tell most: then the move is made in more varied positions
VARIED = 16  # namely so many
LOOKS = 4  # requirements looked for at most, for each that is found
FOUND = 8  # a requirement that decided is looked for again after so many looks at others


@dataclass(frozen=True, slots=True)
class Start:
    """Where a tour plays on from: the position of a scenario, and where that stands."""

    state: State
    title: str
    place: str


@dataclass(frozen=True, slots=True)
class Divergence:
    """A difference that a cross-check found: on which position, in which game, after which moves.

    move: what was judged, in words ("" for a position); `taken` the same as plain data. start: "" for set-up, else the scenario.
    """

    kind: str
    names: tuple[str, ...]
    signature: str
    position: Position
    taken: Plain | None
    move: str
    spec: str
    other: str
    game: int
    policy: str = ""
    start: str = ""
    moves: tuple[str, ...] = ()

    @staticmethod
    def of(data: Plain) -> Divergence:
        """A divergence as `asdict` wrote it."""
        given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        given["position"] = Position(**data["position"])
        return Divergence(**given)


@dataclass(slots=True)
class Tally:
    """What was examined, and what was found. `+` adds two."""

    counts: Counter[str] = field(default_factory=Counter)
    decisive: Counter[str] = field(default_factory=Counter)  # requirement -> verdicts it alone decided
    divergences: list[Divergence] = field(default_factory=list)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.counts + other.counts, self.decisive + other.decisive, self.divergences + other.divergences)

    def plain(self) -> Plain:
        return {
            "counts": dict(self.counts),
            "decisive": dict(self.decisive),
            "divergences": [asdict(d) for d in self.divergences],
        }

    @staticmethod
    def of(data: Plain) -> Tally:
        return Tally(
            Counter(data["counts"]), Counter(data["decisive"]), [Divergence.of(d) for d in data["divergences"]]
        )


@dataclass(frozen=True, slots=True)
class Options:
    """How thoroughly to look, at each decision and in part.

    altered: so many moves altered in a part, and as many that one requirement alone forbids; where there are any, another legal move
    too, and the move made in a varied position. symbolic: every how manieth verdict Z3 gives too (0: none). claims: whether they are
    tested: under another reading some need not hold.
    """

    altered: int = 1
    symbolic: int = 0
    claims: bool = True


class CrossCheck:
    """Cross-checks one ruleset for one number of players."""

    def __init__(
        self,
        rules: Rules,
        other: Opinion | None,
        symbolic: SymbolicRules | None,
        options: Options,
        starts: Sequence[Start] = (),
    ) -> None:
        self.rules = rules
        self.compare = Comparison(rules, other, symbolic)
        self.codec = self.compare.codec
        self.policies = policies_of(rules)
        self.options = options
        self.starts = starts
        self.tally = Tally(self.compare.counts)
        self.game = 0
        self.policy = ""
        self.start = ""
        self.history: list[tuple[Taken, bool]] = []
        self.actions = list(rules.model.actions.values())
        # The variables that hold a number for each player: their place, type and number of cells.
        self.owned = [
            (rules.index[name], v.type, len(rules.keys(name)))
            for name, v in rules.model.state.items()
            if v.keys == (Sort(rules.model.player_sort),) and isinstance(v.type, Num) and not v.display
            if len(rules.keys(name)) > 1
        ]
        # What stands on the board and lies beside it: variables with other keys, each with those that are derived of it.
        self.pieces = [
            (v, derived_of(rules, v.name))
            for v in rules.model.state.values()
            if v.keys and not v.display and v.keys != (Sort(rules.model.player_sort),)
        ]

    # ------------------------------------------------------------ one game

    def play(self, game: int) -> None:
        """The game of this number: a tour if three divides it and there is anywhere to go, else whole."""
        rng = random.Random(game)
        self.game = game
        is_tour, tour = game % 3 == 0 and bool(self.starts), game // 3
        self.policy = self.policies.names[(tour if is_tour else game - tour) % len(self.policies.names)]
        self.sought = Sought(self.policies.relaxed.pairs, random.Random(f"{game} sought"))
        self.tally.counts["games"] += 1
        self.tally.counts[f"games_{self.policy}"] += 1
        choose = self.policies.player(self.policy, rng)
        if is_tour:
            self.tally.counts["tours"] += 1
            stops = min(STOPS, len(self.starts))
            first = tour * stops
            for i in range(first, first + stops):
                start = self.starts[i % len(self.starts)]
                self.start = f"{start.title} ({start.place})"
                self.tally.counts["scenario_starts"] += 1
                self.play_on(rng, choose, start.state, min(TOUR // stops, STRETCH))
            return
        self.start = ""
        self.history = []
        state = self.rules.initial()
        if not self.report(state, self.compare.set_up(state)):
            self.play_on(rng, choose, state, LONGEST)

    def play_on(self, rng: random.Random, choose: Choose, state: State, most: int) -> None:
        """From a position at rest to the end, or for `most` decisions; it ends early at the first difference, since what
        follows would differ too."""
        self.history = []
        decisions = 0
        while True:
            self.tally.counts["positions"] += 1
            outcomes = self.rules.chance(state)
            if self.report(state, self.compare.chance(state, outcomes)):
                return
            if outcomes:
                i, args, _ = rng.choices(outcomes, weights=[w for *_, w in outcomes])[0]
                after, found = self.compare.happen(state, (i, args))
                if self.report(state, found) or after is None:
                    return
                self.history.append(((i, args), True))
                state = after
                continue
            moves = self.rules.legal(state)
            found = self.compare.legal(state, moves)
            if self.options.claims and decisions % CLAIMS_EVERY == 0:
                found += self.compare.claims(state, moves)
            if self.report(state, found):
                return
            if not moves or decisions == most:
                return
            # The position of a scenario is a rare one: it is looked at longer.
            looks = self.options.altered * (1 if most == LONGEST or decisions > 0 else FIRST_LOOKS)
            if self.options.altered and self.judge_others(rng, state, moves, looks):
                return
            taken = choose(state, moves)
            j = self.judge(state, taken, "decisions")
            if j is None or j.state is None:
                return
            variations = self.options.altered and (VARIED if len(j.events) > MUCH else 1)
            if self.judge_varied(rng, state, taken, j.state, variations):
                return
            self.history.append((taken, False))
            state = j.state
            decisions += 1

    def judge_others(self, rng: random.Random, state: State, moves: list[Taken], looks: int) -> bool:
        """Moves that are not made: altered ones, some that one requirement alone forbids, another legal one. Whether any differs."""
        taken = any_kind(rng, moves)
        others = [(self.alter(rng, moves, taken), "altered_moves") for _ in range(self.options.altered)]
        legal = set(moves)
        wanted = looks
        for _ in range(LOOKS * looks):
            pair = self.sought.next()
            alone = [m for m in self.policies.relaxed.moves(state, *pair) if m not in legal]
            if alone:
                self.sought.found(pair)
                others.append((self.sought.rng.choice(alone), "relaxed_moves"))
                wanted -= 1
                if not wanted:
                    break
        others.append((taken, "tried_moves"))
        return any(self.judge(state, other, counted) is None for other, counted in others)

    def judge_varied(self, rng: random.Random, state: State, taken: Taken, after: State, count: int) -> bool:
        """The move that is made, in positions a little different. Whether any opinions differ.

        after: the position that the move led to.
        """
        for _ in range(count):
            varied, move = self.vary(rng, state, after), taken
            if varied is None:
                continue
            if varied.changed:
                moves = self.rules.legal_now(varied.state)
                found = self.compare.legal(varied.state, moves)
                if any(d.kind == "refused" for d in found) or not moves:
                    continue
                if self.report(varied.state, found):
                    return True
                if taken not in moves:
                    move = rng.choice(moves)
            self.tally.counts["varied_positions"] += 1
            _, differences = self.compare.move(varied.state, move)
            # No game need reach it: the other opinion may know that there is no such position, a bound may be exceeded.
            if self.report(varied.state, [d for d in differences if d.kind not in ("refused", "rules")]):
                return True
        return False

    # ------------------------------------------------------------ altered moves and positions

    def vary(self, rng: random.Random, state: State, after: State) -> Varied | None:
        """A position a little different; None where what comes out is none that could be played on."""
        if self.pieces and rng.random() < 0.5:
            return self.vary_piece(rng, state)
        varied = self.vary_owned(rng, state, after)
        return Varied(varied, False) if varied is not None and self.could_be(varied) else None

    def could_be(self, state: State) -> bool:
        try:
            self.codec.check_bounds(state)
            return not self.rules.broken(state) and self.rules.rest(state, []) == state
        except (InputError, InternalError):
            return False

    def vary_piece(self, rng: random.Random, state: State) -> Varied | None:
        """One piece is another, or there are more or fewer of a kind; what is derived of that is as at set-up."""
        var, derived = rng.choice(self.pieces)
        cells = list(state[self.rules.index[var.name]])
        there = [i for i, v in enumerate(cells) if (v is not None if isinstance(var.type, Option) else v)]
        if not there:
            return None
        at = rng.choice(there)
        cells[at] = self.other_value(rng, cells[at], var.type)
        given = {n: v for n, v in zip(self.rules.model.state, state, strict=True) if n not in derived}
        varied = self.rules.defaults({**given, var.name: tuple(cells)})
        return Varied(varied, True) if varied != state and self.could_be(varied) else None

    def other_value(self, rng: random.Random, value: Any, t: Type) -> Any:
        if isinstance(t, Option):
            return self.other_value(rng, value, t.inner)
        if isinstance(t, Record):
            fields = self.rules.model.records[t.name].fields
            i = rng.randrange(len(fields))
            return (*value[:i], self.other_value(rng, value[i], fields[i][1]), *value[i + 1 :])
        if isinstance(t, Num):
            return min(t.hi, max(t.lo, rng.choice((t.lo, value - 1, value + 1))))
        return rng.choice(self.rules.model.values(t))

    def vary_owned(self, rng: random.Random, state: State, after: State) -> State | None:
        """What some players have is as others have it, or one off: rules are easily got wrong where players are tied.

        They are tied now, or would be after the move if it gives each as much as it gave: so points may be equal at the end.
        """
        varied = list(state)
        for _ in range(rng.choice((1, 2, 3, 4))):
            if not self.owned:
                return None
            at, t, count = rng.choice(self.owned)
            cells = list(varied[at])
            one, other = rng.sample(range(count), 2)
            tied = rng.choice((cells[other], cells[one] + after[at][other] - after[at][one]))
            near = rng.randint(t.lo, (t.lo + t.hi) // 2) if rng.random() < 0.2 else tied + rng.choice((0, 0, 1, -1))
            cells[one] = min(t.hi, max(t.lo, near))
            varied[at] = tuple(cells)
        return None if tuple(varied) == state else tuple(varied)

    def alter(self, rng: random.Random, moves: list[Taken], taken: Taken) -> Taken:
        """A legal move changed in one or two of its parts, or a random well-formed move of the same player.

        Half of the new values are such as other legal moves have there: a card that is held, a source that has cubes.
        Else most altered moves would fail for the same few reasons.
        """
        number, args = taken
        if rng.random() < 0.25:
            number = rng.randrange(len(self.actions))
            t = self.actions[number]
            values = {p.name: self.value(rng, moves, p) for p in t.params}
            if t.params[0].type == self.actions[taken[0]].params[0].type:
                values[t.params[0].name] = args[0]
            return number, self.codec.scalars(t, values)
        t = self.actions[number]
        values = self.compare.game.values(t, args)
        for _ in range(rng.choice((1, 1, 2))):
            i = rng.randrange(len(t.params))
            if i > 0 or rng.random() < 0.2:
                p = t.params[i]
                before = values[p.name]
                if isinstance(p.type, Seq) and len(before) > 1 and rng.random() < 0.5:
                    values[p.name] = tuple(rng.sample(before, len(before)))
                else:
                    values[p.name] = self.value(rng, moves, p)
        return number, self.codec.scalars(t, values)

    def value(self, rng: random.Random, moves: list[Taken], p: Param) -> Any:
        """A value for a parameter: any of its type, or one from some legal move with a parameter like it."""
        if rng.random() < 0.5:
            number, args = rng.choice(moves)
            if p in self.actions[number].params:
                return self.compare.game.values(self.actions[number], args)[p.name]
        if isinstance(p.type, Seq):
            inner = self.rules.model.values(p.type.inner)
            return tuple(rng.choice(inner) for _ in range(rng.randint(p.type.lo, p.type.hi)))
        return rng.choice(self.rules.model.values(p.type))

    # ------------------------------------------------------------ one move

    def judge(self, state: State, taken: Taken, counted: str) -> Judgement | None:
        """Every opinion's verdict on a move; None where they differ, which is reported."""
        self.tally.counts[counted] += 1
        j, found = self.compare.move(state, taken)
        if j is not None:
            if len(j.violated) == 1:
                self.tally.decisive[j.violated[0].requirement] += 1
            every = self.options.symbolic
            if self.compare.symbolic is not None and every and self.tally.counts[counted] % every == 0:
                found += self.compare.z3(state, taken, j)
        return None if self.report(state, found) else j

    def report(self, state: State, found: list[Difference]) -> bool:
        """Notes what differs in a position; whether anything does."""
        for d in found:
            moves = tuple(self.compare.say(*step) for step in self.history)
            self.tally.divergences.append(
                Divergence(
                    d.kind,
                    d.names,
                    d.signature,
                    self.compare.plain(state),
                    self.compare.told(d.taken, d.is_chance),
                    self.compare.say(d.taken, d.is_chance),
                    d.spec,
                    d.other,
                    self.game,
                    self.policy,
                    self.start,
                    moves,
                )
            )
        return bool(found)


@dataclass(frozen=True, slots=True)
class Varied:
    """A position made of another. changed: whether other moves may be legal there for what stands on the board."""

    state: State
    changed: bool


def derived_of(rules: Rules, name: str) -> set[str]:
    """The variables whose values at set-up depend on this one."""
    found: set[str] = set()
    more = {name}
    while more:
        more = {
            n for n, reads in rules.default_reads.items() if n not in found and n != name and not reads.isdisjoint(more)
        }
        found |= more
    return found


class Sought:
    """Which requirement to look for next in a game: the one looked for least, one that was found counting more."""

    def __init__(self, pairs: Sequence[tuple[str, int]], rng: random.Random) -> None:
        self.rng = rng
        self.queue = [(0, i, pair) for i, pair in enumerate(rng.sample(pairs, len(pairs)))]

    def next(self) -> tuple[str, int]:
        """The next pair of a requirement and an action."""
        looks, i, pair = self.queue[0]
        heapq.heapreplace(self.queue, (looks + 1, i, pair))
        return pair

    def found(self, pair: tuple[str, int]) -> None:
        """It forbade a move alone."""
        at = next(n for n, (_, _, p) in enumerate(self.queue) if p == pair)
        looks, i, _ = self.queue[at]
        self.queue[at] = (looks + FOUND - 1, i, pair)
        heapq.heapify(self.queue)
