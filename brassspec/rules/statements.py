"""Statements: from the body of an action, step or chance event to the flat list of nodes of a transition.

Procedures are inlined, loops over lists unrolled, branches turned into guards, and every assignment makes a new version of
its variable (see model.py).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

from lark import Token, Tree

from brassspec.grammar.errors import Problem, nearest_name
from brassspec.grammar.parser import Declaration, parse_expression
from brassspec.rules.express import TRUE, Elaborator, Env
from brassspec.rules.model import (
    NOWHERE,
    Assign,
    AssignAll,
    Bool,
    Compare,
    Const,
    Emit,
    Exception_,
    Exists,
    Expr,
    Get,
    If,
    Let,
    Not,
    Num,
    Option,
    Param,
    Read,
    Record,
    Require,
    Requirement,
    Seq,
    Some,
    Sort,
    Transition,
    Type,
    Var,
    With,
    Written,
)
from brassspec.rules.model import Node as ModelNode
from brassspec.rules.scope import (
    Fault,
    Node,
    Scope,
    citations,
    dotted,
    fault,
    named_type,
    resolve_type,
    tree,
    trees,
    unquote,
)

MAX_NODES = 5_000  # in one transition, after inlining and unrolling
MAX_DEPTH = 20  # of procedures within procedures


class Stated(NamedTuple):
    """A labelled condition as it stands after all changes; its parts may come from two declarations."""

    d: Declaration  # of the condition
    sentence: str
    cited: Declaration  # of the citations
    cites: Node | None
    shown: Declaration  # of the facts
    block: Node


class Changes:
    """What the readings and differences of a ruleset change: by name, the declaration and tree that take effect."""

    def __init__(self) -> None:
        # Replaced and dropped: requirements, exceptions, invariants and claims.
        self.conditions: dict[str, tuple[Declaration, Node]] = {}
        self.dropped: dict[str, tuple[Declaration, Node]] = {}
        self.exceptions: dict[str, list[tuple[Declaration, Node]]] = {}
        # Requirements that are added, by the one they stand after; statements, by the body they end.
        self.added: dict[str, list[tuple[Declaration, Node]]] = {}
        self.also: dict[str, list[tuple[Declaration, Node]]] = {}
        self.used: set[str] = set()
        self.used_also: set[str] = set()
        # (added requirement, transition it is added to)
        self.used_added: set[tuple[str, str]] = set()

    def condition(self, name: str, d: Declaration, sentence: str, cites: Node | None, block: Node) -> Stated:
        """What is stated under this name now: the words and the condition of a change, or else those given."""
        if name not in self.conditions:
            return Stated(d, sentence, d, cites, d, block)
        self.used.add(name)
        changed, node = self.conditions[name]
        _, words, cited, new = node.children
        return Stated(
            changed,
            unquote(words) if words is not None else sentence,
            changed if cited is not None else d,
            cited if cited is not None else cites,
            d if len(new.children) < 2 or new.children[1] is None else changed,
            new,
        )

    def drops(self, name: str) -> bool:
        if name in self.dropped:
            self.used.add(name)
        return name in self.dropped


class Builder:
    """Builds the nodes of one transition."""

    def __init__(self, scope: Scope, d: Declaration, changes: Changes) -> None:
        self.scope = scope
        self.d = d
        self.changes = changes
        self.name = str(d.tree.children[0]) if d.tree.data != "setup" else "setup"
        self.nodes: list[ModelNode] = []
        self.env = Env(action=self.name if d.tree.data == "action" else "")
        self.own: dict[str, Expr] = {}  # the transition's parameters
        self.final: dict[str, str] = {}
        self.guard: Expr | None = None
        self.spoken = ""
        self.either_order: list[tuple[str, ...]] = []
        self.implied = False
        self.taken: dict[str, int] = {}
        self.depth = 0
        self.written = NOWHERE  # where the statement at hand stands

    @property
    def elaborate(self) -> Elaborator:
        return Elaborator(self.scope, self.d)

    # ------------------------------------------------------------ names and versions

    def unique(self, name: str) -> str:
        n = self.taken.get(name, 0)
        self.taken[name] = n + 1
        return name if n == 0 else f"{name}'{n}"

    def let(self, name: str, expr: Expr) -> Var:
        var = Var(expr.type, self.unique(name))
        self.add(Let(var.name, expr, self.guard))
        return var

    def add(self, node: ModelNode) -> None:
        self.nodes.append(replace(node, written=self.written))
        if len(self.nodes) > MAX_NODES:
            fault(
                self.d.place(self.d.tree),
                f"this becomes more than {MAX_NODES} statements",
                "loops and procedures are written out: make them smaller",
            )

    def new_version(self, var: str) -> tuple[str, str]:
        """(old version, new version) of a state variable that is assigned; the new one is current from now on."""
        old = self.env.versions.get(var, var)
        new = f"{var}.{int(old.rpartition('.')[2]) + 1 if '.' in old else 1}"
        return old, new

    def settle(self, var: str, version: str) -> None:
        self.env.versions[var] = version
        self.final[var] = version

    def params(self, node: Node | None) -> tuple[Param, ...]:
        out: list[Param] = []
        for p in node.children if node is not None else []:
            t = resolve_type(self.scope, self.d, p.children[1])
            name = str(p.children[0])
            if name in [o.name for o in out]:
                fault(self.d.place(p), f"there are two parameters {name}")
            out.append(Param(name, t))
            self.taken[name] = 1
            self.env.names[name] = Var(t, name)
        self.own = dict(self.env.names)
        return tuple(out)

    # ------------------------------------------------------------ bodies

    def body(self, node: Node, name: str = "") -> Expr | None:
        """The statements of a body; the value of its `return`, which stands last. A named body may do more than it says."""
        outer, own, before = dict(self.env.names), self.d, self.written
        within = name or before.within
        statements = [(own, s) for s in node.children]
        more = [(d, s) for d, added in self.changes.also.get(name, []) for s in added.children]
        if more:
            self.changes.used_also.add(name)
            end = len(statements) - (statements[-1][1].data == "return_stmt")
            statements[end:end] = more
        result: Expr | None = None
        for d, statement in statements:
            self.d = d
            place = d.place(statement)
            self.written = Written(within, place.file, place.line)
            if result is not None:
                fault(self.d.place(statement), "nothing follows a return")
            method = getattr(self, f"s_{statement.data}")
            try:
                result = method(statement)
            except Fault as f:
                # One bad statement hides no error of the next, and a name it would have bound causes no more of them.
                self.scope.note(f)
                if str(statement.data).startswith("let"):
                    self.env.broken.add(str(statement.children[0]))
        self.d, self.written = own, before
        self.env.names = outer
        return result

    def under(self, cond: Expr, node: Node) -> None:
        """A body that only counts where `cond` holds."""
        before = self.guard
        self.guard = self.let("if", cond)
        if self.body(node) is not None:
            fault(self.d.place(node), "a return can't stand in a branch", "return an `if ... then ... else ...`")
        self.guard = before

    # ------------------------------------------------------------ statements

    def s_spoken(self, node: Node) -> None:
        self.spoken = unquote(node.children[0])

    def s_either_order(self, node: Node) -> None:
        self.either_order.append(tuple(str(name) for name in node.children))

    def s_implied(self, node: Node) -> None:
        self.implied = True

    def s_require(self, node: Node) -> None:
        name_node, _, cites, block = node.children
        self.require(dotted(name_node), unquote(node.children[1]), cites, block, node)

    def declare(
        self, name: str, sentence: str, cites: Node | None, at: Node, text: str, cited: Declaration | None = None
    ) -> None:
        place = self.d.place(at)
        if not name.islower():
            fault(place, f"{name} is not in lower case")
        known = self.scope.requirements.get(name)
        if known is None:
            found = citations(self.scope, cited or self.d, cites)
            if not found:
                self.scope.problems.append(Problem(place, f"{name} cites no source", 'write: cites SOURCE "heading"'))
            self.scope.requirements[name] = Requirement(
                name, sentence, found, "requirement", place.file, place.line, text
            )
        elif (known.file, known.line) != (place.file, place.line):
            fault(place, f"{name} is already the name of a requirement", f"it stands at {known.file}:{known.line}")

    def require(self, name: str, sentence: str, cites: Node | None, block: Node, at: Node) -> None:
        now = self.changes.condition(name, self.d, sentence, cites, block)
        if not self.changes.drops(name):
            self.declare(name, now.sentence, now.cites, at, now.d.source(now.block.children[0]), now.cited)
            cond = Elaborator(self.scope, now.d).formula(now.block.children[0], self.env)
            shows = tree(now.block, "shows") or tree(block, "shows")
            facts = self.template(unquote(shows.children[0]), shows, now.shown) if shows is not None else ()
            self.add(Require(name, cond, self.exceptions(name), facts, self.guard))
        self.follow(name)

    def follow(self, name: str) -> None:
        """The requirements that a change adds after this one."""
        for d, node in self.changes.added.get(name, []):
            label, within, _, sentence, cites, block = node.children
            only = [str(a) for a in within.children] if within is not None else []
            if only and self.name not in only:
                continue
            self.changes.used_added.add((dotted(label), self.name))
            names, own = self.env.names, self.d
            self.d = d
            self.env.names = {**self.own, **names} if only else names
            self.require(dotted(label), unquote(sentence), cites, block, node)
            self.env.names, self.d = names, own

    def exceptions(self, name: str) -> tuple[Exception_, ...]:
        out = []
        for d, node in self.changes.exceptions.get(name, []):
            self.changes.used.add(name)
            label, _, sentence, cites, block = node.children
            own = dotted(label)
            if self.changes.drops(own):
                continue
            place = d.place(node)
            now = self.changes.condition(own, d, unquote(sentence), cites, block)
            if own not in self.scope.requirements:
                found = citations(self.scope, now.cited, now.cites)
                text = now.d.source(now.block.children[0])
                self.scope.requirements[own] = Requirement(
                    own, now.sentence, found, "exception", place.file, place.line, text, name
                )
            out.append(Exception_(own, Elaborator(self.scope, now.d).formula(now.block.children[0], self.env)))
        return tuple(out)

    def template(self, text: str, at: Any, d: Declaration) -> tuple[str | Expr, ...]:
        """A text with expressions in braces."""
        out: list[str | Expr] = []
        for i, piece in enumerate(re.split(r"\{([^{}]*)\}", text)):
            if i % 2 == 0:
                if piece:
                    out.append(piece)
                continue
            parsed = parse_expression(piece)
            if parsed is None:
                fault(d.place(at), f"{{{piece}}} in this text is no expression")
            try:
                out.append(Elaborator(self.scope, d).expr(parsed, self.env))
            except Fault as f:
                fault(d.place(at), f"in {{{piece}}}: {f.problem.cause}", f.problem.remedy)
        return tuple(out)

    def s_let(self, node: Node) -> None:
        name = self.new_name(node.children[0])
        self.env.names[name] = self.let(name, self.elaborate.expr(node.children[1], self.env))

    def new_name(self, token: Any) -> str:
        name = str(token)
        if name in self.env.names:
            fault(self.d.place(token), f"{name} already has a value here", "choose another name")
        return name

    def s_let_else(self, node: Node) -> None:
        """Unwraps an option; that it is there is a requirement."""
        token, value, label, sentence, cites, shows = node.children
        name = self.new_name(token)
        option = self.elaborate.expr(value, self.env)
        if not isinstance(option.type, Option):
            fault(self.d.place(value), f"a {option.type} is always there", "leave out the `else`")
        requirement = dotted(label)
        self.declare(requirement, unquote(sentence), cites, node, self.d.source(value) + " exists")
        held = self.let(name, option)
        assert isinstance(held.type, Option)
        if requirement in self.changes.conditions or requirement in self.changes.dropped:
            fault(self.d.place(node), f"{requirement} gives a name its value and can't be changed")
        facts = self.template(unquote(shows.children[0]), shows, self.d) if shows is not None else ()
        self.add(Require(requirement, Exists(held), self.exceptions(requirement), facts, self.guard))
        self.env.names[name] = self.let(name, Get(held.type.inner, held))
        self.follow(requirement)

    def s_let_do(self, node: Node) -> None:
        name = self.new_name(node.children[0])
        value = self.inline(node.children[1])
        if value is None:
            fault(self.d.place(node), "this procedure returns nothing")
        self.env.names[name] = self.let(name, value)

    def s_let_sum(self, node: Node) -> None:
        """The total of what a procedure returns, called for each value of a list parameter, in order."""
        token, call, each, over = node.children
        name = self.new_name(token)
        seq = self.env.names.get(str(over))
        if seq is None or not isinstance(seq.type, Seq) or not isinstance(seq, Var):
            fault(self.d.place(over), f"{over} is not a list parameter")
        total: Expr = Const(Num(0, 0), 0)
        before = self.guard
        for i in range(seq.type.hi):
            length = Var(Num(seq.type.lo, seq.type.hi), f"{seq.name}.len")
            there = Compare(">", length, Const(Num(i, i), i))
            self.guard = before
            self.guard = self.let("if", there)
            outer = dict(self.env.names)
            self.env.names[str(each)] = Var(seq.type.inner, f"{seq.name}.{i}")
            value = self.inline(call)
            self.env.names = outer
            if value is None or not isinstance(value.type, Num):
                fault(self.d.place(call), "this procedure returns no number to be summed")
            part = If(
                Num(min(0, value.type.lo), max(0, value.type.hi), value.type.shown),
                self.guard,
                value,
                Const(Num(0, 0), 0),
            )
            self.guard = before
            total = self.elaborate.arith("+", total, self.let(name, part), node)
        self.env.names[name] = self.let(name, total)

    def s_do(self, node: Node) -> None:
        self.inline(node.children[0])

    def inline(self, call: Node) -> Expr | None:
        """A procedure's body in place of its call; the value it returns."""
        name = str(call.children[0])
        procedure = self.scope.procedures.get(name)
        if procedure is None:
            fault(self.d.place(call), f"there is no procedure {name}", nearest_name(name, self.scope.procedures))
        args = [a for a in call.children[1:] if a is not None]
        if len(args) != len(procedure.params):
            fault(self.d.place(call), f"{name} takes {len(procedure.params)} arguments, here are {len(args)}")
        if self.depth >= MAX_DEPTH:
            fault(self.d.place(call), f"{name} is called within itself, or too deeply", "procedures are not recursive")
        bound: dict[str, Expr] = {}
        for arg, (param, t) in zip(args, procedure.params, strict=True):
            if isinstance(t, Seq):
                token = arg.children[0] if isinstance(arg, Tree) else arg
                value = self.env.names.get(str(token))
                if value is None or value.type != t:
                    fault(self.d.place(arg), f"a {t} parameter is due here")
                bound[param] = value
                continue
            value = self.elaborate.expr(arg, self.env, t)
            bound[param] = value if isinstance(value, Var | Const) else self.let(param, value)
        outer_names, outer_d = self.env.names, self.d
        self.env.names, self.d = bound, procedure.declaration
        self.depth += 1
        body = tree(self.d.tree, "body")
        assert body is not None
        try:
            result = self.body(body, name)
            if result is not None and procedure.returns is not None:
                result = self.let("result", self.elaborate.coerce(result, procedure.returns, self.d.tree))
        finally:
            self.depth -= 1
            self.env.names, self.d = outer_names, outer_d
        return result

    def s_return_stmt(self, node: Node) -> Expr:
        return self.elaborate.expr(node.children[0], self.env)

    # ------------------------------------------------------------ assignments

    def target(self, node: Node, env: Env) -> tuple[str, tuple[Expr, ...]]:
        name = str(node.children[0])
        if name not in self.scope.state:
            fault(self.d.place(node.children[0]), f"the position has no {name}", nearest_name(name, self.scope.state))
        var = self.scope.state[name]
        index = node.children[1] if len(node.children) > 1 else None
        if index is None:
            if var.keys:
                fault(self.d.place(node), f"{name} is a map", "say which: " + ", ".join(map(str, var.keys)))
            return name, ()
        return name, self.elaborate.keys(index, var.keys, name, env)

    def s_assign(self, node: Node) -> None:
        name, keys = self.target(node.children[0], self.env)
        expr = self.elaborate.expr(node.children[1], self.env, self.scope.state[name].type)
        self.assign(name, keys, expr)

    def assign(self, name: str, keys: tuple[Expr, ...], expr: Expr) -> None:
        old, new = self.new_version(name)
        self.add(Assign(new, name, old, keys, expr, self.guard))
        self.settle(name, new)

    def s_assign_field(self, node: Node) -> None:
        name, keys = self.target(node.children[0], self.env)
        t = self.scope.state[name].type
        whole: Expr = Read(t, name, self.env.version(name), keys)
        record = Get(t.inner, whole) if isinstance(t, Option) else whole
        if not isinstance(record.type, Record):
            fault(self.d.place(node), f"{name} holds no record")
        field_name = str(node.children[1])
        fields = self.scope.records[record.type.name].fields
        names = [n for n, _ in fields]
        if field_name not in names:
            fault(
                self.d.place(node.children[1]),
                f"a {record.type} has no field {field_name}",
                nearest_name(field_name, names),
            )
        i = names.index(field_name)
        value = self.elaborate.expr(node.children[2], self.env, fields[i][1])
        changed: Expr = With(record.type, record, i, value)
        self.assign(name, keys, Some(t, changed) if isinstance(t, Option) else changed)

    def s_assign_all(self, node: Node) -> None:
        binders_node, target_node, value_node = node.children[0], node.children[-2], node.children[-1]
        bound, inner = self.elaborate.bound(binders_node.children, self.env)
        binders: list[tuple[Var, Type]] = []
        for b, (var, domain) in zip(binders_node.children, bound, strict=True):
            if not isinstance(domain, Bool | Num | Sort | Option):
                fault(self.d.place(b), "here a variable ranges over a type", "put a condition in `where`")
            binders.append((var, domain))
        cond = self.elaborate.where(node, inner)
        name, keys = self.target(target_node, inner)
        expr = self.elaborate.expr(value_node, inner, self.scope.state[name].type)
        old, new = self.new_version(name)
        self.add(AssignAll(new, name, old, tuple(binders), cond, keys, expr, self.guard))
        self.settle(name, new)

    # ------------------------------------------------------------ branches and loops

    def s_if_stmt(self, node: Node) -> None:
        cond = self.let("if", self.elaborate.formula(node.children[0], self.env))
        self.under(cond, node.children[1])
        other = tree(node, "else_part")
        if other is not None:
            self.under(Not(cond), other.children[0])

    def s_each(self, node: Node) -> None:
        """A loop over a type, written out."""
        domain_node = node.children[1].children[0]
        t = (
            named_type(self.scope, self.d, domain_node)
            if isinstance(domain_node, Token)
            else resolve_type(self.scope, self.d, domain_node)
        )
        if isinstance(t, Num):
            values = list(range(t.lo, t.hi + 1))
        elif isinstance(t, Sort):
            values = list(range(len(self.scope.sorts[t.name].members)))
        else:
            fault(self.d.place(node), "a loop is over a sort or a range of numbers")
        name = self.new_name(node.children[0])
        for value in values:
            outer = dict(self.env.names)
            self.env.names[name] = Const(t, value)
            self.body(node.children[2])
            self.env.names = outer

    def s_emit(self, node: Node) -> None:
        call = node.children[0]
        name = str(call.children[0])
        if name not in self.scope.events:
            fault(self.d.place(call), f"there is no event {name}", nearest_name(name, self.scope.events))
        fields = self.scope.events[name]
        args = [a for a in call.children[1:] if a is not None]
        if len(args) != len(fields):
            fault(self.d.place(call), f"{name} has {len(fields)} fields, here are {len(args)}")
        self.add(
            Emit(
                name,
                tuple(self.elaborate.expr(a, self.env, f.type) for a, f in zip(args, fields, strict=True)),
                self.guard,
            )
        )


def build_transition(scope: Scope, d: Declaration, changes: Changes) -> Transition:
    """The transition that an action, step, chance or set-up declares.

    Raises Fault where it can't be built; errors within its statements are collected in the scope.
    """
    b = Builder(scope, d, changes)
    node = d.tree
    name = b.name
    place = d.place(node)
    params = b.params(tree(node, "params"))
    when: Expr = TRUE
    weight: Expr | None = None
    sentence = ""
    body = trees(node, "body")[-1]
    if node.data == "step":
        sentence = unquote(node.children[1].children[0]) if tree(node, "title") is not None else ""
        when = b.elaborate.formula(node.children[-2], b.env)
    if node.data == "chance":
        when = b.elaborate.formula(node.children[-3], b.env)
        weight = b.elaborate.numeric(node.children[-2], b.env)
    if b.body(body, name) is not None:
        fault(d.place(body), "only a procedure returns something")
    by_name = {p.name: p.type for p in params}
    for names in b.either_order:
        types = {by_name.get(n) for n in names}
        if len(set(names)) < len(names) or len(types) > 1 or not isinstance(types.pop(), Sort):
            fault(d.place(node), f"either order {', '.join(names)}: these are not parameters of one sort")
    if node.data in ("action", "chance") and not b.spoken:
        fault(d.place(node), f"it isn't said how {name} is spoken", 'begin the body with: spoken "{p} does {x}"')
    if node.data == "action" and not params:
        fault(d.place(node), "an action's first parameter is who does it")
    if node.data != "action":
        for n in b.nodes:
            if isinstance(n, Require):
                fault(d.place(node), f"only an action has requirements, and this has {n.name}")
    return Transition(
        kind=str(node.data),
        name=name,
        params=params,
        when=when,
        nodes=tuple(b.nodes),
        final=b.final,
        weight=weight,
        spoken=b.spoken,
        sentence=sentence,
        either_order=tuple(b.either_order),
        implied=b.implied,
        written=Written(name, place.file, place.line),
    )
