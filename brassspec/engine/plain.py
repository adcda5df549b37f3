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


def bag_of(known: Collection[str]) -> Reader:
    """A list of names that are known, in any order. As list_of(name_in(known)), but quick: decks are read often."""

    def read(place: str, value: Any) -> list[str]:
        if type(value) is not list:
            raise InputError(f"{place}: {value!r} is not a list")
        for one in value:
            if type(one) is not str or one not in known:
                raise InputError(f"{place}.{value.index(one)}: {one!r} is none of {', '.join(known)}")
        return value.copy()

    return read


def map_of(known: Collection[str], entry: Reader) -> Reader:
    """A map from names that are known."""

    def read(place: str, value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise InputError(f"{place}: {value!r} is not a map")
        for key in value:
            if type(key) is not str or key not in known:
                raise InputError(f"{place}: {key!r} is none of {', '.join(known)}")
        return {key: entry(f"{place}.{key}", one) for key, one in value.items()}

    return read


def map_of_all(known: Collection[str], entry: Reader, missing: Callable[[], Any]) -> Reader:
    """A map from all of the names: what is left out is `missing`."""
    given = map_of(known, entry)
    return lambda place, value: {key: missing() for key in known} | given(place, value)


def names_marked(known: Collection[str]) -> Reader:
    """A map from names to true, as a set; false is as good as left out."""
    marks = map_of(known, yes_or_no)
    return lambda place, value: {key for key, yes in marks(place, value).items() if yes}
