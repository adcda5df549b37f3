"""How often a reading matters: random games, judged at every decision by the reading too.

*Legal moves changed*: at a decision the reading allows other moves (or chance may bring something else). *Outcome changed*: what
was done comes out otherwise, in the position or in what is told. *Winner changed*: the game is played twice from set-up, once
under each, with the same random numbers; until they part the two are the same game, from then on the same numbers choose among
other moves.
"""

from __future__ import annotations

import math
import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from brassspec.checker.apart import Apart
from brassspec.checker.campaign import campaign
from brassspec.checker.related import Foreign, Related
from brassspec.formats import InputError, Plain
from brassspec.grammar.errors import nearest_name
from brassspec.rules.api import Game, game
from brassspec.rules.cache import load_rules
from brassspec.rules.games import MAX_GAMES, random_game
from brassspec.rules.library import split_ruleset
from brassspec.rules.policies import policy_names
from brassspec.rules.shipped import shipped_editions

PLACES = "standing"  # the variable that holds who came in which place
CONFIDENCE = 1.96  # standard deviations: 95 of 100 such intervals hold the true share

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many games, and the interval (Wilson, 95 %) in which the share lies."""

    count: int
    total: int
    low: float
    high: float

    @staticmethod
    def of(count: int, total: int) -> Share:
        return Share(count, total, *wilson(count, total))


def wilson(count: int, total: int, z: float = CONFIDENCE) -> tuple[float, float]:
    """The Wilson interval of a share. Raises ValueError where there are none to count."""
    if total < 1 or not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    p, square = count / total, z * z / total
    middle = (p + square / 2) / (1 + square)
    half = z * math.sqrt(p * (1 - p) / total + square / (4 * total)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Unit:
    """One game. `lead`: the ruleset that it is played by, `other` the one that judges it too."""

    lead: str
    other: str
    players: int
    seed: int
    number: int
    policy: str


@dataclass(slots=True)
class Impact:
    """How often a reading matters.

    legal, outcome: the games in which it changed what is legal, or what came of a move or of chance, at least once; winner: in
    which somebody else won (None where the rules don't say who wins). by_transition: how often each action, step or chance event
    was what the two part at, at the decisions of all games. first: the earliest such moment: game, policy, move's number.
    """

    base: str
    reading: str
    players: int
    legal: Share
    outcome: Share
    winner: Share | None
    decisions: int = 0
    legal_decisions: int = 0
    outcome_decisions: int = 0
    by_transition: Counter[str] = field(default_factory=Counter)
    first: tuple[int, str, int] | None = None


def impact(
    ruleset: str,
    games: int,
    seed: int = 1,
    *,
    players: int | None = None,
    jobs: int = 1,
    journal: Path | None = None,
    places: str = PLACES,
    progress: Progress | None = None,
) -> Impact:
    """How often the last reading that a ruleset names would change a game of the ruleset without it.

    Half of the games are played by the ruleset without the reading and half by the one with it, by all policies in turn, judged by
    both. players: by default the fewest. places: the variable that tells in which place each player comes.
    Raises InputError where there is no such ruleset or no reading is named, and as `campaign` does on the journal.
    """
    base = without_last(ruleset)
    edition = shipped_editions().get(split_ruleset(ruleset)[0])
    if edition is None:
        raise InputError(f"there is no ruleset {ruleset}: {nearest_name(ruleset, shipped_editions())}")
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"games: {games} is no number 1 to {MAX_GAMES}")
    count = players if players is not None else min(edition.players)
    both = load_rules(base, count), load_rules(ruleset, count)
    Related(*both)  # whether they can be compared
    names = policy_names(both[0].model)
    units = []
    for i in range(games):
        lead, other = (base, ruleset) if i % 2 == 0 else (ruleset, base)
        units.append(Unit(lead, other, count, seed, i, names[i // 2 % len(names)]))
    total: Counter[str] = Counter()
    by_transition: Counter[str] = Counter()
    first: tuple[int, str, int] | None = None
    digests = [rules.model.digest for rules in both]
    has_places = all(_tells(rules.model.state, places) for rules in both)
    done = _Played(places if has_places else "")
    for finished, (number, result) in enumerate(campaign(units, done, jobs, journal, specs=digests), start=1):
        total.update(result["counts"])
        by_transition.update(result["by_transition"])
        if result["first"] is not None:
            moment = (number + 1, units[number].policy, result["first"])
            first = moment if first is None else min(first, moment, key=lambda x: (x[2], x[0]))
        if progress is not None:
            progress(finished)
    return Impact(
        base,
        ruleset,
        count,
        Share.of(total["legal_games"], games),
        Share.of(total["outcome_games"], games),
        Share.of(total["winner_games"], games) if has_places else None,
        total["decisions"],
        total["legal_decisions"],
        total["outcome_decisions"],
        Counter(dict(sorted(by_transition.items(), key=lambda x: (-x[1], x[0])))),
        first,
    )


def without_last(ruleset: str) -> str:
    """A ruleset without the last reading that it names. Raises InputError where it names none."""
    split_ruleset(ruleset)
    base, plus, _ = ruleset.rpartition("+")
    if not plus:
        raise InputError(f"{ruleset} names no reading: write RULESET+QUESTION=READING")
    return base


def _tells(state: dict[str, Any], places: str) -> bool:
    return places in state and len(state[places].keys) == 1


@lru_cache(maxsize=4)
def apart_of(lead: str, other: str, players: int) -> Apart:
    """Two rulesets side by side: a process makes them once, for all its games."""
    return Apart(Related(load_rules(lead, players), load_rules(other, players)))


@dataclass(frozen=True, slots=True)
class _Played:
    """Plays one unit. `places`: the variable that tells who wins, "" for none."""

    places: str

    def __call__(self, unit: Unit) -> Plain:
        apart = apart_of(unit.lead, unit.other, unit.players)
        counts: Counter[str] = Counter()
        by_transition: Counter[str] = Counter()
        first: int | None = None
        seed = f"{unit.seed}/{unit.number}"
        try:
            for turn in apart.game(seed, unit.policy):
                counts["decisions"] += turn.taken is not None
                counts["legal_decisions"] += bool(turn.possible)
                counts["outcome_decisions"] += bool(turn.made)
                by_transition.update({p.name for p in turn.partings})
                if turn.partings and first is None:
                    first = counts["decisions"]
        except Foreign:  # the other ruleset has no such position: the two part at set-up
            first, counts["outcome_decisions"] = 0, 1
        counts["legal_games"] = counts["legal_decisions"] > 0
        counts["outcome_games"] = counts["outcome_decisions"] > 0
        starts_apart = not apart.related.alike(apart.a.initial(), apart.b.initial())
        if self.places and (first is not None or starts_apart):
            ours, theirs = (
                self.winners(game(name, unit.players), seed, unit.policy) for name in (unit.lead, unit.other)
            )
            counts["winner_games"] = ours != theirs
        return {"counts": {k: int(v) for k, v in counts.items()}, "by_transition": dict(by_transition), "first": first}

    def winners(self, g: Game, seed: str, policy: str) -> list[int]:
        """Who comes first in a whole game."""
        start = g.rules.initial()
        policy = policy if policy in policy_names(g.model) else "uniform"
        last = deque((state for _, _, state, _ in random_game(g, start, random.Random(seed), policy)), maxlen=1)
        places = (last[0] if last else start)[g.rules.index[self.places]]
        return [i for i, place in enumerate(places) if place == 1]
