"""The concrete meaning at work: verdicts, events, legal moves, the next position, chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import CodeType
from typing import Any, TypeAlias

from brassspec.rules.compile import Compiler, _Missing, asks_what_is_after, generate, reads_of, version
from brassspec.rules.graphs import GraphMemory
from brassspec.rules.model import Model, Option, Require, Seq, Transition

# One entry a state variable, in declaration order; a map is a flat tuple (see model.StateVar).
State: TypeAlias = tuple[Any, ...]
# (event's number, field values)
RawEvent: TypeAlias = tuple[Any, ...]
# What moves of an action are sorted by.
Order: TypeAlias = Callable[[tuple[Any, ...]], list[Any]]

MAX_STEPS = 10_000  # automatic steps in a row; more means that the rules never come to rest


class InternalError(RuntimeError):
    """The rules contradict themselves: a bound is exceeded in play, or automatic steps never end. Exit code 3."""


class _Undefined:
    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = _Undefined()


@dataclass(frozen=True, slots=True)
class Failure:
    """A violated requirement, with the values of the expressions in its facts."""

    requirement: str
    node: int
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a move: `state` is the next state before any automatic step, None if the move is illegal."""

    violated: tuple[Failure, ...]
    unevaluated: tuple[str, ...]
    exceptions: tuple[str, ...]
    state: State | None
    events: tuple[RawEvent, ...]


class Rules:
    """A compiled model. Holds no position: every method takes one."""

    def __init__(self, model: Model, compiled: tuple[CodeType, dict[str, Any]] | None = None) -> None:
        self.model = model
        self.compiled = compiled or compile_model(model)
        code, consts = self.compiled
        space: dict[str, Any] = {**consts, "GraphMemory": GraphMemory, "_U": UNDEFINED, "_M": _Missing}
        exec(code, space)
        self.space = space
        self.action_names = list(model.actions)
        self.event_names = list(model.events)
        self.chance_names = list(model.chances)
        self._judge = [space[f"judge_{i}"] for i in range(len(model.actions))]
        self._moves = [space[f"moves_{i}"] for i in range(len(model.actions))]
        self._steps = [(space[f"due_{i}"], space[f"step_{i}"], t) for i, t in enumerate(model.steps)]
        self._happen = [space[f"happen_{i}"] for i in range(len(model.chances))]
        self._outcomes = [space[f"outcomes_{i}"] for i in range(len(model.chances))]
        self._orders = [_order(t) for t in model.actions.values()]
        self._implied = [i for i, t in enumerate(model.actions.values()) if t.implied]
        self.index = {name: i for i, name in enumerate(model.state)}

    def written(self, compiler: Compiler, name: str, title: str) -> Callable[..., Any]:
        """A function that a compiler wrote to stand among those of the rules."""
        space = {**self.space, **compiler.consts}
        exec(compile("\n".join(compiler.out), f"<{title}>", "exec"), space)
        found: Callable[..., Any] = space[name]
        return found

    # ------------------------------------------------------------ moves

    def judge(self, state: State, action: int, args: tuple[Any, ...]) -> Judgement:
        """All requirements of a move, and its own effect: no automatic step is run.

        `args` are the scalar parameters in order. Raises InternalError where a legal move exceeds a declared bound.
        """
        t = self.model.actions[self.action_names[action]]
        bad, skipped, used, after, events = self._judge[action](state, *args)
        violated = []
        seen = set()
        for number, values in bad:
            node = t.nodes[number]
            assert isinstance(node, Require)
            if node.name not in seen:
                seen.add(node.name)
                violated.append(Failure(node.name, number, values))
        names = dict.fromkeys(t.nodes[n].name for n in skipped)
        exceptions = dict.fromkeys(t.nodes[n].exceptions[i].name for n, i in used)
        if after is None and not bad:
            raise InternalError(
                f"{t.name} is legal, but a value it gives is undefined or exceeds its bounds ({', '.join(names) or 'an effect'})"
            )
        return Judgement(
            tuple(violated), tuple(n for n in names if n not in seen), tuple(exceptions), after, tuple(events)
        )

    def legal(self, state: State) -> list[tuple[int, tuple[Any, ...]]]:
        """Every legal move, as (action's number, scalar arguments), in the order of actions and of their arguments."""
        return list(self.choices(state))

    def choices(self, state: State) -> Choices:
        """The same without the work of putting all in order: for who counts them and takes one."""
        return Choices([moves(state) for moves in self._moves], self._orders)

    def moves(self, state: State, action: int) -> list[tuple[Any, ...]]:
        """The arguments of every legal move of an action, in no order."""
        found: list[tuple[Any, ...]] = self._moves[action](state)
        return found

    def legal_now(self, state: State) -> list[tuple[int, tuple[Any, ...]]]:
        """Every legal move, none where chance is due."""
        return [] if self.chance(state) else self.legal(state)

    def step(self, state: State, action: int, args: tuple[Any, ...]) -> Judgement:
        """A move with all that follows by itself: the next state is at rest, the events are those of the steps too."""
        j = self.judge(state, action, args)
        if j.state is None:
            return j
        events = list(j.events)
        after = self.rest(j.state, events)
        return Judgement(j.violated, j.unevaluated, j.exceptions, after, tuple(events))

    # ------------------------------------------------------------ what happens by itself

    def steps(self, state: State, events: list[RawEvent]) -> State:
        """Automatic steps, one after another, until none is due."""
        for _ in range(MAX_STEPS):
            for due, run, t in self._steps:
                if due(state):
                    _, _, _, after, happened = run(state)
                    if after is None:
                        raise InternalError(f"the step {t.name} gives an undefined value or exceeds a bound")
                    events.extend(happened)
                    state = after
                    break
            else:
                return state
        raise InternalError(f"the automatic steps do not end after {MAX_STEPS}")

    def rest(self, state: State, events: list[RawEvent]) -> State:
        """Automatic steps, and implied actions that are the only legal move, until a player decides, chance falls or the game is over."""
        for _ in range(MAX_STEPS):
            state = self.steps(state, events)
            forced = self.forced(state)
            if forced is None:
                return state
            j = self.judge(state, *forced)
            assert j.state is not None
            events.extend(j.events)
            state = j.state
        raise InternalError("implied actions do not end")

    def due(self, state: State) -> str:
        """The name of the automatic step that is due, "" where none is."""
        return next((t.name for due, _, t in self._steps if due(state)), "")

    def forced(self, state: State) -> tuple[int, tuple[Any, ...]] | None:
        """The only legal move, where it is taken by itself."""
        for i in self._implied:
            found = self._moves[i](state)
            if (
                len(found) == 1
                and not any(moves(state) for j, moves in enumerate(self._moves) if j != i)
                and not self.chance(state)
            ):
                return i, found[0]
        return None

    def chance(self, state: State) -> list[tuple[int, tuple[Any, ...], int]]:
        """What chance may bring now: (chance's number, arguments, weight); empty where a player decides."""
        return [(i, args, weight) for i, outcomes in enumerate(self._outcomes) for args, weight in outcomes(state)]

    def happen(self, state: State, chance: int, args: tuple[Any, ...]) -> tuple[State, tuple[RawEvent, ...]]:
        """The state at rest after a chance outcome, and what happened."""
        _, _, _, after, happened = self._happen[chance](state, *args)
        if after is None:
            raise InternalError(f"the chance {self.chance_names[chance]} gives an undefined value or exceeds a bound")
        events = list(happened)
        return self.rest(after, events), tuple(events)

    # ------------------------------------------------------------ positions

    def defaults(self, given: dict[str, Any], mover: int = 0) -> State:
        """A state in which the variables of `given` have those values and all others their default.

        A map is given flat; NOT_GIVEN in a cell leaves that one to its default. `mover` is the player on turn.
        """
        m = self.model
        state: list[Any] = [None] * len(m.state)
        partial: dict[str, Any] = {}
        for name, value in given.items():
            if m.state[name].keys and any(v is NOT_GIVEN for v in value):
                partial[name] = value
            else:
                state[self.index[name]] = value
        for name in self._default_order:
            if name in given and name not in partial:
                continue
            var = m.state[name]
            default = self.space[f"default_{self.index[name]}"]
            now = tuple(state)
            if var.keys:
                cells = [default(now, mover, *key) for key in self.keys(name)]
                if name in partial:
                    cells = [c if g is NOT_GIVEN else g for c, g in zip(cells, partial[name], strict=True)]
                value = tuple(cells)
            else:
                value = default(now, mover)
            state[self.index[name]] = value
        return tuple(state)

    def keys(self, name: str) -> list[tuple[Any, ...]]:
        """The key tuples of a map variable in flat order."""
        return self._keys[name]

    @cached_property
    def _keys(self) -> dict[str, list[tuple[Any, ...]]]:
        values = self.model.values
        return {name: list(product(*map(values, v.keys))) for name, v in self.model.state.items()}

    @cached_property
    def default_reads(self) -> dict[str, set[str]]:
        """The state variables that the default of each reads."""
        named = {name: reads_of(v.default) for name, v in self.model.state.items()}
        return {name: {o for o in self.model.state if version(o) in reads} for name, reads in named.items()}

    @cached_property
    def _default_order(self) -> list[str]:
        """State variables, each after those its default reads."""
        reads = self.default_reads
        order: list[str] = []
        while len(order) < len(reads):
            ready = [n for n in reads if n not in order and reads[n] <= set(order)]
            if not ready:
                raise InternalError(
                    "the defaults of the position lead back to themselves: "
                    + ", ".join(n for n in reads if n not in order)
                )
            order.extend(ready)
        return order

    def initial(self) -> State:
        """The state in which a game starts, before any chance."""
        _, _, _, after, _ = self.space["setup"](self.defaults({}))
        if after is None:
            raise InternalError("the set-up gives an undefined value or exceeds a bound")
        return self.steps(after, [])

    def broken(self, state: State, sound: State | None = None) -> list[str]:
        """The names of the invariants that do not hold. sound: a state in which all do; what it has in common need not be looked at."""
        return [self.model.properties[i].name for i in self.space["broken"](state, sound)]

    def unlike_play(self, state: State) -> frozenset[str]:
        """The names of the invariants that hold in play only and not in this state, so that play does not reach it."""
        found = enumerate(self.model.properties)
        return frozenset(p.name for i, p in found if p.kind == "in play" and not self.space[f"position_{i}"](state))

    def refuted_claims(
        self, state: State, moves: list[tuple[int, tuple[Any, ...]]]
    ) -> Iterator[tuple[str, tuple[int, tuple[Any, ...]] | None]]:
        """Claims that this position, or one of its legal moves, refutes.

        What is claimed of the position after a move is only looked at for one legal move of each action: to make them all
        would be most of the work of a game.
        """
        for i, p in enumerate(self.model.properties):
            if p.kind != "claim":
                continue
            if not p.transitions and not self.space[f"position_{i}"](state):
                yield p.name, None
            for name in p.transitions:
                if name not in self.model.actions:
                    continue
                action = self.action_names.index(name)
                mine = [move for move in moves if move[0] == action]
                if mine and i in self._asking_after:
                    mine = mine[len(mine) // 2 :][:1]
                for move in mine:
                    if self.happens_so(i, name, state, move[1]):
                        yield p.name, move
                        break

    def happens_so(
        self, number: int, name: str, state: State, args: tuple[Any, ...], after: State | None = None
    ) -> bool:
        """Whether the condition of a property holds of an action, step or chance event that happens.

        after: the position after it, where it is known. number: of the property. Raises InternalError where there is none.
        """
        claim = self.space[f"claim_{number}_{name}"]
        if after is None and number in self._asking_after:
            after = self.made(name, state, args)
            if after is None:
                raise InternalError(f"{name} can happen, but a value it gives is undefined or exceeds its bounds")
        return bool(claim(state, *args, after))

    @cached_property
    def _asking_after(self) -> frozenset[int]:
        """The numbers of the properties that speak of the position after a move."""
        return frozenset(i for i, p in enumerate(self.model.properties) if asks_what_is_after(p.cond))

    def run(self, name: str, state: State, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """One action, step or chance event, or the set-up, carried out: what is violated, what can't be evaluated, the exceptions used,
        the position after it (None where it can't happen) and what is told of it."""
        found: tuple[Any, ...] = self.space[self._functions[name]](state, *args)
        return found

    def made(self, name: str, state: State, args: tuple[Any, ...]) -> State | None:
        """The position after one action, step or chance event that can happen, before anything follows by itself."""
        after: State | None = self.run(name, state, args)[3]
        return after

    @cached_property
    def _functions(self) -> dict[str, str]:
        """The names of the functions that carry out actions, steps, chance events and the set-up."""
        m = self.model
        groups = (("judge", m.actions), ("step", [t.name for t in m.steps]), ("happen", m.chances))
        return {"setup": "setup"} | {t: f"{word}_{i}" for word, names in groups for i, t in enumerate(names)}

    def play(self, rng: random.Random, state: State | None = None) -> Iterator[tuple[State, str, int, tuple[Any, ...]]]:
        """A random game, uniform over legal moves: before each decision ("action") or chance event ("chance") the state, and
        what then happens; at last the final state, as "over"."""
        state = self.initial() if state is None else state
        while True:
            outcomes = self.chance(state)
            if outcomes:
                pick = rng.choices(outcomes, weights=[w for *_, w in outcomes])[0]
                yield state, "chance", pick[0], pick[1]
                state, _ = self.happen(state, pick[0], pick[1])
                continue
            moves = self.choices(state)
            if not moves:
                yield state, "over", -1, ()
                return
            action, args = rng.choice(moves)
            yield state, "action", action, args
            j = self.step(state, action, args)
            assert j.state is not None
            state = j.state


class Choices(Sequence[tuple[int, tuple[Any, ...]]]):
    """Legal moves in order: of actions, then of arguments, where nothing (no cube, the market) comes before all values.

    Held by action, and an action's are only put in order when one of them is asked for.
    """

    def __init__(self, by_action: list[list[tuple[Any, ...]]], orders: list[Order | None]) -> None:
        self._by_action = by_action
        self._orders = orders
        self._ordered = [False] * len(by_action)
        self._len = sum([len(found) for found in by_action])

    def __len__(self) -> int:
        return self._len

    def __getitem__(self, index: Any) -> Any:
        """The move of an index from 0 on. Raises IndexError where there is none."""
        for action, found in enumerate(self._by_action):
            if index < len(found):
                return action, self._in_order(action)[index]
            index -= len(found)
        raise IndexError

    def __iter__(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        for action in range(len(self._by_action)):
            for args in self._in_order(action):
                yield action, args

    def _in_order(self, action: int) -> list[tuple[Any, ...]]:
        found = self._by_action[action]
        if not self._ordered[action]:
            found.sort(key=self._orders[action])
            self._ordered[action] = True
        return found


def _order(t: Transition) -> Order | None:
    """What to sort an action's moves by; None, themselves, where all its arguments always have a value."""
    if not any(isinstance(p.type, Option | Seq) for p in t.params):
        return None
    return lambda args: [-1 if a is None else a for a in args]


class _NotGiven:
    def __repr__(self) -> str:
        return "not given"


NOT_GIVEN: Any = _NotGiven()


def compile_model(model: Model) -> tuple[CodeType, dict[str, Any]]:
    source, consts = generate(model)
    return compile(source, f"<rules of {model.ruleset} for {model.players}>", "exec"), consts
