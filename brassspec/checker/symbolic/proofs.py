"""Claims and invariants, proved or refuted over all positions that fulfil the model's invariants."""

from __future__ import annotations

from dataclasses import dataclass

from brassspec.checker.symbolic.solver import SAT, UNSAT
from brassspec.checker.symbolic.transition import RLIMIT, Completion, Found, SymbolicTransition
from brassspec.rules import model as m


@dataclass(frozen=True, slots=True)
class Proof:
    """verdict: "proved", "refuted" by the counterexample, or "unknown" for `reason`."""

    verdict: str
    counterexample: Completion | None = None
    reason: str = ""


def prove_claim(model: m.Model, claim: m.Property, backend: str = "bv", rlimit: int = RLIMIT) -> Proof:
    """A claim of an action: that no legal one fulfils the condition. Of positions: that all fulfil it."""
    if claim.action:
        transition = SymbolicTransition(model, model.actions[claim.action], backend)
        return _proof(transition.find([claim.cond], rlimit=rlimit))
    nothing = m.Transition("claim", claim.name, (), m.Const(m.Bool(), True), (), {})
    return _proof(SymbolicTransition(model, nothing, backend).find([m.Not(claim.cond)], rlimit=rlimit))


def inductive(transition: SymbolicTransition, invariant: m.Property, rlimit: int = RLIMIT) -> Proof:
    """That the invariant still holds after the transition, where all invariants held before it."""
    invariants = [*transition.position.invariants(), invariant.cond]
    return _proof(transition.find([], after=[m.Not(invariant.cond)], invariants=invariants, rlimit=rlimit))


def _proof(found: Found) -> Proof:
    if found.answer == UNSAT:
        return Proof("proved")
    return Proof("refuted" if found.answer == SAT else "unknown", found.example, found.reason)
