"""Which game is played: its board and pieces, its numbers, and how its disputed rules are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from brassspec.engine.tables import Kind
from brassspec.formats import InputError, Violation


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A ruleset with its readings, for a number of players, as it lies on the table."""

    ruleset: str  # its full name
    edition: str
    year: int  # of the rules: 2007 or 2018
    players: tuple[str, ...]  # clockwise
    chosen: dict[str, str]  # question: reading
    last_era: str
    rounds: int  # of the longest era
    phases: tuple[str, ...]  # in which a position may rest
    pending: tuple[str, ...]  # what an action in progress may wait for
    industries: tuple[str, ...]
    slots: dict[str, tuple[str, ...]]  # with the symbols they show
    lines: dict[str, tuple[str, ...]]  # with the places they join
    lines_of: dict[str, tuple[str, ...]]  # era: the lines that are marked for it
    tiles: dict[tuple[str, int], Kind]
    link_tiles: int
    link_prices: dict[str, int]  # action: pounds
    cards: dict[str, int]  # with the copies in the deck
    wilds: dict[str, int] = field(default_factory=dict)
    hand_size: dict[str, int]  # era: number of cards
    set_aside: dict[str, int]  # era: number of cards
    money: int
    income_start: dict[str, int]  # a space of the income track
    income_of_space: tuple[int, ...]
    lowest_income: int  # that a loan may lead to
    # Price of the next cube when so many lie in a market; also what the last cube sold to it earned. From the empty
    # market (index 0) a cube comes from the supply.
    coal_prices: tuple[int, ...]
    iron_prices: tuple[int, ...]
    coal_start: int
    iron_start: int
    unreached: Violation  # of the rule that the coal market must be connected
    place_of: dict[str, str] = field(init=False)
    next_to: dict[str, tuple[str, ...]] = field(init=False)  # the other spaces of a space's place
    card_rank: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        place_of = {slot: slot.split(".")[0] for slot in self.slots}
        next_to = {
            slot: tuple(other for other in self.slots if place_of[other] == place and other != slot)
            for slot, place in place_of.items()
        }
        object.__setattr__(self, "place_of", place_of)
        object.__setattr__(self, "next_to", next_to)
        object.__setattr__(self, "card_rank", {card: rank for rank, card in enumerate((*self.cards, *self.wilds))})

    def reads(self, question: str, reading: str) -> bool:
        """Whether a question is read so; one that does not arise in the game is read no way at all."""
        return self.chosen.get(question) == reading

    def highest_space(self, income: int) -> int:
        """The highest space of the income track with that income."""
        return max(space for space, pounds in enumerate(self.income_of_space) if pounds == income)


def choose(offered: dict[str, tuple[str, ...]], parts: list[str]) -> dict[str, str]:
    """The reading of each question: what a ruleset's name says in `QUESTION=READING`, else the first one offered.

    InputError on a question or reading that is not offered.
    """
    chosen = {question: readings[0] for question, readings in offered.items()}
    for part in parts:
        question, _, reading = part.partition("=")
        if question not in offered:
            raise InputError(f"ruleset: no question {question!r}; there are {', '.join(offered)}")
        if reading not in offered[question]:
            known = ", ".join(offered[question])
            raise InputError(f"ruleset: no reading {reading!r} of {question}; there are {known}")
        chosen[question] = reading
    return chosen
