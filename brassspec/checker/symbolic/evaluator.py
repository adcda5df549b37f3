"""The meaning of expressions: each has a value and a bit that says whether it is defined.

Evaluation is partial: known parts fold to Python values, the rest becomes Z3 terms. What was evaluated once on the same
values of its free names and the same versions of the position is looked up, so shared parts become shared terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from brassspec.checker.symbolic.graphs import Edge, Paths
from brassspec.checker.symbolic.names import Names
from brassspec.checker.symbolic.numbers import Number
from brassspec.checker.symbolic.syntax import TYPES, Place, Syntax
from brassspec.checker.symbolic.terms import Bit
from brassspec.checker.symbolic.values import OneHot, Value, Values
from brassspec.rules import model as m

Cells: TypeAlias = Sequence[Value]  # of a state variable, by flat index; a scalar has one
Result: TypeAlias = tuple[Value, Bit]


FEW = 6  # values of a name that a sum is told apart by; and terms of a sum that is not long
Focus: TypeAlias = tuple[str, tuple[Value, ...], Value]


@dataclass(slots=True)
class Update:
    """How the version `name` came from the one before it: in the cell at keys not known beforehand, a new value."""

    name: str
    var: m.StateVar
    old: str
    guard: Bit
    keys: tuple[Value, ...]
    expr: m.Expr
    frame: Frame


@dataclass(slots=True)
class Frame:
    """Where an expression is evaluated: the values of names, and which version each name of a version stands for.

    focus: a version, keys to it, and what is known to be there.
    """

    names: dict[str, Value]
    versions: Mapping[str, str] | None = None  # None: each stands for itself
    memo: dict[tuple[Any, ...], Result] = field(default_factory=dict)
    focus: Focus | None = None

    def version(self, name: str) -> str:
        return name if self.versions is None else self.versions[name]

    def bind(self, name: str, value: Value) -> Frame:
        return Frame({**self.names, name: value}, self.versions, self.memo, self.focus)


class Evaluator:
    """Evaluates on one position: the `versions` of the state variables, to which a transition adds.

    names: where given, what is costly to tell is named.
    """

    def __init__(
        self, values: Values, syntax: Syntax, versions: Mapping[str, Cells], names: Names | None = None
    ) -> None:
        self.model = values.model
        self.terms = values.terms
        self.numbers = values.numbers
        self.values = values
        self.syntax = syntax
        self.versions = dict(versions)
        self.names = names
        self.updates: dict[str, Update] = {}
        self.changes: dict[str, str] = {}  # versions that are made from an older one by changes in known cells
        self.after: Mapping[str, str] = {}  # the last version of each state variable, once it is known
        self._exchanges: dict[str, tuple[Value, Value]] = {}
        self._memos: dict[tuple[Any, ...], dict[tuple[Any, ...], Result]] = {}
        self._calls: dict[tuple[Any, ...], Result] = {}
        self._lookups: dict[tuple[Any, ...], Result] = {}
        self._edges: dict[tuple[Any, ...], list[Edge]] = {}
        self._paths: dict[tuple[Any, ...], Paths] = {}
        self._rules: dict[type, Callable[[Any, Frame], Result]] = {
            m.Read: self._read,
            m.Field: self._field,
            m.Make: self._make,
            m.With: self._with,
            m.Some: self._some,
            m.Get: self._get,
            m.Exists: self._exists,
            m.Not: self._not,
            m.And: self._and,
            m.Or: self._or,
            m.Compare: self._compare,
            m.Arith: self._arith,
            m.If: self._if,
            m.SetOf: self._set_of,
            m.Filter: self._filter,
            m.In: self._in,
            m.Quant: self._quant,
            m.Fold: self._fold,
            m.Pick: self._pick,
            m.Lookup: self._lookup,
            m.Connected: self._connected,
            m.Distance: self._distance,
            m.After: self._after,
            m.Call: self._call,
        }

    def branch(self, names: Names | None) -> Evaluator:
        """Another on the same position, which knows what was evaluated here; versions to come are its own."""
        other = Evaluator(self.values, self.syntax, self.versions, names)
        other._memos = {versions: memo.copy() for versions, memo in self._memos.items()}
        other._calls, other._lookups = self._calls.copy(), self._lookups.copy()
        other._edges, other._paths = self._edges.copy(), self._paths.copy()
        return other

    def frame(self, names: dict[str, Value], versions: Mapping[str, str], focus: Focus | None = None) -> Frame:
        """Where what reads versions by the names that `versions` gives them is evaluated."""
        memo = self._memos.setdefault((*versions.items(), focus), {})
        return Frame(names, versions, memo, focus)

    def body(
        self, reads: Sequence[str], versions: Sequence[str], names: dict[str, Value], focus: Focus | None
    ) -> Frame:
        """Where a body that reads the state variables `reads` by their plain names is evaluated on these versions."""
        return self.frame(
            names, dict(zip(reads, versions, strict=True)), focus if focus and focus[0] in versions else None
        )

    def eval(self, expr: m.Expr, frame: Frame) -> Result:
        if isinstance(expr, m.Const):
            return expr.value, True
        if isinstance(expr, m.Var):
            return frame.names[expr.name], True
        names = frame.names
        key = (id(expr), *[names.get(name) for name in self.syntax.reads(expr).names])
        found = frame.memo.get(key)
        if found is None:
            found = frame.memo[key] = self._rules[type(expr)](expr, frame)
        return found

    def holds(self, expr: m.Expr, frame: Frame) -> Bit:
        """Whether a condition is true; where it is undefined it isn't."""
        value, defined = self.eval(expr, frame)
        return value if defined is True else self.terms.and_((defined, value))

    def _undefined(self, t: m.Type) -> Result:
        return self.values.first(t), False

    def _all(self, exprs: Iterable[m.Expr], frame: Frame) -> tuple[list[Value], Bit]:
        results = [self.eval(expr, frame) for expr in exprs]
        return [value for value, _ in results], self.terms.and_(defined for _, defined in results)

    # ---------------------------------------------------------------- the position, records, options

    def index(self, var: m.StateVar, key: Sequence[Any]) -> int | None:
        """The flat index of a key, or nothing where the key is out of its bounds."""
        flat = 0
        for t, k in zip(var.keys, key, strict=True):
            positions = self.values.positions(t)
            if k not in positions:
                return None
            flat = flat * len(positions) + positions[k]
        return flat

    def cells_at(self, var: m.StateVar, keys: Sequence[Value]) -> tuple[list[tuple[int, Bit]], Bit]:
        """The flat indices that keys may denote, with whether they do; and whether they denote any."""
        found = [(self.index(var, key), c) for key, c in self.values.tuples(keys)]
        inside = [(i, c) for i, c in found if i is not None]
        return inside, True if len(inside) == len(found) else self.terms.or_(c for _, c in inside)

    def _read(self, expr: m.Read, frame: Frame) -> Result:
        version = frame.version(expr.version)
        keys, defined = self._all(expr.keys, frame)
        if frame.focus and frame.focus[:2] == (version, tuple(keys)):
            return frame.focus[2], defined
        value, inside = self._at(self.model.state[expr.var], version, tuple(keys))
        return value, self.terms.and_((defined, inside))

    def _at(self, var: m.StateVar, version: str, keys: tuple[Value, ...]) -> Result:
        """What a version has at some keys. Where it was put there just so, that needs no search among the cells."""
        update = self.updates.get(version)
        if update and update.keys == keys:
            before, inside = self._at(var, update.old, keys)
            return self.values.ite(var.type, update.guard, self._put(update), before), inside
        at, inside = self.cells_at(var, keys)
        cells = self.versions[version]
        found = self.values.select(var.type, [(c, cells[i]) for i, c in at])
        return self.names.value(found) if self.names and len(at) > 1 else found, inside

    def _field(self, expr: m.Field, frame: Frame) -> Result:
        record, defined = self.eval(expr.record, frame)
        return record[expr.index], defined

    def _make(self, expr: m.Make, frame: Frame) -> Result:
        fields, defined = self._all(expr.values, frame)
        return tuple(fields), defined

    def _with(self, expr: m.With, frame: Frame) -> Result:
        (record, value), defined = self._all((expr.record, expr.value), frame)
        _, t = self.values.fields(expr.type)[expr.index]
        fits = self.values.in_bounds(t, value)
        changed = (*record[: expr.index], self.values.narrow(t, value), *record[expr.index + 1 :])
        return changed, self.terms.and_((defined, fits))

    def _some(self, expr: m.Some, frame: Frame) -> Result:
        value, defined = self.eval(expr.inner, frame)
        if isinstance(expr.inner, m.With) and isinstance(expr.inner.record, m.Get):
            # What is made from something that is there is there if that was, so nothing needs to be found out.
            whole, _ = self.eval(expr.inner.record.inner, frame)
            value = self.values.option(self.values.present(whole), value)
        return value, defined

    def _get(self, expr: m.Get, frame: Frame) -> Result:
        option, defined = self.eval(expr.inner, frame)
        if option is None:
            return self._undefined(expr.type)
        return self.values.inner(option), self.terms.and_((defined, self.values.present(option)))

    def _exists(self, expr: m.Exists, frame: Frame) -> Result:
        option, defined = self.eval(expr.inner, frame)
        return self.terms.and_((defined, self.values.present(option))), True

    # ---------------------------------------------------------------- logic, arithmetic

    def _not(self, expr: m.Not, frame: Frame) -> Result:
        return self.terms.not_(self.holds(expr.inner, frame)), True

    def _and(self, expr: m.And, frame: Frame) -> Result:
        return self.terms.and_(self._until(False, expr.items, frame)), True

    def _or(self, expr: m.Or, frame: Frame) -> Result:
        return self.terms.or_(self._until(True, expr.items, frame)), True

    def _until(self, decisive: bool, items: Iterable[m.Expr], frame: Frame) -> Iterator[Bit]:
        """Which of the items hold, up to the first that decides."""
        for item in items:
            bit = self.holds(item, frame)
            yield bit
            if bit is decisive:
                return

    def _compare(self, expr: m.Compare, frame: Frame) -> Result:
        (x, y), defined = self._all((expr.left, expr.right), frame)
        if defined is False:
            return False, True
        values, not_ = self.values, self.terms.not_
        match expr.op:
            case "=":
                holds = values.equal(expr.left.type, x, y)
            case "!=":
                holds = not_(values.equal(expr.left.type, x, y))
            case "<=":
                holds = values.less_equal(x, y)
            case ">=":
                holds = values.less_equal(y, x)
            case "<":
                holds = not_(values.less_equal(y, x))
            case ">":
                holds = not_(values.less_equal(x, y))
            case _:
                raise ValueError(expr.op)
        return self.terms.and_((defined, holds)), True

    def _arith(self, expr: m.Arith, frame: Frame) -> Result:
        (x, y), defined = self._all((expr.left, expr.right), frame)
        numbers = self.numbers
        operations: dict[str, Callable[[Number, Any], Number]] = {
            "+": numbers.add,
            "-": numbers.sub,
            "*": numbers.mul,
            "div": numbers.div,
            "mod": numbers.mod,
            "min": numbers.min,
            "max": numbers.max,
        }
        return operations[expr.op](x, y), defined

    def _if(self, expr: m.If, frame: Frame) -> Result:
        cond = self.holds(expr.cond, frame)
        if isinstance(cond, bool):
            return self.eval(expr.then if cond else expr.other, frame)
        then, then_defined = self.eval(expr.then, frame)
        other, other_defined = self.eval(expr.other, frame)
        defined = self.terms.ite(cond, then_defined, other_defined)
        if then_defined is False or other_defined is False:
            return then if other_defined is False else other, defined
        return self.values.ite(expr.type, cond, then, other), defined

    # ---------------------------------------------------------------- sets, quantifiers

    def _domain(self, domain: m.Domain, frame: Frame) -> tuple[list[tuple[Any, Bit]], Bit]:
        """What a bound variable may be, in order, with whether it is in the domain."""
        if isinstance(domain, TYPES):
            return [(value, True) for value in self.values.members(domain)], True
        value, defined = self.eval(domain, frame)
        assert isinstance(domain.type, m.Set)
        return self.values.in_order(domain.type.inner, value), defined

    def _chosen(self, expr: m.Filter | m.Pick | m.Fold, frame: Frame) -> tuple[Iterator[tuple[Any, Bit]], Bit]:
        """The members of the domain, with whether the condition holds of them."""
        domain, cond = self.syntax.narrowed(expr)
        members, defined = self._domain(domain, frame)
        name, and_ = expr.var.name, self.terms.and_
        if domain is not expr.domain:  # what was a condition had no members where undefined
            members, defined = [(v, and_((defined, c))) for v, c in members], True
        return ((v, and_((c, self.holds(cond, frame.bind(name, v))))) for v, c in members), defined

    def _set_of(self, expr: m.SetOf, frame: Frame) -> Result:
        items, defined = self._all(expr.items, frame)
        return self.values.gather((item, True) for item in items), defined

    def _filter(self, expr: m.Filter, frame: Frame) -> Result:
        chosen, defined = self._chosen(expr, frame)
        return self.values.subset(chosen), defined

    def _in(self, expr: m.In, frame: Frame) -> Result:
        (item, members), defined = self._all((expr.item, expr.set), frame)
        bits, and_ = self.values.set_bits(members), self.terms.and_
        held = self.terms.or_(and_((c, bits[k])) for k, c in self.values.cases(item) if k in bits)
        return and_((defined, held)), True

    def _quant(self, expr: m.Quant, frame: Frame) -> Result:
        domain, defined = self._domain(expr.domain, frame)
        terms, name = self.terms, expr.var.name
        every = expr.kind == "all"
        bits: list[Bit] = []
        for v, c in domain:
            body = self.holds(expr.body, frame.bind(name, v))
            bits.append(terms.implies(c, body) if every else terms.and_((c, body)))
            if bits[-1] is (not every):
                break
        return terms.and_((defined, terms.and_(bits) if every else terms.or_(bits))), True

    def _fold(self, expr: m.Fold, frame: Frame) -> Result:
        if self.names:
            for name in sorted(self.syntax.reads(expr).names):
                value = frame.names[name]
                if isinstance(value, OneHot) and len(value.bits) <= FEW:
                    # One of a few sums, each of which has its name already: that they are equal is no question then.
                    found = [(c, *self.eval(expr, frame.bind(name, k))) for k, c in value.bits.items()]
                    defined = self.terms.or_(self.terms.and_((c, d)) for c, _, d in found)
                    return self.numbers.select([(c, total) for c, total, _ in found]), defined
        for name in sorted(self.syntax.reads(expr).versions):
            update = self.updates.get(frame.version(name))
            older = self.changes.get(frame.version(name))
            place = self.syntax.place(expr, name) if update or older else None
            if update and place:
                return self._updated(expr, frame, name, update, place)
            if older and place:
                return self._changed(expr, frame, name, older)
        if self.names and not frame.focus and self._is_long(expr):
            return self._by_name(self.names, expr, frame), True
        summands, defined = self._summands(expr, frame)
        total = self.names.total if self.names else self.numbers.total
        return total(list(summands.values())), defined

    def _is_long(self, expr: m.Fold) -> bool:
        """Whether a sum is one over the position that has many terms, and always has a value."""
        domain = expr.domain
        return (
            isinstance(domain, TYPES)
            and len(self.values.members(domain)) > FEW
            and bool(self.syntax.reads(expr).versions)
        )

    def _by_name(self, names: Names, expr: m.Fold, frame: Frame) -> Number:
        """A long sum by its name: its terms are made where they are asked for, which in most proofs they are not."""
        reads = self.syntax.reads(expr)
        versions = tuple(frame.version(name) for name in sorted(reads.versions))
        key = (self.syntax.digest(expr), versions, *(frame.names[name] for name in sorted(reads.names)))

        def total() -> Number:
            summands, _ = self._summands(expr, frame)
            return self.numbers.total(summands.values())

        return names.number(key, expr.type.lo, expr.type.hi, total)

    def _summands(self, expr: m.Fold, frame: Frame) -> tuple[dict[Any, Number], Bit]:
        """The terms of a sum by the values of its variable."""
        chosen, defined = self._chosen(expr, frame)
        return {v: self._summand(expr, v, c, frame) for v, c in chosen if c is not False}, defined

    def _changed(self, expr: m.Fold, frame: Frame, name: str, older: str) -> Result:
        """A sum over a map that was changed in many cells: as it was, plus what each changed term gained."""
        numbers = self.numbers
        after, defined = self._summands(expr, frame)
        if all(isinstance(x, int) for x in after.values()):
            return numbers.total(after.values()), defined
        versions = {v: frame.version(v) for v in sorted(self.syntax.reads(expr).versions)} | {name: older}
        earlier = self.frame(frame.names, versions, frame.focus)
        before, _ = self.eval(expr, earlier)
        terms, _ = self._summands(expr, earlier)
        pairs = [(after.get(v, 0), terms.get(v, 0)) for v in {**terms, **after}]
        return self._sum(expr, [before, *(numbers.sub(new, old) for new, old in pairs if new != old)]), defined

    def _sum(self, expr: m.Fold, changes: Sequence[Number]) -> Number:
        """A sum from what it was and what was added: it lies in its bounds, but may not where what it was is left open."""
        total = self.numbers.total(changes)
        return total if self.names else self.numbers.narrow(total, expr.type.lo, expr.type.hi)

    def _summand(self, expr: m.Fold, value: Value, chosen: Bit, frame: Frame) -> Number:
        body, defined = self.eval(expr.body, frame.bind(expr.var.name, value))
        return self.numbers.ite(self.terms.and_((chosen, defined)), body, 0)

    def _updated(self, expr: m.Fold, frame: Frame, name: str, update: Update, place: Place) -> Result:
        """A sum over an updated map by the law sum(m[k := v]) = sum(m) - f(m[k]) + f(v).

        Else a proof that a sum is as it was would have to find the law by search, which it doesn't.
        """
        numbers, values, and_ = self.numbers, self.values, self.terms.and_
        versions = {v: frame.version(v) for v in sorted(self.syntax.reads(expr).versions)} | {name: update.old}
        before, defined = self.eval(expr, self.frame(frame.names, versions, frame.focus))
        at = update.keys[place.index]
        keys = tuple(at if i == place.index else self.eval(key, frame)[0] for i, key in enumerate(place.keys))
        same = [values.equal(k.type, x, y) for k, x, y in zip(place.keys, keys, update.keys, strict=True)]
        old, new = self._exchanged(update)
        later = self.frame(frame.names, {**versions, name: update.name}, (update.name, keys, new))
        earlier = self.frame(frame.names, versions, (update.old, keys, old))
        added, taken = self._summand_at(expr, at, later), self._summand_at(expr, at, earlier)
        change = numbers.ite(and_((update.guard, *same)), numbers.sub(added, taken), 0)
        return self._sum(expr, [before, change]), defined

    def _exchanged(self, update: Update) -> tuple[Value, Value]:
        """What an update takes away, and what it puts there."""
        if update.name not in self._exchanges:
            old, _ = self._at(update.var, update.old, update.keys)
            self._exchanges[update.name] = (old, self._put(update))
        return self._exchanges[update.name]

    def put_last(self, name: str, quant: m.Quant) -> Bit | None:
        """Of a quantifier over all places of a state variable: that its body holds, after the transition, where something was put.

        So it holds everywhere if it did before, and nothing else that it reads has changed. None where that can't be told.
        """
        place = self.syntax.place(quant, name)
        if not place or len(place.keys) != 1:
            return None
        put: dict[Value, list[Bit]] = {}  # by the place, whether anything was
        version = self.after[name]
        while version != name:
            update = self.updates.get(version)
            if not update:
                return None
            put.setdefault(update.keys[0], []).append(update.guard)
            version = update.old
        frame = self.frame({}, self.after)
        implies, or_ = self.terms.implies, self.terms.or_
        return self.terms.and_(
            implies(or_(guards), self.holds(quant.body, frame.bind(quant.var.name, key))) for key, guards in put.items()
        )

    def instances(self, condition: m.Expr, keys: Sequence[tuple[m.Type, Value]], frame: Frame) -> Iterator[Bit]:
        """Of what holds for all values of a type: that it does for these.

        keys: unknown values, each with its type, of which it certainly has one. It all follows from the condition, but only by a
        search through what the values may be.
        """
        yield from self._instances(condition, keys, frame, about_keys=False)

    def _instances(
        self, condition: m.Expr, keys: Sequence[tuple[m.Type, Value]], frame: Frame, about_keys: bool
    ) -> Iterator[Bit]:
        match condition:
            case m.And(items):
                for item in items:
                    yield from self._instances(item, keys, frame, about_keys)
            case m.Quant("all", var, domain, body) if isinstance(domain, TYPES):
                fitting = [value for t, value in keys if t == domain]
                for value in fitting or self.values.members(domain):
                    yield from self._instances(body, keys, frame.bind(var.name, value), about_keys or bool(fitting))
            case _ if about_keys:
                yield self.holds(condition, frame)

    def _put(self, update: Update) -> Value:
        new, _ = self.eval(update.expr, update.frame)
        return self.values.narrow(update.var.type, new)

    def _summand_at(self, expr: m.Fold, at: Value, frame: Frame) -> Number:
        """The term of a sum at a symbolic place."""
        domain, _ = self._domain(expr.domain, frame)
        members = {k for k, _ in domain}
        cases = self.values.cases(at)
        within = all(k in members for k, _ in cases) or self.terms.or_(c for k, c in cases if k in members)
        chosen = self.holds(expr.cond, frame.bind(expr.var.name, at))
        return self._summand(expr, at, self.terms.and_((within, chosen)), frame)

    def _pick(self, expr: m.Pick, frame: Frame) -> Result:
        chosen, defined = self._chosen(expr, frame)
        terms = self.terms
        before: Bit = False
        cases: list[tuple[Bit, Any]] = []
        for v, c in chosen:
            cases.append((terms.and_((c, terms.not_(before))), v))
            before = terms.or_((before, c))
            if before is True:
                break
        return self.values.option(before, self.values.select(expr.type.inner, cases)), defined

    # ---------------------------------------------------------------- tables, graphs, definitions

    def _lookup(self, expr: m.Lookup, frame: Frame) -> Result:
        keys, defined = self._all(expr.keys, frame)
        found = (expr.table, *keys)
        if found not in self._lookups:
            self._lookups[found] = self._row(self.model.tables[expr.table], keys)
        value, listed = self._lookups[found]
        return value, self.terms.and_((defined, listed))

    def _row(self, table: m.Table, keys: Sequence[Value]) -> Result:
        found = self.values.tuples(keys)
        cases = [(c, table.rows[key]) for key, c in found if key in table.rows]
        listed = True if len(cases) == len(found) else self.terms.or_(c for c, _ in cases)
        return self.values.select(table.type, cases), listed

    def _connected(self, expr: m.Connected, frame: Frame) -> Result:
        (left, right), defined = self._all((expr.left, expr.right), frame)
        if defined is False:
            return False, True

        def held() -> Bit:
            paths, end = self._between(expr, left, right, frame)
            return self.terms.or_(self.terms.and_((c, paths.connected(v))) for v, c in self.values.cases(end))

        known = self.names.bit(self._way(expr, left, right, frame), held) if self.names else held()
        return self.terms.and_((defined, known)), True

    def _distance(self, expr: m.Distance, frame: Frame) -> Result:
        (left, right), defined = self._all((expr.left, expr.right), frame)
        if defined is False:
            return self._undefined(expr.type)

        def away() -> Number:
            paths, end = self._between(expr, left, right, frame)
            return self.numbers.select([(c, paths.distance(v)) for v, c in self.values.cases(end)])

        if not self.names:
            return away(), defined
        return self.names.number(self._way(expr, left, right, frame), 0, expr.type.hi, away), defined

    @staticmethod
    def _way(expr: m.Connected | m.Distance, left: Value, right: Value, frame: Frame) -> tuple[Any, ...]:
        """What a query of a graph is about."""
        return type(expr), expr.graph, tuple(frame.version(v) for v in expr.versions), left, right

    def _after(self, expr: m.After, frame: Frame) -> Result:
        return self.eval(expr.inner, self.frame(frame.names, self.after))

    def _between(self, expr: m.Connected | m.Distance, left: Value, right: Value, frame: Frame) -> tuple[Paths, Value]:
        """The paths from one end, and the other end. Paths from an end are shared, so the better source is one that was
        a source before, else one that is symbolic: what is known is likely to be one of many."""
        graph = self.model.graphs[expr.graph]
        versions = tuple(frame.version(v) for v in expr.versions)
        ends = [(left, right), (right, left)]
        if isinstance(left, int) and not isinstance(right, int):
            ends.reverse()
        source, end = next((e for e in ends if (graph.name, versions, e[0]) in self._paths), ends[0])
        key = (graph.name, versions, source)
        if key not in self._paths:
            nodes = self.values.members(graph.node)
            at = dict(self.values.cases(source))
            start = [at.get(node, False) for node in nodes]
            self._paths[key] = Paths(self.terms, self.numbers, self._edges_of(graph, versions), start)
        return self._paths[key], end

    def _edges_of(self, graph: m.Graph, versions: tuple[str, ...]) -> list[Edge]:
        key = (graph.name, versions)
        if key not in self._edges:
            frame = self.body(graph.reads, versions, {}, None)
            ends = self.model.tables[graph.ends].rows
            self._edges[key] = [
                (self.holds(graph.cond, frame.bind(graph.var.name, edge)), sorted(ends[(edge,)]))
                for edge in self.values.members(graph.edge)
            ]
        return self._edges[key]

    def _call(self, expr: m.Call, frame: Frame) -> Result:
        args, defined = self._all(expr.args, frame)
        if defined is False:
            return self._undefined(expr.type)
        versions = tuple(frame.version(v) for v in expr.versions)
        define = self.model.defines[expr.define]
        names = {p.name: arg for p, arg in zip(define.params, args, strict=True)}
        body = self.body(define.reads, versions, names, frame.focus)
        key = (expr.define, versions, body.focus, *args)
        if key not in self._calls:
            self._calls[key] = self.eval(define.body, body)
        value, body_defined = self._calls[key]
        return value, self.terms.and_((defined, body_defined))
