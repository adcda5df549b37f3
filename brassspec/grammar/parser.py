"""Text to syntax tree: a file is split into declarations, each parsed by itself, so that all errors show in one run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import Indenter

from brassspec.formats.store import own_path
from brassspec.grammar.errors import Place, Problem

# Bounds on hostile input: no spec of ours comes near them.
MAX_FILE = 1_000_000  # characters
MAX_NESTING = 60  # open brackets


class _Layout(Indenter):  # type: ignore[misc]  # lark has no types here
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012 (the base class wants lists)
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@lru_cache(maxsize=1)
def _lark() -> Lark:
    text = resources.files("brassspec.grammar").joinpath("brass.lark").read_text(encoding="utf-8")
    return Lark(
        text,
        parser="lalr",
        start=["start", "facts_expr"],
        postlex=_Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
        # Lark keeps its tables as pickles: only where nobody else can have written them.
        cache=own_path("grammar.lark") or False,
    )


# How terminals are called in a message.
_WORDS = {
    "NAME": "a name",
    "TYPE": "a type (it starts with a capital letter)",
    "MEMBER": "an id such as a.1 or a--b",
    "INT": "a number",
    "STRING": "a text in quotes",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "COLON": '":"',
    "COMMA": '","',
    "EQUAL": '"="',
    "RPAR": '")"',
    "RSQB": '"]"',
    "RBRACE": '"}"',
    "LPAR": '"("',
    "LSQB": '"["',
    "LBRACE": '"{"',
    "COMPARE": "a comparison",
    "$END": "the end of the declaration",
    "GIVEN": "a line `given ...`",
    "UNKNOWN": "a line `unknown ...`",
    "MOVE": "a move `> ...`",
    "RULESET": "a ruleset's name",
    "RULESET_SPEC": "a ruleset",
}


class Declaration:
    """One declaration of a file: its tree and where it stands."""

    __slots__ = ("file", "line", "text", "tree")

    def __init__(self, tree: Tree[Any], file: str, line: int, text: str) -> None:
        self.tree = tree
        self.file = file
        self.line = line  # of the first line, from 1
        self.text = text

    def place(self, node: Tree[Any] | Token | None) -> Place:
        """Where a node or token of this declaration stands in the file."""
        meta = node if isinstance(node, Token) else getattr(node, "meta", None)
        line = getattr(meta, "line", None)
        if meta is None or line is None:
            return Place(self.file, self.line)
        column = getattr(meta, "column", 1)
        end = getattr(meta, "end_column", None) if getattr(meta, "end_line", line) == line else None
        return Place(self.file, self.line + line - 1, column, (end - column) if end else 1)

    def source(self, node: Tree[Any]) -> str:
        """The text of a node, on one line."""
        start, end = getattr(node.meta, "start_pos", None), getattr(node.meta, "end_pos", None)
        if start is None or end is None:
            return ""
        return re.sub(r"\s+", " ", re.sub(r"#[^\n]*", "", self.text[start:end])).strip()


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """(first line, text) of each declaration: from a line that starts in the first column to the next such line."""
    start: int | None = None
    lines = text.splitlines()
    for number, line in enumerate([*lines, "end"], start=1):
        if line[:1] in ("", " ", "\t", "#", ")", "]", "}"):
            continue
        if start is not None:
            body = lines[start - 1 : number - 1]
            while body and body[-1].lstrip()[:1] in ("", "#"):
                body.pop()
            yield start, "\n".join(body) + "\n"
        start = number


def _nesting(text: str) -> int:
    depth = deepest = 0
    for c in text:
        if c in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif c in ")]}":
            depth -= 1
    return deepest


def _explain(error: UnexpectedInput, line: int, file: str) -> Problem:
    place = Place(file, line + max(error.line, 1) - 1, max(error.column, 1))
    if isinstance(error, UnexpectedToken):
        shown = str(error.token).split("\n")[0]
        names = sorted(
            _WORDS.get(n, f'"{n.lower()}"') for n in error.accepts or error.expected if not n.startswith("__")
        )
        found = (
            f"unexpected {shown!r}" if shown.strip() else "the line or block ends too early, or its indentation is off"
        )
        place = Place(file, place.line, place.column, max(1, len(shown)))
        expected = names[:8]
        return Problem(place, found, "expected " + " or ".join(expected) + (" ..." if len(names) > 8 else ""))
    if isinstance(error, UnexpectedCharacters):
        names = sorted(_WORDS.get(n, f'"{n.lower()}"') for n in error.allowed or ())
        return Problem(
            place, f"this can't stand here: {error.char!r}", "expected " + " or ".join(names[:8]) if names else ""
        )
    return Problem(place, "the declaration ends too early")


def parse(text: str, file: str) -> tuple[list[Declaration], list[Problem]]:
    """All declarations of a file, and all its syntax errors.

    Never raises on bad text: whatever is wrong is in the list of problems.
    """
    if len(text) > MAX_FILE:
        return [], [Problem(Place(file, 1), f"the file has {len(text)} characters", f"the limit is {MAX_FILE}")]
    declarations: list[Declaration] = []
    problems: list[Problem] = []
    stray = re.match(r"(?:[ \t]*(?:#[^\n]*)?\n)*([ \t]+\S)", text)
    if stray:
        problems.append(
            Problem(
                Place(file, text[: stray.start(1)].count("\n") + 1),
                "a declaration starts in the first column",
                "remove the indentation",
            )
        )
    for line, chunk in _chunks(text):
        if _nesting(chunk) > MAX_NESTING:
            problems.append(Problem(Place(file, line), "brackets are nested too deeply", f"the limit is {MAX_NESTING}"))
            continue
        try:
            tree = _lark().parse(chunk, start="start")
        except UnexpectedInput as error:
            problems.append(_explain(error, line, file))
            continue
        except Exception as error:  # the layout pass raises its own kind on inconsistent indentation
            if type(error).__name__ not in ("DedentError", "AssertionError"):
                raise
            problems.append(
                Problem(
                    Place(file, line),
                    "the indentation in this declaration is inconsistent or a bracket is unbalanced",
                    "use four spaces a level",
                )
            )
            continue
        inner = next(c for c in tree.children if isinstance(c, Tree))
        declarations.append(Declaration(inner, file, line, chunk))
    return declarations, problems


def parse_expression(text: str) -> Tree[Any] | None:
    """One expression, as inside the braces of a template; None if it isn't one."""
    try:
        tree = _lark().parse(text, start="facts_expr")
    except UnexpectedInput:
        return None
    inner = tree.children[0]
    # A bare name is a token's own rule, so every expression is a tree.
    return inner if isinstance(inner, Tree) else None
