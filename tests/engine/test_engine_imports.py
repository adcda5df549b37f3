"""The engine stands alone: it imports the standard library and the floor of formats, nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import brassspec.engine

FILES = sorted(Path(brassspec.engine.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_imports(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            modules = [node.module or ""]
        else:
            continue
        for module in modules:
            assert (
                module.split(".")[0] in sys.stdlib_module_names
                or module == "brassspec.formats"
                or module == "brassspec.engine"
                or module.startswith("brassspec.engine.")
            ), module


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_docstring_is_one_sentence(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring is not None
    assert docstring.endswith(".")
    assert "\n" not in docstring


def test_a_game_loads_no_other() -> None:
    code = "import sys; from brassspec.engine import Engine; Engine(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    parts = {module.split(".")[2] for module in loaded if module.startswith("brassspec.engine.")}
    assert "lancashire" in parts
    assert parts.isdisjoint({"birmingham", "edition_2018", "lancashire_2018", "lancashire_2p", "mini"})
