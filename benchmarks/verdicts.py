"""How long a verdict takes: concrete, Z3 (warm, with reasons), reference engine. Ratios within one run.

python benchmarks/verdicts.py --players 4 --decisions 300
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from brassspec.checker.opinions import reference
from brassspec.checker.questions import Judge
from brassspec.rules.api import game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default="lancashire-2007")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--decisions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    judge = Judge(game(given.ruleset, given.players))
    rules = judge.rules
    other = reference(given.ruleset, given.players)
    rng = random.Random(given.seed)
    times: dict[str, list[float]] = {
        "concrete verdict": [],
        "concrete legal moves": [],
        "z3 verdict": [],
        "engine step": [],
    }

    def timed(what: str, work: Callable[..., Any], *args: Any) -> Any:
        start = time.perf_counter()
        result = work(*args)
        times[what].append((time.perf_counter() - start) * 1000)
        return result

    done = 0
    started = set()
    while done < given.decisions:
        state = rules.initial()
        while done < given.decisions:
            outcomes = rules.chance(state)
            if outcomes:
                i, args, _ = rng.choices(outcomes, weights=[w for *_, w in outcomes])[0]
                state, _ = rules.happen(state, i, args)
                continue
            moves = timed("concrete legal moves", rules.legal, state)
            if not moves:
                break
            kind = rng.choice(sorted({m[0] for m in moves}))
            action, args = rng.choice([m for m in moves if m[0] == kind])
            altered = list(args)
            i = rng.randrange(1, len(args)) if len(args) > 1 else 0
            altered[i] = rng.choice(rules.model.values(list(rules.model.actions.values())[action].scalars()[i].type))
            transition = list(rules.model.actions.values())[action]
            symbolic = judge.symbolic.action(transition.name)
            names = [p.name for p in transition.scalars()]
            if transition.name not in started:  # the first verdict builds the formula
                started.add(transition.name)
                symbolic.judge(state, dict(zip(names, args, strict=True)))
            for move in (args, tuple(altered)):
                if any(
                    v is None and n.endswith(".0") and move[names.index(n.replace(".0", ".len"))] > 0
                    for n, v in zip(names, move, strict=True)
                ):
                    continue
                ours = timed("concrete verdict", rules.judge, state, action, move)
                theirs = timed("z3 verdict", symbolic.judge, state, dict(zip(names, move, strict=True)))
                assert theirs.legal == (ours.state is not None)
                assert theirs.state == ours.state
            if other is not None:
                position, plain = judge.codec.position(state), judge.codec.move(action, args)
                timed("engine step", other.step, position, plain)
            after = rules.step(state, action, args).state
            assert after is not None
            state = after
            done += 1
    base = statistics.median(times["concrete verdict"])
    print(f"{given.ruleset}, {given.players} players, {done} decisions, seed {given.seed}; milliseconds")
    for what, ms in times.items():
        if ms:
            ms.sort()
            print(
                f"{what:22} n {len(ms):6}  median {statistics.median(ms):8.3f}  p95 {ms[int(len(ms) * 0.95)]:8.3f}  "
                f"max {ms[-1]:8.3f}  ratio {statistics.median(ms) / base:7.1f}"
            )


if __name__ == "__main__":
    main()
