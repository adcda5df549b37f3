"""How random games are played: any move alike, by a policy that the spec declares, or seeking what a requirement decides."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from brassspec.formats import InputError
from brassspec.formats.reading import clean
from brassspec.grammar.errors import nearest_name
from brassspec.rules.api import Taken
from brassspec.rules.compile import Compiler
from brassspec.rules.concrete import Rules, State
from brassspec.rules.model import Model, Policy
from brassspec.rules.relaxed import Relaxed

# Chooses one of the legal moves, of which there is at least one.
Choose = Callable[[State, Sequence[Taken]], Taken]

# How far `seeking` looks: at so many moves, and in the position after each at so many requirements.
LOOKED_AT = 4
LOOKED_FOR = 3


def policy_names(model: Model) -> tuple[str, ...]:
    """The policies of a ruleset: two that there always are, and those that its spec declares."""
    return ("uniform", *model.policies, "seeking")


class Policies:
    """The policies of one ruleset. What they need compiled is compiled once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.names = policy_names(rules.model)
        self.relaxed = Relaxed(rules)
        self._lines: dict[str, Lines] = {}

    def player(self, name: str, rng: random.Random, wanted: Iterable[str] | None = None) -> Choose:
        """One game's way to choose moves, by the policy of this name.

        wanted: for `seeking`, the requirements that have not decided yet; None: all.
        Raises InputError where there is no such policy.
        """
        if name == "uniform":
            return lambda _, legal: rng.choice(legal)
        if name == "seeking":
            if wanted is None:
                wanted = dict.fromkeys(r for r, _ in self.relaxed.pairs)
            return Seeking(self.relaxed, rng, set(wanted)).choose
        if name not in self.rules.model.policies:
            raise InputError(f"policy: there is no {clean(name, 60)}: {nearest_name(name, self.names)}")
        lines = self._lines.get(name)
        if lines is None:
            lines = self._lines[name] = Lines(self.rules, self.rules.model.policies[name])
        return lambda state, legal: lines.choose(rng, state, legal)


@lru_cache(maxsize=16)
def policies_of(rules: Rules) -> Policies:
    """The policies of a ruleset, with what was compiled of them."""
    return Policies(rules)


class Lines:
    """A declared policy: first a line by weight, then any of its moves alike. What no line speaks of has a line of weight 1 an action."""

    def __init__(self, rules: Rules, policy: Policy) -> None:
        self.rules = rules
        self.weights = [line.weight for line in policy.lines]
        self.of_action: list[Callable[[State, list[Taken]], list[int]]] = []
        for i, name in enumerate(rules.action_names):
            own = [(n, line) for n, line in enumerate(policy.lines) if line.action == name]
            if not any(line.cond for _, line in own):
                number = own[0][0] if own else len(self.weights)
                self.of_action.append(lambda _, moves, n=number: [n] * len(moves))  # type: ignore[misc]
            else:
                self.of_action.append(self._compiled(i, own, len(self.weights)))
            self.weights.append(1)

    def _compiled(self, action: int, own: list[tuple[int, Any]], otherwise: int) -> Callable[..., list[int]]:
        """A function of a state and moves of an action: the number of the line that each belongs to."""
        compiler = Compiler(self.rules.model, "E")
        compiler.emit(0, "def lines(S, moves):")
        compiler.unpack(1)
        compiler.emit(1, "found = []")
        t = list(self.rules.model.actions.values())[action]
        names = ", ".join(compiler.ident(p.name) for p in t.scalars())
        compiler.emit(1, f"for _, ({names},) in moves:")
        word = "if"
        for number, line in own:
            condition = "True" if line.cond is None else compiler.formula(line.cond)
            compiler.emit(2, f"{word} {condition}: found.append({number})")
            word = "elif"
        compiler.emit(2, f"else: found.append({otherwise})")
        compiler.emit(1, "return found")
        return self.rules.written(compiler, "lines", "policy")

    def choose(self, rng: random.Random, state: State, legal: Sequence[Taken]) -> Taken:
        by_line: dict[int, list[Taken]] = {}
        by_action: dict[int, list[Taken]] = {}
        for move in legal:
            by_action.setdefault(move[0], []).append(move)
        for action, moves in by_action.items():
            for number, move in zip(self.of_action[action](state, moves), moves, strict=True):
                by_line.setdefault(number, []).append(move)
        weights = [self.weights[n] for n in by_line]
        return rng.choice(rng.choices(list(by_line.values()), weights if any(weights) else None)[0])


class Seeking:
    """Goes to positions in which a requirement that is wanted forbids a move alone; any kind of move alike where none is found."""

    def __init__(self, relaxed: Relaxed, rng: random.Random, wanted: set[str]) -> None:
        self.relaxed = relaxed
        self.rules = relaxed.rules
        self.rng = rng
        self.pairs = [pair for pair in relaxed.pairs if pair[0] in wanted]

    def choose(self, state: State, legal: Sequence[Taken]) -> Taken:
        for _ in range(LOOKED_AT if self.pairs else 0):
            move = any_kind(self.rng, legal)
            after = self.rules.step(state, *move).state
            assert after is not None
            if self.rules.chance(after):
                continue
            for pair in self.rng.sample(self.pairs, min(LOOKED_FOR, len(self.pairs))):
                there = set(self.rules.moves(after, pair[1]))
                if any(args not in there for _, args in self.relaxed.moves(after, *pair)):
                    self.pairs.remove(pair)
                    return move
        return any_kind(self.rng, legal)


def any_kind(rng: random.Random, legal: Sequence[Taken]) -> Taken:
    """A move: the kind of action first, then the move, else the kinds with many moves drown all the rest."""
    kind = rng.choice(sorted({m[0] for m in legal}))
    return rng.choice([m for m in legal if m[0] == kind])
