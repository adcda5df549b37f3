"""Every position of the small game `mini`: its whole tree, chance included, judged by the concrete meaning and the reference engine,
and with --z3 by the symbolic meaning.

    python benchmarks/mini.py --jobs 2
    python benchmarks/mini.py --ruleset mini-birmingham --z3 --jobs 2

Prints a progress line, then the figures; exit code 1 at a difference, 4 where the tree was not seen to its end or by no second opinion.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from brassspec.checker.exhaustive import Exhausted, exhaustive
from brassspec.checker.opinions import reference
from brassspec.checker.questions import Judge
from brassspec.rules.api import game
from brassspec.rules.cache import load_rules

BY = ("era", "round", "phase")


def part(given: argparse.Namespace, number: int) -> Exhausted:
    """One share of the tree; the first one tells how far it is."""
    start = time.monotonic()

    def progress(positions: int, waiting: int) -> None:
        print(f"\r{positions} positions, {waiting} waiting, {time.monotonic() - start:.0f} s", end="", file=sys.stderr)

    return exhaustive(
        given.ruleset,
        given.players,
        None if given.alone else reference(given.ruleset, given.players),
        Judge(game(given.ruleset, given.players)).symbolic if given.z3 else None,
        limit=given.limit,
        share=(number, given.jobs),
        altered=given.altered,
        seed=given.seed,
        by=BY,
        progress=progress if number == 0 else None,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="mini")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--limit", type=int, default=None, help="positions; all if left out")
    parser.add_argument("--altered", type=float, default=1.0, help="altered moves a position with a decision")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help="the concrete meaning alone")
    parser.add_argument("--z3", action="store_true", help="Z3 gives its verdict on every move, too")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        shares = [f.result() for f in [pool.submit(part, given, n) for n in range(given.jobs)]]
    total = shares[0]
    for share in shares[1:]:
        total += share
    print(file=sys.stderr)
    show(total, given.z3)
    sys.exit({"ok": 0, "failed": 1, "vacuous": 2}.get(total.verdict, 4))


def show(total: Exhausted, z3: bool) -> None:
    known = (
        "and the reference engine"
        if total.reference
        else "without the reference engine, which does not know it or was not asked"
    )
    known += ", and Z3" if z3 else ""
    print(f"{total.ruleset}, {total.players} players: {total.verdict}; {total.seconds:.0f} s; concrete meaning {known}")
    print("the whole tree" if total.complete else "NOT the whole tree")
    for name, n in sorted(total.tally.counts.items()):
        print(f"  {name:20} {n}")
    print("positions by", " ".join(BY))
    for name, n in sorted(total.kinds.items()):
        print(f"  {name:20} {n}")
    model = load_rules(total.ruleset, total.players).model
    print("happened:", ", ".join(f"{k} {v}" for k, v in total.happened.most_common()))
    print("never happened:", ", ".join(n for n in [*model.actions, *model.chances] if not total.happened[n]) or "none")
    rules = [n for n, r in model.requirements.items() if r.kind == "requirement"]
    print("sole decider:", ", ".join(f"{k} {v}" for k, v in total.tally.decisive.most_common()) or "none")
    print("never sole decider:", ", ".join(n for n in rules if not total.tally.decisive[n]) or "none")
    print("exceptions used:", ", ".join(f"{k} {v}" for k, v in total.exceptions.most_common()) or "none")
    for d in total.tally.divergences[:10]:
        print(f"DIFFERENCE {d.kind}, position {d.game}: {d.move}\n  spec:  {d.spec[:300]}\n  other: {d.other[:300]}")


if __name__ == "__main__":
    main()
