"""Values of the types of the rule model: the Python value where known, symbolic in as few places as may be.

    Bool    bool or Term                    Option  None, the inner value (present), or Maybe
    Num     int or SymNum                   Record  tuple of values
    Sort    int or OneHot                   Set     frozenset or SymSet

So one evaluator serves both as the compiler to Z3 and, where all is known, as an interpreter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from brassspec.checker.symbolic.numbers import Numbers, Reader, SymNum
from brassspec.checker.symbolic.terms import Bit, Term, Terms
from brassspec.rules import model as m

Value: TypeAlias = Any


@dataclass(frozen=True, slots=True, eq=False)
class OneHot:
    """A member of a sort: just one of the bits holds. What is not listed is ruled out."""

    bits: dict[int, Bit]


@dataclass(frozen=True, slots=True)
class Maybe:
    """An option of which it isn't known whether it is present; if not, `inner` means nothing."""

    present: Term
    inner: Value


@dataclass(frozen=True, slots=True, eq=False)
class SymSet:
    """A set: for each value whether it is in. What is not listed is not.

    few: where the set is one of some small known ones, its first member, its second, ..., with whether there is one. To
    go through these is cheaper than through all that may be in.
    """

    bits: dict[Any, Bit]
    few: tuple[tuple[Value, Bit], ...] | None = None


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()  # in partial positions: this variable, cell or field may be anything


class Values:
    """Operations on values by their types."""

    def __init__(self, model: m.Model, terms: Terms, numbers: Numbers) -> None:
        self.model = model
        self.terms = terms
        self.numbers = numbers
        self._members: dict[m.Type, tuple[Any, ...]] = {}
        self._positions: dict[m.Type, dict[Any, int]] = {}

    # ---------------------------------------------------------------- types

    def members(self, t: m.Type) -> tuple[Any, ...]:
        if t not in self._members:
            self._members[t] = self.model.values(t)
        return self._members[t]

    def positions(self, t: m.Type) -> dict[Any, int]:
        """The place of each value in the order of its type."""
        if t not in self._positions:
            self._positions[t] = {value: i for i, value in enumerate(self.members(t))}
        return self._positions[t]

    def fields(self, t: m.Record) -> tuple[tuple[str, m.Type], ...]:
        return self.model.records[t.name].fields

    def first(self, t: m.Type) -> Value:
        """Some value of the type: what stands where nothing is defined, and where nothing matters."""
        match t:
            case m.Record():
                return tuple(self.first(f) for _, f in self.fields(t))
            case m.Set():
                return frozenset()
            case m.Option():
                return None
            case _:
                return self.members(t)[0]

    # ---------------------------------------------------------------- parts

    def present(self, option: Value) -> Bit:
        return option.present if isinstance(option, Maybe) else option is not None

    def inner(self, option: Value) -> Value:
        return option.inner if isinstance(option, Maybe) else option

    def option(self, present: Bit, inner: Value) -> Value:
        if isinstance(present, Term):
            return Maybe(present, inner)
        return inner if present else None

    def one_hot(self, bits: dict[int, Bit]) -> Value:
        bits = {k: b for k, b in bits.items() if b is not False}
        if len(bits) == 1:
            return next(iter(bits))
        sure = [k for k, b in bits.items() if b is True]
        return sure[0] if sure else OneHot(bits)

    def set_of(self, bits: dict[Any, Bit]) -> Value:
        bits = {k: b for k, b in bits.items() if b is not False}
        return SymSet(bits) if any(b is not True for b in bits.values()) else frozenset(bits)

    def gather(self, items: Iterable[tuple[Value, Bit]]) -> Value:
        """The set of those items of which the bit holds."""
        return self.set_of(self._any((c, dict(self.cases(item))) for item, c in items))

    def subset(self, members: Iterable[tuple[Value, Bit]]) -> Value:
        """The set of those members of another, in order, of which the bit holds."""
        members = [(v, c) for v, c in members if c is not False]
        found = self.gather(members)
        if isinstance(found, SymSet) and 2 * len(members) <= len(found.bits):
            return SymSet(found.bits, tuple(members))
        return found

    def set_bits(self, value: Value) -> dict[Any, Bit]:
        return value.bits if isinstance(value, SymSet) else dict.fromkeys(value, True)

    def in_order(self, t: m.Type, value: Value) -> list[tuple[Any, Bit]]:
        """The members of a set in the order of their type `t`, with whether each is in."""
        if isinstance(value, SymSet) and value.few:
            return list(value.few)
        bits = self.set_bits(value)
        return [(k, bits[k]) for k in self.members(t) if k in bits]

    def cases(self, value: Value) -> list[tuple[Any, Bit]]:
        """Each value that a value of a finite type may be, and whether it is that one."""
        if isinstance(value, OneHot):
            return list(value.bits.items())
        if isinstance(value, SymNum):
            return self.numbers.cases(value)
        if isinstance(value, Term):
            return [(False, self.terms.not_(value)), (True, value)]
        if isinstance(value, Maybe):
            present = value.present
            inner = [(k, self.terms.and_((present, b))) for k, b in self.cases(value.inner)]
            return [(None, self.terms.not_(present)), *inner]
        return [(value, True)]

    def tuples(self, values: Sequence[Value]) -> list[tuple[tuple[Any, ...], Bit]]:
        """Each tuple of values that these may be, and whether they are."""
        rows: list[tuple[tuple[Any, ...], Bit]] = [((), True)]
        for value in values:
            cases = self.cases(value)
            rows = [((*key, k), self.terms.and_((c, b))) for key, c in rows for k, b in cases]
        return [(key, c) for key, c in rows if c is not False]

    # ---------------------------------------------------------------- comparing, choosing

    def equal(self, t: m.Type, x: Value, y: Value) -> Bit:
        terms = self.terms
        if x is y:
            return True
        match t:
            case m.Bool():
                return terms.iff(x, y)
            case m.Num():
                return self.numbers.eq(x, y)
            case m.Sort():
                ys = dict(self.cases(y))
                return terms.or_(terms.and_((b, ys[k])) for k, b in self.cases(x) if k in ys)
            case m.Option():
                p, q = self.present(x), self.present(y)
                if p is False or q is False:
                    return terms.not_(terms.or_((p, q)))
                same = self.equal(t.inner, self.inner(x), self.inner(y))
                if p is True or q is True:
                    return terms.and_((p, q, same))
                return terms.and_((terms.iff(p, q), terms.implies(p, same)))
            case m.Record():
                return terms.and_(self.equal(f, x[i], y[i]) for i, (_, f) in enumerate(self.fields(t)))
            case m.Set():
                xs, ys = self.set_bits(x), self.set_bits(y)
                return terms.and_(terms.iff(xs.get(k, False), ys.get(k, False)) for k in {**xs, **ys})
        raise TypeError(t)

    def less_equal(self, x: Value, y: Value) -> Bit:
        """For numbers, and for sorts by the order of their members."""
        if isinstance(x, OneHot) or isinstance(y, OneHot):
            ys = self.cases(y)
            pairs = ((b, self.terms.or_(c for j, c in ys if k <= j)) for k, b in self.cases(x))
            return self.terms.or_(self.terms.and_(pair) for pair in pairs)
        return self.numbers.le(x, y)

    def select(self, t: m.Type, cases: Sequence[tuple[Bit, Value]]) -> Value:
        """The value of the one case that holds; if none does it means nothing."""
        terms = self.terms
        cases = self._grouped(cases)
        if not cases:
            return self.first(t)
        if len(cases) == 1:
            return cases[0][1]
        match t:
            case m.Bool():
                if len(cases) == 2:
                    return terms.ite(cases[0][0], cases[0][1], cases[1][1])
                return terms.or_(terms.and_(case) for case in cases)
            case m.Num():
                return self.numbers.select(cases)
            case m.Sort():
                return self.one_hot(self._any([(c, dict(self.cases(x))) for c, x in cases]))
            case m.Option():
                present = self.select(m.Bool(), [(c, self.present(x)) for c, x in cases])
                return self.option(
                    present, self.select(t.inner, [(c, self.inner(x)) for c, x in cases if x is not None])
                )
            case m.Record():
                fields = enumerate(self.fields(t))
                return tuple(self.select(f, [(c, x[i]) for c, x in cases]) for i, (_, f) in fields)
            case m.Set():
                found = self.set_of(self._any([(c, self.set_bits(x)) for c, x in cases]))
                return self._few(t, found, cases) if isinstance(found, SymSet) else found
        raise TypeError(t)

    def _few(self, t: m.Set, found: SymSet, cases: Sequence[tuple[Bit, Value]]) -> SymSet:
        """The set with its members one by one, where all that it may be is known and small."""
        known = [(c, self.in_order(t.inner, x)) for c, x in cases if isinstance(x, frozenset)]
        most = max((len(members) for _, members in known), default=0)
        if len(known) < len(cases) or 2 * most > len(found.bits):
            return found
        few = []
        for i in range(most):
            having = [(c, members[i][0]) for c, members in known if i < len(members)]
            few.append((self.select(t.inner, having), self.terms.or_(c for c, _ in having)))
        return SymSet(found.bits, tuple(few))

    def _grouped(self, cases: Sequence[tuple[Bit, Value]]) -> list[tuple[Bit, Value]]:
        """Cases of one value put together: tables and positions repeat themselves."""
        conditions: dict[Value, list[Bit]] = {}
        for c, x in cases:
            if c is not False:
                conditions.setdefault(x, []).append(c)
        return [(c[0] if len(c) == 1 else self.terms.or_(c), x) for x, c in conditions.items()]

    def _any(self, cases: Iterable[tuple[Bit, dict[Any, Bit]]]) -> dict[Any, Bit]:
        found: dict[Any, list[Bit]] = {}
        for c, bits in cases:
            for k, b in bits.items():
                found.setdefault(k, []).append(self.terms.and_((c, b)))
        return {k: self.terms.or_(bits) for k, bits in found.items()}

    def ite(self, t: m.Type, c: Bit, x: Value, y: Value) -> Value:
        if not isinstance(c, Term):
            return x if c else y
        return x if x is y else self.select(t, [(c, x), (self.terms.not_(c), y)])

    # ---------------------------------------------------------------- bounds

    def in_bounds(self, t: m.Type, value: Value) -> Bit:
        """Whether every number in the value lies within the bounds of its type."""
        match t:
            case m.Num():
                return self.numbers.within(value, t.lo, t.hi)
            case m.Option() if value is not None:
                fits = self.in_bounds(t.inner, self.inner(value))
                return self.terms.implies(self.present(value), fits)
            case m.Record():
                return self.terms.and_(self.in_bounds(f, value[i]) for i, (_, f) in enumerate(self.fields(t)))
        return True

    def narrow(self, t: m.Type, value: Value) -> Value:
        """The value, known to be in bounds."""
        match t:
            case m.Num():
                return self.numbers.narrow(value, t.lo, t.hi)
            case m.Option() if value is not None:
                return self.option(self.present(value), self.narrow(t.inner, self.inner(value)))
            case m.Record():
                return tuple(self.narrow(f, value[i]) for i, (_, f) in enumerate(self.fields(t)))
        return value

    # ---------------------------------------------------------------- variables

    def variable(self, t: m.Type, name: str, well_formed: list[Bit]) -> Value:
        """A new symbolic value of the type, made of constants; what makes it a proper one is added to `well_formed`.

        What doesn't matter (the inside of an absent option) is pinned, so that there is one model a value.
        """
        terms = self.terms
        match t:
            case m.Bool():
                return terms.constant(name)
            case m.Num():
                if t.lo == t.hi:
                    return t.lo
                number = self.numbers.variable(name, t.lo, t.hi)
                well_formed.append(self.numbers.proper(number))
                return number
            case m.Sort():
                titles = self.model.sorts[t.name].members
                bits: dict[int, Bit] = {k: terms.constant(f"{name}={title}") for k, title in enumerate(titles)}
                well_formed.append(terms.or_(bits.values()))
                self._at_most_one(list(bits.values()), well_formed)
                return self.one_hot(bits)
            case m.Option():
                present = terms.constant(f"{name}?")
                inner = self.variable(t.inner, name, well_formed)
                pinned = self.literals(t.inner, inner, self.first(t.inner))
                well_formed.extend(terms.or_((present, pin)) for pin in pinned)
                return Maybe(present, inner)
            case m.Record():
                return tuple(self.variable(f, f"{name}.{field}", well_formed) for field, f in self.fields(t))
            case m.Set():
                return SymSet({k: terms.constant(f"{name}:{k}") for k in self.members(t.inner)})
        raise TypeError(t)

    def _at_most_one(self, bits: list[Bit], well_formed: list[Bit]) -> Bit:
        """By halves: plain clauses, few, and complete under unit propagation. Returns whether there is one."""
        if len(bits) == 1:
            return bits[0]
        half = len(bits) // 2
        left, right = self._at_most_one(bits[:half], well_formed), self._at_most_one(bits[half:], well_formed)
        well_formed.append(self.terms.not_(self.terms.and_((left, right))))
        return self.terms.or_((left, right))

    def literals(self, t: m.Type, variable: Value, value: Value) -> list[Term]:
        """What to assume for a variable to have the value; nothing for the parts of it that are unknown."""
        return list(self._literals(t, variable, value))

    def _literals(self, t: m.Type, variable: Value, value: Value) -> Iterator[Term]:
        terms = self.terms
        if value is UNKNOWN:
            return
        match variable:
            case Term():
                yield terms.term(variable if value else terms.not_(variable))
            case SymNum():
                yield from self.numbers.literals(variable, value)
            case OneHot():
                yield terms.term(variable.bits[value])
            case Maybe():
                assert isinstance(t, m.Option)
                yield variable.present if value is not None else terms.term(terms.not_(variable.present))
                if value is not None:
                    yield from self._literals(t.inner, variable.inner, value)
            case SymSet():
                for k, b in variable.bits.items():
                    yield terms.term(b if k in value else terms.not_(b))
            case tuple():
                assert isinstance(t, m.Record)
                for i, (_, f) in enumerate(self.fields(t)):
                    yield from self._literals(f, variable[i], value[i])

    def read(self, t: m.Type, variable: Value, model: Reader) -> Value:
        """The value that a variable has in a model."""
        match variable:
            case Term():
                return model.truth(variable)
            case SymNum():
                return self.numbers.read(variable, model)
            case OneHot():
                return next((k for k, b in variable.bits.items() if isinstance(b, Term) and model.truth(b)), None)
            case Maybe():
                assert isinstance(t, m.Option)
                return self.read(t.inner, variable.inner, model) if model.truth(variable.present) else None
            case SymSet():
                return frozenset(k for k, b in variable.bits.items() if b is True or model.truth(self.terms.term(b)))
            case tuple():
                assert isinstance(t, m.Record)
                return tuple(self.read(f, variable[i], model) for i, (_, f) in enumerate(self.fields(t)))
        return variable

    def named(self, value: Value, name: str, equations: list[Bit]) -> Value:
        """The value with a constant for each formula in it, by which a model can be read."""
        terms = self.terms
        match value:
            case Term():
                if value.decl is not None:
                    return value
                constant = terms.constant(name)
                equations.append(terms.iff(constant, value))
                return constant
            case SymNum():
                if self.numbers.is_variable(value):
                    return value
                number = self.numbers.variable(name, value.lo, value.hi)
                equations.append(self.numbers.eq(number, value))
                return number
            case OneHot():
                return OneHot({k: self.named(b, f"{name}={k}", equations) for k, b in value.bits.items()})
            case Maybe():
                present = self.named(value.present, f"{name}?", equations)
                return Maybe(present, self.named(value.inner, name, equations))
            case SymSet():
                return SymSet({k: self.named(b, f"{name}:{k}", equations) for k, b in value.bits.items()})
            case tuple():
                return tuple(self.named(part, f"{name}.{i}", equations) for i, part in enumerate(value))
        return value
