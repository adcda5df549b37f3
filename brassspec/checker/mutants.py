"""Mutants: a model with one small change each, such as a wrong rule or a misprinted figure would make.

The kinds are defined by what the parts of a model are, never by what they mean in a game:

    drop, negate           a requirement left out, or turned round
    drop, always           an exception left out, or one that holds always
    weaken                 a conjunct or disjunct left out of any condition
    off_by_one             a constant one larger, a comparison with or without its bound, a range (of a bound variable or of a
                           parameter) without its first or last number
    nearest_to_any         a comparison of distances made true, or membership in a set that a definition finds by distances
    own_to_any             a comparison with a player that a rule speaks of (a parameter, or a name for a player) made true
    swap                   one member of an enumeration of two for the other
    drop_effect            an assignment or an event left out
    swap_steps             two automatic steps that follow one another, the other way round
    figure                 a figure of a table changed

One statement of a spec becomes several nodes (procedures are inlined, loops unrolled): a mutant changes them all. What the ruleset
never comes to, and changes that leave a condition the same once constants are filled in, are no mutants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeAlias

from brassspec.checker.changes import Path, changes, narrower, other_value, parts_of
from brassspec.checker.constants import FALSE, TRUE, Constants
from brassspec.checker.wording import value_word
from brassspec.rules import model as m

RULE_KINDS = (
    "drop",
    "negate",
    "always",
    "weaken",
    "off_by_one",
    "nearest_to_any",
    "own_to_any",
    "swap",
    "drop_effect",
    "swap_steps",
)
FIGURE = "figure"
KINDS = (*RULE_KINDS, FIGURE)

# What a root is: (part of the model, its name, number of a node).
Slot: TypeAlias = tuple[str, str, int]
_Edits: TypeAlias = list[tuple[Slot, Callable[[Any], Any]]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a model. `rules`: names of the requirements it concerns; `within`: the transitions that it changes."""

    id: str
    kind: str
    words: str
    file: str
    line: int
    rules: frozenset[str]
    within: frozenset[str]
    apply: Callable[[m.Model], m.Model] = field(compare=False, repr=False)


@dataclass(slots=True)
class _Site:
    """A statement or declaration of the spec: what it is called in ids, and all that it became."""

    name: str
    file: str
    line: int
    rule: str = ""
    roots: list[tuple[Slot, Any]] = field(default_factory=list)


def mutants(model: m.Model) -> list[Mutant]:
    """All mutants of a model, in the order of kinds and of the spec. Ids name the same change for every number of players."""
    constants = Constants(model)
    found = [mutant for site in _sites(model, constants) for mutant in _of_site(model, constants, site)]
    found += [*_steps(model, constants), *_figures(model)]
    total = Counter(mutant.id for mutant in found)
    seen: Counter[str] = Counter()
    out = []
    for mutant in found:
        seen[mutant.id] += 1
        out.append(replace(mutant, id=f"{mutant.id}/{seen[mutant.id]}") if total[mutant.id] > 1 else mutant)
    return sorted(out, key=lambda x: KINDS.index(x.kind))


# ---------------------------------------------------------------- what a spec consists of


def _transitions(model: m.Model) -> Iterator[m.Transition]:
    yield model.setup
    yield from model.transitions().values()


def _sites(model: m.Model, constants: Constants) -> list[_Site]:
    """All that mutants change but tables and the order of steps, in the order of first use."""
    sites: dict[Any, _Site] = {}

    def add(key: Any, name: str, at: m.Written, slot: Slot, root: Any, rule: str = "") -> None:
        sites.setdefault(key, _Site(name, at.file, at.line, rule)).roots.append((slot, root))

    for t in _transitions(model):
        slot = ("transition", t.name)
        if t.kind in ("step", "chance"):
            add(("when", t.name), f"{t.name}.when", t.written, (*slot, -1), t)
        for i, node in constants.live(t):
            if isinstance(node, m.Require):
                r = model.requirements[node.name]
                add(("require", r.name), r.name, m.Written("", r.file, r.line), (*slot, i), node, r.name)
            else:
                what = _subject(node)
                name = f"{node.written.within}.{what}"
                add((node.written, type(node), what), name, node.written, (*slot, i), node)
    used = _used(model, constants)
    for d in (d for d in model.defines.values() if d.name in used):
        add(("define", d.name), d.name, d.written, ("define", d.name, 0), d)
    for g in model.graphs.values():
        add(("graph", g.written), g.written.within, g.written, ("graph", g.name, 0), g)
    for t in _transitions(model):
        for i, p in enumerate(t.params):
            add(("param", t.name, p.name), f"{t.name}.{p.name}", t.written, ("param", t.name, i), p)
    for v in model.state.values():
        add(("state", v.name), v.name, v.written, ("state", v.name, 0), v)
    order = list(dict.fromkeys(s.file for s in sites.values()))
    return sorted(sites.values(), key=lambda s: (order.index(s.file), s.line))


def _used(model: m.Model, constants: Constants) -> set[str]:
    """The definitions that transitions, graphs and the position at set-up need; readings and invariants have more."""
    roots: list[tuple[Any, Any]] = [(root, {}) for root in (*model.graphs.values(), *model.state.values())]
    for t in _transitions(model):
        live = [n for _, n in constants.live(t)]
        exceptions = [x for n in live if isinstance(n, m.Require) for x in n.exceptions]
        roots += [(root, constants.lets(t)) for root in (t, *live, *exceptions)]
    used: set[str] = set()
    while roots:
        root, lets = roots.pop()
        for _, part in parts_of(constants.fold(root, lets), _SAID[type(root)]):
            if isinstance(part, m.Call) and part.define not in used:
                used.add(part.define)
                roots.append((model.defines[part.define], {}))
    return used


def _subject(node: m.Node) -> str:
    """What a statement is about: the variable it changes, the event it tells, the name it gives."""
    if isinstance(node, m.Assign | m.AssignAll):
        return node.var
    if isinstance(node, m.Emit):
        return node.event
    return node.name.partition("'")[0]


def _put(model: m.Model, slot: Slot, change: Callable[[Any], Any]) -> m.Model:
    """The model with one root changed."""
    part, name, i = slot
    if part == "define":
        return replace(model, defines={**model.defines, name: change(model.defines[name])})
    if part == "graph":
        return replace(model, graphs={**model.graphs, name: change(model.graphs[name])})
    if part == "state":
        return replace(model, state={**model.state, name: change(model.state[name])})

    def changed(t: m.Transition) -> m.Transition:
        if t.name != name:
            return t
        if part == "param":
            return replace(t, params=(*t.params[:i], change(t.params[i]), *t.params[i + 1 :]))
        if i < 0:
            return change(t)  # type: ignore[no-any-return]
        return replace(t, nodes=(*t.nodes[:i], change(t.nodes[i]), *t.nodes[i + 1 :]))

    return replace(
        model,
        setup=changed(model.setup),
        actions={k: changed(t) for k, t in model.actions.items()},
        steps=tuple(map(changed, model.steps)),
        chances={k: changed(t) for k, t in model.chances.items()},
    )


# ---------------------------------------------------------------- parts of parts

# The fields of a root that hold what the rules say; guards are named by a `Let`, facts only tell why.
_SAID = {
    m.Let: ("expr",),
    m.Assign: ("keys", "expr"),
    m.AssignAll: ("cond", "keys", "expr"),
    m.Emit: ("args",),
    m.Require: ("cond",),
    m.Transition: ("when", "weight"),
    m.Define: ("body",),
    m.Graph: ("cond",),
    m.StateVar: ("default",),
    m.Param: (),
    m.Exception_: ("cond",),
}


def _with(e: Any, path: Path, new: Any) -> Any:
    """The expression or root with the part that a path leads to replaced."""
    if not path:
        return new
    (name, i), *rest = path
    value = getattr(e, name)
    if i is None:
        return replace(e, **{name: _with(value, tuple(rest), new)})
    return replace(e, **{name: (*value[:i], _with(value[i], tuple(rest), new), *value[i + 1 :])})


# ---------------------------------------------------------------- changes of statements and definitions


def _of_site(model: m.Model, constants: Constants, site: _Site) -> Iterator[Mutant]:
    def mutant(kind: str, words: str, edits: _Edits, name: str = "") -> Mutant:
        within = frozenset(name for (part, name, _), _ in edits if part == "transition")

        def apply(changed: m.Model) -> m.Model:
            for slot, change in edits:
                changed = _put(changed, slot, change)
            return changed

        rules = frozenset({name or site.rule} - {""})
        return Mutant(f"{kind}:{name or site.name}", kind, words, site.file, site.line, rules, within, apply)

    def everywhere(change: Callable[[Any], Any]) -> _Edits:
        return [(slot, change) for slot, _ in site.roots]

    first = site.roots[0][1]
    if isinstance(first, m.Require):
        yield mutant("drop", "the requirement is left out", everywhere(lambda n: replace(n, cond=TRUE)))
        yield mutant("negate", "the requirement is turned round", everywhere(lambda n: replace(n, cond=m.Not(n.cond))))
        for i, x in enumerate(first.exceptions):
            for kind, cond, words in (("drop", FALSE, "is left out"), ("always", TRUE, "holds always")):

                def put(n: m.Require, i: int = i, cond: m.Const = cond) -> m.Require:
                    return _with(n, (("exceptions", i), ("cond", None)), cond)  # type: ignore[no-any-return]

                yield mutant(kind, f"the exception {x.name} {words}", everywhere(put), x.name)
    if isinstance(first, m.Assign | m.AssignAll | m.Emit):
        what = f"the event {first.event} is left out" if isinstance(first, m.Emit) else f"{first.var} is not changed"
        yield mutant("drop_effect", what, everywhere(lambda n: replace(n, guard=FALSE)))
    if isinstance(first, m.Param) and isinstance(first.type, m.Num):
        for end, narrow in narrower(first.type):
            words = f"{first.name} without the {end} of {first.type}"
            yield mutant("off_by_one", words, everywhere(lambda p, narrow=narrow: replace(p, type=narrow)))  # type: ignore[misc]
    for path, kind, words, edits in _within(model, constants, site):
        excepts = path[0][0] == "exceptions"
        yield mutant(kind, words, edits, first.exceptions[path[0][1]].name if excepts else "")


def _within(model: m.Model, constants: Constants, site: _Site) -> Iterator[tuple[Path, str, str, _Edits]]:
    """The changes of parts of a site: where, kind, words, edits. What differs between the rounds of a loop is not changed."""
    found: dict[tuple[Path, str, int, Any], _Edits] = {}
    words: dict[tuple[Path, str, int, Any], list[str]] = {}
    figures: dict[tuple[Path, str], set[Any]] = {}
    for slot, root in site.roots:
        exceptions = enumerate(getattr(root, "exceptions", ()))
        bases: list[tuple[Path, Any]] = [((), root), *(((("exceptions", i),), x) for i, x in exceptions)]
        players = _players(model, slot, root)
        t = _transition(model, slot)
        lets = constants.lets(t) if t is not None else {}
        for start, base in bases:
            plain = constants.fold(base, lets)
            for path, part in parts_of(base, _SAID[type(base)]):
                whole: Path = (*start, *path)
                above = base if len(path) == 1 else _at(base, path[:-1])
                for number, change in enumerate(changes(model, part, above, players)):
                    if constants.fold(_with(base, path, change.new), lets) == plain:
                        continue
                    if change.figure is not None:
                        figures.setdefault((whole, slot[1]), set()).add(change.figure)

                    def put(n: Any, whole: Path = whole, new: Any = change.new) -> Any:
                        return _with(n, whole, new)

                    key = (whole, change.kind, number, change.figure)
                    found.setdefault(key, []).append((slot, put))
                    words.setdefault(key, []).append(change.words)
    loops = {path for (path, _), values in figures.items() if len(values) > 1}
    for key, edits in found.items():
        if key[0] not in loops:
            said_so = words[key]
            yield key[0], key[1], said_so[0] + (" (and its like)" if len(set(said_so)) > 1 else ""), edits


def _at(e: Any, path: Path) -> Any:
    for name, i in path:
        value = getattr(e, name)
        e = value if i is None else value[i]
    return e


def _transition(model: m.Model, slot: Slot) -> m.Transition | None:
    """The transition that a root is part of, if it is of one."""
    return next((t for t in _transitions(model) if t.name == slot[1]), None) if slot[0] == "transition" else None


def _players(model: m.Model, slot: Slot, root: Any) -> frozenset[str]:
    """The names that stand for a player a rule speaks of: parameters, and names that statements give."""
    sort = m.Sort(model.player_sort)
    if isinstance(root, m.Define):
        return frozenset(v.name for v in root.params if v.type == sort)
    t = _transition(model, slot)
    if t is None:
        return frozenset()
    named = [n.name for n in t.nodes if isinstance(n, m.Let) and n.expr.type in (sort, m.Option(sort))]
    return frozenset([*(p.name for p in t.params if p.type == sort), *named])


# ---------------------------------------------------------------- the order of steps, tables


def _steps(model: m.Model, constants: Constants) -> Iterator[Mutant]:
    live = [i for i, t in enumerate(model.steps) if any(constants.live(t))]
    for i, k in pairwise(live):
        one, two = model.steps[i], model.steps[k]

        def apply(changed: m.Model, i: int = i, k: int = k) -> m.Model:
            s = changed.steps
            return replace(changed, steps=(*s[:i], s[k], *s[i + 1 : k], s[i], *s[k + 1 :]))

        yield Mutant(
            f"swap_steps:{one.name}, {two.name}",
            "swap_steps",
            f"the step {two.name} comes before {one.name}",
            one.written.file,
            one.written.line,
            frozenset(),
            frozenset({one.name, two.name}),
            apply,
        )


def _figures(model: m.Model) -> Iterator[Mutant]:
    for table in model.tables.values():
        if table.written == m.NOWHERE:
            continue
        for key, value in table.rows.items():
            new = other_value(model, value, table.type)
            if new is None:
                continue
            cell = f"{table.name}({', '.join(value_word(model, k, t) for k, t in zip(key, table.keys, strict=True))})"

            def apply(changed: m.Model, name: str = table.name, key: Any = key, new: Any = new[0]) -> m.Model:
                t = changed.tables[name]
                rows = {**t.rows, key: new}
                return replace(changed, tables={**changed.tables, name: replace(t, rows=rows)})

            words = f"{cell} is {value_word(model, new[0], table.type)}, not {value_word(model, value, table.type)}"
            at = table.written
            yield Mutant(f"{FIGURE}:{cell}", FIGURE, words, at.file, at.line, frozenset(), frozenset(), apply)
