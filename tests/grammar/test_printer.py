"""The canonical layout: it says the same, keeps every comment, settles at once, and bad text is refused with all its errors."""

from __future__ import annotations

import json
import os
import random
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassspec.cli.main import main
from brassspec.grammar import printer
from brassspec.grammar.errors import SpecError
from brassspec.grammar.parser import parse
from brassspec.grammar.printer import WIDTH, LayoutError, format_text

HERE = Path(__file__).parent.parent
RELAY = (HERE / "data" / "relay.brass").read_text(encoding="utf-8")
SHIPPED = sorted((HERE.parent / "specs").rglob("*.brass"))
UGLY = "define  x=1+2# why\n"
NEAT = "define x = 1 + 2  # why\n"


def trees(text: str) -> list[object]:
    declarations, problems = parse(text, "x.brass")
    assert problems == []
    return [d.tree for d in declarations]


def formatted(text: str) -> str:
    """The layout of a text, after a check of what holds for all layouts."""
    result = format_text(text, "x.brass")
    assert format_text(result, "x.brass") == result
    # Blanks at the end of a raw line are part of its token, but say nothing.
    assert trees(result) == trees(re.sub(r"[ \t]+$", "", text, flags=re.M))
    assert result == "" or re.fullmatch(r"\S.*[^\n]\n", result, re.S)
    assert "\n\n\n\n" not in result
    assert all(line == line.rstrip() for line in result.split("\n"))
    return result


def words_of(text: str) -> str:
    return re.sub(r"[\s()]+", "", text)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_shipped_specs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert words_of(formatted(text)) == words_of(text)


# ---- noise: text that says the same in another layout

_TOKEN = re.compile(r'"[^"\n]*"|#.*|[A-Za-z0-9_]+(?:--[a-z0-9_]+|\.[0-9]+)*|\.\.|:=|=>|<=|>=|!=|\S')
_RAW = re.compile(r"\s*(?:>|given\b|unknown\b)")


def noisy(text: str, chance: random.Random, lines_too: bool) -> str:
    """The text with other spaces, and with other indentation; lines_too: with more lines and comments as well."""
    out: list[str] = []
    depth = serial = 0
    unit = chance.choice([" ", "  ", "    ", "\t", "       "])
    widths = {0: ""}

    def blank() -> str:
        return chance.choice(["", "", " ", "  ", "\t"])

    def comment() -> str:
        nonlocal serial
        serial += 1
        return f"{blank()}# noise ({serial}: \"{blank()}"

    for line in text.splitlines():
        tokens = [] if _RAW.match(line) else _TOKEN.findall(line)
        level = (len(line) - len(line.lstrip(" "))) // 4
        if line.strip() and depth == 0:
            widths[level] = widths[max(level - 1, 0)] + (unit * chance.randint(1, 3) if level not in widths else "")
            widths = {k: w for k, w in widths.items() if k <= level} if level else {0: ""}
            if level and widths.get(level) is None:
                widths[level] = widths[level - 1] + unit
        if lines_too and depth == 0 and chance.random() < 0.2:
            out += chance.choice([["", " \t"], [comment()], ["", f"\t{comment()}", ""], ["    # of a block"]])
        if not tokens:
            out.append(widths[level] + line.strip() + blank() if line.strip() else blank())
            continue
        made = widths[level] if depth == 0 else blank() or " "
        for i, token in enumerate(tokens):
            if i:
                tight = not (tokens[i - 1][-1] + token[0]).replace("_", "a").isalnum()
                spaced = re.search(r"\s", "".join(_between(line, tokens, i)))
                made += chance.choice(["", " ", "  ", "\t "]) if tight and not (spaced and _merge(tokens[i - 1], token)) else " " * chance.randint(1, 3)
                if lines_too and depth and chance.random() < 0.1:
                    made += chance.choice(["", comment()]) + "\n" + blank() + chance.choice(["", comment() + "\n"]) + "  " + blank()
            made += token
            depth += (token in "([{") - (token in ")]}")
        if lines_too and depth == 0 and "#" not in line and chance.random() < 0.2:
            made += comment()
        out.append(made + blank())
    return "\n".join(out) + chance.choice(["", "\n", "\n\n \n"])
