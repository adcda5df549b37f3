"""Claims and invariants, proved or refuted over all positions that fulfil the model's invariants."""

from __future__ import annotations

from dataclasses import dataclass

from brassspec.checker.symbolic.solver import SAT, UNSAT
from brassspec.checker.symbolic.terms import Bit, Term
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
        return _proof(transition.find([transition.holds(claim.cond)], rlimit=rlimit))
    nothing = m.Transition("claim", claim.name, (), m.Const(m.Bool(), True), (), {})
    transition = SymbolicTransition(model, nothing, backend)
    return _proof(transition.find([transition.holds(m.Not(claim.cond))], rlimit=rlimit))


def inductive(transition: SymbolicTransition, invariant: m.Property, rlimit: int = RLIMIT) -> Proof:
    """That the invariant still holds after the transition, where all invariants held before it.

    Part by part: those that the transition doesn't touch are the same terms, and need no proof.
    """
    given = transition.position.invariants()
    held = {part for cond in (*given, invariant.cond) for part in _parts(transition.holds(cond))}
    for part in _parts(transition.holds(invariant.cond, after=True)):
        if part not in held:
            broken = transition.position.terms.not_(part)
            proof = _proof(transition.find([broken], [*given, invariant.cond], rlimit))
            if proof.verdict != "proved":
                return proof
    return Proof("proved")


def _parts(bit: Bit) -> tuple[Bit, ...]:
    return bit.conjuncts if isinstance(bit, Term) and bit.conjuncts else (bit,)


def _proof(found: Found) -> Proof:
    if found.answer == UNSAT:
        return Proof("proved")
    return Proof("refuted" if found.answer == SAT else "unknown", found.example, found.reason)
