"""Counts the tables of docs/perft.md anew, all of them or those named: minutes each.

python docs/perft.py [NAME ...]
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from brassspec.checker.perft import Perft, Row, perft
from brassspec.formats import Position
from brassspec.formats.documents import read_position
from brassspec.rules.api import game

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "perft.md"


@dataclass(frozen=True, slots=True)
class Table:
    """What a table counts: from a ruleset or one of the positions in docs/perft, to the depth that takes a minute or so."""

    start: str
    depth: int
    players: int | None = None
    seed: int = 1

    @property
    def name(self) -> str:
        return Path(self.start).stem if self.players is None else f"start-{self.players}"

    @property
    def command(self) -> str:
        players = "" if self.players is None else f" --players {self.players}"
        seed = "" if self.seed == 1 else f" --seed {self.seed}"
        return f"brassspec perft {self.start}{players} --depth {self.depth}{seed}"

    def count(self, depth: int | None = None) -> Perft:
        return perft(self.where(), depth or self.depth, players=self.players, seed=self.seed)

    def where(self) -> str | Position:
        if self.players is not None:
            return self.start
        return read_position(json.loads((DOCS.parent / self.start).read_text(encoding="utf-8")))


# Of three players and four the first cards would be the same under one seed.
TABLES = (
    Table("lancashire-2007-2p", 3, players=2),
    Table("lancashire-2007", 3, players=3),
    Table("lancashire-2007", 3, players=4, seed=2),
    Table("docs/perft/canal-2.json", 4),
    Table("docs/perft/rail-3.json", 3),
    Table("docs/perft/end-4.json", 6),
)


def markdown(table: Table, found: Perft) -> Iterator[str]:
    """A table's lines: by depth the moves and those of each action; the events in a list below, as they are many."""
    model = game(found.ruleset, found.players).model
    rows = found.counts[0].rows
    yield from columns("moves", rows, lambda row: row.moves, model.actions, lambda row: row.actions)
    yield ""
    told = [row for row in rows if row.events is not None]
    yield from columns(
        "events", told, lambda row: (row.events or Counter()).total(), model.events, lambda row: row.events or Counter()
    )
    yield ""
    times = " and ".join(f"{c.opinion} {c.seconds:.0f} s" for c in found.counts)
    yield f"Both opinions count this: {times} of one core."


def columns(
    what: str,
    rows: Sequence[Row],
    total: Callable[[Row], int],
    known: Iterable[str],
    kinds: Callable[[Row], Counter[str]],
) -> Iterator[str]:
    """One line a kind, one column a depth: there are more kinds than depths."""
    yield f"| {what} | " + " | ".join(f"depth {row.depth}" for row in rows) + " |"
    yield "|---|" + "--:|" * len(rows)
    yield "| all | " + " | ".join(str(total(row)) for row in rows) + " |"
    for name in known:
        if any(name in kinds(row) for row in rows):
            yield f"| `{name}` | " + " | ".join(str(kinds(row).get(name, 0)) for row in rows) + " |"


def main(names: list[str]) -> None:
    unknown = set(names) - {t.name for t in TABLES}
    if unknown:
        sys.exit(f"there is no table {min(unknown)}: known here: {', '.join(t.name for t in TABLES)}")
    for table in TABLES:
        if names and table.name not in names:
            continue
        found = table.count()
        if found.verdict != "same":
            sys.exit(f"{table.command}: {found.verdict}")
        text = PAGE.read_text(encoding="utf-8")
        block = f"```sh\n{table.command}\n```\n\n" + "\n".join(markdown(table, found)) + "\n"
        pattern = rf"(<!-- {re.escape(table.name)} -->\n).*?(<!-- end -->)"
        text, replaced = re.subn(pattern, lambda m: m[1] + block + m[2], text, flags=re.S)  # noqa: B023
        if not replaced:
            sys.exit(f"{PAGE.name} has no place for the table {table.name}")
        PAGE.write_text(text, encoding="utf-8")
        print(table.name, *(f"{c.opinion} {c.seconds:.0f} s" for c in found.counts))


if __name__ == "__main__":
    main(sys.argv[1:])
