"""What is proved of one transition: that it keeps invariants and bounds, and what is claimed of it.

Every invariant is taken to hold in every position, at rest or between two automatic steps, so each transition is proved by
itself. An action or chance event happens only where no step is due, a step only where none before it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from brassspec.checker.symbolic.cone import Reach
from brassspec.checker.symbolic.evaluator import Frame
from brassspec.checker.symbolic.execution import State, execute
from brassspec.checker.symbolic.hints import ALL, Notes, needed, shipped
from brassspec.checker.symbolic.position import Position
from brassspec.checker.symbolic.solver import SAT, UNKNOWN, UNSAT, Model, Solver
from brassspec.checker.symbolic.symmetry import of_transition, told_apart
from brassspec.checker.symbolic.terms import Bit, Term
from brassspec.checker.symbolic.transition import parameters, read_parameters
from brassspec.checker.symbolic.values import Maybe, OneHot, Value
from brassspec.rules import model as m

RLIMIT = 20_000_000  # for one question, in Z3's units
INVARIANTS = ("invariant", "in play")  # the kinds of properties that every position in play fulfils
ROUNDS = {"bv": 3, "int": 14}  # after which all that is known is given: with bit-vectors that is soon the quicker way
FEW = 1  # such rounds for a claim: it is about much at once
LITTLE = 8  # constants that a condition brings in, of which a proof can have many
NEAR = 2  # as LITTLE, where no counterexample contradicts it yet
PATIENCE = 3  # counterexamples after which NEAR is LITTLE, too
MORE = 4  # facts of a kind that are added at first, twice as many each time
QUICK = 2  # questions after which a proof is found quickly enough to do without a hint
DEAR = 10_000  # Z3's units that are too many for that
PATIENT = 20  # times as many may be spent to find out what a proof needs

POSITIONS = "(positions)"  # instead of a transition's name: no name in a spec has brackets
NOTHING = m.Transition("claim", "", (), m.Const(m.Bool(), True), (), {})


@dataclass(frozen=True, slots=True)
class Example:
    """A position, and a transition that is legal or due in it."""

    state: State
    args: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """verdict: "proved", "refuted" by the counterexample, or "unknown" for `reason`."""

    verdict: str
    counterexample: Example | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search came to: by these conditions, after so many questions."""

    proof: Proof
    conditions: Iterable[Term] = ()
    questions: int = 0


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be proved, and what is given with it first of all: for a part of an invariant that it held before."""

    bit: Bit
    given: Bit = True


class Ground:
    """A symbolic position, all invariants told, and what is known of positions, loaded once: from here provers go on."""

    def __init__(self, model: m.Model, backend: str) -> None:
        self.backend = backend
        self.position = Position(model, backend, cone=True)
        self._loaded: dict[tuple[str, ...], Loaded] = {}
        self.invariants(INVARIANTS)

    def invariants(self, kinds: tuple[str, ...]) -> list[Bit]:
        return [self.position.holds(p.cond, {}) for p in self.position.model.properties if p.kind in kinds]

    def all_known(self, kinds: tuple[str, ...]) -> Loaded:
        """A solver with all that is known of positions that fulfil invariants of these kinds."""
        if kinds not in self._loaded:
            terms, cone = self.position.terms, self.position.cone
            assert cone is not None
            told = terms.parts(terms.and_(self.invariants(kinds)))
            reach = cone.reach([*(part for part in told if isinstance(part, Term)), *cone.everything()])
            reach.close()
            self._loaded[kinds] = Loaded(Solver(terms, self.backend), reach.found)
        return self._loaded[kinds]


class Loaded:
    """What is known of positions, in a solver, with what one prover adds to it for itself: another's takes its place."""

    def __init__(self, solver: Solver, known: dict[Term, None]) -> None:
        self.solver = solver
        self._known = known
        self._user: Prover | None = None
        self._added = 0
        solver.add(known)

    def add(self, user: Prover, terms: dict[Term, None]) -> None:
        """Adds those of a prover's terms that are not there. They may become more, at the end."""
        if self._user is not user:
            if self._user is not None:
                self.solver.pop()
            self.solver.push()
            self._user, self._added = user, 0
        self.solver.add(x for x in islice(terms, self._added, None) if x not in self._known)
        self._added = len(terms)


class Prover:
    """One transition (none: positions at large), loaded once, and what is asked of it. What is proved is not proved again.

    ground: where it begins, with what all transitions share. alike: sorts whose members neither the transition nor any property of the
    model tells apart, so that a parameter may as well be the first. sound: the numbers of the nodes of the transition that are
    proved to be defined and within bounds. Nodes are those of the rules, so provers of other backends may share and add to it.
    notes: what is known of its proofs from other runs.
    """

    def __init__(
        self,
        ground: Ground,
        transition: m.Transition,
        alike: frozenset[str] = frozenset(),
        sound: set[int] | None = None,
        notes: Notes | None = None,
    ) -> None:
        self.ground = ground
        self.position = ground.position.branch(transition.name or POSITIONS)
        self.model = self.position.model
        self.transition = transition
        self.backend = ground.backend
        self._terms = self.position.terms
        self.args = parameters(self.position, transition) | self._first(alike)
        self._run = run = execute(self.position.evaluator, transition, self.args)
        terms = self._terms
        possible = True if run.weight is None else terms.not_(self.position.values.less_equal(run.weight, 0))
        kept = (terms.not_(terms.or_((v.unevaluated, v.violated))) for v in run.verdicts)
        self.happens = terms.and_((run.when, possible, self._rests(), *kept))
        self.bounds = {name: version.defined for name, version in run.final.items()}
        self.rlimit = RLIMIT
        self._brief = False
        self._opening: int | None = None  # the first goal since `begin`
        self.units = 0  # of Z3's work so far
        self._smt2: Path | None = None
        self._written = 0
        self._kinds: tuple[str, ...] = INVARIANTS
        self._known: dict[tuple[str, ...], list[Term]] = {}
        self._sound: set[int] = set() if sound is None else sound
        self.notes = Notes({}) if notes is None else notes
        self._unsound: dict[int, Proof] = {}  # of nodes that can't be proved with what a question may cost now
        self._wholes: dict[tuple[str, ...], Reach] = {}
        self._assumed: dict[Term, Term] = {}  # literals for conditions
        self._kept: set[Bit] = set()  # goals that are proved of the position after, where all bounds are kept

    def _first(self, alike: frozenset[str]) -> dict[str, Value]:
        """The first parameter of each sort whose members are alike, as the sort's first member."""
        firsts: dict[m.Type, str] = {}
        for p in self.transition.scalars():
            if isinstance(p.type, m.Sort) and p.type.name in alike:
                firsts.setdefault(p.type, p.name)
        return {name: self.position.values.first(t) for t, name in firsts.items()}

    def _rests(self) -> Bit:
        """That no automatic step is due, or none before this one."""
        if not self.transition.name:
            return True
        steps = list(self.model.steps)
        before = steps[: steps.index(self.transition)] if self.transition in steps else steps
        return self._terms.not_(self._terms.or_(self._holds(step.when) for step in before))

    def _holds(self, condition: m.Expr, after: bool = False) -> Bit:
        return self.position.holds(
            condition, {} if after else self.args, self.position.evaluator.after if after else None
        )

    def begin(self, rlimit: int, smt2: Path | None = None, brief: bool = False) -> None:
        """What each of the next questions may cost; and where the solver's texts go, as NAME-NUMBER.smt2.

        brief: whether what is known to be hard is left at once.
        """
        if (rlimit, brief) != (self.rlimit, self._brief):
            self._unsound.clear()
        self.rlimit, self._smt2, self._written, self._brief = rlimit, smt2, 0, brief
        self._opening = None

    def avoid(self) -> None:
        """Notes that another backend is a lot quicker about what was asked since `begin`."""
        if self._opening is not None:
            self.notes.avoid(self._opening)

    # ---------------------------------------------------------------- questions

    def keeps(self, invariant: m.Property) -> Proof:
        """That the invariant holds after the transition, where all invariants held before it."""
        reads = self.position.evaluator.syntax.reads(invariant.cond).versions
        if not reads & set(self.transition.final):
            return Proof("proved")
        before, after = (
            self._terms.parts(self._holds(invariant.cond)),
            self._terms.parts(self._holds(invariant.cond, after=True)),
        )
        own = before if len(before) == len(after) else [self._terms.and_(before)] * len(after)
        bounds = list(self.bounds.values())
        by_law = self._where_put(invariant.cond, reads & set(self.transition.final))
        if by_law:
            proof = self._all([Goal(bit) for bit in by_law], bounds, proved=self._kept)
            if proof.verdict != "refuted":  # what can't be told of the one place can't be told of all the sooner
                return proof
        goals = [Goal(new, old) for new, old in zip(after, own, strict=True) if new not in set(before)]
        return self._all(goals, bounds, proved=self._kept)

    def _where_put(self, condition: m.Expr, changed: frozenset[str]) -> list[Bit]:
        """What is enough for `all x: ...` to hold still: that it holds where the one variable that was changed was changed."""
        parts = condition.items if isinstance(condition, m.And) else (condition,)
        found: list[Bit] = []
        for part in parts:
            if len(changed) != 1 or not isinstance(part, m.Quant) or part.kind != "all":
                return []
            bit = self.position.evaluator.put_last(next(iter(changed)), part)
            if bit is None:
                return []
            found += self._terms.parts(bit)
        return found

    def stays_within(self, variable: str) -> Proof:
        """That the transition leaves nothing undefined in a state variable, and no number beyond its bounds."""
        return self._soundness().get(variable, Proof("proved"))

    def _soundness(self) -> dict[str, Proof]:
        """What can't be proved of state variables, node by node: each may go by those before."""
        found: dict[str, Proof] = {}
        shown: list[Bit] = []
        for i, node in enumerate(self._run.sound):
            if i not in self._sound and i not in self._unsound:
                proof = self._all([Goal(reason) for reason in node.reasons if reason not in shown], shown)
                if proof.verdict == "proved":
                    self._sound.add(i)
                else:
                    self._unsound[i] = proof
            if i not in self._sound and node.variable:
                found.setdefault(node.variable, self._unsound[i])
            if i in self._sound or node.variable:
                shown.append(node.bit)  # what comes later is not to be blamed for what goes wrong here
        return found

    def never(self, condition: m.Expr) -> Proof:
        """That the transition never happens where the condition holds."""
        happens = self._terms.and_((self._holds(condition), *self.bounds.values()))
        return self._all([Goal(self._terms.not_(happens))], rounds=FEW)

    def ever(self, condition: m.Expr) -> Proof:
        """As `never`, where an example is sought: it need not fulfil what holds in play only."""
        self._kinds = INVARIANTS[:1]
        try:
            return self.never(condition)
        finally:
            self._kinds = INVARIANTS

    def always(self, condition: m.Expr) -> Proof:
        """That the condition holds in every position that fulfils the invariants."""
        return self._all([Goal(part) for part in self._terms.parts(self._holds(condition))], rounds=FEW)

    # ---------------------------------------------------------------- answers

    def _all(
        self,
        goals: Sequence[Goal],
        bounds: Iterable[Bit] = (),
        rounds: int | None = None,
        proved: set[Bit] | None = None,
    ) -> Proof:
        """Proves every goal by itself. What one needed to know of the transition the next ones are likely to need too.

        proved: goals that need no proof any more, to which those that are proved now are added.
        """
        known = self._terms.and_((self.happens, *bounds))
        if known is False:  # it never happens
            return Proof("proved")
        proved = set() if proved is None else proved
        rounds = rounds or ROUNDS[self.backend]
        learnt: dict[Term, None] = {}
        facts = [part for part in self._terms.parts(known) if isinstance(part, Term)]
        for goal in goals:
            if goal.bit is not True and goal.bit not in proved:
                proof = self._prove(goal, facts, learnt, rounds)
                if proof.verdict != "proved":
                    return proof
                proved.add(goal.bit)
        return Proof("proved")

    def _prove(self, goal: Goal, facts: Sequence[Term], learnt: dict[Term, None], rounds: int) -> Proof:
        """By a hint, else by a search, which is noted as a hint if it took long.

        facts: what is known of the transition. learnt: what of it proofs needed so far.
        """
        terms, notes = self._terms, self.notes
        opposite = terms.term(terms.not_(goal.bit))
        given = list(dict.fromkeys([opposite, *(part for part in terms.parts(goal.given) if isinstance(part, Term))]))
        key = terms.key(opposite)
        self._opening = key if self._opening is None else self._opening
        if self._brief and notes.is_hard(key):
            notes.used.add(key)
            return Proof("unknown", reason="known to be hard")
        hint = notes.known.get(key)
        if hint and self._follows(given, facts, hint):
            notes.used.add(key)
            return Proof("proved")
        before = self.units
        search = self._search(goal, given, facts, learnt, rounds)
        spent = self.units - before
        dear = search.questions > QUICK or spent > DEAR
        if notes.noting and search.proof.verdict == "unknown":
            notes.note(key)
        elif notes.noting and search.proof.verdict == "proved" and dear:
            self._note(key, given, facts, search.conditions, spent)
            self.units = before + spent  # what it took to note it is no part of the proof
        return search.proof

    def _follows(self, given: Iterable[Term], facts: Iterable[Term], hint: Iterable[int]) -> bool:
        """Whether what is given can't be, by conditions that have the hint's keys."""
        cone = self.position.cone
        assert cone is not None
        keys, key = set(hint), self._terms.key

        def wanted(condition: Term) -> bool:
            return key(condition) in keys

        found = cone.among([*given, *filter(wanted, facts), *filter(wanted, self._invariant_parts())], wanted)
        solver = Solver(self._terms, self.backend)
        solver.add(cone.reach(found).found if ALL in keys else found)
        return self._checked(solver) == UNSAT

    def _note(
        self, key: int, given: Sequence[Term], facts: Iterable[Term], conditions: Iterable[Term], spent: int
    ) -> None:
        """Notes those of the conditions that a goal needs, where with them it is proved: first of what may be needed or not, then of
        the constraints on what is in that.

        spent: what the proof cost without. A hint by which it costs more is none.
        """
        cone = self.position.cone
        assert cone is not None
        spent = max(spent, DEAR)
        terms, backend, rlimit = self._terms, self.backend, PATIENT * spent
        always = dict.fromkeys([*given, *cone.everything()])
        kept = dict.fromkeys(conditions)
        few = needed(terms, backend, (x for x in kept if x in always), [x for x in kept if x not in always], rlimit)
        if few is None:
            return
        there = dict.fromkeys([*given, *few])
        constraints = [x for x in cone.reach(there).found if x not in there]
        least = needed(terms, backend, there, constraints, rlimit)
        keys = [terms.key(cone.title(x)) for x in few]
        best: list[int] = []
        # What is least is not always what is quickest.
        for hint in ([*keys, ALL], [*keys, *map(terms.key, least or ())]):
            before = self.units
            if self._follows(given, facts, hint) and self.units - before < spent:
                best, spent = hint, self.units - before
        if best:
            self.notes.note(key, best)

    def _search(
        self, goal: Goal, given: Iterable[Term], facts: Sequence[Term], learnt: dict[Term, None], rounds: int
    ) -> Search:
        """By counterexamples: with little given at first, and always more of what the last one contradicts.

        Most proofs can do without most of the facts, of the invariants and of what names stand for; what is proved without
        holds all the more with it. A counterexample is one that contradicts nothing.
        """
        terms, cone = self._terms, self.position.cone
        assert cone is not None
        reach = cone.reach([*given, *learnt])
        learnable = set(facts)
        more = MORE
        solver = Solver(terms, self.backend)
        loaded = 0
        asked = 0
        while True:
            asked += 1
            solver.add(islice(reach.found, loaded, None))
            answer = self._checked(solver)
            if answer == UNKNOWN and loaded:  # a solver that is new does more to simplify
                solver = Solver(terms, self.backend)
                solver.add(reach.found)
                answer = self._checked(solver)
            loaded = len(reach.found)
            if answer == UNSAT:
                return Search(Proof("proved"), reach.found, asked)
            if answer == UNKNOWN:
                return Search(Proof("unknown", reason=solver.reason))
            model = solver.model()
            known = chain(reach.touched(facts), reach.touched(self._invariant_parts()), reach.definitions())
            wrong = {x: reach.new(x) for x in known if x not in reach.found and not model.satisfies(x)}
            # What brings in the least first, and what brings in much only where there is nothing else: rounds with little cost nothing.
            chosen = [x for x, new in wrong.items() if new <= LITTLE]
            if not chosen:
                rounds -= 1
                more *= 2
                chosen = sorted(wrong, key=wrong.__getitem__)[:more]
            if not wrong or not rounds:
                proof = self._whole(goal, facts)
                return Search(proof, chain(given, facts, self._wholes[self._kinds].found), asked + QUICK)
            learnt.update((x, None) for x in chosen if x in learnable)
            for x in chosen:
                reach.add(x)
            # What is near is given before it is contradicted: a counterexample costs more than it does.
            near, late = (NEAR, False) if asked < PATIENCE else (LITTLE, True)
            known = chain(reach.touched(facts), reach.touched(self._invariant_parts()))
            for x in [*known, *(reach.definitions() if late else ())]:
                if x not in reach.found and reach.new(x) <= near:
                    reach.add(x)

    def _checked(self, solver: Solver, assumptions: Sequence[Term] = ()) -> str:
        before = solver.units
        answer = solver.check(assumptions, self.rlimit)
        self.units += solver.units - before
        if self._smt2 is not None:
            self._written += 1
            path = self._smt2.with_name(f"{self._smt2.name}-{self._written}.smt2")
            path.write_text(f"; Z3 answered {answer}\n{solver.smt2(assumptions)}", encoding="utf-8")
        return answer

    def _invariant_parts(self) -> list[Term]:
        if self._kinds not in self._known:
            conditions = [p.cond for p in self.model.properties if p.kind in self._kinds]
            bits = [*map(self._holds, conditions), *chain.from_iterable(map(self._where_it_acts, conditions))]
            parts = (part for bit in bits for part in self._terms.parts(bit))
            self._known[self._kinds] = list(dict.fromkeys(part for part in parts if isinstance(part, Term)))
        return self._known[self._kinds]

    def _where_it_acts(self, invariant: m.Expr) -> Iterator[Bit]:
        """What an invariant says of the parameters: without it most proofs would have to look through all that these may be."""
        keys: list[tuple[m.Type, Any]] = []
        for p in self.transition.scalars():
            t, value = p.type, self.args[p.name]
            # Where it is not there it is pinned, to a value of the type.
            if isinstance(t, m.Option) and isinstance(value, Maybe):
                t, value = t.inner, value.inner
            if isinstance(value, OneHot):
                keys.append((t, value))
        return self.position.evaluator.instances(invariant, keys, Frame({}))

    def _whole(self, goal: Goal, facts: Sequence[Term]) -> Proof:
        """The goal with all that is known: what is found is a position and a move in full."""
        cone = self.position.cone
        assert cone is not None
        if self._kinds not in self._wholes:
            happens = (part for part in self._terms.parts(self.happens) if isinstance(part, Term))
            self._wholes[self._kinds] = cone.reach([*happens, *self._invariant_parts(), *cone.everything()])
        reach = self._wholes[self._kinds]
        # Facts are assumed: of what is shown of the transition each goal has its own.
        given = [self._terms.term(self._terms.not_(goal.bit)), *(x for x in facts if x not in reach.found)]
        assumed = []
        for condition in given:
            literal = self._terms.constant(f"assumed {len(self._assumed)}")
            literal = self._assumed.setdefault(condition, literal)
            reach.add(self._terms.term(self._terms.implies(literal, condition)))
            assumed.append(literal)
        reach.close()
        loaded = self.ground.all_known(self._kinds)
        loaded.add(self, reach.found)
        solver = loaded.solver
        answer = self._checked(solver, assumed)
        if answer == SAT:
            return Proof("refuted", self._example(solver.model()))
        return Proof("proved" if answer == UNSAT else "unknown", reason=solver.reason)

    def _example(self, found: Model) -> Example:
        read = read_parameters(self.position.values, self.transition, self.args, found)
        return Example(self.position.read(found), tuple(read.values()))


class Provers:
    """The provers of a model, each made when it is first asked for. noting: whether they are to note hints."""

    def __init__(self, model: m.Model, noting: bool = False) -> None:
        self.model = model
        self._noting = noting
        self._made: dict[tuple[str, str], Prover] = {}
        self._sound: dict[str, set[int]] = {}  # of each transition, for all backends
        self._grounds: dict[str, Ground] = {}  # by backend

    @cached_property
    def _told_apart(self) -> frozenset[str]:
        return told_apart(self.model, (p.cond for p in self.model.properties))

    def of(self, transition: str, backend: str) -> Prover:
        """That of a transition, or of positions at large ("")."""
        key = (transition, backend)
        if key not in self._made:
            t = self.model.transition(transition) if transition else NOTHING
            alike = frozenset(self.model.sorts) - self._told_apart - told_apart(self.model, of_transition(t))
            sound = self._sound.setdefault(transition, set())
            if backend not in self._grounds:
                self._grounds[backend] = Ground(self.model, backend)
            notes = Notes(shipped().get(key, {}), self._noting)
            self._made[key] = Prover(self._grounds[backend], t, alike, sound, notes)
        return self._made[key]

    def noted(self) -> Iterator[tuple[tuple[str, str], Notes]]:
        """What is noted of each transition with each backend."""
        return ((key, prover.notes) for key, prover in self._made.items())

    def claim(self, claim: m.Property, backend: str, rlimit: int) -> Proof:
        """A claim about transitions: that none happens where the condition holds. Of positions: that it holds in all."""
        worst = Proof("proved")
        for transition in claim.transitions or ("",):
            prover = self.of(transition, backend)
            prover.begin(rlimit)
            proof = prover.never(claim.cond) if transition else prover.always(claim.cond)
            if proof.verdict == "refuted":
                return proof
            if proof.verdict == "unknown":
                worst = proof
        return worst
