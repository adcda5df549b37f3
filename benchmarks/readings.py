"""Each reading in random games: spec against reference engine where the engine offers the reading, else invariants only.

    python benchmarks/readings.py --games 10
    python benchmarks/readings.py --edition lancashire-2007-2p --only rail_coal_after=before --games 100

Games are of three styles in turn: plain, rich (money, few passes: links, sales and replaced tiles) and poor (many loans:
shortfalls). "told apart" counts the moves and chance events at which the reading and the default differ: in what is
legal, or in what comes of it. A reading with 0 there was played, but not tested.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

from brassspec.engine import Engine
from brassspec.formats import Position
from brassspec.rules.codec import Codec
from brassspec.rules.concrete import InternalError, Rules, State
from brassspec.rules.library import load_model, spec_of

# Style -> (pounds to begin with, None as in the rules; how often an action is chosen, 1 where it isn't said)
STYLES: dict[str, tuple[int | None, dict[str, float]]] = {
    "plain": (None, {}),
    "rich": (250, {"pass": 0.01, "loan": 0.05, "develop": 0.6, "done": 0.2, "sell": 3, "second_rail": 3}),
    "poor": (None, {"pass": 0.2, "loan": 3, "build": 3, "combine": 2}),
}
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


def key(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


@lru_cache(maxsize=4)
def rules_of(ruleset: str, players: int) -> Rules:
    return Rules(load_model(ruleset, players))


class Apart:
    """Whether the default would allow the same moves and do the same; what only the reading remembers is left out."""

    def __init__(self, rules: Rules, default: Rules) -> None:
        self.rules, self.default, self.codec = rules, default, Codec(default)
        self.places = [rules.index[name] for name in default.model.state]

    def state(self, state: State) -> State:
        return tuple(state[i] for i in self.places)

    def initial(self) -> bool:
        return self.state(self.rules.initial()) != self.default.initial()

    def legal(self, state: State, moves: set[str]) -> bool:
        return moves != {key(self.codec.move(*m)) for m in self.default.legal(self.state(state))}

    def step(self, state: State, what: Any, after: State, events: list[Any]) -> bool:
        try:
            if "chance" in what:
                then, told = self.default.happen(self.state(state), *self.codec.read_chance(what))
            else:
                j = self.default.step(self.state(state), *self.codec.read_move(what))
                if j.state is None:
                    return False  # counted where what is legal was compared
                then, told = j.state, j.events
        except (InternalError, ValueError):
            return True
        return then != self.state(after) or [self.codec.event(e) for e in told] != events


def play(edition: str, question: str, reading: str, players: int, seed: int, style: str) -> Result:
    """One game. What differs from the engine, breaks an invariant or ends in an error is told in `wrong`, and ends it."""
    base = edition + UNDER.get(question, "")
    rules = rules_of(f"{base}+{question}={reading}", players)
    ruleset = rules.model.ruleset
    codec, apart = Codec(rules), Apart(rules, rules_of(base, players))
    engine = Engine(ruleset, players) if reading in Engine.readings().get(question, ()) else None
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
            mine = {key(codec.move(*m)) for m in legal} | {key([codec.chance(i, a), w]) for i, a, w in outcomes}
            theirs = {key(m) for m in engine.legal_moves(position)} | {key([c, w]) for c, w in engine.chance(position)}
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
                differences += apart.legal(state, {key(codec.move(*m)) for m in legal})
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


def campaign(edition: str, question: str, reading: str, players: list[int], games: int, seed: int) -> Result:
    styles = list(STYLES)
    return reduce(
        Result.__add__,
        [
            play(
                edition, question, reading, players[i % len(players)], seed + i, styles[i // len(players) % len(styles)]
            )
            for i in range(games)
        ],
        Result(),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="lancashire-2007")
    parser.add_argument("--games", type=int, default=6, help="games a reading")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", help="QUESTION or QUESTION=READING")
    args = parser.parse_args()
    spec = spec_of(args.edition)
    chosen = [
        (question, reading)
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
        players = list(spec.players)
        jobs = [pool.submit(campaign, args.edition, q, r, players, args.games, args.seed) for q, r in chosen]
        for (question, reading), job in zip(chosen, jobs, strict=True):
            result = job.result()
            wrong += result.wrong
            agreed = result.games - len(result.wrong)
            engine = (
                f"agreed on {agreed}" if reading in offered.get(question, ()) else f"not offered; {agreed} unbroken"
            )
            print(
                f"{question + '=' + reading:34} {result.games:5} {result.moves:6} {result.apart:10}  {engine}",
                flush=True,
            )
    for one in wrong:
        print(one[:3000])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
