"""Cross-check: random games in which every opinion judges every position, every move, and moves altered in one part."""

from __future__ import annotations

import json
import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brassspec.checker.opinions import Opinion
from brassspec.formats import InputError, Plain, Position
from brassspec.rules.api import Game
from brassspec.rules.concrete import InternalError, Judgement, Rules, State
from brassspec.rules.model import Require, Transition

if TYPE_CHECKING:
    from brassspec.checker.symbolic import SymbolicRules


@dataclass(frozen=True, slots=True)
class Divergence:
    """Two opinions differ: about what, on which position and move, and what each says."""

    kind: str
    position: Position
    move: str
    spec: str
    other: str
    game: int

    @property
    def signature(self) -> str:
        """Failures of one kind have one signature."""
        return f"{self.kind}: {self.spec.split(':')[0]} / {self.other.split(':')[0]}"


@dataclass(slots=True)
class Tally:
    """What was examined, and what was found. `+` adds two."""

    counts: Counter[str] = field(default_factory=Counter)
    decisive: Counter[str] = field(default_factory=Counter)  # requirement -> verdicts it alone decided
    satisfied: Counter[str] = field(default_factory=Counter)  # requirement -> legal moves it had a say in
    divergences: list[Divergence] = field(default_factory=list)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.counts + other.counts,
            self.decisive + other.decisive,
            self.satisfied + other.satisfied,
            self.divergences + other.divergences,
        )


def _key(data: Plain) -> tuple[Any, ...]:
    """A flat object as something that can be looked up."""
    return tuple(sorted((k, tuple(v) if isinstance(v, list) else v) for k, v in data.items()))


def explain(names: list[str] | tuple[str, ...]) -> str:
    return "illegal by " + ", ".join(names) if names else "legal"


@dataclass(frozen=True, slots=True)
class Options:
    """How thoroughly to look. `altered`: altered moves a decision; `symbolic`: every how manieth decision Z3 judges too (0: none)."""

    altered: int = 1
    symbolic: int = 0
    until: Callable[[State], bool] | None = None  # where a game is left before its end


class CrossCheck:
    """Cross-checks one ruleset for one number of players."""

    def __init__(self, rules: Rules, other: Opinion | None, symbolic: SymbolicRules | None, options: Options) -> None:
        self.rules = rules
        self.game_rules = Game(rules)
        self.codec = self.game_rules.codec
        self.speaker = self.game_rules.speaker
        self.other = other
        self.symbolic = symbolic
        self.options = options
        self.tally = Tally()
        self.game = 0
        self.written: deque[tuple[State, Position]] = deque(maxlen=4)
        self.requirements = {
            a.name: sorted({n.name for n in a.nodes if isinstance(n, Require)}) for a in rules.model.actions.values()
        }

    def plain(self, state: State) -> Position:
        """The state as plain data. Each is asked for several times in a row."""
        for known, position in self.written:
            if known is state:
                return position
        position = self.codec.position(state)
        self.written.append((state, position))
        return position

    # ------------------------------------------------------------ one game

    def play(self, seed: int) -> None:
        """One random game; it ends early at the first divergence, since all that follows would diverge too."""
        rng = random.Random(seed)
        self.game = seed
        self.tally.counts["games"] += 1
        self.state = self.rules.defaults({})
        try:
            self.play_on(rng, self.rules.initial())
        except InternalError as e:
            # Rules that contradict themselves, and positions that the other opinion refuses, are findings too.
            self.report("rules", self.state, "", str(e), "a position and its events are due")
        except InputError as e:
            self.report("position", self.state, "", "a position of the game", f"refused: {e}")

    def play_on(self, rng: random.Random, state: State) -> None:
        before = len(self.tally.divergences)
        if self.other is not None:
            self.compare_positions(state, self.other.initial(), "set-up")
        while len(self.tally.divergences) == before:
            self.state = state
            if self.options.until is not None and self.options.until(state):
                return
            broken = self.rules.broken(state)
            self.tally.counts["positions"] += 1
            for name in broken:
                self.report("invariant", state, "", f"{name} is broken", "it should hold")
            outcomes = self.rules.chance(state)
            if self.other is not None:
                self.compare_chance(state, outcomes)
            if outcomes:
                i, args, _ = rng.choices(outcomes, weights=[w for *_, w in outcomes])[0]
                state = self.happen(state, i, args)
                continue
            moves = self.rules.legal(state)
            if self.other is not None:
                self.compare_legal(state, moves)
            for name, move in self.rules.refuted_claims(state, moves):
                self.report(
                    "claim", state, self.speaker.say_move(*move) if move else "", f"{name} is refuted", "it should hold"
                )
            if not moves:
                return
            # The kind of action first, then the move: else the many ways to build drown all the rest.
            kinds = sorted({m[0] for m in moves})
            kind = rng.choice(kinds)
            action, move_args = rng.choice([m for m in moves if m[0] == kind])
            for _ in range(self.options.altered):
                self.judge(state, *self.alter(rng, moves, action, move_args), "altered_moves")
            j = self.judge(state, action, move_args, "decisions")
            assert j.state is not None
            state = j.state

    def happen(self, state: State, chance: int, args: tuple[Any, ...]) -> State:
        after, events = self.rules.happen(state, chance, args)
        self.tally.counts["chance_events"] += 1
        if self.other is not None:
            told = self.codec.chance(chance, args)
            outcome = self.other.apply_chance(self.plain(state), told)
            said = self.speaker.say_chance(chance, args)
            if outcome.position is not None:
                self.compare_positions(after, outcome.position, said, state)
            self.compare_events(state, said, events, outcome.events)
        return after

    def alter(
        self, rng: random.Random, moves: list[tuple[int, tuple[Any, ...]]], action: int, args: tuple[Any, ...]
    ) -> tuple[int, tuple[Any, ...]]:
        """A legal move changed in one or two of its arguments, or a random well-formed move.

        Half of the new values are such as other legal moves have there: a card that is held, a source that has cubes.
        Else most altered moves would fail for the same few reasons.
        """
        actions = list(self.rules.model.actions.values())
        if rng.random() < 0.25:
            action = rng.randrange(len(actions))
            args = (
                moves[0][1][0],
                *[self.value(rng, moves, action, i) for i in range(1, len(actions[action].scalars()))],
            )
        changed = list(args)
        for _ in range(rng.choice((1, 1, 2))):
            i = rng.randrange(len(changed))
            if i > 0 or rng.random() < 0.2:
                changed[i] = self.value(rng, moves, action, i)
        return action, self.canonical(actions[action], tuple(changed))

    def value(self, rng: random.Random, moves: list[tuple[int, tuple[Any, ...]]], action: int, i: int) -> Any:
        """A value for an argument: any of its type, or one from some legal move with an argument of that name."""
        p = list(self.rules.model.actions.values())[action].scalars()[i]
        if rng.random() < 0.5:
            other, found = rng.choice(moves)
            names = [q.name for q in list(self.rules.model.actions.values())[other].scalars()]
            if p.name in names and found[names.index(p.name)] in self.rules.model.values(p.type):
                return found[names.index(p.name)]
        return rng.choice(self.rules.model.values(p.type))

    def canonical(self, t: Transition, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Arguments made well formed: nothing beyond a list's length, pairs in order, elements there."""
        values = dict(zip([p.name for p in t.scalars()], args, strict=True))
        for name, value in list(values.items()):
            if name.endswith(".len"):
                stem = name.removesuffix(".len")
                for other in values:
                    if other.startswith(f"{stem}.") and other != name:
                        i = int(other.rpartition(".")[2])
                        if i >= value:
                            values[other] = None
        for first, second in t.either_order:
            if values[first] > values[second]:
                values[first], values[second] = values[second], values[first]
        return tuple(values.values())

    # ------------------------------------------------------------ one move

    def judge(self, state: State, action: int, args: tuple[Any, ...], counted: str) -> Judgement:
        """Every opinion's verdict on a move."""
        self.tally.counts[counted] += 1
        j = self.rules.step(state, action, args)
        names = [f.requirement for f in j.violated]
        if not names:
            self.tally.satisfied.update(self.requirements[self.rules.action_names[action]])
        if len(names) == 1:
            self.tally.decisive[names[0]] += 1
        said = self.speaker.say_move(action, args)
        if self.other is not None:
            self.compare_verdict(state, action, args, j, said)
        if (
            self.symbolic is not None
            and self.options.symbolic
            and self.tally.counts[counted] % self.options.symbolic == 0
        ):
            self.compare_symbolic(state, action, args, j, said)
        return j

    def compare_verdict(self, state: State, action: int, args: tuple[Any, ...], j: Judgement, said: str) -> None:
        assert self.other is not None
        names = [f.requirement for f in j.violated]
        try:
            outcome = self.other.step(self.plain(state), self.codec.move(action, args))
        except InputError:
            if not names:
                raise
            # What one opinion forbids may not even be on the other's board, as in a variant with closed towns.
            self.tally.counts["refused_moves"] += 1
            return
        theirs = [v.requirement for v in outcome.violated]
        if bool(names) != bool(theirs) or not self.reasons_agree(names, theirs):
            self.report("verdict", state, said, explain(names), explain(theirs))
        elif outcome.position is not None and j.state is not None:
            self.compare_positions(j.state, outcome.position, said, state)
            self.compare_events(state, said, j.events, outcome.events)

    def reasons_agree(self, ours: list[str], theirs: list[str]) -> bool:
        """A sole decider is among the reasons of the other. (What can't be evaluated after a failure is left to each opinion.)"""
        if len(ours) == 1 and theirs and ours[0] not in theirs:
            return False
        return not (len(theirs) == 1 and ours and theirs[0] not in ours)

    def compare_symbolic(self, state: State, action: int, args: tuple[Any, ...], j: Judgement, said: str) -> None:
        assert self.symbolic is not None
        t = list(self.rules.model.actions.values())[action]
        verdict = self.symbolic.step(state, t.name, dict(zip([p.name for p in t.scalars()], args, strict=True)))
        self.tally.counts["z3_verdicts"] += 1
        names = [f.requirement for f in j.violated]
        if list(verdict.violated) != names or list(verdict.unevaluated) != list(j.unevaluated):
            self.report("z3 verdict", state, said, explain(names), explain(list(verdict.violated)))
        elif verdict.state != j.state:
            assert verdict.state is not None
            self.report("z3 position", state, said, *self.difference(j.state, verdict.state))

    # ------------------------------------------------------------ comparisons

    def compare_positions(self, ours: State, theirs: Position, said: str, before: State | None = None) -> None:
        self.tally.counts["positions_compared"] += 1
        mine = self.plain(ours).state
        if mine != theirs.state:
            names = [k for k in [*mine, *theirs.state] if mine.get(k) != theirs.state.get(k)]
            spec = "; ".join(f"{k}: {json.dumps(mine.get(k))}" for k in dict.fromkeys(names))
            other = "; ".join(f"{k}: {json.dumps(theirs.state.get(k))}" for k in dict.fromkeys(names))
            self.report("position", before if before is not None else ours, said, spec, other)

    def difference(self, ours: State | None, theirs: State) -> tuple[str, str]:
        assert ours is not None
        mine, other = self.plain(ours).state, self.plain(theirs).state
        names = [k for k in mine if mine[k] != other[k]]
        return "; ".join(f"{k}: {json.dumps(mine[k])}" for k in names), "; ".join(
            f"{k}: {json.dumps(other[k])}" for k in names
        )

    def compare_events(self, state: State, said: str, ours: tuple[Any, ...], theirs: tuple[Plain, ...]) -> None:
        mine = [self.codec.event(e) for e in ours]
        if mine != list(theirs):
            self.report("events", state, said, json.dumps(mine), json.dumps(list(theirs)))

    def compare_chance(self, state: State, outcomes: list[tuple[int, tuple[Any, ...], int]]) -> None:
        assert self.other is not None
        mine = sorted(((_key(self.codec.chance(i, a)), w) for i, a, w in outcomes), key=repr)
        theirs = sorted(((_key(c), w) for c, w in self.other.chance(self.plain(state))), key=repr)
        if mine != theirs:
            self.report("chance", state, "", str(mine[:5]), str(theirs[:5]))

    def compare_legal(self, state: State, moves: list[tuple[int, tuple[Any, ...]]]) -> None:
        assert self.other is not None
        self.tally.counts["legal_sets"] += 1
        self.tally.counts["moves"] += len(moves)
        mine = {_key(self.codec.move(*m)): m for m in moves}
        theirs = {_key(m): m for m in self.other.legal_moves(self.plain(state))}
        for k in sorted(mine.keys() - theirs.keys(), key=repr)[:1]:
            outcome = self.other.step(self.plain(state), self.codec.move(*mine[k]))
            self.report(
                "legal moves",
                state,
                self.speaker.say_move(*mine[k]),
                "legal",
                explain([v.requirement for v in outcome.violated]),
            )
        for k in sorted(theirs.keys() - mine.keys(), key=repr)[:1]:
            action, args = self.game_rules.whole(self.game_rules.request(theirs[k]))
            j = self.rules.step(state, action, args)
            self.report(
                "legal moves",
                state,
                self.speaker.say_move(action, args),
                explain([f.requirement for f in j.violated]),
                "legal",
            )

    def report(self, kind: str, state: State, move: str, spec: str, other: str) -> None:
        self.tally.divergences.append(Divergence(kind, self.plain(state), move, spec, other, self.game))
