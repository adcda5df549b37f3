"""Each reading in whole random games: spec against reference engine where the engine offers the reading, else the spec alone.

    python benchmarks/readings.py --games 10
    python benchmarks/readings.py --edition birmingham-2018 --only rail_coal_end=chosen_end --games 100
    python benchmarks/readings.py --together --games 100 --journal together.journal

At every decision the positions, the legal moves, what follows and the events are compared, and the invariants tested (not the claims,
which are about the default readings). With --together
rulesets of many readings at once: a set of them in which any two readings that the engine offers, of two questions, meet in at least
one ruleset (a pairwise covering set). Readings that refuse each other are named. How often a reading matters is told by
`brassspec impact`.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from brassspec.checker.campaign import campaign
from brassspec.checker.crosscheck import CrossCheck, Options
from brassspec.checker.opinions import reference
from brassspec.engine import Engine
from brassspec.formats import InputError, Plain
from brassspec.grammar.errors import SpecError
from brassspec.rules.api import game
from brassspec.rules.library import load_model, spec_of

# Questions and the readings taken of them
Chosen = tuple[tuple[str, str], ...]
Pair = tuple[tuple[str, str], tuple[str, str]]

# A question that only arises under another's reading is played with that.
UNDER = {
    "isolated_overbuild": (("industry_card_own_tile", "yes"),),
    "virtual_use": (("virtual_link", "classic"),),
    "virtual_direction": (("virtual_link", "classic"),),
    "virtual_anchor": (("virtual_link", "classic"),),
}
GAMES_A_UNIT = 10


@dataclass(frozen=True, slots=True)
class Unit:
    """Games of a ruleset: the `first` and those after it."""

    ruleset: str
    players: int
    first: int
    games: int


def play(unit: Unit) -> Plain:
    """What was examined and, in words, what differs."""
    rules, other = game(unit.ruleset, unit.players).rules, reference(unit.ruleset, unit.players)
    cross = CrossCheck(rules, other, None, Options(altered=0, claims=False))
    for number in range(unit.first, unit.first + unit.games):
        cross.play(number)
    told = [
        f"{unit.ruleset} for {unit.players}, game {d.game}: {d.signature}: {d.move}: spec {d.spec[:600]}, engine {d.other[:600]}"
        for d in cross.tally.divergences
    ]
    return {"counts": dict(cross.tally.counts), "wrong": told}


def named(edition: str, readings: Chosen) -> str:
    return "+".join([edition, *(f"{q}={r}" for q, r in readings)])


def can_be(edition: str, readings: Chosen, players: int) -> bool:
    """Whether the spec takes these readings together."""
    try:
        load_model(named(edition, readings), players)
    except (InputError, SpecError):
        return False
    return True


def covering(edition: str, players: int) -> tuple[list[Chosen], list[Pair]]:
    """Rulesets in which any two readings of two offered questions meet, and the pairs that refuse each other.

    Greedy: the best of some rulesets, each of which starts from a pair that has not met, and takes question after question
    the reading with which most new pairs meet.
    """
    rulings = spec_of(edition).rulings
    questions = {q: sorted(r) for q, r in Engine.readings(edition).items() if q in rulings}
    pairs = {
        ((p, a), (q, b))
        for p, q in itertools.combinations(sorted(questions), 2)
        for a in questions[p]
        for b in questions[q]
    }

    def others(readings: dict[str, str]) -> Chosen:
        """Without the defaults, which need not be named."""
        return tuple((q, r) for q, r in sorted(readings.items()) if rulings[q].default != r)

    refused = [pair for pair in sorted(pairs) if len(others(dict(pair))) == 2 and not can_be(edition, pair, players)]
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
            candidates.append((len(met), others(row), met))
        _, readings, met = max(candidates, key=lambda c: c[0])
        left -= met
        rows.append(readings)
    return rows, refused


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="lancashire-2007")
    parser.add_argument("--games", type=int, default=6, help="games a ruleset, shared among the numbers of players")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", help="QUESTION or QUESTION=READING")
    parser.add_argument("--together", action="store_true", help="a pairwise covering set of what the engine offers")
    parser.add_argument("--journal", type=Path, help="keeps what is done: the same command goes on from there")
    args = parser.parse_args()
    spec = spec_of(args.edition)
    players = list(spec.players)
    if args.together:
        chosen, refused = covering(args.edition, players[0])
        for one, other in refused:
            print(f"refuse each other: {'='.join(one)} and {'='.join(other)}")
    else:
        chosen = [
            (*(u for u in UNDER.get(question, ()) if u[0] in spec.rulings), (question, reading))
            for question, ruling in spec.rulings.items()
            for reading in ruling.readings
            if reading != ruling.default
            and (not args.only or question in args.only or f"{question}={reading}" in args.only)
        ]
    if not chosen or args.games < 1:
        print("nothing to play: there is no such reading, or no game is asked for", file=sys.stderr)
        return 2
    units: list[Unit] = []
    of: list[int] = []  # which of `chosen` each unit belongs to
    for i, readings in enumerate(chosen):
        for k, n in enumerate(players):
            share = args.games // len(players) + (k < args.games % len(players))
            for first in range(0, share, GAMES_A_UNIT):
                units.append(
                    Unit(named(args.edition, readings), n, args.seed + first, min(GAMES_A_UNIT, share - first))
                )
                of.append(i)
    digests = [load_model(named(args.edition, readings), players[0]).digest for readings in chosen]
    counts = [Counter[str]() for _ in chosen]
    left = Counter(of)
    wrong: list[str] = []
    print(f"{'readings':44} {'games':>6} {'decisions':>9} {'legal moves':>11}  opinions")
    for number, result in campaign(units, play, args.jobs, args.journal, specs=digests):
        i = of[number]
        counts[i].update(result["counts"])
        wrong += result["wrong"]
        left[i] -= 1
        if left[i] == 0:
            c = counts[i]
            both = reference(named(args.edition, chosen[i]), players[0]) is not None
            name = " ".join(f"{q}={r}" for q, r in chosen[i])
            print(
                f"{name:44} {c['games']:6} {c['decisions']:9} {c['moves']:11}  {'both' if both else 'the spec alone'}",
                flush=True,
            )
    total = sum(counts, Counter())
    print(f"{len(chosen)} rulesets, {total['games']} games, {total['decisions']} decisions, {len(wrong)} differences")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
