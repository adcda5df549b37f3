"""Compiled rulesets, kept between runs: a start from the cache needs neither the parser nor the elaboration.

An entry is named by the digest of everything it was made from: all spec files that ship, the source of the tool, the
version of Python. It holds code, so it is only read where nobody else can have written it: the folder and the file must
be ours, no links, and writable by us alone.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import logging
import marshal
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from brassspec.rules.concrete import Rules
from brassspec.rules.shipped import spec_files

MAX_ENTRIES = 64  # kept in the folder; older ones make room
MAX_ENTRY = 64_000_000  # bytes
_MAGIC = b"brassspec-rules-1\n"

_log = logging.getLogger("brassspec")


@lru_cache(maxsize=64)
def load_rules(ruleset: str, players: int) -> Rules:
    """The compiled rules of a ruleset that ships, such as `lancashire-2007+overbuild_exhausted=either`.

    From the cache where that is possible and safe, else built, and kept for the next time if possible.
    Raises InputError where there is no such ruleset, reading or number of players, SpecError on a faulty spec.
    """
    folder = cache_folder()
    name = entry_name(ruleset, players)
    if folder is not None:
        found = _load(folder, name)
        if found is not None:
            return found
    from brassspec.rules.library import load_model  # the grammar is only needed here

    rules = Rules(load_model(ruleset, players))
    if folder is not None:
        _keep(folder, name, rules)
    return rules


def cache_folder() -> Path | None:
    """Where compiled rulesets are kept: $BRASSSPEC_CACHE, else the user's cache folder; None where that isn't safe."""
    if os.name != "posix":
        return None
    given = os.environ.get("BRASSSPEC_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_dir

    try:
        usual = Path(user_cache_dir("brassspec"))
    except (OSError, RuntimeError):
        return None
    return usual if usual.is_absolute() else None  # who has no home has no cache


def entry_name(ruleset: str, players: int) -> str:
    """The file name of an entry: the digest of everything that it is made from."""
    key = hashlib.sha256(f"{_made_from()}\n{ruleset}\n{players}".encode("utf-8", "surrogatepass"))
    return f"{key.hexdigest()}.rules"


@lru_cache(maxsize=1)
def _made_from() -> str:
    package = Path(__file__).resolve().parent.parent
    sources = [
        p for part in ("grammar", "rules") for p in sorted((package / part).iterdir()) if p.suffix in (".py", ".lark")
    ]
    total = hashlib.sha256(sys.version.encode())
    for path in [*sources, *spec_files()]:
        text = path.read_bytes()
        total.update(f"\n{path.parent.name}/{path.name} {len(text)}\n".encode())
        total.update(text)
    return total.hexdigest()


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int | None]:
    """The folder's descriptor; None where it isn't there or others could have written into it."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as e:
        if folder.is_symlink():
            _note(str(folder), "it is a link")
        elif not isinstance(e, FileNotFoundError | PermissionError):
            _note(str(folder), "it is no folder")
        yield None
        return
    try:
        if _ours(os.fstat(handle)):
            yield handle
        else:
            _note(str(folder), "others can write to it")
            yield None
    finally:
        os.close(handle)


def _ours(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@lru_cache(maxsize=1)
def _note(folder: str, why: str) -> None:
    """Said once."""
    _log.warning("note: the cache %r is not used: %s", folder, why)


def _load(folder: Path, name: str) -> Rules | None:
    try:
        with _opened(folder) as within:
            data = None if within is None else _read(within, name, folder)
    except OSError:
        return None
    if data is None or not data.startswith(_MAGIC):
        return None
    digest, body = data[len(_MAGIC) :][:32], data[len(_MAGIC) + 32 :]
    if hashlib.sha256(body).digest() != digest:
        return None
    collecting = gc.isenabled()
    gc.disable()  # thousands of small objects that all stay
    try:
        model, code, consts = pickle.loads(body)
        return Rules(model, (marshal.loads(code), consts))
    except Exception:  # whatever a stale or odd entry does, it is built anew
        return None
    finally:
        if collecting:
            gc.enable()


def _read(within: int, name: str, folder: Path) -> bytes | None:
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=within)
    except FileNotFoundError:
        return None
    except OSError:
        _note(str(folder), "an entry is a link or can't be read; it is built anew")
        return None
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or not _ours(status):
            _note(str(folder), "others could have written an entry; it is built anew")
            return None
        return file.read(MAX_ENTRY)


def _keep(folder: Path, name: str, rules: Rules) -> None:
    """Writes an entry, whole or not at all. Where that can't be done, nothing is kept."""
    body = pickle.dumps((rules.model, marshal.dumps(rules.compiled[0]), rules.compiled[1]), protocol=5)
    temporary = ""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        with _opened(folder) as within:
            if within is None:
                return
            handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(temporary, folder / name)
            temporary = ""
            _make_room(folder)
    except OSError:
        return
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _make_room(folder: Path) -> None:
    entries = sorted(folder.glob("*.rules"), key=lambda p: p.stat().st_mtime)
    for old in entries[:-MAX_ENTRIES]:
        with contextlib.suppress(OSError):
            old.unlink()
