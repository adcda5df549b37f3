"""The result of a verb: one object, the same for all, and the exit code that its verdict means."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from brassspec import __version__
from brassspec.formats.plain import Plain

RESULT_FORMAT = "brassspec/result/1"
TOOL = f"brassspec {__version__}"


class Exit(IntEnum):
    GOOD = 0  # the answer is the good one
    OTHER = 1  # the other answer
    INPUT = 2  # usage or input error, or a check that was vacuous
    INTERNAL = 3  # a crash is never a verdict
    UNKNOWN = 4  # a limit was reached
    INTERRUPTED = 130  # Ctrl-C


class Verdict(StrEnum):
    """What came out, in one word. `exit_code` is what a shell sees of it."""

    OK = "ok"
    LEGAL = "legal"
    ALWAYS_LEGAL = "always_legal"
    SAME = "same"
    FOUND = "found"
    PROVED = "proved"
    FAILED = "failed"
    ILLEGAL = "illegal"
    NEVER_LEGAL = "never_legal"
    DEPENDS = "depends"
    DIFFERENT = "different"
    NONE_EXISTS = "none_exists"
    REFUTED = "refuted"
    INPUT_ERROR = "input_error"
    VACUOUS = "vacuous"
    INTERNAL_ERROR = "internal_error"
    INTERRUPTED = "interrupted"
    UNKNOWN = "unknown"

    @property
    def exit_code(self) -> Exit:
        return _EXIT[self]


_V = Verdict
_MEANT = {
    Exit.GOOD: (_V.OK, _V.LEGAL, _V.ALWAYS_LEGAL, _V.SAME, _V.FOUND, _V.PROVED),
    Exit.OTHER: (_V.FAILED, _V.ILLEGAL, _V.NEVER_LEGAL, _V.DEPENDS, _V.DIFFERENT, _V.NONE_EXISTS, _V.REFUTED),
    Exit.INPUT: (_V.INPUT_ERROR, _V.VACUOUS),
    Exit.INTERNAL: (_V.INTERNAL_ERROR,),
    Exit.UNKNOWN: (_V.UNKNOWN,),
    Exit.INTERRUPTED: (_V.INTERRUPTED,),
}
_EXIT = {verdict: code for code, verdicts in _MEANT.items() for verdict in verdicts}

# The worst first.
_BATCH = (Exit.INTERRUPTED, Exit.INTERNAL, Exit.INPUT, Exit.OTHER, Exit.UNKNOWN, Exit.GOOD)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a batch: the first of those whose exit code is the worst (3, 2, 1, 4, 0); of none, vacuous."""
    return min(verdicts, key=lambda v: _BATCH.index(v.exit_code), default=Verdict.VACUOUS)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a verb.

    ruleset: as it was asked for, "" where the verb has none; readings: question -> reading, those of the ruleset.
    assurance: what was checked -> how: "proved", "bounded(k)", "tested(n)", "not run".
    counts: how many of what were examined.
    findings: objects, each with a "kind"; what a kind holds stands in docs/formats.md.
    seconds: wall-clock time; solver: units the solver used. repro: the command that gives this result again.
    """

    command: str
    verdict: Verdict
    ruleset: str = ""
    readings: dict[str, str] = field(default_factory=dict)
    assurance: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    findings: tuple[Plain, ...] = ()
    seconds: float = 0.0
    solver: int = 0
    repro: str = ""

    @property
    def exit_code(self) -> Exit:
        return self.verdict.exit_code

    def plain(self) -> Plain:
        """The envelope as plain data, keys in the order of the schema."""
        return {
            "format": RESULT_FORMAT,
            "tool": TOOL,
            "command": self.command,
            "ruleset": self.ruleset,
            "readings": self.readings,
            "verdict": str(self.verdict),
            "assurance": self.assurance,
            "counts": self.counts,
            "findings": list(self.findings),
            "cost": {"seconds": round(self.seconds, 3), "solver": self.solver},
            "repro": self.repro,
        }

    def json(self) -> str:
        """The envelope on one line."""
        return json.dumps(self.plain(), ensure_ascii=False)
