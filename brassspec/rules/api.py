"""One ruleset at work on plain data: positions, moves, chance and outcomes as docs/formats.md shows them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from brassspec.formats import Chance, InputError, Move, Outcome, Position, Violation
from brassspec.formats.canonical import digest
from brassspec.formats.documents import write_position
from brassspec.formats.reading import clean
from brassspec.rules.cache import load_rules
from brassspec.rules.codec import Codec
from brassspec.rules.concrete import UNDEFINED, Failure, Rules, State
from brassspec.rules.model import Model, Require, Seq, Transition, Type
from brassspec.rules.spoken import Speaker, Stated

# (number of the action or chance, scalar arguments)
Taken = tuple[int, tuple[Any, ...]]

MAX_COMPLETIONS = 5_000  # of a partial move that are judged to say why none is legal


@dataclass(frozen=True, slots=True)
class Request:
    """A move or chance outcome as asked for: of some parameters the values it may have, of the others nothing."""

    transition: Transition
    number: int
    stated: Stated

    @property
    def is_chance(self) -> bool:
        return self.transition.kind == "chance"


class Game:
    """The rules of a ruleset for a number of players. Holds no position: every method takes one.

    Every method that takes a position, a move or a chance outcome raises InputError where that is not well formed.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.codec = Codec(rules)

    @property
    def model(self) -> Model:
        return self.rules.model

    @cached_property
    def speaker(self) -> Speaker:
        return Speaker(self.codec)

    # ------------------------------------------------------------ on plain data

    def initial(self) -> Position:
        """The position in which a game starts."""
        return self.codec.position(self.rules.initial())

    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move, by actions and their arguments; none where chance falls or the game is over."""
        return [self.codec.move(*m) for m in self.rules.legal(self.read(position))]

    def step(self, position: Position, move: Move | str) -> Outcome:
        """What a move in full, as JSON or as spoken, leads to."""
        return self.judge(self.read(position), self.whole(self.request(move)))

    def chance(self, position: Position) -> list[tuple[Chance, int]]:
        """What chance may bring, with weights; nothing where a player decides or the game is over."""
        return [(self.codec.chance(i, args), weight) for i, args, weight in self.rules.chance(self.read(position))]

    def apply_chance(self, position: Position, outcome: Chance | str) -> Outcome:
        """What an outcome of chance in full leads to. Raises InputError where it is not among those due."""
        state = self.read(position)
        request = self.request(outcome)
        taken = self.whole(request)
        if not request.is_chance or not any(taken == (i, args) for i, args, _ in self.rules.chance(state)):
            raise InputError(f"chance: {clean(str(outcome))} cannot happen here")
        return self.happen(state, taken)

    # ------------------------------------------------------------ on states

    def read(self, position: Position) -> State:
        """The state of a position of this ruleset that breaks no invariant."""
        m = self.model
        if (sorted(position.ruleset.split("+")), position.players) != (sorted(m.ruleset.split("+")), m.players):
            raise InputError(
                f"ruleset: the position is of {clean(position.ruleset)} for {position.players} players, "
                f"not of {m.ruleset} for {m.players}"
            )
        return self.codec.state(position)

    def due(self, state: State) -> str:
        """The name of the automatic step that is due, "" where the state is at rest."""
        return self.rules.due(state)

    def judge(self, state: State, taken: Taken) -> Outcome:
        """What a move leads to."""
        j = self.rules.step(state, *taken)
        action = self.model.actions[self.rules.action_names[taken[0]]]
        return Outcome(
            violated=tuple(Violation(f.requirement, self.facts(action, f)) for f in j.violated),
            position=None if j.state is None else self.codec.position(j.state),
            events=tuple(self.codec.event(e) for e in j.events) if j.state is not None else (),
            unevaluated=j.unevaluated,
            exceptions=j.exceptions,
        )

    def happen(self, state: State, taken: Taken) -> Outcome:
        """What an outcome of chance leads to."""
        after, events = self.rules.happen(state, *taken)
        return Outcome(position=self.codec.position(after), events=tuple(self.codec.event(e) for e in events))

    def facts(self, action: Transition, failure: Failure) -> str:
        """Why a requirement failed, in one sentence."""
        node = action.nodes[failure.node]
        assert isinstance(node, Require)
        values = iter(failure.values)
        return "".join(
            piece if isinstance(piece, str) else self._fact(next(values), piece.type) for piece in node.facts
        )

    def _fact(self, value: Any, t: Type) -> str:
        return "(nothing)" if value is UNDEFINED else self.speaker.say(value, t)

    def digest(self, state: State) -> str:
        """The digest of the state's position."""
        return digest(write_position(self.codec.position(state)))

    # ------------------------------------------------------------ moves in part

    def request(self, move: Move | Chance | str) -> Request:
        """A move or chance outcome, JSON or spoken, in full or in part. Raises InputError where not well formed."""
        if isinstance(move, str):
            if self.speaker.is_chance(move):
                number, args = self.speaker.parse_chance(move)
                t = self.model.chances[self.rules.chance_names[number]]
                return Request(t, number, {p.name: (v,) for p, v in zip(t.params, args, strict=True)})
            number, stated = self.speaker.hear_move(move)
            return Request(self.model.actions[self.rules.action_names[number]], number, stated)
        if not isinstance(move, dict):
            raise InputError(f'move: {clean(repr(move), 60)} is neither an object with "action" or "chance" nor a text')
        if "chance" in move:
            word, known = "chance", self.model.chances
        else:
            word, known = "action", self.model.actions
        name = move.get(word)
        if not isinstance(name, str) or name not in known:
            raise InputError(f"{word}: there is no {word} {clean(repr(name), 60)}: known here: {', '.join(known)}")
        t = known[name]
        types = {p.name: p.type for p in t.params}
        given: Stated = {}
        for key, value in move.items():
            if key != word:
                if key not in types:
                    raise InputError(f"{name} has no field {clean(repr(key), 60)}: known here: {', '.join(types)}")
                given[key] = (self.codec.read(value, types[key], f"{name}.{key}"),)
        return Request(t, list(known).index(name), given)

    def whole(self, request: Request) -> Taken:
        """The one move that a request names. Raises InputError where it leaves something open."""
        t = request.transition
        values = {}
        for p in t.params:
            options = request.stated.get(p.name, ())
            if len(options) != 1:
                raise InputError(
                    f"{t.name}: the field {p.name} is {'missing' if not options else 'not stated in full'}"
                )
            values[p.name] = options[0]
        return request.number, self.codec.scalars(t, values)

    def is_whole(self, request: Request) -> bool:
        return all(len(request.stated.get(p.name, ())) == 1 for p in request.transition.params)

    def completions(self, request: Request, among: list[Taken]) -> list[Taken]:
        """Those of some moves or outcomes that agree with a request."""
        t = request.transition
        orders = [request.stated]
        for names in t.either_order:
            renamings = [dict(zip(names, order, strict=True)) for order in itertools.permutations(names)]
            orders = [{other.get(k, k): v for k, v in stated.items()} for stated in orders for other in renamings]
        found = []
        for number, args in among:
            if number == request.number:
                values = self.values(t, args)
                if any(all(values[k] in options for k, options in stated.items()) for stated in orders):
                    found.append((number, args))
        return found

    def possible(self, request: Request) -> Iterator[Taken]:
        """Every well-formed completion of a move, legal or not."""
        t = request.transition
        options = [request.stated.get(p.name) or self._values(p.type) for p in t.params]
        for chosen in itertools.product(*options):
            yield request.number, self.codec.scalars(t, {p.name: v for p, v in zip(t.params, chosen, strict=True)})

    def _values(self, t: Type) -> tuple[Any, ...]:
        if isinstance(t, Seq):
            inner, limit = self.model.values(t.inner), MAX_COMPLETIONS
            return tuple(
                v for n in range(t.lo, t.hi + 1) for v in itertools.islice(itertools.product(inner, repeat=n), limit)
            )
        return self.model.values(t)

    def values(self, t: Transition, args: tuple[Any, ...]) -> dict[str, Any]:
        """Scalar arguments as one value a parameter; a list's as a tuple."""
        out: dict[str, Any] = {}
        rest = iter(args)
        for p in t.params:
            if isinstance(p.type, Seq):
                n = next(rest)
                out[p.name] = tuple([next(rest) for _ in range(p.type.hi)][:n])
            else:
                out[p.name] = next(rest)
        return out


@lru_cache(maxsize=64)
def game(ruleset: str, players: int) -> Game:
    """The rules of a ruleset that ships. Raises InputError where there is no such ruleset or number of players."""
    return Game(load_rules(ruleset, players))


def game_of(position: Position) -> Game:
    """The rules that a position belongs to. Raises InputError where there are none."""
    return game(position.ruleset, position.players)
