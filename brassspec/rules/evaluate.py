"""Expressions that are written after the model is built: what a scenario expects, what a search looks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brassspec.grammar.parser import Declaration
from brassspec.rules.compile import Compiler
from brassspec.rules.concrete import Rules, State
from brassspec.rules.express import Elaborator, Env
from brassspec.rules.model import Bool, Expr, Model, Type
from brassspec.rules.scope import Node, Scope


def scope_of(model: Model) -> Scope:
    """The names of a model that is already built."""
    return Scope(
        players=model.players,
        sorts=model.sorts,
        records=model.records,
        aliases=model.aliases,
        record_defaults={name: {} for name in model.records},
        tables=model.tables,
        state=model.state,
        defines=model.defines,
        graphs=model.graphs,
        events=model.events,
    )


def elaborate(model: Model, d: Declaration, node: Node, want: Type | None = None) -> Expr:
    """A condition on a position, or a value of the type that is wanted. Raises Fault where it isn't one."""
    return Elaborator(scope_of(model), d).expr(node, Env(), want or Bool())


def evaluator(rules: Rules, expr: Expr) -> Callable[[State], Any]:
    """A function of a state that gives the value of the expression there (False where it is an undefined condition)."""
    compiler = Compiler(rules.model, "E")
    compiler.emit(0, "def expression(S):")
    compiler.unpack(1)
    compiler.emit(1, f"return {compiler.code(expr).atom}")
    return rules.written(compiler, "expression", "expression")
