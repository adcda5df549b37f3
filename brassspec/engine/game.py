"""Which game is played: its board and pieces, its numbers, and how its disputed rules are read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from brassspec.engine import tables
from brassspec.engine.tables import CANAL, RAIL, Kind
from brassspec.formats import InputError

# Question: its readings, the default first.
Offered = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game:
    """An edition for a number of players, as it lies on the table, with its readings."""

    edition: str
    ruleset: str = ""  # the full name
    chosen: dict[str, str] = field(default_factory=dict)  # question: reading
    year: int  # of the rules: 2007 or 2018
    players: tuple[str, ...]  # clockwise
    last_era: str
    rounds: int  # of the longest era
    phases: tuple[str, ...]  # in their order
    pending: tuple[str, ...]  # what an action in progress may wait for
    industries: tuple[str, ...]
    slots: dict[str, tuple[str, ...]]  # with the symbols they show
    lines_of: dict[str, tuple[str, ...]]  # era: the lines that are marked for it
    tiles: dict[tuple[str, int], Kind]
    link_tiles: int = tables.LINK_TILES
    link_prices: dict[str, int] = field(default_factory=lambda: tables.LINK_PRICES)  # action: pounds
    cards: dict[str, int]  # in canonical order, with the copies in the deck
    wilds: dict[str, int] = field(default_factory=dict)
    hand_size: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys((CANAL, RAIL), tables.HAND_SIZE)
    )  # era: number of cards
    set_aside: dict[str, int]  # era: number of cards
    money: int
    income_start: tuple[int, ...] = (tables.INCOME_START,) * 4  # of each player: a space of the income track
    income_of_space: tuple[int, ...] = tables.INCOME_OF_SPACE
    loans: dict[int, int]  # levels of income: pounds
    lowest_income: int = tables.LOWEST_INCOME  # that a loan may lead to
    # Price of the next cube when so many lie in a market; also what the last cube sold to it earned. From the empty
    # market (index 0) a cube comes from the supply.
    coal_prices: tuple[int, ...]
    iron_prices: tuple[int, ...]
    coal_start: int
    iron_start: int
    unreached: tuple[str, str]  # the rule that the coal market must be connected, and what is found against it
    lines: dict[str, tuple[str, ...]] = field(init=False)  # with the places they join
    place_of: dict[str, str] = field(init=False)
    next_to: dict[str, tuple[str, ...]] = field(init=False)  # the other spaces of a space's place
    card_rank: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        place_of = {slot: slot.split(".")[0] for slot in self.slots}
        derived = {
            "lines": {line: tuple(line.split("--")) for line in sorted(set().union(*self.lines_of.values()))},
            "place_of": place_of,
            "next_to": {
                slot: tuple(other for other in self.slots if place_of[other] == place and other != slot)
                for slot, place in place_of.items()
            },
            "card_rank": {card: rank for rank, card in enumerate((*self.cards, *self.wilds))},
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def reads(self, question: str, reading: str) -> bool:
        """Whether a question is read so; one that does not arise in the game is read no way at all."""
        return self.chosen.get(question) == reading

    def highest_space(self, income: int) -> int:
        """The highest space of the income track with that income."""
        return max(space for space, pounds in enumerate(self.income_of_space) if pounds == income)


Any_Game = TypeVar("Any_Game", bound=Game)


def offered(questions: dict[str, Offered], edition: str) -> Offered:
    """The questions of an edition, each with its readings, the default first; InputError unless there is such an edition."""
    if edition not in questions:
        raise InputError(f"ruleset: no ruleset {edition!r}; there are {', '.join(questions)}")
    return dict(questions[edition])


def find(
    editions: dict[str, dict[int, Any_Game]], questions: dict[str, Offered], ruleset: str, players: int
) -> Any_Game:
    """The game of a ruleset's name, such as `lancashire-2007+last_tie=shared`; InputError unless it is one for so many.

    Each question is read as the name says in `QUESTION=READING`, else in the first reading offered.
    """
    name, *parts = ruleset.split("+")
    there = offered(questions, name)
    if type(players) is not int or players not in editions[name]:
        counts = " or ".join(str(count) for count in editions[name])
        raise InputError(f"players: {name} is for {counts} players, not {players!r}")
    chosen = {question: readings[0] for question, readings in there.items()}
    for part in parts:
        question, _, reading = part.partition("=")
        if question not in there:
            raise InputError(f"ruleset: no question {question!r}; there are {', '.join(there)}")
        if reading not in there[question]:
            known = ", ".join(there[question])
            raise InputError(f"ruleset: no reading {reading!r} of {question}; there are {known}")
        chosen[question] = reading
    return replace(editions[name][players], ruleset=ruleset, chosen=chosen)
