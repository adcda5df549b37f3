"""The readings of disputed rules that are offered, and the game of a ruleset."""

from __future__ import annotations

from dataclasses import dataclass, replace

from brassspec.engine.game import Game, choose
from brassspec.engine.lancashire import tables
from brassspec.engine.tables import CANAL, COTTON_MILL, LINK_PRICES, PLAYERS, RAIL
from brassspec.formats import InputError, Violation

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

# Those of lancashire-2018, where an industry card always needs a place in the player's network, may replace an own tile,
# and income comes at the end of a round. Questions about the virtual link only arise once virtual_link=classic has brought
# it back. Moot is distant_empty_pile, too: for each number of players the tiles of the pile lead to the bottom.
OFFERED_2018: dict[str, tuple[str, ...]] = {
    question: readings
    for question, readings in OFFERED.items()
    if question not in ("industry_card_own_tile", "isolated_overbuild")
} | {
    "first_build": ("bare", "first", "no_tile"),
    "distant_pile": ("aside", "under"),
    "last_tie": ("shared", "order"),
    "port_first": ("single", "named"),
    "income_time": ("end",),
    "virtual_link": ("none", "classic"),
    "card_setup": ("marked", "classic"),
    "mill_1_vp": ("three", "five"),
    "distant_empty_pile": ("closed", "reshuffle"),
}


def offered(edition: str) -> dict[str, tuple[str, ...]]:
    """The questions of an edition, each with its readings, the default first."""
    return dict(OFFERED_2018 if _edition(edition).year == 2018 else OFFERED)


def _edition(name: str) -> tables.Edition:
    edition = tables.EDITIONS.get(name)
    if edition is None:
        raise InputError(f"ruleset: no ruleset {name!r}; there are {', '.join(tables.EDITIONS)}")
    return edition


@dataclass(frozen=True, slots=True, kw_only=True)
class Lancashire(Game):
    """A Lancashire game, with what it has on the table besides: external places and the cotton demand."""

    external: tuple[str, ...]
    printed_icons: dict[str, int]
    demand_bonus: tuple[int, ...]
    demand_closed: int
    distant: tuple[int, ...]


def game(ruleset: str, players: int) -> Lancashire:
    """The game a ruleset's name, such as `lancashire-2007+last_tie=shared`, and a number of players stand for."""
    name, *parts = ruleset.split("+")
    edition = _edition(name)
    if players not in edition.player_counts:
        counts = " or ".join(str(count) for count in edition.player_counts)
        raise InputError(f"players: {name} is for {counts} players, not {players!r}")
    chosen = choose(offered(name), parts)
    edition = _on_the_table(edition, chosen)
    names = PLAYERS[:players]
    return Lancashire(
        ruleset=ruleset,
        edition=name,
        year=edition.year,
        players=names,
        chosen=chosen,
        last_era=edition.last_era,
        rounds=edition.rounds,
        phases=("start", "deal", "set_aside", "income", "actions", "refill", "over"),
        pending=("none", "rail", "sale", "develop", "distant"),
        industries=tables.INDUSTRIES,
        slots=edition.spaces,
        lines={link: line.ends for link, line in edition.lines.items()},
        lines_of={
            CANAL: tuple(link for link, line in edition.lines.items() if line.canal),
            RAIL: tuple(link for link, line in edition.lines.items() if line.rail),
        },
        tiles=edition.tiles,
        link_tiles=edition.link_tiles,
        link_prices=LINK_PRICES,
        cards=edition.cards[players],
        hand_size=dict.fromkeys((CANAL, RAIL), edition.hand_size),
        set_aside=edition.set_aside[players],
        money=edition.money,
        income_start={player: edition.income_start[player] for player in names},
        income_of_space=edition.income_of_space,
        lowest_income=edition.lowest_income,
        coal_prices=edition.track_prices,
        iron_prices=edition.track_prices,
        coal_start=edition.track_start,
        iron_start=edition.track_start,
        unreached=Violation("coal.port", "no built port or external location is connected"),
        external=edition.external,
        printed_icons=edition.printed_icons,
        demand_bonus=edition.demand_bonus,
        demand_closed=edition.demand_closed,
        distant=edition.distant[players],
    )


def _on_the_table(edition: tables.Edition, chosen: dict[str, str]) -> tables.Edition:
    """The edition, with what some readings put on the table instead."""
    if chosen["income_start"] == "space_0":
        edition = replace(edition, income_start=dict.fromkeys(PLAYERS, 0))
    # Of lancashire-2018:
    if chosen.get("card_setup") == "classic":  # of 2007, which sets none up for two players
        full = tables.FULL
        edition = replace(edition, cards=edition.cards | full.cards, set_aside=edition.set_aside | full.set_aside)
    if chosen.get("mill_1_vp") == "five":
        first_mill = (COTTON_MILL, 1)
        edition = replace(edition, tiles=edition.tiles | {first_mill: replace(edition.tiles[first_mill], vp=5)})
    return edition
