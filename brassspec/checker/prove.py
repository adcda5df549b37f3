"""`prove`: what is shown of a ruleset for every position: its invariants, the bounds of its numbers, and what is claimed of it.

Invariants and bounds are proved by induction: they hold at set-up, and no action, automatic step or chance event breaks them.
So "every position" is each one at rest or between two automatic steps. What the solver finds is replayed before it is told.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from brassspec.checker.campaign import campaign
from brassspec.checker.check import Target, start_anew
from brassspec.checker.opinions import Opinion
from brassspec.checker.premises import PREMISE, with_premises
from brassspec.checker.symbolic import INVARIANTS, Example, Interpreter, Proof, Prover, Provers
from brassspec.checker.symbolic.hints import Notebook, shipped, written
from brassspec.formats import InputError, Plain
from brassspec.formats.documents import write_position
from brassspec.grammar.errors import nearest_name
from brassspec.rules.api import Game
from brassspec.rules.compile import asks_what_is_after, reached
from brassspec.rules.concrete import InternalError, Rules, State
from brassspec.rules.model import Expr, Fold, Model, Property, StateVar, Transition

BOUNDS = "bounds."  # before the name of a state variable: that its values are always defined and within their bounds
GAMES = 8  # that are played, for examples and against mistakes
FIRST_SEED = 1
LENGTH = 1_000  # moves, outcomes and steps after which a game is left: some never end
BATCHES = 4  # of transitions, for each number of players
LOOKS = 40  # legal moves of each action and decision of which what is claimed is looked at
SAMPLE = 3  # the same of what is claimed of the position after
BACKENDS = ("bv", "int")
# The units of work that are about no action, step or chance event: no name in a spec has brackets.
PLAY, SETUP, POSITIONS = "(play)", "(setup)", "(positions)"
SOUGHT = (PREMISE, "refuted", "possible")  # the kinds of properties that an example settles
# What one question of Z3 may cost, in its units: both backends are tried with little, then what is not proved with more.
BUDGETS = (12_000_000, 60_000_000)
# When hints are noted: work, in the same units, for which it is worth while to look if the other backend does with a part of it.
DEAR, A_LOT = 100_000, 4

# What may come out for a property, and whether that is what was expected.
PROVED, REFUTED, UNKNOWN, VACUOUS = "proved", "refuted", "unknown", "vacuous"


@dataclass(frozen=True, slots=True)
class Work:
    """One unit of work. what: PLAY, SETUP, POSITIONS, or transitions, which share what is known of positions; names: the
    properties, none for all.

    sought: whether it is for properties that an example settles and play had none for: with the first one each is done.
    noting: whether what proofs needed is to be noted.
    """

    target: Target
    players: int
    what: tuple[str, ...]
    names: tuple[str, ...] = ()
    smt2: str = ""
    sought: bool = False
    noting: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """What one unit found out about one property.

    transition: "" for positions at large. assurance: "proved", "played" (an example was reached by play), "found" (an example that
    is consistent with the invariants), or "unknown", for `reason`. units: of Z3's work; example: a position, a move in words, who
    agreed, and the origin.
    """

    name: str
    players: int
    transition: str
    assurance: str
    backend: str = ""
    seconds: float = 0.0
    units: int = 0
    reason: str = ""
    example: Plain | None = None


@dataclass(slots=True)
class Shown:
    """A property, with what was shown. verdict: PROVED (or, where it says so, possible), REFUTED, UNKNOWN, VACUOUS."""

    name: str
    kind: str  # that of the property, or "bound"
    sentence: str
    reason: str
    verdict: str = UNKNOWN
    assurance: str = ""
    cases: list[Case] = field(default_factory=list)

    @property
    def as_expected(self) -> bool:
        return self.verdict == (REFUTED if self.kind == "refuted" else PROVED)


@dataclass(slots=True)
class Report:
    """What `prove` found. positions, games: how many random play looked at. hints: how many were of use."""

    target: str
    readings: dict[str, str]
    players: tuple[int, ...]
    shown: list[Shown] = field(default_factory=list)
    positions: int = 0
    games: int = 0
    seconds: float = 0.0
    hints: int = 0

    @property
    def units(self) -> int:
        return sum(c.units for s in self.shown for c in s.cases)

    @property
    def verdict(self) -> str:
        """As the word of a result: vacuous before refuted (or otherwise than expected) before unknown before proved."""
        found = {s.verdict for s in self.shown if not s.as_expected}
        if VACUOUS in found or not self.shown:
            return VACUOUS
        return UNKNOWN if found == {UNKNOWN} else REFUTED if found else PROVED


# ---------------------------------------------------------------- what there is to show


def bounded(model: Model) -> list[StateVar]:
    """The state variables that something assigns to."""
    assigned = {name for t in model.transitions().values() for name in t.final}
    return [var for name, var in model.state.items() if name in assigned]


def to_show(model: Model) -> dict[str, Shown]:
    found = {p.name: Shown(p.name, p.kind, p.sentence, p.reason) for p in model.properties}
    for var in bounded(model):
        name = BOUNDS + var.name
        found[name] = Shown(name, "bound", f"{var.title} is always defined and within its bounds, {var.type}", "")
    return found


def counts(model: Model, expr: Expr) -> bool:
    """Whether an expression counts or sums, itself or by a definition: integers do that better than bit-vectors."""
    return any(isinstance(part, Fold) for part in reached(model, expr))


# ---------------------------------------------------------------- the verb


def prove(
    ruleset: str,
    name: str | None = None,
    *,
    players: int | None = None,
    jobs: int = 2,
    smt2: Path | None = None,
    note: Path | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Report:
    """Proves or refutes what is stated of a ruleset (a name, or the path of an edition's file), or one property of it.

    players: for this number only, else for every one. smt2: a folder for the solver's questions. note: a file of hints, which is
    written anew: of those in it what was of use, and what else proofs needed. progress: called with (units done, units in all,
    what). Raises InputError where there is no such ruleset, property, number of players, folder or file; SpecError on a faulty
    spec.
    """
    start_anew()
    rules_of.cache_clear()
    target = Target.of(ruleset)
    spec, _ = target.spec()
    if players is not None and players not in spec.players:
        raise InputError(f"{spec.name} is for {', '.join(map(str, spec.players))} players, not {players}")
    counts = (players,) if players is not None else tuple(spec.players)
    models = {n: target.model(n) for n in counts}
    model = models[counts[0]]
    shown = to_show(model)
    if name is not None:
        if name not in shown:
            raise InputError(f"there is nothing to prove called {name}: {nearest_name(name, shown)}")
        shown = {name: shown[name]}
    if smt2 is not None:
        try:
            smt2.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise InputError(f"{smt2}: can't be made a folder: {e.strerror}") from None
    if note is not None and (name is not None or players is not None):
        raise InputError(
            "hints are noted of all properties and numbers of players: leave out the property and --players"
        )
    book = Notebook(note)
    shipped.cache_clear()  # they may have been written anew since
    shipped()
    report = Report(model.ruleset, model.readings, counts)
    started = time.monotonic()
    names = () if name is None else (name,)
    folder = str(smt2 or "")
    largest = counts[::-1]  # first, so that processes end at about the same time
    cases = list(results([Work(target, n, (PLAY,), names, folder) for n in largest], jobs, report, book, progress))
    seen = {c.name for c in cases if c.assurance == "played"}
    sought = [
        p
        for p in with_premises(model).properties
        if p.kind in SOUGHT and (p.name in shown or p.reason in shown) and p.name not in seen
    ]
    noting = note is not None
    units = [
        Work(target, n, w, names, folder, noting=noting)
        for n in largest
        for w in batches(models[n], what_else(models[n], names))
    ]
    # An example with one number of players is enough.
    for n in counts:
        found = list(results([*searches(target, n, sought, folder), *units], jobs, report, book, progress))
        cases += found
        units = []
        seen |= {c.name for c in found if c.assurance == "found"}
        sought = [p for p in sought if p.name not in seen]
    for p in sought:
        if p.kind == PREMISE:
            doubtful = any(c.assurance == "unknown" for c in cases if c.name == p.name)
            reason = "whether it is ever about anything" if doubtful else f"it is never about anything: {p.name}"
            word = UNKNOWN if doubtful else VACUOUS
            cases.append(Case(p.reason, counts[0], ", ".join(p.transitions), word, reason=reason))
    for case in cases:
        if case.name in shown:
            shown[case.name].cases.append(case)
    order = {what: i for i, what in enumerate([PLAY, *what_else(model, ())])}
    for s in shown.values():
        s.cases.sort(key=lambda c: (c.players, order.get(c.transition, -1)))
        conclude(s, report)
    book.write()
    report.hints = book.used
    report.shown = list(shown.values())
    report.seconds = time.monotonic() - started
    return report


def results(
    units: Sequence[Work],
    jobs: int,
    report: Report,
    book: Notebook,
    progress: Callable[[int, int, str], None] | None,
) -> Iterator[Case]:
    """What the units of work found out. The book gets their hints."""
    for done, (number, found) in enumerate(campaign(units, do, jobs, large=is_large), start=1):
        report.positions += found.get("positions", 0)
        report.games += found.get("games", 0)
        book.add(found.get("hints", ()))
        for row in found["cases"]:
            yield Case(**row)
        if progress is not None:
            progress(done, len(units), ", ".join(units[number].what))


def what_else(model: Model, names: Sequence[str]) -> list[str]:
    """The other units of work that a model's properties take."""
    chosen = [p for p in model.properties if (not names or p.name in names) and p.kind not in SOUGHT]
    inductive = any(p.kind in INVARIANTS for p in chosen) or not names or any(n.startswith(BOUNDS) for n in names)
    claimed = {t for p in chosen for t in p.transitions}
    out = [SETUP] if inductive else []
    if any(p.kind == "claim" and not p.transitions for p in chosen):
        out.append(POSITIONS)
    return [*out, *(t.name for t in model.transitions().values() if inductive or t.name in claimed)]


def batches(model: Model, whats: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What is done together: transitions that stand together, in BATCHES of about the same size. Their number is always the same,
    as what the solver answers may depend on what it was asked before."""
    sizes = {t.name: len(t.nodes) for t in model.transitions().values()}
    yield from ((what,) for what in whats if what not in sizes)
    transitions = [what for what in whats if what in sizes]
    share = sum(sizes[t] for t in transitions) / BATCHES
    batch: list[str] = []
    for t in transitions:
        batch.append(t)
        if sum(sizes[t] for t in batch) >= share:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def searches(target: Target, players: int, sought: Sequence[Property], smt2: str) -> list[Work]:
    """The units of work that look for examples, each from one transition on."""
    whats: dict[str, dict[str, None]] = {}  # by the first, all that its properties are about
    names: dict[str, list[str]] = {}
    for p in sought:
        about = p.transitions or (POSITIONS,)
        whats.setdefault(about[0], {}).update(dict.fromkeys(about))
        names.setdefault(about[0], []).append(p.name)
    return [Work(target, players, tuple(whats[t]), tuple(names[t]), smt2, sought=True) for t in whats]


def is_large(work: Work) -> bool:
    return work.what[0] not in (PLAY, SETUP)


def conclude(s: Shown, report: Report) -> None:
    """What the cases amount to."""
    found = {c.assurance for c in s.cases}
    examples = found & {"played", "found"}
    tested = f"tested({report.positions} positions)"
    if "vacuous" in found:
        s.verdict, s.assurance = VACUOUS, tested
    elif s.kind == "possible":
        s.verdict = PROVED if examples else UNKNOWN if "unknown" in found else REFUTED
        s.assurance = (
            "reached by play" if "played" in found else "consistent with the invariants" if examples else tested
        )
    elif examples:
        s.verdict = REFUTED
        s.assurance = "reached by play" if "played" in found else "consistent with the invariants"
    elif "unknown" in found or not s.cases:
        s.verdict, s.assurance = UNKNOWN, tested
    else:
        s.verdict, s.assurance = PROVED, "proved"


# ---------------------------------------------------------------- one unit of work


@lru_cache(maxsize=2)
def rules_of(target: Target, players: int) -> tuple[Game, Opinion | None]:
    return Game(Rules(with_premises(target.model(players)))), target.reference(players)


def do(work: Work) -> Plain:
    """Does one unit of work. Runs in a worker process."""
    game, other = rules_of(work.target, work.players)
    bench = Bench(game, other, work)
    if work.what == (PLAY,):
        watch = Watch(bench)
        watch.play()
        return {"cases": list(map(plain, watch.cases())), "positions": watch.positions, "games": GAMES}
    gc.collect()  # what the last unit made
    gc.disable()  # formulas are millions of objects, hardly any of them garbage before all is done
    try:
        cases = list(bench.cases())
    finally:
        gc.enable()
    return {"cases": list(map(plain, cases)), "hints": [written(key, notes) for key, notes in bench.provers.noted()]}


def plain(case: Case) -> Plain:
    return {name: getattr(case, name) for name in Case.__slots__}


class Bench:
    """Where a unit of work is done."""

    def __init__(self, game: Game, other: Opinion | None, work: Work) -> None:
        self.game = game
        self.rules: Rules = game.rules
        self.model = game.model
        self.other = other
        self.work = work
        self.chosen = [
            (i, p)
            for i, p in enumerate(self.model.properties)
            if (p.name in work.names if work.names else p.kind != PREMISE)
            and (work.what == (PLAY,) or work.sought == (p.kind in SOUGHT))
        ]
        self.provers = Provers(self.model, work.noting)

    def cases(self) -> Iterator[Case]:
        """What a unit of work but play finds out."""
        for what in self.work.what:
            if what == SETUP:
                found = [*self.setup()]
            elif what == POSITIONS:
                found = [*self.positions()]
            else:
                found = [*self.happening(self.model.transition(what))]
            yield from found
            if self.work.sought:
                self.leave({c.name for c in found if c.assurance == "found"})

    def leave(self, names: set[str]) -> None:
        """Goes on without some of the properties."""
        self.chosen = [(i, p) for i, p in self.chosen if p.name not in names]

    def case(self, name: str, transition: str, assurance: str, **rest: Any) -> Case:
        return Case(name, self.work.players, transition, assurance, **rest)

    # ------------------------------------------------------------ set-up

    def setup(self) -> Iterator[Case]:
        """The induction's beginning: the one position that there is before chance falls for the first time."""
        state = self.rules.made("setup", self.rules.defaults({}), ())
        if state is None:
            raise InternalError("the set-up gives an undefined value or exceeds a bound")
        for i, p in self.chosen:
            if p.kind in INVARIANTS:
                told = None if self.holds(i, state) else self.told(state, "", "the position after set-up")
                yield self.case(p.name, "setup", "played" if told else "proved", backend="concrete", example=told)
        for var in bounded(self.model):
            if not self.work.names or BOUNDS + var.name in self.work.names:
                yield self.case(BOUNDS + var.name, "setup", "proved", backend="concrete")

    # ------------------------------------------------------------ the solver

    def happening(self, t: Transition) -> Iterator[Case]:
        """All that is to be shown of one action, step or chance event."""
        for i, p in self.chosen:
            if p.kind in INVARIANTS:
                yield self.kept(i, p, t)
            elif t.name in p.transitions:
                yield self.shunned(i, p, t)
        for name in t.final:
            if BOUNDS + name in self.work.names or not self.work.names:
                yield self.within(name, t)

    def kept(self, number: int, p: Property, t: Transition) -> Case:
        return self.asked(p.name, t, lambda prover: prover.keeps(p), p, lambda s, a: self.breaks(number, t, s, a))

    def shunned(self, number: int, p: Property, t: Transition) -> Case:
        """Of a premise, or of what is possible, the counterexample is the example."""

        def replays(state: State, args: tuple[Any, ...]) -> bool:
            return self.rules.happens_so(number, t.name, state, args)

        def question(prover: Prover) -> Proof:
            return prover.ever(p.cond) if p.kind in SOUGHT else prover.never(p.cond)

        return self.asked(p.name, t, question, p, replays)

    def within(self, variable: str, t: Transition) -> Case:
        def question(prover: Prover) -> Proof:
            return prover.stays_within(variable)

        return self.asked(BOUNDS + variable, t, question, None, lambda s, a: self.fails(t, s, a))

    def positions(self) -> Iterator[Case]:
        for i, p in self.chosen:
            if p.kind not in INVARIANTS and not p.transitions:
                yield self.everywhere(i, p)

    def everywhere(self, number: int, p: Property) -> Case:
        sought = p.kind == PREMISE

        def question(prover: Prover) -> Proof:
            return prover.ever(p.cond) if sought else prover.always(p.cond)

        return self.asked(p.name, None, question, p, lambda s, _: self.holds(number, s) == sought)

    def asked(
        self,
        name: str,
        t: Transition | None,
        question: Callable[[Prover], Proof],
        p: Property | None,
        replays: Callable[[State, tuple[Any, ...]], bool],
    ) -> Case:
        """One question, asked of one backend after the other, with little effort at first."""
        word = t.name if t else ""
        started = time.process_time()
        units = 0
        order = BACKENDS[::-1] if p is not None and counts(self.model, p.cond) else BACKENDS
        reasons = []
        for effort, budget in enumerate(BUDGETS):
            for backend in order:
                prover = self.provers.of(word, backend)
                before = prover.units
                prover.begin(budget, self.smt2_name(name, word, backend), brief=not effort)
                proof = question(prover)
                units += prover.units - before
                if proof.verdict == "unknown":
                    reasons.append(f"{backend}: {proof.reason}")
                    continue
                told = None
                if proof.counterexample is not None:
                    told = self.replayed(name, t, proof.counterexample, replays)
                spent = prover.units - before
                if self.work.noting and proof.verdict == "proved" and p is not None and not effort and spent > DEAR:
                    self.compared(question, prover, spent)
                seconds = round(time.process_time() - started, 2)
                return self.case(
                    name,
                    word,
                    "found" if told else "proved",
                    backend=backend,
                    seconds=seconds,
                    units=units,
                    example=told,
                )
        seconds = round(time.process_time() - started, 2)
        reason = f"Z3 gave up, at {BUDGETS[-1]:,} units a question: {'; '.join(dict.fromkeys(reasons))}"
        return self.case(name, word, "unknown", seconds=seconds, units=units, reason=reason)

    def compared(self, question: Callable[[Prover], Proof], prover: Prover, spent: int) -> None:
        """Notes of what a backend had proved by so much work if another one does it by a lot less."""
        for backend in BACKENDS:
            if backend == prover.backend:
                continue
            other = self.provers.of(prover.transition.name, backend)
            before = other.units
            other.begin(spent // A_LOT, brief=True)
            other.notes.noting = False  # what it can't do by so little is not hard
            if question(other).verdict == "proved" and other.units - before < spent // A_LOT:
                prover.avoid()
            other.notes.noting = True

    def smt2_name(self, name: str, transition: str, backend: str) -> Path | None:
        if not self.work.smt2:
            return None
        words = [self.model.ruleset, str(self.work.players), name, transition or "positions", backend]
        return Path(self.work.smt2) / "-".join(words)

    # ------------------------------------------------------------ replaying

    def breaks(self, number: int, t: Transition, state: State, args: tuple[Any, ...]) -> bool:
        after = self.rules.made(t.name, state, args)
        return after is not None and not self.holds(number, after)

    def holds(self, number: int, state: State) -> bool:
        """Whether the condition of a property of positions holds in one."""
        return bool(self.rules.space[f"position_{number}"](state))

    def fails(self, t: Transition, state: State, args: tuple[Any, ...]) -> bool:
        bad, _, _, after, _ = self.rules.run(t.name, state, args)
        return after is None and not bad

    def replayed(
        self, name: str, t: Transition | None, found: Example, replays: Callable[[State, tuple[Any, ...]], bool]
    ) -> Plain:
        """The solver's example, once the concrete meaning agrees with it: there it happens, and there it does what is said."""
        state, args = found.state, found.args
        wanted = INVARIANTS[:1] if self.work.sought else INVARIANTS
        kept = [i for i, p in enumerate(self.model.properties) if p.kind in wanted]
        trouble = [f"{self.model.properties[i].name} is broken" for i in kept if not self.holds(i, state)]
        if t is not None and not self.can_happen(t, state, args):
            trouble.append(f"{t.name} can't happen")
        elif not replays(state, args):
            trouble.append(f"it does not concern {name}")
        if trouble:
            raise InternalError(f"a counterexample to {name} does not replay: {', '.join(trouble)}: {state} {args}")
        move = self.said(t, args) if t else ""
        return self.told(state, move, "consistent with the invariants, reachability unknown", t, args)

    def can_happen(self, t: Transition, state: State, args: tuple[Any, ...]) -> bool:
        due = self.game.due(state)
        if t.kind == "step":
            return due == t.name
        if due:
            return False
        if t.kind == "chance":
            number = self.rules.chance_names.index(t.name)
            return any((number, args) == (i, a) for i, a, _ in self.rules.chance(state))
        bad, skipped, *_ = self.rules.run(t.name, state, args)
        return not bad and not skipped

    def said(self, t: Transition, args: tuple[Any, ...]) -> str:
        if t.kind == "action":
            return self.game.speaker.say_move(self.rules.action_names.index(t.name), args)
        if t.kind == "chance":
            return self.game.speaker.say_chance(self.rules.chance_names.index(t.name), args)
        return t.sentence or t.name

    def told(
        self, state: State, move: str, origin: str, t: Transition | None = None, args: tuple[Any, ...] = ()
    ) -> Plain:
        """An example for people and programs: the position, what happens, who agrees that it can, and where it is from."""
        position = self.game.codec.position(state)
        agreed = ["spec"]
        if self.other is not None and t is not None and t.kind == "action":
            taken = self.game.codec.move(self.rules.action_names.index(t.name), args)
            try:
                legal = self.other.step(position, taken).position is not None
                agreed.append("reference engine" if legal else "not the reference engine: illegal there")
            except InputError as e:
                agreed.append(f"not the reference engine: {e}")
        return {"position": write_position(position), "move": move, "origin": origin, "agreed": agreed}


# ---------------------------------------------------------------- play


class Watch:
    """Random games, one transition at a time: every position and transition is an example or a test of what is stated."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.rules = bench.rules
        self.model = bench.model
        self.positions = 0
        self.examples: dict[str, tuple[str, Plain]] = {}  # by property: of what transition, and the example
        self.on: dict[str, list[tuple[int, Property]]] = {}
        self.later = {p.name for p in self.model.properties if asks_what_is_after(p.cond)}
        about = [p.name for _, p in bench.chosen]
        for i, p in enumerate(self.model.properties):
            for t in (p.transitions or ("",)) if p.name in about or (p.reason in about and p.kind == PREMISE) else ():
                self.on.setdefault(t, []).append((i, p))
        self.seed = 0
        self.moves: list[str] = []

    def play(self) -> None:
        for seed in range(FIRST_SEED, FIRST_SEED + GAMES):
            self.game(seed)

    def game(self, seed: int) -> None:
        rng = random.Random(seed)
        self.seed, self.moves = seed, []
        state = self.rules.made("setup", self.rules.defaults({}), ())
        while state is not None and len(self.moves) < LENGTH:
            self.position(state)
            due = self.bench.game.due(state)
            if due:
                state = self.step(self.model.transition(due), state, ())
                continue
            outcomes = self.rules.chance(state)
            if outcomes:
                i, args, _ = rng.choices(outcomes, weights=[w for *_, w in outcomes])[0]
                state = self.step(self.model.transition(self.rules.chance_names[i]), state, args)
                continue
            state = self.decide(rng, state)

    def decide(self, rng: random.Random, state: State) -> State | None:
        legal: dict[int, list[tuple[Any, ...]]] = {}
        for action, args in self.rules.legal(state):
            legal.setdefault(action, []).append(args)
        if not legal:
            return None
        for action, moves in legal.items():
            self.moves_of(self.model.transition(self.rules.action_names[action]), state, moves, rng)
        action = rng.choice(sorted(legal))
        return self.step(self.model.transition(self.rules.action_names[action]), state, rng.choice(legal[action]))

    def position(self, state: State) -> None:
        self.positions += 1
        for i, p in self.on.get("", ()):
            if p.name not in self.examples and self.bench.holds(i, state) == (p.kind == PREMISE):
                self.found(p.name, None, state, ())

    def moves_of(self, t: Transition, state: State, moves: list[tuple[Any, ...]], rng: random.Random) -> None:
        """Looks at legal moves of one action."""
        looked_at = rng.sample(moves, min(LOOKS, len(moves)))
        for i, p in self.on.get(t.name, ()):
            if p.name in self.examples:
                continue
            for args in looked_at[:SAMPLE] if p.name in self.later else looked_at:
                if self.rules.happens_so(i, t.name, state, args):
                    self.found(p.name, t, state, args)
                    break

    def step(self, t: Transition, state: State, args: tuple[Any, ...]) -> State | None:
        after = self.rules.made(t.name, state, args)
        if after is None:
            for variable in Interpreter(self.model).judge(t, state, args).faults:
                if BOUNDS + variable not in self.examples:
                    self.found(BOUNDS + variable, t, state, args)
            return None
        for i, p in self.on.get(t.name, ()):
            if p.name not in self.examples and self.rules.happens_so(i, t.name, state, args, after):
                self.found(p.name, t, state, args)
        self.moves.append(self.bench.said(t, args))
        return after

    def found(self, name: str, t: Transition | None, state: State, args: tuple[Any, ...]) -> None:
        origin = f"reached by play: random game {self.seed}, after {len(self.moves)} moves, outcomes and steps"
        told = self.bench.told(state, self.bench.said(t, args) if t else "", origin, t, args)
        self.examples[name] = (t.name if t else "", told)

    def cases(self) -> Iterator[Case]:
        chosen = self.bench.work.names
        for name, (transition, told) in self.examples.items():
            if chosen and name.startswith(BOUNDS) and name not in chosen:
                continue
            yield self.bench.case(name, transition, "played", backend="play", example=told)
