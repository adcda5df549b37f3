"""Campaigns: every unit once, whatever is stopped in between; another campaign's journal is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brassspec.checker.campaign import campaign
from brassspec.formats import InputError, Plain

UNITS = list(range(9))


def square(n: int) -> Plain:
    return {"unit": n, "square": n * n, "list": [n]}


def note(n: int) -> Plain:
    """Tells which process did it, after a while that keeps this one busy."""
    time.sleep(0.3)
    return {"process": os.getpid()}


def fail(n: int) -> Plain:
    raise InputError(f"unit {n} can't be done")


def slow(n: int) -> Plain:
    time.sleep(30)
    return {}


DONE = {n: square(n) for n in UNITS}


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_unit_is_done_once(jobs: int) -> None:
    found = list(campaign(UNITS, square, jobs, large=lambda n: n % 3 == 0))
    assert len(found) == len(UNITS)
    assert dict(found) == DONE
    assert list(campaign([], square, jobs)) == []


def test_several_processes_work() -> None:
    assert len({r["process"] for _, r in campaign(UNITS[:4], note, 2)} | {os.getpid()}) == 3


def test_large_units_come_first() -> None:
    assert [n for n, _ in campaign(UNITS, square, 1, large=lambda n: n > 6)] == [7, 8, 0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_unit_raises_ends_the_campaign(jobs: int) -> None:
    with pytest.raises(InputError, match="can't be done"):
        list(campaign(UNITS, fail, jobs))


def test_a_campaign_goes_on_from_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    some = campaign(UNITS, square, 1, journal)
    for _ in range(4):
        next(some)
    some.close()
    assert len(journal.read_bytes().splitlines()) == 1 + 4
    # What is there is given first and not done again.
    again = list(campaign(UNITS, lambda n: {"anew": n}, 1, journal))
    assert dict(again[:4]) == {n: DONE[n] for n in range(4)}
    assert [r for _, r in again[4:]] == [{"anew": n} for n in range(4, 9)]
    assert list(campaign(UNITS, fail, 1, journal)) == again


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    list(campaign(UNITS, square, 1, journal))
    whole = journal.read_bytes()
    for size in range(len(whole) - 40, len(whole)):
        journal.write_bytes(whole[:size])
        assert dict(campaign(UNITS, square, 1, journal)) == DONE
        assert sorted(journal.read_bytes().splitlines()) == sorted(whole.splitlines())
    journal.write_bytes(whole[:30])  # within the first line
    assert dict(campaign(UNITS, square, 1, journal)) == DONE
    assert journal.read_bytes() == whole


def test_another_campaigns_journal_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    list(campaign(UNITS, square, 1, journal, specs=["a"]))
    before = journal.read_bytes()
    for units, specs in ((UNITS, ["b"]), (UNITS[:-1], ["a"]), ([*UNITS[:-1], 99], ["a"])):
        with pytest.raises(InputError, match="another campaign's"):
            list(campaign(units, square, 1, journal, specs=specs))
    assert journal.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a diary\n", "line 1 is no JSON"),
        ("[]\n", "no journal"),
        ('{"format": "brassspec/log/1"}\n', "no journal"),
    ],
)
def test_what_is_no_journal_is_left_alone(text: str, cause: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.write_text(text)
    with pytest.raises(InputError, match=cause):
        list(campaign(UNITS, square, 1, journal))
    assert journal.read_text() == text


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    list(campaign(UNITS, square, 1, journal))
    lines = journal.read_text().splitlines(keepends=True)
    for damaged, cause in (("{\n", "line 3 is no JSON"), ('{"unit": 12, "result": {}}\n', "line 3 is no unit")):
        journal.write_text("".join([*lines[:2], damaged, *lines[3:]]))
        with pytest.raises(InputError, match=cause):
            list(campaign(UNITS, square, 1, journal))


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be written"):
        list(campaign(UNITS, square, 1, tmp_path / "nowhere" / "journal"))


def test_the_processes_end_with_the_one_that_began_them() -> None:
    """However it ends: killed, it can't tell them."""
    code = (
        "import os, sys; from tests.checker.test_campaign import slow; from brassspec.checker.campaign import campaign\n"
        "import threading, time, multiprocessing\n"
        "def tell():\n"
        "    while len(multiprocessing.active_children()) < 2: time.sleep(0.01)\n"
        "    print(json.dumps([p.pid for p in multiprocessing.active_children()]), flush=True)\n"
        "import json; threading.Thread(target=tell).start()\n"
        "list(campaign([1, 2, 3], slow, 2))\n"
    )
    root = Path(__file__).resolve().parents[2]
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children: list[int] = json.loads(parent.stdout.readline())
    assert len(children) == 2
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while any(running(pid) for pid in children):
        assert time.monotonic() < deadline, "a process goes on alone"
        time.sleep(0.05)


def running(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be buried."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
