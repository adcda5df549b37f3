"""From the declarations of a ruleset's files to its model: names first, then data, then rules."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from lark import Token, Tree

from brassspec.grammar.errors import Place, Problem, SpecError, nearest_name
from brassspec.grammar.parser import Declaration
from brassspec.rules.express import TRUE, Elaborator, Env, elaborate_define
from brassspec.rules.model import (
    Const,
    Expr,
    Graph,
    Model,
    Num,
    Option,
    Param,
    Policy,
    PolicyLine,
    Property,
    Record,
    RecordDef,
    Requirement,
    Set,
    Sort,
    SortDef,
    StateVar,
    Table,
    Transition,
    Type,
    Var,
    Written,
)
from brassspec.rules.scope import (
    Fault,
    Node,
    Procedure,
    Scope,
    citations,
    constant,
    dotted,
    fault,
    from_member_id,
    named_type,
    resolve_type,
    tree,
    trees,
    unquote,
)
from brassspec.rules.statements import Changes, build_transition

CHANGES = (
    "replace",
    "replace_define",
    "replace_procedure",
    "replace_type",
    "replace_initial",
    "replace_cell",
    "drop",
    "drop_transition",
    "exception",
    "added",
    "also",
)


BUILT_IN = ("uniform", "seeking")  # policies that there are without a declaration

MAX_CELLS = 20_000  # values of one table column or map


class Elaboration:
    """One ruleset for one number of players, from its declarations and the changes its readings make."""

    def __init__(
        self,
        declarations: Iterable[Declaration],
        changes: Iterable[tuple[Declaration, Node]],
        players: int,
        sources: dict[str, str],
        cited: frozenset[str] | None = None,
    ) -> None:
        self.all = list(declarations)
        self.sources = sources
        self.scope = Scope(players, cited=cited)
        self.changes = Changes()
        self.defines: dict[str, tuple[Declaration, Node]] = {}
        self.procedures: dict[str, tuple[Declaration, Node]] = {}
        self.types: dict[str, tuple[Declaration, Node]] = {}
        self.initials: dict[str, tuple[Declaration, Node]] = {}
        self.cells: dict[str, list[tuple[Declaration, Node]]] = {}
        self.gone: dict[str, tuple[Declaration, Node]] = {}  # actions, steps and chance events that there are no more
        self.used: set[tuple[str, str]] = set()
        self.dangling: dict[str, str] = {}
        for d in self.all:
            if d.tree.data in CHANGES:
                self.note_change(d, d.tree)
        for d, node in changes:
            if node.data in CHANGES:
                self.note_change(d, node)
            else:
                self.all.append(Declaration(node, d.file, d.line, d.text))
        self.all = [d for d in self.all if not self.drops_transition(d)]

    def drops_transition(self, d: Declaration) -> bool:
        name = str(d.tree.children[0]) if d.tree.data in ("action", "step", "chance") else ""
        if name in self.gone:
            self.used.add(("transition", name))
        return name in self.gone

    def note_change(self, d: Declaration, node: Node) -> None:
        """A later change of one thing replaces an earlier one; exceptions, added requirements and statements add up."""
        if node.data == "replace":
            self.changes.conditions[dotted(node.children[0])] = (d, node)
        elif node.data == "drop":
            self.changes.dropped[dotted(node.children[0])] = (d, node)
        elif node.data == "drop_transition":
            self.gone[str(node.children[0])] = (d, node)
        elif node.data == "exception":
            self.changes.exceptions.setdefault(dotted(node.children[1]), []).append((d, node))
        elif node.data == "added":
            self.changes.added.setdefault(dotted(node.children[2]), []).append((d, node))
        elif node.data == "also":
            self.changes.also.setdefault(str(node.children[0]), []).append((d, node.children[1]))
        elif node.data == "replace_procedure":
            self.procedures[str(node.children[0])] = (d, node)
        elif node.data == "replace_type":
            self.types[str(node.children[0])] = (d, node)
        elif node.data == "replace_define":
            self.defines[str(node.children[0])] = (d, node)
        elif node.data == "replace_initial":
            self.initials[str(node.children[0])] = (d, node)
        elif node.data == "replace_cell":
            self.cells.setdefault(str(node.children[0]), []).append((d, node))

    # ------------------------------------------------------------ collecting errors

    def each(self, kinds: tuple[str, ...], do: Callable[[Declaration], None]) -> None:
        for d in self.all:
            if d.tree.data in kinds:
                try:
                    do(d)
                except Fault as f:
                    self.scope.note(f)

    def stop_on_errors(self) -> None:
        if self.scope.problems:
            raise SpecError(self.scope.problems, self.sources)

    def written(self, d: Declaration, within: str, at: Node) -> Written:
        place = d.place(at)
        return Written(within, place.file, place.line)

    def new(self, d: Declaration, at: object, name: str, taken: Iterable[str], what: str) -> str:
        if name in set(taken):
            fault(d.place(at), f"there is already a {what} {name}", "names are unique within a ruleset")
        return name

    # ------------------------------------------------------------ the passes

    def run(self, ruleset: str, readings: dict[str, str]) -> Model:
        """The model. Raises SpecError with every error that was found."""
        s = self.scope
        self.each(("source",), self.source)
        self.figures_cited()
        self.each(("enum", "players", "sort"), self.sort_members)
        self.stop_on_errors()
        self.each(("type_alias",), self.alias)
        self.each(("record",), self.record)
        self.each(("sort",), self.columns)
        self.each(("table",), self.table)
        self.stop_on_errors()
        self.each(("state",), self.state_types)
        self.each(("event",), self.event)
        self.each(("procedure",), self.procedure)
        self.each(("define",), self.define_name)
        self.each(("graph",), self.graph)
        self.stop_on_errors()
        for name in list(s.pending_defines):
            self.define(name)
        self.each(("state",), self.state_defaults)
        self.stop_on_errors()
        s.actions = [str(d.tree.children[0]) for d in self.all if d.tree.data == "action"]
        if not s.state:
            cause = "the spec declares no position"
            raise SpecError(
                [Problem(Place(next(iter(self.sources), ""), 1), cause, "write: state: and its variables")],
                self.sources,
            )
        transitions: dict[str, dict[str, Transition]] = {"action": {}, "step": {}, "chance": {}, "setup": {}}

        def transition(d: Declaration) -> None:
            t = build_transition(s, d, self.changes)
            self.new(d, d.tree, t.name, [n for group in transitions.values() for n in group], "transition")
            transitions[t.kind][t.name] = t

        self.each(("action", "step", "chance", "setup"), transition)
        properties: list[Property] = []
        self.each(("invariant",), lambda d: properties.extend(self.invariant(d)))
        happenings = {n: t for group in transitions.values() for n, t in group.items()}
        self.each(("claim",), lambda d: properties.extend(self.claim(d, happenings)))
        self.each(("action",), self.asks_in_circles)
        excused: dict[str, str] = {}
        self.each(("excuse",), lambda d: excused.update(self.excuse(d)))
        equivalent: dict[str, str] = {}
        self.each(("equivalent",), lambda d: equivalent.update(self.equivalent(d, equivalent)))
        policies: dict[str, Policy] = {}
        self.each(("policy",), lambda d: policies.update(self.policy(d, transitions["action"], policies)))
        self.unused_changes([n for group in transitions.values() for n in group])
        self.stop_on_errors()
        setup = transitions["setup"].get("setup") or Transition("setup", "setup", (), TRUE, (), {})
        text = "\n".join(f"{name}\n{self.sources[name]}" for name in sorted(self.sources))
        digest = hashlib.sha256(f"{ruleset}\n{s.players}\n{text}".encode()).hexdigest()
        order = {d.file: i for i, d in enumerate(self.all)}
        catalogue = self.catalogue(
            sorted(s.requirements.values(), key=lambda r: (order.get(r.file, len(order)), r.line))
        )
        return Model(
            ruleset=ruleset,
            players=s.players,
            digest=digest,
            sorts=s.sorts,
            records=s.records,
            tables=s.tables,
            aliases=s.aliases,
            state=s.state,
            defines=s.defines,
            graphs=s.graphs,
            events=s.events,
            setup=setup,
            actions=transitions["action"],
            steps=tuple(transitions["step"].values()),
            chances=transitions["chance"],
            requirements={r.name: r for r in catalogue},
            properties=tuple(properties),
            readings=readings,
            sources=s.sources,
            excused=excused,
            equivalent=equivalent,
            policies=policies,
            dangling=self.dangling,
            told=s.told,
            player_sort=s.player_sort,
        )

    def catalogue(self, requirements: list[Requirement]) -> list[Requirement]:
        """The requirements in rulebook order: those that a change adds follow the one they stand after."""
        for anchor, listed in self.changes.added.items():
            own = [dotted(node.children[0]) for _, node in listed]
            moved = [r for r in requirements if r.name in own]
            rest = [r for r in requirements if r.name not in own]
            at = next((i for i, r in enumerate(rest) if r.name == anchor), len(rest) - 1) + 1
            requirements = [*rest[:at], *moved, *rest[at:]]
        return requirements

    # ------------------------------------------------------------ names and data

    def source(self, d: Declaration) -> None:
        name, title, *_ = d.tree.children
        self.new(d, name, str(name), self.scope.sources, "source")
        self.scope.sources[str(name)] = unquote(title)

    def figures_cited(self) -> None:
        """What figures cite is there, as what rules cite."""
        changed = [
            *self.defines.values(),
            *self.initials.values(),
            *(c for listed in self.cells.values() for c in listed),
        ]
        declared = [(d, d.tree) for d in self.all if d.tree.data in ("sort", "table", "define")]
        for d, node in [*declared, *changed]:
            citations(self.scope, d, tree(node, "cites"))

    def sort_members(self, d: Declaration) -> None:
        node = d.tree
        name = self.new(d, node.children[0], str(node.children[0]), self.scope.sorts, "sort")
        members: list[str] = []
        titles: list[str] = []
        if node.data in ("enum", "players"):
            for token in node.children[1:]:
                self.new(d, token, str(token), members, "member")
                members.append(str(token))
                titles.append(str(token).replace("_", " "))
            if node.data == "players":
                if len(members) < self.scope.players:
                    fault(d.place(node), f"{len(members)} names for {self.scope.players} players")
                members, titles = members[: self.scope.players], titles[: self.scope.players]
                self.scope.player_sort = name
        else:
            for row in trees(node, "sort_row"):
                token = tree(row, "member").children[0]  # type: ignore[union-attr]
                self.new(d, token, str(token), members, "member")
                members.append(str(token))
                title = tree(row, "title")
                titles.append(unquote(title.children[0]) if title is not None else str(token))
        self.scope.sorts[name] = SortDef(name, tuple(members), tuple(titles))

    def alias(self, d: Declaration) -> None:
        name, type_node = d.tree.children[0], d.tree.children[1]
        self.new(d, name, str(name), [*self.scope.sorts, *self.scope.aliases], "type")
        shown = tree(d.tree, "shown")
        if str(name) in self.types:
            self.used.add(("type", str(name)))
            d, change = self.types[str(name)]
            type_node, shown = change.children[1], tree(change, "shown") or shown
        t = resolve_type(self.scope, d, type_node)
        if shown is not None:
            if not isinstance(t, Num) or unquote(shown.children[0]).count("{}") != 1:
                fault(d.place(shown), "`shown` is for numbers, and has one {}")
            t = Num(t.lo, t.hi, unquote(shown.children[0]))
        self.scope.aliases[str(name)] = t

    def record(self, d: Declaration) -> None:
        name = self.new(
            d, d.tree.children[0], str(d.tree.children[0]), [*self.scope.sorts, *self.scope.records], "type"
        )
        fields: list[tuple[str, Type]] = []
        self.scope.record_defaults[name] = {}
        for f in trees(d.tree, "field"):
            t = resolve_type(self.scope, d, f.children[1])
            if isinstance(t, Set | Record):
                fault(d.place(f), f"a field can't be a {t}")
            fields.append((str(f.children[0]), t))
            default = tree(f, "default")
            if default is not None:
                e = Elaborator(self.scope, d).expr(default.children[0], Env(), t)
                self.scope.record_defaults[name][str(f.children[0])] = getattr(e, "value", None)
        self.scope.records[name] = RecordDef(name, tuple(fields), unquote(d.tree.children[1]))

    def columns(self, d: Declaration) -> None:
        columns = tree(d.tree, "columns")
        if columns is None:
            return
        sort = Sort(str(d.tree.children[0]))
        rows = trees(d.tree, "sort_row")
        listed = [c for c in columns.children if tree(c, "from_id") is None]
        for row in rows:
            if len([c for c in row.children if c.data.endswith("_cell")]) != len(listed):
                fault(
                    d.place(row),
                    f"this row does not have {len(listed)} values",
                    "the columns are " + ", ".join(str(c.children[0]) for c in listed),
                )
        for column in columns.children:
            name = self.new(d, column, str(column.children[0]), self.scope.tables, "table or column")
            t = resolve_type(self.scope, d, column.children[1])
            values = {}
            for i, row in enumerate(rows):
                member = tree(row, "member").children[0]  # type: ignore[union-attr]
                if column in listed:
                    cells = [c for c in row.children if c.data.endswith("_cell")]
                    values[(i,)] = constant(self.scope, d, cells[listed.index(column)], t)
                else:
                    values[(i,)] = from_member_id(self.scope, d, member, t)
            self.scope.tables[name] = Table(name, (sort,), t, values, False, self.written(d, name, d.tree))
        for column in columns.children:
            name = str(column.children[0])
            for change, node in self.cells.get(name, []):
                self.used.add(("table", name))
                table = self.scope.tables[name]
                for row in trees(node, "table_row"):
                    key = constant(self.scope, change, row.children[0], sort)
                    table.rows[(key,)] = constant(self.scope, change, row.children[1], table.type)

    def table(self, d: Declaration) -> None:
        node = d.tree
        keys = tuple(resolve_type(self.scope, d, k.children[1]) for k in trees(node, "key"))
        plain = tree(node, "columns_plain")
        assert plain is not None
        rows = [(d, r) for r in trees(node, "table_row")]
        replaced = [(c, r) for c, n in self.cells.get(str(node.children[0]), []) for r in trees(n, "table_row")]
        if replaced:
            self.used.add(("table", str(node.children[0])))
        width = len(keys) + len(plain.children)
        for where, row in rows + replaced:
            if len(row.children) != width:
                fault(where.place(row), f"this row has {len(row.children)} values, {width} are due")
        for i, column in enumerate(plain.children):
            name = self.new(d, column, str(column.children[0]), self.scope.tables, "table or column")
            t = resolve_type(self.scope, d, column.children[1])
            values: dict[tuple[object, ...], object] = {}
            default = tree(column, "default")
            for where, row in rows:
                key = tuple(constant(self.scope, where, c, k) for c, k in zip(row.children, keys, strict=False))
                if key in values:
                    fault(where.place(row), "this row stands twice")
                values[key] = constant(self.scope, where, row.children[len(keys) + i], t)
            for where, row in replaced:
                key = tuple(constant(self.scope, where, c, k) for c, k in zip(row.children, keys, strict=False))
                values[key] = constant(self.scope, where, row.children[len(keys) + i], t)
            total = self.product(d, node, keys)
            if len(values) < total and default is not None:
                e = Elaborator(self.scope, d).expr(default.children[0], Env(), t)
                for key in self.all_keys(keys):
                    values.setdefault(key, getattr(e, "value", None))
            self.scope.tables[name] = Table(name, keys, t, values, len(values) < total, self.written(d, name, node))

    def product(self, d: Declaration, at: Node, keys: Sequence[Type]) -> int:
        """How many key tuples there are."""
        total = 1
        for k in keys:
            total *= self.size(k)
        if total > MAX_CELLS:
            fault(d.place(at), f"that would be {total} values", f"the limit is {MAX_CELLS}")
        return total

    def size(self, t: Type) -> int:
        return len(self.values(t))

    def values(self, t: Type) -> list[object]:
        if isinstance(t, Num):
            return list(range(t.lo, t.hi + 1))
        if isinstance(t, Sort):
            return list(range(len(self.scope.sorts[t.name].members)))
        if isinstance(t, Option):
            return [None, *self.values(t.inner)]
        return [False, True]

    def all_keys(self, keys: tuple[Type, ...]) -> list[tuple[object, ...]]:
        out: list[tuple[object, ...]] = [()]
        for k in keys:
            out = [(*o, v) for o in out for v in self.values(k)]
        return out

    # ------------------------------------------------------------ the position

    def state_types(self, d: Declaration) -> None:
        for node in trees(d.tree, "state_var"):
            try:
                self.state_type(d, node)
            except Fault as f:
                self.scope.note(f)

    def state_type(self, d: Declaration, node: Node) -> None:
        name = self.new(d, node.children[0], str(node.children[0]), self.scope.state, "state variable")
        keys: list[Type] = []
        display = ""
        binders: list[Var] = []
        key_nodes = tree(node, "state_keys")
        for k in key_nodes.children if key_nodes is not None else []:
            t = resolve_type(self.scope, d, k.children[2])
            if k.children[1] is not None:
                display = "bag"
            binders.append(Var(t, f"{k.children[0]}@key"))
            keys.append(t)
        self.product(d, node, keys)
        type_node = node.children[-2]
        if type_node.data == "ranking":
            if len(keys) != 1 or not isinstance(keys[0], Sort):
                fault(d.place(node), "a ranking has one key, a sort")
            t = Num(1, self.size(keys[0]))
            display = "ranking"
        else:
            t = resolve_type(self.scope, d, type_node)
        if isinstance(t, Set):
            fault(d.place(node), "the position holds no sets", "use a map to bool")
        title = tree(node, "title")
        words = unquote(title.children[0]) if title is not None else name.replace("_", " ")
        self.scope.state[name] = StateVar(
            name, tuple(keys), t, display, tuple(binders), TRUE, words, self.written(d, name, node)
        )

    def state_defaults(self, d: Declaration) -> None:
        for node in trees(d.tree, "state_var"):
            name = str(node.children[0])
            var = self.scope.state.get(name)
            if var is None:
                continue
            env = Env({b.name.removesuffix("@key"): b for b in var.binders})
            if self.scope.player_sort:
                env.names["mover"] = Var(Sort(self.scope.player_sort), "mover")
            where, expr_node = d, node.children[-1]
            if name in self.initials:
                self.used.add(("initial", name))
                where, change = self.initials[name]
                expr_node = change.children[-1].children[0]
            try:
                default = Elaborator(self.scope, where).expr(expr_node, env, var.type)
            except Fault as f:
                self.scope.note(f)
                continue
            self.scope.state[name] = replace(var, default=default)

    # ------------------------------------------------------------ definitions

    def event(self, d: Declaration) -> None:
        name = self.new(d, d.tree.children[0], str(d.tree.children[0]), self.scope.events, "event")
        declared = tree(d.tree, "params")
        self.scope.events[name] = tuple(
            Param(str(p.children[0]), resolve_type(self.scope, d, p.children[1]))
            for p in (declared.children if declared is not None else [])
        )
        words = d.tree.children[-1]
        if isinstance(words, Token):
            unknown = set(re.findall(r"\{(\w+)\}", words)) - {p.name for p in self.scope.events[name]}
            if unknown:
                fault(d.place(words), f"{name} has no field {min(unknown)}")
            self.scope.told[name] = unquote(words)

    def procedure(self, d: Declaration) -> None:
        name = self.new(d, d.tree.children[0], str(d.tree.children[0]), self.scope.procedures, "procedure")
        declared = tree(d.tree, "params")
        body = d
        if name in self.procedures:
            self.used.add(("procedure", name))
            change, node = self.procedures[name]
            replaced = Tree("procedure", [*d.tree.children[:-1], node.children[1]], node.meta)
            body = Declaration(replaced, change.file, change.line, change.text)
        params = tuple(
            (str(p.children[0]), resolve_type(self.scope, d, p.children[1]))
            for p in (declared.children if declared is not None else [])
        )
        returns = tree(d.tree, "returns")
        self.scope.procedures[name] = Procedure(
            body, params, resolve_type(self.scope, d, returns.children[0]) if returns is not None else None
        )

    def define_name(self, d: Declaration) -> None:
        name = self.new(
            d,
            d.tree.children[0],
            str(d.tree.children[0]),
            [*self.scope.pending_defines, *self.scope.tables],
            "definition or table",
        )
        if name in self.defines:
            self.used.add(("define", name))
            change, node = self.defines[name]
            replaced = Declaration(
                Tree("define", [*d.tree.children[:-1], node.children[-1]], d.tree.meta),
                change.file,
                change.line,
                change.text,
            )
            self.scope.pending_defines[name] = replaced
        else:
            self.scope.pending_defines[name] = d

    def define(self, name: str) -> None:
        d = self.scope.pending_defines.get(name)
        if d is None:
            return
        try:
            elaborate_define(self.scope, name, Elaborator(self.scope, d), d.tree)
        except Fault as f:
            self.scope.note(f)
            self.scope.pending_defines.pop(name, None)

    def graph(self, d: Declaration) -> None:
        name, declared, node_type, var_name, edge_type, ends, cond_node = d.tree.children
        node, edge = named_type(self.scope, d, node_type), named_type(self.scope, d, edge_type)
        if not isinstance(node, Sort) or not isinstance(edge, Sort):
            fault(d.place(d.tree), "a graph joins members of a sort by members of a sort")
        table = self.scope.tables.get(str(ends))
        if table is None or table.keys != (edge,) or table.type != Set(node):
            fault(d.place(ends), f"{ends} is no column of {edge} that gives a set of {node}")
        members: list[tuple[str, dict[str, Expr]]] = [(str(name), {})]
        if declared is not None:
            t = resolve_type(self.scope, d, declared.children[0].children[1])
            if len(declared.children) != 1 or not isinstance(t, Sort):
                fault(d.place(declared), "a graph has at most one parameter, of a sort")
            self.scope.graph_families[str(name)] = t
            param = str(declared.children[0].children[0])
            members = [(f"{name} {m}", {param: Const(t, i)}) for i, m in enumerate(self.scope.sorts[t.name].members)]
        for own, names in members:
            env = Env(names)
            var, inner = Elaborator(self.scope, d).bind(str(var_name), edge, env)
            cond = Elaborator(self.scope, d).formula(cond_node, inner)
            reads = tuple(sorted(env.reads))
            self.scope.graphs[own] = Graph(
                own, node, edge, str(ends), var, cond, reads, self.written(d, str(name), d.tree)
            )

    # ------------------------------------------------------------ what should hold

    def invariant(self, d: Declaration) -> list[Property]:
        label, in_play, sentence, cites, block = d.tree.children
        name = dotted(label)
        if self.changes.drops(name):
            return []
        now = self.changes.condition(name, d, unquote(sentence) if sentence is not None else "", cites, block)
        cond = Elaborator(self.scope, now.d).formula(now.block.children[0], Env())
        cited = citations(self.scope, now.cited, now.cites)
        place = d.place(d.tree)
        kind = "invariant" if in_play is None else "in play"
        return [Property(name, now.sentence, cited, kind, (), cond, place.file, place.line)]

    def claim(self, d: Declaration, transitions: dict[str, Transition]) -> list[Property]:
        label, sentence, outcome, cites, body = d.tree.children
        name = dotted(label)
        if self.changes.drops(name):
            return []
        what = body.children[0]
        place = d.place(d.tree)
        if what.data == "possible" and outcome is not None:
            fault(d.place(what), "what is possible is not refuted by a position", "claim that it never happens")
        *named, condition = what.children
        env = Env(has_after=bool(named))
        for token in named:
            if str(token) not in transitions:
                fault(
                    d.place(token),
                    f"there is no action, step or chance event {token}",
                    nearest_name(str(token), transitions),
                )
        shared = [{p.name: p.type for p in transitions[str(token)].params} for token in named]
        for parameter, t in shared[0].items() if shared else ():
            if all(other.get(parameter) == t for other in shared):
                env.names[parameter] = Var(t, parameter)
        cond = Elaborator(self.scope, d).formula(condition, env)
        kind = "possible" if what.data == "possible" else "claim" if outcome is None else "refuted"
        reason = unquote(outcome.children[0]) if outcome is not None else ""
        cited = citations(self.scope, d, cites)
        happening = tuple(str(token) for token in named)
        return [Property(name, unquote(sentence), cited, kind, happening, cond, place.file, place.line, reason)]

    def asks_in_circles(self, d: Declaration) -> None:
        """An action can't ask for moves of itself, nor of one that asks for it."""
        name = str(d.tree.children[0])
        reached: set[str] = set()
        rest = set(self.scope.asked.get(name, ()))
        while rest:
            reached |= rest
            rest = {b for a in rest for b in self.scope.asked.get(a, ())} - reached
        if name in reached:
            fault(
                d.place(d.tree),
                f"whether {name} is possible would depend on itself",
                "`can` asks for other actions only",
            )

    def excuse(self, d: Declaration) -> dict[str, str]:
        name = dotted(d.tree.children[0])
        if name not in self.scope.requirements and name not in self.changes.dropped:
            fault(
                d.place(d.tree),
                f"there is no requirement {name} to excuse",
                nearest_name(name, self.scope.requirements),
            )
        return {name: unquote(d.tree.children[1])}

    def equivalent(self, d: Declaration, marked: dict[str, str]) -> dict[str, str]:
        mutant, reason = (unquote(c) for c in d.tree.children)
        self.new(d, d.tree.children[0], mutant, marked, "mark of")
        return {mutant: reason}

    def policy(self, d: Declaration, actions: dict[str, Transition], known: dict[str, Policy]) -> dict[str, Policy]:
        label, sentence, *nodes = d.tree.children
        name = self.new(d, label, str(label), [*BUILT_IN, *known], "policy")
        lines = []
        for node in nodes:
            action, number, where = node.children
            if str(action) in self.gone:
                continue
            if str(action) not in actions:
                fault(d.place(action), f"there is no action {action}", nearest_name(str(action), actions))
            if not isinstance(number, Token):
                fault(d.place(number), "a weight is a number from 0")
            cond = None
            if where is not None:
                env = Env({p.name: Var(p.type, p.name) for p in actions[str(action)].params})
                cond = Elaborator(self.scope, d).formula(where.children[0], env)
            lines.append(PolicyLine(str(action), int(number), cond))
        return {name: Policy(name, unquote(sentence), tuple(lines), self.written(d, name, d.tree))}

    def unused_changes(self, transitions: list[str]) -> None:
        """A change of something that isn't there is an error; what is there in a faulty declaration isn't known."""
        if self.scope.problems:
            return
        c = self.changes
        for kind, group in (("condition", c.conditions), ("drop", c.dropped)):
            for name, (d, node) in group.items():
                if name not in c.used:
                    self.scope.problems.append(
                        Problem(
                            d.place(node),
                            f"there is no rule {name}",
                            f"this {kind} changes nothing; " + nearest_name(name, self.scope.requirements),
                        )
                    )
        for name, listed in c.exceptions.items():
            if name not in c.used:
                for _, node in listed:
                    self.dangling[dotted(node.children[0])] = name
        for listed in c.added.values():
            for d, node in listed:
                own, anchor = dotted(node.children[0]), dotted(node.children[2])
                within = [str(a) for a in node.children[1].children] if node.children[1] is not None else []
                reached = [action for name, action in c.used_added if name == own]
                for action in within:
                    if action not in reached:
                        cause, remedy = (
                            f"{action} has no requirement {anchor}",
                            nearest_name(anchor, self.scope.requirements),
                        )
                        self.scope.problems.append(Problem(d.place(node), cause, remedy))
                if not within and not reached:
                    cause, remedy = f"there is no requirement {anchor}", nearest_name(anchor, self.scope.requirements)
                    self.scope.problems.append(Problem(d.place(node), cause, remedy))
        for name, listed in c.also.items():
            d, node = listed[0]
            if name not in c.used_also:
                remedy = nearest_name(name, [*self.scope.procedures, *transitions])
                self.scope.problems.append(Problem(d.place(node), f"nothing that is done is called {name}", remedy))
            if name in self.scope.procedures and name in transitions:
                self.scope.problems.append(Problem(d.place(node), f"{name} is both a procedure and a transition"))
        kinds = {"define": self.defines, "procedure": self.procedures, "type": self.types, "initial": self.initials}
        for kind, named in {**kinds, "transition": self.gone}.items():
            for name, (d, node) in named.items():
                if (kind, name) not in self.used:
                    wish = "replace" if kind in kinds else "drop"
                    self.scope.problems.append(Problem(d.place(node), f"there is no {kind} {name} to {wish}"))
        for name, changed in self.cells.items():
            if ("table", name) not in self.used:
                for d, node in changed:
                    self.scope.problems.append(Problem(d.place(node), f"there is no table {name} to replace rows of"))
