"""Which game is played: its board and pieces, its numbers, and how its disputed rules are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from brassspec.engine.tables import Kind


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """An edition for a number of players, as it lies on the table, with its readings."""

    ruleset: str = ""  # the full name
    chosen: dict[str, str] = field(default_factory=dict)  # question: reading
    players: tuple[str, ...]  # clockwise
    last_era: str
    rounds: int  # of the longest era
    phases: tuple[str, ...]  # in their order
    pending: tuple[str, ...]  # what an action in progress may wait for
    industries: tuple[str, ...]
    slots: dict[str, tuple[str, ...]]  # with the symbols they show
    lines_of: dict[str, tuple[str, ...]]  # era: the lines that are marked for it
    tiles: Mapping[tuple[str, int], Kind]
    link_tiles: int
    link_prices: dict[str, int]  # action: pounds
    cards: dict[str, int]  # in canonical order, with the copies in the deck
    hand_size: dict[str, int]  # era: number of cards
    set_aside: dict[str, int]  # era: number of cards
    money: int
    income_start: tuple[int, ...]  # of each player: a space of the income track
    income_of_space: tuple[int, ...]
    loans: dict[int, int]  # levels of income: pounds
    lowest_income: int  # that a loan may lead to
    # Price of the next cube when so many lie in a market; also what the last cube sold to it earned. From the empty
    # market (index 0) a cube comes from the supply.
    coal_prices: tuple[int, ...]
    iron_prices: tuple[int, ...]
    coal_start: int
    iron_start: int
    unreached: tuple[str, str]  # the rule that the coal market must be connected, and what is found against it

    @cached_property
    def lines(self) -> dict[str, tuple[str, ...]]:
        """The lines of all eras, with the places they join."""
        return {line: tuple(line.split("--")) for line in sorted(set().union(*self.lines_of.values()))}

    @cached_property
    def place_of(self) -> dict[str, str]:
        """The place of each space."""
        return {slot: slot.split(".")[0] for slot in self.slots}

    @cached_property
    def next_to(self) -> dict[str, tuple[str, ...]]:
        """The other spaces of a space's place."""
        return {
            slot: tuple(other for other in self.slots if self.place_of[other] == place and other != slot)
            for slot, place in self.place_of.items()
        }

    @cached_property
    def card_rank(self) -> dict[str, int]:
        """The number of each card in canonical order."""
        return {card: rank for rank, card in enumerate(self.cards)}

    def reads(self, question: str, reading: str) -> bool:
        """Whether a question is read so; one that does not arise in the game is read no way at all."""
        return self.chosen.get(question) == reading

    def highest_space(self, income: int) -> int:
        """The highest space of the income track with that income."""
        return max(space for space, pounds in enumerate(self.income_of_space) if pounds == income)
