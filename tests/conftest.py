"""No test touches the cache of whoever runs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache") / "brassspec"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRASSSPEC_CACHE", str(folder))
        yield folder
