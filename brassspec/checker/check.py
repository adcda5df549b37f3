"""`check`: the main job. Every scenario, every invariant and claim, and a cross-check of all opinions in random games."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import active_children
from pathlib import Path
from typing import Any

from brassspec.checker.crosscheck import CrossCheck, Divergence, Options, Tally
from brassspec.checker.opinions import reference
from brassspec.checker.questions import Judge
from brassspec.checker.scenarios import ScenarioResult, ScenarioRun
from brassspec.formats import InputError
from brassspec.rules.api import Game
from brassspec.rules.codec import Codec
from brassspec.rules.concrete import Rules
from brassspec.rules.library import Spec, build, editions, load_spec, spec_of, split_ruleset
from brassspec.rules.scenarios import Situation, read_situation

# Of a game's decisions, every how manieth Z3 judges too, with what follows by itself.
Z3_SAMPLE = 15


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

    def rules(self, players: int) -> Rules:
        spec, readings = self.spec()
        return Rules(build(spec, readings, players))


@lru_cache(maxsize=4)
def spec_in(path: str) -> Spec:
    """The edition that a file declares: read once in a check, not for each unit of work."""
    return load_spec(Path(path))


def start_anew() -> None:
    """Forgets what an earlier check in this process read: its files may have changed since."""
    spec_in.cache_clear()
    judge_of.cache_clear()


@dataclass(slots=True)
class Report:
    """What a check found. `counts` tells how much was examined; `assurance` how each kind of thing was shown."""

    target: str
    readings: dict[str, str]
    counts: Counter[str] = field(default_factory=Counter)
    assurance: dict[str, str] = field(default_factory=dict)
    failed_scenarios: list[ScenarioResult] = field(default_factory=list)
    divergences: list[Divergence] = field(default_factory=list)
    refuted: list[tuple[str, str]] = field(default_factory=list)  # claim, counterexample
    decisive: Counter[str] = field(default_factory=Counter)
    never_decisive: list[str] = field(default_factory=list)
    vacuous: list[str] = field(default_factory=list)
    dangling: list[str] = field(default_factory=list)  # exceptions to rules that are not there
    unknown: list[str] = field(default_factory=list)
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
    """One unit of work, done in a process of its own. Games: seeds; scenarios: which ones (by number); proofs: which claims."""

    kind: str
    target: Target
    players: int
    items: tuple[int, ...]
    altered: int


def situations(spec: Spec, target: Target) -> list[Situation]:
    """The scenarios that speak of this ruleset: those that name it and, where no reading is chosen, those that name none."""
    found = [read_situation(d) for d in spec.scenarios]
    name = target.name
    return [s for s in found if name in s.rulesets or (not s.rulesets and "+" not in name)]


@lru_cache(maxsize=4)
def judge_of(target: Target, players: int) -> Judge:
    """The rules of a target for a number of players; a process keeps them, and what Z3 has built of them, between units."""
    return Judge(Game(target.rules(players)))


def do(work: Work) -> tuple[Work, Any]:
    """Does one unit of work. Runs in a worker process."""
    judge = judge_of(work.target, work.players)
    rules = judge.rules
    other = reference(work.target.name, work.players) if work.target.path is None else None
    if work.kind in ("scenarios", "coverage"):
        spec, _ = work.target.spec()
        chosen = [s for i, s in enumerate(situations(spec, work.target)) if i in work.items]
        # For coverage Z3 is only asked where nobody else can answer.
        asked = work.kind == "scenarios" and judge.has_symbolic
        return work, [
            ScenarioRun(rules, judge.speaker, s, other, judge if s.is_partial or asked else None).run() for s in chosen
        ]
    if work.kind == "claims":
        from brassspec.checker.symbolic import prove_claim

        proofs = []
        for i in work.items:
            p = rules.model.properties[i]
            proof = prove_claim(rules.model, p)
            example = ""
            if proof.counterexample is not None:
                position = Codec(rules).position(proof.counterexample.state)
                example = f"{position.state} {proof.counterexample.args}"
            proofs.append((p.name, proof.verdict, example or proof.reason))
        return work, proofs
    # Z3's formulas are costly to build: the cross-check builds those for one number of players.
    few = work.players == work.target.spec()[0].players[0] and judge.has_symbolic
    options = Options(altered=work.altered, symbolic=Z3_SAMPLE if few else 0)
    cross = CrossCheck(rules, other, judge.symbolic if few else None, options)
    for seed in work.items:
        cross.play(seed)
    return work, cross.tally


def plan(target: Target, games: int, seed: int, altered: int) -> list[Work]:
    """The units of work for one target. Building its models here shows every error of the spec before anything runs."""
    spec, readings = target.spec()
    units = []
    chosen = situations(spec, target)
    for players in spec.players:
        model = build(spec, readings, players)
        mine = tuple(i for i, s in enumerate(chosen) if (s.players or spec.players[0]) == players)
        half = (len(mine) + 1) // 2 if len(mine) > 20 else len(mine)
        units += [Work("scenarios", target, players, part, altered) for part in (mine[:half], mine[half:]) if part]
        claims = tuple(i for i, p in enumerate(model.properties) if p.kind == "claim")
        if players == spec.players[0] and claims:
            units.append(Work("claims", target, players, claims, altered))
        # Few games a unit, so that progress shows and the cores end together.
        seeds = list(range(seed, seed + games))
        units += [Work("games", target, players, tuple(seeds[i : i + 2]), altered) for i in range(0, games, 2)]
    return units


def check(
    targets: Sequence[str] = (),
    *,
    games: int = 4,
    seed: int = 1,
    altered: int = 2,
    jobs: int = 2,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[Report]:
    """Checks rulesets (names, or paths of spec files that declare an edition); none named: all that ship.

    games: random games a number of players; altered: altered moves a decision; jobs: processes.
    progress: called with (units done, units in all, what).
    Raises SpecError with every error of a faulty spec, InputError where there is no such ruleset.
    """
    if games < 0 or jobs < 1 or altered < 0:
        raise InputError("--games and --altered are 0 or more, --jobs 1 or more")
    start_anew()
    wanted = [Target.of(t) for t in (targets or editions())]
    reports: dict[Target, Report] = {}
    units: list[Work] = []
    start = time.monotonic()
    for t in wanted:
        spec, readings = t.spec()
        units += plan(t, games, seed, altered)
        reports[t] = Report(t.name, {q: readings.get(q, r.default) for q, r in spec.rulings.items()})
        model = build(spec, readings, spec.players[0])
        reports[t].counts["requirements"] = sum(r.kind == "requirement" for r in model.requirements.values())
        reports[t].counts["exceptions"] = sum(r.kind == "exception" for r in model.requirements.values())
        reports[t].counts["invariants"] = sum(p.kind == "invariant" for p in model.properties)
        reports[t].counts["claims"] = sum(p.kind == "claim" for p in model.properties)
    for i, (work, result) in enumerate(run(units, jobs), start=1):
        if progress is not None:
            progress(i, len(units), f"{work.target.name}, {work.players} players, {work.kind}")
        add(reports[work.target], work, result)
    for t, report in reports.items():
        report.seconds = time.monotonic() - start
        conclude(t, report)
    return list(reports.values())


def run(units: Iterable[Work], jobs: int) -> Iterable[tuple[Work, Any]]:
    """The results of all units, as they come."""
    units = list(units)
    if jobs == 1 or len(units) < 2:
        yield from map(do, units)
        return
    with ProcessPoolExecutor(max_workers=jobs, initializer=end_at_once) as pool:
        try:
            for f in as_completed([pool.submit(do, u) for u in units]):
                yield f.result()
        except BaseException:
            # Whatever ends the check ends its processes too: they may be deep in a search.
            for child in active_children():
                child.terminate()
            raise


def end_at_once() -> None:
    """In a worker process: Ctrl-C ends it, without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def add(report: Report, work: Work, result: Any) -> None:
    if work.kind == "scenarios":
        for r in result:
            report.counts["scenarios"] += 1
            report.counts += r.counts
            report.decisive.update(r.decisive)
            if r.problems:
                report.failed_scenarios.append(r)
    elif work.kind == "claims":
        for name, verdict, example in result:
            report.assurance[f"claim {name}"] = (
                "proved" if verdict == "proved" else "not run" if verdict == "unknown" else "refuted"
            )
            if verdict == "refuted":
                report.refuted.append((name, example))
            elif verdict == "unknown":
                report.unknown.append(f"claim {name}: {example}")
    else:
        tally: Tally = result
        report.counts += tally.counts
        report.decisive += tally.decisive
        report.divergences += tally.divergences


def conclude(target: Target, report: Report) -> None:
    """Orders what was found, says what each thing rests on, and notes what examined nothing."""
    spec, readings = target.spec()
    model = build(spec, readings, spec.players[0])
    report.failed_scenarios.sort(key=lambda r: (r.place, r.players))
    report.divergences.sort(key=lambda d: (d.signature, d.game))
    report.never_decisive = [
        n for n, r in model.requirements.items() if r.kind == "requirement" and n not in report.decisive
    ]
    report.dangling = [f"{x} excepts {r}, which is not there" for x, r in model.dangling.items()]
    games = report.counts["games"]
    report.assurance["invariants"] = f"tested({report.counts['positions']} positions)" if games else "not run"
    has_reference = target.path is None and reference(target.name, spec.players[0]) is not None
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
