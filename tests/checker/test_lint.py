"""What lint finds: each kind of fault in a small game, all of another's, and nothing in the editions that ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from brassspec.checker.declared import Finding
from brassspec.checker.lint import Lint, lint
from brassspec.formats import InputError
from brassspec.grammar.errors import SpecError

RELAY = Path(__file__).resolve().parents[1] / "data" / "relay.brass"

# A game without a fault.
TALLY = """\
edition tally "Tally" players 2

source book "The rules of Tally" language en document "tally.txt"

players Player: ann, bob
sort Colour "colour" (worth: 1..9) cites book "Colours":
    red   5
    blue  2

state:
    stock[c: Colour]: 0..9 = at_start
    turn: 1..players = number(mover)
    points[p: Player]: 0..999 = 0

define at_start cites book "Start" = 3

event took(player: Player, colour: Colour)

action take(player: Player, colour: Colour):
    spoken "{player} takes {colour}"
    require turn.order "players take turns" cites book "Turns":
        number(player) = turn
    require stock.left "something is left" cites book "Stock":
        stock[colour] > 0
        shows "{what_is_left(colour)} are left"
    do end_turn
    stock[colour] := max(0, stock[colour] - 1)
    points[player] := min(999, points[player] + worth(colour))
    emit took(player, colour)

exception stock.bob to stock.left "bob takes red from nothing" cites book "Handicap":
    number(player) = players and colour = red

define what_is_left(c: Colour) = stock[c]

procedure end_turn:
    turn := if turn = 1 then players else 1

ruling blue_stock "May blue be taken from nothing?":
    reading no "no" default official cites book "Stock"
    reading yes "yes" house:
        replace stock.left: stock[colour] > 0 or colour = blue

ruling pass_on "Who is next?":
    reading other "the other" default official cites book "Turns"
    reading richer "the one with fewer points" house:
        replace define what_is_left: max(0, stock[c])
        replace procedure end_turn:
            turn := if points[ann] > points[bob] then players else 1

scenario "nothing is taken from nothing" cites book "Stock":
    given stock[red] = 0
    > ann takes red
    => illegal by stock.left
    > bob takes red
    => illegal by turn.order
    > ann takes blue
    => legal: points[ann] = 2
    > bob takes red
    => legal using stock.bob
"""


def linted(folder: Path, text: str) -> Lint:
    path = folder / "tally.brass"
    path.write_text(text, encoding="utf-8")
    return lint(str(path))


def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path) -> None:
    found = linted(tmp_path, TALLY)
    assert found.findings == []
    assert found.verdict == "ok"
    assert found.counts["requirements"] == 2
    assert found.counts["scenarios"] == 1
    assert found.counts["moves_watched"] == 0  # no requirement has two exceptions


FAULTS = {
    "a requirement without a scenario that it decides": (
        ("    > ann takes red\n    => illegal by stock.left\n", ""),
        ("never_sole_decider", "stock.left", "    require stock.left"),
    ),
    "an excuse of what decides": (
        ('scenario "nothing', 'excuse stock.left "it never decides"\n\nscenario "nothing'),
        ("excuse_needless", "stock.left", "    require stock.left"),
    ),
    "an exception that is not used": (
        ("    > bob takes red\n    => legal using stock.bob\n", ""),
        ("exception_dead", "stock.bob", "exception stock.bob"),
    ),
    "two exceptions at once": (
        (
            "define what_is_left(c: Colour) =",
            'exception stock.red to stock.left "red" cites book "R":\n'
            "    colour = red and turn = players\n\ndefine what_is_left(c: Colour) =",
        ),
        ("exceptions_overlap", "stock.bob stock.red", "exception stock.red"),
    ),
    "a definition nobody asks for": (
        ('        shows "{what_is_left(colour)} are left"\n', ""),
        ("unused", "what_is_left", "define what_is_left"),
    ),
    "a column nobody looks up": (("+ worth(colour)", "+ 1"), ("unused", "worth", "sort Colour")),
    "a state variable nobody reads": (
        ("    turn: 1..players", "    idle: bool = false\n    turn: 1..players"),
        ("unused", "idle", "    idle: bool"),
    ),
    "an event nobody emits": (("    emit took(player, colour)\n", ""), ("unused", "took", "event took")),
    "a procedure nobody does": (
        ("    do end_turn\n", "    turn := if turn = 1 then players else 1\n"),
        ("unused", "end_turn", "procedure end_turn"),
    ),
    "a type of nothing": (("sort Colour", "type Idle = 0..3\n\nsort Colour"), ("unused", "Idle", "type Idle")),
    "readings that change one thing": (
        (
            "        replace define what_is_left: max(0, stock[c])\n",
            "        replace stock.left: stock[colour] > 0 or number(player) = 1\n",
        ),
        ("refusal", "blue_stock=yes+pass_on=richer", "        replace stock.left: stock[colour] > 0 or number"),
    ),
    "a reading of a text that cites none": (
        ('reading other "the other" default official cites book "Turns"', 'reading other "the other" default official'),
        ("reading", "other", "    reading other"),
    ),
    "a source nobody cites": (
        ("players Player", 'source other "Another" language en document "x.txt"\n\nplayers Player'),
        ("uncited", "other", "source other"),
    ),
    "a sort with figures without a source": ((' cites book "Colours"', ""), ("figures", "Colour", "sort Colour")),
    "a number without a source": ((' cites book "Start"', ""), ("figures", "at_start", "define at_start")),
    "a number at set-up": (("= at_start", "= at_start - 2"), ("figures", "stock", "    stock[c")),
    "a number in a procedure": (
        ("turn := if turn = 1 then players else 1\n\nruling", "turn := if turn = 1 then 2 else 1\n\nruling"),
        ("figures", "end_turn", "procedure end_turn"),
    ),
    "a number in a reading": (
        ("replace define what_is_left: max(0, stock[c])", "replace define what_is_left: max(7, stock[c])"),
        ("figures", "what_is_left", "        replace define what_is_left"),
    ),
}


@pytest.mark.parametrize(("change", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_where_it_stands(
    change: tuple[str, str], expected: tuple[str, str, str], tmp_path: Path
) -> None:
    assert TALLY.count(change[0]) == 1
    text = TALLY.replace(*change)
    found = linted(tmp_path, text)
    kind, name, line = expected
    finding: Finding = next(f for f in found.findings if (f.kind, f.name) == (kind, name))
    assert finding.place.file == "tally.brass"
    assert text.splitlines()[finding.place.line - 1].startswith(line)
    assert finding.remedy
    assert found.verdict == "failed"
    assert all(f.kind == kind or kind == "exceptions_overlap" for f in found.findings), found.findings


def test_tables_and_what_replaces_figures_cite(tmp_path: Path) -> None:
    table = "table prices(c: Colour) gives price: 0..9{}:\n    red  7\n    blue  0\n\n"
    use = TALLY.replace("+ worth(colour)", "+ worth(colour) + price(colour)")
    change = "replace define at_start{}: 4\nreplace table prices{}:\n    red  8\nreplace initial points{}: 5\n\n"
    rules, scenario, lines = use.partition("scenario ")
    bare = rules + table.format("") + change.format("", "", "") + scenario + lines
    assert sorted(f.name for f in linted(tmp_path, bare).findings) == ["at_start", "points", "prices", "prices"]
    cites = ' cites book "Prices"'
    cited = rules + table.format(cites) + change.format(cites, cites, cites) + scenario + lines
    assert linted(tmp_path, cited.replace("points[ann] = 2", "points[ann] = 7")).findings == []
    with pytest.raises(SpecError, match="no source bok"):
        linted(tmp_path, cited.replace('at_start cites book "Prices"', 'at_start cites bok "Prices"'))
    with pytest.raises(SpecError, match="needs a locator"):
        linted(tmp_path, cited.replace('gives price: 0..9 cites book "Prices"', 'gives price: 0..9 cites book " "'))


def test_citations_in_readings_that_are_not_chosen_are_read_too(tmp_path: Path) -> None:
    blank = TALLY.replace("replace stock.left: stock", 'replace stock.left "words" cites book "": stock')
    (finding,) = linted(tmp_path, blank).findings
    assert (finding.kind, finding.name) == ("locator", "book")
    unknown = TALLY.replace("replace stock.left: stock", 'replace stock.left "words" cites bok "Stock": stock')
    (finding,) = linted(tmp_path, unknown).findings
    assert (finding.kind, finding.name) == ("source", "bok")
    assert "did you mean book?" in finding.remedy


def test_a_reading_that_drops_what_another_changes_is_only_noted(tmp_path: Path) -> None:
    text = TALLY.replace("replace define what_is_left: max(0, stock[c])", "drop stock.left")
    found = linted(tmp_path, text)
    assert found.findings == []
    assert [(f.kind, f.name) for f in found.notes] == [("refusal", "blue_stock=yes+pass_on=richer")]


def test_a_reading_may_drop_an_exception_or_what_nobody_else_asks(tmp_path: Path) -> None:
    """What only a reading uses is used."""
    text = TALLY.replace("stock[colour] > 0 or colour = blue", "stock[colour] > 0 or spare(colour)")
    text = text.replace("define what_is_left", "define spare(c: Colour) = c = blue\n\ndefine what_is_left", 1)
    assert linted(tmp_path, text).findings == []


def test_what_follows_from_the_rules_needs_no_source(tmp_path: Path) -> None:
    text = TALLY.replace(
        "ruling blue_stock", "define most = 3 + 6\n\ninvariant stock.few: stock[red] <= most + 5\n\nruling blue_stock"
    )
    assert linted(tmp_path, text).findings == []
    asked = text.replace("number(player) = turn\n", "number(player) = turn and most > 0\n")
    assert [f.name for f in linted(tmp_path, asked).findings] == ["most"]


def test_all_that_is_wrong_with_another_game() -> None:
    found = lint(str(RELAY))
    assert [(f.kind, f.name, f.place.line) for f in found.findings] == [
        ("never_sole_decider", "turn.order", 36),
        ("never_sole_decider", "trail.free", 42),
        ("exception_dead", "trail.friends", 60),
        ("unused", "winner", 26),
        ("figures", "Trail", 15),
        ("figures", "coins", 23),
        ("figures", "roll", 71),
    ]


def test_without_scenarios_no_rule_is_shown(tmp_path: Path) -> None:
    found = linted(tmp_path, TALLY.partition("scenario ")[0])
    assert [f.name for f in found.findings] == ["turn.order", "stock.left", "stock.bob"]


def test_without_rules_there_is_nothing_to_look_at(tmp_path: Path) -> None:
    nothing = 'edition tally "Tally" players 2\n\nplayers Player: ann, bob\n\nstate:\n    over: bool = true\n'
    assert linted(tmp_path, nothing).verdict == "vacuous"


def test_rules_that_a_reading_leaves_alone_are_shown_by_the_scenarios_of_the_edition() -> None:
    found = lint("mini+tie_income=spaces", games=0)
    assert found.findings == []
    assert found.readings["tie_income"] == "spaces"


@pytest.mark.parametrize(
    "ruleset", ["lancashire-2007", "lancashire-2007-2p", "lancashire-2018", "birmingham-2018", "mini"]
)
def test_what_ships_has_no_findings(ruleset: str) -> None:
    found = lint(ruleset, games=1)
    assert found.findings == []
    assert found.verdict == "ok"
    assert found.counts["scenarios"] > 4
    assert found.counts["requirements"] > 45


def test_there_is_no_such_ruleset() -> None:
    with pytest.raises(InputError, match="no ruleset lancashire-2008"):
        lint("lancashire-2008")
