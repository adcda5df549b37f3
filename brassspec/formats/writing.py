"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def put(path: Path, data: bytes, mode: int) -> None:
    """Puts the bytes in a file's place, whole or not at all; a link is replaced. mode: who may read and write the file.

    Raises OSError where that can't be done; then all is as it was.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
