"""Errors of a spec, shown as a good compiler shows them: file, line, caret, cause and remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in a spec file; line and column count from 1."""

    file: str
    line: int
    column: int = 1
    width: int = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One error: where it is, what is wrong, and what to do about it."""

    place: Place
    cause: str
    remedy: str = ""

    def render(self, lines: list[str]) -> str:
        """The error with its source line and a caret; `lines` are the lines of the file."""
        head = f"{self.place.file}:{self.place.line}:{self.place.column}: {self.cause}"
        parts = [head]
        if 0 < self.place.line <= len(lines):
            text = lines[self.place.line - 1].rstrip("\n")[:200]
            parts.append(f"    {text}")
            pad = "".join("\t" if c == "\t" else " " for c in text[: self.place.column - 1])
            parts.append("    " + pad + "^" * max(1, min(self.place.width, len(text) - len(pad))))
        if self.remedy:
            parts.append(f"    {self.remedy}")
        return "\n".join(parts)


class SpecError(ValueError):
    """One or more errors in a spec; all that were found in one run, in order of place."""

    def __init__(self, problems: Iterable[Problem], sources: dict[str, str]) -> None:
        self.problems = sorted(set(problems), key=lambda p: (p.place, p.cause))
        self.sources = sources
        super().__init__(self.render())

    def render(self, limit: int = 25) -> str:
        out = []
        for p in self.problems[:limit]:
            out.append(p.render(self.sources.get(p.place.file, "").splitlines()))
        if len(self.problems) > limit:
            out.append(f"... and {len(self.problems) - limit} more errors")
        return "\n".join(out)


def nearest_name(name: str, known: Iterable[str]) -> str:
    """A remedy that names the nearest known name, or lists some."""
    choices = sorted(set(known))
    close = difflib.get_close_matches(name, choices, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    if not choices:
        return ""
    shown = ", ".join(choices[:8])
    return f"known here: {shown}" + (", ..." if len(choices) > 8 else "")
