"""The symbolic meaning against the interpreter, networkx, brute force and itself on the other backend."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections import Counter
from typing import Any

import networkx as nx
import pytest
import z3

from brassspec.checker.symbolic import (
    INVARIANTS,
    UNKNOWN,
    Interpreter,
    Provers,
    SymbolicRules,
    SymbolicTransition,
)
from brassspec.checker.symbolic.graphs import Paths
from brassspec.checker.symbolic.numbers import BitVectors
from brassspec.checker.symbolic.position import BACKENDS
from brassspec.checker.symbolic.solver import SAT, UNSAT, Solver
from brassspec.checker.symbolic.symmetry import of_transition, told_apart
from brassspec.checker.symbolic.terms import Terms
from brassspec.checker.symbolic.transition import BOUNDS, WHEN
from brassspec.rules import model as m

from . import board as b

SMALL = b.board(7, 8, 6, 2)  # places enough that sets of ends count as small
TINY = b.board(3, 2, 2, 2, hauls=1)
TRANSITIONS = {t.name: t for t in [*SMALL.actions.values(), *SMALL.steps, *SMALL.chances.values()]}


@pytest.fixture(scope="module", params=["bv", "int"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def rules(backend: str) -> SymbolicRules:
    return SymbolicRules(SMALL, backend)


def transition(model: m.Model, name: str) -> m.Transition:
    return next(t for t in [*model.actions.values(), *model.steps, *model.chances.values()] if t.name == name)


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize("name", TRANSITIONS)
def test_judges_as_the_interpreter(name: str, rules: SymbolicRules) -> None:
    t, rng, interpreter = TRANSITIONS[name], random.Random(name), Interpreter(SMALL)
    seen: Counter[bool] = Counter()
    for _ in range(300):
        state, args = b.random_state(rng, SMALL), b.random_args(rng, SMALL, t)
        if "p" in args and rng.random() < 0.8:
            args["p"] = state[b.MOVER]
        judgement = rules.transition(t).judge(state, args)
        assert judgement == interpreter.judge(t, state, args)
        seen[judgement.legal] += 1
    assert min(seen[True], seen[False]) > 5


def state_of(model: m.Model, **given: Any) -> tuple[Any, ...]:
    """The defaults, which are constants on this board, and what is given."""
    state = []
    for name, var in model.state.items():
        size = 1
        for key in var.keys:
            size *= model.size(key)
        assert isinstance(var.default, m.Const)
        value = (var.default.value,) * size if var.keys else var.default.value
        state.append(given.get(name, value))
    return tuple(state)


MINE_AT_1 = (None, (1, b.MINE, 1, False, 1), None, None, None, None)


def test_effects_are_decoded_and_the_rest_is_as_before(rules: SymbolicRules) -> None:
    given: dict[str, Any] = {"track": (1,) * SMALL.size(b.LINK), "marks": frozenset({2})}
    state = state_of(SMALL, tile=MINE_AT_1, **given)
    args = {"p": 0, "slot": 0, "trade": b.MILL, "level": 2, "coal.len": 1, "coal.0": 1, "coal.1": None}
    judgement = rules.action("build").judge(state, args)
    tiles = ((0, b.MILL, 2, False, 0), (1, b.MINE, 1, False, 0), None, None, None, None)
    assert judgement.state == state_of(SMALL, tile=tiles, money=(17 - 8 - 2, 17), **given)


def test_violations_stand_once_in_node_order(rules: SymbolicRules) -> None:
    state = state_of(SMALL, tile=MINE_AT_1, mover=1)
    args = {"p": 0, "slot": 1, "trade": b.MILL, "level": 1, "coal.len": 2, "coal.0": None, "coal.1": None}
    judgement = rules.action("build").judge(state, args)
    assert judgement.violated == ("build.turn", "build.coal", "build.empty", "coal.mine_first")
    assert judgement.state is None


def test_what_reads_something_undefined_is_unevaluated(rules: SymbolicRules) -> None:
    args = {"p": 0, "slot": 0, "trade": b.PORT, "level": 4, "coal.len": 2, "coal.0": None, "coal.1": None}
    judgement = rules.action("build").judge(state_of(SMALL), args)
    assert (judgement.violated, judgement.unevaluated) == ((), ("build.money",))
    assert not judgement.legal


def test_a_step_tells_whether_it_is_due_and_overflow_is_a_fault(rules: SymbolicRules) -> None:
    income = rules.transition(SMALL.steps[0])
    assert not income.judge(state_of(SMALL), {}).when
    tiles = ((0, b.MILL, 4, False, 0), None, None, None, None, None)
    due = income.judge(state_of(SMALL, tile=tiles, demand=1), {})
    assert due.when
    assert due.state == state_of(SMALL, tile=tiles, demand=4, money=(21, 17))
    rich = income.judge(state_of(SMALL, tile=tiles, demand=1, money=(96, 17)), {})
    assert (rich.legal, rich.violated, rich.faults) == (False, (), ("money",))


def test_chance_of_no_weight_is_not_due(rules: SymbolicRules) -> None:
    flood = rules.chance("flood")
    full, empty = (0, b.MINE, 1, False, 3), (0, b.MINE, 1, False, 0)
    state = state_of(SMALL, tile=(full, empty, None, None, None, None))
    found = [flood.judge(state, {"slot": slot}) for slot in range(3)]
    assert [(j.when, j.weight) for j in found] == [(True, 3), (False, 0), (False, 0)]


# ---------------------------------------------------------------- questions


@pytest.mark.parametrize("name", TRANSITIONS)
def test_completions_are_right_and_backends_agree(name: str) -> None:
    t, rng, interpreter = TRANSITIONS[name], random.Random(name), Interpreter(SMALL)
    one, two = SymbolicTransition(SMALL, t, "bv"), SymbolicTransition(SMALL, t, "int")
    seen: Counter[str] = Counter()
    for i in range(60):
        hidden = (0.05, 0.2, 0.6)[i % 3]
        state = tuple(hide(rng, value, hidden) for value in b.random_state(rng, SMALL))
        args = {k: v for k, v in b.random_args(rng, SMALL, t).items() if rng.random() > hidden}
        decisions = [s.decide(state, args) for s in (one, two)]
        assert decisions[0].verdict == decisions[1].verdict
        seen[decisions[0].verdict] += 1
        for decision in decisions:
            for legal, completion in ((True, decision.legal), (False, decision.illegal)):
                if completion:
                    judgement = interpreter.judge(t, completion.state, completion.args)
                    assert judgement == completion.judgement
                    assert (judgement.legal and judgement.when) == legal
                    assert agrees(state, completion.state)
                    invariant = SMALL.properties[0].cond
                    assert interpreter.holds(invariant, completion.state, {})
    assert len(seen) > 1


def hide(rng: random.Random, value: Any, hidden: float) -> Any:
    if rng.random() < hidden:
        return UNKNOWN
    return tuple(hide(rng, part, hidden) for part in value) if isinstance(value, tuple) else value


def agrees(partial: Any, full: Any) -> bool:
    if partial is UNKNOWN:
        return True
    if isinstance(partial, tuple) and isinstance(full, tuple):
        return all(agrees(x, y) for x, y in zip(partial, full, strict=True))
    return bool(partial == full)


def test_decisions_and_cores_by_brute_force(backend: str) -> None:
    """Two tracks, the demand, a purse and the source of the coal unknown: every completion is judged."""
    build = TINY.actions["build"]
    symbolic, interpreter = SymbolicTransition(TINY, build, backend), Interpreter(TINY)
    rng, seen = random.Random(5), Counter[str]()
    for _ in range(25):
        tile, _, money, _, mover, marks = b.random_state(rng, TINY)
        known = {k: v for k, v in b.random_args(rng, TINY, build).items() if not k.startswith("coal.")}
        if rng.random() < 0.7:
            known["p"] = mover
        decision = symbolic.decide((tile, UNKNOWN, (UNKNOWN, money[1]), UNKNOWN, mover, marks), known, invariants=[])
        judgements = [
            interpreter.judge(build, (tile, track, (purse, money[1]), demand, mover, marks), {**known, **coal})
            for track in itertools.product((None, 0, 1), repeat=2)
            for purse in (0, 99)  # more money never hurts
            for demand in (0, 1)
            for coal in ({"coal.len": 0, "coal.0": None}, *({"coal.len": 1, "coal.0": s} for s in (None, 0, 1)))
        ]
        legal = [j.legal for j in judgements]
        assert decision.verdict == ("always" if all(legal) else "depends" if any(legal) else "never")
        seen[decision.verdict] += 1
        if decision.verdict == "never":
            assert decision.minimal
            failed = [failures(j) for j in judgements]
            assert all(names & set(decision.core) for names in failed)
            for name in decision.core:
                assert any(not names & (set(decision.core) - {name}) for names in failed)
    assert seen["never"] > 3
    assert seen["depends"] > 3


def failures(judgement: Any) -> set[str]:
    return {*judgement.violated, *judgement.unevaluated, *([BOUNDS] if judgement.faults else [])}


def test_a_core_names_only_what_matters(rules: SymbolicRules) -> None:
    poor = state_of(SMALL, tile=UNKNOWN, track=UNKNOWN, money=(3, 17))
    decision = rules.action("build").decide(poor, {"p": 0})
    assert (decision.verdict, decision.core) == ("never", ("build.money",))
    assert rules.action("build").decide(poor, {"p": 1}).core == ("build.turn",)
    assert rules.action("build").decide((*poor[:4], UNKNOWN, *poor[5:]), {}).verdict == "depends"
    assert rules.transition(SMALL.steps[0]).decide(state_of(SMALL), {}).core == (WHEN,)


def test_always_and_assumptions(rules: SymbolicRules) -> None:
    link, state = rules.action("link"), state_of(SMALL, money=(UNKNOWN, UNKNOWN), tile=UNKNOWN)
    move = {"p": 0, "one": 0, "two": 1}
    assert link.decide(state, move).verdict == "depends"
    rich = b.eq(m.Read(b.MONEY, "money", "money", (m.Var(b.PLAYER, "p"),)), b.num(50), ">")
    assert link.decide(state, move, assumptions=[rich]).verdict == "always"
    assert link.decide(state, move, assumptions=[rich, m.Not(rich)]).verdict == "impossible"


def test_either_order_is_put_in_order_unless_known(rules: SymbolicRules) -> None:
    link = rules.action("link")
    for _ in range(3):
        found = link.decide(state_of(SMALL), {"two": 3}).legal
        assert found is not None
        assert found.args["one"] <= 3
    assert link.decide(state_of(SMALL), {"p": 0, "one": 1, "two": 0}).verdict == "always"


def test_a_budget_that_runs_out_is_unknown(rules: SymbolicRules) -> None:
    decision = SymbolicTransition(SMALL, SMALL.actions["build"], rules.backend).decide(
        (UNKNOWN,) * len(SMALL.state), {}, rlimit=1
    )
    assert decision.verdict == "unknown"
    assert decision.reason


def test_a_new_solver_is_asked_where_the_kept_one_gives_up(
    rules: SymbolicRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    poor, build = state_of(SMALL, tile=UNKNOWN, money=(3, 17)), rules.action("build")
    wanted = [build.decide(poor, {"p": p}) for p in (0, 1)]
    kept, check = build._solver, Solver.check

    def gives_up(self: Solver, *args: Any) -> str:
        return "unknown" if self is kept else check(self, *args)

    monkeypatch.setattr(Solver, "check", gives_up)
    found = [build.decide(poor, {"p": p}) for p in (0, 1)]
    assert [d.verdict for d in found] == [d.verdict for d in wanted] == ["never", "never"]


def test_the_same_questions_give_the_same_answers(backend: str) -> None:
    def answers() -> list[Any]:
        link = SymbolicTransition(SMALL, SMALL.actions["link"], backend)
        return [link.decide((UNKNOWN,) * len(SMALL.state), {"one": one}) for one in range(4)]

    assert answers() == answers()


def test_smt2_asks_the_same(rules: SymbolicRules) -> None:
    link = rules.action("link")
    for state, args in ((state_of(SMALL), {"one": 1}), (state_of(SMALL), {"one": 1, "two": 1})):
        decision = link.decide(state, args)
        solver = z3.Solver()
        solver.from_string(link.smt2(state, args))
        assert (solver.check() == z3.sat) == (decision.legal is not None)


# ---------------------------------------------------------------- rules and proofs


def test_steps_run_until_none_is_due(rules: SymbolicRules) -> None:
    tiles = ((0, b.MILL, 1, False, 0), None, None, None, None, None)
    state = state_of(SMALL, tile=tiles, demand=2)
    args = {"p": 0, "slot": 1, "trade": b.MILL, "level": 1, "coal.len": 1, "coal.0": None, "coal.1": None}
    after = rules.step(state, "build", args).state
    both = (tiles[0], tiles[0], None, None, None, None)
    assert after == state_of(SMALL, tile=both, demand=4, money=(17 - 6 + 2, 17))
    assert rules.step(state, "build", {**args, "p": 1}).violated == ("build.turn",)


def test_an_implied_action_takes_itself(backend: str) -> None:
    ended = m.Assign("marks.1", "marks", "marks", (), m.Const(m.Set(b.TRADE), frozenset({0})))
    end = m.Transition("action", "end", (), b.TRUE, (ended,), {"marks": "marks.1"}, implied=True)
    model = dataclasses.replace(SMALL, actions={"end": end})
    marks = list(model.state).index("marks")
    rules = SymbolicRules(model, backend, lambda state: [] if state[marks] else [(0, ())])
    assert rules.rest(state_of(model)) == state_of(model, marks=frozenset({0}))


def test_claims(backend: str) -> None:
    claims = {p.name: p for p in SMALL.properties if p.kind == "claim"}
    provers = Provers(SMALL)
    assert provers.claim(claims["ports"], backend, 4_000_000).verdict == "proved"
    refuted = provers.claim(claims["mills"], backend, 4_000_000)
    assert refuted.verdict == "refuted"
    assert refuted.counterexample is not None
    names = [p.name for p in SMALL.actions["build"].scalars()]
    args = dict(zip(names, refuted.counterexample.args, strict=True))
    assert (args["trade"], args["slot"]) == (b.MILL, 0)


def with_purse(member: int) -> m.Model:
    """The small game with an invariant about the purse of one player."""
    purse = b.eq(m.Read(b.MONEY, "money", "money", (b.member(b.PLAYER, member),)), b.num(50), "<=")
    modest = m.Property("modest", "", (), "invariant", (), purse, "", 0)
    return dataclasses.replace(SMALL, properties=(*SMALL.properties, modest))


def test_induction(backend: str) -> None:
    cubes = SMALL.properties[0]
    for t in TRANSITIONS.values():
        assert Provers(SMALL).of(t.name, backend).keeps(cubes).verdict == "proved"
    model = with_purse(0)
    modest = model.properties[-1]
    assert Provers(model).of("link", backend).keeps(modest).verdict == "proved"
    refuted = Provers(model).of(model.steps[0].name, backend).keeps(modest).counterexample
    assert refuted is not None
    after = SymbolicRules(model, backend).transition(model.steps[0]).judge(refuted.state, refuted.args).state
    assert after is not None
    assert refuted.state[2][0] <= 50 < after[2][0]


def test_what_an_invariant_says_of_the_parameters_follows_from_it(backend: str) -> None:
    found = 0
    for t, p in itertools.product(TINY.actions.values(), TINY.properties):
        if p.kind in INVARIANTS:
            prover = Provers(TINY).of(t.name, backend)
            terms, cone = prover.position.terms, prover.position.cone
            assert cone is not None
            for bit in prover._where_it_acts(p.cond):
                reach = cone.reach([terms.term(terms.not_(bit)), terms.term(prover._holds(p.cond))])
                while left := [d for d in reach.definitions() if d not in reach.found]:
                    for definition in left:
                        reach.add(definition)
                solver = Solver(terms, backend)
                solver.add(reach.found)
                assert solver.check(()) == UNSAT
                found += 1
    assert found


def test_who_is_told_apart() -> None:
    player = m.Var(b.PLAYER, "p")
    named = b.eq(player, b.member(b.PLAYER, 1))
    earlier = m.Compare("<", player, m.Var(b.PLAYER, "q"))
    first = m.Exists(m.Pick(m.Option(b.PLAYER), player, b.PLAYER, b.TRUE))
    every = m.Quant("all", player, b.PLAYER, b.eq(player, m.Var(b.PLAYER, "q")))
    absent = b.eq(m.Var(m.Option(b.PLAYER), "q"), m.Const(m.Option(b.PLAYER), None))
    for cond, apart in ((named, True), (earlier, True), (first, True), (every, False), (absent, False)):
        assert ("Player" in told_apart(SMALL, [cond])) is apart
        definition = m.Define("it", (), (), cond)
        model = dataclasses.replace(SMALL, defines={**SMALL.defines, "it": definition})
        assert ("Player" in told_apart(model, [m.Call(m.Bool(), "it", (), ())])) is apart
    assert {"Slot", "Link"} <= told_apart(SMALL, of_transition(SMALL.actions["build"]))  # there are tables of them


def test_of_players_who_are_alike_the_first_one_acts(backend: str) -> None:
    assert Provers(SMALL).of("build", backend).args["p"] == 0
    assert Provers(with_purse(1)).of("build", backend).args["p"] != 0


def test_bounds(backend: str) -> None:
    """Income has no bound of its own in the small game, so that money can overflow; nothing else can."""
    prover = Provers(SMALL).of(SMALL.steps[0].name, backend)
    found = {name: prover.stays_within(name).verdict for name in prover.bounds}
    assert found == {"money": "refuted", "demand": "proved"}


# ---------------------------------------------------------------- definedness


NONE = m.Const(m.Option(b.MONEY), None)
GONE = m.Get(b.MONEY, NONE)
ZERO, ONE = b.num(0), b.num(1)
UNDEFINED = b.eq(GONE, ZERO)
FALSE = m.Not(b.TRUE)
Y = m.Var(b.MONEY, "y")
V = m.Var(b.TRADE, "v@1")
NOWHERE = m.SetOf(m.Set(b.TRADE), (m.Get(b.TRADE, m.Const(m.Option(b.TRADE), None)),))
DEMAND = m.Read(b.DEMAND, "demand", "demand", ())
LATER = m.Read(b.DEMAND, "demand", "demand.1", ())


@pytest.mark.parametrize(
    ("cond", "value"),
    [
        (UNDEFINED, False),
        (m.Not(UNDEFINED), True),
        (m.Not(m.Exists(NONE)), True),
        (m.In(GONE, m.SetOf(m.Set(b.MONEY), (ZERO,))), False),
        (m.In(ZERO, m.SetOf(m.Set(b.MONEY), (ZERO, GONE))), False),
        (b.eq(m.If(b.MONEY, FALSE, GONE, ONE), ONE), True),
        (b.eq(m.If(b.MONEY, UNDEFINED, GONE, ONE), ONE), True),
        (
            b.eq(
                m.Fold(b.MONEY, "sum", V, b.TRADE, b.TRUE, m.If(b.MONEY, b.eq(V, b.member(b.TRADE, 1)), GONE, ONE)),
                b.num(2),
            ),
            True,
        ),
        (m.Quant("all", V, b.TRADE, UNDEFINED), False),
        (m.Quant("some", V, b.TRADE, m.Not(UNDEFINED)), True),
        (m.Exists(m.Pick(m.Option(b.TRADE), V, b.TRADE, UNDEFINED)), False),
        (m.Not(m.Exists(m.Pick(m.Option(b.TRADE), V, b.TRADE, m.In(V, NOWHERE)))), True),
        (b.eq(m.Fold(b.MONEY, "count", V, b.TRADE, m.And((m.In(V, NOWHERE), b.TRUE)), ONE), ZERO), True),
        (b.eq(m.Fold(b.MONEY, "count", V, NOWHERE, b.TRUE, ONE), ZERO), False),
        (b.eq(m.Lookup(b.MONEY, "cost", (b.member(b.TRADE, b.PORT), b.num(4))), ZERO, ">="), False),
        (b.eq(m.Lookup(b.MONEY, "cost", (b.member(b.TRADE, b.MILL), b.arith("+", b.num(4), ONE))), ZERO, ">="), False),
        (
            b.eq(
                m.Get(b.TRADE, m.Pick(m.Option(b.TRADE), V, b.TRADE, b.eq(V, b.member(b.TRADE, 0), "!="))),
                b.member(b.TRADE, 1),
            ),
            True,
        ),
        (b.eq(b.arith("div", b.num(-7), b.num(2)), b.num(-4)), True),
        (b.eq(b.arith("mod", b.num(-7), b.num(2)), ONE), True),
    ],
)
def test_conditions(cond: m.Expr, value: bool) -> None:
    assert Interpreter(SMALL).holds(cond, state_of(SMALL), {}) == value


def lower(guard: m.Expr | None, by: m.Expr) -> m.Assign:
    return m.Assign("demand.1", "demand", "demand", (), b.arith("-", DEMAND, by), guard)


@pytest.mark.parametrize(
    ("nodes", "violated", "unevaluated", "faults"),
    [
        ([m.Let("y", GONE), m.Require("r", b.eq(Y, ZERO))], [], ["r"], []),
        ([m.Let("y", GONE), m.Require("r", m.Not(b.eq(Y, ZERO)))], [], ["r"], []),
        ([m.Let("y", GONE), m.Require("r", b.TRUE, guard=b.eq(Y, ZERO))], [], ["r"], []),
        ([m.Let("y", GONE), m.Require("r", b.TRUE, (m.Exception_("x", b.eq(Y, ZERO)),))], [], ["r"], []),
        ([m.Let("y", GONE), m.Require("r", b.eq(Y, ZERO), guard=FALSE)], [], [], []),
        ([m.Let("y", GONE, FALSE), m.Require("r", b.TRUE, guard=b.eq(Y, ZERO))], [], [], []),
        ([m.Let("y", GONE), m.Let("z", UNDEFINED), m.Require("r", m.Var(b.B, "z"))], ["r"], [], []),
        ([m.Let("y", GONE), m.Let("z", b.eq(Y, ZERO)), m.Require("r", m.Var(b.B, "z"))], [], ["r"], []),
        ([m.Let("z", b.TRUE, FALSE), m.Require("r", m.Not(m.Var(b.B, "z")))], [], [], []),
        ([m.Require("r", UNDEFINED)], ["r"], [], []),
        ([m.Require("r", FALSE, (m.Exception_("x", b.TRUE),))], [], [], []),
        ([m.Require("r", FALSE, (m.Exception_("x", UNDEFINED),))], ["r"], [], []),
        ([lower(None, b.num(6)), m.Require("r", b.eq(LATER, ZERO))], [], ["r"], []),
        ([lower(None, b.num(6))], [], [], ["demand"]),
        ([lower(FALSE, b.num(6)), m.Require("r", b.eq(LATER, b.num(5)))], [], [], []),
        ([lower(None, b.num(5)), m.Require("r", b.eq(LATER, ZERO))], [], [], []),
        ([lower(FALSE, GONE), m.Require("r", b.eq(LATER, b.num(5)))], [], [], []),
        ([lower(None, b.num(6)), m.Require("r", FALSE)], ["r"], [], []),
    ],
)
def test_transitions(
    nodes: list[m.Node], violated: list[str], unevaluated: list[str], faults: list[str], backend: str
) -> None:
    final = {node.var: node.name for node in nodes if isinstance(node, m.Assign)}
    t = m.Transition("action", "t", (), b.TRUE, tuple(nodes), final)
    expected = (tuple(violated), tuple(unevaluated), tuple(faults))
    for judge in (SymbolicTransition(TINY, t, backend).judge, lambda s, a: Interpreter(TINY).judge(t, s, a)):
        judgement = judge(state_of(TINY), {})
        assert (judgement.violated, judgement.unevaluated, judgement.faults) == expected
        assert judgement.legal == (not any(expected))


# ---------------------------------------------------------------- numbers, graphs


def test_numbers(backend: str) -> None:
    """Each operation on two symbolic numbers against Python, at their bounds and at random."""
    rng = random.Random(3)
    for _ in range(25):
        terms = Terms()
        numbers = BACKENDS[backend](terms)
        solver = Solver(terms, backend)
        bounds = [sorted(rng.sample(range(-20, 21), 2)) for _ in range(2)]
        x, y = (numbers.variable(name, lo, hi) for name, (lo, hi) in zip("xy", bounds, strict=True))
        by = rng.randint(1, 7)
        results: dict[str, Any] = {
            "add": numbers.add(x, y),
            "sub": numbers.sub(x, y),
            "neg": numbers.sub(by, x),
            "mul": numbers.mul(x, -by),
            "div": numbers.div(x, by),
            "mod": numbers.mod(y, by),
            "min": numbers.min(x, y),
            "max": numbers.max(x, numbers.add(y, by)),
            "sum": numbers.total([x, y, 3, numbers.ite(numbers.le(x, y), x, 0), y]),
        }
        truths = {"le": numbers.le(x, y), "eq": numbers.eq(x, y), "in": numbers.within(x, -by, by)}
        solver.add([numbers.proper(x), numbers.proper(y)])
        shown = {}
        for name, result in results.items():
            if isinstance(result, int):
                continue
            shown[name] = numbers.variable(f"={name}", result.lo, result.hi)
            solver.add([numbers.eq(shown[name], result)])
        for name, bit in truths.items():
            solver.add([terms.iff(terms.constant(f"={name}"), bit)])
        pairs = [*itertools.product(*bounds), *((rng.randint(*bounds[0]), rng.randint(*bounds[1])) for _ in range(4))]
        for i, j in pairs:
            assert solver.check([*numbers.literals(x, i), *numbers.literals(y, j)]) == SAT
            model = solver.model()
            got = {name: numbers.read(shown[name], model) if name in shown else results[name] for name in results}
            assert got == {
                "add": i + j,
                "sub": i - j,
                "neg": by - i,
                "mul": -by * i,
                "div": i // by,
                "mod": j % by,
                "min": min(i, j),
                "max": max(i, j + by),
                "sum": i + j + 3 + (i if i <= j else 0) + j,
            }
            found = {name: model.truth(terms.constant(f"={name}")) for name in truths}
            assert found == {"le": i <= j, "eq": i == j, "in": -by <= i <= by}


def test_paths_as_networkx(backend: str) -> None:
    """Random graphs with edges of two or three nodes, known beforehand, or assumed of a symbolic graph and source."""
    rng = random.Random(7)
    for nodes, edges in ((1, 0), (2, 1), (5, 6), (9, 12)):
        ends = [sorted(rng.sample(range(nodes), min(nodes, 3 if i % 4 == 3 else 2))) for i in range(edges)]
        terms = Terms()
        numbers = BACKENDS[backend](terms)
        there = [terms.constant(f"edge{i}") for i in range(edges)]
        start = [terms.constant(f"from{v}") for v in range(nodes)]
        symbolic = Paths(terms, numbers, list(zip(there, ends, strict=True)), start)
        solver = Solver(terms, backend)
        shown: dict[int, Any] = {}
        for v in range(nodes):
            distance = symbolic.distance(v)
            assert not isinstance(distance, int)
            shown[v] = numbers.variable(f"to{v}", distance.lo, distance.hi)
            solver.add([numbers.eq(shown[v], distance), terms.iff(terms.constant(f"ok{v}"), symbolic.connected(v))])
        for _ in range(15):
            present, source = [rng.random() < 0.5 for _ in ends], rng.randrange(nodes)
            graph = nx.Graph()
            graph.add_nodes_from(range(nodes))
            for p, e in zip(present, ends, strict=True):
                graph.add_edges_from(itertools.combinations(e, 2) if p else ())
            lengths = nx.single_source_shortest_path_length(graph, source)
            expected = [lengths.get(v, nodes) for v in range(nodes)]
            known = Paths(terms, numbers, list(zip(present, ends, strict=True)), [v == source for v in range(nodes)])
            assert [known.distance(v) for v in range(nodes)] == expected
            assert [known.connected(v) for v in range(nodes)] == [v in lengths for v in range(nodes)]
            literals = [terms.term(e if p else terms.not_(e)) for p, e in zip(present, there, strict=True)]
            literals += [terms.term(s if v == source else terms.not_(s)) for v, s in enumerate(start)]
            assert solver.check(literals) == SAT
            model = solver.model()
            assert [numbers.read(shown[v], model) for v in range(nodes)] == expected
            assert [model.truth(terms.constant(f"ok{v}")) for v in range(nodes)] == [v in lengths for v in range(nodes)]


def test_what_is_known_needs_no_formula() -> None:
    terms = Terms()
    numbers = BitVectors(terms)
    x, y = numbers.variable("x", 0, 4), numbers.variable("y", 4, 9)
    assert numbers.le(x, y) is True
    assert numbers.eq(x, 5) is False
    bit = terms.constant("bit")
    assert terms.and_((bit, terms.not_(bit))) is False
    assert terms.or_((bit, True)) is True
    assert terms.not_(terms.not_(bit)) is bit
