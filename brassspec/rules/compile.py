"""The concrete meaning of a model as Python source.

Every name of the spec is replaced by a generated one and every text stays in the model, so nothing of a spec reaches the
interpreter. A state is a tuple with one entry a state variable, a map a flat tuple (model.py). For each action there is a
`judge` function that evaluates all requirements, and a `moves` function that lists the legal moves: one loop a parameter,
each requirement checked in the outermost loop that binds all it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from brassspec.rules.model import (
    After,
    And,
    Arith,
    Assign,
    AssignAll,
    Bool,
    Call,
    Compare,
    Connected,
    Const,
    Distance,
    Domain,
    Emit,
    Exists,
    Expr,
    Field,
    Filter,
    Fold,
    Get,
    If,
    In,
    Let,
    Lookup,
    Make,
    Model,
    Node,
    Not,
    Num,
    Option,
    Or,
    Param,
    Pick,
    Possible,
    Quant,
    Read,
    Record,
    Require,
    Seq,
    Set,
    SetOf,
    Some,
    Sort,
    Transition,
    Type,
    Var,
    With,
)

TYPES = (Bool, Num, Sort, Option, Record, Set, Seq)

# The length of a definition without a loop that is written out where it is called, and what it may come to there.
SHORT = 100
LONG = 200


class Code:
    """An expression's Python text, and the conditions under which it is defined, to be tested first and in order."""

    __slots__ = ("guards", "text")

    def __init__(self, text: str, guards: tuple[str, ...] = ()) -> None:
        self.text = text
        self.guards = guards

    @property
    def atom(self) -> str:
        """As a condition: false where undefined."""
        return f"({' and '.join([*self.guards, self.text])})" if self.guards else self.text

    @property
    def or_undefined(self) -> str:
        return f"({self.text} if {' and '.join(self.guards)} else _U)" if self.guards else self.text


def both(*codes: Code) -> tuple[str, ...]:
    return tuple(dict.fromkeys(g for c in codes for g in c.guards))


def version(name: str) -> str:
    """A state version's name among those of parameters and lets, from which it must differ."""
    return f"${name}"


def reads_of(node: Node | Expr) -> set[str]:
    """Every name that a node or an expression reads: parameters and lets, and state versions with their mark."""
    names: set[str] = set()

    def walk(e: Any) -> None:
        kind = type(e)
        if kind is tuple:
            for x in e:
                walk(x)
            return
        if kind is Var:
            names.add(e.name)
        elif kind is Read:
            names.add(version(e.version))
        elif kind in (Call, Connected, Distance):
            names.update(version(v) for v in e.versions)
        for f in parts_of(kind):
            walk(getattr(e, f))

    walk(node)
    if isinstance(node, Assign | AssignAll):
        names.add(version(node.old))
    return names


def parts_of(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes or expressions that may hold others; none of anything else."""
    found = PARTS.get(kind)
    if found is None:
        fields = () if issubclass(kind, TYPES) else getattr(kind, "__dataclass_fields__", ())
        found = PARTS[kind] = tuple(f for f in fields if f not in ("type", "name"))
    return found


PARTS: dict[type, tuple[str, ...]] = {}


def asks_what_is_possible(part: Any) -> bool:
    """Whether a model's part (a tuple of nodes, an expression, ...) holds a `Possible`, which only the concrete meaning answers."""
    return any(isinstance(x, Possible) for x in nodes(part))


def asks_what_is_after(part: Expr) -> bool:
    """Whether an expression is also about the position after a transition."""
    return any(isinstance(x, After) for x in nodes(part))


def nodes(part: Any) -> Iterator[Any]:
    """A model's part (a tuple of nodes, an expression, ...) and all that it holds, types apart."""
    if isinstance(part, tuple):
        for x in part:
            yield from nodes(x)
    elif hasattr(part, "__dataclass_fields__") and not isinstance(part, TYPES):
        yield part
        for f in parts_of(type(part)):
            yield from nodes(getattr(part, f))


def reached(model: Model, part: Any) -> Iterator[Any]:
    """What `nodes` gives of a part, of the definitions that it calls, and of the graphs that it asks, each of these once."""
    seen: set[tuple[type, str]] = set()
    todo = [part]
    while todo:
        for x in nodes(todo.pop()):
            yield x
            if isinstance(x, Call) and (Call, x.define) not in seen:
                seen.add((Call, x.define))
                todo.append(model.defines[x.define].body)
            elif isinstance(x, Connected | Distance) and (Connected, x.graph) not in seen:
                seen.add((Connected, x.graph))
                todo.append(model.graphs[x.graph].cond)


def made_by(node: Node) -> str | None:
    if isinstance(node, Assign | AssignAll):
        return version(node.name)
    return node.name if isinstance(node, Let) else None


@dataclass(frozen=True, slots=True)
class Listing:
    """What the loops of a function that lists moves share.

    elements: parameters that are elements of a list, as its name and a number. reads: by node, what it reads from outside itself.
    narrowed: parameters, by the list of those values that what is known before their loop allows. first: whose loop is outermost.
    pairs: parameters whose values must be in order.
    """

    elements: dict[str, tuple[str, int]]
    reads: dict[int, set[str]]
    narrowed: dict[str, str]
    first: Param | None
    pairs: list[tuple[str, str]]


class Compiler:
    """Writes the Python of a model. prefix: begins the names of its constants; what is written later needs another."""

    def __init__(self, model: Model, prefix: str = "C") -> None:
        self.model = model
        self.out: list[str] = []
        self.idents: dict[str, str] = {}
        self.instead: dict[str, str] = {}  # the Python expressions that names stand for in the part at hand
        self.temps = 0
        self.consts: dict[str, Any] = {}
        self.const_names: dict[str, str] = {}
        self.const_prefix = prefix
        self.mark = ""  # distinguishes the names of the position after a transition
        # Lets and versions that can be undefined, in the transition at hand.
        self.doubtful: set[str] = set()
        self.bodies: dict[str, Code] = {}  # of definitions
        self.defining = False  # whether they are being written, and functions can be written before them
        self.lists: dict[str, str] = {}  # functions of the state that give lists, by what they say

    # ------------------------------------------------------------ names

    def ident(self, name: str) -> str:
        """The Python name for a name of the model: v0, v1, ... in order of first use; or what stands for it."""
        found = self.instead.get(name) or self.idents.get(name)
        if found is None:
            found = self.idents[name] = f"v{len(self.idents)}"
        return found

    def temp(self) -> str:
        self.temps += 1
        return f"t{self.temps}"

    def const(self, hint: str, value: Any) -> str:
        """A module-level constant."""
        key = f"{hint}:{value!r}"
        name = self.const_names.get(key)
        if name is None:
            name = self.const_names[key] = f"{self.const_prefix}{len(self.consts)}"
            self.consts[name] = value
        return name

    def emit(self, depth: int, text: str) -> None:
        self.out.append("    " * depth + text)

    # ------------------------------------------------------------ expressions

    def code(self, e: Expr) -> Code:
        method = getattr(self, f"c_{type(e).__name__}")
        result: Code = method(e)
        return result

    def formula(self, e: Expr) -> str:
        return self.code(e).atom

    def c_Const(self, e: Const) -> Code:
        if isinstance(e.value, bool | int) or e.value is None:
            return Code(repr(e.value))
        return Code(self.const("c", e.value))

    def c_Var(self, e: Var) -> Code:
        return Code(self.ident(e.name))

    def index(self, keys: tuple[Expr, ...], types: tuple[Type, ...]) -> Code:
        """The flat index of a key tuple."""
        text = ""
        codes = [self.code(k) for k in keys]
        for code, t in zip(codes, types, strict=True):
            lo = t.lo if isinstance(t, Num) else 0
            part = f"{code.text} - {lo}" if lo > 0 else f"{code.text} + {-lo}" if lo < 0 else code.text
            text = part if not text else f"({text}) * {self.model.size(t)} + {part}"
        return Code(text, both(*codes))

    def in_range(self, keys: tuple[Expr, ...], types: tuple[Type, ...]) -> tuple[str, ...]:
        """A number used as a key may lie outside the map; then what is read is undefined."""
        out = []
        for k, t in zip(keys, types, strict=True):
            if isinstance(t, Num) and isinstance(k.type, Num) and (k.type.lo < t.lo or k.type.hi > t.hi):
                out.append(f"{t.lo} <= {self.code(k).text} <= {t.hi}")
        return tuple(out)

    def at(self, name: str) -> str:
        """The Python name for a version of a state variable."""
        return self.ident(version(name) + self.mark)

    def c_After(self, e: After) -> Code:
        self.mark = "'"
        code = self.code(e.inner)
        self.mark = ""
        return code

    def c_Read(self, e: Read) -> Code:
        name = self.at(e.version)
        if not e.keys:
            return Code(name)
        types = self.model.state[e.var].keys
        index = self.index(e.keys, types)
        return Code(f"{name}[{index.text}]", index.guards + self.in_range(e.keys, types))

    def c_Field(self, e: Field) -> Code:
        inner = self.code(e.record)
        return Code(f"{inner.text}[{e.index}]", inner.guards)

    def c_Make(self, e: Make) -> Code:
        codes = [self.code(v) for v in e.values]
        return Code(f"({', '.join(c.text for c in codes)},)", both(*codes))

    def c_With(self, e: With) -> Code:
        record, value = self.code(e.record), self.code(e.value)
        guards = both(record, value)
        ft = self.model.records[e.type.name].fields[e.index][1]
        if (
            isinstance(ft, Num)
            and isinstance(e.value.type, Num)
            and (e.value.type.lo < ft.lo or e.value.type.hi > ft.hi)
        ):
            t = self.temp()
            guards += (f"{ft.lo} <= ({t} := {value.text}) <= {ft.hi}",)
            value = Code(t)
        n = len(self.model.records[e.type.name].fields)
        parts = [f"{record.text}[{i}]" if i != e.index else value.text for i in range(n)]
        return Code(f"({', '.join(parts)},)", guards)

    def c_Some(self, e: Some) -> Code:
        return self.code(e.inner)

    def c_Get(self, e: Get) -> Code:
        # Evaluated twice rather than named: Python allows no assignment expression in a comprehension's iterable.
        inner = self.code(e.inner)
        return Code(inner.text, tuple(dict.fromkeys((*inner.guards, f"{inner.text} is not None"))))

    def c_Exists(self, e: Exists) -> Code:
        inner = self.code(e.inner)
        return Code(f"({' and '.join([*inner.guards, f'{inner.text} is not None'])})")

    def c_Not(self, e: Not) -> Code:
        return Code(f"(not {self.formula(e.inner)})")

    def c_And(self, e: And) -> Code:
        return Code(f"({' and '.join(self.formula(i) for i in e.items)})" if e.items else "True")

    def c_Or(self, e: Or) -> Code:
        return Code(f"({' or '.join(self.formula(i) for i in e.items)})" if e.items else "False")

    def c_Compare(self, e: Compare) -> Code:
        left, right = self.code(e.left), self.code(e.right)
        op = {"=": "=="}.get(e.op, e.op)
        return Code(f"({' and '.join([*both(left, right), f'{left.text} {op} {right.text}'])})")

    def c_Arith(self, e: Arith) -> Code:
        left, right = self.code(e.left), self.code(e.right)
        if e.op in ("min", "max"):
            text = f"{e.op}({left.text}, {right.text})"
        else:
            op = {"div": "//", "mod": "%"}.get(e.op, e.op)
            text = f"({left.text} {op} {right.text})"
        return Code(text, both(left, right))

    def c_If(self, e: If) -> Code:
        cond = self.formula(e.cond)
        then, other = self.code(e.then), self.code(e.other)
        guards: tuple[str, ...] = ()
        if then.guards or other.guards:
            a, b = " and ".join(then.guards) or "True", " and ".join(other.guards) or "True"
            guards = (f"(({a}) if {cond} else ({b}))",)
        return Code(f"({then.text} if {cond} else {other.text})", guards)

    def domain(self, d: Domain) -> tuple[str, tuple[str, ...]]:
        """What to loop over, and when it is defined."""
        if isinstance(d, Bool | Num | Sort | Option):
            values = self.model.values(d)
            return (
                f"range({values[0]}, {values[-1] + 1})" if not isinstance(d, Bool | Option) else self.const("d", values)
            ), ()
        code = self.code(d)  # type: ignore[arg-type]
        return code.text, code.guards

    def where(self, var: Var, domain: Domain, cond: Expr) -> tuple[str, tuple[str, ...], str]:
        """A comprehension's domain, when it is defined, and its condition with the `if`, empty where there is none.

        Conditions that the values of a type can be chosen by beforehand, from a table or once a state, shorten the domain.
        """
        over, guards = self.domain(domain)
        parts: list[Expr] = list(cond.items) if isinstance(cond, And) else [cond]
        if isinstance(domain, Num | Sort):
            for part in parts:
                chosen = self.by_table(var, domain, part)
                if chosen is not None:
                    over = chosen
                    parts.remove(part)
                    break
            else:
                own = [p for p in parts if all(n.startswith("$") for n in reads_of(p) - {var.name})]
                if self.defining and own and len(own) < len(parts):
                    over = self.once_a_state(var, domain, own)
                    parts = [p for p in parts if p not in own]
        test = self.formula(And(tuple(parts)) if len(parts) > 1 else parts[0]) if parts else "True"
        return over, guards, "" if test == "True" else f" if {test}"

    def by_table(self, var: Var, domain: Num | Sort, cond: Expr) -> str | None:
        """The values of which a table tells, as `cond` asks, that they have (or hold) something: looked up by that."""
        if isinstance(cond, In):
            entry, sought = cond.set, cond.item
        elif isinstance(cond, Compare) and cond.op == "=":
            entry, sought = cond.left, cond.right
            if not isinstance(entry, Lookup):
                entry, sought = sought, entry
        else:
            return None
        if not (isinstance(entry, Lookup) and entry.keys == (var,)) or var.name in reads_of(sought):
            return None
        code = self.code(sought)
        if code.guards:
            return None
        rows = self.model.tables[entry.table].rows
        found: dict[Any, tuple[Any, ...]] = {}
        for value in self.model.values(domain):
            if (value,) in rows:
                row = rows[(value,)]
                for x in row if isinstance(cond, In) else (row,):
                    found[x] = (*found.get(x, ()), value)
        return f"{self.const(f'by {entry.table}', found)}.get({code.text}, ())"

    def once_a_state(self, var: Var, domain: Domain, conds: list[Expr]) -> str:
        """The values for which conditions hold that read the state alone: a function's, which remembers them."""
        reads = sorted({n for c in conds for n in reads_of(c)} - {var.name})
        states = [self.ident(n) for n in reads]
        v, tests = self.ident(var.name), [self.formula(c) for c in conds]
        text = f"[{v} for {v} in {self.domain(domain)[0]} if {' and '.join(tests)}]"
        key = f"{', '.join(states)}: {text}"
        name = self.lists.get(key)
        if name is None:
            name = self.lists[key] = f"L{len(self.lists)}"
            self.emit(0, f"def {name}({', '.join(states)}):")
            self.remembered(name, states, [], text)
        return f"{name}({', '.join(states)})"

    def remembered(self, function: str, states: list[str], params: list[str], result: str) -> None:
        """The rest of a function that remembers its result for each argument, as long as it is asked of the very same state."""
        key = f"({', '.join(params)}{',' if len(params) == 1 else ''})"
        same = "".join(f" and hit[{i}] is {v}" for i, v in enumerate(states))
        self.emit(1, f"hit = M{function}.get({key})")
        self.emit(1, f"if hit is not None{same}: return hit[{len(states)}]")
        self.emit(1, f"result = {result}")
        self.emit(1, f"M{function}[{key}] = ({''.join(f'{v}, ' for v in states)}result,)")
        self.emit(1, "return result")
        self.emit(0, f"M{function} = {{}}")

    def c_SetOf(self, e: SetOf) -> Code:
        codes = [self.code(i) for i in e.items]
        return Code(f"({', '.join(c.text for c in codes)}{',' if codes else ''})", both(*codes))

    def c_Filter(self, e: Filter) -> Code:
        over, guards, cond = self.where(e.var, e.domain, e.cond)
        v = self.ident(e.var.name)
        return Code(f"[{v} for {v} in {over}{cond}]", guards)

    def c_In(self, e: In) -> Code:
        item = self.code(e.item)
        if isinstance(e.set, Filter) and not isinstance(e.set.domain, TYPES):
            # Whether it is there and fulfils the condition; what the others fulfil doesn't matter.
            over = self.code(e.set.domain)
            outside, self.instead = self.instead, {**self.instead, e.set.var.name: item.text}
            cond = self.formula(e.set.cond)
            self.instead = outside
            return Code(f"({' and '.join([*both(item, over), f'{item.text} in {over.text}', cond])})")
        s = self.code(e.set)
        return Code(f"({' and '.join([*both(item, s), f'{item.text} in {s.text}'])})")

    def c_Quant(self, e: Quant) -> Code:
        # What decides is looked for by a condition, so that Python need not come back with each value.
        body = Not(e.body) if e.kind == "all" else e.body
        over, guards, cond = self.where(e.var, e.domain, body)
        found = f"any(True for {self.ident(e.var.name)} in {over}{cond})" if cond else f"bool({over})"
        return Code(f"({' and '.join([*guards, f'not {found}' if e.kind == 'all' else found])})")

    def c_Fold(self, e: Fold) -> Code:
        over, guards, cond = self.where(e.var, e.domain, e.cond)
        body = self.code(e.body)
        defined = f" if {' and '.join(body.guards)}" if body.guards else ""
        return Code(f"sum([{body.text} for {self.ident(e.var.name)} in {over}{cond}{defined}])", guards)

    def c_Pick(self, e: Pick) -> Code:
        over, guards, cond = self.where(e.var, e.domain, e.cond)
        if not isinstance(e.domain, TYPES):
            over = f"sorted({over})"
        v = self.ident(e.var.name)
        return Code(f"next(({v} for {v} in {over}{cond}), None)", guards)

    def c_Lookup(self, e: Lookup) -> Code:
        table = self.model.tables[e.table]
        keys: list[tuple[Any, ...]] = [()]
        for t in table.keys:
            keys = [(*k, v) for k in keys for v in self.model.values(t)]
        rows = tuple(table.rows.get(k, _Missing) for k in keys)
        name = self.const(f"table {e.table}", rows)
        index = self.index(e.keys, table.keys)
        guards = index.guards + self.in_range(e.keys, table.keys)
        text = f"{name}[{index.text}]"
        if table.partial:
            return Code(text, (*guards, f"{text} is not _M"))
        return Code(text, guards)

    def c_Connected(self, e: Connected) -> Code:
        left, right = self.code(e.left), self.code(e.right)
        n = len(self.model.sorts[self.model.graphs[e.graph].node.name].members)
        view = self.view(e)
        return Code(f"({' and '.join([*both(left, right), f'{view}[{left.text}][{right.text}] < {n}'])})")

    def c_Distance(self, e: Distance) -> Code:
        left, right = self.code(e.left), self.code(e.right)
        view = self.view(e)
        return Code(f"{view}[{left.text}][{right.text}]", both(left, right))

    def view(self, e: Connected | Distance) -> str:
        """Distances in a graph, by the state variables that it reads (see GraphMemory)."""
        return f"{self.graph_name(e.graph)}[({''.join(f'{self.at(v)},' for v in e.versions)})]"

    def c_Possible(self, e: Possible) -> Code:
        player = self.code(e.player)
        moves = f"moves_{list(self.model.actions).index(e.action)}"
        return Code(f"({' and '.join([*player.guards, f'any(m[0] == {player.text} for m in {moves}(S))'])})")

    def graph_name(self, graph: str) -> str:
        return f"G{list(self.model.graphs).index(graph)}"

    def define_name(self, name: str) -> str:
        return f"D{list(self.model.defines).index(name)}"

    def c_Call(self, e: Call) -> Code:
        args = [self.code(a) for a in e.args]
        body = self.body(e.define)
        if len(body.atom) <= SHORT and " for " not in body.atom and ":=" not in body.atom:
            # A call would take longer than what is called.
            define = self.model.defines[e.define]
            names = {version(r): self.at(v) for r, v in zip(define.reads, e.versions, strict=True)}
            names |= {p.name: a.text for p, a in zip(define.params, args, strict=True)}
            written = self.elsewhere(define.body, names)
            if len(written.atom) <= LONG:
                return Code(written.text, both(*args, written))
        text = f"{self.define_name(e.define)}({', '.join([self.at(v) for v in e.versions] + [a.text for a in args])})"
        if body.guards:
            return Code(text, (*both(*args), f"{text} is not _U"))
        return Code(text, both(*args))

    def body(self, define: str) -> Code:
        """What a definition says, by the names of its own parameters and of the state variables."""
        found = self.bodies.get(define)
        if found is None:
            found = self.bodies[define] = self.elsewhere(self.model.defines[define].body, {})
        return found

    def elsewhere(self, body: Expr, instead: dict[str, str]) -> Code:
        """A definition's body where its names stand for these expressions: none of those at hand is meant."""
        outside, mark = self.instead, self.mark
        self.instead, self.mark = instead, ""
        code = self.code(body)
        self.instead, self.mark = outside, mark
        return Code(code.atom) if isinstance(body.type, Bool) else code

    # ------------------------------------------------------------ definitions, graphs, invariants

    def definitions(self) -> None:
        self.defining = True
        for name, define in self.model.defines.items():
            args = ", ".join(
                [self.ident(version(r)) for r in define.reads] + [self.ident(p.name) for p in define.params]
            )
            result = self.body(name).or_undefined
            self.emit(0, f"def {self.define_name(name)}({args}):")
            if not define.reads or " for " not in result:
                self.emit(1, f"return {result}")
                continue
            # What takes a loop is remembered.
            states = [self.ident(version(r)) for r in define.reads]
            self.remembered(self.define_name(name), states, [self.ident(p.name) for p in define.params], result)
        self.defining = False
        for name, graph in self.model.graphs.items():
            args = ", ".join(self.ident(version(r)) for r in graph.reads)
            v = self.ident(graph.var.name)
            n = len(self.model.sorts[graph.edge.name].members)
            ends = tuple(self.model.tables[graph.ends].rows[(i,)] for i in range(n))
            nodes = len(self.model.sorts[graph.node.name].members)
            self.emit(0, f"def present_{self.graph_name(name)}({args}):")
            self.emit(1, f"return tuple([{self.formula(graph.cond)} for {v} in range({n})])")
            self.emit(
                0,
                f"{self.graph_name(name)} = GraphMemory({nodes}, {self.const('ends', ends)}, present_{self.graph_name(name)})",
            )

    def unpack(self, depth: int, state: str = "S") -> None:
        names = ", ".join(self.at(v) for v in self.model.state)
        self.emit(depth, f"{names}{',' if len(self.model.state) == 1 else ''} = {state}")

    def pack(self, final: dict[str, str]) -> str:
        return "(" + ", ".join(self.ident(version(final.get(v, v))) for v in self.model.state) + ",)"

    def properties(self) -> None:
        """Invariants: the numbers of those that fail. Claims: whether the condition of each holds, for a move or a position."""
        places = {version(name): i for i, name in enumerate(self.model.state)}
        self.emit(0, "def broken(S, B):")
        self.unpack(1)
        self.emit(1, "bad = []")
        for i, p in enumerate(self.model.properties):
            if p.kind == "invariant":
                changed = [f"S[{places[n]}] is not B[{places[n]}]" for n in sorted(reads_of(p.cond)) if n in places]
                asked = " or ".join(["B is None", *changed])
                self.emit(1, f"if ({asked}) and not {self.formula(p.cond)}: bad.append({i})")
        self.emit(1, "return bad")
        for i, p in enumerate(self.model.properties):
            if not p.transitions:
                self.emit(0, f"def position_{i}(S):")
                self.unpack(1)
                self.emit(1, f"return {self.formula(p.cond)}")
            for name in p.transitions:
                params = self.model.transition(name).scalars()
                args = ["S", *[self.ident(q.name) for q in params], "A"]
                self.emit(0, f"def claim_{i}_{name}({', '.join(args)}):")
                self.unpack(1)
                if asks_what_is_after(p.cond):
                    self.mark = "'"
                    self.unpack(1, "A")
                    self.mark = ""
                self.emit(1, f"return {self.formula(p.cond)}")

    def defaults(self) -> None:
        """For each state variable the function of its default at given keys, on a state whose other variables may be None."""
        for i, var in enumerate(self.model.state.values()):
            args = ", ".join(["S", self.ident("mover"), *[self.ident(b.name) for b in var.binders]])
            self.emit(0, f"def default_{i}({args}):")
            self.unpack(1)
            self.emit(1, f"return {self.code(var.default).or_undefined}")

    # ------------------------------------------------------------ transitions

    def undefined(self, names: Iterable[str]) -> list[str]:
        return [f"{self.ident(n)} is _U" for n in sorted(names) if n in self.doubtful]

    def can_fail(self, node: Node) -> bool:
        """Whether a let or assignment can be undefined of itself (given defined inputs)."""
        if isinstance(node, Let):
            return not isinstance(node.expr.type, Bool) and bool(self.code(node.expr).guards)
        if isinstance(node, Assign):
            codes = [self.code(node.expr), *[self.code(k) for k in node.keys]]
            types = self.model.state[node.var].keys
            return (
                any(c.guards for c in codes)
                or bool(self.in_range(node.keys, types))
                or self.may_overflow(node.var, node.expr)
            )
        if isinstance(node, AssignAll):
            return bool(self.code(node.expr).guards) or self.may_overflow(node.var, node.expr)
        return False

    def may_overflow(self, var: str, e: Expr) -> bool:
        t = self.model.state[var].type
        return isinstance(t, Num) and isinstance(e.type, Num) and (e.type.lo < t.lo or e.type.hi > t.hi)

    def mark_doubtful(self, nodes: Iterable[Node]) -> None:
        self.doubtful = set()
        for n in nodes:
            name = made_by(n)
            if name is not None and (self.can_fail(n) or reads_of(n) & self.doubtful):
                self.doubtful.add(name)

    def s_let(self, n: Let, depth: int) -> None:
        name = self.ident(n.name)
        code = self.code(n.expr)
        value = code.atom if isinstance(n.expr.type, Bool) else code.or_undefined
        otherwise = "False" if isinstance(n.expr.type, Bool) else "None"
        self.emit(depth, f"{name} = {self.guarded(n, value, otherwise)}")

    def guarded(self, n: Let | Assign, value: str, otherwise: str) -> str:
        """The value where the guard holds: undefined if what it reads is. An undefined guard makes it undefined in any case."""
        doubts = self.undefined(reads_of(replace(n, guard=None)))
        text = f"_U if {' or '.join(doubts)} else ({value})" if doubts else value
        if n.guard is None:
            return text
        text = f"({text}) if {self.formula(n.guard)} else {otherwise}"
        doubts = self.undefined(reads_of(n.guard))
        return f"_U if {' or '.join(doubts)} else ({text})" if doubts else text

    def s_assign(self, n: Assign, depth: int) -> None:
        new, old = self.ident(version(n.name)), self.ident(version(n.old))
        types = self.model.state[n.var].keys
        t = self.model.state[n.var].type
        value = self.code(n.expr)
        index = self.index(n.keys, types) if n.keys else Code("")
        guards = [*index.guards, *self.in_range(n.keys, types), *value.guards]
        text = value.text
        if self.may_overflow(n.var, n.expr):
            assert isinstance(t, Num)
            temp = self.temp()
            guards.append(f"{t.lo} <= ({temp} := {text}) <= {t.hi}")
            text = temp
        result = text
        if n.keys:
            i = self.temp()
            result = f"{old}[:({i} := {index.text})] + ({text},) + {old}[{i} + 1:]"
        if guards:
            result = f"({result}) if {' and '.join(guards)} else _U"
        self.emit(depth, f"{new} = {self.guarded(n, result, old)}")

    def s_assign_all(self, n: AssignAll, depth: int) -> None:
        new, old = self.ident(version(n.name)), self.ident(version(n.old))
        var = self.model.state[n.var]
        word = "if"
        inner = depth
        for test, result in self.before_all(n):
            self.emit(depth, f"{word} {test}: {new} = {result}")
            word = "elif"
        if word == "elif":
            self.emit(depth, "else:")
            inner = depth + 1
        start = len(self.out)
        self.emit(inner, f"{new} = list({old})")
        at = inner
        for b, t in n.binders:
            self.emit(at, f"for {self.ident(b.name)} in {self.domain(t)[0]}:")
            at += 1
        self.emit(at, f"if {self.formula(n.cond)}:")
        value = self.code(n.expr)
        index = self.index(n.keys, var.keys)
        guards = [*index.guards, *value.guards]
        t = var.type
        text = value.text
        if self.may_overflow(n.var, n.expr):
            assert isinstance(t, Num)
            temp = self.temp()
            guards.append(f"{t.lo} <= ({temp} := {text}) <= {t.hi}")
            text = temp
        if guards:
            ok = self.temp()
            self.emit(at + 1, f"if not ({' and '.join(guards)}): {ok} = False; continue")
            self.out.insert(start, "    " * inner + f"{ok} = True")
        self.emit(at + 1, f"{new}[{index.text}] = {text}")
        self.emit(inner, f"{new} = tuple({new})" + (f" if {ok} else _U" if guards else ""))

    def before_all(self, n: AssignAll) -> list[tuple[str, str]]:
        """What is tested before an assignment to many cells, in order, and what the new version is where it holds."""
        tests = []
        if n.guard is not None:
            doubts = self.undefined(reads_of(n.guard))
            if doubts:
                tests.append((" or ".join(doubts), "_U"))
            tests.append((f"not {self.formula(n.guard)}", self.ident(version(n.old))))
        doubts = self.undefined(reads_of(replace(n, guard=None)) - {b.name for b, _ in n.binders})
        if doubts:
            tests.append((" or ".join(doubts), "_U"))
        return tests

    def s_require(self, n: Require, number: int, depth: int) -> None:
        """Adds to `bad`, `skipped` or `used`."""
        if n.guard is not None:
            doubts = self.undefined(reads_of(n.guard))
            if doubts:
                self.emit(depth, f"if {' or '.join(doubts)}: skipped.append({number})")
                self.emit(depth, f"elif {self.formula(n.guard)}:")
            else:
                self.emit(depth, f"if {self.formula(n.guard)}:")
            depth += 1
        word = "if"
        doubts = self.undefined(reads_of(n.cond) | {r for x in n.exceptions for r in reads_of(x.cond)})
        if doubts:
            self.emit(depth, f"if {' or '.join(doubts)}: skipped.append({number})")
            word = "elif"
        self.emit(depth, f"{word} not {self.formula(n.cond)}:")
        word = "if"
        for i, x in enumerate(n.exceptions):
            self.emit(depth + 1, f"{word} {self.formula(x.cond)}: used.append(({number}, {i}))")
            word = "elif"
        facts = []
        for piece in n.facts:
            if not isinstance(piece, str):
                code = self.code(piece)
                doubt = self.undefined(reads_of(piece))
                safe = f"_U if {' or '.join(doubt)} else {code.or_undefined}" if doubt else code.or_undefined
                facts.append(f"({safe})")
        bad = f"bad.append(({number}, ({', '.join(facts)}{',' if facts else ''})))"
        if n.exceptions:
            self.emit(depth + 1, f"else: {bad}")
        else:
            self.emit(depth + 1, bad)

    def s_emit(self, n: Emit, depth: int) -> None:
        number = list(self.model.events).index(n.event)
        codes = [self.code(a) for a in n.args]
        text = f"events.append(({', '.join([str(number), *[c.text for c in codes]])},))"
        tests = [f"{self.ident(x)} is not _U" for x in sorted(reads_of(n)) if x in self.doubtful]
        if n.guard is not None:
            tests.append(self.formula(n.guard))
        tests += both(*codes)
        self.emit(depth, f"if {' and '.join(tests)}: {text}" if tests else text)

    def node(self, n: Node, number: int, depth: int) -> None:
        if isinstance(n, Let):
            self.s_let(n, depth)
        elif isinstance(n, Assign):
            self.s_assign(n, depth)
        elif isinstance(n, AssignAll):
            self.s_assign_all(n, depth)
        elif isinstance(n, Require):
            self.s_require(n, number, depth)
        else:
            self.s_emit(n, depth)

    def transition(self, name: str, t: Transition) -> None:
        """judge: (violated, not evaluated, exceptions used, next state, events); the first three by number of the node."""
        self.mark_doubtful(t.nodes)
        args = ", ".join(["S", *[self.ident(p.name) for p in t.scalars()]])
        self.emit(0, f"def {name}({args}):")
        self.unpack(1)
        self.emit(1, "bad = []; skipped = []; used = []; events = []")
        for number, n in enumerate(t.nodes):
            self.node(n, number, 1)
        finals = self.undefined(version(v) for v in t.final.values())
        self.emit(1, "if bad or skipped: return bad, skipped, used, None, events")
        if finals:
            self.emit(1, f"if {' or '.join(finals)}: return bad, skipped, used, None, events")
        self.emit(1, f"return bad, skipped, used, {self.pack(t.final)}, events")

    def due(self, name: str, t: Transition) -> None:
        self.emit(0, f"def {name}(S):")
        self.unpack(1)
        self.emit(1, f"return {self.formula(t.when)}")

    # ------------------------------------------------------------ listing legal moves

    def speaks_of_one(
        self, n: Require, p: Param, element: tuple[str, int] | None, reads: set[str], known: set[str], nodes: list[Node]
    ) -> bool:
        """Whether a requirement can be checked once a parameter has a value, whatever the others have: for an element of a list,
        that it is there aside."""
        if self.undefined(reads):
            return False
        unknown = reads - known
        if isinstance(n.guard, Var) and element is not None:
            there = next((o.expr for o in nodes if isinstance(o, Let) and o.name == n.guard.name), None)
            name, i = element
            if isinstance(there, Compare) and (there.op, there.left, there.right) == (
                ">",
                Var(there.left.type, f"{name}.len"),
                Const(there.right.type, i),
            ):
                return unknown - {n.guard.name} == {p.name}
        return n.guard is None and unknown == {p.name}

    def narrow(self, p: Param, requirements: Iterable[Require], depth: int) -> str:
        """The name of the list of those values of a parameter that some requirements allow."""
        tests = []
        for n in requirements:
            ok = " or ".join([self.formula(n.cond), *[self.formula(x.cond) for x in n.exceptions]])
            tests.append(f"({ok})")
        name, v = f"only_{self.ident(p.name)}", self.ident(p.name)
        self.emit(depth, f"{name} = [{v} for {v} in {self.domain(p.type)[0]} if {' and '.join(tests)}]")
        return name

    def choices(self, over: str, element: tuple[str, int] | None) -> str:
        """The values a scalar parameter takes; an element of a list beyond its length is None."""
        if element is not None:
            name, i = element
            return f"({over} if {self.ident(f'{name}.len')} > {i} else (None,))"
        return over

    def enumerate(self, name: str, t: Transition) -> None:
        """All moves (or, for chance, outcomes with their weights) that no requirement forbids."""
        self.mark_doubtful(t.nodes)
        needed = {name for n in t.nodes if isinstance(n, Require) for name in reads_of(n)}
        kept: list[Node] = []
        for n in reversed(t.nodes):
            if isinstance(n, Require):
                kept.append(n)
            elif made_by(n) in needed:
                needed |= reads_of(n)
                kept.append(n)
        kept.reverse()
        if t.kind == "chance":
            parts = t.when.items if isinstance(t.when, And) else (t.when,)
            kept = [Require("when", c) for c in parts]
        elements = {f"{p.name}.{i}": (p.name, i) for p in t.params if isinstance(p.type, Seq) for i in range(p.type.hi)}
        known = {version(v) for v in self.model.state}
        # What each node reads from outside itself: quantified variables, bound within it, carry an @ in their names.
        reads = {id(n): {r for r in reads_of(n) if "@" not in r} for n in kept}
        params = self.loop_order(t, [(reads[id(n)], made_by(n), isinstance(n, Require)) for n in kept], known)
        self.emit(0, f"def {name}(S):")
        self.unpack(1)
        self.emit(1, "found = []")
        kept = self.settle(kept, reads, known, 1, False)

        def take(depth: int) -> None:
            values = ", ".join(self.ident(p.name) for p in t.scalars())
            if t.weight is not None:
                self.emit(depth, f"w = {self.code(t.weight).or_undefined}")
                self.emit(depth, f"if w is not _U and w > 0: found.append((({values},), w))")
            else:
                self.emit(depth, f"found.append(({values},))")

        pairs = [pair for names in t.either_order for pair in pairwise(names)]
        self.loops(Listing(elements, reads, {}, params[0] if params else None, pairs), params, kept, known, 1, take)
        self.emit(1, "return found")

    def settle(
        self, kept: list[Node], reads: dict[int, set[str]], known: set[str], depth: int, in_loop: bool
    ) -> list[Node]:
        """Checks and works out what the names known so far allow, and adds to them; gives the nodes that are left."""
        # What can be checked without working anything out comes first.
        plain = [r for r in kept if isinstance(r, Require) and reads[id(r)] <= known]
        for r in plain:
            self.prune(r, depth, in_loop)
        done = {id(n) for n in plain}
        rest: list[Node] = []
        for n in kept:
            if id(n) in done:
                continue
            made = made_by(n)
            if not reads[id(n)] <= known:
                rest.append(n)
            elif made is not None:
                known.add(made)
                self.node(n, 0, depth)
            elif isinstance(n, Require):
                self.prune(n, depth, in_loop)
        return rest

    def loops(
        self,
        listing: Listing,
        params: list[Param],
        kept: list[Node],
        known: set[str],
        depth: int,
        take: Callable[[int], None],
    ) -> None:
        """One loop a parameter, and within all what `take` writes at a depth.

        Parameters that no node connects any more with the rest have loops of their own, whose finds are then combined.
        """
        elements, narrowed = listing.elements, listing.narrowed
        apart: list[tuple[str, str]] = []  # what to loop over at last: targets and lists
        while params:
            p, *params = params
            over = narrowed.get(p.name, self.domain(p.type)[0])
            self.emit(depth, f"for {self.ident(p.name)} in {self.choices(over, elements.get(p.name))}:")
            depth += 1
            known.add(p.name)
            for first, second in listing.pairs:
                if p.name in (first, second) and {first, second} <= known:
                    self.emit(depth, f"if {self.ident(first)} > {self.ident(second)}: continue")
            kept = self.settle(kept, listing.reads, known, depth, True)
            if p is listing.first:
                for q in params:
                    alone = [
                        n
                        for n in kept
                        if isinstance(n, Require)
                        and self.speaks_of_one(n, q, elements.get(q.name), listing.reads[id(n)], known, kept)
                    ]
                    if alone:
                        narrowed[q.name] = self.narrow(q, alone, depth)
                        done = {id(n) for n in alone}
                        kept = [n for n in kept if id(n) not in done]
            *others, (params, kept) = self.groups(listing, params, kept)
            for group, nodes in others:
                part, target = self.temp(), ", ".join(self.ident(q.name) for q in group)
                self.emit(depth, f"{part} = []")

                def keep(inner: int, part: str = part, target: str = target) -> None:
                    self.emit(inner, f"{part}.append(({target}))")

                self.loops(listing, group, nodes, set(known), depth, keep)
                self.emit(depth, f"if not {part}: continue")
                apart.append((target, part))
        assert not kept, kept
        for target, part in apart:
            self.emit(depth, f"for {target} in {part}:")
            depth += 1
        take(depth)

    def groups(self, listing: Listing, params: list[Param], kept: list[Node]) -> list[tuple[list[Param], list[Node]]]:
        """Parameters without a value, each with those that it is connected with, in the order of loops, and the nodes about them."""
        group_of = {p.name: {p.name} for p in params}

        def connect(names: set[str]) -> None:
            together = set().union(*[group_of[n] for n in names])
            group_of.update(dict.fromkeys(together, together))

        for p in params:
            length = f"{listing.elements[p.name][0]}.len" if p.name in listing.elements else p.name
            connect({p.name, length} & set(group_of))
        for pair in listing.pairs:
            connect(set(pair) & set(group_of))
        about: dict[str, set[str]] = {p.name: {p.name} for p in params}  # names, by the parameters they depend on
        depends = {}
        for n in kept:
            depends[id(n)] = names = set().union(*[about.get(r, set()) for r in listing.reads[id(n)]])
            made = made_by(n)
            if made is not None:
                about[made] = names
            connect(names)
        out: list[tuple[list[Param], list[Node]]] = []
        for p in params:
            together = group_of[p.name]
            if not any(q.name in together for group, _ in out for q in group):
                out.append(([q for q in params if q.name in together], [n for n in kept if depends[id(n)] & together]))
        return out or [([], kept)]

    def loop_order(self, t: Transition, nodes: list[tuple[set[str], str | None, bool]], known: set[str]) -> list[Param]:
        """The parameters in the order of their loops: the first of an action (who acts) first, then always the one that lets the
        most requirements be checked for each value it takes; a list's length before its elements.

        nodes: what each reads, what it makes, and whether it is a requirement.
        """
        rest = list(t.scalars())
        order: list[Param] = []
        bound = set(known)

        def decidable(extra: str) -> int:
            names = bound | {extra}
            count = 0
            for reads, made, required in nodes:
                if reads <= names:
                    if made is not None:
                        names.add(made)
                    count += required
            return count

        while rest:
            ready = [
                p
                for p in rest
                if "." not in p.name or p.name.endswith(".len") or f"{p.name.split('.')[0]}.len" in bound
            ]
            if t.kind == "action" and not order:
                ready = ready[:1]
            now = decidable("")
            best = max(ready, key=lambda p: ((decidable(p.name) - now) / self.model.size(p.type), -rest.index(p)))
            rest.remove(best)
            order.append(best)
            bound.add(best.name)
        return order

    def prune(self, n: Require, depth: int, in_loop: bool) -> None:
        tests = [self.formula(n.cond), *[self.formula(x.cond) for x in n.exceptions]]
        doubts = self.undefined(reads_of(n))
        ok = " or ".join(tests)
        cond = f"not ({ok})"
        if n.guard is not None:
            cond = f"{self.formula(n.guard)} and {cond}"
        if doubts:
            cond = f"{' or '.join(doubts)} or ({cond})"
        self.emit(depth, f"if {cond}: {'continue' if in_loop else 'return found'}")

    # ------------------------------------------------------------ the whole

    def source(self) -> str:
        m = self.model
        self.definitions()
        self.properties()
        self.defaults()
        for i, t in enumerate(m.actions.values()):
            self.transition(f"judge_{i}", t)
            self.enumerate(f"moves_{i}", t)
        for i, t in enumerate(m.steps):
            self.due(f"due_{i}", t)
            self.transition(f"step_{i}", t)
        for i, t in enumerate(m.chances.values()):
            self.transition(f"happen_{i}", t)
            self.enumerate(f"outcomes_{i}", t)
        self.transition("setup", m.setup)
        return "\n".join(self.out) + "\n"


class _Missing:
    """Stands in a partial table where there is no row."""

    def __repr__(self) -> str:
        return "_M"


def generate(model: Model) -> tuple[str, dict[str, Any]]:
    """The Python source of a model's concrete meaning, and the constants it refers to."""
    compiler = Compiler(model)
    return compiler.source(), compiler.consts
