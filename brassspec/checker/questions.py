"""Questions about a move: is it legal, by which rules, what would do instead; with parts unknown, always, never, or it depends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from brassspec.formats import InputError, Move, Position
from brassspec.formats.documents import read_position
from brassspec.formats.reading import name_of, parse_json, read_bytes
from brassspec.grammar.errors import SpecError
from brassspec.grammar.parser import parse
from brassspec.rules.api import Game, Taken, game, game_of
from brassspec.rules.compile import asks_what_is_possible
from brassspec.rules.concrete import Judgement, State
from brassspec.rules.games import moment
from brassspec.rules.library import spec_of, split_ruleset
from brassspec.rules.model import (
    And,
    Bool,
    Compare,
    Const,
    Expr,
    Model,
    Not,
    Or,
    Read,
    Seq,
    Sort,
    Transition,
    Var,
)
from brassspec.rules.scenarios import Line, Setting, Situation, read_situation, setting, trouble
from brassspec.rules.shipped import shipped_editions
from brassspec.rules.spoken import Stated

if TYPE_CHECKING:
    from brassspec.checker.legal_if import Change, LegalIf
    from brassspec.checker.symbolic import Completion, Decision, SymbolicRules
    from brassspec.checker.symbolic import Judgement as SymbolicJudgement

MAX_COMPLETIONS = 20_000  # of an illegal move that leaves parts open: so many are judged to say why
MAX_CANDIDATES = 8  # ways of making a move that are tried, where parts of the position are unknown


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is illegal: a violated requirement with its sentence, the facts, and where it is written."""

    requirement: str
    sentence: str
    facts: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A legal way to make the move: as text, and what happens."""

    move: str
    events: tuple[dict[str, Any], ...]
    exceptions: tuple[str, ...] = ()


@dataclass(slots=True)
class Answer:
    """verdict: "legal", "illegal"; with parts unknown "always", "never", "depends", "unknown" or "impossible".

    move: what was asked. reasons: of an illegal move (the completion that fails least, where the move left parts open), or the
    minimal core of a `never`. options: legal ways to make the move, where it left parts open. nearby: legal moves that differ in
    one part from an illegal one. others: of an illegal move that left parts open, other ways and why they fail. after: how many moves
    of the question were made before. legal_if: the smallest changes of the position with which an illegal move (`judged`) would be legal,
    where they are asked for. completions: for "depends", what is unknown in a legal and in an illegal case, each as like set-up as is
    found; origin: where these come from.
    """

    verdict: str
    move: str
    judged: str = ""
    reasons: list[Reason] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    exceptions: tuple[str, ...] = ()
    nearby: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    after: int = 0
    completions: dict[str, list[str]] = field(default_factory=dict)
    origin: str = ""
    legal_if: list[Change] = field(default_factory=list)
    note: str = ""
    counts: dict[str, int] = field(default_factory=dict)


def has_symbolic(model: Model) -> bool:
    """Whether Z3 can judge the rules of a model: it can't where a rule asks what else is possible."""
    return not any(asks_what_is_possible(t.nodes) for t in model.actions.values())


class Judge:
    """Answers questions about one ruleset for one number of players. Z3 is loaded only where it is asked.

    changes: whether an answer tells what would make an illegal move legal. assume: conditions that what is unknown fulfils.
    """

    def __init__(self, game: Game, changes: bool = False, assume: Sequence[str] = ()) -> None:
        self.game = game
        self.changes = changes
        self.assume = assume
        self.rules = game.rules
        self.model = game.model
        self.codec = game.codec
        self.speaker = game.speaker
        self._symbolic: SymbolicRules | None = None
        self._legal_if: LegalIf | None = None

    @cached_property
    def has_symbolic(self) -> bool:
        """Whether Z3 can judge these rules."""
        return has_symbolic(self.model)

    @property
    def symbolic(self) -> SymbolicRules:
        if self._symbolic is None:
            if not self.has_symbolic:
                raise InputError(f"{self.model.ruleset} has a rule that asks what else is possible: Z3 can't judge it")
            from brassspec.checker.symbolic import SymbolicRules

            self._symbolic = SymbolicRules(self.model, legal_moves=self.rules.legal_now)
        return self._symbolic

    def step(self, state: State, action: int, args: tuple[Any, ...]) -> SymbolicJudgement:
        """Z3's verdict on a move in full, and its next position at rest."""
        t = list(self.model.actions.values())[action]
        return self.symbolic.step(state, t.name, dict(zip([p.name for p in t.scalars()], args, strict=True)))

    def reason(self, name: str, facts: str) -> Reason:
        r = self.model.requirements[name]
        return Reason(
            name,
            r.sentence,
            facts,
            tuple(f"{self.model.sources.get(c.source, c.source)}: “{c.locator}”" for c in r.cites),
        )

    # ------------------------------------------------------------ everything known but, perhaps, parts of the move

    def ask(self, state: State, move: Move | str) -> Answer:
        """Whether a move, as JSON or as spoken, is legal in a position. One that leaves parts open is legal if some completion is.

        Raises InputError where the move is not well formed or leaves too much open.
        """
        request = self.game.request(move)
        if request.is_chance:
            raise InputError("a question is about a player's move; `apply` tells what chance brings")
        t = request.transition
        asked = move if isinstance(move, str) else json.dumps(move, ensure_ascii=False)
        legal = self.game.completions(request, self.rules.legal(state))
        if legal:
            options = [self.option(state, taken) for taken in legal[:20]]
            note = f"{len(legal)} ways to do it" if len(legal) > 1 else ""
            exceptions = options[0].exceptions
            counts = {"moves": len(legal)}
            return Answer(
                "legal", asked, options[0].move, options=options, exceptions=exceptions, note=note, counts=counts
            )
        tried = dict.fromkeys(islice(self.game.possible(request), MAX_COMPLETIONS))
        judged = [(taken, self.rules.judge(state, *taken)) for taken in tried]
        # The completion with the fewest failures, the last of them latest, explains best why none is legal.
        judged.sort(key=lambda tj: (len(tj[1].violated) + len(tj[1].unevaluated), -min(f.node for f in tj[1].violated)))
        taken, j = judged[0]
        reasons = [self.reason(f.requirement, self.game.facts(t, f)) for f in j.violated]
        answer = Answer("illegal", asked, self.speaker.say_move(*taken), reasons, nearby=self.nearby(state, *taken))
        answer.counts = {"moves": len(judged)}
        answer.others = self.other_failures(judged)
        if self.changes:
            answer.legal_if, answer.note = self.legal_if(state, taken)
        return answer

    def legal_if(self, state: State, taken: Taken) -> tuple[list[Change], str]:
        """The smallest changes of the position with which a move would be legal, or why there are none."""
        if not self.has_symbolic:
            return [], "a rule asks what else is possible: what would make the move legal can't be asked"
        if self._legal_if is None:
            from brassspec.checker.legal_if import LegalIf

            self._legal_if = LegalIf(self.game)
        found = self._legal_if.ask(state, taken)
        return found, "" if found else "no change of the position was found that makes this move legal"

    def other_failures(self, judged: list[tuple[Taken, Judgement]]) -> list[str]:
        """Of a move that leaves something open: other ways that fail as little as the first, for other reasons; at most three."""
        least = len(judged[0][1].violated)
        seen = {tuple(f.requirement for f in judged[0][1].violated)}
        out: list[str] = []
        for taken, j in judged:
            names = tuple(f.requirement for f in j.violated)
            if len(names) > least or len(out) == 3:
                break
            if names not in seen:
                seen.add(names)
                out.append(f"{self.speaker.say_move(*taken)}: by {', '.join(names)}")
        return out

    def option(self, state: State, taken: Taken) -> Option:
        j = self.rules.step(state, *taken)
        return Option(self.speaker.say_move(*taken), tuple(self.codec.event(e) for e in j.events), j.exceptions)

    def nearby(self, state: State, action: int, args: tuple[Any, ...]) -> list[str]:
        """Legal moves of the same kind that differ in one argument (a list of sources counts as one), at most six."""
        t = list(self.model.actions.values())[action]
        groups = [p.name.split(".")[0] for p in t.scalars()]

        def differ(other: tuple[Any, ...]) -> int:
            return len({g for g, a, b in zip(groups, args, other, strict=True) if a != b})

        found = [a for i, a in self.rules.legal(state) if i == action and differ(a) == 1 and a[0] == args[0]]
        return [self.speaker.say_move(action, a) for a in found[:6]]

    # ------------------------------------------------------------ parts of the position unknown

    def partial_args(self, t: Transition, stated: Stated) -> tuple[dict[str, Any], list[Expr]]:
        """What is known of the scalar parameters: their values, and conditions where several values are possible."""
        args: dict[str, Any] = {}
        assumptions: list[Expr] = []
        for p in t.params:
            values = stated.get(p.name)
            if values is None:
                continue
            if isinstance(p.type, Seq):
                args[f"{p.name}.len"] = len(values[0])
                for i in range(p.type.hi):
                    args[f"{p.name}.{i}"] = values[0][i] if i < len(values[0]) else None
            elif len(values) == 1:
                args[p.name] = values[0]
            else:
                assumptions.append(Or(tuple(Compare("=", Var(p.type, p.name), Const(p.type, v)) for v in values)))
        return args, assumptions

    def partial_state(self, where: Setting, mover: int) -> tuple[State, list[Expr]]:
        """The state with its unknown cells, and equations for those that follow from them.

        An unstated variable whose default depends on something unknown is what that default says, whatever the unknown is.
        """
        from brassspec.checker.symbolic import UNKNOWN

        unknown: dict[str, set[int]] = {}
        for name, cell in where.unknown:
            size = len(self.rules.keys(name))
            unknown.setdefault(name, set()).update(range(size) if cell is None else [cell])
        if where.unknown_otherwise:
            for name in self.model.state:
                size = len(self.rules.keys(name))
                unknown.setdefault(name, set()).update(i for i in range(size) if (name, i) not in where.stated)
        dependent: dict[str, set[int]] = {}
        changed = True
        while changed:
            changed = False
            for name, reads in self.rules.default_reads.items():
                if name in unknown or name in dependent or not reads & (unknown.keys() | dependent.keys()):
                    continue
                cells = {i for i in range(len(self.rules.keys(name))) if (name, i) not in where.stated}
                if cells:
                    dependent[name] = cells
                    changed = True
        equations = [self.equation(name, i, mover) for name, cells in dependent.items() for i in sorted(cells)]
        state: list[Any] = []
        for (name, var), value in zip(self.model.state.items(), where.state, strict=True):
            hidden = unknown.get(name, set()) | dependent.get(name, set())
            if not hidden:
                state.append(value)
            elif not var.keys or len(hidden) == len(value):
                state.append(UNKNOWN)
            else:
                state.append(tuple(UNKNOWN if i in hidden else v for i, v in enumerate(value)))
        return tuple(state), equations

    def equation(self, name: str, cell: int, mover: int) -> Expr:
        """That a cell is what its default says."""
        var = self.model.state[name]
        keys = self.rules.keys(name)[cell]
        constants = {b.name: Const(b.type, k) for b, k in zip(var.binders, keys, strict=True)}
        if self.model.player_sort:
            constants["mover"] = Const(Sort(self.model.player_sort), mover)
        left = Read(var.type, name, name, tuple(Const(t, k) for t, k in zip(var.keys, keys, strict=True)))
        right = substitute(var.default, constants)
        if isinstance(var.type, Bool):
            return Or((And((left, right)), And((Not(left), Not(right)))))
        return Compare("=", left, right)

    def ask_partial(self, s: Situation, line: Line) -> Answer:
        """The answer where parts of the position are unknown.

        What the move leaves open is the player's choice: "always" means that in every case some completion of it is legal.
        """
        try:
            action, stated = self.speaker.hear_move(line.text)
        except InputError as e:
            raise trouble(line, e, s.declaration) from None
        from brassspec.checker.symbolic.fewest import as_in

        where = setting(self.rules, self.speaker, s)
        t = list(self.model.actions.values())[action]
        args, assumptions = self.partial_args(t, stated)
        state, equations = self.partial_state(where, int(args.get(t.params[0].name, 0) or 0))
        known = [*assumptions, *equations, *self.assumed()]
        symbolic = self.symbolic.action(t.name)
        # As much as can be is as the question would have it if all were known: as at set-up.
        wishes = list(as_in(self.rules, where.state, symbolic.position.values, symbolic.position.cells))
        decision = symbolic.decide(state, args, known, wishes=wishes)
        answer = Answer(decision.verdict, line.text, note=decision.reason)
        if decision.verdict == "never":
            answer.reasons = self.core_reasons(t, decision)
        if decision.verdict != "depends":
            return answer
        legal = decision.legal

        def ways(case: State) -> list[Taken]:
            """The legal ways to make the move in one case."""
            legal_there = [(i, a) for i, a in self.rules.legal(case) if i == action]
            return self.game.completions(self.game.request(line.text), legal_there)

        for _ in range(MAX_CANDIDATES):
            # Is this way of making the move always legal? If not, is there any other way in the case where it isn't?
            assert legal is not None
            fixed = symbolic.decide(state, legal.args, known, wishes=wishes)
            if fixed.verdict in ("always", "unknown"):
                answer.verdict, answer.note = fixed.verdict, fixed.reason
                answer.judged = self.completion(t, where, legal, True)[0]
                return answer
            assert fixed.illegal is not None
            others = ways(fixed.illegal.state)
            if not others:
                answer.completions["legal"] = self.completion(t, where, legal, True)
                answer.completions["illegal"] = self.completion(t, where, fixed.illegal, False)
                answer.origin = "consistent with the proven invariants, reachability unknown"
                return answer
            legal = replace(fixed.illegal, args=dict(zip([p.name for p in t.scalars()], others[0][1], strict=True)))
        return Answer(
            "unknown",
            line.text,
            note=f"{MAX_CANDIDATES} ways of making the move were tried, each is legal in some cases only: state the move in full",
        )

    def refuse_assumptions(self) -> None:
        """Where all is known there is nothing to assume. Raises InputError."""
        if self.assume:
            raise InputError(
                "assume: nothing in this question is unknown: add a line `unknown ...`, or leave --assume out"
            )

    def assumed(self) -> list[Expr]:
        """What is assumed of the position. Raises SpecError where it is no condition on a position."""
        from brassspec.checker.goals import read_goal

        goals = [read_goal(self.model, text) for text in self.assume]
        for goal in goals:
            if goal.names:
                raise InputError(
                    f"assume: {goal.text} is about something that happens: state a condition on the position"
                )
        return [goal.condition for goal in goals]

    def core_reasons(self, t: Transition, decision: Decision) -> list[Reason]:
        """The requirements of a core, with the facts of one case in which the move fails."""
        facts: dict[str, str] = {}
        if decision.illegal is not None:
            args = tuple(decision.illegal.args[p.name] for p in t.scalars())
            j = self.rules.judge(decision.illegal.state, list(self.model.actions).index(t.name), args)
            facts = {f.requirement: f"for example, {told}" for f in j.violated if (told := self.game.facts(t, f))}
        return [self.reason(name, facts.get(name, "")) for name in decision.core if name in self.model.requirements]

    def completion(self, t: Transition, where: Setting, completion: Completion, legal: bool) -> list[str]:
        """A case in words. Every model of Z3's is replayed in the concrete meaning before anybody sees it."""
        action = list(self.model.actions).index(t.name)
        args = tuple(completion.args[p.name] for p in t.scalars())
        j = self.rules.judge(completion.state, action, args)
        if (j.state is not None) != legal:
            raise RuntimeError(f"Z3 and the concrete meaning disagree on {self.speaker.say_move(action, args)}")
        differences = self.differences(where, completion.state)
        lines = [self.speaker.say_move(action, args), *(differences or ["what is unknown as at set-up"])]
        return lines + [f"by {f.requirement}: {self.game.facts(t, f)}" for f in j.violated]

    def differences(self, where: Setting, state: State) -> list[str]:
        """What a completion says of what is unknown, in the words of a scenario; of whole maps only what differs from set-up."""
        asked: dict[str, set[int]] = {}
        for name, cell in where.unknown:
            if cell is not None or not self.model.state[name].keys:
                asked.setdefault(name, set()).add(cell or 0)
        named = {name for name, _ in where.unknown} or set(self.model.state)
        lines = [
            self.speaker.say_given(state, g)
            for g in self.speaker.givens
            if g.var.name in named
            and (
                self.speaker.value(where.state, g) != self.speaker.value(state, g)
                or (len(g.cells) == 1 and g.cells[0] in asked.get(g.var.name, ()))
            )
        ]
        return lines[:12] + ([f"... and {len(lines) - 12} more"] if len(lines) > 12 else [])


def substitute(e: Any, values: dict[str, Const]) -> Any:
    """An expression with constants in place of variables."""
    if isinstance(e, Var):
        return values.get(e.name, e)
    if isinstance(e, tuple):
        return tuple(substitute(x, values) for x in e)
    if is_dataclass(e) and not isinstance(e, type):
        changed = {f.name: substitute(getattr(e, f.name), values) for f in fields(e) if f.name != "type"}
        return replace(e, **{k: v for k, v in changed.items() if v is not getattr(e, k)})
    return e


def ask_situation(judge: Judge, s: Situation) -> list[Answer]:
    """The answers for the moves of a question; each legal move is made before the next is judged."""
    moves = [x for x in s.lines if x.kind == "move"]
    if not moves:
        raise InputError(f"{s.place.file}:{s.place.line}: the question asks about no move: add a line > MOVE")
    if s.is_partial:
        return [judge.ask_partial(s, line) for line in moves]
    judge.refuse_assumptions()
    state = judge.rules.rest(setting(judge.rules, judge.speaker, s).state, [])
    # Where an action was closed by itself, since nothing could follow: the position before that.
    unclosed: State | None = None
    answers: list[Answer] = []
    made = 0
    for line in moves:
        try:
            answer = judge.ask(state, line.text)
            if answer.verdict == "illegal" and unclosed is not None:
                answer = judge.ask(unclosed, line.text)
        except InputError as e:
            raise trouble(line, e, s.declaration) from None
        answer.after = made
        answers.append(answer)
        if answer.verdict == "legal":
            made += 1
            taken = judge.speaker.parse_move(answer.judged)
            j = judge.rules.judge(state, *taken)
            if j.state is None:
                continue  # the action was closed already, and the move does just that
            unclosed = judge.rules.steps(j.state, [])
            state = judge.rules.rest(unclosed, [])
            if state == unclosed:
                unclosed = None
    return answers


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was asked, and the answers, one a move."""

    title: str
    judge: Judge
    replies: list[Answer]
    again: Callable[[Judge], list[Answer]]  # the same question under other rules
    elsewhere: dict[str, str] = field(default_factory=dict)  # ruleset -> its verdict, where it differs
    readings_asked: int = 0


def ask(
    file: str,
    move: Move | str | None = None,
    *,
    at: int | None = None,
    ruleset: str | None = None,
    players: int | None = None,
    legal_if: bool = False,
    assume: Sequence[str] = (),
) -> Asked:
    """Answers the question in a file ("-": standard input): a position as JSON with a move, or a question in the words of a scenario.

    ruleset, players: instead of those that the question names. legal_if: also tell what would make an illegal move legal. assume:
    conditions on the position that hold, whatever is unknown. Raises InputError or SpecError where it is not well formed.
    """
    if at is not None:
        position, made = moment(file, at)
        if move is None and made is None:
            raise InputError(f"entry {at} of the log is no move: give the MOVE that the question is about")
        judge = Judge(game_of(position), legal_if, assume)
        return asked_of_position(f"entry {at} of {name_of(file)}", judge, position, move or made or "")
    data = read_bytes(file)
    if data.lstrip()[:1] in (b"{", b"["):
        position = read_position(parse_json(data, name_of(file)), name_of(file))
        if ruleset is not None or players is not None:
            position = Position(ruleset or position.ruleset, players or position.players, position.state)
        if move is None:
            raise InputError("a position alone is no question: give the MOVE that it is about")
        judge = Judge(game_of(position), legal_if, assume)
        return asked_of_position("", judge, position, move)
    s = read_question(data, name_of(file))
    named = ruleset or (s.rulesets[0] if s.rulesets else None)
    if named is None:
        raise InputError(
            f"{s.place.file}:{s.place.line}: the question names no ruleset: add a line `ruleset lancashire-2007`, or give --ruleset"
        )
    edition = shipped_editions().get(named.split("+")[0])
    count = players or s.players or (edition.players[0] if edition is not None else 0)
    judge = Judge(game(named, count), legal_if, assume)
    if move is not None:
        if not isinstance(move, str):
            raise InputError("with a question, give the MOVE in words")
        s = replace(s, lines=(*[x for x in s.lines if x.kind != "move"], Line("move", move, s.place)))
    return Asked(s.title, judge, ask_situation(judge, s), lambda other: ask_situation(other, s))


def asked_of_position(title: str, judge: Judge, position: Position, move: Move | str) -> Asked:
    def again(other: Judge) -> list[Answer]:
        other.refuse_assumptions()
        there = Position(other.model.ruleset, position.players, position.state)
        return [other.ask(other.game.read(there), move)]

    return Asked(title, judge, again(judge), again)


def under_readings(asked: Asked, progress: Callable[[int], None] | None = None) -> Asked:
    """The question asked again under every other reading of the ruleset's questions, one at a time.

    progress: called with how many questions of the ruleset are done.
    """
    model = asked.judge.model
    name, chosen = split_ruleset(model.ruleset)
    ours = [r.verdict for r in asked.replies]
    elsewhere: dict[str, str] = {}
    count = 0
    for done, (question, ruling) in enumerate(spec_of(name).rulings.items()):
        if progress is not None:
            progress(done)
        for reading in ruling.readings:
            if reading == model.readings[question]:
                continue
            parts = sorted({**chosen, question: reading}.items())
            ruleset = name + "".join(f"+{q}={r}" for q, r in parts)
            try:
                other = Judge(game(ruleset, model.players), assume=asked.judge.assume)
                theirs = [r.verdict for r in asked.again(other)]
            except (InputError, SpecError):
                continue  # readings that exclude each other, or under which there is no such position
            count += 1
            if theirs != ours:
                elsewhere[ruleset] = ", ".join(theirs)
    return replace(asked, elsewhere=elsewhere, readings_asked=count)


def read_question(data: bytes, name: str) -> Situation:
    """The one question (or scenario) of a text. Raises InputError or SpecError where there is none."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise InputError(f"{name}: this is neither JSON nor text: {e.reason} at byte {e.start}") from None
    if not re.search(r"^(question|scenario)\b", text, re.M):
        raise InputError(f'{name}: this is no question: begin with question "...": and indent the lines that follow')
    declarations, problems = parse(text, name)
    if problems:
        raise SpecError(problems, {name: text})
    found = [d for d in declarations if d.tree.data in ("question", "scenario")]
    if len(found) != 1 or len(declarations) != 1:
        raise InputError(f'{name}: one question is due, here are {len(found)}: question "...": and its lines, indented')
    return read_situation(found[0])
