"""Conditions that somebody types: over a position, or over something that happens and its parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from brassspec.grammar.errors import Place, Problem, SpecError, nearest_name
from brassspec.grammar.parser import parse
from brassspec.rules.compile import Compiler, asks_what_is_after
from brassspec.rules.concrete import Rules
from brassspec.rules.evaluate import scope_of
from brassspec.rules.express import Elaborator, Env
from brassspec.rules.model import Expr, Model, Transition, Var
from brassspec.rules.scope import Fault

_WHERE = re.compile(r"\s*(\w+(?:\s*,\s*\w+)*)\s+where\b")


@dataclass(frozen=True, slots=True)
class Goal:
    """What is sought: a condition over a position, or over one of some transitions that happens, and its parameters."""

    text: str
    names: tuple[str, ...]
    condition: Expr


def read_goal(model: Model, text: str) -> Goal:
    """What a text seeks. Raises SpecError where it is no condition."""
    line = " ".join(text.split())
    names = _WHERE.match(line)
    word = "possible" if names else "always"
    before = f"    {word} "
    declarations, problems = parse(f'claim sought.it "what is sought":\n{before}{line}\n', "EXPR")
    if not problems and len(declarations) == 1:
        d = declarations[0]
        *named, node = d.tree.children[-1].children[0].children
        known = model.transitions()
        try:
            return Goal(line, tuple(map(str, named)), _condition(model, d, named, node, known))
        except Fault as f:
            problems = [f.problem]
    shown = [replace(p, place=Place("EXPR", 1, max(1, p.place.column - len(before)), p.place.width)) for p in problems]
    raise SpecError(shown or [Problem(Place("EXPR", 1), "this is no condition")], {"EXPR": line})


def _condition(model: Model, d: Any, named: list[Any], node: Any, known: dict[str, Transition]) -> Expr:
    env = Env(has_after=bool(named))
    for token in named:
        if str(token) not in known:
            cause = f"nothing that happens is called {token}"
            raise Fault(Problem(d.place(token), cause, nearest_name(str(token), known)))
    shared = [{p.name: p.type for p in known[str(token)].params} for token in named]
    for parameter, t in shared[0].items() if shared else ():
        if all(other.get(parameter) == t for other in shared):
            env.names[parameter] = Var(t, parameter)
    return Elaborator(scope_of(model), d).formula(node, env)


def holding(rules: Rules, condition: Expr, t: Transition | None) -> Callable[..., bool]:
    """A function of a state, the scalar arguments of a transition (if any) and the state after it."""
    compiler = Compiler(rules.model, "E")
    args = [] if t is None else [*[compiler.ident(p.name) for p in t.scalars()], "A"]
    compiler.emit(0, f"def sought({', '.join(['S', *args])}):")
    compiler.unpack(1)
    if asks_what_is_after(condition):
        compiler.mark = "'"
        compiler.unpack(1, "A")
        compiler.mark = ""
    compiler.emit(1, f"return bool({compiler.formula(condition)})")
    return rules.written(compiler, "sought", "sought")
