"""Which specs there are: editions and their chapters, rulesets such as `lancashire-2007+question=reading`, rulings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from brassspec.formats import InputError
from brassspec.grammar.errors import Place, Problem, SpecError, nearest_name
from brassspec.grammar.parser import Declaration, parse
from brassspec.rules.elaborate import CHANGES, Elaboration
from brassspec.rules.model import Citation, Model
from brassspec.rules.scope import Fault, Node, fault, tree, trees, unquote

_RULESET = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\+[a-z0-9_]+=[a-z0-9_]+)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer to a ruling's question: who holds it (official, errata, translation, community, house) and what it changes."""

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
    rulings: dict[str, Ruling] = field(default_factory=dict)

    @property
    def scenarios(self) -> list[Declaration]:
        return [d for d in self.declarations if d.tree.data == "scenario"]


def specs_root() -> Path:
    """Where the specs that ship are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "specs"
    return inside if inside.is_dir() else package.parent / "specs"


def editions() -> list[str]:
    """The names of the editions that ship, sorted."""
    return sorted(p.stem for p in specs_root().glob("*/*.brass") if re.search(rf"^edition {re.escape(p.stem)} ", p.read_text(encoding="utf-8"), re.M))


def split_ruleset(ruleset: str) -> tuple[str, dict[str, str]]:
    """("lancashire-2007", {question: reading}). Raises InputError on anything that is no ruleset's name."""
    if len(ruleset) > 500 or not _RULESET.fullmatch(ruleset):
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
    found = [p for p in specs_root().glob(f"*/{name}.brass")]
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


def load_spec(path: Path) -> Spec:
    """The edition that a file declares, with all its chapters (and those of the edition it builds on).

    Raises SpecError with every error of all files, InputError where a file can't be read.
    """
    sources: dict[str, str] = {}
    problems: list[Problem] = []
    root = specs_root()
    loaded: set[Path] = set()
    declarations: list[Declaration] = []
    heads: list[Declaration] = []

    def shown(p: Path) -> str:
        return str(p.relative_to(root)) if p.is_relative_to(root) else p.name

    def load(p: Path, at: tuple[Declaration, object] | None = None) -> None:
        p = p.resolve()
        if p in loaded:
            return
        loaded.add(p)
        try:
            sources[shown(p)] = read_text(p)
        except InputError as e:
            if at is None:
                raise
            d, node = at
            problems.append(Problem(d.place(node), str(e), "chapters are named relative to the edition's file"))  # type: ignore[arg-type]
            return
        found, bad = parse(sources[shown(p)], shown(p))
        problems.extend(bad)
        rest = [d for d in found if d.tree.data != "edition"]
        for head in (d for d in found if d.tree.data == "edition"):
            if not at:
                heads.append(head)
            base = tree(head.tree, "base")
            if base is not None:
                load(edition_file(str(base.children[0].children[0])), (head, base))
            for chapter in tree(head.tree, "chapters").children:  # type: ignore[union-attr]
                load(p.parent / unquote(chapter), (head, chapter))
        declarations.extend(rest)

    load(path)
    if not heads and not problems:
        problems.append(Problem(next(iter(declarations)).place(None) if declarations else Place(path.name, 1), "the file declares no edition", 'begin with: edition NAME "Title" players 2..4'))
    if problems:
        raise SpecError(problems, sources)
    head = heads[0]
    players = tree(head.tree, "range")
    assert players is not None
    try:
        numbers = [int(b.children[0]) for b in players.children]
    except (TypeError, ValueError):
        raise SpecError([Problem(head.place(players), "the numbers of players are numbers")], sources) from None
    spec = Spec(str(head.tree.children[0].children[0]), unquote(head.tree.children[1]), range(numbers[0], numbers[-1] + 1), declarations, sources)
    for d in declarations:
        if d.tree.data == "ruling":
            try:
                ruling = read_ruling(d)
                if ruling.question in spec.rulings:
                    fault(d.place(d.tree), f"there are two rulings {ruling.question}")
                spec.rulings[ruling.question] = ruling
            except Fault as f:
                problems.append(f.problem)
    if problems:
        raise SpecError(problems, sources)
    return spec



def read_ruling(d: Declaration) -> Ruling:
    question, sentence = d.tree.children[0], d.tree.children[1]
    readings: dict[str, Reading] = {}
    for node in trees(d.tree, "reading"):
        name, words, default, holder, cites, body = node.children
        if str(name) in readings:
            fault(d.place(name), f"there are two readings {name}")
        cited = tuple(Citation(str(c.children[0]), unquote(c.children[1])) for c in (cites.children if cites is not None else []))
        changes = tuple((d, c) for c in body.children if c.data in CHANGES)
        readings[str(name)] = Reading(str(name), unquote(words), str(holder), cited, default is not None, changes)
    if sum(r.default for r in readings.values()) != 1:
        fault(d.place(question), "exactly one reading is the default")
    place = d.place(d.tree)
    return Ruling(str(question), unquote(sentence), readings, place.file, place.line)


def build(spec: Spec, readings: dict[str, str], players: int) -> Model:
    """The model of an edition under some readings. Raises InputError on unknown readings or players, SpecError on a faulty spec."""
    if players not in spec.players:
        allowed = ", ".join(map(str, spec.players))
        raise InputError(f"{spec.name} is for {allowed} players, not {players}")
    changes: list[tuple[Declaration, Node]] = []
    for question, reading in readings.items():
        if question not in spec.rulings:
            raise InputError(f"{spec.name} has no question {question}: {nearest_name(question, spec.rulings)}")
        if reading not in spec.rulings[question].readings:
            raise InputError(f"{question} has no reading {reading}: {nearest_name(reading, spec.rulings[question].readings)}")
    chosen = {q: readings.get(q, r.default) for q, r in spec.rulings.items()}
    for question, ruling in spec.rulings.items():
        changes.extend(ruling.readings[chosen[question]].changes)
    ruleset = spec.name + "".join(f"+{q}={r}" for q, r in sorted(readings.items()))
    return Elaboration(spec.declarations, changes, players, spec.sources).run(ruleset, chosen)


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


