"""The cross-check: whatever another opinion gets wrong is found, shrunk to a small position, told by its rule, and can be found again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from brassspec.checker.check import Target, check, plan, starts_of
from brassspec.checker.compare import Comparison
from brassspec.checker.crosscheck import CrossCheck, Divergence, Options, Start, Tally
from brassspec.checker.scenarios import ScenarioResult, ScenarioRun
from brassspec.checker.shrink import Finding, tell
from brassspec.formats import InputError, Move, Outcome, Position
from brassspec.grammar.parser import parse
from brassspec.rules.api import Game
from brassspec.rules.concrete import Rules
from brassspec.rules.library import build, load_spec
from brassspec.rules.scenarios import read_situation

RELAY = Path(__file__).parent.parent / "data" / "relay.brass"
TEXT = RELAY.read_text(encoding="utf-8")
GAMES = 12


def rules_of(text: str, folder: Path, players: int = 2) -> Rules:
    spec = folder / "relay.brass"
    spec.write_text(text, encoding="utf-8")
    return Rules(build(load_spec(spec), {}, players))


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules(build(load_spec(RELAY), {}, 2))


@pytest.fixture(scope="module")
def starts() -> tuple[Start, ...]:
    return starts_of(Target.of(str(RELAY)), 2)


def crosscheck(rules: Rules, other: Game, starts: tuple[Start, ...], games: int = GAMES) -> CrossCheck:
    cross = CrossCheck(rules, other, None, Options(altered=1), starts)
    for game in range(games):
        cross.play(game)
    return cross


def run(scenario: str, rules: Rules, other: Game) -> ScenarioResult:
    (declaration,), problems = parse(scenario, "pasted")
    assert not problems
    return ScenarioRun(rules, Game(rules).speaker, read_situation(declaration), other, None).run()


# What is changed in the other opinion; the kind of difference; what it is about; the place; the most lines of the position.
FAULTS = {
    "weakened": ("<= coins[runner]", "<= coins[runner] + 1", "verdict", ("trail.price",), "require trail.price", 1),
    "dropped": ("not owner[trail] exists\n", "true\n", "verdict", ("trail.free",), "require trail.free", 1),
    "negated": ("h in ends(trail): connected", "h in ends(trail): not connected", "verdict", ("trail.joined",), "require trail.joined", 0),
    "whose turn": ("number(r) = turn\n", "number(r) >= turn\n", "verdict", ("turn.order",), "require turn.order", 1),
    "an effect dropped": ("    owner[trail] := runner\n", "", "position", ("owner",), "owner[trail] := runner", 0),
    "off by one": ("coins[resting] + value)", "coins[resting] + value - 1)", "position", ("coins",), "coins[resting] :=", 1),
    "a figure": ("    a--b  1", "    a--b  2", "position", ("coins",), "coins[runner] :=", 0),
    "an event": ("    emit lays(runner, trail)\n", "", "events", ("lays",), "emit lays", 0),
    "chance": ("weight 4 - value", "weight value", "chance", ("roll",), "chance roll", 1),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_shrunk_and_told(fault: str, rules: Rules, starts: tuple[Start, ...], tmp_path: Path) -> None:
    old, new, kind, names, place, most = FAULTS[fault]
    assert TEXT.count(old) == 1
    other = Game(rules_of(TEXT.replace(old, new), tmp_path))
    cross = crosscheck(rules, other, starts)
    found = [d for d in cross.tally.divergences if d.kind == kind and d.names[: len(names)] == names]
    assert found, cross.tally.divergences
    shortest = min(found, key=lambda d: len(d.moves))
    told = tell(Comparison(rules, other), shortest, len(found), "again")
    assert told.kind == kind
    assert told.signature == shortest.signature
    line = next(i for i, text in enumerate(TEXT.splitlines(), start=1) if place in text)
    assert f"relay.brass:{line}" in [r["place"] for r in told.rules]
    assert told.lines <= most
    assert told.spec != told.other
    # The scenario can be pasted: it fails by the same difference, and holds where the opinions agree.
    (problem, *_) = run(told.scenario, rules, other).problems
    assert f"the opinions differ ({kind})" in problem
    assert run(told.scenario, rules, Game(rules)).problems == []
    assert Finding.of(told.plain()) == told


class Crashing(Game):
    """An opinion that fails at a certain move."""

    def step(self, position: Position, move: Move | str) -> Outcome:
        if isinstance(move, dict) and move.get("trail") == "b--c":
            raise KeyError("b--c")
        return super().step(position, move)


def test_an_opinion_that_fails_is_a_finding(rules: Rules, starts: tuple[Start, ...]) -> None:
    cross = crosscheck(rules, Crashing(rules), starts)
    d = cross.tally.divergences[0]
    assert d.kind == "refused"
    assert d.other == "fails: KeyError: 'b--c'"
    assert "b--c" in d.move


class Forgetful(Game):
    """An opinion that lists no rest, though it allows one."""

    def legal_moves(self, position: Position) -> list[Move]:
        return [m for m in super().legal_moves(position) if m["action"] != "rest"]


def test_a_list_that_its_own_verdicts_belie(rules: Rules) -> None:
    cross = crosscheck(rules, Forgetful(rules), ())
    d = cross.tally.divergences[0]
    assert (d.kind, d.move, d.other) == ("legal moves", "ann rests", "not listed")


def test_rules_that_break_an_invariant_or_refute_a_claim(tmp_path: Path) -> None:
    rules = rules_of(TEXT.replace("coins[r] <= 9\n", "coins[r] <= 4\n"), tmp_path)
    found = crosscheck(rules, Game(rules), ()).tally.divergences
    d = next(d for d in found if d.kind == "invariant")
    assert d.names == ("coins.few",)
    told = tell(Comparison(rules, None), d, 1, "again")
    assert f"relay.brass:{TEXT[: TEXT.index('invariant coins.few')].count(chr(10)) + 1}" in [
        r["place"] for r in told.rules
    ]
    (problem, *_) = run(told.scenario, rules, Game(rules)).problems
    assert "coins.few is broken" in problem


def test_opinions_that_agree_do_not_differ(rules: Rules, starts: tuple[Start, ...]) -> None:
    cross = crosscheck(rules, Game(rules), starts)
    counts = cross.tally.counts
    assert cross.tally.divergences == []
    assert counts["games"] == GAMES
    assert counts["varied_positions"] > GAMES
    assert counts["tours"] == GAMES // 3 == counts["scenario_starts"]
    assert sum(counts[f"games_{p}"] for p in ("uniform", "miser", "seeking")) == GAMES
    assert min(counts[f"games_{p}"] for p in ("uniform", "miser", "seeking")) >= GAMES // 4
    # Moves that one rule alone forbids are found for every requirement.
    assert {n for n, r in rules.model.requirements.items() if r.kind == "requirement"} == set(cross.tally.decisive)
    assert Tally.of(cross.tally.plain()) == cross.tally


def test_a_game_is_the_same_alone_or_among_others(rules: Rules, starts: tuple[Start, ...], tmp_path: Path) -> None:
    other = Game(rules_of(TEXT.replace("<= coins[runner]", "<= coins[runner] + 1"), tmp_path))
    among = crosscheck(rules, other, starts, 6).tally.divergences
    for game in range(6):
        alone = CrossCheck(rules, other, None, Options(altered=1), starts)
        alone.play(game)
        assert alone.tally.divergences == [d for d in among if d.game == game]


def test_altered_moves_are_well_formed(rules: Rules) -> None:
    cross = CrossCheck(rules, None, None, Options())
    state = rules.initial()
    moves = rules.legal(state)
    seen = {cross.alter(random.Random(seed), moves, moves[0]) for seed in range(200)}
    assert len(seen) > 6
    for move in seen:
        said = cross.compare.say(move, False)
        assert cross.compare.game.speaker.parse_move(said) == move


def test_varied_positions_are_such_as_could_be(rules: Rules) -> None:
    cross = CrossCheck(rules, None, None, Options())
    state = rules.step(rules.initial(), *rules.legal(rules.initial())[0]).state  # ann lays a--b
    assert state is not None
    varied = [v.state for seed in range(200) if (v := cross.vary(random.Random(seed), state, state)) is not None]
    coins, owner = rules.index["coins"], rules.index["owner"]
    # What each runner has comes close to what the other has; a trail that is laid has another owner.
    assert {(1, 1), (2, 2), (2, 1)} <= {v[coins] for v in varied}
    assert (1, None, None, None) in {v[owner] for v in varied}
    for v in varied:
        assert rules.broken(v) == []
        assert [i for i, (a, b) in enumerate(zip(state, v, strict=True)) if a != b] in ([coins], [owner])


def test_divergences_as_plain_data(rules: Rules, starts: tuple[Start, ...]) -> None:
    tally = crosscheck(rules, Crashing(rules), starts).tally
    again = Tally.of(tally.plain())
    assert again == tally
    assert isinstance(again.divergences[0], Divergence)


# ---------------------------------------------------------------- the check as a whole


def test_a_check_goes_on_from_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, journal = str(RELAY), tmp_path / "journal"
    (whole,) = check([target], games=6, jobs=1, journal=journal)
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + len(plan(Target.of(target), 6, 1, 2))
    journal.write_bytes(b"".join(lines[:4]) + lines[4][:20])
    (again,) = check([target], games=6, jobs=1, journal=journal)
    assert (again.counts, again.decided, again.assurance) == (whole.counts, whole.decided, whole.assurance)
    monkeypatch.setattr("brassspec.checker.check.do", None)
    (kept,) = check([target], games=6, jobs=1, journal=journal)
    assert kept.counts == whole.counts
    with pytest.raises(InputError, match="another campaign's"):
        check([target], games=6, seed=2, jobs=1, journal=journal)


def test_the_report_tells_what_never_decided() -> None:
    (report,) = check([str(RELAY)], games=0, jobs=1)
    assert (report.never_decided, report.excused, report.decided) == ([], {}, {})
    (report,) = check([str(RELAY)], games=12, jobs=1)
    assert set(report.decided) == {"turn.order", "trail.free", "trail.price", "trail.joined"}
    assert report.never_decided == []
