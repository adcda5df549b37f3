"""Comparing opinions on one position, one move or one outcome of chance: what the rules say, and what another says."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from brassspec.checker.opinions import Opinion
from brassspec.formats import InputError, Move, Outcome, Plain, Position
from brassspec.formats.reading import clean
from brassspec.rules.api import Game, Taken
from brassspec.rules.concrete import InternalError, Judgement, RawEvent, Rules, State

if TYPE_CHECKING:
    from brassspec.checker.symbolic import SymbolicRules

MAX_KNOWN = 200_000  # moves of which the plain form is remembered

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Difference:
    """Two opinions differ: about what, at which move or outcome of chance (None: about the position), and what each says.

    kind: "verdict", "legal moves" (a list that one's own verdicts belie), "position", "events", "chance", "refused" (no answer),
    "set-up", "z3 verdict", "z3 position"; of the rules alone: "invariant", "claim", "rules" (they contradict themselves).
    names: the requirements, invariants or claims, state variables, events or chances that it is about.
    """

    kind: str
    names: tuple[str, ...]
    spec: str
    other: str
    taken: Taken | None = None
    is_chance: bool = False

    @property
    def signature(self) -> str:
        """Differences of one kind have one signature."""
        if self.kind.endswith("verdict") or self.kind == "legal moves":
            return f"{self.kind}: {self.spec} / {self.other}"
        return f"{self.kind}: {', '.join(self.names)}"


class NoAnswer(Exception):
    """The other opinion has none: it refuses what it is asked (`refuses`), or it fails."""

    def __init__(self, text: str, refuses: bool) -> None:
        super().__init__(text)
        self.refuses = refuses


def explain(names: Iterable[str]) -> str:
    """A verdict in words: legal, or by which requirements it is illegal."""
    said = ", ".join(names)
    return f"illegal by {said}" if said else "legal"


# Plain data as something that can be looked up.
key_of = msgspec.json.Encoder(order="deterministic").encode


class Comparison:
    """Compares one ruleset's opinions. `counts` tells how much was compared."""

    def __init__(self, rules: Rules, other: Opinion | None, symbolic: SymbolicRules | None = None) -> None:
        self.rules = rules
        self.game = Game(rules)
        self.codec = self.game.codec
        self.other = other
        self.symbolic = symbolic
        self.counts: Counter[str] = Counter()
        self._written: deque[tuple[State, Position]] = deque(maxlen=6)
        self._values: list[tuple[Any, Any]] = [(None, None)] * len(rules.model.state)
        self._moves: dict[Taken, tuple[Move, bytes]] = {}
        self._sound: State | None = None  # the last position that broke no invariant

    # ------------------------------------------------------------ plain data, each written once

    def plain(self, state: State) -> Position:
        """The state as plain data. Each is asked for several times in a row, and most of it is as in the one before."""
        for known, position in reversed(self._written):
            if known is state:
                return position
        out: Plain = {}
        for i, (var, value) in enumerate(zip(self.rules.model.state.values(), state, strict=True)):
            before, written = self._values[i]
            if before is not value:
                written = self.codec.write_var(var, value)
                self._values[i] = (value, written)
            out[var.name] = written
        position = Position(self.rules.model.ruleset, self.rules.model.players, out)
        self._written.append((state, position))
        return position

    def move_of(self, taken: Taken) -> tuple[Move, bytes]:
        """A move as plain data, and its key: the same few thousand come up again and again."""
        found = self._moves.get(taken)
        if found is None:
            if len(self._moves) > MAX_KNOWN:
                self._moves.clear()
            move = self.codec.move(*taken)
            found = self._moves[taken] = (move, key_of(move))
        return found

    def told(self, taken: Taken | None, is_chance: bool) -> Plain | None:
        """A move or outcome of chance as plain data."""
        if taken is None:
            return None
        return self.codec.chance(*taken) if is_chance else self.move_of(taken)[0]

    def say(self, taken: Taken | None, is_chance: bool) -> str:
        """The same in words, "" for none."""
        if taken is None:
            return ""
        speaker = self.game.speaker
        return speaker.say_chance(*taken) if is_chance else speaker.say_move(*taken)

    def hear(self, ask: Callable[[], T]) -> T:
        """The other's answer. Raises NoAnswer where there is none, whatever went wrong there."""
        try:
            return ask()
        except InputError as e:
            raise NoAnswer(f"refused: {e}", True) from None
        except Exception as e:  # a fault of the other opinion is a finding, not an end
            raise NoAnswer(f"fails: {type(e).__name__}: {clean(str(e))}", False) from None

    def refused(self, e: NoAnswer, taken: Taken | None = None, is_chance: bool = False) -> Difference:
        about = str(e).split("'")[0][:60].strip(" :")
        return Difference("refused", (about,), "it can be judged", str(e), taken, is_chance)

    # ------------------------------------------------------------ positions

    def set_up(self, state: State) -> list[Difference]:
        """The position in which a game starts."""
        found = self.invariants(state)
        if self.other is not None:
            try:
                found += self.same_position(state, self.hear(self.other.initial), None, False, "set-up")
            except NoAnswer as e:
                found.append(self.refused(e))
        return found

    def invariants(self, state: State, taken: Taken | None = None, is_chance: bool = False) -> list[Difference]:
        """The invariants that a position breaks, after a move or outcome."""
        broken = self.rules.broken(state, self._sound)
        if not broken:
            self._sound = state
        return [
            Difference("invariant", (name,), f"{name} is broken afterwards", "it should hold", taken, is_chance)
            for name in broken
        ]

    def claims(self, state: State, moves: list[Taken]) -> list[Difference]:
        """The claims that a position or one of its legal moves refutes."""
        return [
            Difference("claim", (name,), f"{name} is refuted", "it should hold", move)
            for name, move in self.rules.refuted_claims(state, moves)
        ]

    def same_position(
        self, ours: State, theirs: Position, taken: Taken | None, is_chance: bool, kind: str = "position"
    ) -> list[Difference]:
        self.counts["positions_compared"] += 1
        mine = self.plain(ours).state
        if mine == theirs.state:
            # From here on the other is asked about the position it wrote itself, which it may still know.
            self._written.append((ours, theirs))
            return []
        names = [k for k in dict.fromkeys([*mine, *theirs.state]) if mine.get(k) != theirs.state.get(k)]
        spec, other = ("; ".join(f"{k}: {json.dumps(p.get(k))}" for k in names) for p in (mine, theirs.state))
        return [Difference(kind, tuple(names), spec, other, taken, is_chance)]

    def same_events(
        self, ours: tuple[RawEvent, ...], theirs: tuple[Plain, ...], taken: Taken | None, is_chance: bool
    ) -> list[Difference]:
        mine = [self.codec.event(e) for e in ours]
        if mine == list(theirs):
            return []
        # The first place where they part: what is missing there, or another.
        at = next(
            (i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs))
        )
        there = [e[at]["event"] for e in (mine, list(theirs)) if at < len(e)]
        said = [json.dumps(e[at:]) for e in (mine, list(theirs))]
        return [Difference("events", tuple(dict.fromkeys(there)), said[0], said[1], taken, is_chance)]

    # ------------------------------------------------------------ chance

    def chance(self, state: State, outcomes: list[tuple[int, tuple[Any, ...], int]]) -> list[Difference]:
        """What chance may bring, with its weights."""
        if self.other is None:
            return []
        try:
            theirs = self.hear(lambda: self.other.chance(self.plain(state)))  # type: ignore[union-attr]
        except NoAnswer as e:
            return [self.refused(e)]
        if not outcomes and not theirs:
            return []
        outcomes_known = [(self.codec.chance(i, a), w) for i, a, w in outcomes]
        mine = {key_of(c): w for c, w in outcomes_known}
        said = {key_of(c): w for c, w in theirs}
        if mine == said and len(theirs) == len(said):
            return []
        apart = [k for k in dict.fromkeys([*mine, *said]) if mine.get(k) != said.get(k)] or list(said)

        plain = {key_of(c): c for c, _ in [*outcomes_known, *theirs]}

        def told(weights: dict[bytes, int]) -> str:
            listed = [f"{' '.join(map(str, plain[k].values()))} (weight {weights[k]})" for k in apart if k in weights]
            return (
                "; ".join(listed[:4]) + (f"; and {len(listed) - 4} more" if len(listed) > 4 else "") or "nothing of it"
            )

        names = tuple(dict.fromkeys(str(plain[k]["chance"]) for k in apart))
        return [Difference("chance", names, told(mine), told(said))]

    def happen(self, state: State, taken: Taken) -> tuple[State | None, list[Difference]]:
        """The position after an outcome of chance (None where the rules give none)."""
        self.counts["chance_events"] += 1
        try:
            after, events = self.rules.happen(state, *taken)
        except InternalError as e:
            return None, [Difference("rules", (_head(e),), str(e), "a position is due", taken, True)]
        found = self.invariants(after, taken, True)
        if self.other is not None:
            told = self.codec.chance(*taken)
            try:
                outcome = self.hear(lambda: self.other.apply_chance(self.plain(state), told))  # type: ignore[union-attr]
            except NoAnswer as e:
                return after, [*found, self.refused(e, taken, True)]
            found += self.same_outcome(after, events, outcome, taken, True)
        return after, found

    def rest(self, state: State) -> tuple[State, list[Difference]]:
        """The position that comes of one in which something happens by itself."""
        events: list[RawEvent] = []
        after = self.rules.rest(state, events)
        if self.other is None or after == state:
            return after, []
        try:
            outcome = self.hear(lambda: self.other.rest(self.plain(state)))  # type: ignore[union-attr]
        except NoAnswer as e:
            return after, [self.refused(e)]
        return after, self.same_outcome(after, tuple(events), outcome, None, False)

    def same_outcome(
        self, after: State, events: tuple[RawEvent, ...], outcome: Outcome, taken: Taken | None, is_chance: bool
    ) -> list[Difference]:
        if outcome.position is None:
            return [Difference("refused", ("no position",), "it can happen", "no position follows", taken, is_chance)]
        return self.same_position(after, outcome.position, taken, is_chance) or self.same_events(
            events, outcome.events, taken, is_chance
        )

    # ------------------------------------------------------------ moves

    def legal(self, state: State, moves: list[Taken]) -> list[Difference]:
        """The sets of legal moves; of those that one has too much, the first a side."""
        if self.other is None:
            return []
        self.counts["legal_sets"] += 1
        self.counts["moves"] += len(moves)
        ours = {self.move_of(m)[1]: m for m in moves}
        try:
            theirs = list(self.hear(lambda: self.other.legal_moves(self.plain(state))))  # type: ignore[union-attr]
        except NoAnswer as e:
            return [self.refused(e)]
        others = {key_of(m): m for m in theirs}
        if ours.keys() == others.keys() and len(theirs) == len(others):
            return []
        found: list[Difference] = []
        if len(others) < len(theirs):
            twice = next(m for m, n in Counter(map(key_of, theirs)).items() if n > 1)
            found.append(Difference("legal moves", (), "each move once", "a move twice", ours.get(twice)))
        for k in sorted(ours.keys() - others.keys())[:1]:
            found += self.move(state, ours[k])[1] or [Difference("legal moves", (), "legal", "not listed", ours[k])]
        for k in sorted(others.keys() - ours.keys())[:1]:
            try:
                taken = self.game.whole(self.game.request(others[k]))
            except InputError as e:
                found.append(Difference("legal moves", (), f"no move: {e}", f"legal: {json.dumps(others[k])}"))
                continue
            j, differences = self.move(state, taken)
            names = tuple(f.requirement for f in j.violated) if j is not None else ()
            found += differences or [Difference("legal moves", names, explain(names), "listed as legal", taken)]
        return found

    def move(self, state: State, taken: Taken) -> tuple[Judgement | None, list[Difference]]:
        """Every opinion's verdict on a move, the next position and the events (None where the rules give no verdict)."""
        try:
            j = self.rules.step(state, *taken)
        except InternalError as e:
            return None, [Difference("rules", (_head(e),), str(e), "a position is due", taken)]
        found = [] if j.state is None else self.invariants(j.state, taken)
        return j, found + self.other_verdict(state, taken, j)

    def other_verdict(self, state: State, taken: Taken, j: Judgement) -> list[Difference]:
        if self.other is None:
            return []
        names = [f.requirement for f in j.violated]
        try:
            outcome = self.hear(lambda: self.other.step(self.plain(state), self.move_of(taken)[0]))  # type: ignore[union-attr]
        except NoAnswer as e:
            if names and e.refuses:
                # What one opinion forbids may not even be on the other's board, as in a variant with closed towns.
                self.counts["refused_moves"] += 1
                return []
            return [self.refused(e, taken)]
        theirs = [v.requirement for v in outcome.violated]
        if bool(names) != bool(theirs) or not _reasons_agree(names, theirs):
            apart = tuple(n for n in dict.fromkeys([*names, *theirs]) if (n in names) != (n in theirs))
            return [Difference("verdict", (*apart, *j.exceptions), explain(names), explain(theirs), taken)]
        if j.state is None:
            return []
        return self.same_outcome(j.state, j.events, outcome, taken, False)

    def z3(self, state: State, taken: Taken, j: Judgement) -> list[Difference]:
        """Z3's verdict on a move, held against the concrete one."""
        assert self.symbolic is not None
        t = list(self.rules.model.actions.values())[taken[0]]
        verdict = self.symbolic.step(state, t.name, dict(zip([p.name for p in t.scalars()], taken[1], strict=True)))
        self.counts["z3_verdicts"] += 1
        names, theirs = [f.requirement for f in j.violated], list(verdict.violated)
        if theirs != names or list(verdict.unevaluated) != list(j.unevaluated):
            apart = tuple(n for n in dict.fromkeys([*names, *theirs]) if (n in names) != (n in theirs))
            return [Difference("z3 verdict", apart, explain(names), explain(theirs), taken)]
        if verdict.state != j.state:
            assert verdict.state is not None
            assert j.state is not None
            return self.same_position(j.state, self.plain(verdict.state), taken, False, "z3 position")
        return []

    # ------------------------------------------------------------ again

    def again(self, state: State, d: Difference) -> list[Difference]:
        """What differs where a difference of this kind is looked for in another position, for the same move or outcome."""
        if d.kind == "legal moves":
            return self.legal(state, self.rules.legal_now(state))
        if d.kind == "claim":
            return self.claims(state, self.rules.legal_now(state))
        if d.taken is None:
            return self.chance(state, self.rules.chance(state)) + self.legal(state, self.rules.legal_now(state))
        if d.is_chance:
            due = any((i, args) == d.taken for i, args, _ in self.rules.chance(state))
            return self.happen(state, d.taken)[1] if due else []
        if self.rules.chance(state):
            return []
        j, found = self.move(state, d.taken)
        return found + (self.z3(state, d.taken, j) if j is not None and d.kind.startswith("z3") else [])


def _reasons_agree(ours: list[str], theirs: list[str]) -> bool:
    """A sole decider is among the reasons of the other. (What can't be evaluated after a failure is left to each opinion.)"""
    if len(ours) == 1 and theirs and ours[0] not in theirs:
        return False
    return not (len(theirs) == 1 and ours and theirs[0] not in ours)


def _head(error: Exception) -> str:
    return str(error).split(",")[0]
