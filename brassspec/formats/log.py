"""Game logs: JSON Lines, each line with a digest that is chained to the line before.

A file holds one or more games, one after another. Each game is a header line, one line a decision or chance event, and
an end line. A line's `digest` is the SHA-256 of the canonical JSON of {"line": the line without it, "previous": the
digest of the line before}; before the first line of the file that is "".
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from brassspec.formats.canonical import digest
from brassspec.formats.documents import check_format, expect
from brassspec.formats.envelope import TOOL
from brassspec.formats.plain import Chance, InputError, Move, Plain
from brassspec.formats.reading import name_of, parse_json, reason

LOG_FORMAT = "brassspec/log/1"
MAX_LINE = 65_536  # bytes
MAX_LINES = 10_000_000

_HEADER = {
    "format": str,
    "tool": str,
    "ruleset": str,
    "players": int,
    "seed": int,
    "policy": str,
    "game": int,
    "games": int,
    "spec": str,
    "digest": str,
}
_EVENT = {"n": int, "move": dict, "chance": dict, "position": str, "digest": str}
_END = {"n": int, "end": str, "position": str, "digest": str}


@dataclass(frozen=True, slots=True)
class Header:
    """What a game was played by.

    `game` counts from 1 to `games`, the number of games in the file; `spec` is the model's digest.
    """

    ruleset: str
    players: int
    seed: int
    spec: str
    policy: str = "uniform"
    game: int = 1
    games: int = 1
    tool: str = TOOL


@dataclass(frozen=True, slots=True)
class Step:
    """A decision (`move`) or a chance event (`chance`), and the digest of the resulting position ("" if not told)."""

    n: int
    move: Move | None
    chance: Chance | None
    position: str


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game: `n` is one more than the last step's, `position` the digest of the last position."""

    n: int
    position: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it was read: its number in the file from 1, and whether its digest is the one that is due."""

    number: int
    content: Header | Step | End
    chained: bool


def chained(line: Plain, previous: str) -> str:
    """The digest of a line (without its own) that follows the line with the digest `previous`."""
    return digest({"line": line, "previous": previous})


class LogWriter:
    """Writes a log to a temporary file beside it, which takes its place when all is well: there is never half a log.

    Use as a context manager. Raises InputError where the file can't be written or is something other than a file.
    """

    def __init__(self, path: str | Path) -> None:
        self._shown = name_of(path)
        try:
            self.path = Path(os.path.realpath(path))
        except (OSError, ValueError) as e:
            raise InputError(f"{self._shown}: can't be written: {reason(e)}") from None
        self._previous = ""
        self._n = 0
        self._position = ""
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        if self.path.exists() and not self.path.is_file():
            raise InputError(f"{self._shown}: not a file: name one that may be written")
        try:
            handle, self._temporary = tempfile.mkstemp(prefix=f".{self.path.name[:100]}.", dir=self.path.parent)
        except (OSError, ValueError) as e:
            raise InputError(f"{self._shown}: can't be written: {reason(e)}") from None
        self._file = os.fdopen(handle, "wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._file is not None
        try:
            if kind is None:
                try:
                    self._file.flush()
                    os.fchmod(self._file.fileno(), 0o666 & ~_umask())
                    self._file.close()
                    os.replace(self._temporary, self.path)
                except OSError as e:
                    raise InputError(f"{self._shown}: can't be written: {reason(e)}") from None
        finally:
            # After the replacement there is none.
            with contextlib.suppress(OSError):
                self._file.close()
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)

    def header(self, header: Header, position: str) -> None:
        """The beginning of a game; `position` is the digest of the position it begins in."""
        self._n, self._position = 0, position
        fields = ("tool", "ruleset", "players", "seed", "policy", "game", "games", "spec")
        self._write({"format": LOG_FORMAT, **{name: getattr(header, name) for name in fields}})

    def move(self, move: Move, position: str) -> None:
        """A decision; `position` is the digest of the position it led to."""
        self._step({"move": move}, position)

    def chance(self, chance: Chance, position: str) -> None:
        self._step({"chance": chance}, position)

    def end(self) -> None:
        """The end of the game whose header was written last."""
        self._write({"n": self._n + 1, "end": "over", "position": self._position})

    def _step(self, what: Plain, position: str) -> None:
        self._n, self._position = self._n + 1, position
        self._write({"n": self._n, **what, "position": position})

    def _write(self, line: Plain) -> None:
        assert self._file is not None, "use it as a context manager"
        self._previous = chained(line, self._previous)
        text = json.dumps({**line, "digest": self._previous}, ensure_ascii=False, separators=(",", ":"))
        try:
            self._file.write(text.encode("utf-8") + b"\n")
        except OSError as e:
            raise InputError(f"{self._shown}: can't be written: {reason(e)}") from None


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


class BadLine(InputError):
    """A line that is not well formed. line: its number; cause: what is wrong, and where in it."""

    def __init__(self, name: str, line: int, cause: str) -> None:
        super().__init__(f"{name}: line {line}: {cause}")
        self.line, self.cause = line, cause


def read_log(source: str | Path) -> Iterator[Line]:
    """The lines of a log, one by one; "-" is standard input.

    Whether a line's digest is the one due is told, not demanded. Raises BadLine on a line that is not well formed, and
    InputError on one longer than `MAX_LINE` bytes, and on more than `MAX_LINES` lines.
    """
    name = name_of(source)
    previous = ""
    for number, raw in enumerate(_raw_lines(source, name), 1):
        place = f"{name}: line {number}"
        if number > MAX_LINES:
            raise InputError(f"{place}: a log has at most {MAX_LINES} lines: split it by game")
        if len(raw) > MAX_LINE:
            raise InputError(f"{place}: longer than {MAX_LINE} bytes")
        try:
            data = parse_json(raw, place)
            content = _content(data, place)
        except InputError as e:
            raise BadLine(name, number, str(e).removeprefix(f"{place}: ")) from None
        rest = {k: v for k, v in data.items() if k != "digest"}
        yield Line(number, content, data["digest"] == chained(rest, previous))
        previous = data["digest"]


def _raw_lines(source: str | Path, name: str) -> Iterator[bytes]:
    try:
        with contextlib.ExitStack() as stack:
            file = sys.stdin.buffer if str(source) == "-" else stack.enter_context(open(source, "rb"))
            while raw := file.readline(MAX_LINE + 2):
                yield raw.rstrip(b"\r\n")
    except (OSError, ValueError) as e:
        if isinstance(e, InputError):
            raise
        raise InputError(f"{name}: can't be read: {reason(e)}") from None


def _content(data: Any, place: str) -> Header | Step | End:
    if not isinstance(data, dict):
        raise InputError(f"{place}: an object is due")
    if "format" in data:
        check_format(str(data["format"]), LOG_FORMAT, place)
        h = expect(data, place, _HEADER)
        if not 1 <= h["game"] <= h["games"]:
            raise InputError(f"{place}: game: {h['game']} is not one of {h['games']} games")
        return Header(h["ruleset"], h["players"], h["seed"], h["spec"], h["policy"], h["game"], h["games"], h["tool"])
    if "end" in data:
        e = expect(data, place, _END)
        if e["end"] != "over":
            raise InputError(f'{place}: end: "over" is due')
        return End(e["n"], e["position"])
    s = expect(data, place, _EVENT, optional=("move", "chance", "position"))
    if ("move" in s) == ("chance" in s):
        raise InputError(f"{place}: either a move or a chance is due")
    return Step(s["n"], s.get("move"), s.get("chance"), s.get("position", ""))
