"""Each reading in random games: spec against reference engine where the engine offers the reading, else invariants only.

    python benchmarks/readings.py --games 10
    python benchmarks/readings.py --edition lancashire-2007-2p --only rail_coal_after=before --games 100
    python benchmarks/readings.py --together --games 100

With --together, rulesets of many readings at once: a set of them in which any two readings that the engine offers, of two questions,
meet in at least one ruleset (a pairwise covering set). Readings that refuse each other are named.

Games are of three styles in turn: plain, rich (money, few passes: links, sales and replaced tiles) and poor (many loans:
shortfalls). "told apart" counts the moves and chance events at which the reading and the default differ: in what is
legal, or in what comes of it. A reading with 0 there was played, but not tested.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

from brassspec.engine import Engine
from brassspec.formats import Plain, Position
from brassspec.grammar.errors import SpecError
from brassspec.rules.api import Game
from brassspec.rules.concrete import InternalError, Rules, State
from brassspec.rules.library import load_model, spec_of

# Style -> (pounds to begin with, None as in the rules; how often an action is chosen, 1 where it isn't said)
STYLES: dict[str, tuple[int | None, dict[str, float]]] = {
    "plain": (None, {}),
    "rich": (250, {"pass": 0.01, "loan": 0.05, "develop": 0.6, "done": 0.2, "sell": 3, "second_rail": 3}),
    "poor": (None, {"pass": 0.2, "loan": 3, "build": 3, "combine": 2}),
}
Args = tuple[Any, ...]
# Questions and the readings taken of them
Chosen = tuple[tuple[str, str], ...]

# A question that only arises under another's reading is played with that, on both sides.
UNDER = {"isolated_overbuild": "+industry_card_own_tile=yes"}


@dataclass(frozen=True)
class Result:
    games: int = 0
    moves: int = 0
    apart: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: Result) -> Result:
        return Result(
            self.games + other.games, self.moves + other.moves, self.apart + other.apart, self.wrong + other.wrong
        )


def key(data: Plain) -> tuple[Any, ...]:
    """A move or chance outcome as something that can be looked up."""
    return tuple([(k, tuple(v) if isinstance(v, list) else v) for k, v in sorted(data.items())])


@lru_cache(maxsize=4)
def rules_of(ruleset: str, players: int) -> Rules:
    return Rules(load_model(ruleset, players))


class Apart:
    """Whether the default would allow the same moves and do the same; what only the reading remembers is left out."""

    def __init__(self, rules: Rules, default: Rules) -> None:
        self.rules, self.default, self.game = rules, default, Game(default)
        self.codec = self.game.codec
        self.places = [rules.index[name] for name in default.model.state]

    def state(self, state: State) -> State:
        return tuple(state[i] for i in self.places)

    def initial(self) -> bool:
        return self.state(self.rules.initial()) != self.default.initial()

    def legal(self, state: State, moves: list[tuple[int, Args]]) -> bool:
        mine = {(self.rules.action_names[i], args) for i, args in moves}
        return mine != {(self.default.action_names[i], args) for i, args in self.default.legal(self.state(state))}

    def step(self, state: State, what: Any, after: State, events: list[Any]) -> bool:
        try:
            if "chance" in what:
                then, told = self.default.happen(self.state(state), *self.game.whole(self.game.request(what)))
            else:
                j = self.default.step(self.state(state), *self.game.whole(self.game.request(what)))
                if j.state is None:
                    return False  # counted where what is legal was compared
                then, told = j.state, j.events
        except (InternalError, ValueError):
            return True
        return then != self.state(after) or [self.codec.event(e) for e in told] != events


def named(base: str, readings: Chosen) -> str:
    return "+".join([base, *(f"{q}={r}" for q, r in readings)])


def play(base: str, readings: Chosen, players: int, seed: int, style: str) -> Result:
    """One game. What differs from the engine, breaks an invariant or ends in an error is told in `wrong`, and ends it.

    `base`: the ruleset that the readings are told apart from.
    """
    rules = rules_of(named(base, readings), players)
    ruleset = rules.model.ruleset
    codec, apart = Game(rules).codec, Apart(rules, rules_of(base, players))
    offered = all(r in Engine.readings().get(q, ()) for q, r in readings)
    engine = Engine(ruleset, players) if offered else None
    rng = random.Random(f"{style} {seed}")
    pounds, weights = STYLES[style]
    state = rules.initial()
    if pounds is not None:
        plain = dict(codec.position(state).state)
        plain["money"] = dict.fromkeys(plain["money"], pounds)
        state = codec.state(Position(ruleset, players, plain))
    position = codec.position(state) if engine else None
    moves, differences = 0, int(apart.initial())

    def done(*wrong: str) -> Result:
        told = tuple(f"{ruleset} for {players}, {style} game {seed}, move {moves}: {w}" for w in wrong)
        return Result(1, moves, differences, told)

    while True:
        broken = rules.broken(state)
        if broken:
            return done(f"breaks {', '.join(broken)}")
        outcomes = rules.chance(state)
        legal = rules.legal(state) if not outcomes else []
        if engine and position:
            if codec.position(state).state != position.state:
                spec = codec.position(state).state
                return done(
                    f"position: { {k: (v, position.state.get(k)) for k, v in spec.items() if v != position.state.get(k)} }"
                )
            mine = {(key(codec.move(*m)), 0) for m in legal} | {(key(codec.chance(i, a)), w) for i, a, w in outcomes}
            theirs = {(key(m), 0) for m in engine.legal_moves(position)} | {
                (key(c), w) for c, w in engine.chance(position)
            }
            if mine != theirs:
                return done(f"legal: spec only {sorted(mine - theirs)[:3]}, engine only {sorted(theirs - mine)[:3]}")
        if not outcomes and not legal:
            return done()
        try:
            if outcomes:
                number, args, _ = rng.choices(outcomes, [w for *_, w in outcomes])[0]
                what = codec.chance(number, args)
                after, told = rules.happen(state, number, args)
            else:
                differences += apart.legal(state, legal)
                names = sorted({m[0] for m in legal})
                action = rng.choices(names, [weights.get(rules.action_names[n], 1.0) for n in names])[0]
                move = rng.choice([m for m in legal if m[0] == action])
                what = codec.move(*move)
                judged = rules.step(state, *move)
                assert judged.state is not None
                after, told = judged.state, judged.events
                moves += 1
        except InternalError as e:
            return done(f"error: {e}")
        events = [codec.event(e) for e in told]
        differences += apart.step(state, what, after, events)
        state = after
        if engine and position:
            outcome = engine.apply_chance(position, what) if outcomes else engine.step(position, what)
            if outcome.position is None:
                return done(f"the engine refuses {what}: {outcome.violated}")
            if events != list(outcome.events):
                return done(f"events of {what}: spec {events}, engine {list(outcome.events)}")
            position = outcome.position


def campaign(base: str, readings: Chosen, players: list[int], games: int, seed: int) -> Result:
    styles = list(STYLES)
    return reduce(
        Result.__add__,
        [
            play(base, readings, players[i % len(players)], seed + i, styles[i // len(players) % len(styles)])
            for i in range(games)
        ],
        Result(),
    )


def can_be(edition: str, readings: Chosen, players: int) -> bool:
    """Whether the spec takes these readings together."""
    try:
        load_model(named(edition, readings), players)
    except SpecError:
        return False
    return True


def covering(edition: str, players: int) -> tuple[list[Chosen], list[tuple[tuple[str, str], tuple[str, str]]]]:
    """Rulesets in which any two readings of two offered questions meet, and the pairs that refuse each other.

    Greedy: the best of some rulesets, each of which starts from a pair that has not met, and takes question after question the
    reading with which most new pairs meet.
    """
    rulings = spec_of(edition).rulings
    questions = {q: sorted(r) for q, r in Engine.readings().items() if q in rulings}
    pairs = {
        ((p, a), (q, b))
        for p, q in itertools.combinations(sorted(questions), 2)
        for a in questions[p]
        for b in questions[q]
    }

    def others(readings: Iterable[tuple[str, str]]) -> Chosen:
        """Without the defaults, which need not be named."""
        return tuple((q, r) for q, r in sorted(readings) if rulings[q].default != r)

    refused = [pair for pair in sorted(pairs) if len(others(pair)) == 2 and not can_be(edition, pair, players)]
    left = pairs - set(refused)
    rng = random.Random(0)
    rows: list[Chosen] = []
    while left:
        candidates = []
        for _ in range(40):
            row = dict(rng.choice(sorted(left)))
            for q in rng.sample(sorted(questions.keys() - row.keys()), len(questions) - 2):
                fits = [r for r in questions[q] if not any(tuple(sorted([(q, r), x])) in refused for x in row.items())]
                row[q] = max(fits, key=lambda r: sum(tuple(sorted([(q, r), x])) in left for x in row.items()))
            met = left & set(itertools.combinations(sorted(row.items()), 2))
            candidates.append((len(met), others(row.items()), met))
        _, row_readings, met = max(candidates, key=lambda c: c[0])
        left -= met
        rows.append(row_readings)
    return rows, refused


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="lancashire-2007")
    parser.add_argument("--games", type=int, default=6, help="games a reading")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", help="QUESTION or QUESTION=READING")
    parser.add_argument(
        "--together", action="store_true", help="a pairwise covering set of the readings that the engine offers"
    )
    args = parser.parse_args()
    spec = spec_of(args.edition)
    players = list(spec.players)
    # What is played: the ruleset to tell it apart from, and the readings
    chosen: list[tuple[str, Chosen]]
    if args.together:
        rows, refused = covering(args.edition, players[0])
        chosen = [(args.edition, row) for row in rows]
        for first, second in refused:
            print(f"refuse each other: {'='.join(first)} and {'='.join(second)}")
    else:
        chosen = [
            (args.edition + UNDER.get(question, ""), ((question, reading),))
            for question, ruling in spec.rulings.items()
            for reading in ruling.readings
            if reading != ruling.default
            and (not args.only or question in args.only or f"{question}={reading}" in args.only)
        ]
    if not chosen or args.games < 1:
        print("nothing to play: there is no such reading, or no game is asked for", file=sys.stderr)
        return 2
    offered = Engine.readings()
    wrong: list[str] = []
    print(f"{'reading':34} {'games':>5} {'moves':>6} {'told apart':>10}  engine")
    with ProcessPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(campaign, base, readings, players, args.games, args.seed) for base, readings in chosen]
        for (_, readings), job in zip(chosen, jobs, strict=True):
            result = job.result()
            wrong += result.wrong
            agreed = result.games - len(result.wrong)
            known = all(r in offered.get(q, ()) for q, r in readings)
            engine = f"agreed on {agreed}" if known else f"not offered; {agreed} unbroken"
            name = " ".join(f"{q}={r}" for q, r in readings)
            print(f"{name:34} {result.games:5} {result.moves:6} {result.apart:10}  {engine}", flush=True)
    for one in wrong:
        print(one[:3000])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
