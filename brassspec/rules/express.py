"""Expressions: from the syntax tree to typed expressions of the model, with names and coercions resolved."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token, Tree

from brassspec.grammar.errors import nearest_name
from brassspec.grammar.parser import Declaration
from brassspec.rules.model import (
    After,
    And,
    Arith,
    Bool,
    Call,
    Compare,
    Connected,
    Const,
    Define,
    Distance,
    Domain,
    Exists,
    Expr,
    Field,
    Filter,
    Fold,
    Get,
    Graph,
    If,
    In,
    Lookup,
    Make,
    Not,
    Num,
    Option,
    Or,
    Pick,
    Possible,
    Quant,
    Read,
    Record,
    Seq,
    Set,
    SetOf,
    Some,
    Sort,
    Table,
    Type,
    Var,
    Written,
)
from brassspec.rules.scope import FollowUp, Node, Scope, fault, named_type, resolve_type, tree

TRUE = Const(Bool(), True)
FALSE = Const(Bool(), False)

# Names that the language itself defines.
BUILTINS = ("min", "max", "number", "distance", "connected", "nearest", "size", "can", "after")


@dataclass
class Env:
    """What an expression can see: local names, the current version of each state variable, and what has been read so far."""

    names: dict[str, Expr] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)  # names whose declaration is faulty
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    action: str = ""  # whose requirement this is; "" elsewhere
    has_after: bool = False  # whether there is a position after this one: in claims about transitions

    def inner(self, **names: Expr) -> Env:
        return replace(self, names={**self.names, **names})

    def version(self, var: str) -> str:
        self.reads.add(var)
        return self.versions.get(var, var)


def kind(t: Type) -> str:
    """What two types must share to be compared."""
    if isinstance(t, Num):
        return "number"
    if isinstance(t, Option):
        return f"{kind(t.inner)}?"
    if isinstance(t, Set):
        return f"set of {kind(t.inner)}"
    return str(t)


class Elaborator:
    """Elaborates the expressions of one declaration."""

    def __init__(self, scope: Scope, d: Declaration) -> None:
        self.scope = scope
        self.d = d

    # ------------------------------------------------------------ coercion

    def coerce(self, e: Expr, t: Type | None, at: Node | Token) -> Expr:
        """`e` as a `t`: a value becomes an option, an option is unwrapped; anything else that differs is an error."""
        if t is None or kind(e.type) == kind(t):
            return e
        if isinstance(t, Option) and not isinstance(e.type, Option):
            return Some(t, self.coerce(e, t.inner, at))
        if isinstance(e.type, Option) and not isinstance(t, Option):
            return self.coerce(Get(e.type.inner, e), t, at)
        fault(self.d.place(at), f"this is a {e.type}, but a {t} is due")

    def formula(self, node: Node | Token, env: Env) -> Expr:
        return self.expr(node, env, Bool())

    # ------------------------------------------------------------ the dispatcher

    def expr(self, node: Node | Token, env: Env, want: Type | None = None) -> Expr:
        if isinstance(node, Token):
            return self.coerce(self.name(node, env, want), want, node)
        method = getattr(self, f"x_{node.data}", None)
        if method is None:
            fault(self.d.place(node), f"{node.data} can't stand in an expression")
        e: Expr = method(node, env, want)
        return self.coerce(e, want, node)

    # ------------------------------------------------------------ names

    def name(self, token: Any, env: Env, want: Type | None) -> Expr:
        name = str(token)
        found: Expr | None = None
        if name in env.names:
            found = env.names[name]
        elif name in self.scope.state and not self.scope.state[name].keys:
            found = Read(self.scope.state[name].type, name, env.version(name), ())
        elif name == "players":
            found = Const(Num(self.scope.players, self.scope.players), self.scope.players)
        elif self.has_define(name):
            found = self.call_define(token, name, [], env)
        wanted = want.inner if isinstance(want, Option) else want
        if found is not None and (
            want is None or not self.is_member(name, want) or kind(found.type) in (kind(want), f"{kind(want)}?")
        ):
            return found
        if isinstance(want, Option) and name == want.absent:
            return Const(want, None)
        if isinstance(wanted, Sort) and name in self.scope.sorts[wanted.name].members:
            return Const(wanted, self.scope.sorts[wanted.name].members.index(name))
        members = self.scope.members_named(name)
        if len(members) == 1 and want is None:
            return Const(Sort(members[0][0]), members[0][1])
        if name in self.scope.state:
            keys = ", ".join(str(k) for k in self.scope.state[name].keys)
            fault(self.d.place(token), f"{name} is a map", f"say which: {name}[{keys}]")
        if len(members) > 1 and want is None:
            owners = " or ".join(f"{s}.{name}" for s, _ in members)
            fault(self.d.place(token), f"{name} could be several things here", f"write {owners}")
        if members:
            fault(self.d.place(token), f"{name} is a {members[0][0]}, but a {want} is due")
        if name in env.broken:
            raise FollowUp
        known = [*env.names, *self.scope.state, *self.scope.defines, *self.scope.pending_defines]
        if isinstance(wanted, Sort):
            known += self.scope.sorts[wanted.name].members
        fault(self.d.place(token), f"nothing is called {name} here", nearest_name(name, known))

    def is_member(self, name: str, want: Type) -> bool:
        inner = want.inner if isinstance(want, Option) else want
        return (isinstance(inner, Sort) and name in self.scope.sorts[inner.name].members) or (
            isinstance(want, Option) and name == want.absent
        )

    def x_name(self, node: Node, env: Env, want: Type | None) -> Expr:
        return self.name(node.children[0], env, want)

    x_member_name = x_name

    def x_qualified(self, node: Node, env: Env, want: Type | None) -> Expr:
        t = named_type(self.scope, self.d, node.children[0])
        member = str(node.children[1])
        if not isinstance(t, Sort) or member not in self.scope.sorts[t.name].members:
            known = self.scope.sorts[t.name].members if isinstance(t, Sort) else ()
            fault(self.d.place(node), f"there is no {node.children[0]} {member}", nearest_name(member, known))
        return Const(t, self.scope.sorts[t.name].members.index(member))

    # ------------------------------------------------------------ literals

    def x_int_(self, node: Node, env: Env, want: Type | None) -> Expr:
        value = self.number(node.children[0])
        return Const(Num(value, value), value)

    def x_neg_int(self, node: Node, env: Env, want: Type | None) -> Expr:
        value = -self.number(node.children[0])
        return Const(Num(value, value), value)

    def number(self, token: Any) -> int:
        if len(str(token)) > 9:
            fault(self.d.place(token), "the number is too large", "at most nine digits")
        return int(token)

    def x_true(self, node: Node, env: Env, want: Type | None) -> Expr:
        return TRUE

    def x_false(self, node: Node, env: Env, want: Type | None) -> Expr:
        return FALSE

    def x_make(self, node: Node, env: Env, want: Type | None) -> Expr:
        t = named_type(self.scope, self.d, node.children[0])
        if not isinstance(t, Record):
            fault(self.d.place(node), f"{node.children[0]} is not a record")
        given = {str(f.children[0]): f for f in node.children[1:]}
        values = []
        fields = self.scope.records[t.name].fields
        for name, ft in fields:
            if name in given:
                values.append(self.expr(given.pop(name).children[1], env, ft))
            elif name in self.scope.record_defaults[t.name]:
                values.append(Const(ft, self.scope.record_defaults[t.name][name]))
            else:
                fault(self.d.place(node), f"the field {name} is missing")
        for name, f in given.items():
            fault(self.d.place(f), f"{t.name} has no field {name}", nearest_name(name, [n for n, _ in fields]))
        return Make(t, tuple(values))

    # ------------------------------------------------------------ logic

    def x_implies(self, node: Node, env: Env, want: Type | None) -> Expr:
        return Or((Not(self.formula(node.children[0], env)), self.formula(node.children[1], env)))

    def x_or_expr(self, node: Node, env: Env, want: Type | None) -> Expr:
        return Or(tuple(self.formula(c, env) for c in node.children))

    def x_and_expr(self, node: Node, env: Env, want: Type | None) -> Expr:
        return And(tuple(self.formula(c, env) for c in node.children))

    def x_not_(self, node: Node, env: Env, want: Type | None) -> Expr:
        return Not(self.formula(node.children[0], env))

    def x_if_expr(self, node: Node, env: Env, want: Type | None) -> Expr:
        cond = self.formula(node.children[0], env)
        then = self.expr(node.children[1], env, want)
        other = self.expr(node.children[2], env, want if want is not None else then.type)
        t: Type = want or then.type
        if isinstance(then.type, Num) and isinstance(other.type, Num):
            t = Num(min(then.type.lo, other.type.lo), max(then.type.hi, other.type.hi), then.type.shown)
        return If(t, cond, then, other)

    def x_exists(self, node: Node, env: Env, want: Type | None) -> Expr:
        e = self.expr(node.children[0], env)
        if not isinstance(e.type, Option):
            fault(
                self.d.place(node), f"a {e.type} always exists", "only something that may be absent can be asked this"
            )
        return Exists(e)

    def x_is_empty(self, node: Node, env: Env, want: Type | None) -> Expr:
        e = self.expr(node.children[0], env)
        if not isinstance(e.type, Set):
            fault(self.d.place(node), f"a {e.type} is not a set")
        var, _ = self.bind("x", e, env)
        return Not(Quant("some", var, e, TRUE))

    def x_compare(self, node: Node, env: Env, want: Type | None) -> Expr:
        left_node, op, right_node = node.children
        # A bare word takes its meaning from the other side.
        if self.is_word(left_node, env):
            right = self.expr(right_node, env)
            left = self.beside(left_node, env, right.type)
        else:
            left = self.expr(left_node, env)
            right = self.beside(right_node, env, left.type)
        if isinstance(left.type, Option) != isinstance(right.type, Option):
            if isinstance(left.type, Option):
                left = Get(left.type.inner, left)
            elif isinstance(right.type, Option):
                right = Get(right.type.inner, right)
        if kind(left.type) != kind(right.type):
            fault(self.d.place(node), f"a {left.type} can't be compared with a {right.type}")
        if isinstance(left.type, Set | Seq):
            fault(self.d.place(node), "sets are not compared", "ask `is empty`, `in`, or use a quantifier")
        if str(op) not in ("=", "!=") and not isinstance(left.type, Num):
            fault(self.d.place(node), f"a {left.type} has no order", "use = or !=")
        return Compare(str(op), left, right)

    def variable(self, name: str, env: Env) -> Type | None:
        """The type of the value that a bare name has here, if it has one."""
        if name in env.names:
            return env.names[name].type
        if name in self.scope.state and not self.scope.state[name].keys:
            return self.scope.state[name].type
        if name == "players":
            return Num(self.scope.players, self.scope.players)
        return elaborate_define(self.scope, name, self, self.d.tree).body.type if self.has_define(name) else None

    def is_word(self, node: Node | Token, env: Env) -> bool:
        """A bare name that is no variable here: a member's id or the word for nothing."""
        return (
            not isinstance(node, Token)
            and node.data in ("name", "member_name")
            and self.variable(str(node.children[0]), env) is None
        )

    def beside(self, node: Node | Token, env: Env, other: Type) -> Expr:
        """One side of a comparison, given the other's type: a word is a member of that type, or the word for nothing."""
        if isinstance(node, Token) or node.data not in ("name", "member_name"):
            return self.expr(node, env)
        word = str(node.children[0])
        own = self.variable(word, env)
        inner = other.inner if isinstance(other, Option) else other
        if own is None or (self.is_member(word, other) and kind(own) not in (kind(inner), f"{kind(inner)}?")):
            return self.expr(node, env, other if isinstance(other, Option) and word == other.absent else inner)
        return self.expr(node, env)

    # ------------------------------------------------------------ arithmetic

    def arith(self, op: str, left: Expr, right: Expr, at: Node) -> Expr:
        a, b = left.type, right.type
        assert isinstance(a, Num)
        assert isinstance(b, Num)
        if op == "+":
            lo, hi = a.lo + b.lo, a.hi + b.hi
        elif op == "-":
            lo, hi = a.lo - b.hi, a.hi - b.lo
        elif op == "*":
            if not isinstance(left, Const) and not isinstance(right, Const):
                fault(
                    self.d.place(at),
                    "two unknown numbers can't be multiplied",
                    "one side of * is a constant; use a table",
                )
            corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            lo, hi = min(corners), max(corners)
        elif op in ("div", "mod"):
            if not isinstance(right, Const) or right.value <= 0:
                fault(self.d.place(at), f"`{op}` needs a positive constant on its right")
            lo, hi = (a.lo // right.value, a.hi // right.value) if op == "div" else (0, right.value - 1)
        else:
            pick = min if op == "min" else max
            lo, hi = pick(a.lo, b.lo), pick(a.hi, b.hi)
        return Arith(Num(lo, hi, a.shown if a.shown != "{}" else b.shown), op, left, right)

    def numeric(self, node: Node | Token, env: Env) -> Expr:
        e = self.expr(node, env)
        if isinstance(e.type, Option):
            e = Get(e.type.inner, e)
        if not isinstance(e.type, Num):
            fault(self.d.place(node), f"this is a {e.type}, but a number is due")
        return e

    def binary(self, op: str, node: Node, env: Env) -> Expr:
        return self.arith(op, self.numeric(node.children[0], env), self.numeric(node.children[1], env), node)

    def x_add(self, node: Node, env: Env, want: Type | None) -> Expr:
        return self.binary("+", node, env)

    def x_sub(self, node: Node, env: Env, want: Type | None) -> Expr:
        return self.binary("-", node, env)

    def x_mul(self, node: Node, env: Env, want: Type | None) -> Expr:
        return self.binary("*", node, env)

    def x_div_(self, node: Node, env: Env, want: Type | None) -> Expr:
        value = self.number(node.children[1])
        return self.arith("div", self.numeric(node.children[0], env), Const(Num(value, value), value), node)

    def x_mod_(self, node: Node, env: Env, want: Type | None) -> Expr:
        token = node.children[1].children[0]
        value = self.scope.players if token == "players" else self.number(token)
        return self.arith("mod", self.numeric(node.children[0], env), Const(Num(value, value), value), node)

    # ------------------------------------------------------------ the position

    def x_read(self, node: Node, env: Env, want: Type | None) -> Expr:
        name = str(node.children[0])
        if name not in self.scope.state:
            fault(
                self.d.place(node.children[0]),
                f"there is no map {name} in the position",
                nearest_name(name, self.scope.state),
            )
        var = self.scope.state[name]
        return Read(var.type, name, env.version(name), self.keys(node.children[1], var.keys, name, env))

    def keys(self, index: Node, types: tuple[Type, ...], name: str, env: Env) -> tuple[Expr, ...]:
        if len(index.children) != len(types):
            fault(
                self.d.place(index),
                f"{name} takes {len(types)} keys, here are {len(index.children)}",
                "they are " + ", ".join(map(str, types)),
            )
        return tuple(self.expr(k, env, t) for k, t in zip(index.children, types, strict=True))

    def x_field_of(self, node: Node, env: Env, want: Type | None) -> Expr:
        record = self.expr(node.children[0], env)
        if isinstance(record.type, Option):
            record = Get(record.type.inner, record)
        if not isinstance(record.type, Record):
            fault(self.d.place(node), f"a {record.type} has no fields")
        fields = self.scope.records[record.type.name].fields
        name = str(node.children[1])
        for i, (field_name, t) in enumerate(fields):
            if field_name == name:
                return Field(t, record, i, name)
        fault(
            self.d.place(node.children[1]),
            f"a {record.type} has no field {name}",
            nearest_name(name, [n for n, _ in fields]),
        )

    # ------------------------------------------------------------ sets and bounded variables

    def domain(self, node: Node | Token, env: Env) -> Domain:
        if isinstance(node, Tree) and node.data == "domain_type":
            t = named_type(self.scope, self.d, node.children[0])
            if isinstance(t, Record | Set | Seq):
                fault(self.d.place(node), f"a variable can't range over {t}s")
            return t
        if isinstance(node, Tree) and node.data == "range_domain":
            start, end = node.children[0], node.children[1].children[0]
            lo = -self.number(start.children[0]) if isinstance(start, Tree) else self.number(start)
            hi = self.scope.players if end == "players" else self.number(end)
            return Num(lo, hi)
        e = self.expr(node, env)
        if not isinstance(e.type, Set):
            fault(self.d.place(node), f"a variable ranges over a type or a set, not a {e.type}")
        return e

    def bind(self, name: str, domain: Domain, env: Env) -> tuple[Var, Env]:
        """A bound variable with a name of its own (so that none captures another), and the scope within."""
        t = domain if isinstance(domain, Bool | Num | Sort | Option | Record | Set | Seq) else domain.type
        inner = t.inner if isinstance(t, Set) else t
        var = Var(inner, f"{name}@{next(env.fresh)}")
        return var, env.inner(**{name: var})

    def bound(self, binders: list[Node], env: Env) -> tuple[list[tuple[Var, Domain]], Env]:
        out = []
        for b in binders:
            domain = self.domain(b.children[1], env)
            var, env = self.bind(str(b.children[0]), domain, env)
            out.append((var, domain))
        return out, env

    def where(self, node: Node, env: Env) -> Expr:
        w = tree(node, "where")
        return self.formula(w.children[0], env) if w is not None else TRUE

    def x_quant(self, node: Node, env: Env, want: Type | None) -> Expr:
        word = str(node.children[0].children[0])
        bound, inner = self.bound(node.children[1].children, env)
        cond = self.where(node, inner)
        body = self.formula(node.children[-1], inner)
        q = "all" if word == "all" else "some"
        if cond is not TRUE:
            body = Or((Not(cond), body)) if q == "all" else And((cond, body))
        for var, domain in reversed(bound):
            body = Quant(q, var, domain, body)
        return Not(body) if word == "no" else body

    def x_filter(self, node: Node, env: Env, want: Type | None) -> Expr:
        [(var, domain)], inner = self.bound([node.children[0]], env)
        return Filter(Set(var.type), var, domain, self.where(node, inner))

    def x_set_of(self, node: Node, env: Env, want: Type | None) -> Expr:
        items = [c for c in node.children if c is not None]
        t = want.inner if isinstance(want, Set) else None
        if not items:
            if t is None:
                fault(self.d.place(node), "an empty set of what?", "ask `is empty` instead")
            return SetOf(Set(t), ())
        values = [self.expr(items[0], env, t)]
        values += [self.expr(i, env, values[0].type) for i in items[1:]]
        return SetOf(Set(values[0].type), tuple(values))

    def x_in_(self, node: Node, env: Env, want: Type | None) -> Expr:
        left_node, right_node = node.children
        if isinstance(right_node, Tree) and right_node.data == "set_of":
            left = self.expr(left_node, env)
            if isinstance(left.type, Option):
                left = Get(left.type.inner, left)
            return In(left, self.expr(right_node, env, Set(left.type)))
        right = self.expr(right_node, env)
        if not isinstance(right.type, Set):
            fault(self.d.place(right_node), f"a {right.type} is not a set")
        return In(self.expr(left_node, env, right.type.inner), right)

    def x_not_in(self, node: Node, env: Env, want: Type | None) -> Expr:
        return Not(self.x_in_(node, env, want))

    def fold(self, k: str, node: Node, binders: list[Node], body_node: Node | None, env: Env) -> Expr:
        bound, inner = self.bound(binders, env)
        cond = self.where(node, inner)
        body = self.numeric(body_node, inner) if body_node is not None else Const(Num(1, 1), 1)
        for i, (var, domain) in enumerate(reversed(bound)):
            n = self.most(domain)
            bt = body.type
            assert isinstance(bt, Num)
            t = Num(min(0, bt.lo * n), max(0, bt.hi * n), bt.shown)
            body = Fold(t, k if len(bound) == 1 else "sum", var, domain, cond if i == 0 else TRUE, body)
        return body

    def most(self, domain: Domain) -> int:
        """The most values a domain can have."""
        if isinstance(domain, Bool):
            return 2
        if isinstance(domain, Num):
            return domain.hi - domain.lo + 1
        if isinstance(domain, Sort):
            return len(self.scope.sorts[domain.name].members)
        if isinstance(domain, Option):
            return 1 + self.most(domain.inner)
        assert not isinstance(domain, Record | Set | Seq)
        assert isinstance(domain.type, Set)
        return self.most(domain.type.inner)

    def x_count(self, node: Node, env: Env, want: Type | None) -> Expr:
        return self.fold("count", node, node.children[0].children, None, env)

    def x_sum(self, node: Node, env: Env, want: Type | None) -> Expr:
        return self.fold("sum", node, node.children[1].children, node.children[0], env)

    def x_first(self, node: Node, env: Env, want: Type | None) -> Expr:
        [(var, domain)], inner = self.bound([node.children[0]], env)
        return Pick(Option(var.type), var, domain, self.where(node, inner))

    # ------------------------------------------------------------ calls

    def x_call(self, node: Node, env: Env, want: Type | None) -> Expr:
        name = str(node.children[0])
        args = [a for a in node.children[1:] if a is not None]
        if name in BUILTINS:
            return self.builtin(node, name, args, env)
        if name in self.scope.tables:
            table = self.scope.tables[name]
            self.arity(node, name, len(table.keys), len(args))
            return Lookup(table.type, name, tuple(self.expr(a, env, t) for a, t in zip(args, table.keys, strict=True)))
        if self.has_define(name):
            return self.call_define(node, name, args, env)
        known = [*BUILTINS, *self.scope.tables, *self.scope.defines, *self.scope.pending_defines]
        fault(self.d.place(node.children[0]), f"there is no definition or table {name}", nearest_name(name, known))

    def arity(self, node: Node | Token, name: str, due: int, given: int) -> None:
        if due != given:
            fault(self.d.place(node), f"{name} takes {due} arguments, here are {given}")

    def has_define(self, name: str) -> bool:
        return name in self.scope.defines or name in self.scope.pending_defines

    def call_define(self, node: Node | Token, name: str, args: list[Any], env: Env) -> Expr:
        define = elaborate_define(self.scope, name, self, node)
        self.arity(node, name, len(define.params), len(args))
        values = tuple(self.expr(a, env, p.type) for a, p in zip(args, define.params, strict=True))
        return Call(define.body.type, name, tuple(env.version(r) for r in define.reads), values)

    def builtin(self, node: Node, name: str, args: list[Any], env: Env) -> Expr:
        if name in ("min", "max"):
            self.arity(node, name, 2, len(args))
            return self.arith(name, self.numeric(args[0], env), self.numeric(args[1], env), node)
        if name == "number":
            self.arity(node, name, 1, len(args))
            e = self.expr(args[0], env)
            if not isinstance(e.type, Sort):
                fault(self.d.place(node), "number(x) is the place of a sort's member in its declaration, from 1")
            return Lookup(Num(1, len(self.scope.sorts[e.type.name].members)), self.number_table(e.type), (e,))
        if name == "size":
            self.arity(node, name, 1, len(args))
            token = args[0].children[0] if isinstance(args[0], Tree) else args[0]
            values = env.names.get(str(token))
            if not isinstance(values, Var) or not isinstance(values.type, Seq):
                fault(self.d.place(node), "size(x) is the length of a list parameter")
            return Var(Num(values.type.lo, values.type.hi), f"{values.name}.len")
        if name == "can":
            self.arity(node, name, 2, len(args))
            return self.possible(node, args, env)
        if name == "after":
            self.arity(node, name, 1, len(args))
            if not env.has_after:
                fault(
                    self.d.place(node),
                    "here nothing has happened",
                    "`after` is for claims about what happens: never ... where",
                )
            value = self.expr(args[0], replace(env, has_after=False))
            return After(value.type, value)
        self.arity(node, name, 3, len(args))
        graphs = self.graphs(args[0], env)
        node_sort = graphs[0][1].node
        left = self.expr(args[1], env, node_sort)
        n = len(self.scope.sorts[node_sort.name].members)

        def away(right: Expr) -> Expr:
            """The distance from `left`, in the graph that is meant."""
            out: Expr | None = None
            for cond, graph in reversed(graphs):
                versions = tuple(env.version(r) for r in graph.reads)
                distance = Distance(Num(0, n), graph.name, versions, left, right)
                out = distance if out is None or cond is None else If(Num(0, n), cond, distance, out)
            assert out is not None
            return out

        if name == "nearest":
            return self.nearest(args[2], node_sort, away, env)
        right = self.expr(args[2], env, node_sort)
        if name == "distance":
            return away(right)
        parts: list[Expr] = []
        for cond, graph in graphs:
            there = Connected(graph.name, tuple(env.version(r) for r in graph.reads), left, right)
            parts.append(there if cond is None else And((cond, there)))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def possible(self, node: Node, args: list[Any], env: Env) -> Expr:
        """can(p, action): whether the player has a legal move of this action now."""
        if not env.action:
            fault(
                self.d.place(node),
                "only a requirement of an action asks what else is possible",
                "state it in a `require`",
            )
        action = str(args[1].children[0]) if isinstance(args[1], Tree) else str(args[1])
        if action not in self.scope.actions:
            fault(self.d.place(args[1]), f"there is no action {action}", nearest_name(action, self.scope.actions))
        self.scope.asked.setdefault(env.action, set()).add(action)
        player = self.expr(args[0], env, Sort(self.scope.player_sort) if self.scope.player_sort else None)
        return Possible(action, player)

    def graphs(self, node: Any, env: Env) -> list[tuple[Expr | None, Graph]]:
        """The graph of this name; of one with a parameter each member's graph, with the condition that it is the one meant."""
        is_call = isinstance(node, Tree) and node.data == "call"
        name = str(node.children[0]) if isinstance(node, Tree) else str(node)
        family = self.scope.graph_families.get(name)
        if family is None or not is_call:
            if name not in self.scope.graphs:
                known = [
                    *(g for g in self.scope.graphs if " " not in g),
                    *(f"{g}(...)" for g in self.scope.graph_families),
                ]
                fault(self.d.place(node), f"there is no graph {name}", nearest_name(name, known))
            return [(None, self.scope.graphs[name])]
        given = [a for a in node.children[1:] if a is not None]
        self.arity(node, name, 1, len(given))
        which = self.expr(given[0], env, family)
        members = self.scope.sorts[family.name].members
        found = [self.scope.graphs[f"{name} {member}"] for member in members]
        return [(Compare("=", which, Const(family, i)), graph) for i, graph in enumerate(found)]

    def nearest(self, node: Any, node_sort: Sort, apart: Callable[[Expr], Expr], env: Env) -> Expr:
        """The members of a set that lie nearest; those that are not nodes themselves lie where their one column of nodes says."""
        e = self.expr(node, env)
        if not isinstance(e.type, Set):
            fault(self.d.place(node), f"a {e.type} is not a set")

        def away(v: Var) -> Expr:
            at: Expr = v
            if v.type != node_sort:
                columns = [t.name for t in self.scope.tables.values() if t.keys == (v.type,) and t.type == node_sort]
                if len(columns) != 1:
                    fault(
                        self.d.place(node),
                        f"it isn't clear where a {v.type} lies",
                        f"it needs exactly one column of type {node_sort}",
                    )
                at = Lookup(node_sort, columns[0], (v,))
            return apart(at)

        one, _ = self.bind("near", e, env)
        other, _ = self.bind("other", e, env)
        return Filter(e.type, one, e, Quant("all", other, e, Compare(">=", away(other), away(one))))

    def number_table(self, t: Sort) -> str:
        name = f"number {t.name}"
        members = self.scope.sorts[t.name].members
        self.scope.tables.setdefault(
            name, Table(name, (t,), Num(1, len(members)), {(i,): i + 1 for i in range(len(members))}, False)
        )
        return name


def elaborate_define(scope: Scope, name: str, asker: Elaborator, at: Node | Token) -> Define:
    """The definition of this name, elaborated when it is first needed."""
    if name in scope.defines:
        return scope.defines[name]
    d = scope.pending_defines.pop(name)
    if d is None:
        fault(asker.d.place(at), f"the definition of {name} leads back to itself", "definitions are not recursive")
    scope.pending_defines[name] = None  # type: ignore[assignment]  # marks it as under way
    elaborator = Elaborator(scope, d)
    params = []
    env = Env()
    declared = tree(d.tree, "params")
    for p in declared.children if declared is not None else []:
        t = resolve_type(scope, d, p.children[1])
        var = Var(t, f"{p.children[0]}@{next(env.fresh)}")
        params.append(var)
        env.names[str(p.children[0])] = var
    body_node = tree(d.tree, "block_expr")
    assert body_node is not None
    body = elaborator.expr(body_node.children[0], env)
    place = d.place(d.tree)
    define = Define(name, tuple(params), tuple(sorted(env.reads)), body, Written(name, place.file, place.line))
    del scope.pending_defines[name]
    scope.defines[name] = define
    return define
