"""Where two rulesets differ: each action, automatic step and chance event compared, with a position and a moment of play a difference.

Cheap first: what is the same as it is written, with all that it refers to, is equivalent. Of the rest Z3 is asked for a position
in which they part, as like set-up as there is; it is shrunk and replayed in the concrete meaning of both, and in the reference
engine where that offers them. Where Z3 has none, that proves that none exists. What it can't be asked is looked for in play alone.

The positions are first those that fulfil the invariants of both rulesets: if they start alike and never part in one of these, they
never do. Else games of the one come to positions that the other never has, so what one alone allows is asked of its own
positions, and what comes out otherwise of those of either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brassspec.checker.apart import A_ALLOWS, B_ALLOWS, EFFECT, KINDS, ODDS, TOLD, Apart, Parting, swapped
from brassspec.checker.compare import Comparison, Difference
from brassspec.checker.opinions import reference
from brassspec.checker.related import BOTH, OF_A, OF_B, Foreign, Related, Row, tables_apart
from brassspec.checker.smaller import SET_BACK, UNREACHED, Smaller
from brassspec.formats import InputError, Plain
from brassspec.formats.documents import write_position
from brassspec.formats.reading import name_of, reason
from brassspec.rules.api import Game, Taken
from brassspec.rules.cache import load_rules
from brassspec.rules.compile import asks_what_is_possible
from brassspec.rules.concrete import Failure, InternalError, Rules, State
from brassspec.rules.library import split_ruleset
from brassspec.rules.model import Model, Require, Transition, Type
from brassspec.rules.policies import policy_names
from brassspec.rules.shipped import shipped_editions
from brassspec.rules.spoken import Speaker

if TYPE_CHECKING:
    from brassspec.checker.symbolic.pairs import Asked, Between, Pair

GAMES = 12  # played at most to find differences
MORE_GAMES = 150  # so many where none was found, and not all is answered
FIRST = 5  # of these, before the solver is asked
LOOKS = 2  # other moves of an action tried at a decision

RLIMIT = 30_000_000  # units of the solver for one question
TOTAL = 80_000_000  # for all questions
MORE = 7_000_000  # for those about the positions of one ruleset, times how many are open
RULE = 7_000_000  # for those about single rules, times how many differ
SEEN_RLIMIT = 10_000_000  # where play has an answer, and only a smaller one is sought

ENOUGH = 4  # lines of a position that is small enough
LARGE = 12  # and of one that is far from set-up
MANY = 1_000_000  # more lines than any position has

FROM_PLAY = f"made from one of play {SET_BACK}, {UNREACHED}"

IDENTICAL, PROVED, TESTED, UNKNOWN = "identical", "proved", "tested", "unknown"
SURE = {IDENTICAL, PROVED}
NO_REPLAY = f"{UNKNOWN}: the position found does not replay"

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Witness:
    """A position in which two rulesets part, and what each says there.

    position: of A or, where it is one of B's only, of B, stated by so many `lines` (what they leave unstated is as at set-up); move: "" for
    what happens by itself. origin: where the position comes from; moves: those that led there, of a position of play. engines: what
    the reference engine says of it, by side ("a", "b"): "agrees", "not offered", "not asked" where the position is none of that
    ruleset's, or how it differs. rules: for whose sake one alone allows the move.
    """

    kind: str
    position: Plain
    lines: tuple[str, ...]
    move: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    origin: str
    moves: tuple[str, ...] = ()
    engines: dict[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()


@dataclass(slots=True)
class Entry:
    """One action, automatic step or chance event of two rulesets.

    relation: "equivalent", "only_a", "only_b" (of which ones there are at all), "other_parameters", or, joined by "+": "a_allows_more",
    "b_allows_more", "incomparable", "other_odds", "other_effect", "told_otherwise". assurance: by question ("a_allows", "b_allows", "odds",
    "effect", "told") "identical", "proved" (that there is no such position), "tested" (none was found), or "unknown" for a reason; what
    has a witness isn't listed. smallest, played: the witnesses by question. rules: of rules that differ, and that decide in none of
    those, one in which each does; unused: those that do nowhere, "proved", or "unknown" for a reason.
    """

    name: str
    kind: str
    relation: str = "equivalent"
    assurance: dict[str, str] = field(default_factory=dict)
    smallest: dict[str, Witness] = field(default_factory=dict)
    played: dict[str, Witness] = field(default_factory=dict)
    rules: dict[str, Witness] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Diff:
    """What differs between rulesets A and B. verdict: "same", "different", or "unknown" where nothing was found, but not all was answered.

    players: the numbers of players for which this holds; where something differs that is one.
    tables, set_up: the rows that differ. rules: requirements and exceptions that only A has, only B has, both have with other
    conditions. own: the variables of the position that only a side has. not_assumed: B's invariants that contradict A's positions.
    """

    a: str
    b: str
    players: tuple[int, ...]
    entries: list[Entry]
    tables: list[Row]
    set_up: list[Row]
    rules: tuple[list[str], list[str], list[str]]
    own: tuple[tuple[str, ...], tuple[str, ...]]
    not_assumed: tuple[str, ...] = ()
    games: int = 0
    decisions: int = 0
    solver: int = 0

    @property
    def verdict(self) -> str:
        if any(e.relation != "equivalent" for e in self.entries) or self.set_up:
            return "different"
        unknown = any(a.startswith((UNKNOWN, TESTED)) for e in self.entries for a in e.assurance.values())
        return "unknown" if unknown else "same"


def diff(
    a: str,
    b: str,
    players: int | None = None,
    *,
    games: int | None = None,
    seed: int = 1,
    smt2: str | Path | None = None,
    progress: Progress | None = None,
) -> Diff:
    """Compares two rulesets for a number of players: by default for the fewest that both are for; where they don't differ, for more.

    games: so many are played at most, by the policies of both, to find the differences in play; by default GAMES, and MORE_GAMES
    where nothing is found and a question is open. smt2: a folder to which every question to Z3 is written. progress: called with
    how many transitions and games are done.
    Raises InputError where there is no such ruleset, or the two have no number of players in common.
    """
    compared: list[Diff] = []
    for count in common_players(a, b) if players is None else (players,):
        done = sum(len(d.entries) + d.games for d in compared)
        differ = Differ(
            load_rules(a, count), load_rules(b, count), games, seed, smt2, progress or (lambda _: None), done
        )
        compared.append(differ.run())
        if compared[-1].verdict == "different":
            return compared[-1]
    return together(compared)


def together(compared: Sequence[Diff]) -> Diff:
    """What was found of several numbers of players, none of which tells the rulesets apart: of each question the least that is known."""
    first, *others = compared
    for d in others:
        first.players += d.players
        first.games += d.games
        first.decisions += d.decisions
        first.solver += d.solver
        named = {e.name: e for e in d.entries}
        for entry in first.entries:
            for kind, how in named[entry.name].assurance.items():
                entry.assurance[kind] = max(entry.assurance.get(kind, IDENTICAL), how, key=rank)
    return first


def rank(how: str) -> int:
    """The place of an assurance, the surest first."""
    return (IDENTICAL, PROVED, TESTED, UNKNOWN).index(how.split(":")[0])


def common_players(a: str, b: str) -> list[int]:
    """The numbers of players that both rulesets are for. Raises InputError where there are none."""
    editions = [shipped_editions().get(split_ruleset(x)[0]) for x in (a, b)]
    for name, edition in zip((a, b), editions, strict=True):
        if edition is None:
            raise InputError(f"there is no ruleset {name}")
    both = set.intersection(*(set(e.players) for e in editions if e is not None))
    if not both:
        raise InputError(f"{a} and {b} are for no number of players in common")
    return sorted(both)


@dataclass(slots=True)
class Seen:
    """A parting in play: in which game, after which moves. `side`: whose game it was, 0 or 1."""

    parting: Parting
    game: int
    policy: str
    side: int
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the solver that has no example among the positions of both rulesets."""

    entry: Entry
    kind: str
    between: Between
    bits: Sequence[Any]


class Differ:
    def __init__(
        self, a: Rules, b: Rules, games: int | None, seed: int, smt2: str | Path | None, progress: Progress, done: int
    ) -> None:
        self.related = Related(a, b)
        self.apart = Apart(self.related)
        self.rules = (a, b)
        self.teller = Teller(self.apart)
        self.games, self.seed = games, seed
        self.smt2 = None if smt2 is None else Path(smt2)
        self.progress = progress
        self.done = done
        self.left = TOTAL
        self.open: list[Question] = []
        self.large: list[State] = []
        self.betweens: dict[str, Between] = {}
        other = policy_names(b.model)
        self.policies = [name for name in policy_names(a.model) if name in other]
        self.seen: dict[tuple[str, str], Seen] = {}
        self._pair: Pair | None = None
        tables = list(tables_apart(a.model, b.model, self.teller.word))
        self.found = Diff(
            a.model.ruleset,
            b.model.ruleset,
            (a.model.players,),
            [],
            tables,
            self.set_up(),
            self.related.rules_apart(),
            self.related.own,
        )

    @cached_property
    def back(self) -> Apart:
        """B judged by A: only asked for where games are played."""
        return Apart(self.related.back)

    @property
    def most(self) -> int:
        return GAMES if self.games is None else self.games

    def step(self) -> None:
        self.done += 1
        self.progress(self.done)

    def set_up(self) -> list[Row]:
        """The lines in which the positions in which games start differ."""
        says = []
        for rules, speaker in zip(self.rules, self.teller.speakers, strict=True):
            state = rules.initial()
            shared = (g for g in speaker.givens if g.var.name in self.related.shared)
            lines = (speaker.say_given(state, g) for g in shared)
            says.append(dict(line.split(" = ", 1) for line in lines))
        ours, theirs = says
        return [
            Row("set-up", key, ours.get(key, ""), theirs.get(key, ""))
            for key in dict.fromkeys((*ours, *theirs))
            if ours.get(key) != theirs.get(key)
        ]

    # ------------------------------------------------------------ the whole

    def run(self) -> Diff:
        ours, theirs = (rules.model.transitions() for rules in self.rules)
        open_: list[Entry] = []
        for name in dict.fromkeys((*ours, *theirs)):
            t = ours.get(name) or theirs[name]
            entry = Entry(name, t.kind)
            self.found.entries.append(entry)
            if name in self.related.same_moves and name not in self.related.told_otherwise:
                entry.assurance = dict.fromkeys(self.kinds(t), IDENTICAL)
            else:
                open_.append(entry)
        if open_:
            self.play(min(self.most, FIRST), None)
        for entry in open_:
            self.ask(entry, ours.get(entry.name), theirs.get(entry.name))
            self.step()
        if self.seen or self.found.set_up or not all(how in SURE for e in open_ for how in e.assurance.values()):
            self.widen()
        known = {e.name: e for e in open_}
        left = {(e.name, k) for e in open_ for k in e.smallest} | {
            (e.name, k) for e in open_ for k, how in e.assurance.items() if how not in (PROVED, IDENTICAL)
        }
        if left - self.seen.keys():
            self.play(self.most - self.found.games, left)
        self.conclude(known, ours, theirs)
        while self.games is None and self.found.verdict == "unknown" and self.found.games < MORE_GAMES:
            self.play(1, None)
            self.conclude(known, ours, theirs)
        self.left = RULE * sum(map(len, self.found.rules))
        for entry in open_:
            if not entry.relation.startswith(("only_", "other_parameters")):
                self.by_rules(entry)
        return self.found

    def conclude(
        self, open_: Mapping[str, Entry], ours: Mapping[str, Transition], theirs: Mapping[str, Transition]
    ) -> None:
        """What was seen and asked, as witnesses and relations."""
        for what, one in self.seen.items():
            if what[0] in open_:
                self.tell_played(open_[what[0]], one)
        for entry in open_.values():
            self.relate(entry, ours.get(entry.name), theirs.get(entry.name))

    @staticmethod
    def kinds(t: Transition) -> tuple[str, ...]:
        return KINDS if t.kind == "chance" else tuple(k for k in KINDS if k != ODDS)

    def relate(self, entry: Entry, ours: Transition | None, theirs: Transition | None) -> None:
        """What the two are to each other, by the witnesses there are."""
        shown = {*entry.smallest, *entry.played}
        words = []
        if ours is None or theirs is None:
            words.append("only_a" if theirs is None else "only_b")
        elif not self.related.same_parameters(ours, theirs):
            words.append("other_parameters")
        elif {A_ALLOWS, B_ALLOWS} <= shown:
            words.append("incomparable")
        else:
            words += [f"{kind}_more" for kind in (A_ALLOWS, B_ALLOWS) if kind in shown]
        words += [
            word
            for kind, word in ((ODDS, "other_odds"), (EFFECT, "other_effect"), (TOLD, "told_otherwise"))
            if kind in shown
        ]
        entry.relation = "+".join(words) or "equivalent"
        if EFFECT in shown:
            entry.assurance.pop(TOLD, None)  # what is told of another outcome is another too

    # ------------------------------------------------------------ by the solver

    def pair(self) -> Pair:
        if self._pair is None:
            from brassspec.checker.symbolic.pairs import Pair

            self._pair = Pair(self.related)
            self.found.not_assumed = tuple(self._pair.left_out)
        return self._pair

    def ask(self, entry: Entry, ours: Transition | None, theirs: Transition | None) -> None:
        """Asks Z3 each question about a transition."""
        t = ours or theirs
        assert t is not None
        told = TESTED if entry.name in self.related.told_otherwise else IDENTICAL
        if entry.name in self.related.same_moves:
            entry.assurance = {**dict.fromkeys(self.kinds(t), IDENTICAL), TOLD: told}
            return
        if ours is not None and theirs is not None and not self.related.same_parameters(ours, theirs):
            entry.assurance = dict.fromkeys(self.kinds(t), TESTED)
            return
        if any(asks_what_is_possible(x.nodes) for x in (ours, theirs) if x is not None):
            # Z3 can't be asked; but what only adds requirements allows no more, and does the same.
            stricter = self.related.stricter(entry.name) if ours is not None and theirs is not None else (False, False)
            known = {A_ALLOWS: stricter[0], B_ALLOWS: stricter[1], EFFECT: any(stricter)}
            entry.assurance = {k: IDENTICAL if known.get(k) else TESTED for k in self.kinds(t)} | {TOLD: told}
            return
        between = self.betweens[entry.name] = self.pair().between(entry.name)
        questions = {A_ALLOWS: between.allowed(0), B_ALLOWS: between.allowed(1)}
        if ours is not None and theirs is not None:
            questions |= {ODDS: between.odds()} if t.kind == "chance" else {}
            questions |= {EFFECT: between.effect()}
            entry.assurance[TOLD] = told
        for kind, bits in questions.items():
            self.question(entry, kind, between, bits)

    def question(self, entry: Entry, kind: str, between: Between, bits: Sequence[Any]) -> None:
        """One question: an example, which is replayed, or a proof that there is none. Not asked where play has shown few lines."""
        seen = self.seen.get((entry.name, kind))
        if seen is not None and self.smallest(entry, seen.parting, seen.side) <= ENOUGH:
            return
        if any(bit is False for bit in bits):
            entry.assurance[kind] = PROVED
            return
        answer = self.answer(between, kind, bits, BOTH, RLIMIT if seen is None else SEEN_RLIMIT)
        if isinstance(answer, Parting):
            self.smallest(entry, answer, 0, BOTH)
        else:
            entry.assurance[kind] = answer
            self.open.append(Question(entry, kind, between, bits))

    def answer(
        self, between: Between, kind: str, bits: Sequence[Any], domain: str, rlimit: int = RLIMIT, rule: str = ""
    ) -> Parting | str:
        """An example, replayed, or what is known else. rule: the one for whose sake the rulesets part, "" for any."""
        # Bounds are the rules' promise, and mostly need not be asked for; else they are, of what happens.
        proper = between.proper({A_ALLOWS: (0,), B_ALLOWS: (1,)}.get(kind, (0, 1)))
        for conditions in (bits, [*bits, *proper]):
            asked = self.ask_within(between, conditions, rlimit, domain)
            if asked.answer != "equal" and self.smt2 is not None:
                of = [] if domain == BOTH else [f"of-{domain}"]
                name = "-".join((between.name, *filter(None, (rule,)), kind, str(self.rules[0].model.players), *of))
                write(self.smt2, f"{name}.smt2", between.smt2(conditions, domain))
            if asked.answer in ("equal", "unsat"):
                return PROVED
            if asked.answer != "sat":
                return f"{UNKNOWN}: {asked.reason}"
            parting = self.replayed(between.name, kind, asked)
            if parting is not None and (not rule or rule in self.apart.deciding(parting)):
                return parting
        return NO_REPLAY

    def wider(self, kind: str) -> list[str]:
        """Whose positions a question is asked of where those of both have no example: what one alone allows, of its own."""
        domains = {A_ALLOWS: (OF_A,), B_ALLOWS: (OF_B,)}.get(kind, (OF_A, OF_B))
        return [domain for domain in domains if self.pair().is_wider(domain)]

    def widen(self) -> None:
        """Asks what has no example among the positions of both rulesets of those of one."""
        self.left = MORE * len(self.open)
        for one in self.open:
            known: list[str] = []
            for domain in self.wider(one.kind):
                answer = self.answer(one.between, one.kind, one.bits, domain)
                if isinstance(answer, Parting):
                    one.entry.assurance.pop(one.kind)
                    self.smallest(one.entry, answer, domain == OF_B, domain)
                    break
                known.append(answer)
            else:
                if known:
                    one.entry.assurance[one.kind] = max(known, key=rank)

    def by_rules(self, entry: Entry) -> None:
        """Each rule that differs decides somewhere, or it is asked whether it does."""
        between = self.betweens.get(entry.name)
        witnesses = (*entry.smallest.values(), *entry.played.values())
        if between is None or not any(w.kind in (A_ALLOWS, B_ALLOWS) for w in witnesses):
            return
        shown = {rule for w in witnesses for rule in w.rules}
        for rule in dict.fromkeys(rule for side in self.found.rules for rule in side if rule not in shown):
            answer = self.for_its_sake(between, rule)
            if isinstance(answer, Witness):
                entry.rules[rule] = answer
            elif answer:
                entry.unused[rule] = answer

    def for_its_sake(self, between: Between, rule: str) -> Witness | str:
        """A position in which a rule decides, or how it is known that it does nowhere; "" where it is none of the transition's."""
        known: list[str] = []
        for side, bits in between.decided(rule):
            kind = (A_ALLOWS, B_ALLOWS)[side]
            how = ""
            for domain in (BOTH, *self.wider(kind)):
                answer = self.answer(between, kind, bits, domain, 2 * RLIMIT, rule)
                if isinstance(answer, str):
                    how = answer
                    continue
                search = self.shrunk(answer, domain == OF_B, rule)
                if search is not None:
                    return self.made_of(search, domain == OF_B, domain)
                how = NO_REPLAY
            known.append(how)
        return max(known, key=rank, default="")

    def ask_within(self, between: Between, bits: Sequence[Any], rlimit: int, domain: str) -> Asked:
        """Asks with what is left of the units for all questions: near a position of many lines in which something else differs, near
        set-up, and anywhere."""
        before = between.units
        near = (*self.large[-1:], self.rules[0].defaults({}), None)
        asked = between.ask(bits, max(1, min(self.left, rlimit) // len(near)), domain, near)
        self.found.solver += between.units - before
        self.left = max(1, self.left - (between.units - before))
        return asked

    def replayed(self, name: str, kind: str, asked: Asked) -> Parting | None:
        """The parting, if the concrete meanings have it too."""
        try:
            b = self.related.as_b(asked.a, asked.own)
            return self.apart.parted(name, kind, asked.a, b, asked.args)
        except (Foreign, InternalError):
            return None

    def smallest(self, entry: Entry, parting: Parting, side: int, domain: str = "") -> int:
        """Shrinks a position, and keeps it if none in as few lines is known; in how many lines the smallest is stated.

        side: whose position it is, 0 or 1; domain: whose invariants it fulfils, "" for one of play.
        """
        search = self.shrunk(parting, side)
        known = entry.smallest.get(parting.kind)
        if search is not None:
            witness = self.made_of(search, side, domain)
            if known is None or len(witness.lines) < len(known.lines):
                known = entry.smallest[parting.kind] = witness
                if len(witness.lines) > LARGE:
                    self.large.append(swapped(search.parting).a if side else search.parting.a)
        return len(known.lines) if known is not None else MANY

    def shrunk(self, parting: Parting, side: int, rule: str = "") -> Smallest | None:
        """The smallest position of a ruleset, stated by what differs from its set-up."""
        search = Smallest(self.back, swapped(parting), rule) if side else Smallest(self.apart, parting, rule)
        if search.differs(search.state) is None:
            return None
        search.shrink()
        return search

    def made_of(self, search: Smallest, side: int, domain: str) -> Witness:
        parting = swapped(search.parting) if side else search.parting
        origin = self.origin(search, side, domain) if domain else FROM_PLAY
        return self.teller.witness(parting, side, search.lines or None, origin, ())

    def origin(self, search: Smallest, side: int, domain: str) -> str:
        """Where a position comes from that was made of one of the solver's: whose invariants it fulfils, or that one did."""
        rules, other = self.rules[side], self.rules[1 - side]
        there = search.parting.b
        of_both = not other.broken(there) and not other.unlike_play(there)
        if rules.unlike_play(search.state):
            of_both = domain == BOTH
        return search.origin("" if of_both else rules.model.ruleset)

    # ------------------------------------------------------------ by play

    def play(self, games: int, wanted: set[tuple[str, str]] | None) -> None:
        """So many games more, of both rulesets in turn and by all their policies, or until all that is wanted was seen."""
        for number in range(self.found.games, self.found.games + games):
            if wanted is not None and wanted <= self.seen.keys():
                break
            names = self.policies
            # Every policy comes by each ruleset in turn, however many there are.
            side = (number + number // len(names)) % 2
            self.found.games += 1
            try:
                self.watch(side, number, names[number % len(names)])
            except Foreign:  # the one's set-up is none of the other's
                break
            self.step()

    def tell_played(self, entry: Entry, one: Seen) -> None:
        kind = one.parting.kind
        game = f"game {one.game} of {(self.found.a, self.found.b)[one.side]}"
        origin = f"reached by play: {len(one.moves)} moves, {game}, policy {one.policy}, seed {self.seed}"
        entry.played[kind] = self.teller.witness(one.parting, one.side, None, origin, one.moves)
        if kind not in entry.smallest:
            self.smallest(entry, one.parting, one.side)
        entry.assurance.pop(kind, None)

    def watch(self, side: int, number: int, policy: str) -> None:
        """One game; keeps of each difference the earliest."""
        moves: list[str] = []
        speaker = self.teller.speakers[side]
        apart = self.back if side else self.apart
        for turn in apart.game(f"{self.seed}/{number}", policy, LOOKS):
            for found in turn.partings:
                parting = swapped(found) if side else found
                known = self.seen.get(parting.what)
                if known is None or len(moves) < len(known.moves):
                    self.seen[parting.what] = Seen(parting, number, policy, side, tuple(moves))
            if turn.taken is not None:
                self.found.decisions += not turn.is_chance
                moves.append(speaker.say_chance(*turn.taken) if turn.is_chance else speaker.say_move(*turn.taken))


def write(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    except OSError as e:
        raise InputError(f"{name_of(folder)}: can't be written: {reason(e)}") from None


class Smallest(Smaller):
    """The smallest position in which the rulesets part in the same way; with a rule, for its sake."""

    def __init__(self, apart: Apart, parting: Parting, rule: str = "") -> None:
        action = apart.a.model.actions.get(parting.name) or apart.b.model.actions.get(parting.name)
        mover = int(parting.args[0]) if action is not None and parting.args else 0
        super().__init__(apart.a, parting.a, mover, all(taken_of(r, parting) is None for r in (apart.a, apart.b)))
        self.apart = apart
        self.parting = parting
        self.rule = rule
        self.own = {name: parting.b[apart.b.index[name]] for name in apart.related.own[1]}

    def may_stand(self, state: State) -> bool:
        """At rest under one of the rulesets: where the other allows nothing more, it may close an action by itself."""
        if super().may_stand(state):
            return True
        try:
            b = self.apart.related.as_b(state, self.own, self.mover)
        except Foreign:
            return False
        return self.apart.b.rest(b, []) == b

    def differs(self, state: State) -> Difference | None:
        """With what B remembers as at set-up, if that will do."""
        p = self.parting
        for own in ({}, self.own) if self.own else ({},):
            try:
                b = self.apart.related.as_b(state, own, self.mover)
                found = self.apart.parted(p.name, p.kind, state, b, p.args)
            except (Foreign, InternalError, TypeError):
                continue
            if found is not None and (not self.rule or self.rule in self.apart.deciding(found)):
                self.parting = found
                return self.difference
        return None


class Teller:
    """Tells in words what each ruleset says of a parting."""

    def __init__(self, apart: Apart) -> None:
        self.apart = apart
        self.rules = (apart.a, apart.b)
        self.games = (Game(apart.a), Game(apart.b))
        self.speakers: tuple[Speaker, Speaker] = (self.games[0].speaker, self.games[1].speaker)

    def word(self, model: Model, value: Any, t: Type) -> str:
        speaker = self.speakers[model is not self.rules[0].model]
        if isinstance(value, frozenset):
            return ", ".join(sorted(speaker.say(v, t.inner) for v in value)) or "nothing"  # type: ignore[union-attr]
        return speaker.say(value, t)

    def witness(
        self, p: Parting, side: int, lines: Iterable[Any] | None, origin: str, moves: tuple[str, ...]
    ) -> Witness:
        """side: whose position it is; lines: what a scenario states of that, None: all that differs from set-up."""
        speaker, other = self.speakers[side], self.speakers[1 - side]
        state, there = (p.b, p.a) if side else (p.a, p.b)
        stated = list(speaker.differing(self.rules[side].defaults({}), state) if lines is None else lines)
        said = [speaker.say_given(state, g) for g in stated]
        related = self.apart.related.back if side else self.apart.related
        own = related.own[1]
        at_first = related.as_b(state) if own else there
        said += [other.say_given(there, g) for g in other.differing(at_first, there) if g.var.name in own]
        position = write_position(self.games[side].codec.position(state))
        sides = self.sides(p)
        rules = tuple(sorted(self.apart.deciding(p)))
        return Witness(
            p.kind, position, tuple(said), self.move(p), sides[0], sides[1], origin, moves, self.engines(p), rules
        )

    def move(self, p: Parting) -> str:
        """What happens, in words: a move or outcome of chance as it is spoken, a step by its name."""
        for rules, speaker, known in zip(self.rules, self.speakers, self.apart.understood(p), strict=True):
            if known and (t := rules.model.transitions()[p.name]).kind != "step":
                return speaker.say_transition(t, p.args)
        return ""

    def sides(self, p: Parting) -> tuple[tuple[str, ...], tuple[str, ...]]:
        after: list[State | None] = [None, None]
        says: list[tuple[str, ...]] = []
        known = self.apart.understood(p)
        for side, (rules, state) in enumerate(zip(self.rules, (p.a, p.b), strict=True)):
            t = rules.model.transitions().get(p.name)
            if t is None:
                says.append((f"there is no {p.name}",))
            elif not known[side]:
                says.append((f"its {p.name} has other parameters",))
            elif t.kind == "action":
                bad, _, used, after[side], _ = rules.run(p.name, state, p.args)
                says.append(self.verdict(side, t, bad, used))
            elif t.kind == "chance":
                number = rules.chance_names.index(p.name)
                weight = next((w for i, args, w in rules.chance(state) if (i, args) == (number, p.args)), 0)
                says.append((f"can happen, with weight {weight}",) if weight else ("cannot happen",))
                after[side] = rules.made(p.name, state, p.args) if weight else None
            else:
                is_due = self.apart.due(p.a, p.b)[side] == p.name
                says.append(("is due",) if is_due else ("is not due",))
                after[side] = rules.made(p.name, state, ()) if is_due else None
        if p.kind == EFFECT and after[0] is not None and after[1] is not None:
            return self.effects(p, after[0], after[1])
        if p.kind == TOLD:
            return ("tells something else",), ("tells something else",)
        return says[0], says[1]

    def verdict(self, side: int, t: Transition, bad: Any, used: Any) -> tuple[str, ...]:
        model = self.rules[side].model
        if not bad:
            names = dict.fromkeys(t.nodes[n].exceptions[i].name for n, i in used)
            return ("legal", *(f"by the exception {x}: {model.requirements[x].sentence}" for x in names))
        says: dict[str, str] = {}
        for number, values in bad:
            node = t.nodes[number]
            assert isinstance(node, Require)
            facts = self.games[side].facts(t, Failure(node.name, number, values))
            sentence = f"illegal by {node.name}: {model.requirements[node.name].sentence}"
            says.setdefault(node.name, sentence + (f" (here: {facts})" if facts else ""))
        return tuple(says.values())

    def effects(self, p: Parting, after_a: State, after_b: State) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The lines in which the positions that follow differ."""
        says = []
        for side, state in enumerate((after_a, after_b)):
            speaker = self.speakers[side]
            says.append([speaker.say_given(state, g) for g in speaker.givens if g.var.name in p.variables])
        return tuple(x for x in says[0] if x not in says[1]), tuple(x for x in says[1] if x not in says[0])

    # ------------------------------------------------------------ the third opinion

    def engines(self, p: Parting) -> dict[str, str]:
        """What the reference engine says of each ruleset's verdict."""
        out = {}
        for word, rules, state, known in zip("ab", self.rules, (p.a, p.b), self.apart.understood(p), strict=True):
            taken = taken_of(rules, p)
            if taken is None or not known:
                continue
            if rules.broken(state):
                out[word] = "not asked"
                continue
            engine = reference(rules.model.ruleset, rules.model.players)
            if engine is None:
                out[word] = "not offered"
                continue
            compare = Comparison(rules, engine)
            try:
                found = (
                    compare.happen(state, taken)[1] if p.name in rules.chance_names else compare.move(state, taken)[1]
                )
            except InternalError as e:
                out[word] = str(e)
                continue
            found = [d for d in found if d.kind not in ("invariant",)]
            out[word] = "agrees" if not found else f"{found[0].kind}: {found[0].other}"[:300]
        return out


def taken_of(rules: Rules, p: Parting) -> Taken | None:
    for names in (rules.action_names, rules.chance_names):
        if p.name in names:
            return names.index(p.name), p.args
    return None
