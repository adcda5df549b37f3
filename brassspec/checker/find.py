"""A position, or something that happens in a game, of which a condition holds: by play, else by the solver, else shown not to exist."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from brassspec.checker.compare import Comparison, Difference
from brassspec.checker.goals import Goal, holding, read_goal
from brassspec.checker.opinions import reference
from brassspec.checker.smaller import Smaller
from brassspec.formats import InputError, Plain
from brassspec.formats.documents import write_position
from brassspec.grammar.errors import nearest_name
from brassspec.rules.api import Game, Taken, game
from brassspec.rules.compile import asks_what_is_after, asks_what_is_possible
from brassspec.rules.concrete import InternalError, State
from brassspec.rules.games import MAX_GAMES
from brassspec.rules.library import split_ruleset
from brassspec.rules.policies import policies_of, policy_names
from brassspec.rules.shipped import shipped_editions

GAMES = 20
RLIMIT = 40_000_000  # units of the solver for one question

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Sight:
    """What was found. lines: what the position states that is not as at set-up; happening: the move, outcome of chance or step.

    origin: where the position comes from, `moves`: those that led there. engine: what the reference engine says of it.
    """

    position: Plain
    lines: tuple[str, ...]
    happening: str
    origin: str
    moves: tuple[str, ...] = ()
    engine: str = ""


@dataclass(slots=True)
class Find:
    """verdict: "found" with where; "none_exists": the solver shows that none does; "unknown" for a reason."""

    ruleset: str
    players: int
    text: str
    verdict: str
    sight: Sight | None = None
    reason: str = ""
    games: int = 0
    decisions: int = 0
    solver: int = 0


def find(
    ruleset: str,
    text: str,
    players: int | None = None,
    *,
    games: int = GAMES,
    seed: int = 1,
    progress: Progress | None = None,
) -> Find:
    """Looks for a position in which a condition holds (`some s in Slot: ...`), or for something that happens (`build where ...`).

    By play first, `games` of them by all policies in turn; then by the solver among all positions that fulfil the invariants.
    Raises InputError where there is no such ruleset, SpecError where the condition is none, shown as errors of a spec are.
    """
    edition = shipped_editions().get(split_ruleset(ruleset)[0])
    if edition is None:
        raise InputError(f"there is no ruleset {ruleset}: {nearest_name(ruleset, shipped_editions())}")
    if not 0 <= games <= MAX_GAMES:
        raise InputError(f"games: {games} is no number 0 to {MAX_GAMES}")
    g = game(ruleset, players if players is not None else min(edition.players))
    return Finder(g, read_goal(g.model, text), seed, progress or (lambda _: None)).run(games)


class Finder:
    """Looks for one goal."""

    def __init__(self, g: Game, goal: Goal, seed: int, progress: Progress) -> None:
        self.game = g
        self.rules = g.rules
        self.model = g.model
        self.goal = goal
        self.seed = seed
        self.progress = progress
        known = self.model.transitions()
        self.holds = {name: holding(self.rules, goal.condition, known[name]) for name in goal.names}
        self.of_position = None if goal.names else holding(self.rules, goal.condition, None)
        self.needs_after = asks_what_is_after(goal.condition)
        self.result = Find(self.model.ruleset, self.model.players, goal.text, "unknown")

    def run(self, games: int) -> Find:
        for number in range(games):
            sight = self.play(number)
            self.result.games += 1
            self.progress(number + 1)
            if sight is not None:
                self.result.verdict, self.result.sight = "found", sight
                return self.result
        self.solve()
        return self.result

    # ------------------------------------------------------------ by play

    def so(self, name: str, state: State, args: tuple[Any, ...], after: State | None = None) -> bool:
        """Whether a transition that happens in a state is what is sought."""
        if name not in self.holds:
            return False
        if self.needs_after and after is None:
            after = self.rules.made(name, state, args)
        return self.holds[name](state, *args, after)

    def play(self, number: int) -> Sight | None:
        """One game, and what is sought in it: a position, or anything that may happen there, whether or not it is done."""
        rules = self.rules
        names = policy_names(self.model)
        policy = names[number % len(names)]
        rng = random.Random(f"{self.seed}/{number}")
        choose = policies_of(rules).player(policy, rng)
        state = rules.initial()
        moves: list[str] = []

        def sight(where: State, name: str, args: tuple[Any, ...]) -> Sight:
            origin = f"reached by play: {len(moves)} moves, game {number}, policy {policy}, seed {self.seed}"
            return self.sight(where, name, args, None, origin, tuple(moves))

        while True:
            if self.of_position is not None and self.of_position(state):
                return sight(state, "", ())
            outcomes = rules.chance(state)
            legal = [] if outcomes else rules.legal(state)
            for i, args, _ in outcomes:
                if self.so(rules.chance_names[i], state, args):
                    return sight(state, rules.chance_names[i], args)
            for i, args in legal:
                if self.so(rules.action_names[i], state, args):
                    return sight(state, rules.action_names[i], args)
            if not outcomes and not legal:
                return None
            if outcomes:
                i, args, _ = rng.choices(outcomes, weights=[w for *_, w in outcomes])[0]
                name = rules.chance_names[i]
                moves.append(self.game.speaker.say_chance(i, args))
            else:
                self.result.decisions += 1
                i, args = choose(state, legal)
                name = rules.action_names[i]
                moves.append(self.game.speaker.say_move(i, args))
            after = rules.made(name, state, args)
            for step, before, _ in self.steps(after):
                if self.so(step, before, ()):
                    return sight(before, step, ())
            state = rules.happen(state, i, args)[0] if outcomes else self.made(state, (i, args))

    def made(self, state: State, taken: Taken) -> State:
        after = self.rules.step(state, *taken).state
        assert after is not None
        return after

    def steps(self, state: State | None) -> Iterator[tuple[str, State, State]]:
        """The automatic steps that follow, where one of them is sought."""
        wanted = any(t.name in self.holds for t in self.model.steps)
        while wanted and state is not None:
            due = self.game.due(state)
            if not due:
                return
            after = self.rules.made(due, state, ())
            assert after is not None
            yield due, state, after
            state = after

    # ------------------------------------------------------------ by the solver

    def solve(self) -> None:
        """Every transition that is sought, or the position, is asked for among all positions that fulfil the invariants."""
        known = self.model.transitions()
        asks = [t for t in (known[name] for name in self.goal.names) if asks_what_is_possible(t.nodes)]
        if asks:
            self.result.reason = f"{asks[0].name} asks what else is possible, which the solver can't be asked"
            return
        from brassspec.checker.symbolic.seek import Seek

        reasons = []
        for name in self.goal.names or ("",):
            seek = Seek(self.rules, known.get(name))
            answer = seek.ask(self.goal.condition, RLIMIT)
            self.result.solver += seek.units
            if answer.answer == "sat":
                args = answer.args
                if self.is_there(answer.state, name, args):
                    self.result.verdict = "found"
                    self.result.sight = self.smallest(answer.state, name, args)
                    return
                reasons.append(f"{name or 'the position'}: what the solver found exceeds a bound")
            elif answer.answer != "unsat":
                reasons.append(f"{name or 'the position'}: {answer.reason}")
        self.result.verdict = "unknown" if reasons else "none_exists"
        self.result.reason = "; ".join(reasons)

    def is_there(self, state: State, name: str, args: tuple[Any, ...]) -> bool:
        """Whether what is sought is there, by the concrete meaning."""
        if not name:
            assert self.of_position is not None
            return self.of_position(state)
        t = self.model.transitions()[name]
        try:
            if t.kind == "step" and self.game.due(state) != name:
                return False
            if t.kind == "chance":
                number = self.rules.chance_names.index(name)
                if not any((i, outcome) == (number, args) for i, outcome, _ in self.rules.chance(state)):
                    return False
            return self.rules.made(name, state, args) is not None and self.so(name, state, args)
        except (InternalError, TypeError):
            return False

    def smallest(self, state: State, name: str, args: tuple[Any, ...]) -> Sight:
        search = Sighting(self, state, name, args)
        search.shrink()
        return self.sight(search.state, name, args, search.lines, search.origin(), ())

    # ------------------------------------------------------------ telling

    def sight(
        self, state: State, name: str, args: tuple[Any, ...], lines: Any, origin: str, moves: tuple[str, ...]
    ) -> Sight:
        speaker = self.game.speaker
        stated = speaker.differing(self.rules.defaults({}), state) if lines is None else lines
        t = self.model.transitions().get(name)
        happening = "" if t is None else t.name if t.kind == "step" else speaker.say_transition(t, args)
        return Sight(
            write_position(self.game.codec.position(state)),
            tuple(speaker.say_given(state, g) for g in stated),
            happening,
            origin,
            moves,
            self.engine(state, name, args),
        )

    def engine(self, state: State, name: str, args: tuple[Any, ...]) -> str:
        """What the reference engine says of the move, or of what is possible in the position: "agrees", or how it differs."""
        t = self.model.transitions().get(name)
        engine = reference(self.model.ruleset, self.model.players)
        if engine is None or (t is not None and t.kind == "step") or self.game.due(state):
            return "not asked"
        compare = Comparison(self.rules, engine)
        if t is None:
            found = compare.chance(state, self.rules.chance(state)) + compare.legal(state, self.rules.legal_now(state))
        elif t.kind == "chance":
            found = compare.happen(state, (self.rules.chance_names.index(name), args))[1]
        else:
            found = compare.move(state, (self.rules.action_names.index(name), args))[1]
        return "agrees" if not found else f"{found[0].kind}: {found[0].other}"[:300]


class Sighting(Smaller):
    """The smallest position in which what is sought is there."""

    def __init__(self, finder: Finder, state: State, name: str, args: tuple[Any, ...]) -> None:
        t = finder.model.transitions().get(name)
        is_action = t is not None and t.kind == "action" and bool(args)
        super().__init__(finder.rules, state, int(args[0]) if is_action else 0, t is not None and t.kind == "step")
        self.finder = finder
        self.name, self.args = name, args

    def differs(self, state: State) -> Difference | None:
        return self.difference if self.finder.is_there(state, self.name, self.args) else None
