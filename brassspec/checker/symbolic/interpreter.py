"""The evaluator on positions and moves that are fully known: the same meaning without a solver, to compare it with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brassspec.checker.symbolic.evaluator import Evaluator, Frame
from brassspec.checker.symbolic.execution import Judgement, State, execute
from brassspec.checker.symbolic.numbers import BitVectors
from brassspec.checker.symbolic.position import Args, Position, by_name
from brassspec.checker.symbolic.syntax import Syntax
from brassspec.checker.symbolic.terms import Terms
from brassspec.checker.symbolic.values import Values
from brassspec.rules import model as m


class Interpreter:
    def __init__(self, model: m.Model) -> None:
        self._model = model
        terms = Terms()
        self._values = Values(model, terms, BitVectors(terms))
        self._syntax = Syntax(model)

    def _evaluator(self, state: State) -> Evaluator:
        variables = zip(self._model.state.items(), state, strict=True)
        cells = {name: list(value) if var.keys else [value] for (name, var), value in variables}
        return Evaluator(self._values, self._syntax, cells)

    def holds(self, cond: m.Expr, state: State, names: Mapping[str, Any]) -> bool:
        return self._evaluator(state).holds(cond, Frame(dict(names))) is True

    def judge(self, transition: m.Transition, state: State, given: Args) -> Judgement:
        """As `SymbolicTransition.judge`."""
        args = by_name(transition, given)
        full = {p.name: args[p.name] for p in transition.scalars()}
        for p in transition.params:
            if isinstance(p.type, m.Seq):
                beyond = range(args[f"{p.name}.len"], p.type.hi)
                full |= {f"{p.name}.{i}": self._values.first(p.type.inner) for i in beyond}
        execution = execute(self._evaluator(state), transition, full)
        verdicts = execution.verdicts
        violated = tuple(dict.fromkeys(v.name for v in verdicts if v.violated))
        skipped = tuple(dict.fromkeys(v.name for v in verdicts if v.unevaluated and v.name not in violated))
        faults = tuple(name for name, version in execution.final.items() if not version.defined)
        weight = execution.weight
        when = execution.when is True and (weight is None or weight > 0)
        if violated or skipped or faults:
            return Judgement(False, violated, skipped, None, when, weight, () if violated or skipped else faults)
        after = [
            Position.whole(var, execution.final[name].cells) if name in execution.final else value
            for (name, var), value in zip(self._model.state.items(), state, strict=True)
        ]
        return Judgement(True, (), (), tuple(after), when, weight)
