"""Hints: what proofs needed, noted once, so that it need not be searched for again.

What takes long about a proof is to find the few conditions, of some thousands, that it needs. `prove --note` writes them down, by
keys that follow from what the conditions say and so are the same in every run with the same Z3. Nothing is believed for a hint's
sake: Z3 is asked whether they are enough, and where they are not, as after a change of the rules, the proof is searched for as
without. (F* keeps such hints beside its sources, Why3 such sessions.)
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from brassspec.checker.symbolic.solver import UNSAT, Solver
from brassspec.checker.symbolic.terms import Term, Terms
from brassspec.formats import InputError
from brassspec.formats.reading import name_of, parse_json, read_bytes, reason
from brassspec.formats.writing import put

FORMAT = "brassspec/hints/2"
FOLDER = Path(__file__).parents[1] / "hints"  # those that ship
MAX_BYTES = 16_000_000
CHEAP = 1_000_000  # Z3's units for a question that need not be answered
PARTS = 8  # no smaller part than this of what is needed is tried to be left out

Conditions: TypeAlias = tuple[int, ...]  # their keys; none: it can't be proved so, as far as is known, or not soon
Book: TypeAlias = dict[tuple[str, str], dict[int, Conditions]]  # by transition and backend: goals, and what each needs
ALL = 0  # among the conditions of a hint: all constraints on what is in the others, too

_KEY = re.compile("[0-9a-f]{1,8}")


class Notes:
    """The hints for the proofs about one transition with one backend, and what is noted of them."""

    def __init__(self, known: Mapping[int, Conditions], noting: bool = False) -> None:
        self.known = known
        self.noting = noting
        self.used: set[int] = set()
        self.new: dict[int, Conditions] = {}

    def is_hard(self, goal: int) -> bool:
        """Whether it is known that a goal can't be proved so, or not soon, or by another backend a lot sooner."""
        return self.known.get(goal) == ()

    def note(self, goal: int, conditions: Iterable[int] = ()) -> None:
        """Notes what a goal needs, beside what was noted before: other goals may have its key."""
        _merge(self.new, goal, (*self.known.get(goal, ()), *conditions))

    def avoid(self, goal: int) -> None:
        """Notes that another backend is to be asked first."""
        self.used.discard(goal)
        self.new[goal] = ()


def _merge(known: dict[int, Conditions], goal: int, conditions: Iterable[int]) -> None:
    known[goal] = tuple(dict.fromkeys((*known.get(goal, ()), *conditions)))


def needed(
    terms: Terms, backend: str, given: Iterable[Term], conditions: Iterable[Term], rlimit: int
) -> list[Term] | None:
    """Few of the conditions that can't hold together with what is given; None where that isn't found out."""
    solver = Solver(terms, backend)
    solver.add(given)
    switches = {terms.constant(f"needed {i}"): condition for i, condition in enumerate(conditions)}
    solver.add(terms.implies(switch, condition) for switch, condition in switches.items())
    if solver.check([*switches], rlimit) != UNSAT:
        return None

    def core() -> list[Term]:
        found = solver.core()
        return [switch for switch in switches if switch in found]

    left = core()
    size, least = len(left), len(left) // PARTS
    while size > least:
        for i in range(0, len(left), size):
            if left[i : i + size] and solver.check(left[:i] + left[i + size :], CHEAP) == UNSAT:
                left = core()
        size = min(size // 2, len(left))
    return [switches[switch] for switch in left]


def written(key: tuple[str, str], notes: Notes) -> list[Any]:
    """What is noted of one transition with one backend, as a notebook takes it, and a journal, too."""
    return [*key, sorted(notes.used), [[goal, list(conditions)] for goal, conditions in notes.new.items()]]


class Notebook:
    """A file of hints that is written anew: of those that stand in it what was of use, and what is new. None: nothing is written.

    used: how often hints were of use, from whichever file. Raises InputError where the file can't be read or written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._old = {} if path is None else _before(path)
        self._book: Book = {}
        self.used = 0

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        for transition, backend, used, new in rows:
            self.used += len(used)
            old, known = (book.setdefault((transition, backend), {}) for book in (self._old, self._book))
            known.update({goal: old[goal] for goal in used if goal in old and goal not in known})
            for goal, conditions in new:
                _merge(known, goal, conditions)

    def write(self) -> None:
        if self._path is not None:
            write(self._path, self._book)


def _before(path: Path) -> Book:
    """What stands in a file that is to be written. That it can't be is told before hours of work are lost."""
    folder = path.parent
    try:
        there = path.exists()
    except OSError as e:
        raise InputError(f"{name_of(path)}: can't be written: {reason(e)}") from None
    if str(path) == "-" or (there and not path.is_file()):
        raise InputError(f"{name_of(path)}: can't be written: not a file")
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise InputError(f"{name_of(path)}: can't be written: there is no such folder, or it may not be written to")
    return read(path) if there else {}


# ---------------------------------------------------------------- files


@lru_cache(maxsize=1)
def shipped() -> Book:
    """All hints that ship. They are of use to every ruleset: what is the same in two of them has the same keys."""
    book: Book = {}
    for path in sorted(FOLDER.glob("*.json")):
        for place, goals in read(path).items():
            known = book.setdefault(place, {})
            for goal, conditions in goals.items():
                _merge(known, goal, conditions)
    return book


def read(path: Path) -> Book:
    """The hints of a file. Raises InputError where it can't be read or is no such file."""
    name = name_of(path)
    document = parse_json(read_bytes(path, MAX_BYTES), name)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'{name}: no file of hints: "format" should be {FORMAT}')
    book: Book = {}
    try:
        for transition, backends in document["hints"].items():
            for backend, goals in backends.items():
                book[transition, backend] = {_key(goal): tuple(map(_key, text.split())) for goal, text in goals.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError(
            f"{name}: no hints: they should be by transition, backend and goal, each key up to 8 hex digits; "
            "brassspec prove RULESET --note writes the file anew once it is removed"
        ) from None
    return book


def _key(text: str) -> int:
    if not _KEY.fullmatch(text):
        raise ValueError(text)
    return int(text, 16)


def write(path: Path, book: Book) -> None:
    """Writes hints to a file, whole or not at all; a link stays a link. Raises InputError where that can't be done."""
    hints: dict[str, dict[str, dict[str, str]]] = {}
    for transition, backend in sorted(book):
        goals = book[transition, backend]
        told = {f"{goal:x}": " ".join(f"{c:x}" for c in sorted(goals[goal])) for goal in sorted(goals)}
        if told:
            hints.setdefault(transition, {})[backend] = told
    text = json.dumps({"format": FORMAT, "hints": hints}, indent=0) + "\n"
    try:
        put(path.resolve(), text.encode(), 0o644)
    except OSError as e:
        raise InputError(f"{name_of(path)}: can't be written: {reason(e)}") from None
