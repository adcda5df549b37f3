"""Campaigns: many independent units of work on all cores, with a journal that lets them be stopped and resumed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from multiprocessing import active_children, connection, parent_process
from pathlib import Path
from typing import IO, Any, TypeVar

from brassspec.formats import InputError, Plain
from brassspec.formats.envelope import TOOL
from brassspec.formats.reading import name_of, reason

JOURNAL_FORMAT = "brassspec/journal/1"
MAX_LINE = 50_000_000  # bytes of one result
FEW = 3  # processes that do large units: each of those may need three gigabytes
AHEAD = 2  # units a process that wait for it, so that it never waits itself

Unit = TypeVar("Unit")


def campaign(
    units: Sequence[Unit],
    do: Callable[[Unit], Plain],
    jobs: int,
    journal: Path | None = None,
    *,
    specs: Sequence[str] = (),
    large: Callable[[Unit], bool] = lambda _: False,
) -> Iterator[tuple[int, Plain]]:
    """Does every unit, in `jobs` processes; gives (number of the unit, its result), as they come.

    `do` is a function of a module, units can be pickled, and their repr tells all that their results depend on but the tool
    and the specs, whose digests are `specs`. A result is plain JSON.
    journal: a file to which each finished unit is appended at once. The same campaign with the same journal gives what is
    there first, then does the rest; so it may be killed at any moment.
    large: units that need much memory; no more than FEW processes do such.
    Raises InputError where the journal can't be written, or is another campaign's; and what `do` raises.
    """
    with ExitStack() as stack:
        file: IO[bytes] | None = None
        done: set[int] = set()
        if journal is not None:
            try:
                file = stack.enter_context(open(journal, "a+b"))
                for number, text in _resume(file, name_of(journal), _identity(units, specs), len(units)):
                    if number not in done:
                        done.add(number)
                        yield number, json.loads(text)
            except OSError as e:
                raise InputError(f"{name_of(journal)}: can't be written: {reason(e)}") from None
        rest = [i for i in range(len(units)) if i not in done]
        for number, text in _run(units, rest, do, jobs, large):
            if file is not None and journal is not None:
                try:
                    file.write(f'{{"unit": {number}, "result": {text}}}\n'.encode())
                    file.flush()
                except OSError as e:
                    raise InputError(f"{name_of(journal)}: can't be written: {reason(e)}") from None
            yield number, json.loads(text)


# ---------------------------------------------------------------- the journal


def _identity(units: Sequence[Any], specs: Sequence[str]) -> str:
    """What a campaign is, whatever was done of it."""
    total = hashlib.sha256(f"{TOOL}\n{list(specs)}\n".encode())
    for unit in units:
        total.update(f"{unit!r}\n".encode())
    return total.hexdigest()


def _resume(file: IO[bytes], name: str, identity: str, count: int) -> Iterator[tuple[int, str]]:
    """The results that a journal holds: (unit, JSON). A new one gets its first line; a torn last line is cut off."""
    head = {"format": JOURNAL_FORMAT, "campaign": identity, "units": count}
    file.seek(0)
    whole = 0  # bytes of lines that are whole
    for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
        if not line.endswith(b"\n"):
            break
        try:
            entry = json.loads(line)
        except ValueError:
            raise InputError(f"{name}: line {number} is no JSON: name another file for the journal") from None
        if number == 1:
            if not isinstance(entry, dict) or entry.get("format") != JOURNAL_FORMAT:
                raise InputError(f"{name}: this is no journal: name another file")
            if entry != head:
                raise InputError(
                    f"{name}: the journal is another campaign's (its command, the specs or the tool's version differ): "
                    "name another file, or remove it"
                )
        elif not isinstance(entry, dict) or entry.get("unit") not in range(count) or "result" not in entry:
            raise InputError(f"{name}: line {number} is no unit of this campaign")
        else:
            yield entry["unit"], json.dumps(entry["result"])
        whole += len(line)
    file.truncate(whole)
    if not whole:
        file.write(f"{json.dumps(head)}\n".encode())
        file.flush()


# ---------------------------------------------------------------- the processes


def _run(
    units: Sequence[Unit], rest: list[int], do: Callable[[Unit], Plain], jobs: int, large: Callable[[Unit], bool]
) -> Iterator[tuple[int, str]]:
    """(unit, JSON of its result) of the units in `rest`, as they come."""
    # Large units come first: they take longest, and the small ones then fill the gaps.
    waiting = [[i for i in rest if large(units[i])], [i for i in rest if not large(units[i])]]
    if jobs == 1 or len(rest) < 2:
        for i in waiting[0] + waiting[1]:
            yield i, _written(do, units[i])
        return
    few = min(jobs, FEW) if waiting[0] else 0
    with ExitStack() as stack:
        # What has once done a large unit keeps its memory: only these processes do such.
        pools = [
            (stack.enter_context(ProcessPoolExecutor(n, initializer=_child)), n * AHEAD, kinds)
            for n, kinds in ((few, waiting), (jobs - few, waiting[1:]))
            if n > 0
        ]
        running: list[dict[Future[str], int]] = [{} for _ in pools]
        try:
            while True:
                for (pool, most, kinds), mine in zip(pools, running, strict=True):
                    while len(mine) < most and (queue := next((q for q in kinds if q), None)):
                        i = queue.pop(0)
                        mine[pool.submit(_written, do, units[i])] = i
                if not any(running):
                    return
                for f in wait([f for mine in running for f in mine], return_when=FIRST_COMPLETED).done:
                    for mine in running:
                        if f in mine:
                            yield mine.pop(f), f.result()
        except BrokenProcessPool:
            raise InputError("a process was ended from outside, perhaps for lack of memory: try fewer --jobs") from None
        except BaseException:
            # Whatever ends the campaign ends its processes too: they may be deep in a search.
            for child in active_children():
                child.terminate()
            raise


def _written(do: Callable[[Any], Plain], unit: Any) -> str:
    return json.dumps(do(unit), ensure_ascii=False)


def _child() -> None:
    """In a process of the campaign: Ctrl-C ends it, without a word; so does the end of the process that began it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        connection.wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
