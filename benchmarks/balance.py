"""Random games: does every era have its rounds, is every card dealt played, and does everything balance?

    python benchmarks/balance.py --edition birmingham-2018 --games 1000 --jobs 2

After every move: the spec's invariants (tiles, links, cards, distant or merchant tiles), money by the events told, coal, iron and beer
by the cubes that came and went. Prints the totals; exits with 1 at the first game in which something is off.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from brassspec.rules.api import Game, game
from brassspec.rules.concrete import RawEvent, State

# Ruleset, players, rounds of an era.
SIZES = {
    "lancashire-2007": (("lancashire-2007-2p", 2, 10), ("lancashire-2007", 3, 10), ("lancashire-2007", 4, 8)),
    "lancashire-2018": (("lancashire-2018", 2, 10), ("lancashire-2018", 3, 9), ("lancashire-2018", 4, 8)),
    "birmingham-2018": (("birmingham-2018", 2, 10), ("birmingham-2018", 3, 9), ("birmingham-2018", 4, 8)),
}
CUBES = {"coal": "coal_mine", "iron": "iron_works", "beer": "brewery"}
GAINS = {"received": 1, "loan_taken": 1, "income_taken": 1, "paid": -1, "income_paid": -1}


def in_market(g: Game, state: State, kind: str) -> int:
    return int(state[g.rules.index[kind]]) if kind in g.rules.index else 0


def cubes(g: Game, state: State, kind: str) -> int:
    """Cubes of a kind in play: on tiles and in the market."""
    industries = g.model.sorts["Industry"].members
    tiles = [tile for tile in state[g.rules.index["tile"]] if tile is not None]
    on_tiles: int = sum(tile[4] for tile in tiles if industries[tile[1]] == CUBES[kind])
    return in_market(g, state, kind) + on_tiles


def made(g: Game, state: State, industry: str, level: int) -> int:
    """The cubes that a new tile comes with."""
    tables = g.model.tables
    if industry == "brewery":
        return int(tables["barrels_made"].rows[state[g.rules.index["era"]],])
    return int(tables["cubes"].rows[g.model.sorts["Industry"].members.index(industry), level])


def off(g: Game, before: State, after: State, events: tuple[RawEvent, ...]) -> str:
    """What does not balance from one position to the next, or ""."""
    at = g.rules.index
    told = [g.codec.event(e) for e in events]
    for i, name in enumerate(g.model.sorts["Player"].members):
        change = sum(GAINS[e["event"]] * e["amount"] for e in told if e["event"] in GAINS and e["player"] == name)
        if after[at["money"]][i] - before[at["money"]][i] != change:
            return f"money of {name}: {before[at['money']][i]} to {after[at['money']][i]}, told {change}"
    kinds = g.model.sorts["Industry"].members
    for kind, industry in CUBES.items():
        if industry not in kinds:
            continue
        held = {
            slot: tile[4] if tile is not None and kinds[tile[1]] == industry else 0
            for slot, tile in zip(g.model.sorts["Slot"].members, before[at["tile"]], strict=True)
        }
        market = in_market(g, before, kind)
        for e in told:
            if e["event"] == f"{kind}_taken" and e["source"] == "market":
                market = max(0, market - 1)
            elif e["event"] == f"{kind}_taken":
                held[e["source"]] -= 1
            elif e["event"] == "tile_removed":
                held[e["slot"]] = 0
            elif e["event"] == "tile_built" and e["industry"] == industry:
                held[e["slot"]] = made(g, before, industry, e["level"])
            elif e["event"] == "cubes_sold" and held[e["slot"]] > 0:
                held[e["slot"]] -= e["cubes"]
                market += e["cubes"]
        if cubes(g, after, kind) != sum(held.values()) + market:
            return f"{kind}: {cubes(g, before, kind)} to {cubes(g, after, kind)}, told {sum(held.values()) + market}"
    return ""


def play(ruleset: str, players: int, rounds: int, seeds: range) -> tuple[int, int, list[str]]:
    """(games, moves, what was off)"""
    g = game(ruleset, players)
    at = g.rules.index
    moves = 0
    faults: list[str] = []
    for seed in seeds:
        rng = random.Random(f"balance/{seed}")
        state: State = g.rules.initial()
        begun: list[Any] = []
        dealt = played = 0
        while True:
            due = g.rules.chance(state)
            if due:
                i, args, _ = rng.choices(due, weights=[w for *_, w in due])[0]
                after, events = g.rules.happen(state, i, args)
            else:
                legal = g.rules.legal(state)
                if not legal:
                    break
                kind = rng.choice(sorted({m[0] for m in legal}))
                j = g.rules.step(state, *rng.choice([m for m in legal if m[0] == kind]))
                assert j.state is not None
                after, events = j.state, j.events
                moves += 1
            wrong = off(g, state, after, events) or ", ".join(g.rules.broken(after))
            if wrong:
                faults.append(f"{ruleset}, {players} players, game {seed}: {wrong}")
                break
            names = [g.rules.event_names[e[0]] for e in events]
            begun += [e[1] for e, n in zip(events, names, strict=True) if n == "round_begun"]
            dealt += names.count("card_drawn") + names.count("wild_taken")
            played += names.count("card_played")
            state = after
        else:
            continue
        if not faults and (begun != [*range(1, rounds + 1)] * 2 or dealt != played or any(state[at["hand"]])):
            faults.append(f"{ruleset}, {players} players, game {seed}: rounds {begun}, {dealt} dealt, {played} played")
        if faults:
            break
    return len(seeds), moves, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", choices=SIZES, default="lancashire-2007")
    parser.add_argument("--games", type=int, default=1000, help="a number of players")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    start = time.monotonic()
    games: dict[tuple[str, int], int] = {}
    total = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        futures = {
            pool.submit(play, ruleset, n, rounds, range(s, min(s + 20, given.games))): (ruleset, n)
            for s in range(0, given.games, 20)
            for ruleset, n, rounds in SIZES[given.edition]
        }
        for f in as_completed(futures):
            count, moves, faults = f.result()
            games[futures[f]] = games.get(futures[f], 0) + count
            total += moves
            print(f"{sum(games.values())} games, {total} moves", end="\r", flush=True)
            if faults:
                print(*faults, sep="\n")
                sys.exit(1)
    rulesets = ", ".join(f"{r} for {n}" for r, n in games)
    print(f"{given.games} games each of {rulesets}: {total} moves, all balances; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
