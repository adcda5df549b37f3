"""`mutate`: breaks the rules in many small ways, and tells which of them the scenarios notice, and which the reference engine."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePath

from brassspec.checker.campaign import campaign
from brassspec.checker.check import ALTERED, GAMES, Target, situations, start_anew, starts_of
from brassspec.checker.constants import TRUE
from brassspec.checker.crosscheck import CrossCheck, Options
from brassspec.checker.mutants import FIGURE, Mutant, mutants
from brassspec.checker.opinions import Opinion
from brassspec.checker.scenarios import ScenarioRun
from brassspec.formats import InputError, Plain
from brassspec.rules.api import Game
from brassspec.rules.compile import Code, Compiler
from brassspec.rules.concrete import InternalError, Rules
from brassspec.rules.library import build
from brassspec.rules.model import And, Expr, Model, Num, Option, Transition, Type, Var
from brassspec.rules.scenarios import Situation

FIRST_SEED = 1  # the cross-check is the one that `check` makes when nobody says otherwise
_ELEMENT = re.compile(r".*\.\d+")  # the name of a parameter that is an element of a list


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant. by: "scenarios", "cross-check", or "" where nothing noticed it; found: what did, in words.

    reason: why the mutant is equivalent to the rules: because that is proved, or as a mark in the spec says.
    """

    id: str
    kind: str
    words: str
    file: str
    line: int
    by: str
    found: str
    reason: str = ""

    @property
    def is_rule(self) -> bool:
        return self.kind != FIGURE


@dataclass(slots=True)
class Mutation:
    """What `mutate` found. `scenarios`: how many there are to notice a mutant; `has_reference`: whether there is an engine to.

    missing: the edition's own marks of equivalent mutants that are not there.
    """

    ruleset: str
    readings: dict[str, str]
    scenarios: int
    has_reference: bool
    fates: list[Fate] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def killed(self) -> list[Fate]:
        return [f for f in self.fates if f.by]

    @property
    def equivalent(self) -> list[Fate]:
        return [f for f in self.fates if f.reason and not f.by]

    @property
    def wrongly_marked(self) -> list[Fate]:
        return [f for f in self.fates if f.reason and f.by]

    @property
    def survivors(self) -> list[Fate]:
        return [f for f in self.fates if not f.reason and not f.by]

    @property
    def verdict(self) -> str:
        if not self.fates or not (self.scenarios or self.has_reference):
            return "vacuous"
        return "failed" if self.survivors or self.wrongly_marked or self.missing else "ok"


def mutate(
    ruleset: str,
    *,
    sample: int | None = None,
    seed: int = 1,
    jobs: int = 2,
    journal: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Mutation:
    """Makes every mutant of a ruleset (a name, or the path of an edition's file), or `sample` of them, chosen by `seed`.

    Each is tried by the scenarios and, if they don't notice it, by a cross-check of the size that `check` has by default.
    jobs: processes; journal: a file from which the same call goes on where it was stopped; progress: called with (done, in all).
    Raises InputError where there is no such ruleset, a scenario fails on the rules as they are, or the journal is another's;
    SpecError on a faulty spec.
    """
    if jobs < 1 or (sample is not None and sample < 1):
        raise InputError("--sample and --jobs are 1 or more")
    start_anew()
    bench.cache_clear()
    target = Target.of(ruleset)
    base = bench(target)
    base.examine()
    model = base.models[base.players[0]]
    every = base.mutants[base.players[0]]
    chosen = list(every)
    if sample is not None and sample < len(chosen):
        picked = set(random.Random(seed).sample(chosen, sample))
        chosen = [i for i in chosen if i in picked]
    scenarios = sum(map(len, base.situations.values()))
    found = Mutation(model.ruleset, model.readings, scenarios, base.other(base.players[0]) is not None)
    if not base.readings:
        found.missing = [i for i in base.own_marks if i not in every]
    digests = [base.models[n].digest for n in base.players]
    results: dict[int, Plain] = {}
    for number, result in campaign([Trial(target, i) for i in chosen], do, jobs, journal, specs=digests):
        results[number] = result
        if progress is not None:
            progress(len(results), len(chosen))
    for number, i in enumerate(chosen):
        m = every[i]
        by, what = results[number]["by"], results[number]["found"]
        # What the base says of its own rules, and something notices in this edition's, is no mark of this edition's.
        marked = model.equivalent.get(i, "") if i in base.own_marks or not by else ""
        reason = results[number].get("proof") or marked
        found.fates.append(Fate(i, m.kind, m.words, m.file, m.line, by, what, reason))
    return found


# ---------------------------------------------------------------- one mutant


@dataclass(frozen=True, slots=True)
class Trial:
    """A unit of work: one mutant of a target."""

    target: Target
    mutant: str


def do(trial: Trial) -> Plain:
    """Tries one mutant. Runs in a worker process."""
    base = bench(trial.target)
    if all(never_both_due(base.models[n], base.mutants[n][trial.mutant]) for n in base.players):
        return {"by": "", "found": "", "proof": "proved: the two steps are never due at once"}
    games: dict[int, Game] = {}
    for n in base.players:
        games[n] = base.changed(n, trial.mutant)
        noticed = base.noticed(n, games[n], base.mutants[n][trial.mutant])
        if noticed:
            return {"by": "scenarios", "found": noticed}
    for n in base.players:
        other = base.other(n)
        if other is None:
            continue
        noticed = base.noticed(n, games[n], base.mutants[n][trial.mutant], other)
        if noticed:
            return {"by": "cross-check", "found": noticed}
        starts = starts_of(base.target, n)
        cross = CrossCheck(games[n].rules, other, None, Options(ALTERED), starts)
        for game in range(FIRST_SEED, FIRST_SEED + GAMES):
            try:
                cross.play(game)
                said = [d.signature for d in cross.tally.divergences]
            except InternalError as e:
                said = [str(e)]
            if said:
                return {"by": "cross-check", "found": f"{n} players, game {game}: {said[0]}"}
    return {"by": "", "found": ""}


def never_both_due(model: Model, mutant: Mutant) -> bool:
    """Whether a mutant exchanges two steps of which Z3 proves, for all positions within bounds, that they are never due at once."""
    if mutant.kind != "swap_steps":
        return False
    from brassspec.checker.symbolic import SymbolicTransition

    whens = tuple(t.when for t in model.steps if t.name in mutant.within)
    transition = SymbolicTransition(model, Transition("claim", "", (), TRUE, (), {}))
    return transition.find([transition.holds(And(whens))], invariants=()) == "unsat"


class WaryCompiler(Compiler):
    """Trusts no declared bounds: a changed rule need not keep to them, and whatever leaves them is undefined.

    Nor that only those elements of a list are read that there are. (Of an option nothing is told apart from what is not there,
    but nothing goes wrong with it either.)
    """

    def c_Var(self, e: Var) -> Code:
        code = super().c_Var(e)
        may_miss = _ELEMENT.fullmatch(e.name) and not isinstance(e.type, Option)
        return Code(code.text, (f"{code.text} is not None",)) if may_miss else code

    def in_range(self, keys: tuple[Expr, ...], types: tuple[Type, ...]) -> tuple[str, ...]:
        return tuple(
            f"{t.lo} <= {self.code(k).text} <= {t.hi}" for k, t in zip(keys, types, strict=True) if isinstance(t, Num)
        )

    def may_overflow(self, var: str, e: Expr) -> bool:
        return isinstance(self.model.state[var].type, Num)


def wary(model: Model) -> Rules:
    """The rules of a model that may break its own promises."""
    compiler = WaryCompiler(model)
    code = compile(compiler.source(), f"<a mutant of {model.ruleset}>", "exec")
    return Rules(model, (code, compiler.consts))


# ---------------------------------------------------------------- the scenarios


@dataclass(frozen=True, slots=True)
class Profile:
    """What a scenario is about: the rules that decide in it, those that it satisfies, the file it stands in."""

    decided: frozenset[str]
    satisfied: frozenset[str]
    chapter: str


class Bench:
    """What all mutants of a target are tried on, made once a process."""

    def __init__(self, target: Target) -> None:
        self.target = target
        spec, self.readings = target.spec()
        self.own_marks = spec.own_marks
        self.players = list(spec.players)
        self.models = {n: build(spec, self.readings, n) for n in self.players}
        found = [s for s in situations(spec, target) if not s.is_partial]
        self.situations = {n: [s for s in found if (s.players or self.players[0]) == n] for n in self.players}

    @cached_property
    def mutants(self) -> dict[int, dict[str, Mutant]]:
        """By the number of players, those that there are for every number."""
        found = {n: {m.id: m for m in mutants(model)} for n, model in self.models.items()}
        common = set.intersection(*(set(by_id) for by_id in found.values()))
        return {n: {i: m for i, m in by_id.items() if i in common} for n, by_id in found.items()}

    @cached_property
    def profiles(self) -> dict[int, list[Profile]]:
        return {n: [self.profile(game, s) for s in self.situations[n]] for n, game in self.games.items()}

    @cached_property
    def games(self) -> dict[int, Game]:
        return {n: Game(Rules(model)) for n, model in self.models.items()}

    def other(self, players: int) -> Opinion | None:
        return self.target.reference(players)

    def changed(self, players: int, mutant: str) -> Game:
        """The rules of a mutant."""
        return Game(wary(self.mutants[players][mutant].apply(self.models[players])))

    def profile(self, game: Game, s: Situation) -> Profile:
        r = ScenarioRun(game.rules, game.speaker, s, None, None).run()
        return Profile(frozenset(r.decisive | r.exceptions), frozenset(r.satisfied), PurePath(s.place.file).stem)

    def examine(self) -> None:
        """Raises InputError where a scenario fails on the rules as they are: it would fail on every mutant."""
        for n, model in self.models.items():
            game = Game(wary(model))  # as a mutant is made
            for s in self.situations[n]:
                problems = ScenarioRun(game.rules, game.speaker, s, self.other(n), None).run().problems
                if problems:
                    raise InputError(f"on the rules as they are a scenario fails; see `check`: {problems[0]}")

    def noticed(self, players: int, game: Game, mutant: Mutant, other: Opinion | None = None) -> str:
        """The scenario that fails on a mutant, "" where none does; tried first are those that should notice it soonest."""
        chapter = PurePath(mutant.file).stem

        def rank(i: int) -> tuple[bool, bool, bool, int]:
            p = self.profiles[players][i]
            return (not mutant.rules & p.decided, chapter != p.chapter, not mutant.rules & p.satisfied, i)

        for i in sorted(range(len(self.situations[players])), key=rank):
            s = self.situations[players][i]
            if ScenarioRun(game.rules, game.speaker, s, other, None).run().problems:
                return f"{s.place.file}:{s.place.line}: {s.title}"
        return ""


@lru_cache(maxsize=2)
def bench(target: Target) -> Bench:
    """A process makes it once a target."""
    return Bench(target)
