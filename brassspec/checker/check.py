"""`check`: the main job. Every scenario, every invariant and claim, and a cross-check of all opinions in random games."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from brassspec.checker.campaign import campaign
from brassspec.checker.compare import Comparison
from brassspec.checker.crosscheck import CrossCheck, Divergence, Options, Start, Tally
from brassspec.checker.opinions import Opinion, reference
from brassspec.checker.questions import Judge, has_symbolic
from brassspec.checker.scenarios import ScenarioResult, ScenarioRun
from brassspec.checker.shrink import Finding, tell
from brassspec.formats import InputError, Plain
from brassspec.grammar.errors import SpecError
from brassspec.rules.api import Game
from brassspec.rules.cache import load_rules
from brassspec.rules.codec import Codec
from brassspec.rules.concrete import InternalError, Rules
from brassspec.rules.library import Spec, build, editions, load_spec, spec_of, split_ruleset
from brassspec.rules.model import Model
from brassspec.rules.scenarios import Situation, read_situation, setting

GAMES = 12  # a number of players, unless another number is asked for
ALTERED = 1  # moves of each kind of illegal move at a decision
Z3_GAMES = 6  # unasked Z3 judges in so many games, for one number of players: its formulas are costly
Z3_SAMPLE = 25  # and there every how manieth verdict
Z3_SCENARIOS = 4  # and in every how manieth scenario that others can answer
CLAIM_RLIMIT = 4_000_000  # of one question about a claim, in Z3's units: what is easily proved
MOST_TOLD = 10  # kinds of differences that are shrunk and told


@dataclass(frozen=True, slots=True)
class Target:
    """What to check: a ruleset that ships, or the edition of a file."""

    name: str
    path: str | None = None

    @staticmethod
    def of(text: str) -> Target:
        """The target that a word on the command line names: a path where it ends in .brass."""
        return Target(text, text) if text.endswith(".brass") else Target(text)

    def spec(self) -> tuple[Spec, dict[str, str]]:
        if self.path is not None:
            return spec_in(self.path), {}
        edition, readings = split_ruleset(self.name)
        return spec_of(edition), readings

    def model(self, players: int) -> Model:
        """The model for a number of players, made once in a check."""
        return model_of(self, players)

    def rules(self, players: int) -> Rules:
        """The same, compiled."""
        return load_rules(self.name, players) if self.path is None else Rules(self.model(players))

    def reference(self, players: int) -> Opinion | None:
        """The reference engine, where it knows the ruleset."""
        return reference(self.name, players) if self.path is None else None


@lru_cache(maxsize=4)
def spec_in(path: str) -> Spec:
    """The edition that a file declares: read once in a check, not for each unit of work."""
    return load_spec(Path(path))


@lru_cache(maxsize=8)
def model_of(target: Target, players: int) -> Model:
    spec, readings = target.spec()
    return build(spec, readings, players)


def start_anew() -> None:
    """Forgets what an earlier check in this process read: its files may have changed since."""
    spec_in.cache_clear()
    model_of.cache_clear()
    judge_of.cache_clear()
    starts_of.cache_clear()


@dataclass(slots=True)
class Report:
    """What a check found. `counts` tells how much was examined; `assurance` how each kind of thing was shown.

    decided: requirements -> how often each alone forbade a move of the games; never_decided: those that never did; excused: those of
    which the spec says why they never can. more: kinds of differences beyond those told in `divergences`.
    """

    target: str
    readings: dict[str, str]
    counts: Counter[str] = field(default_factory=Counter)
    assurance: dict[str, str] = field(default_factory=dict)
    failed_scenarios: list[ScenarioResult] = field(default_factory=list)
    divergences: list[Finding] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    refuted: list[tuple[str, str]] = field(default_factory=list)  # claim, counterexample
    decided: Counter[str] = field(default_factory=Counter)
    never_decided: list[str] = field(default_factory=list)
    excused: dict[str, str] = field(default_factory=dict)
    vacuous: list[str] = field(default_factory=list)
    dangling: list[str] = field(default_factory=list)  # exceptions to rules that are not there
    seconds: float = 0.0

    @property
    def verdict(self) -> str:
        if self.failed_scenarios or self.divergences or self.refuted or self.dangling:
            return "failed"
        if self.vacuous:
            return "vacuous"
        return "ok"


@dataclass(frozen=True, slots=True)
class Work:
    """One unit of work, done in a process of its own. Games: their numbers; scenarios: which ones (by number); claims: which.

    altered, symbolic: see `crosscheck.Options`.
    """

    kind: str
    target: Target
    players: int
    items: tuple[int, ...]
    altered: int = 0
    symbolic: int = 0

    @property
    def large(self) -> bool:
        """Whether it builds Z3's formulas."""
        return self.kind == "claims" or self.symbolic > 0


@dataclass(frozen=True, slots=True)
class Telling:
    """A divergence to be shrunk and told: a unit of work too."""

    target: Target
    divergence: Divergence
    times: int
    repro: str


def situations(spec: Spec, target: Target) -> list[Situation]:
    """The scenarios that speak of this ruleset: those that name it and, where no reading is chosen, those that name none."""
    found = [read_situation(d) for d in spec.scenarios]
    name = target.name
    return [s for s in found if name in s.rulesets or (not s.rulesets and "+" not in name)]


@lru_cache(maxsize=3)
def judge_of(target: Target, players: int) -> Judge:
    """The rules of a target for a number of players; a process keeps them, and what Z3 has built of them, between units."""
    return Judge(Game(target.rules(players)))


@lru_cache(maxsize=8)
def starts_of(target: Target, players: int) -> tuple[Start, ...]:
    """The positions of the scenarios for a number of players, from which games are played on."""
    judge = judge_of(target, players)
    spec, _ = target.spec()
    found: list[Start] = []
    for s in situations(spec, target):
        if s.is_partial or (s.players or spec.players[0]) != players:
            continue
        try:
            state = judge.rules.rest(setting(judge.rules, judge.speaker, s).state, [])
        except (SpecError, InternalError):
            continue  # the scenario's own run tells what is wrong with it
        found.append(Start(state, s.title, f"{s.place.file}:{s.place.line}"))
    return tuple(found)


def do(work: Work) -> Plain:
    """Does one unit of work. Runs in a worker process."""
    if work.kind == "scenarios":
        return {"scenarios": [r.plain() for r in run_scenarios(work)]}
    return {"proofs": prove(work)} if work.kind == "claims" else play(work).plain()


def run_scenarios(work: Work) -> list[ScenarioResult]:
    """Runs scenarios. Where the work is symbolic Z3 is asked too; where nobody else can answer it always is."""
    judge = judge_of(work.target, work.players)
    other = work.target.reference(work.players)
    spec, _ = work.target.spec()
    chosen = [s for i, s in enumerate(situations(spec, work.target)) if i in work.items]
    asked = work.symbolic > 0 and judge.has_symbolic
    return [
        ScenarioRun(judge.rules, judge.speaker, s, other, judge if s.is_partial or asked else None).run()
        for s in chosen
    ]


def prove(work: Work) -> list[tuple[str, str, str]]:
    """(claim, verdict, counterexample or reason) of claims."""
    from brassspec.checker.symbolic import Provers

    rules = judge_of(work.target, work.players).rules
    provers = Provers(rules.model)
    proofs = []
    for i in work.items:
        p = rules.model.properties[i]
        proof = provers.claim(p, "bv", CLAIM_RLIMIT)
        example = ""
        if proof.counterexample is not None:
            position = Codec(rules).position(proof.counterexample.state)
            example = f"{position.state} {proof.counterexample.args}"
        proofs.append((p.name, proof.verdict, example or proof.reason))
    return proofs


def play(work: Work) -> Tally:
    """Cross-checks games."""
    judge = judge_of(work.target, work.players)
    cross = CrossCheck(
        judge.rules,
        work.target.reference(work.players),
        judge.symbolic if work.symbolic else None,
        Options(work.altered, work.symbolic),
        starts_of(work.target, work.players),
    )
    for game in work.items:
        cross.play(game)
    return cross.tally


def tell_one(telling: Telling) -> Plain:
    """Shrinks and tells a divergence. Runs in a worker process."""
    d = telling.divergence
    judge = judge_of(telling.target, d.position.players)
    other = telling.target.reference(d.position.players)
    compare = Comparison(judge.rules, other, judge.symbolic if d.kind.startswith("z3") else None)
    return tell(compare, d, telling.times, telling.repro).plain()


def plan(
    target: Target, games: int, seed: int, altered: int, symbolic: int | None = None, whole: bool = True
) -> list[Work]:
    """The units of work for one target. Building its models here shows every error of the spec before anything runs.

    whole: whether claims are proved (in games they are tested anyway), and Z3 is asked where others can answer too.
    """
    spec, _ = target.spec()
    units = []
    chosen = situations(spec, target)
    for players in spec.players:
        model = target.model(players)
        mine = tuple(i for i, s in enumerate(chosen) if (s.players or spec.players[0]) == players)
        # Z3's formulas are costly to build: one unit does all that asks it.
        asked = {i for k, i in enumerate(mine) if chosen[i].is_partial or (whole and k % Z3_SCENARIOS == 0)}
        parts = (tuple(i for i in mine if i in asked), tuple(i for i in mine if i not in asked))
        units += [
            Work("scenarios", target, players, part, symbolic=k) for k, part in ((1, parts[0]), (0, parts[1])) if part
        ]
        claims = tuple(i for i, p in enumerate(model.properties) if p.kind == "claim")
        if whole and players == spec.players[0] and claims:
            units.append(Work("claims", target, players, claims))
        # Few games a unit, so that progress shows and the cores end together.
        size = 3 if games <= 1_000 else 12
        asks_z3 = players == spec.players[0] and has_symbolic(model)
        for i in range(0, games, size):
            every = (Z3_SAMPLE if whole and i < Z3_GAMES else 0) if symbolic is None else symbolic
            items = tuple(range(seed + i, seed + min(i + size, games)))
            units.append(Work("games", target, players, items, altered, every if asks_z3 else 0))
    return units


def check(
    targets: Sequence[str] = (),
    *,
    games: int | None = None,
    seed: int = 1,
    altered: int = ALTERED,
    symbolic: int | None = None,
    jobs: int | None = None,
    journal: Path | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[Report]:
    """Checks rulesets (names, or paths of spec files that declare an edition); none named: all that ship.

    games: random games a number of players, numbered from `seed`, None: as many as usual; altered: so many altered moves a decision,
    and as many that one requirement alone forbids; symbolic: every how manieth verdict of the games Z3 gives too, None: some of the
    first games; jobs: processes, None: one a core; journal: where finished units are noted, so that the same check goes on from there.
    progress: called with (units done, units in all, what).
    Raises SpecError with every error of a faulty spec, InputError where there is no such ruleset or the journal is another check's.
    """
    if (
        (games is not None and games < 0)
        or altered < 0
        or (jobs is not None and jobs < 1)
        or (symbolic is not None and symbolic < 0)
    ):
        raise InputError("--games, --altered and --z3 are 0 or more, --jobs 1 or more")
    jobs = jobs or os.cpu_count() or 1
    start_anew()
    wanted = [Target.of(t) for t in (targets or editions())]
    reports: dict[Target, Report] = {}
    units: list[Work] = []
    specs: list[str] = []
    start = time.monotonic()
    for t in wanted:
        spec, readings = t.spec()
        # Where what an edition builds on is checked as well, that is where claims are proved, and most games played.
        whole = not any(w.name in spec.bases for w in wanted)
        count = (GAMES if whole else GAMES // 2) if games is None else games
        units += plan(t, count, seed, altered, symbolic, whole)
        reports[t] = Report(t.name, {q: readings.get(q, r.default) for q, r in spec.rulings.items()})
        model = t.model(spec.players[0])
        specs.append(model.digest)
        reports[t].counts["requirements"] = sum(r.kind == "requirement" for r in model.requirements.values())
        reports[t].counts["exceptions"] = sum(r.kind == "exception" for r in model.requirements.values())
        reports[t].counts["invariants"] = sum(p.kind == "invariant" for p in model.properties)
        reports[t].counts["claims"] = sum(p.kind == "claim" for p in model.properties)
    found: list[tuple[Target, Divergence]] = []
    done = campaign(units, do, jobs, journal, specs=specs, large=lambda w: w.large)
    for i, (number, result) in enumerate(done, start=1):
        work = units[number]
        if progress is not None:
            progress(i, len(units), f"{work.target.name}, {work.players} players, {work.kind}")
        found += [(work.target, d) for d in add(reports[work.target], work, result)]
    tell_all(reports, found, altered, jobs, progress)
    for t, report in reports.items():
        report.seconds = time.monotonic() - start
        conclude(t, report)
    return list(reports.values())


def tell_all(
    reports: dict[Target, Report],
    found: list[tuple[Target, Divergence]],
    altered: int,
    jobs: int,
    progress: Callable[[int, int, str], None] | None,
) -> None:
    """Tells each kind of divergence once: that of the shortest game, in its smallest position."""
    kinds: dict[tuple[Target, str], list[Divergence]] = {}
    for t, d in found:
        kinds.setdefault((t, d.signature), []).append(d)
    tellings: list[Telling] = []
    for (t, signature), same in sorted(kinds.items(), key=lambda kind: (-len(kind[1]), kind[0][1])):
        if sum(x.target == t for x in tellings) == MOST_TOLD:
            reports[t].more.append(f"{signature} ({len(same)} times)")
            continue
        shortest = min(same, key=lambda d: (len(d.moves), d.position.players, d.game, d.move))
        repro = f"brassspec check {t.name} --games 1 --seed {shortest.game}"
        repro += f" --altered {altered}" if altered != ALTERED else ""
        repro += " --z3 1" if shortest.kind.startswith("z3") else ""
        tellings.append(Telling(t, shortest, len(same), repro))
    told = campaign(tellings, tell_one, jobs, large=lambda x: x.divergence.kind.startswith("z3"))
    for i, (number, result) in enumerate(told, start=1):
        if progress is not None:
            progress(i, len(tellings), "the smallest positions")
        reports[tellings[number].target].divergences.append(Finding.of(result))


def add(report: Report, work: Work, result: Plain) -> list[Divergence]:
    """Adds what a unit found to a report; gives the divergences, which are told later."""
    if work.kind == "scenarios":
        for data in result["scenarios"]:
            r = ScenarioResult.of(data)
            report.counts["scenarios"] += 1
            report.counts += r.counts
            if r.problems:
                report.failed_scenarios.append(r)
    elif work.kind == "claims":
        for name, verdict, example in result["proofs"]:
            if verdict != "unknown":
                report.assurance[f"claim {name}"] = verdict
            if verdict == "refuted":
                report.refuted.append((name, example))
    else:
        tally = Tally.of(result)
        report.counts += tally.counts
        report.decided += tally.decisive
        return tally.divergences
    return []


def conclude(target: Target, report: Report) -> None:
    """Orders what was found, says what each thing rests on, and notes what examined nothing."""
    spec, _ = target.spec()
    model = target.model(spec.players[0])
    report.failed_scenarios.sort(key=lambda r: (r.place, r.players))
    report.divergences.sort(key=lambda d: (-d.times, d.signature))
    if report.counts["games"]:
        undecided = [n for n, r in model.requirements.items() if r.kind == "requirement" and n not in report.decided]
        report.never_decided = [n for n in undecided if n not in model.excused]
        report.excused = {n: model.excused[n] for n in undecided if n in model.excused}
    report.dangling = [f"{x} excepts {r}, which is not there" for x, r in model.dangling.items()]
    games = report.counts["games"]
    tested = f"tested({report.counts['positions']} positions)" if games else "not run"
    report.assurance["invariants"] = tested
    for p in model.properties:
        if p.kind == "claim":
            report.assurance.setdefault(f"claim {p.name}", tested)
    has_reference = target.reference(spec.players[0]) is not None
    report.assurance["reference engine"] = (
        f"tested({report.counts['positions_compared']} positions)" if has_reference and games else "not run"
    )
    report.assurance["z3"] = (
        f"tested({report.counts['z3_verdicts']} verdicts)" if report.counts["z3_verdicts"] else "not run"
    )
    if not model.requirements:
        report.vacuous.append("the spec has no requirement")
    if not report.counts["scenarios"] and not games:
        report.vacuous.append("no scenario and no game was examined")
    if games and not report.counts["decisions"]:
        report.vacuous.append("no game had a decision")
