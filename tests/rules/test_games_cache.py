"""The cache: fast, and never read where others could have written."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from brassspec.formats import InputError, store
from brassspec.rules import cache
from brassspec.rules.cache import load_rules

RULESET = "lancashire-2007"


class Boom:
    """What an attacker would leave in a cache."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("touch attacked",)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRASSSPEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    store._note.cache_clear()
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def built() -> cache.Rules:
    """So that the tests need not build the rules again and again."""
    return load_rules(RULESET, 3)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch, built: cache.Rules) -> list[str]:
    """What was built rather than loaded."""
    calls: list[str] = []
    import brassspec.rules.library as library

    def build(ruleset: str, players: int) -> object:
        calls.append(ruleset)
        return built.model

    monkeypatch.setattr(library, "load_model", build)
    monkeypatch.setattr(cache, "Rules", lambda model, compiled=None: cache_rules(model, compiled or built.compiled))
    return calls


cache_rules = cache.Rules
load = load_rules.__wrapped__


def entry(folder: Path) -> Path:
    (found,) = folder.glob("*.rules")
    return found


def forge(path: Path) -> None:
    """A whole, well-formed entry that runs something when it is read."""
    import hashlib

    body = pickle.dumps(Boom())
    path.write_bytes(cache._MAGIC + hashlib.sha256(body).digest() + body)


def test_built_once(folder: Path, builds: list[str]) -> None:
    first, second = load(RULESET, 3), load(RULESET, 3)
    assert builds == [RULESET]
    assert first.model == second.model
    state = second.initial()
    assert state == first.initial()
    assert second.chance(state) == first.chance(state)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [p.suffix for p in folder.iterdir()] == [".rules"]


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_damaged_entries_are_built_anew(folder: Path, builds: list[str], damage: bytes | None) -> None:
    load(RULESET, 3)
    path = entry(folder)
    path.write_bytes(path.read_bytes()[:-1] if damage is None else damage)
    load(RULESET, 3)
    load(RULESET, 3)
    assert builds == [RULESET] * 2


@pytest.mark.parametrize("mode", [0o660, 0o606])
def test_an_entry_that_others_may_write(
    folder: Path, builds: list[str], mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    load(RULESET, 3)
    forge(entry(folder))
    entry(folder).chmod(mode)
    load(RULESET, 3)
    assert builds == [RULESET] * 2
    assert not Path("attacked").exists()
    assert len(caplog.records) == 1
    load(RULESET, 3)
    assert builds == [RULESET] * 2


def test_an_entry_that_is_a_link(folder: Path, builds: list[str], tmp_path: Path) -> None:
    load(RULESET, 3)
    forge(tmp_path / "elsewhere")
    entry(folder).unlink()
    (folder / cache.entry_name(RULESET, 3)).symlink_to(tmp_path / "elsewhere")
    load(RULESET, 3)
    assert builds == [RULESET] * 2
    assert not Path("attacked").exists()


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write(
    folder: Path, builds: list[str], mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    load(RULESET, 3)
    forge(entry(folder))
    folder.chmod(mode)
    load(RULESET, 3)
    load(RULESET, 3)
    assert builds == [RULESET] * 3
    assert not Path("attacked").exists()
    assert len(caplog.records) == 1


def test_a_folder_that_is_a_link(folder: Path, builds: list[str], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    load(RULESET, 3)
    assert builds == [RULESET]
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_belongs_to_somebody_else(folder: Path, builds: list[str]) -> None:
    load(RULESET, 3)
    forge(entry(folder))
    os.chown(entry(folder), 12345, 12345)
    load(RULESET, 3)
    os.chown(folder, 12345, 12345)
    forge(entry(folder))
    load(RULESET, 3)
    assert builds == [RULESET] * 3
    assert not Path("attacked").exists()


def test_no_place_for_a_cache(folder: Path, builds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    for place in ("/proc/nothing/here", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        monkeypatch.setenv("BRASSSPEC_CACHE", place)
        assert load(RULESET, 3).model.ruleset == RULESET
    assert len(builds) == 3


def test_old_entries_make_room(folder: Path, builds: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_ENTRIES", 2)
    for players in (3, 4, 5, 6):
        load(RULESET, players)
    assert len(list(folder.iterdir())) == 2


def test_there_is_no_such_ruleset(folder: Path) -> None:
    for ruleset in ("chess", "", "\ud800", "a" * 10_000, "../../etc/passwd"):
        with pytest.raises(InputError):
            load(ruleset, 3)
    assert not folder.exists()


def test_a_warm_start_needs_no_parser(tmp_path: Path) -> None:
    program = (
        "import sys; from brassspec.rules.games import *; chances(Position('lancashire-2007', 3, {}));"
        "print(*[m for m in ('lark', 'networkx', 'z3', 'rich', 'click') if m in sys.modules])"
    )
    environment = {**os.environ, "BRASSSPEC_CACHE": str(tmp_path / "cache")}
    runs = [
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [r.stdout.split() for r in runs] == [["lark"], []]
    assert [r.stderr for r in runs] == ["", ""]
