"""Canonical JSON (RFC 8785) and digests, so that any language computes the same."""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785

from brassspec.formats.plain import InputError


def canonical(data: Any) -> bytes:
    """The RFC 8785 form of plain data, as UTF-8 bytes.

    Raises InputError on what has none: numbers beyond 2^53 or not finite, text that is no Unicode, keys that are no
    text.
    """
    try:
        return rfc8785.dumps(data)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as e:
        raise InputError(f"there is no canonical JSON of this: {e}") from None


def digest(data: Any) -> str:
    """The SHA-256 of the canonical form, in 64 lower-case hex digits. Raises InputError as `canonical` does."""
    return hashlib.sha256(canonical(data)).hexdigest()
