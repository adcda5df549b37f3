"""The readings of disputed rules that are offered, and the game of a ruleset."""

from __future__ import annotations

from dataclasses import dataclass, replace

from brassspec.engine.birmingham import tables
from brassspec.engine.game import Game, choose
from brassspec.engine.tables import PLAYERS
from brassspec.formats import InputError, Violation

# Question: its readings, the default first. What a reading means where its name does not say it all:
OFFERED: dict[str, tuple[str, ...]] = {
    "manufacturer_4_cost": ("eight", "fourteen"),  # pounds; half of them in a shortfall, too
    "merchant_mix": ("retail", "other"),
    "merchant_icons": ("two", "none"),
    "unflipped_icons": ("none", "printed"),
    "mine_sale_connection": ("required", "not_required"),
    # only_if_full: an own tile stays while another space of its place shows its industry and is empty
    "own_overbuild_free_space": ("allowed", "only_if_full"),
    # yes: a tile on a space that shows more is not replaced either while a space that shows it alone is empty there
    "overbuild_single_first": ("no", "yes"),
    "overbuilt_resources": ("no", "yes"),  # moot: no tile costs what its own industry makes
    "rail_coal_end": ("nearer_end", "chosen_end"),  # of three ends on the line of three places
    # links_only: a place is never connected to itself; either end of a new rail still is to the other, over the rail
    "same_place": ("yes", "links_only"),
    "wild_removed_town": ("yes", "no"),
    "no_tiles_exception": ("yes", "no"),
    "exception_returns": ("yes", "first_only"),  # first_only: until the player's first tile or link of the game
    "farm_first": ("yes", "no"),  # no: on a farm the exception never helps
    "one_merchant_barrel": ("one", "any"),  # any: each barrel at the same merchant, up to what the tile asks for
    "shortfall_zero_tile": ("stays", "goes"),  # goes: as long as the player has a tile one is given up
    "shortfall_count": ("as_needed", "one"),
    "vp_floor": ("zero", "none"),
    "link_limit": ("limit", "unlimited"),
    "tie_income": ("spaces", "levels"),
    "pass_action": ("free", "never", "forced"),  # never: a player who can do nothing is stuck
    "bonus_develop": ("must", "may"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Birmingham(Game):
    """Birmingham, with what it has on the table besides: merchants, and its one kind of loan."""

    merchant_tiles: tuple[str, ...]
    merchant_spaces: tuple[str, ...]  # those in play
    merchant_place: dict[str, str]  # of every merchant space of the board
    loan_money: int
    loan_levels: int


def offered(edition: str) -> dict[str, tuple[str, ...]]:
    """The questions on which readings are offered, the default first; InputError unless there is such an edition."""
    if edition not in tables.EDITIONS:
        raise InputError(f"ruleset: no ruleset {edition!r}; there are {', '.join(tables.EDITIONS)}")
    return dict(OFFERED)


def game(ruleset: str, players: int) -> Birmingham:
    """The game of a ruleset's name, such as `birmingham-2018+vp_floor=none`; InputError unless it is one for so many."""
    name, *parts = ruleset.split("+")
    questions = offered(name)
    edition = tables.EDITIONS[name]
    if type(players) is not int or players not in edition.rounds:
        counts = " or ".join(str(count) for count in edition.rounds)
        raise InputError(f"players: {name} is for {counts} players, not {players!r}")
    chosen = choose(questions, parts)
    tiles = dict(edition.tiles)
    fourth = tables.MANUFACTURER, 4
    if chosen["manufacturer_4_cost"] == "fourteen" and fourth in tiles:
        tiles[fourth] = replace(tiles[fourth], price=tables.MANUFACTURER_4_PROTOTYPE)
    mix = edition.merchant_tiles if chosen["merchant_mix"] == "retail" else edition.other_merchant_tiles
    names = PLAYERS[:players]
    return Birmingham(
        ruleset=ruleset,
        edition=name,
        year=2018,
        players=names,
        chosen=chosen,
        last_era=edition.last_era,
        rounds=edition.rounds[players],
        phases=("start", "merchants", "deal", "set_aside", "actions", "refill", "income", "over"),
        pending=("none", "rail", "sale", "develop", "bonus"),
        industries=tables.INDUSTRIES,
        slots=edition.slots,
        lines=edition.lines,
        lines_of=edition.lines_of,
        tiles=tiles,
        link_tiles=edition.link_tiles,
        link_prices=edition.link_prices,
        cards=edition.cards[players],
        wilds=dict.fromkeys(tables.WILDS, edition.wild_copies),
        hand_size=edition.hand_size,
        set_aside=edition.set_aside[players],
        money=edition.money,
        income_start={player: edition.income_start[player] for player in names},
        income_of_space=edition.income_of_space,
        lowest_income=edition.lowest_income,
        coal_prices=edition.coal_prices,
        iron_prices=edition.iron_prices,
        coal_start=edition.coal_start,
        iron_start=edition.iron_start,
        unreached=Violation("coal.merchant", "no merchant's place is connected"),
        merchant_tiles=tuple(tile for least, several in mix.items() if least <= players for tile in several),
        merchant_spaces=tuple(space for space, least in edition.merchant_spaces.items() if least <= players),
        merchant_place={space: space.split(".")[0] for space in edition.merchant_spaces},
        loan_money=edition.loan_money,
        loan_levels=edition.loan_levels,
    )
