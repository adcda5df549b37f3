"""The JSON Schemas that ship: what all rulesets share. What differs follows from a model (rules/schema.py)."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

NAMES = ("log", "position", "result")


def schema(name: str) -> dict[str, Any]:
    """A schema that ships: "result" (the envelope), "log" (any line of a log) or "position" (of any ruleset).

    Raises KeyError on another name.
    """
    if name not in NAMES:
        raise KeyError(name)
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
