"""Readers of plain values: names, numbers, lists and maps, refused by name where they are not well formed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from brassspec.formats import InputError

# Takes the place, for the message, and the value; returns what it stands for. InputError, naming the place.
Reader = Callable[[str, Any], Any]


def name_in(known: Collection[str]) -> Reader:
    """A name that is known."""

    def read(place: str, value: Any) -> str:
        if type(value) is not str or value not in known:
            raise InputError(f"{place}: {value!r} is none of {', '.join(known)}")
        return value

    return read


def name_or_none(known: Collection[str]) -> Reader:
    """A name that is known, or null."""
    name = name_in(known)
    return lambda place, value: None if value is None else name(place, value)


def number(low: int | None, high: int | None = None) -> Reader:
    """A whole number within bounds, where there are any."""

    def read(place: str, value: Any) -> int:
        if type(value) is not int or (low is not None and value < low) or (high is not None and value > high):
            raise InputError(f"{place}: {value!r} is not a whole number from {low} to {high} (None: no bound)")
        return value

    return read


def yes_or_no(place: str, value: Any) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise InputError(f"{place}: {value!r} is neither true nor false")
    return value


def list_of(entry: Reader) -> Reader:
    """A list; an entry's place is that of the list and its number, from 0."""

    def read(place: str, value: Any) -> list[Any]:
        if type(value) is not list:
            raise InputError(f"{place}: {value!r} is not a list")
        return [entry(f"{place}.{index}", one) for index, one in enumerate(value)]

    return read


def map_of(readers: dict[str, Reader]) -> Reader:
    """A map from names that are known, each with its reader; 0, false or empty is as good as left out."""

    def read(place: str, value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise InputError(f"{place}: {value!r} is not a map")
        if not value.keys() <= readers.keys():
            unknown = next(key for key in value if key not in readers)
            raise InputError(f"{place}: {unknown!r} is none of {', '.join(readers)}")
        return {key: entry for key, one in value.items() if (entry := readers[key](f"{place}.{key}", one))}

    return read


def stated(entries: dict[str, Any]) -> dict[str, Any]:
    """The entries of a map that are written: not 0, false or empty."""
    return {key: one for key, one in entries.items() if one}
