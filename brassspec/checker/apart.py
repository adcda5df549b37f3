"""Where two rulesets part: both are played side by side, and at every decision what they allow and what comes of it is compared."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from brassspec.checker.related import Foreign, Related
from brassspec.rules.api import Taken
from brassspec.rules.concrete import MAX_STEPS, InternalError, RawEvent, Rules, State
from brassspec.rules.policies import policies_of

A_ALLOWS, B_ALLOWS, ODDS, EFFECT, TOLD = KINDS = "a_allows", "b_allows", "odds", "effect", "told"


@dataclass(frozen=True, slots=True)
class Parting:
    """Two rulesets part at a transition, from positions that are alike.

    kind: "a_allows" or "b_allows": it happens in that one only; "odds": chance has another weight; "effect": what comes of it
    differs, in `variables`; "told": only what is told of it. args: of the transition. rules: what it violates in the other.
    """

    name: str
    kind: str
    a: State
    b: State
    args: tuple[Any, ...] = ()
    variables: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def what(self) -> tuple[str, str]:
        return self.name, self.kind


@dataclass(frozen=True, slots=True)
class Turn:
    """A moment of a game that is played under two rulesets: the positions, what then happens (None at the end), and where the
    rulesets part: in what is possible here, in what comes of other moves, in what comes of the one that is made."""

    a: State
    b: State
    taken: Taken | None
    is_chance: bool
    possible: tuple[Parting, ...]
    others: tuple[Parting, ...]
    made: tuple[Parting, ...]

    @property
    def partings(self) -> tuple[Parting, ...]:
        return self.possible + self.others + self.made


class Apart:
    """Compares two rulesets on positions that are alike. What is the same as it is written is not looked at again."""

    def __init__(self, related: Related) -> None:
        self.related = related
        self.a, self.b = related.a, related.b
        ours, theirs = self.a.model, self.b.model
        same = related.same_moves
        self._actions = _pairs(self.a.action_names, self.b.action_names, same)
        self._chances = _pairs(self.a.chance_names, self.b.chance_names, same)
        self._of_a, self._of_b = ours.transitions(), theirs.transitions()
        self.steps = frozenset(t.name for t in (*ours.steps, *theirs.steps))
        self._events_alike = self.a.event_names == self.b.event_names

    # ------------------------------------------------------------ one transition

    def transition(self, name: str, a: State, b: State, args: tuple[Any, ...]) -> Parting | None:
        """Where the rulesets part at one transition that both have, which happens in at least one of them."""
        return self._transition(name, a, b, args)[2]

    def _transition(
        self, name: str, a: State, b: State, args: tuple[Any, ...]
    ) -> tuple[State | None, State | None, Parting | None]:
        (bad, *_, after_a, told_a), (worse, *_, after_b, told_b) = (
            rules.run(name, state, args) for rules, state in ((self.a, a), (self.b, b))
        )
        if after_a is None and after_b is None:
            return None, None, None
        if after_a is None or after_b is None:
            t, failed = (self._of_b, worse) if after_b is None else (self._of_a, bad)
            rules = tuple(dict.fromkeys(t[name].nodes[number].name for number, _ in failed))
            if not rules:  # a bound would be exceeded: that ruleset never comes here
                return after_a, after_b, None
            return after_a, after_b, Parting(name, A_ALLOWS if after_b is None else B_ALLOWS, a, b, args, (), rules)
        apart = () if self.related.alike(after_a, after_b) else tuple(self.related.apart(after_a, after_b))
        if apart:
            return after_a, after_b, Parting(name, EFFECT, a, b, args, apart)
        if self.told(self.a, told_a) != self.told(self.b, told_b):
            return after_a, after_b, Parting(name, TOLD, a, b, args)
        return after_a, after_b, None

    def told(self, rules: Rules, events: Any) -> list[Any]:
        if self._events_alike:
            return list(events)
        return [(rules.event_names[e[0]], *e[1:]) for e in events]

    def due(self, a: State, b: State) -> tuple[str, str]:
        """The automatic steps that are due, "" where none is."""
        return self.a.due(a), self.b.due(b)

    def parted(self, name: str, kind: str, a: State, b: State, args: tuple[Any, ...]) -> Parting | None:
        """The parting of this kind at a transition in these positions, if it is there."""
        t = self._of_a.get(name) or self._of_b[name]
        if t.kind == "step":
            due = self.due(a, b)
            if name not in due:
                return None
            if due[0] != due[1]:
                found = Parting(name, A_ALLOWS if due[0] == name else B_ALLOWS, a, b)
                return found if found.kind == kind else None
        elif t.kind == "chance":
            ours, theirs = (self.weight(rules, name, s, args) for rules, s in ((self.a, a), (self.b, b)))
            if ours != theirs:
                found = Parting(name, A_ALLOWS if not theirs else B_ALLOWS if not ours else ODDS, a, b, args)
                if found.kind == kind:
                    return found
            if not ours or not theirs:
                return None
        elif not all(understood := self.understood(found := Parting(name, kind, a, b, args))):
            rules, state = (self.a, a) if kind == A_ALLOWS else (self.b, b)
            return found if any(understood) and rules.made(name, state, args) is not None else None
        parting = self.transition(name, a, b, args)
        return parting if parting is not None and parting.kind == kind else None

    @staticmethod
    def weight(rules: Rules, name: str, state: State, args: tuple[Any, ...]) -> int:
        """The weight with which chance may bring this, 0 where it can't."""
        if name not in rules.chance_names:
            return 0
        number = rules.chance_names.index(name)
        return next((w for i, outcome, w in rules.chance(state) if (i, outcome) == (number, args)), 0)

    def understood(self, p: Parting) -> tuple[bool, bool]:
        """Whether the arguments are such as A's, and as B's transition takes: where the parameters differ they are of the one that
        allows it."""
        t, u = self._of_a.get(p.name), self._of_b.get(p.name)
        if t is None or u is None or not self.related.same_parameters(t, u):
            return t is not None and p.kind != B_ALLOWS, u is not None and p.kind != A_ALLOWS
        return True, True

    def deciding(self, p: Parting) -> frozenset[str]:
        """The rules for whose sake one ruleset alone allows an action: the only requirement that is violated in the other, and what
        excuses that here."""
        t, u = self._of_a.get(p.name), self._of_b.get(p.name)
        if p.kind not in (A_ALLOWS, B_ALLOWS) or t is None or u is None or not all(self.understood(p)):
            return frozenset()
        sides = ((self.a, t, p.a), (self.b, u, p.b))
        (rules, here, state), (other, there, position) = sides if p.kind == A_ALLOWS else sides[::-1]
        bad = {there.nodes[number].name for number, _ in other.run(p.name, position, p.args)[0]}
        used = rules.run(p.name, state, p.args)[2]
        excuses = {here.nodes[n].exceptions[i].name for n, i in used if {here.nodes[n].name} == bad}
        return frozenset(excuses | bad) if len(bad) == 1 else frozenset()

    # ------------------------------------------------------------ what may happen in a position at rest

    def possible(self, a: State, b: State) -> list[Parting]:
        """Where it differs what may be done, or what chance may bring; of an action or chance event a parting a side."""
        found = []
        chances = self.a.chance(a), self.b.chance(b)
        if any(chances):
            ours, theirs = (
                {(r.chance_names[i], args): w for i, args, w in c}
                for r, c in zip((self.a, self.b), chances, strict=True)
            )
            first: dict[tuple[str, str], tuple[Any, ...]] = {}
            for name, args in dict.fromkeys((*ours, *theirs)):
                one, other = ours.get((name, args)), theirs.get((name, args))
                if one != other:
                    kind = A_ALLOWS if other is None else B_ALLOWS if one is None else ODDS
                    first.setdefault((name, kind), args)
            return [Parting(name, kind, a, b, args) for (name, kind), args in first.items()]
        for name, i, j in self._actions:
            moves: set[tuple[Any, ...]] = set(self.a.moves(a, i) if i is not None else ())
            others: set[tuple[Any, ...]] = set(self.b.moves(b, j) if j is not None else ())
            for args in sorted(moves - others, key=repr)[:1]:
                found.append(self._allowed(name, A_ALLOWS, a, b, args, self.b, b, j))
            for args in sorted(others - moves, key=repr)[:1]:
                found.append(self._allowed(name, B_ALLOWS, a, b, args, self.a, a, i))
        return found

    def _allowed(
        self,
        name: str,
        kind: str,
        a: State,
        b: State,
        args: tuple[Any, ...],
        other: Rules,
        there: State,
        number: int | None,
    ) -> Parting:
        rules: tuple[str, ...] = ()
        if number is not None:
            t = other.model.actions[name]
            same = self.related.same_parameters(self._of_a[name], self._of_b[name])
            bad = other.run(name, there, args)[0] if same else ()
            rules = tuple(dict.fromkeys(t.nodes[n].name for n, _ in bad))
        return Parting(name, kind, a, b, args, (), rules)

    def effects(self, a: State, b: State, rng: random.Random, most: int) -> list[Parting]:
        """Where some legal moves come out differently: of each action that is not the same as it is written, `most` at random."""
        found = []
        for name, i, j in self._actions:
            if i is not None and j is not None and self.related.taken((i, ())) is not None:
                moves = self.a.moves(a, i)
                for args in rng.sample(moves, min(most, len(moves))):
                    parting = self.transition(name, a, b, args)
                    if parting is not None and parting.kind in (EFFECT, TOLD):
                        found.append(parting)
                        break
        return found

    # ------------------------------------------------------------ a move with all that follows

    def outcome(self, a: State, b: State, taken: Taken, is_chance: bool = False) -> tuple[State, State, list[Parting]]:
        """The positions at rest after something that A allows, and where the rulesets part on the way.

        Where they do, B goes on from what A comes to, with what B itself remembers. Raises Foreign where it can't.
        """
        there = self.related.taken(taken, is_chance)
        ours = self._settled(self.a, a, taken, is_chance)
        theirs = self._settled(self.b, b, there, is_chance) if there is not None else None
        if ours is None:
            raise Foreign
        alike = theirs is not None and self.related.alike(ours[0], theirs[0])
        if theirs is not None and alike and self.told(self.a, ours[1]) == self.told(self.b, theirs[1]):
            return ours[0], theirs[0], []
        return self._walk(a, b, taken, is_chance)

    @staticmethod
    def _settled(
        rules: Rules, state: State, taken: Taken, is_chance: bool
    ) -> tuple[State, tuple[RawEvent, ...]] | None:
        try:
            if is_chance:
                return rules.happen(state, *taken)
            j = rules.step(state, *taken)
        except InternalError:
            return None
        return None if j.state is None else (j.state, j.events)

    def _walk(self, a: State, b: State, taken: Taken, is_chance: bool) -> tuple[State, State, list[Parting]]:
        """A move and what follows by itself, one transition after the other in both rulesets."""
        names = self.a.chance_names if is_chance else self.a.action_names
        name, args = names[taken[0]], taken[1]
        found: list[Parting] = []
        for _ in range(MAX_STEPS):
            known = name in self._of_b and self.related.same_parameters(self._of_a[name], self._of_b[name])
            if known:
                after_a, after_b, parting = self._transition(name, a, b, args)
                # That only one allows the move itself was seen where it was asked what is possible.
                found += [parting] if parting and (parting.kind in (EFFECT, TOLD) or name in self.steps) else []
            else:
                after_a, after_b = self.a.made(name, a, args), b
            if after_a is None:
                raise Foreign
            a, b = after_a, self._follow(after_a, b if after_b is None else after_b)
            ours, theirs = self.due(a, b)
            if ours != theirs:
                # The step that comes first is due in one only.
                order = [t.name for t in (*self.a.model.steps, *self.b.model.steps)]
                first = min(filter(None, (ours, theirs)), key=order.index)
                found.append(Parting(first, A_ALLOWS if first == ours else B_ALLOWS, a, b))
                a = self.a.rest(a, [])
                return a, self._follow(a, b), found
            if ours:
                name, args = ours, ()
                continue
            forced = self.a.forced(a), self.b.forced(b)
            if forced[0] is None or forced[1] is None:
                if forced != (None, None):
                    found += self.possible(a, b)
                    a = self.a.rest(a, [])
                    b = self._follow(a, b)
                return a, b, found
            name, args = self.a.action_names[forced[0][0]], forced[0][1]
        raise InternalError("automatic steps do not end")

    def _follow(self, a: State, b: State) -> State:
        return b if self.related.alike(a, b) else self.related.as_b(a, b)

    # ------------------------------------------------------------ games

    def game(self, seed: str, policy: str, looks: int = 0) -> Iterator[Turn]:
        """A random game of A, judged by B all along.

        looks: how many other moves of each action that is not the same as it is written are tried at a decision.
        Raises Foreign where B has no such set-up; the game ends where B can't follow.
        """
        rng, other = random.Random(seed), random.Random(f"{seed} looks")
        choose = policies_of(self.a).player(policy, rng)
        a = self.a.initial()
        b = self.related.as_b(a, self.b.initial())
        while True:
            possible = self.possible(a, b)
            outcomes = self.a.chance(a)
            legal = [] if outcomes else self.a.legal(a)
            if not outcomes and not legal:
                yield Turn(a, b, None, False, tuple(possible), (), ())
                return
            others = self.effects(a, b, other, looks) if legal and looks else []
            if outcomes:
                number, args, _ = rng.choices(outcomes, weights=[w for *_, w in outcomes])[0]
                taken = number, args
            else:
                taken = choose(a, legal)
            try:
                after_a, after_b, made = self.outcome(a, b, taken, bool(outcomes))
            except Foreign:
                yield Turn(a, b, None, False, tuple(possible), tuple(others), ())
                return
            yield Turn(a, b, taken, bool(outcomes), tuple(possible), tuple(others), tuple(made))
            a, b = after_a, after_b


def _pairs(ours: list[str], theirs: list[str], same: frozenset[str]) -> list[tuple[str, int | None, int | None]]:
    """(name, number in A, number in B) of all that is not the same as it is written."""
    a, b = ({name: i for i, name in enumerate(names)} for names in (ours, theirs))
    return [(name, a.get(name), b.get(name)) for name in dict.fromkeys((*ours, *theirs)) if name not in same]


def swapped(parting: Parting) -> Parting:
    """The same parting, A and B the other way round."""
    kind = {A_ALLOWS: B_ALLOWS, B_ALLOWS: A_ALLOWS}.get(parting.kind, parting.kind)
    return replace(parting, kind=kind, a=parting.b, b=parting.a)
