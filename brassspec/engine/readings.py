"""The readings of disputed rules the engine offers, and the game (edition, players, readings) it plays."""

from __future__ import annotations

from dataclasses import dataclass

from brassspec.engine import tables
from brassspec.formats import InputError

# Question: its readings, the default first. Two are moot, and no code asks for them: the track ends at the highest income
# and a loan at £30 anyway (thirty_cap); the distant tiles never run out before the marker is at the bottom
# (distant_pile). A third, port_first, is moot on the large boards, where only ports, in Lancaster and Preston only, have
# the choice between a space of their own and a shared one; on the board of `mini` cotton mills have it in Preston, too.
OFFERED: dict[str, tuple[str, ...]] = {
    "overbuild_exhausted": ("both", "either"),
    "overbuild_works_level": ("higher", "any"),
    "nearest_coal": ("nearest", "any"),
    "distant_bonus": ("spaces", "pounds"),
    "thirty_cap": ("income", "loan"),
    "loan_lock_era": ("rail", "canal", "both"),
    "income_start": ("zero", "space_0"),
    "two_rails_apart": ("free", "apart"),
    "rail_coal_after": ("after", "before"),
    "rail_coal_end": ("chosen_end", "nearer_end"),
    "first_build": ("first", "bare", "no_tile"),
    "first_link": ("no", "anywhere"),
    "virtual_use": ("placing", "built"),
    "virtual_direction": ("both", "into_birkenhead"),
    "virtual_anchor": ("yes", "no"),
    "industry_card_own_tile": ("no", "yes"),
    "isolated_overbuild": ("link", "no_link"),
    "liverpool_coal": ("port", "always"),
    "distant_pile": ("under", "aside"),
    "shortfall_no_tiles": ("vp", "forgiven", "debt"),
    "shortfall_change": ("kept", "lost"),
    "tie_income": ("levels", "spaces"),
    "last_tie": ("order", "shared"),
    "port_first": ("named", "single"),
    "income_time": ("start", "end"),
    "pass_action": ("free", "forced"),
}


@dataclass(frozen=True, slots=True)
class Game:
    """Which game is played: the ruleset's full name, its edition, the players in clockwise order, and the readings."""

    ruleset: str
    edition: tables.Edition
    players: tuple[str, ...]
    chosen: dict[str, str]

    def reads(self, question: str, reading: str) -> bool:
        """Whether a question is read so."""
        return self.chosen[question] == reading


def game(ruleset: str, players: int) -> Game:
    """The game a ruleset's name, such as `lancashire-2007+last_tie=shared`, and a number of players stand for."""
    name, *parts = ruleset.split("+")
    edition = tables.EDITIONS.get(name)
    if edition is None:
        raise InputError(f"ruleset: no ruleset {name!r}; there are {', '.join(tables.EDITIONS)}")
    if players not in edition.player_counts:
        counts = " or ".join(str(count) for count in edition.player_counts)
        raise InputError(f"players: {name} is for {counts} players, not {players!r}")
    chosen = {question: readings[0] for question, readings in OFFERED.items()}
    for part in parts:
        question, _, reading = part.partition("=")
        if question not in OFFERED:
            raise InputError(f"ruleset: no question {question!r}; there are {', '.join(OFFERED)}")
        if reading not in OFFERED[question]:
            raise InputError(f"ruleset: no reading {reading!r} of {question}; there are {', '.join(OFFERED[question])}")
        chosen[question] = reading
    return Game(ruleset, edition, tables.PLAYERS[:players], chosen)
