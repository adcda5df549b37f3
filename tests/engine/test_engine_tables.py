"""The engine's tables add up to what the rulebooks say is in the box."""

from __future__ import annotations

from collections import Counter

from engine_playing import EDITIONS

from brassspec.engine.lancashire import tables
from brassspec.engine.lancashire.tables import OFFERED, SHEET
from brassspec.engine.lancashire_2p import TWO_PLAYERS


def test_towns_and_spaces() -> None:
    assert len(SHEET["places"]) == 19
    assert len(tables.FULL.slots) == 43
    assert list(tables.FULL.slots) == sorted(tables.FULL.slots)


def test_lines() -> None:
    lines, marked = tables.FULL.lines.values(), tables.FULL.lines_of
    assert len(lines) == 36
    assert (len(marked["canal"]), len(marked["rail"])) == (23, 35)
    assert all(one < other for one, other in lines)
    places = set(SHEET["places"]) | set(tables.FULL.printed_icons)
    assert {end for ends in lines for end in ends} == places
    assert list(tables.FULL.lines) == sorted(tables.FULL.lines)
    # Of the variant's lines all but one can be reached from its towns.
    marked = TWO_PLAYERS.lines_of
    assert all("northwich--the_midlands" in lines for lines in marked.values())
    assert (len(marked["canal"]) - 1, len(marked["rail"]) - 1) == (14, 24)


def test_only_two_towns_have_a_choice_of_spaces() -> None:
    """Between a space that shows an industry alone and one that shows it among others: so few names serve port_first."""
    choices = set()
    for name, games in EDITIONS.items():
        game = next(iter(games.values()))
        for slot, symbols in game.slots.items():
            alone = [game.slots[other][0] for other in game.next_to[slot] if len(game.slots[other]) == 1]
            choices |= {
                (name, game.place_of[slot], industry) for industry in symbols if len(symbols) > 1 and industry in alone
            }
    ports = {(name, town, "port") for name in EDITIONS for town in ("lancaster", "preston")}
    assert choices == ports | {("mini", "preston", "cotton_mill")}


def test_tiles() -> None:
    counts: Counter[str] = Counter()
    for (industry, _), kind in tables.FULL.tiles.items():
        counts[industry] += kind.count
        assert kind.coal <= 1
        assert kind.iron <= 1
    assert counts == {"cotton_mill": 12, "port": 8, "coal_mine": 7, "iron_works": 4, "shipyard": 6}


def test_cards() -> None:
    assert [sum(edition.cards.values()) for edition in (tables.FULL_3, tables.FULL, TWO_PLAYERS)] == [66, 66, 40]
    assert list(SHEET["cards"])[:19] == sorted(SHEET["places"])
    # Whole rounds: after the set-aside cards and one card each for the first round, two cards each a round.
    for edition, canal_rounds in ((tables.FULL_3, 10), (tables.FULL, 8), (TWO_PLAYERS, 10)):
        players = len(edition.players)
        played = sum(edition.cards.values()) - edition.set_aside["canal"]
        assert played == players * (1 + 2 * (canal_rounds - 1))
        played = sum(edition.cards.values()) - edition.set_aside["rail"]
        assert played == players * 2 * canal_rounds


def test_tracks() -> None:
    assert len(tables.FULL.income_of_space) == 100
    assert tables.FULL.income_of_space[10] == 0
    assert tables.FULL_3.highest_space(30) == 99
    assert sorted(set(tables.FULL.income_of_space)) == list(range(-10, 31))
    widths = Counter(tables.FULL.income_of_space)
    assert [widths[income] for income in (0, 1, 10, 11, 20, 21, 29, 30)] == [1, 2, 2, 3, 3, 4, 4, 3]
    assert sum(tables.FULL.distant) == 23
    assert len(tables.FULL.distant) == 12


def test_names_are_unique() -> None:
    assert len(set(SHEET["requirements"])) == len(SHEET["requirements"])
    assert all(len(set(readings)) == len(readings) > 1 for readings in OFFERED.values())
