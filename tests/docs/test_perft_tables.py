"""The published counts: their small depths are counted again, and the positions are those that the moves beside them lead to."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from brassspec.formats.documents import read_position
from brassspec.rules.api import game
from brassspec.rules.games import apply

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "perft.md").read_text(encoding="utf-8")


def script() -> ModuleType:
    """docs/perft.py, which counts the tables."""
    spec = importlib.util.spec_from_file_location("perft_tables", DOCS / "perft.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


TABLES = script().TABLES


def published(name: str) -> tuple[str, dict[str, list[int]], dict[str, list[int]]]:
    """The command that a table shows, and its numbers: of moves and of events, by kind."""
    text = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", PAGE, re.S)
    assert text is not None
    command = re.search(r"```sh\n(.*)\n```", text[1])
    assert command is not None
    parts: list[dict[str, list[int]]] = []
    for line in text[1].splitlines():
        cells = [c.strip().strip("`") for c in line.strip("|").split("|")]
        if line.startswith("|--"):
            parts.append({})
        elif line.startswith("|") and parts and cells[1].isdigit():
            parts[-1][cells[0]] = [int(c) for c in cells[1:]]
    moves, events = parts
    return command[1], moves, events


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
def test_the_small_depths_are_what_is_published(table: object) -> None:
    command, moves, events = published(table.name)  # type: ignore[attr-defined]
    assert command == table.command  # type: ignore[attr-defined]
    found = table.count(2)  # type: ignore[attr-defined]
    assert found.verdict == "same"
    for row in found.counts[0].rows:
        at = row.depth
        assert moves["all"][at] == row.moves
        assert Counter({k: n[at] for k, n in moves.items() if k != "all" and n[at]}) == row.actions
        if row.events is not None:
            assert Counter({k: n[at] for k, n in events.items() if k != "all" and n[at]}) == row.events
            assert events["all"][at] == row.events.total()
    # As deep as the command says, and each depth adds up.
    depth = int(re.search(r"--depth (\d+)", command)[1])  # type: ignore[index]
    assert len(moves["all"]) == depth + 1
    for at in range(1, depth + 1):
        assert sum(n[at] for k, n in moves.items() if k != "all") == moves["all"][at]


@pytest.mark.parametrize("path", sorted((DOCS / "perft").glob("*.json")), ids=lambda p: p.stem)
def test_a_position_is_where_its_moves_lead(path: Path) -> None:
    position = read_position(json.loads(path.read_text(encoding="utf-8")))
    at = game(position.ruleset, position.players).initial()
    for line in path.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        after = apply(at, line).outcome.position
        assert after is not None, line
        at = after
    assert at == position
