"""Errors of a spec: each names the place, the cause and the remedy, and all of a file show in one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from brassspec.checker.check import check
from brassspec.grammar.errors import SpecError
from brassspec.grammar.parser import parse
from brassspec.rules.library import build, load_spec

RELAY = (Path(__file__).parent.parent / "data" / "relay.brass").read_text(encoding="utf-8")


def errors_of(text: str, tmp_path: Path, players: int = 2) -> SpecError:
    path = tmp_path / "relay.brass"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        build(load_spec(path), {}, players)
    return caught.value


# (a change of the sound spec, the line it stands in, cause, remedy)
FAULTS = [
    (
        "price(trail) <= coins[runner]",
        "prise(trail) <= coins[runner]",
        "there is no definition or table prise",
        "did you mean price?",
    ),
    (
        "price(trail) <= coins[runner]",
        "price(trail) <= coin[runner]",
        "there is no map coin in the position",
        "did you mean coins?",
    ),
    ("price(trail) <= coins[runner]", "price(trail) <= runner", "can't be compared", ""),
    ("price(trail) <= coins[runner]", "price(trail) <= coins", "coins is a map", "coins[Runner]"),
    ("price(trail) <= coins[runner]", "coins[runner]", "but a yes/no is due", ""),
    ("price(trail) <= coins[runner]", "price(runner) <= 3", "this is a Runner, but a Trail is due", ""),
    (
        "phase = act and number(r) = turn",
        "phase = acting and number(r) = turn",
        "nothing is called acting here",
        "did you mean act?",
    ),
    ("connected(laid, a, h)", "connected(lad, a, h)", "there is no graph lad", "did you mean laid?"),
    ("connected(laid, a, h)", "connected(laid, a)", "connected takes 3 arguments", ""),
    ("emit lays(runner, trail)", "emit lay(runner, trail)", "there is no event lay", "did you mean lays?"),
    (
        "do on_turn(runner)\n    phase",
        "do onturn(runner)\n    phase",
        "there is no procedure onturn",
        "did you mean on_turn?",
    ),
    ("a--b  1", "a--b  7", "7 is outside 1..3", ""),
    ("a--b  1", "a--e  1", "e in the id a--e is no Hut", "known here"),
    ("a--b  1", "a--b  1 2", "this row does not have 1 values", "the columns are price"),
    ('cites book "Handicap"', 'cites bok "Handicap"', "there is no source bok", "did you mean book?"),
    (
        'require trail.free "a trail',
        'require trail.price "a trail',
        "trail.price is already the name of a requirement",
        "it stands at",
    ),
    ("never lay where", "never lai where", "there is no action, step or chance event lai", "did you mean lay?"),
    ("turn: 1..players = number(mover)", "turn: 3..1 = 3", "the range 3..1 is empty", "smaller bound first"),
    ("coins[r: Runner]: 0..9 = 2", "coins[r: Runer]: 0..9 = 2", "there is no type Runer", "did you mean Runner?"),
    ("let resting = first", "let value = first", "value already has a value here", "choose another name"),
    ("phase := rolling", "phase = rolling", "unexpected '='", "expected"),
    ("min(9, coins[resting] + value)", "min(9, coins[resting] * value)", "two unknown numbers can't be multiplied", ""),
]


@pytest.mark.parametrize(("old", "new", "cause", "remedy"), FAULTS, ids=[f[2] for f in FAULTS])
def test_a_fault_is_shown_where_it_is_with_cause_and_remedy(
    old: str, new: str, cause: str, remedy: str, tmp_path: Path
) -> None:
    assert RELAY.count(old) == 1
    text = RELAY.replace(old, new)
    error = errors_of(text, tmp_path)
    problem = next(p for p in error.problems if cause in p.cause)
    assert remedy in problem.remedy
    assert problem.place.file == "relay.brass"
    wrong = [i for i, (a, b) in enumerate(zip(RELAY.splitlines(), text.splitlines(), strict=False), start=1) if a != b]
    assert 0 <= problem.place.line - wrong[0] <= 3  # a name given twice is shown at its second place
    shown = str(error).splitlines()
    assert any(line.strip().startswith("^") for line in shown)


def test_all_errors_of_a_file_show_in_one_run(tmp_path: Path) -> None:
    text = RELAY.replace("price(trail) <= coins[runner]", "prise(trail) <= coins[runner]").replace(
        "emit lays(runner, trail)", "emit lay(runner, trail)"
    )
    text = text.replace("number(r) = turn", "number(r) = tern")
    wrong = [i for i, (a, b) in enumerate(zip(RELAY.splitlines(), text.splitlines(), strict=True), start=1) if a != b]
    assert len(wrong) == 4
    assert [p.place.line for p in errors_of(text, tmp_path).problems] == wrong


def test_syntax_errors_of_several_declarations_show_in_one_run(tmp_path: Path) -> None:
    text = RELAY.replace("phase := rolling", "phase rolling").replace("winner: Runner? = none", "winner Runner? = none")
    problems = errors_of(text, tmp_path).problems
    assert len({p.place.line for p in problems}) == 2


def test_a_recursive_definition_is_refused(tmp_path: Path) -> None:
    text = RELAY + "\ndefine up(r: Runner) = down(r)\ndefine down(r: Runner) = up(r)\n"
    assert any("leads back to itself" in p.cause for p in errors_of(text, tmp_path).problems)


def test_a_recursive_procedure_is_refused(tmp_path: Path) -> None:
    text = RELAY.replace("    turn := if turn < players", "    do next\n    turn := if turn < players")
    assert any("too deeply" in p.cause for p in errors_of(text, tmp_path).problems)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\xff",
        "(" * 5000,
        "action" + " x" * 5000,
        "state:\n\tx: 0..1 = 0\n   y: 0..1 = 0\n",
        '"' * 999,
        "define x = " + "(" * 50 + "1" + ")" * 50 + "\n",
        "é" * 1000,
    ],
)
def test_no_text_makes_the_parser_fail(text: str) -> None:
    declarations, problems = parse(text, "hostile.brass")
    assert problems or not text.strip() or declarations


def test_a_file_that_is_too_large_is_refused() -> None:
    _, problems = parse("x" * 2_000_000, "large.brass")
    assert "the limit is" in problems[0].remedy


def test_an_exception_to_a_rule_that_is_not_there_fails_the_check(tmp_path: Path) -> None:
    path = tmp_path / "relay.brass"
    path.write_text(RELAY.replace("to trail.price ", "to trail.prices "), encoding="utf-8")
    (report,) = check([str(path)], games=1, jobs=1)
    assert report.verdict == "failed"
    assert report.dangling == ["trail.friends excepts trail.prices, which is not there"]
