"""The long cross-check: concrete meaning, Z3 and reference engine on every decision and altered move of many random games.

    python benchmarks/agreement.py --games 200 --altered 0.17 --until "era = rail" --jobs 2

Prints one line a unit of games, and the totals at the end; stops with exit code 1 at a difference.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache

from brassspec.checker.crosscheck import CrossCheck, Options, Tally
from brassspec.checker.opinions import reference
from brassspec.checker.questions import Judge
from brassspec.grammar.parser import parse
from brassspec.rules.api import game
from brassspec.rules.evaluate import elaborate, evaluator


@lru_cache(maxsize=4)
def judge_of(ruleset: str, players: int) -> Judge:
    return Judge(game(ruleset, players))


def unit(ruleset: str, players: int, seeds: range, altered: float, symbolic: int, until: str) -> Tally:
    judge = judge_of(ruleset, players)
    stop = None
    if until:
        (d,), problems = parse(f"define stop = {until}\n", "--until")
        assert not problems, problems
        stop = evaluator(judge.rules, elaborate(judge.model, d, d.tree.children[-1].children[0]))
    total = Tally()
    for seed in seeds:
        # A fraction of an altered move a decision: that share of the games has one.
        whole = int(altered) + (random.Random(seed).random() < altered % 1)
        cross = CrossCheck(
            judge.rules,
            reference(ruleset, players),
            judge.symbolic if symbolic else None,
            Options(altered=whole, symbolic=symbolic, until=stop),
        )
        cross.play(seed)
        total += cross.tally
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="lancashire-2007")
    parser.add_argument("--players", type=int, nargs="*", default=[3, 4])
    parser.add_argument("--games", type=int, default=200, help="a number of players")
    parser.add_argument("--altered", type=float, default=1.0, help="altered moves a decision")
    parser.add_argument("--symbolic", type=int, default=1, help="Z3 judges every how manieth move; 0: none")
    parser.add_argument("--until", default="", help="a condition that ends a game early, such as: era = rail")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    start = time.monotonic()
    total = Tally()
    with ProcessPoolExecutor(given.jobs) as pool:
        step = 5
        futures = [
            pool.submit(
                unit,
                given.ruleset,
                n,
                range(s, min(s + step, given.seed + given.games)),
                given.altered,
                given.symbolic,
                given.until,
            )
            for n in given.players
            for s in range(given.seed, given.seed + given.games, step)
        ]
        for i, f in enumerate(as_completed(futures), start=1):
            total += f.result()
            c = total.counts
            print(
                f"{i}/{len(futures)} units, {c['games']} games, {c['decisions']} decisions, "
                f"{c['altered_moves']} altered, {len(total.divergences)} differences",
                flush=True,
            )
    seconds = time.monotonic() - start
    print(f"{given.ruleset}, players {given.players}, {seconds:.0f} s, {given.jobs} jobs")
    for k, v in sorted(total.counts.items()):
        print(f"{k:20} {v}")
    print("sole decider:", ", ".join(f"{k} {v}" for k, v in total.decisive.most_common()))
    model = judge_of(given.ruleset, given.players[0]).model
    print(
        "never:",
        ", ".join(n for n, r in model.requirements.items() if r.kind == "requirement" and n not in total.decisive)
        or "none",
    )
    for d in total.divergences[:10]:
        print(
            f"DIFFERENCE {d.kind}, game {d.game}, {d.position.players} players: {d.move}\n  spec:  {d.spec[:300]}\n  other: {d.other[:300]}"
        )
    sys.exit(1 if total.divergences else 0)


if __name__ == "__main__":
    main()
