"""What a spec's text declares and never uses, what it states without a source, and which of its readings refuse each other.

All chapters of an edition are read with all readings of its rulings, whichever are chosen; scenarios count as no use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from lark import Token, Tree

from brassspec.grammar.errors import Place, nearest_name
from brassspec.grammar.parser import Declaration
from brassspec.rules.library import Spec, changed_thing
from brassspec.rules.scope import Node, unquote

# Who holds a reading because of a text, which can be named.
OF_A_TEXT = ("official", "errata", "translation")
# Declarations and changes in which a bare number needs a source.
FIGURES = ("define", "procedure", "action", "step", "chance", "setup", "exception", "state_var", "require")
CHANGED_FIGURES = ("replace", "replace_define", "replace_procedure", "replace_initial", "added", "also")
PLAIN = ("0", "1")  # numbers that need none


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend: its kind, the name it is about, where it stands, what is wrong and what to do about it."""

    kind: str
    name: str
    place: Place
    message: str
    remedy: str


def rule_text(declarations: Iterable[Declaration]) -> Iterator[tuple[Declaration, Node]]:
    """Every node of what is no scenario, with the declaration it stands in."""
    for d in declarations:
        if d.tree.data not in ("scenario", "question"):
            for node in d.tree.iter_subtrees_topdown():
                yield d, node


# ---------------------------------------------------------------- unused


class Uses:
    """The names that are used, by what they are used as."""

    def __init__(self, declarations: Iterable[Declaration]) -> None:
        self.values: set[str] = set()
        self.events: set[str] = set()
        self.procedures: set[str] = set()
        self.types: set[str] = set()
        for _, node in rule_text(declarations):
            self.note(node)

    def note(self, node: Node) -> None:
        kind, children = str(node.data), node.children
        if kind in ("call", "name", "read"):
            self.values.add(str(children[0]))
        elif kind == "emit":
            self.events.add(str(children[0].children[0]))
        elif kind in ("do", "let_do", "let_sum"):
            self.procedures.update(str(c.children[0]) for c in children if isinstance(c, Tree) and c.data == "call")
        elif kind == "shows":
            # Facts are expressions in braces within a text.
            for piece in re.findall(r"\{([^}]*)\}", children[0]):
                self.values.update(re.findall(r"[a-z_][a-z0-9_]*", piece))
        own = 1 if kind in ("enum", "sort", "record", "type_alias", "replace_type") else 0
        types = [str(c) for c in children[own:] if isinstance(c, Token) and c.type == "TYPE"]
        self.types.update(types)
        if kind == "graph":
            # The column that tells which places an edge joins.
            self.values.add(str(children[-2]))


def unused(spec: Spec) -> Iterator[Finding]:
    """Definitions, columns, state variables, graphs, procedures, events and types that no rule uses."""
    uses = Uses(spec.declarations)
    kinds: dict[str, tuple[str, set[str], str]] = {
        "define": ("definition", uses.values, "no rule asks for it"),
        "column": ("column", uses.values, "no rule looks it up"),
        "state_var": ("state variable", uses.values, "no rule reads it"),
        "graph": ("graph", uses.values, "no rule asks for it"),
        "procedure": ("procedure", uses.procedures, "nothing does it"),
        "event": ("event", uses.events, "nothing emits it"),
        "enum": ("type", uses.types, "nothing is of it"),
        "sort": ("type", uses.types, "nothing is of it"),
        "record": ("type", uses.types, "nothing is of it"),
        "type_alias": ("type", uses.types, "nothing is of it"),
    }
    seen: set[tuple[str, str]] = set()
    for d, node in rule_text(spec.declarations):
        if str(node.data) not in kinds:
            continue
        what, used, why = kinds[str(node.data)]
        name = str(node.children[0])
        # Several readings may declare one name.
        if name not in used and (what, name) not in seen:
            seen.add((what, name))
            remedy = "take it out, or move it to the edition that needs it"
            yield Finding("unused", name, d.place(node), f"the {what} {name} is unused: {why}", remedy)


# ---------------------------------------------------------------- readings that refuse each other


def refusals(spec: Spec) -> Iterator[tuple[bool, Finding]]:
    """Readings of two questions that can't be combined, as both change one thing differently; first, whether that can be mended.

    It can't where one of them drops what the other changes: then there is nothing left to ask.
    """
    changed: dict[str, list[tuple[str, str, Declaration, Node]]] = {}
    for question, ruling in spec.rulings.items():
        for name, reading in ruling.readings.items():
            for d, node in reading.changes:
                thing = changed_thing(node)
                if thing is not None:
                    changed.setdefault(thing, []).append((question, name, d, node))
    for thing, changes in changed.items():
        for (q, r, _, a), (other, s, d, b) in combinations(changes, 2):
            if q != other and a != b:
                name, cause = f"{q}={r}+{other}={s}", f"{q}={r} and {other}={s} refuse each other: both change {thing}"
                if any(str(node.data).startswith("drop") for node in (a, b)):
                    yield False, Finding("refusal", name, d.place(b), cause, "one of them leaves nothing to change")
                else:
                    remedy = "give each reading a definition or requirement of its own to change"
                    yield True, Finding("refusal", name, d.place(b), cause, remedy)


# ---------------------------------------------------------------- sources


def sources(spec: Spec) -> Iterator[Finding]:
    """Citations without a locator or of sources that are not declared, readings of a text that cite none, sources nobody cites."""
    declared = {str(d.tree.children[0]): d for d in spec.declarations if d.tree.data == "source"}
    cited: set[str] = set()
    for d in spec.declarations:
        for node in d.tree.iter_subtrees_topdown():
            if node.data == "citation":
                name, locator = str(node.children[0]), unquote(node.children[1])
                cited.add(name)
                if name not in declared:
                    remedy = f'{nearest_name(name, declared)}; or declare it: source {name} "..."'
                    yield Finding("source", name, d.place(node), f"no source {name} is declared", remedy)
                if not locator.strip():
                    cause = f"this citation of {name} has no locator"
                    yield Finding("locator", name, d.place(node), cause, "name the heading, page or section")
            elif node.data == "reading":
                reading, _, _, holder, cites, _ = node.children
                if cites is None and str(holder) in OF_A_TEXT:
                    cause = f"the reading {reading} is called {holder}, and cites no text"
                    yield Finding("reading", str(reading), d.place(node), cause, 'write: cites SOURCE "heading"')
    for name, d in declared.items():
        if name not in cited and (spec.cited is None or name in spec.cited):
            remedy = "take it out, or cite it where it is used"
            yield Finding("uncited", name, d.place(d.tree), f"nobody cites the source {name}", remedy)


# ---------------------------------------------------------------- figures


def figures(spec: Spec) -> Iterator[Finding]:
    """Tables, and other declarations with bare numbers, without any citation.

    The bounds of types are no figures; what invariants and claims say follows from the rules, and so does what is only defined for them.
    """
    asked = asked_by_rules(spec)
    remedy = 'write behind what is declared: cites SOURCE "heading"'
    for d in spec.declarations:
        if d.tree.data == "ruling":
            parts = [
                (reading, change) for reading in d.tree.find_data("reading") for change in reading.children[-1].children
            ]
        elif d.tree.data == "state":
            parts = [(node, node) for node in d.tree.children]
        else:
            parts = [(d.tree, d.tree)]
        for whole, node in parts:
            if has_citation(whole) or (node.data == "define" and str(node.children[0]) not in asked):
                continue
            name = node.children[0].children[0] if isinstance(node.children[0], Tree) else node.children[0]
            if node.data in ("table", "replace_cell", "sort") and has_rows_of_figures(node):
                what = "sort" if node.data == "sort" else "table"
                yield Finding(
                    "figures", str(name), d.place(node), f"the figures of the {what} {name} have no source", remedy
                )
            elif node.data in FIGURES + CHANGED_FIGURES:
                found = sorted(set(numbers(node)), key=int)
                if found:
                    label = "the set-up" if node.data == "setup" else str(name)
                    remedy_here = f"{remedy}; or name the number by a definition that cites"
                    cause = f"{label} states {', '.join(found)} without a source"
                    yield Finding("figures", label, d.place(node), cause, remedy_here)


def asked_by_rules(spec: Spec) -> set[str]:
    """The names that rules use, directly or through definitions."""
    bodies: dict[str, set[str]] = {}
    asked: set[str] = set()
    for d in spec.declarations:
        if d.tree.data == "define":
            bodies[str(d.tree.children[0])] = Uses([d]).values
        elif d.tree.data not in ("invariant", "claim"):
            asked |= Uses([d]).values
    rest = set(asked)
    while rest:
        rest = {name for of in rest for name in bodies.get(of, ())} - asked
        asked |= rest
    return asked


def has_citation(node: Node) -> bool:
    return next(node.find_data("citation"), None) is not None


def has_rows_of_figures(node: Node) -> bool:
    """Whether some row has a number. (A row's key may be one.)"""
    rows = (row for kind in ("sort_row", "table_row") for row in node.find_data(kind))
    cells = (cell for row in rows for cell in row.find_data("expr_cell"))
    return any(isinstance(c, Tree) or c.type == "INT" for cell in cells for c in cell.children)


def numbers(node: Node) -> Iterator[str]:
    """The numbers in expressions that are not plain ones; not those of types and ranges."""
    for part in node.iter_subtrees():
        if part.data in ("int_", "neg_int", "div_", "mod_"):
            yield from (str(c) for c in ints(part.children) if str(c) not in PLAIN)


def ints(children: Iterable[Any]) -> Iterator[Token]:
    for c in children:
        if isinstance(c, Token) and c.type == "INT":
            yield c
        elif isinstance(c, Tree) and c.data == "bound":
            yield from ints(c.children)
