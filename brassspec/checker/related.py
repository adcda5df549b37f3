"""Two rulesets side by side: which parts mean the same, and how a position or move of one reads in the other.

A variable of the position that both have is *shared*; what only one of them remembers is its own, and is left to it: two
positions are alike if their shared variables are. So the rulesets are the same game if they start alike, and from positions
that are alike the same can happen and leads to positions that are alike, whatever their own variables hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from brassspec.formats import InputError
from brassspec.rules import model as m
from brassspec.rules.api import Taken
from brassspec.rules.compile import reads_of, version
from brassspec.rules.concrete import Rules, State

ASSIGNS = m.Assign | m.AssignAll

BOTH, OF_A, OF_B = "both", "a", "b"  # whose invariants a position fulfils

Print: TypeAlias = int
Say: TypeAlias = Callable[[m.Model, Any, m.Type], str]


class Foreign(Exception):
    """A value that the other ruleset has no word for."""


class Prints:
    """What parts of a model mean, with all they refer to: equal prints, equal meaning. The names of rules, what they show
    and where they are written don't count, nor, without `bounds`, those of numbers. `known` is shared by the models that are compared."""

    def __init__(self, model: m.Model, known: dict[Any, Print], bounds: bool = True) -> None:
        self._model = model
        self._bounds = bounds
        self._known = known
        self._of: dict[int, Print] = {}
        self._kept: list[Any] = []
        self._named: dict[tuple[str, str], Print] = {}

    def of(self, part: Any) -> Print:
        if part is None or isinstance(part, str | int):
            return self._number((type(part).__name__, part))
        found = self._of.get(id(part))
        if found is None:
            self._kept.append(part)
            found = self._of[id(part)] = self._number(tuple(self._parts(part)))
        return found

    def named(self, kind: str, name: str) -> Print:
        """Of what is known by its name: a define, table, graph, variable, or the moves of an action."""
        key = (kind, name)
        if key not in self._named:
            model = self._model
            match kind:
                case "define":
                    d = model.defines[name]
                    parts: tuple[Any, ...] = (d.params, d.reads, d.body)
                case "table":
                    t = model.tables[name]
                    parts = (t.keys, t.type, tuple(sorted(t.rows.items(), key=repr)))
                case "graph":
                    g = model.graphs[name]
                    parts = (g.node, g.edge, self.named("table", g.ends), g.var, g.cond, g.reads)
                case "variable":
                    v = model.state[name]
                    parts = (v.keys, v.type)
                case _:
                    parts = (self.moves(model.actions[name]),)
            self._named[key] = self._number((kind, *map(self.of, parts)))
        return self._named[key]

    def moves(self, t: m.Transition, but: Iterable[str] = ()) -> Print:
        """What a transition allows and does to the position, all but these variables of it."""
        final = tuple(sorted((name, last) for name, last in t.final.items() if name not in but))
        nodes = needed(t.nodes, [last for _, last in final]) if len(final) < len(t.final) else t.nodes
        does = tuple(n for n in nodes if not isinstance(n, m.Emit))
        return self.of((t.kind, t.params, t.when, does, final, t.weight, t.either_order, t.implied))

    def told(self, t: m.Transition) -> Print:
        """What a transition tells, where it happens."""
        return self.of(needed(t.nodes, (), m.Emit))

    def _number(self, key: tuple[Any, ...]) -> Print:
        return self._known.setdefault(key, len(self._known))

    def _parts(self, part: Any) -> Iterator[Any]:
        of = self.of
        match part:
            case tuple():
                yield from map(of, part)
            case frozenset():
                yield from ("set", *sorted(map(of, part)))
            case m.Sort():
                yield from ("sort", part.name, self._model.sorts[part.name].members)
            case m.Num():
                yield from ("number", part.lo, part.hi) if self._bounds else ("number",)
            case m.Record():
                yield from ("record", part.name, of(self._model.records[part.name].fields))
            case m.Call():
                yield from ("call", self.named("define", part.define), part.versions, of(part.args))
            case m.Lookup():
                yield from ("lookup", self.named("table", part.table), of(part.keys))
            case m.Connected() | m.Distance():
                graph = self.named("graph", part.graph)
                yield from (type(part).__name__, graph, part.versions, of(part.left), of(part.right))
            case m.Possible():
                yield from ("possible", self.named("action", part.action), of(part.player))
            case m.Require():
                yield from ("require", of(part.cond), of(tuple(x.cond for x in part.exceptions)), of(part.guard))
            case _:
                assert is_dataclass(part), part
                yield type(part).__name__
                if isinstance(part, m.Assign | m.AssignAll | m.Read):
                    yield self.named("variable", part.var)
                yield from (of(getattr(part, f.name)) for f in fields(part) if f.compare)


def needed(nodes: Sequence[m.Node], versions: Iterable[str], kind: type[m.Node] = m.Require) -> tuple[m.Node, ...]:
    """The nodes of a kind, and what they and some versions are made from."""
    names = {version(name) for name in versions}
    kept: list[m.Node] = []
    for node in reversed(nodes):
        made = node.name if isinstance(node, m.Let) else version(node.name) if isinstance(node, ASSIGNS) else None
        if made in names or isinstance(node, kind):
            names |= reads_of(node)
            kept.append(node)
    return tuple(reversed(kept))


@dataclass(frozen=True, slots=True)
class Row:
    """A line in which a table, a sort or the set-up differs: what it is about, and what each ruleset has there, "" for nothing."""

    where: str
    key: str
    a: str
    b: str


def value_as(value: Any, t: m.Type, there: m.Type, here_model: m.Model, there_model: m.Model) -> Any:
    """A value of type `t` of one model as a value of type `there` of the other. Raises Foreign where it is none."""
    match t, there:
        case m.Num(), m.Num() if there.lo <= value <= there.hi:
            return value
        case m.Sort(), m.Sort():
            title = here_model.sorts[t.name].members[value]
            members = there_model.sorts[there.name].members
            if title in members:
                return members.index(title)
        case m.Option(), m.Option():
            return None if value is None else value_as(value, t.inner, there.inner, here_model, there_model)
        case m.Record(), m.Record():
            ours, theirs = here_model.records[t.name].fields, there_model.records[there.name].fields
            if [name for name, _ in ours] == [name for name, _ in theirs]:
                return tuple(
                    value_as(v, x, y, here_model, there_model)
                    for v, (_, x), (_, y) in zip(value, ours, theirs, strict=True)
                )
        case m.Bool(), m.Bool():
            return value
    raise Foreign


class Related:
    """Two rulesets for one number of players. Raises InputError where they share too little to be compared."""

    def __init__(self, a: Rules, b: Rules) -> None:
        self.a, self.b = a, b
        known: dict[Any, Print] = {}
        self.prints_a, self.prints_b = Prints(a.model, known), Prints(b.model, known)
        self.shared = [name for name in a.model.state if name in b.model.state and self._alike(name)]
        if not self.shared:
            raise InputError(f"{a.model.ruleset} and {b.model.ruleset} share nothing that could be compared")
        self._a_places = [a.index[name] for name in self.shared]
        self._b_places = [b.index[name] for name in self.shared]
        # Most variables have the same type on both sides: their values are just taken over.
        self._same_type = [self._same("type", name) for name in self.shared]
        self._all_same = all(self._same_type)

    @cached_property
    def back(self) -> Related:
        """The same two, the other way round."""
        return Related(self.b, self.a)

    def _same(self, attribute: str, name: str) -> bool:
        a, b = (getattr(r.model.state[name], attribute) for r in (self.a, self.b))
        return self.prints_a.of(a) == self.prints_b.of(b)

    def _alike(self, name: str) -> bool:
        """Whether a variable of both has the same keys, and values of a kind."""
        a, b = self.a.model.state[name], self.b.model.state[name]
        return self._same("keys", name) and type(a.type) is type(b.type)

    # ------------------------------------------------------------ what differs as it is written

    @cached_property
    def own(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The variables that only a side has."""
        return tuple(tuple(name for name in rules.model.state if name not in self.shared) for rules in (self.a, self.b))  # type: ignore[return-value]

    @cached_property
    def same_moves(self) -> frozenset[str]:
        """The transitions that both have and that are the same as they are written, with all that they refer to."""
        ours, theirs = self.a.model.transitions(), self.b.model.transitions()
        both = (name for name in ours if name in theirs)
        a, b = self.own
        return frozenset(n for n in both if self.prints_a.moves(ours[n], a) == self.prints_b.moves(theirs[n], b))

    @cached_property
    def told_otherwise(self) -> frozenset[str]:
        """The transitions that both have that may not tell the same, as they are written."""
        ours, theirs = self.a.model.transitions(), self.b.model.transitions()
        both = (name for name in ours if name in theirs)
        known: dict[Any, Print] = {}
        a, b = (Prints(rules.model, known, bounds=False) for rules in (self.a, self.b))
        return frozenset(n for n in both if a.told(ours[n]) != b.told(theirs[n]))

    def stricter(self, name: str) -> tuple[bool, bool]:
        """Whether A's, and whether B's transition is the other's with requirements added: then it allows no more, and does the same."""
        sides = []
        for rules, prints in ((self.a, self.prints_a), (self.b, self.prints_b)):
            t = rules.model.transitions()[name]
            nodes = [n for n in t.nodes if not isinstance(n, m.Emit)]
            does = replace(t, nodes=tuple(n for n in nodes if not isinstance(n, m.Require)))
            sides.append((prints.moves(does), {prints.of(n) for n in nodes if isinstance(n, m.Require)}))
        (does_a, rules_a), (does_b, rules_b) = sides
        return does_a == does_b and rules_a >= rules_b, does_a == does_b and rules_b >= rules_a

    def rules_apart(self) -> tuple[list[str], list[str], list[str]]:
        """The requirements and exceptions that only A has, only B has, or that both have with other conditions."""
        a, b = (self._conditions(r.model, p) for r, p in ((self.a, self.prints_a), (self.b, self.prints_b)))
        return (
            [n for n in a if n not in b],
            [n for n in b if n not in a],
            [n for n in a if n in b and a[n] != b[n]],
        )

    @staticmethod
    def _conditions(model: m.Model, prints: Prints) -> dict[str, set[Print]]:
        found: dict[str, set[Print]] = {}
        for t in model.transitions().values():
            for node in t.nodes:
                if isinstance(node, m.Require):
                    found.setdefault(node.name, set()).add(prints.of(node.cond))
                    for x in node.exceptions:
                        found.setdefault(x.name, set()).add(prints.of(x.cond))
        return {name: found[name] for name in model.requirements if name in found}

    # ------------------------------------------------------------ positions and moves

    def alike(self, a: State, b: State) -> bool:
        """Whether the shared variables hold the same."""
        if self._all_same:
            return all(a[i] == b[j] for i, j in zip(self._a_places, self._b_places, strict=True))
        return not self.apart(a, b)

    def apart(self, a: State, b: State) -> list[str]:
        """The shared variables that differ."""
        found = []
        for k, name in enumerate(self.shared):
            ours, theirs = a[self._a_places[k]], b[self._b_places[k]]
            try:
                if self._as_b(k, ours) != theirs:
                    found.append(name)
            except Foreign:
                found.append(name)
        return found

    def _as_b(self, k: int, value: Any) -> Any:
        if self._same_type[k]:
            return value
        a, b = (r.model.state[self.shared[k]] for r in (self.a, self.b))
        if not a.keys:
            return value_as(value, a.type, b.type, self.a.model, self.b.model)
        return tuple(value_as(v, a.type, b.type, self.a.model, self.b.model) for v in value)

    def as_b(self, a: State, own: State | dict[str, Any] | None = None, mover: int = 0) -> State:
        """B's position that is alike to A's. B's own variables are as in the position `own` of B, or have the values
        given there, else what B says of them at set-up. Raises Foreign where B has no such position."""
        values = {name: self._as_b(k, a[self._a_places[k]]) for k, name in enumerate(self.shared)}
        mine = self.own[1]
        if isinstance(own, tuple):
            values |= {name: own[self.b.index[name]] for name in mine}
        else:
            values |= {name: v for name, v in (own or {}).items() if name in mine}
        if len(values) == len(self.b.model.state):
            return tuple(values[name] for name in self.b.model.state)
        return self.b.defaults(values, mover)

    @cached_property
    def _numbers(self) -> dict[str, dict[int, int]]:
        """The numbers in B of A's actions and chance events with the same parameters."""
        out: dict[str, dict[int, int]] = {}
        for kind in ("actions", "chances"):
            ours, theirs = getattr(self.a.model, kind), getattr(self.b.model, kind)
            places = {name: i for i, name in enumerate(theirs)}
            out[kind] = {
                i: places[name]
                for i, (name, t) in enumerate(ours.items())
                if name in places and self.same_parameters(t, theirs[name])
            }
        return out

    def same_parameters(self, a: m.Transition, b: m.Transition) -> bool:
        return self.prints_a.of(a.params) == self.prints_b.of(b.params)

    def taken(self, taken: Taken, is_chance: bool = False) -> Taken | None:
        """A move or outcome of chance of A in B's numbers; None where B has no such."""
        number = self._numbers["chances" if is_chance else "actions"].get(taken[0])
        return None if number is None else (number, taken[1])


def tables_apart(a: m.Model, b: m.Model, say: Say) -> Iterator[Row]:
    """The rows in which tables and sorts differ. `say(model, value, type)` puts a value in words."""
    for name in dict.fromkeys((*a.sorts, *b.sorts)):
        ours, theirs = (x.sorts[name].members if name in x.sorts else () for x in (a, b))
        for member in dict.fromkeys((*ours, *theirs)):
            if (member in ours) != (member in theirs):
                yield Row(f"sort {name}", member, *("there" if member in side else "" for side in (ours, theirs)))
    for name in dict.fromkeys((*a.tables, *b.tables)):
        here, there = (dict(_said(x, name, say)) for x in (a, b))
        for key in dict.fromkeys((*here, *there)):
            if here.get(key) != there.get(key):
                yield Row(f"table {name}", key, here.get(key, ""), there.get(key, ""))


def _said(model: m.Model, name: str, say: Say) -> Iterator[tuple[str, str]]:
    if name in model.tables:
        table = model.tables[name]
        for key, value in table.rows.items():
            words = ", ".join(say(model, k, t) for k, t in zip(key, table.keys, strict=True))
            yield words, say(model, value, table.type)
