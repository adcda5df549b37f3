"""A folder for what is kept between runs and holds code: only what nobody else can have written is ever read.

The folder and its files must be ours, no links, and writable by us alone.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from brassspec.formats.writing import put

MAX_ENTRIES = 64  # kept in the folder, of one kind; older ones make room
MAX_ENTRY = 64_000_000  # bytes

_log = logging.getLogger("brassspec")


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


def load(folder: Path, name: str) -> bytes | None:
    """What was kept under a name; None where there is nothing, or where others could have written it."""
    try:
        with _opened(folder) as within:
            return None if within is None else _read(within, name, folder)
    except OSError:
        return None


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


def keep(folder: Path, name: str, data: bytes) -> None:
    """Writes an entry, whole or not at all. Where that can't be done, nothing is kept."""
    try:
        if prepare(folder):
            put(folder / name, data, 0o600)
            _make_room(folder, Path(name).suffix)
    except OSError:
        return


def prepare(folder: Path) -> bool:
    """Makes the folder where there is none; whether it is there and nobody else can write to it."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        with _opened(folder) as within:
            return within is not None
    except OSError:
        return False


def own_path(name: str) -> str | None:
    """A path in the folder for a library that keeps a cache of its own; None where others could write there or have written it."""
    folder = cache_folder()
    if folder is None or not prepare(folder):
        return None
    path = folder / name
    try:
        status = path.lstat()
    except FileNotFoundError:
        return str(path)
    except OSError:
        return None
    return str(path) if stat.S_ISREG(status.st_mode) and _ours(status) else None


def _make_room(folder: Path, kind: str) -> None:
    entries = sorted(folder.glob(f"*{kind}"), key=lambda p: p.stat().st_mtime)
    for old in entries[:-MAX_ENTRIES]:
        with contextlib.suppress(OSError):
            old.unlink()
