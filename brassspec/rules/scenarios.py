"""Scenarios and questions: a position written in the spec's own words, moves, and what is expected of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lark import Tree

from brassspec.formats import InputError
from brassspec.grammar.errors import Place, Problem, SpecError
from brassspec.grammar.parser import Declaration
from brassspec.rules.concrete import NOT_GIVEN, RawEvent, Rules, State
from brassspec.rules.evaluate import elaborate, evaluator
from brassspec.rules.model import Citation, Expr
from brassspec.rules.scope import Fault, Node, dotted, trees, unquote
from brassspec.rules.spoken import Speaker


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a scenario. kind: given, unknown, move, expect, tells, or a verdict: legal, illegal, always, never, depends."""

    kind: str
    text: str
    place: Place
    names: tuple[str, ...] = ()
    using: tuple[str, ...] = ()
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """A scenario (or, without expectations, a question) as written. `rulesets` empty: the edition it stands in."""

    title: str
    cites: tuple[Citation, ...]
    rulesets: tuple[str, ...]
    players: int | None
    lines: tuple[Line, ...]
    declaration: Declaration

    @property
    def place(self) -> Place:
        return self.declaration.place(self.declaration.tree)

    @property
    def is_partial(self) -> bool:
        return any(x.kind == "unknown" for x in self.lines)


def read_situation(d: Declaration) -> Situation:
    """A scenario or question declaration as a Situation."""
    title = unquote(d.tree.children[0])
    cites_node = next((c for c in d.tree.children if isinstance(c, Tree) and c.data == "cites"), None)
    cites = tuple(
        Citation(str(c.children[0]), unquote(c.children[1]))
        for c in (cites_node.children if cites_node is not None else [])
    )
    rulesets = tuple(str(t) for n in trees(d.tree, "for_rulesets") for t in n.children)
    counts = [int(n.children[0]) for n in trees(d.tree, "player_count")]
    lines: list[Line] = []
    for node in d.tree.children:
        if not isinstance(node, Tree):
            continue
        place = d.place(node)
        kind = str(node.data)
        if kind in ("given", "unknown", "move"):
            text = str(node.children[0]).rstrip()
            lines.append(
                Line(
                    kind,
                    text[len("given") if kind == "given" else len("unknown") if kind == "unknown" else 1 :].strip(),
                    place,
                )
            )
        elif kind == "result":
            lines.append(read_verdict(node.children[0], d, place))
        elif kind == "expect":
            block = node.children[0]
            lines.append(Line("expect", d.source(block.children[0]), place, node=block.children[0]))
        elif kind == "tells":
            lines.append(Line("tells", ", ".join(d.source(c) for c in node.children), place, node=node))
    return Situation(title, cites, rulesets, counts[0] if counts else None, tuple(lines), d)


def read_verdict(node: Node, d: Declaration, place: Place) -> Line:
    kind = {"legal_then": "legal", "always_legal": "always", "never_legal": "never"}.get(str(node.data), str(node.data))
    using = tuple(dotted(c) for n in trees(node, "using") for c in n.children)
    names = tuple(dotted(c) for c in node.children if isinstance(c, Tree) and c.data == "dotted")
    block = next(iter(trees(node, "block_expr")), None)
    text = kind + (" by " + ", ".join(names) if names else "")
    return Line(kind, text, place, names, using, block.children[0] if block is not None else None)


@dataclass(slots=True)
class Setting:
    """The position a situation describes: a state, and which of its cells are unknown: (variable, flat index or None for all)."""

    state: State
    unknown: list[tuple[str, int | None]] = field(default_factory=list)
    stated: set[tuple[str, int]] = field(default_factory=set)
    unknown_otherwise: bool = False


def trouble(line: Line, error: Exception, d: Declaration) -> SpecError:
    """An error in one line of a scenario, shown where it stands."""
    return SpecError([Problem(line.place, str(error))], {line.place.file: "\n" * (d.line - 1) + d.text})


def setting(rules: Rules, speaker: Speaker, s: Situation) -> Setting:
    """The position that the lines before the first move describe. What is unstated is as at set-up.

    Raises SpecError where a line can't be read or the position breaks an invariant.
    """
    cells: dict[str, dict[int, Any]] = {}
    unknown: list[tuple[str, int | None]] = []
    mover = 0
    otherwise = False
    for line in s.lines:
        try:
            if line.kind == "given":
                var, values = speaker.hear_given(line.text)
                for i, v in values:
                    if cells.setdefault(var.name, {}).setdefault(i, v) != v:
                        raise InputError(f"{var.name}: this was stated otherwise before")
            elif line.kind == "unknown":
                for v, cell in speaker.hear_unknown(line.text):
                    if cell in cells.get(v.name, {}):
                        raise InputError(f"{v.name}: this is stated, and unknown")
                    unknown.append((v.name, cell))
                otherwise = otherwise or "otherwise" in line.text.split()
        except InputError as e:
            raise trouble(line, e, s.declaration) from None
    first = next((x for x in s.lines if x.kind == "move"), None)
    if first is not None and not speaker.is_chance(first.text):
        mover = mover_of(speaker, first, s)
    given: dict[str, Any] = {}
    for name, values_by_index in cells.items():
        v = rules.model.state[name]
        if v.keys:
            n = len(rules.keys(name))
            given[name] = tuple(values_by_index.get(i, NOT_GIVEN) for i in range(n))
        else:
            given[name] = values_by_index[0]
    state = rules.defaults(given, mover)
    try:
        speaker.codec.check_bounds(state)
        broken = [] if unknown or otherwise else rules.broken(state)
        if broken:
            sentences = {p.name: p.sentence for p in rules.model.properties}
            raise InputError("the position breaks " + "; ".join(f"{b} ({sentences[b]})" for b in broken))
    except InputError as e:
        raise SpecError(
            [Problem(s.place, str(e))], {s.place.file: "\n" * (s.declaration.line - 1) + s.declaration.text}
        ) from None
    stated = {(name, i) for name, values_by_index in cells.items() for i in values_by_index}
    return Setting(state, unknown, stated, otherwise)


def mover_of(speaker: Speaker, line: Line, s: Situation) -> int:
    """Who makes the first move; the first player where that is not stated."""
    try:
        action, stated = speaker.hear_move(line.text)
    except InputError as e:
        raise trouble(line, e, s.declaration) from None
    first = list(speaker.model.actions.values())[action].params[0]
    values = stated.get(first.name, ())
    return int(values[0]) if len(values) == 1 else 0


def condition(rules: Rules, s: Situation, line: Line) -> Expr:
    """The condition of a line, elaborated. Raises SpecError where it is none."""
    assert line.node is not None
    try:
        return elaborate(rules.model, s.declaration, line.node)
    except Fault as f:
        raise SpecError([f.problem], {line.place.file: "\n" * (s.declaration.line - 1) + s.declaration.text}) from None


def holds(rules: Rules, s: Situation, line: Line, state: State) -> bool:
    """Whether the condition of a line holds in a state."""
    return bool(evaluator(rules, condition(rules, s, line))(state))


def told(rules: Rules, s: Situation, line: Line, state: State) -> list[RawEvent]:
    """The events that a line lists; their values may speak of the state. Raises SpecError where it lists something else."""
    assert line.node is not None
    out: list[RawEvent] = []
    for call in line.node.children:
        name = str(call.children[0])
        args = [a for a in call.children[1:] if a is not None]
        fields = rules.model.events.get(name)
        if fields is None or len(fields) != len(args):
            there = f"{name} has {len(fields)} fields, here are {len(args)}" if fields is not None else ""
            raise trouble(line, InputError(there or f"there is no event {name}"), s.declaration)
        try:
            exprs = [elaborate(rules.model, s.declaration, a, f.type) for a, f in zip(args, fields, strict=True)]
        except Fault as f:
            raise trouble(line, InputError(f.problem.cause), s.declaration) from None
        out.append((rules.event_names.index(name), *(evaluator(rules, e)(state) for e in exprs)))
    return out
