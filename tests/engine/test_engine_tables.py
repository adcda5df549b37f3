"""The engine's tables add up to what the rulebooks say is in the box."""

from __future__ import annotations

from collections import Counter

from brassspec.engine.lancashire import tables
from brassspec.engine.lancashire.catalogue import REQUIREMENTS
from brassspec.engine.lancashire.readings import OFFERED, game
from brassspec.engine.tables import INCOME_OF_SPACE


def test_towns_and_spaces() -> None:
    assert len(tables.TOWNS) == 19
    assert len(tables.FULL.spaces) == 43
    assert list(tables.FULL.spaces) == sorted(tables.FULL.spaces)


def test_lines() -> None:
    lines = tables.FULL.lines.values()
    assert len(lines) == 36
    assert sum(line.canal for line in lines) == 23
    assert sum(line.rail for line in lines) == 35
    assert all(line.ends[0] < line.ends[1] for line in lines)
    places = set(tables.TOWNS) | set(tables.PRINTED_ICONS)
    assert {end for line in lines for end in line.ends} == places
    assert list(tables.FULL.lines) == sorted(tables.FULL.lines)
    # Of the variant's lines all but one can be reached from its towns.
    reached = [line for name, line in tables.TWO_PLAYERS.lines.items() if name != "northwich--the_midlands"]
    assert len(tables.TWO_PLAYERS.lines) == len(reached) + 1
    assert sum(line.canal for line in reached) == 14
    assert sum(line.rail for line in reached) == 24


def test_only_two_towns_have_a_choice_of_spaces() -> None:
    """Between a space that shows an industry alone and one that shows it among others: so few names serve port_first."""
    choices = set()
    for edition in tables.EDITIONS.values():
        for slot, symbols in edition.spaces.items():
            town = edition.town_of[slot]
            alone = [
                shown[0]
                for other, shown in edition.spaces.items()
                if len(shown) == 1 and edition.town_of[other] == town
            ]
            choices |= {
                (edition.name, town, industry) for industry in symbols if len(symbols) > 1 and industry in alone
            }
    ports = {(name, town, "port") for name in tables.EDITIONS for town in ("lancaster", "preston")}
    assert choices == ports | {("mini", "preston", "cotton_mill")}


def test_tiles() -> None:
    counts: Counter[str] = Counter()
    for (industry, _), kind in tables.TILES.items():
        counts[industry] += kind.count
        assert kind.coal <= 1
        assert kind.iron <= 1
    assert counts == {"cotton_mill": 12, "port": 8, "coal_mine": 7, "iron_works": 4, "shipyard": 6}


def test_cards() -> None:
    assert [sum(tables.FULL.cards[players].values()) for players in (3, 4)] == [66, 66]
    assert sum(tables.TWO_PLAYERS.cards[2].values()) == 40
    assert list(tables.CARDS)[:19] == sorted(tables.TOWNS)
    # Whole rounds: after the set-aside cards and one card each for the first round, two cards each a round.
    for edition, players, canal_rounds in ((tables.FULL, 3, 10), (tables.FULL, 4, 8), (tables.TWO_PLAYERS, 2, 10)):
        played = sum(edition.cards[players].values()) - edition.set_aside[players]["canal"]
        assert played == players * (1 + 2 * (canal_rounds - 1))
        played = sum(edition.cards[players].values()) - edition.set_aside[players]["rail"]
        assert played == players * 2 * canal_rounds


def test_tracks() -> None:
    assert len(INCOME_OF_SPACE) == 100
    assert INCOME_OF_SPACE[10] == 0
    assert game("lancashire-2007", 3).highest_space(30) == 99
    assert sorted(set(INCOME_OF_SPACE)) == list(range(-10, 31))
    widths = Counter(INCOME_OF_SPACE)
    assert [widths[income] for income in (0, 1, 10, 11, 20, 21, 29, 30)] == [1, 2, 2, 3, 3, 4, 4, 3]
    assert sum(tables.DISTANT_TILES) == 23
    assert len(tables.DISTANT_TILES) == 12


def test_names_are_unique() -> None:
    assert len(set(REQUIREMENTS)) == len(REQUIREMENTS)
    assert all(len(set(readings)) == len(readings) > 1 for readings in OFFERED.values())
