"""Compiled rulesets, kept between runs: a start from the cache needs neither the parser nor the elaboration.

An entry is named by the digest of everything it was made from: all spec files that ship, the source of the tool, the
version of Python. It holds code, so it is only read where nobody else can have written it: the folder and the file must
be ours, no links, and writable by us alone.
"""

from __future__ import annotations

import gc
import hashlib
import marshal
import pickle
import sys
from functools import lru_cache
from pathlib import Path

from brassspec.formats.store import cache_folder, keep, load
from brassspec.rules.concrete import Rules
from brassspec.rules.shipped import spec_files

_MAGIC = b"brassspec-rules-1\n"


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


def _load(folder: Path, name: str) -> Rules | None:
    data = load(folder, name)
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


def _keep(folder: Path, name: str, rules: Rules) -> None:
    body = pickle.dumps((rules.model, marshal.dumps(rules.compiled[0]), rules.compiled[1]), protocol=5)
    keep(folder, name, _MAGIC + hashlib.sha256(body).digest() + body)
