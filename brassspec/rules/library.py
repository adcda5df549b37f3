"""Which specs there are: editions and their chapters, rulesets such as `lancashire-2007+question=reading`, rulings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from brassspec.formats import InputError
from brassspec.grammar.errors import Place, Problem, SpecError, nearest_name
from brassspec.grammar.parser import Declaration, parse
from brassspec.rules.elaborate import Elaboration
from brassspec.rules.model import Citation, Model
from brassspec.rules.scope import Fault, Node, dotted, fault, tree, trees, unquote
from brassspec.rules.shipped import shipped_editions, specs_root

HOLDERS = ("official", "errata", "translation", "community", "house")

MAX_PLAYERS = 12

_RULESET = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\+[a-z0-9_]+=[a-z0-9_]+)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer to a ruling's question: who holds it (one of HOLDERS), what it changes and what it declares."""

    name: str
    sentence: str
    holder: str
    cites: tuple[Citation, ...]
    default: bool
    changes: tuple[tuple[Declaration, Node], ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    question: str
    sentence: str
    readings: dict[str, Reading]
    file: str
    line: int

    @property
    def default(self) -> str:
        return next(r.name for r in self.readings.values() if r.default)


@dataclass(slots=True)
class Spec:
    """All declarations of an edition, in the order of its chapters, before they are given a number of players."""

    name: str
    title: str
    players: range
    declarations: list[Declaration]
    sources: dict[str, str]
    cited: frozenset[str] | None = None  # the sources of this edition; None: all that are declared
    bases: tuple[str, ...] = ()  # the editions it builds on, the nearest first
    inherited: frozenset[str] = frozenset()  # the files whose declarations are theirs
    rulings: dict[str, Ruling] = field(default_factory=dict)

    @property
    def scenarios(self) -> list[Declaration]:
        return [d for d in self.declarations if d.tree.data == "scenario"]

    @property
    def own_marks(self) -> list[str]:
        """The changes of the rules that this edition's own chapters call equivalent."""
        own = [d for d in self.declarations if d.tree.data == "equivalent" and d.file not in self.inherited]
        return [unquote(d.tree.children[0]) for d in own]


def editions() -> list[str]:
    """The names of the editions that ship, sorted."""
    return list(shipped_editions())


def split_ruleset(ruleset: str) -> tuple[str, dict[str, str]]:
    """("lancashire-2007", {question: reading}). Raises InputError on anything that is no ruleset's name."""
    if len(ruleset) > 2_000 or not _RULESET.fullmatch(ruleset):
        raise InputError(f"{ruleset[:60]!r} is no ruleset: write NAME or NAME+QUESTION=READING+...")
    name, *rest = ruleset.split("+")
    readings: dict[str, str] = {}
    for part in rest:
        question, _, reading = part.partition("=")
        if question in readings:
            raise InputError(f"{ruleset}: the question {question} is answered twice")
        readings[question] = reading
    return name, readings


def edition_file(name: str) -> Path:
    found = list(specs_root().glob(f"*/{name}.brass"))
    if name not in editions() or not found:
        raise InputError(f"there is no ruleset {name}: {nearest_name(name, editions())}")
    return found[0]


def read_text(path: Path) -> str:
    """A spec file's text. Raises InputError where it can't be read."""
    try:
        if path.stat().st_size > 4_000_000:
            raise InputError(f"{path}: the file is too large")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"{path}: can't be read: {e}") from None


def of_its_edition(d: Declaration) -> bool:
    """Whether this speaks of the edition it stands in only: a scenario or question that names no ruleset."""
    return d.tree.data in ("scenario", "question") and tree(d.tree, "for_rulesets") is None


def load_spec(path: Path) -> Spec:
    """The edition that a file declares, with all its chapters (and those of the edition it builds on).

    Raises SpecError with every error of all files, InputError where a file can't be read.
    """
    sources: dict[str, str] = {}
    problems: list[Problem] = []
    root = specs_root()
    loaded: set[Path] = set()
    inherited_files: set[str] = set()
    declarations: list[Declaration] = []
    heads: list[Declaration] = []  # of the edition itself, then of the one it builds on

    def shown(p: Path) -> str:
        return str(p.relative_to(root)) if p.is_relative_to(root) else p.name

    def load(p: Path, at: tuple[Declaration, object] | None = None, inherited: bool = False) -> None:
        p = p.resolve()
        if p in loaded:
            return
        loaded.add(p)
        if inherited:
            inherited_files.add(shown(p))
        try:
            sources[shown(p)] = read_text(p)
        except InputError as e:
            if at is None:
                raise
            d, node = at
            problems.append(Problem(d.place(node), str(e), "chapters are named relative to the edition's file"))
            return
        found, bad = parse(sources[shown(p)], shown(p))
        problems.extend(bad)
        rest = [d for d in found if d.tree.data != "edition" and not (inherited and of_its_edition(d))]
        for head in (d for d in found if d.tree.data == "edition"):
            heads.append(head)
            base = tree(head.tree, "base")
            if base is not None:
                load(edition_file(str(base.children[0].children[0])), (head, base), inherited=True)
            for chapter in tree(head.tree, "chapters").children:  # type: ignore[union-attr]
                load(p.parent / unquote(chapter), (head, chapter), inherited)
        declarations.extend(rest)

    load(path)
    if not heads and not problems:
        problems.append(
            Problem(
                next(iter(declarations)).place(None) if declarations else Place(path.name, 1),
                "the file declares no edition",
                'begin with: edition NAME "Title" players 2..4',
            )
        )
    if problems:
        raise SpecError(problems, sources)
    head = heads[0]
    players = tree(head.tree, "range")
    assert players is not None
    try:
        numbers = [int(b.children[0]) for b in players.children]
    except (TypeError, ValueError):
        raise SpecError([Problem(head.place(players), "the numbers of players are numbers")], sources) from None
    if not 1 <= numbers[0] <= numbers[-1] <= MAX_PLAYERS:
        cause = f"{numbers[0]}..{numbers[-1]} players are none, or too many"
        raise SpecError([Problem(head.place(players), cause, f"1..{MAX_PLAYERS} at the most")], sources)
    spec = Spec(
        str(head.tree.children[0].children[0]),
        unquote(head.tree.children[1]),
        range(numbers[0], numbers[-1] + 1),
        declarations,
        sources,
        next((frozenset(str(c) for c in named.children) for h in heads if (named := tree(h.tree, "of_sources"))), None),
        tuple(str(h.tree.children[0].children[0]) for h in heads[1:]),
        frozenset(inherited_files),
    )
    for d in declarations:
        try:
            if d.tree.data == "ruling":
                ruling = read_ruling(d)
                if ruling.question in spec.rulings:
                    fault(d.place(d.tree), f"there are two rulings {ruling.question}")
                spec.rulings[ruling.question] = ruling
            elif d.tree.data == "drop_ruling":
                question = str(d.tree.children[0])
                if spec.rulings.pop(question, None) is None:
                    fault(d.place(d.tree), f"there is no question {question}", nearest_name(question, spec.rulings))
        except Fault as f:
            problems.append(f.problem)
    for d in declarations:
        try:
            if d.tree.data == "preference":
                prefer(spec, d)
        except Fault as f:
            problems.append(f.problem)
    known = [str(d.tree.children[0]) for d in declarations if d.tree.data == "source"]
    problems.extend(cited_problems(spec, known))
    problems.extend(
        Problem(head.place(head.tree), f"the edition names no source {name}", nearest_name(name, known))
        for name in sorted((spec.cited or frozenset()) - set(known))
    )
    if problems:
        raise SpecError(problems, sources)
    if spec.cited is not None:
        spec.rulings = {q: of_sources(r, spec.cited) for q, r in spec.rulings.items()}
    return spec


def of_sources(ruling: Ruling, sources: frozenset[str]) -> Ruling:
    """The ruling with the citations of these sources only."""
    readings = {
        name: replace(r, cites=tuple(c for c in r.cites if c.source in sources)) for name, r in ruling.readings.items()
    }
    return replace(ruling, readings=readings)


def read_ruling(d: Declaration) -> Ruling:
    question, sentence = d.tree.children[0], d.tree.children[1]
    readings: dict[str, Reading] = {}
    for node in trees(d.tree, "reading"):
        name, words, default, holder, cites, body = node.children
        if str(name) in readings:
            fault(d.place(name), f"there are two readings {name}")
        cited = tuple(
            Citation(str(c.children[0]), unquote(c.children[1])) for c in (cites.children if cites is not None else [])
        )
        if str(holder) not in HOLDERS:
            fault(d.place(holder), f"{holder} holds no reading", "who holds it is one of " + ", ".join(HOLDERS))
        changes = tuple((d, c) for c in body.children)
        readings[str(name)] = Reading(str(name), unquote(words), str(holder), cited, default is not None, changes)
    if sum(r.default for r in readings.values()) != 1:
        fault(d.place(question), "exactly one reading is the default")
    place = d.place(d.tree)
    return Ruling(str(question), unquote(sentence), readings, place.file, place.line)


def prefer(spec: Spec, d: Declaration) -> None:
    """Makes the reading that an edition takes the default of its question."""
    _, question, reading = (str(c) for c in d.tree.children)
    if question not in spec.rulings:
        fault(d.place(d.tree), f"there is no question {question}", nearest_name(question, spec.rulings))
    ruling = spec.rulings[question]
    if reading not in ruling.readings:
        fault(d.place(d.tree), f"{question} has no reading {reading}", nearest_name(reading, ruling.readings))
    readings = {name: replace(r, default=name == reading) for name, r in ruling.readings.items()}
    spec.rulings[question] = replace(ruling, readings=readings)


def cited_problems(spec: Spec, known: list[str]) -> list[Problem]:
    """Readings that cite a source nobody declares."""
    return [
        Problem(
            Place(ruling.file, ruling.line),
            f"the reading {r.name} cites no source {c.source}",
            nearest_name(c.source, known),
        )
        for ruling in spec.rulings.values()
        for r in ruling.readings.values()
        for c in r.cites
        if c.source not in known
    ]


def changed_thing(node: Node) -> str | None:
    """What a change replaces or a reading declares, so that no other may; None for what only adds to the rules."""
    first = node.children[0]
    if node.data in ("replace", "drop"):
        return f"the rule {dotted(first)}"
    if node.data == "replace_cell":
        return f"the table {first}"
    if node.data == "drop_transition":
        return f"the action or event {first}"
    if node.data.startswith("replace_"):
        return f"the {node.data.removeprefix('replace_')} {first}"
    if node.data in ("exception", "added", "invariant", "claim"):
        return f"the rule {dotted(first)}"
    return f"the {node.data} {first}" if node.data in ("define", "procedure", "action", "event", "graph") else None


def together(spec: Spec, chosen: dict[str, str]) -> list[tuple[Declaration, Node]]:
    """The changes of all chosen readings; what two of them state in the same words counts once.

    Raises InputError where two of them change one thing differently.
    """
    out: list[tuple[Declaration, Node]] = []
    owner: dict[str, tuple[str, Node]] = {}
    for question, reading in chosen.items():
        for d, node in spec.rulings[question].readings[reading].changes:
            thing = changed_thing(node)
            if thing is not None and thing in owner and owner[thing][1] != node:
                raise InputError(f"{owner[thing][0]} and {question}={reading} can't be combined: both change {thing}")
            if all(node != other for _, other in out):
                out.append((d, node))
            if thing is not None:
                owner[thing] = (f"{question}={reading}", node)
    return out


def build(spec: Spec, readings: dict[str, str], players: int) -> Model:
    """The model of an edition under some readings. Raises InputError on unknown readings or players, SpecError on a faulty spec."""
    if players not in spec.players:
        allowed = ", ".join(map(str, spec.players))
        raise InputError(f"{spec.name} is for {allowed} players, not {players}")
    for question, reading in readings.items():
        if question not in spec.rulings:
            raise InputError(f"{spec.name} has no question {question}: {nearest_name(question, spec.rulings)}")
        if reading not in spec.rulings[question].readings:
            raise InputError(
                f"{question} has no reading {reading}: {nearest_name(reading, spec.rulings[question].readings)}"
            )
    chosen = {q: readings.get(q, r.default) for q, r in spec.rulings.items()}
    changes = together(spec, chosen)
    ruleset = spec.name + "".join(f"+{q}={r}" for q, r in sorted(readings.items()))
    return Elaboration(spec.declarations, changes, players, spec.sources, spec.cited).run(ruleset, chosen)


@lru_cache(maxsize=8)
def spec_of(name: str) -> Spec:
    """The edition of this name that ships."""
    return load_spec(edition_file(name))


@lru_cache(maxsize=64)
def load_model(ruleset: str, players: int) -> Model:
    """The model of a ruleset that ships, such as `lancashire-2007+overbuild_exhausted=either`, for a number of players.

    Raises InputError where there is no such ruleset, reading or number of players.
    """
    name, readings = split_ruleset(ruleset)
    return build(spec_of(name), readings, players)
