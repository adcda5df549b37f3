"""The spec files that ship, without reading what is in them: light, for a start from the cache."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_EDITION = re.compile(r'^edition +(\S+) +"([^"\n]*)"[^\n]*? players +(\d+)(?: *\.\. *(\d+))?', re.M)


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition that ships: its name, its title, and for how many players it is."""

    name: str
    title: str
    players: range


def specs_root() -> Path:
    """Where the specs that ship are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "specs"
    return inside if inside.is_dir() else package.parent / "specs"


def spec_files() -> list[Path]:
    """Every spec file that ships, sorted."""
    return sorted(specs_root().rglob("*.brass"))


@lru_cache(maxsize=1)
def shipped_editions() -> dict[str, Edition]:
    """The editions that ship, by name, sorted."""
    found = {}
    for path in sorted(specs_root().glob("*/*.brass")):
        match = _EDITION.search(path.read_text(encoding="utf-8"))
        if match and match[1] == path.stem:
            low = int(match[3])
            found[match[1]] = Edition(match[1], match[2], range(low, int(match[4] or low) + 1))
    return dict(sorted(found.items()))
