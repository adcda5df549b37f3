"""The symbolic meaning of a rule model: Z3 formulas, and what can be asked of them. Only this package imports Z3."""

from brassspec.checker.symbolic.execution import Judgement
from brassspec.checker.symbolic.interpreter import Interpreter
from brassspec.checker.symbolic.position import Unanswered
from brassspec.checker.symbolic.proofs import INVARIANTS, Example, Proof, Prover, Provers
from brassspec.checker.symbolic.rules import SymbolicRules
from brassspec.checker.symbolic.transition import Completion, Decision, SymbolicTransition
from brassspec.checker.symbolic.values import UNKNOWN

__all__ = [
    "INVARIANTS",
    "UNKNOWN",
    "Completion",
    "Decision",
    "Example",
    "Interpreter",
    "Judgement",
    "Proof",
    "Prover",
    "Provers",
    "SymbolicRules",
    "SymbolicTransition",
    "Unanswered",
]
