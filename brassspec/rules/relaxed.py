"""Rules without one of their requirements: the moves that this one alone forbids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from brassspec.rules.api import Taken
from brassspec.rules.compile import Compiler, reads_of
from brassspec.rules.concrete import Rules, State
from brassspec.rules.model import Require

Listing = Callable[[State], list[tuple[Any, ...]]]


class Lenient(Compiler):
    """What can't be evaluated, since the requirement that is left out made sure it can, does not forbid a move."""

    def prune(self, n: Require, depth: int, in_loop: bool) -> None:
        doubts, known = self.undefined(reads_of(n)), self.doubtful
        if doubts:
            self.emit(depth, f"if not ({' or '.join(doubts)}):")
            self.doubtful = set()
            depth += 1
        super().prune(n, depth, in_loop)
        self.doubtful = known


class Relaxed:
    """Of one ruleset, for each requirement the moves that would be legal without it.

    pairs: (requirement, number of an action it stands in), in rulebook order.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.pairs = [
            (name, i)
            for i, t in enumerate(rules.model.actions.values())
            for name in dict.fromkeys(n.name for n in t.nodes if isinstance(n, Require))
        ]
        self._listings: dict[tuple[str, int], Listing] = {}

    def moves(self, state: State, requirement: str, action: int) -> list[Taken]:
        """The moves of an action that no other requirement forbids: those that are not legal, this one alone forbids."""
        listing = self._listings.get((requirement, action))
        if listing is None:
            listing = self._listings[requirement, action] = self._compiled(requirement, action)
        return [(action, args) for args in listing(state)]

    def _compiled(self, requirement: str, action: int) -> Listing:
        t = list(self.rules.model.actions.values())[action]
        nodes = tuple(n for n in t.nodes if not (isinstance(n, Require) and n.name == requirement))
        compiler = Lenient(self.rules.model, "E")
        compiler.enumerate("relaxed", replace(t, nodes=nodes))
        return self.rules.written(compiler, "relaxed", f"{t.name} without {requirement}")
