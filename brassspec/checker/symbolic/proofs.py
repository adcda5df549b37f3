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

    Parts that the transition doesn't touch are the same terms, and need no proof.
    """
    given = [*transition.position.invariants(), invariant.cond]
    held = {part for cond in given for part in _parts(transition.holds(cond))}
    touched = [part for part in _parts(transition.holds(invariant.cond, after=True)) if part not in held]
    if not touched:
        return Proof("proved")
    terms = transition.position.terms
    return _proof(transition.find([terms.or_(terms.not_(part) for part in touched)], given, rlimit))


def _parts(bit: Bit) -> tuple[Bit, ...]:
    return bit.conjuncts if isinstance(bit, Term) and bit.conjuncts else (bit,)


def _proof(found: Found) -> Proof:
    if found.answer == UNSAT:
        return Proof("proved")
    return Proof("refuted" if found.answer == SAT else "unknown", found.example, found.reason)
