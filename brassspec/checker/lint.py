"""`lint`: what in a spec is never put to use, stands in another's way, or has no source. Every finding says what to do about it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations, islice
from typing import Any

from brassspec.checker.check import Target, situations, start_anew
from brassspec.checker.declared import Finding, figures, refusals, sources, unused
from brassspec.checker.scenarios import ScenarioRun
from brassspec.grammar.errors import Place
from brassspec.rules.api import Game
from brassspec.rules.concrete import Judgement, Rules, State
from brassspec.rules.library import Spec, build, editions, spec_of
from brassspec.rules.model import And, Model, Node, Not, Or, Require, Requirement, Transition
from brassspec.rules.shipped import spec_files, specs_root

GAMES = 2  # random ones a number of players, in which exceptions are watched
MOMENTS = 2_000  # of such a game, as some never end

# Called with what is being looked at, how many of it are done, and of how many.
Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Lint:
    """What was found in a ruleset. counts: how much was looked at; `notes` need no mending."""

    ruleset: str
    readings: dict[str, str]
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        if not self.counts.get("requirements"):
            return "vacuous"
        return "failed" if self.findings else "ok"


def lint(ruleset: str, *, games: int = GAMES, seed: int = 1, progress: Progress | None = None) -> Lint:
    """Looks a ruleset that ships, or the edition of a FILE.brass, through.

    games: random ones a number of players, in which exceptions that overlap are looked for. Raises InputError where there is no such
    ruleset, SpecError on a faulty spec.
    """
    tell = progress or (lambda what, done, total: None)
    start_anew()
    target = Target.of(ruleset)
    spec, _ = target.spec()
    model = target.model(spec.players[0])
    shown = Shown(target, spec)
    shown.run(tell, games, seed)
    found = Lint(model.ruleset, model.readings)
    found.findings += deciders(model, shown, tell)
    found.findings += shown.overlaps.values()
    found.findings += unused_anywhere(spec)
    for mendable, refusal in refusals(spec):
        (found.findings if mendable else found.notes).append(refusal)
    found.findings += sources(spec)
    found.findings += figures(spec)
    kinds = [r.kind for r in model.requirements.values()]
    found.counts = {
        "requirements": kinds.count("requirement"),
        "exceptions": kinds.count("exception"),
        "scenarios": shown.scenarios,
        "moves_watched": shown.watched,
        "readings": sum(len(r.readings) for r in spec.rulings.values()),
        "declarations": len(spec.declarations),
    }
    return found


# ---------------------------------------------------------------- what scenarios and games show


@dataclass(slots=True)
class Shown:
    """What the scenarios of a ruleset show of its rules, and random games of its exceptions.

    decisive: requirements that alone decide a verdict, with the scenario; satisfied: those that a legal move fulfils; used: exceptions
    that such a move uses; overlaps: two exceptions of one requirement that hold at once; watched: at how many moves that was looked for.
    """

    target: Target
    spec: Spec
    scenarios: int = 0
    decisive: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    satisfied: set[str] = field(default_factory=set)
    overlaps: dict[str, Finding] = field(default_factory=dict)
    watched: int = 0

    def run(self, tell: Progress, games: int, seed: int) -> None:
        chosen = situations(self.spec, self.target)
        for players in self.spec.players:
            mine = [s for s in chosen if (s.players or self.spec.players[0]) == players]
            self.scenarios += len(mine)
            rules = Watching(self.target.model(players))
            speaker = Game(rules).speaker
            for number, s in enumerate(s for s in mine if not s.is_partial):  # parts unknown decide nothing here
                tell(f"scenarios of {self.target.name}", number, len(mine))
                result = ScenarioRun(rules, speaker, s, None, None).run()
                self.used |= result.exceptions
                self.satisfied |= result.satisfied
                for name in result.decisive:
                    self.decisive.setdefault(name, s.title)
            for number in range(games if rules.watcher is not None else 0):
                tell(f"games of {players} watched", number, games)
                for state, kind, _, _ in islice(rules.play(random.Random(f"{seed} {number}")), MOMENTS):
                    if kind == "action":
                        for move in rules.legal(state):
                            rules.watch(state, *move)
            self.watched += rules.looked_at
            for name, move in rules.overlaps.items():
                self.overlaps.setdefault(name, overlap(rules.model, rules.pairs[name], speaker.say_move(*move)))


def unused_anywhere(spec: Spec) -> list[Finding]:
    """What no rule uses, in this edition or in any that ships and shares the chapter."""
    found = list(unused(spec))
    for name in editions() if found else ():
        other = spec_of(name)
        there = {(f.name, f.place) for f in unused(other)}
        found = [f for f in found if f.place.file not in other.sources or (f.name, f.place) in there]
    return found


def deciders(model: Model, shown: Shown, tell: Progress) -> list[Finding]:
    """Requirements that alone decide no scenario, excuses of some that do, exceptions that no scenario uses."""
    idle = {n for n in model.requirements if n not in shown.used and n not in shown.decisive and n not in model.excused}
    out = []
    for name in shown_nowhere(model, idle, tell):
        r = model.requirements[name]
        if r.kind == "exception":
            cause = f"no scenario uses the exception {name}"
            remedy = f"write a scenario with: => legal using {name}; or drop it"
            out.append(Finding("exception_dead", name, _place(r), cause, remedy))
        else:
            cause = f"{name} is in no scenario the only requirement that a move violates"
            remedy = f'write a scenario with: => illegal by {name}; or, if there can be none: excuse {name} "why"'
            out.append(Finding("never_sole_decider", name, _place(r), cause, remedy))
    for name in model.excused:
        if name in shown.decisive and name in shown.satisfied:
            cause = f"{name} is excused from being sole decider, and is one: {shown.decisive[name]!r}"
            place = _place(model.requirements[name])
            out.append(Finding("excuse_needless", name, place, cause, f"take out: excuse {name}"))
    return out


def shown_nowhere(model: Model, idle: set[str], tell: Progress) -> list[str]:
    """Those of some rules that the scenarios of no other edition that ships show either: who shares a chapter need not repeat them."""
    shared = {str(path.relative_to(specs_root())) for path in spec_files()}
    for number, name in enumerate(editions()):
        if name == model.ruleset or not any(model.requirements[n].file in shared for n in idle):
            continue
        tell("scenarios of other editions", number, len(editions()))
        spec = spec_of(name)
        theirs = build(spec, {}, spec.players[0])
        same = {n for n in idle if theirs.requirements.get(n) == model.requirements[n]}
        if same:
            shown = shown_by(name)
            idle = idle - (same & (shown.used | shown.decisive.keys() | theirs.excused.keys()))
    return [n for n in model.requirements if n in idle]


@lru_cache(maxsize=8)
def shown_by(edition: str) -> Shown:
    """What the scenarios of an edition that ships show."""
    shown = Shown(Target(edition), spec_of(edition))
    shown.run(lambda what, done, total: None, 0, 0)
    return shown


def _place(r: Requirement) -> Place:
    return Place(r.file, r.line)


# ---------------------------------------------------------------- exceptions that overlap


def watched(model: Model) -> tuple[Model, dict[str, tuple[str, str]]]:
    """The rules with a requirement more for each two exceptions of one: violated where it fails and both hold. And those by name."""
    pairs: dict[str, tuple[str, str]] = {}

    def watch(t: Transition) -> Transition:
        nodes: list[Node] = []
        for n in t.nodes:
            nodes.append(n)
            if not isinstance(n, Require):
                continue
            for a, b in combinations(n.exceptions, 2):
                name = f"{a.name} and {b.name}"
                pairs[name] = (a.name, b.name)
                nodes.append(
                    replace(n, name=name, cond=Or((n.cond, Not(And((a.cond, b.cond))))), exceptions=(), facts=())
                )
        return replace(t, nodes=tuple(nodes))

    actions = {name: watch(t) for name, t in model.actions.items()}
    return replace(model, actions=actions), pairs


class Watching(Rules):
    """Rules that note, of every move they judge, which exceptions excuse one requirement at once."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        more, self.pairs = watched(model)
        self.watcher = Rules(more) if self.pairs else None
        self.watched = {i for i, t in enumerate(model.actions.values()) if t != more.actions[t.name]}
        self.overlaps: dict[str, tuple[int, tuple[Any, ...]]] = {}  # the first move at which two hold
        self.looked_at = 0

    def judge(self, state: State, action: int, args: tuple[Any, ...]) -> Judgement:
        self.watch(state, action, args)
        return super().judge(state, action, args)

    def watch(self, state: State, action: int, args: tuple[Any, ...]) -> None:
        if self.watcher is None or action not in self.watched:
            return
        self.looked_at += 1
        for failure in self.watcher.judge(state, action, args).violated:
            if failure.requirement in self.pairs:
                self.overlaps.setdefault(failure.requirement, (action, args))


def overlap(model: Model, pair: tuple[str, str], said: str) -> Finding:
    a, b = (model.requirements[name] for name in pair)
    cause = f"{a.name} and {b.name} both except {a.excepts} from one move: {said}"
    remedy = f"let {b.name} hold only where {a.name} does not"
    return Finding("exceptions_overlap", f"{a.name} {b.name}", _place(b), cause, remedy)
