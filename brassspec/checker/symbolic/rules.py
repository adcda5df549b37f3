"""The rules of a model in their symbolic meaning: moves with all that follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from brassspec.checker.symbolic.evaluator import Frame
from brassspec.checker.symbolic.execution import Judgement, State
from brassspec.checker.symbolic.position import Args, Position, Unanswered
from brassspec.checker.symbolic.solver import SAT
from brassspec.checker.symbolic.terms import Bit, Term
from brassspec.checker.symbolic.transition import SymbolicTransition
from brassspec.rules import model as m

Move: TypeAlias = tuple[int, tuple[Any, ...]]  # an action's number, its scalar arguments

MAX_STEPS = 10_000


class Due:
    """Which of the automatic steps is due in a position."""

    def __init__(self, model: m.Model, backend: str) -> None:
        self._position = Position(model, backend)
        holds = self._position.evaluator.holds
        self._when: list[Bit] = [
            self._position.named(holds(step.when, Frame({})), f"due {step.name}") for step in model.steps
        ]

    def first(self, state: State) -> int | None:
        if self._position.solver.check(self._position.assume(state)) != SAT:
            raise Unanswered(f"which step is due: {self._position.solver.reason}")
        model = self._position.solver.model()
        due = (i for i, bit in enumerate(self._when) if (model.truth(bit) if isinstance(bit, Term) else bit))
        return next(due, None)


class SymbolicRules:
    """`legal_moves` lists a position's legal moves, none where chance is due. Without it no implied action is taken."""

    def __init__(
        self, model: m.Model, backend: str = "bv", legal_moves: Callable[[State], Sequence[Move]] | None = None
    ) -> None:
        self.model = model
        self.backend = backend
        self._legal_moves = legal_moves
        self._actions = list(model.actions.values())
        self._transitions: dict[tuple[str, str], SymbolicTransition] = {}
        self._due: Due | None = None

    def action(self, name: str) -> SymbolicTransition:
        return self.transition(self.model.actions[name])

    def chance(self, name: str) -> SymbolicTransition:
        return self.transition(self.model.chances[name])

    def transition(self, transition: m.Transition) -> SymbolicTransition:
        key = (transition.kind, transition.name)
        if key not in self._transitions:
            self._transitions[key] = SymbolicTransition(self.model, transition, self.backend)
        return self._transitions[key]

    def step(self, state: State, action: str, args: Args) -> Judgement:
        """A move with all that follows by itself: the next position is at rest."""
        return self._settled(self.action(action).judge(state, args))

    def happen(self, state: State, chance: str, args: Args) -> Judgement:
        """A chance outcome with all that follows by itself."""
        return self._settled(self.chance(chance).judge(state, args))

    def _settled(self, judgement: Judgement) -> Judgement:
        if judgement.state is None:
            return judgement
        return replace(judgement, state=self.rest(judgement.state))

    def rest(self, state: State) -> State:
        """Automatic steps, and implied actions that are the only legal move, until somebody decides or chance falls."""
        for _ in range(MAX_STEPS):
            state = self.steps(state)
            moves = self._legal_moves(state) if self._legal_moves else ()
            if len(moves) != 1 or not self._actions[moves[0][0]].implied:
                return state
            action, args = self._actions[moves[0][0]], moves[0][1]
            state = self._after(self.transition(action).judge(state, args), action)
        raise Unanswered("implied actions do not end")

    def steps(self, state: State) -> State:
        """Automatic steps, each time the first that is due, until none is."""
        self._due = self._due or Due(self.model, self.backend)
        for _ in range(MAX_STEPS):
            due = self._due.first(state)
            if due is None:
                return state
            step = self.model.steps[due]
            state = self._after(self.transition(step).judge(state, {}), step)
        raise Unanswered("automatic steps do not end")

    @staticmethod
    def _after(judgement: Judgement, transition: m.Transition) -> State:
        if judgement.state is None:
            raise Unanswered(f"{transition.kind} {transition.name}: {judgement}")
        return judgement.state
