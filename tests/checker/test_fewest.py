"""The fewest wishes that a model must miss: held against all assignments, question after question on one solver."""

from __future__ import annotations

import itertools
import random

from brassspec.checker.symbolic.fewest import Fewest
from brassspec.checker.symbolic.solver import SAT, UNSAT, Solver
from brassspec.checker.symbolic.terms import Terms

NAMES = 7
Clause = tuple[tuple[int, bool], ...]


def clauses(rng: random.Random, count: int) -> list[Clause]:
    return [tuple((i, rng.random() < 0.5) for i in rng.sample(range(NAMES), 3)) for _ in range(count)]


def fewest(known: list[Clause], given: list[tuple[int, bool]], wishes: list[tuple[int, bool]]) -> int | None:
    """By brute force: the least number of wishes missed, None where nothing fulfils the rest."""
    counts = [
        sum(values[i] is not wanted for i, wanted in wishes)
        for values in itertools.product((False, True), repeat=NAMES)
        if all(any(values[i] is want for i, want in clause) for clause in known)
        and all(values[i] is want for i, want in given)
    ]
    return min(counts, default=None)


def test_as_few_wishes_as_possible_are_missed() -> None:
    missed = set()
    for seed in range(25):
        rng = random.Random(seed)
        terms = Terms()
        bits = [terms.constant(f"x{i}") for i in range(NAMES)]
        solver = Solver(terms, "bv")
        known = clauses(rng, 16)
        solver.add(terms.or_(bits[i] if want else terms.not_(bits[i]) for i, want in clause) for clause in known)
        for _ in range(4):  # one solver for several questions: an answer must not depend on those before
            given = [(0, rng.random() < 0.5), (1, rng.random() < 0.5)]
            wishes = [(i, rng.random() < 0.5) for i in range(NAMES)]
            literals = [
                [terms.term(bits[i] if want else terms.not_(bits[i])) for i, want in x] for x in (given, wishes)
            ]
            answer = Fewest(terms, solver).check(*literals, 10_000_000)
            expected = fewest(known, given, wishes)
            assert answer == (UNSAT if expected is None else SAT)
            if expected is not None:
                model = solver.model()
                assert sum(model.truth(bits[i]) is not want for i, want in wishes) == expected
            missed.add(expected)
    assert {None, 0, 1, 2} <= missed
