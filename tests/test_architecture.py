"""The house: arrows only downward, the engine on its own, and no rule of Brass in Python outside the engine."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "brassspec"

# What each part may import of ours, besides itself.
ALLOWED = {
    "formats": set(),
    "grammar": {"formats"},
    "rules": {"grammar", "formats"},
    "engine": {"formats"},
    "checker": {"rules", "grammar", "formats", "engine"},
    "cli": {"checker", "rules", "grammar", "formats"},
}

# Words of the game that have no place in a language, a checker or a format.
WORDS = (
    "coal",
    "iron_works",
    "cotton",
    "canal",
    "shipyard",
    "birkenhead",
    "manchester",
    "develop",
    "distant",
    "overbuild",
)


def modules(part: str) -> list[Path]:
    return sorted((PACKAGE / part).rglob("*.py"))


@pytest.mark.parametrize("part", ALLOWED)
def test_arrows_go_only_downward(part: str) -> None:
    assert modules(part)
    for path in modules(part):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [a.name for a in node.names]
            for name in names:
                if name.startswith("brassspec."):
                    target = name.split(".")[1]
                    assert target == part or target in ALLOWED[part], f"{path.name} imports {name}"


@pytest.mark.parametrize("part", ["formats", "grammar", "rules", "checker"])
def test_no_rule_of_brass_stands_in_python_outside_the_engine(part: str) -> None:
    for path in modules(part):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
        for node in ast.walk(tree):
            said = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                said = node.value
            elif isinstance(node, ast.Name):
                said = node.id
            elif isinstance(node, ast.Attribute):
                said = node.attr
            for word in WORDS:
                assert word not in said.lower(), f"{path}:{getattr(node, 'lineno', 0)}: {said[:60]}"
