"""What names mean: the sorts, types, tables and definitions of one ruleset, while its model is being built."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from lark import Token, Tree

from brassspec.grammar.errors import Place, Problem, nearest_name
from brassspec.grammar.parser import Declaration
from brassspec.rules.model import (
    Bool,
    Citation,
    Define,
    Graph,
    Num,
    Option,
    Param,
    Record,
    RecordDef,
    Requirement,
    Seq,
    Set,
    Sort,
    SortDef,
    StateVar,
    Table,
    Type,
)

Node: TypeAlias = Tree[Any]


class Fault(Exception):
    """A problem that ends the elaboration of one declaration; the next goes on."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.cause)
        self.problem = problem


class FollowUp(Fault):
    """A fault that only follows from one already shown: it is not shown itself."""

    def __init__(self) -> None:
        super().__init__(Problem(Place("", 0), "follows from an earlier error"))


@dataclass
class Procedure:
    declaration: Declaration
    params: tuple[tuple[str, Type], ...]
    returns: Type | None


@dataclass
class Scope:
    """Everything declared so far. `problems` collects errors; lookups that fail raise `Fault`."""

    players: int
    sorts: dict[str, SortDef] = field(default_factory=dict)
    player_sort: str = ""
    aliases: dict[str, Type] = field(default_factory=dict)
    records: dict[str, RecordDef] = field(default_factory=dict)
    record_defaults: dict[str, dict[str, Any]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    state: dict[str, StateVar] = field(default_factory=dict)
    defines: dict[str, Define] = field(default_factory=dict)
    pending_defines: dict[str, Declaration] = field(default_factory=dict)
    graphs: dict[str, Graph] = field(default_factory=dict)
    graph_families: dict[str, Sort] = field(default_factory=dict)  # graphs with a parameter: its type
    actions: list[str] = field(default_factory=list)
    asked: dict[str, set[str]] = field(
        default_factory=dict
    )  # by action, the actions whose moves its requirements ask for
    events: dict[str, tuple[Param, ...]] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    cited: frozenset[str] | None = None  # the sources whose citations count in this edition; None: all
    requirements: dict[str, Requirement] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def note(self, f: Fault) -> None:
        """Remembers a fault to be shown."""
        if not isinstance(f, FollowUp):
            self.problems.append(f.problem)

    def members_named(self, name: str) -> list[tuple[str, int]]:
        """(sort, index) of every member with this id."""
        return [(s.name, s.members.index(name)) for s in self.sorts.values() if name in s.members]


def fault(place: Place, cause: str, remedy: str = "") -> NoReturn:
    raise Fault(Problem(place, cause, remedy))


def trees(node: Node, kind: str) -> list[Node]:
    """The children of `node` that are trees of this kind."""
    return [c for c in node.children if isinstance(c, Tree) and c.data == kind]


def tree(node: Node, kind: str) -> Node | None:
    found = trees(node, kind)
    return found[0] if found else None


def unquote(token: Any) -> str:
    return str(token)[1:-1]


def dotted(node: Node) -> str:
    return ".".join(str(c) for c in node.children)


# ---------------------------------------------------------------- types


def resolve_type(scope: Scope, d: Declaration, node: Node) -> Type:
    """The type that a type expression of the syntax tree names."""
    kind = node.data
    if kind == "sort_type":
        return named_type(scope, d, node.children[0])
    if kind == "range":
        bounds = [bound(scope, d, c) for c in node.children]
        if len(bounds) == 1:
            bounds.append(bounds[0])
        if bounds[0] > bounds[1]:
            fault(d.place(node), f"the range {bounds[0]}..{bounds[1]} is empty", "write the smaller bound first")
        if bounds[1] - bounds[0] > 100_000:
            fault(d.place(node), "the range is too wide", "at most 100000 values")
        return Num(bounds[0], bounds[1])
    if kind == "optional":
        return Option(named_type(scope, d, node.children[0]))
    if kind == "either":
        return Option(named_type(scope, d, node.children[0]), str(node.children[1]))
    if kind == "set_type":
        return Set(named_type(scope, d, node.children[0]))
    if kind == "list_type":
        size = resolve_type(scope, d, node.children[1])
        assert isinstance(size, Num)
        if size.lo < 0 or size.hi > 8:
            fault(d.place(node), "a list has 0 to 8 values")
        return Seq(named_type(scope, d, node.children[0]), size.lo, size.hi)
    if kind == "bool_type":
        return Bool()
    if kind == "key_type":
        inner = node.children[0]
        return named_type(scope, d, inner) if isinstance(inner, Token) else resolve_type(scope, d, inner)
    raise AssertionError(kind)


def named_type(scope: Scope, d: Declaration, token: Any) -> Type:
    name = str(token)
    if name in scope.aliases:
        return scope.aliases[name]
    if name in scope.records:
        return Record(name)
    if name in scope.sorts:
        return Sort(name)
    fault(
        d.place(token), f"there is no type {name}", nearest_name(name, [*scope.sorts, *scope.records, *scope.aliases])
    )


def bound(scope: Scope, d: Declaration, node: Node) -> int:
    token = node.children[0]
    if isinstance(token, Tree):  # minus_int
        return -int(token.children[0])
    if token.type == "INT":
        return int(token)
    if token == "players":
        return scope.players
    fault(d.place(token), f"{token} is not a number", "a bound is a number or `players`")


# ---------------------------------------------------------------- constants in tables


def constant(scope: Scope, d: Declaration, cell: Node, t: Type) -> Any:
    """The value of a table cell as a value of type `t`."""
    if isinstance(t, Set):
        if cell.data != "set_cell":
            fault(d.place(cell), f"a {t} is due here", "write it in braces: {a, b} or {}")
        return frozenset(constant(scope, d, c, t.inner) for c in cell.children if c is not None)
    if cell.data == "set_cell":
        fault(d.place(cell), f"a set where a {t} is due")
    token = cell.children[0]
    text = f"-{token.children[0]}" if isinstance(token, Tree) else str(token)
    if isinstance(t, Option):
        return None if text == t.absent else constant(scope, d, cell, t.inner)
    if isinstance(t, Num):
        if not text.lstrip("-").isdigit():
            fault(d.place(cell), f"{text} is not a number", f"a number {t} is due here")
        value = int(text)
        if not t.lo <= value <= t.hi:
            fault(d.place(cell), f"{value} is outside {t}")
        return value
    if isinstance(t, Sort):
        members = scope.sorts[t.name].members
        if text not in members:
            fault(d.place(cell), f"there is no {t.name} {text}", nearest_name(text, members))
        return members.index(text)
    if isinstance(t, Bool):
        if text not in ("true", "false"):
            fault(d.place(cell), f"{text} is neither true nor false")
        return text == "true"
    fault(d.place(cell), f"a table can't hold a {t}")


def from_member_id(scope: Scope, d: Declaration, member: Any, t: Type) -> Any:
    """The value of a column that is read off the member's id: `manchester.1` -> manchester, `a--b` -> {a, b}."""
    parts = str(member).split("--") if "--" in str(member) else [str(member).rsplit(".", 1)[0]]
    inner = t.inner if isinstance(t, Set) else t
    if not isinstance(inner, Sort):
        fault(d.place(member), f"a column `from id` is a sort or a set of one, not a {t}")
    members = scope.sorts[inner.name].members
    for part in parts:
        if part not in members:
            fault(d.place(member), f"{part} in the id {member} is no {inner.name}", nearest_name(part, members))
    values = [members.index(part) for part in parts]
    if isinstance(t, Set):
        return frozenset(values)
    if len(values) != 1:
        fault(
            d.place(member),
            f"the id {member} names several {inner.name}s",
            f"declare the column as set of {inner.name}",
        )
    return values[0]


def citations(scope: Scope, d: Declaration, node: Node | None) -> tuple[Citation, ...]:
    """What is cited of the edition's sources."""
    if node is None:
        return ()
    out = []
    for c in node.children:
        name, locator = c.children
        if str(name) not in scope.sources:
            scope.problems.append(
                Problem(d.place(name), f"there is no source {name}", nearest_name(str(name), scope.sources))
            )
        if not unquote(locator).strip():
            scope.problems.append(
                Problem(d.place(locator), "a citation needs a locator", "name the heading, page or section")
            )
        if scope.cited is None or str(name) in scope.cited:
            out.append(Citation(str(name), unquote(locator)))
    return tuple(out)
