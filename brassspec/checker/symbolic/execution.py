"""A transition, walked through once: which requirements hold, and the position that comes out of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from brassspec.checker.symbolic.evaluator import Cells, Evaluator, Frame, Update
from brassspec.checker.symbolic.terms import Bit
from brassspec.checker.symbolic.values import Value
from brassspec.rules import model as m

State: TypeAlias = tuple[Any, ...]  # an entry a state variable; a map is a flat tuple


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a move.

    when: whether a step or chance is due (of no weight: not); `legal` leaves that out.
    faults: variables that would become undefined or exceed their bounds though no requirement objects: the rules err.
    """

    legal: bool
    violated: tuple[str, ...] = ()
    unevaluated: tuple[str, ...] = ()
    state: State | None = None
    when: bool = True
    weight: int | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one requirement node: whether it was due but could not be evaluated, and whether it is violated.

    excused: by exception, whether it would be violated but for that one.
    """

    name: str
    unevaluated: Bit
    violated: Bit
    excused: tuple[tuple[str, Bit], ...] = ()


@dataclass(slots=True)
class Version:
    """A version of a state variable: its cells, which of them were assigned to, whether it is defined."""

    cells: list[Value]
    touched: list[Bit]
    defined: Bit


@dataclass(frozen=True, slots=True)
class Soundness:
    """That a let (of no variable) or an assignment is defined and in bounds, for these reasons."""

    variable: str
    reasons: tuple[Bit, ...]
    bit: Bit


@dataclass(slots=True)
class Execution:
    when: Bit
    weight: Value = None
    verdicts: list[Verdict] = field(default_factory=list)
    sound: list[Soundness] = field(default_factory=list)  # in order, where there are names
    final: dict[str, Version] = field(default_factory=dict)


def execute(evaluator: Evaluator, transition: m.Transition, args: dict[str, Value]) -> Execution:
    return _Run(evaluator, transition, args).execution


class _Run:
    def __init__(self, evaluator: Evaluator, transition: m.Transition, args: dict[str, Value]) -> None:
        self.evaluator = evaluator
        self.terms = evaluator.terms
        self.frame = Frame(dict(args))
        self.lets: dict[str, Bit] = {}  # whether each is defined
        self.versions = {name: self._untouched(cells) for name, cells in evaluator.versions.items()}
        self.execution = Execution(evaluator.holds(transition.when, self.frame))
        if transition.weight is not None:
            self.execution.weight, _ = evaluator.eval(transition.weight, self.frame)
        for node in transition.nodes:
            self._node(node)
        self.execution.final = {var: self.versions[version] for var, version in transition.final.items()}
        evaluator.after = {var: transition.final.get(var, var) for var in evaluator.model.state}

    @staticmethod
    def _untouched(cells: Cells) -> Version:
        return Version(list(cells), [False] * len(cells), True)

    def _node(self, node: m.Node) -> None:
        match node:
            case m.Let():
                self._let(node)
            case m.Assign() | m.AssignAll():
                self._assign(node)
            case m.Require():
                self._require(node)

    def _readable(self, exprs: Iterable[m.Expr]) -> Bit:
        """Whether all that the expressions read is defined."""
        bits: list[Bit] = []
        for expr in exprs:
            reads = self.evaluator.syntax.reads(expr)
            bits += [self.lets[name] for name in sorted(reads.names) if name in self.lets]
            bits += [self.versions[name].defined for name in sorted(reads.versions)]
        return self.terms.and_(bits)

    def _guard(self, guard: m.Expr | None) -> tuple[Bit, Bit]:
        """Whether the guard is true, and whether it can be told."""
        if guard is None:
            return True, True
        return self.evaluator.holds(guard, self.frame), self._readable([guard])

    def _let(self, node: m.Let) -> None:
        """Where its guard is false, a condition is false, and another value is irrelevant, but not undefined."""
        terms, evaluator = self.terms, self.evaluator
        guard, known = self._guard(node.guard)
        value, defined = evaluator.eval(node.expr, self.frame)
        if isinstance(node.expr.type, m.Bool):
            value, defined = terms.and_((guard, defined, value)), True
        self.frame.names[node.name] = evaluator.names.value(value) if evaluator.names else value
        self.lets[node.name] = self._sound("", [known], guard, [defined, self._readable([node.expr])])

    def _sound(self, variable: str, always: list[Bit], guard: Bit, guarded: list[Bit]) -> Bit:
        """That a node is defined: a name for it, where there are names, so that what follows need not go by its reasons."""
        terms, names = self.terms, self.evaluator.names
        if not names:  # one implication: taken apart, reasons without names would multiply from node to node
            return terms.and_((*always, terms.implies(guard, terms.and_(guarded))))
        parts = [part for bit in guarded for part in terms.parts(bit)]
        reasons = [*always, *(terms.implies(guard, part) for part in parts)]
        bit: Bit = names.value(terms.and_(reasons))
        self.execution.sound.append(Soundness(variable, tuple(r for r in reasons if r is not True), bit))
        return bit

    def _assign(self, node: m.Assign | m.AssignAll) -> None:
        old = self.versions[node.old]
        guard, known = self._guard(node.guard)
        new = Version(list(old.cells), list(old.touched), True)
        sound = [self._readable([*node.keys, node.expr])]
        if isinstance(node, m.Assign):
            sound.append(self._put(node, new, guard, self.frame))
        else:
            sound.append(self._readable([node.cond]))
            for frame in self._bindings(node.binders):
                chosen = self.evaluator.holds(node.cond, frame)
                if chosen is not False:
                    put = self._put(node, new, self.terms.and_((guard, chosen)), frame)
                    sound += [self.terms.implies(chosen, part) for part in self.terms.parts(put)]
        new.defined = self._sound(node.var, [old.defined, known], guard, sound)
        self.versions[node.name] = new
        self.evaluator.versions[node.name] = new.cells

    def _bindings(self, binders: Iterable[tuple[m.Var, m.Type]]) -> list[Frame]:
        frames = [self.frame]
        for binder, t in binders:
            frames = [frame.bind(binder.name, v) for frame in frames for v in self.evaluator.values.members(t)]
        return frames

    def _put(self, node: m.Assign | m.AssignAll, version: Version, where: Bit, frame: Frame) -> Bit:
        """Puts the value at the keys, where that is to be done. Returns whether it can be.

        A value that is made from the old one in the same cell is made anew for each cell that the keys may denote, so that
        what stays as it was (the other fields of a record) stays the same term.
        """
        evaluator, values, terms = self.evaluator, self.evaluator.values, self.terms
        var = evaluator.model.state[node.var]
        results = [evaluator.eval(key, frame) for key in node.keys]
        keys = tuple(key for key, _ in results)
        at, inside = evaluator.cells_at(var, keys)
        sound = [inside, *(defined for _, defined in results)]
        if len(at) > 1 and node.old in evaluator.syntax.reads(node.expr).versions:
            old = self.versions[node.old].cells
            focused = [Frame(frame.names, frame.versions, {}, (node.old, keys, old[i])) for i, _ in at]
            made = [self._made(node.expr, var.type, here) for here in focused]
            if evaluator.names:  # once, of the cell that it is, whichever that may be
                sound.append(self._made(node.expr, var.type, frame)[1])
            else:
                sound += [terms.implies(c, fits) for (_, c), (_, fits) in zip(at, made, strict=True)]
        else:
            made = [self._made(node.expr, var.type, frame)] * len(at)
            sound += [fits for _, fits in made]
        if evaluator.names and (isinstance(node, m.AssignAll) or len(at) == 1):
            evaluator.changes[node.name] = node.old
        if isinstance(node, m.Assign) and len(at) > 1:
            evaluator.updates[node.name] = Update(node.name, var, node.old, where, keys, node.expr, frame)
        for (i, c), (value, _) in zip(at, made, strict=True):
            put = terms.and_((where, c))
            version.cells[i] = values.ite(var.type, put, value, version.cells[i])
            version.touched[i] = terms.or_((version.touched[i], put))
        return terms.and_(sound)

    def _made(self, expr: m.Expr, t: m.Type, frame: Frame) -> tuple[Value, Bit]:
        """A value to assign, and whether it is defined and within its bounds."""
        value, defined = self.evaluator.eval(expr, frame)
        values = self.evaluator.values
        return values.narrow(t, value), self.terms.and_((defined, values.in_bounds(t, value)))

    def _require(self, node: m.Require) -> None:
        terms, evaluator = self.terms, self.evaluator
        guard, known = self._guard(node.guard)
        conditions = [node.cond, *(exception.cond for exception in node.exceptions)]
        readable = self._readable(conditions)
        holds = [evaluator.holds(cond, self.frame) for cond in conditions]
        unevaluated = terms.or_((terms.not_(known), terms.and_((guard, terms.not_(readable)))))
        violated = terms.and_((known, guard, readable, terms.not_(terms.or_(holds))))
        if unevaluated is not False or violated is not False:
            excused = tuple(
                (
                    x.name,
                    terms.and_((known, guard, readable, holds[i], terms.not_(terms.or_(holds[:i] + holds[i + 1 :])))),
                )
                for i, x in enumerate(node.exceptions, start=1)
            )
            self.execution.verdicts.append(Verdict(node.name, unevaluated, violated, excused))
