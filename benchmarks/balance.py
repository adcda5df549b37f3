"""Random games of Brass (2007): does every era have its rounds, is every card dealt played, and does everything balance?

    python benchmarks/balance.py --games 1000 --jobs 2

After every move: the spec's invariants (tiles, links, cards, distant tiles), money by the events told, coal and iron by the cubes that
came and went. Prints the totals; exits with 1 at the first game in which something is off.
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
SIZES = (("lancashire-2007-2p", 2, 10), ("lancashire-2007", 3, 10), ("lancashire-2007", 4, 8))
GAINS = {"received": 1, "loan_taken": 1, "income_taken": 1, "paid": -1, "income_paid": -1}


def cubes(g: Game, state: State) -> dict[str, int]:
    """Cubes in play: on tiles and on the track, by kind."""
    at = g.rules.index
    industries = g.model.sorts["Industry"].members
    found = {"coal": state[at["coal"]], "iron": state[at["iron"]]}
    for tile in state[at["tile"]]:
        if tile is not None and industries[tile[1]] in ("coal_mine", "iron_works"):
            found["coal" if industries[tile[1]] == "coal_mine" else "iron"] += tile[4]
    return found


def off(g: Game, before: State, after: State, events: tuple[RawEvent, ...]) -> str:
    """What does not balance from one position to the next, or ""."""
    at = g.rules.index
    told = [g.codec.event(e) for e in events]
    for i, name in enumerate(g.model.sorts["Player"].members):
        change = sum(GAINS[e["event"]] * e["amount"] for e in told if e["event"] in GAINS and e["player"] == name)
        if after[at["money"]][i] - before[at["money"]][i] != change:
            return f"money of {name}: {before[at['money']][i]} to {after[at['money']][i]}, told {change}"
    was, now = cubes(g, before), cubes(g, after)
    kinds = g.model.sorts["Industry"].members
    for kind, industry in (("coal", "coal_mine"), ("iron", "iron_works")):
        held = {
            slot: tile[4] if tile is not None and kinds[tile[1]] == industry else 0
            for slot, tile in zip(g.model.sorts["Slot"].members, before[at["tile"]], strict=True)
        }
        track = before[at[kind]]
        for e in told:
            if e["event"] == f"{kind}_taken" and e["source"] == "market":
                track = max(0, track - 1)
            elif e["event"] == f"{kind}_taken":
                held[e["source"]] -= 1
            elif e["event"] == "tile_removed":
                held[e["slot"]] = 0
            elif e["event"] == "tile_built" and e["industry"] == industry:
                held[e["slot"]] = g.model.tables["cubes"].rows[(kinds.index(industry), e["level"])]
            elif e["event"] == "cubes_sold" and held[e["slot"]] > 0:
                held[e["slot"]] -= e["cubes"]
                track += e["cubes"]
        if now[kind] != sum(held.values()) + track:
            return f"{kind}: {was[kind]} to {now[kind]}, told {sum(held.values()) + track}"
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
            dealt += names.count("card_drawn")
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
            for ruleset, n, rounds in SIZES
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
