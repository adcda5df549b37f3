"""Three opinions on so many different positions: concrete meaning, reference engine and Z3, on the move made and on others, legal and not.

    python benchmarks/opinions.py --ruleset birmingham-2018 --positions 10000
    python benchmarks/opinions.py --ruleset lancashire-2018 --players 4 --seed 7000 --jobs 2

Games are played as `brassspec check` plays them, until each process has met its share. In each position concrete meaning and engine judge
the move made, another legal one, an altered one and, in most, one that a single requirement forbids; Z3 judges one of these. Prints
positions and Z3's verdicts by kind of move; exit code 1 at a difference, 2 where there is no reference engine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from brassspec.checker.check import Target, judge_of, starts_of
from brassspec.checker.crosscheck import CrossCheck, Options
from brassspec.checker.exhaustive import digest_of, pack
from brassspec.rules.api import Taken
from brassspec.rules.concrete import Judgement, State

KINDS = ("decisions", "tried_moves", "altered_moves", "relaxed_moves")  # of moves, as the cross-check counts them


@dataclass(slots=True)
class Judged:
    """What three opinions judged alike. positions: digests; verdicts: by kind of move and verdict."""

    positions: set[bytes] = field(default_factory=set)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    games: int = 0
    wrong: list[str] = field(default_factory=list)


class Counting(CrossCheck):
    """Asks Z3 about one move in each position, of the kind that its digest says."""

    judged: Judged

    def judge(self, state: State, taken: Taken, counted: str) -> Judgement | None:
        j = super().judge(state, taken, counted)
        digest = digest_of(pack(state))
        if j is None or counted != KINDS[digest[0] % len(KINDS)] or digest in self.judged.positions:
            return j
        if self.report(state, self.compare.z3(state, taken, j)):
            return None
        self.judged.positions.add(digest)
        self.judged.verdicts[self.actions[taken[0]].name, "illegal" if j.violated else "legal"] += 1
        return j


def part(given: argparse.Namespace, number: int) -> Judged:
    """One process's share."""
    target = Target(given.ruleset)
    judge = judge_of(target, given.players)
    cross = Counting(
        judge.rules,
        target.reference(given.players),
        judge.symbolic,
        Options(),
        starts_of(target, given.players),
    )
    cross.judged = done = Judged()
    start = time.monotonic()
    while len(done.positions) * given.jobs < given.positions and not cross.tally.divergences:
        cross.play(given.seed + number + done.games * given.jobs)
        done.games += 1
        if number == 0:
            print(f"\r{len(done.positions)} positions, {time.monotonic() - start:.0f} s", end="", file=sys.stderr)
    done.wrong = [f"game {d.game}: {d.signature}: {d.move}" for d in cross.tally.divergences]
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="lancashire-2007")
    parser.add_argument("--players", type=int, default=None, help="the fewest if left out")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=9_000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    target = Target(given.ruleset)
    given.players = given.players or target.spec()[0].players[0]
    if target.reference(given.players) is None:
        parser.error(f"{given.ruleset}: the reference engine does not know it")
    start = time.monotonic()
    with ProcessPoolExecutor(given.jobs) as pool:
        parts = [f.result() for f in [pool.submit(part, given, n) for n in range(given.jobs)]]
    print(file=sys.stderr)
    positions = set[bytes]().union(*(p.positions for p in parts))
    verdicts = sum((p.verdicts for p in parts), Counter[tuple[str, str]]())
    wrong = [line for p in parts for line in p.wrong]
    print(
        f"{given.ruleset}, {given.players} players, {sum(p.games for p in parts)} games, seed {given.seed}, "
        f"{time.monotonic() - start:.0f} s: {len(positions)} different positions, {verdicts.total()} verdicts of Z3, "
        f"{len(wrong)} differences"
    )
    for name in sorted({n for n, _ in verdicts}):
        print(f"  {name:20} {verdicts[name, 'legal']:6} legal {verdicts[name, 'illegal']:6} illegal")
    for line in wrong[:10]:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
