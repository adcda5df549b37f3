"""Two rulesets compared: each difference with a position and a moment of play, or a proof that there is none."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from brassspec.checker import diff as differ
from brassspec.checker.apart import Apart
from brassspec.checker.diff import Diff, Entry, Witness, diff
from brassspec.checker.related import BOTH, OF_A, OF_B, Related
from brassspec.checker.symbolic.pairs import Pair
from brassspec.formats import InputError
from brassspec.formats.documents import read_position
from brassspec.rules.api import game


@lru_cache
def mini(reading: str) -> Diff:
    return diff("mini", f"mini+{reading}", games=4)


def entry(found: Diff, name: str) -> Entry:
    return next(e for e in found.entries if e.name == name)


def differing(found: Diff) -> dict[str, str]:
    return {e.name: e.relation for e in found.entries if e.relation != "equivalent"}


def verdicts(witness: Witness, *rulesets: str) -> list[list[str]]:
    """What the rulesets say of the move of a witness, asked anew."""
    out = []
    for ruleset in rulesets:
        position = read_position({**witness.position, "ruleset": ruleset}, "witness")
        g = game(ruleset, position.players)
        outcome = g.judge(g.codec.state(position), g.speaker.parse_move(witness.move))
        out.append([v.requirement for v in outcome.violated])
    return out


def test_a_reading_that_allows_more_has_a_smallest_position_and_a_moment_of_play() -> None:
    found = mini("first_link=anywhere")
    assert found.verdict == "different"
    assert differing(found) == dict.fromkeys(("canal", "rail", "second_rail"), "b_allows_more")
    canal = entry(found, "canal")
    assert canal.assurance == {"a_allows": "proved", "effect": "proved", "told": "identical"}
    smallest = canal.smallest["b_allows"]
    assert len(smallest.lines) == 1
    assert smallest.lines[0].startswith("hand[")
    assert verdicts(smallest, "mini", "mini+first_link=anywhere") == [["link.network"], []]
    assert smallest.engines == {"a": "agrees", "b": "agrees"}
    assert "reachability unknown" in smallest.origin
    played = canal.played["b_allows"]
    assert played.origin.startswith(f"reached by play: {len(played.moves)} moves, game ")
    assert verdicts(played, "mini", "mini+first_link=anywhere") == [["link.network"], []]


def test_the_moves_to_a_moment_of_play_lead_there() -> None:
    played = entry(mini("first_link=anywhere"), "canal").played["b_allows"]
    g = game("mini", 2)
    state = g.rules.initial()
    for move in played.moves:
        request = g.request(move)
        taken = g.whole(request)
        after = g.rules.happen(state, *taken)[0] if request.is_chance else g.rules.step(state, *taken).state
        assert after is not None
        state = after
    assert g.codec.position(state).state == played.position["state"]


def test_other_outcomes_tell_which_lines_differ() -> None:
    found = mini("shortfall_change=lost")
    assert differing(found) == {"give_up": "other_effect"}
    smallest = entry(found, "give_up").smallest["effect"]
    assert [x.split(" = ")[0] for x in smallest.a] == [x.split(" = ")[0] for x in smallest.b] == ["money[yellow]"]


def test_what_differs_in_words_only_is_the_same_without_a_solver() -> None:
    found = mini("thirty_cap=loan")
    assert found.verdict == "same"
    assert all(set(e.assurance.values()) == {"identical"} for e in found.entries)
    assert found.games == found.solver == 0


def test_no_difference_on_this_board_is_proved_not_assumed() -> None:
    found = mini("rail_coal_end=nearer_end")
    assert found.verdict == "same"
    rail = entry(found, "rail")
    assert rail.assurance == {"a_allows": "proved", "b_allows": "proved", "effect": "proved", "told": "identical"}
    assert found.solver > 0


def test_the_set_up_is_compared_as_a_table() -> None:
    found = mini("income_start=space_0")
    assert found.verdict == "different"
    assert not differing(found)
    assert [(row.key, row.a, row.b) for row in found.set_up] == [
        ("income[yellow]", "10", "0"),
        ("income[red]", "9", "0"),
    ]


def test_what_one_side_alone_remembers_is_told_with_the_position() -> None:
    found = mini("two_rails_apart=apart")
    assert found.own == ((), ("first_rail",))
    assert differing(found) == {"second_rail": "a_allows_more"}
    smallest = entry(found, "second_rail").smallest["a_allows"]
    assert any(line.startswith("first_rail = ") for line in smallest.lines)
    assert smallest.b == () or smallest.b[0].startswith("illegal by rail.apart")


def test_rules_that_ask_what_else_is_possible_are_told_apart_in_play() -> None:
    found = mini("pass_action=forced")
    assert differing(found) == {"pass": "a_allows_more"}
    passing = entry(found, "pass")
    assert passing.assurance["b_allows"] == "identical"
    assert passing.smallest["a_allows"].b[0].startswith("illegal by pass.forced")


def test_questions_to_the_solver_are_written_as_smt_lib(tmp_path: Path) -> None:
    diff("mini", "mini+loan_floor=clamped", games=0, smt2=tmp_path / "queries")
    written = sorted(p.name for p in (tmp_path / "queries").iterdir())
    assert "loan-b_allows-2.smt2" in written
    assert "(check-sat)" in (tmp_path / "queries" / "loan-b_allows-2.smt2").read_text(encoding="utf-8")


def test_a_lancashire_reading_is_told_apart_in_few_lines() -> None:
    found = diff("lancashire-2007", "lancashire-2007+vp_floor=none", games=0)
    assert differing(found) == {"settle_debt": "other_effect"}
    smallest = entry(found, "settle_debt").smallest["effect"]
    assert any(line.startswith("owed = ") for line in smallest.lines)
    assert len(smallest.lines) <= 4
    assert [x.split(" = ")[0] for x in smallest.a] == [x.split(" = ")[0] for x in smallest.b]


def test_rulesets_without_a_number_of_players_in_common_are_refused() -> None:
    with pytest.raises(InputError, match="in common"):
        diff("mini", "lancashire-2007")
    with pytest.raises(InputError, match="no ruleset nowhere"):
        diff("mini", "nowhere")


def test_what_differs_with_more_players_only_is_found() -> None:
    found = diff("birmingham-2018", "birmingham-2018+turn_order_rest=first_seat_only", games=1)
    assert (found.verdict, found.players) == ("different", (3,))
    assert "effect" in entry(found, "set_order").smallest


def test_where_nothing_is_found_more_is_played_until_something_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differ, "GAMES", 0)
    monkeypatch.setattr(differ, "RLIMIT", 1)
    found = diff("mini", "mini+first_link=anywhere")
    assert (found.verdict, found.players) == ("different", (2,))
    assert 0 < found.games < differ.MORE_GAMES
    assert any(e.played for e in found.entries)


def test_so_many_games_as_are_asked_for_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differ, "RLIMIT", 1)
    assert diff("mini", "mini+first_link=anywhere", games=0).verdict == "unknown"


def test_what_several_numbers_of_players_leave_open_is_told_of_all() -> None:
    found = [diff("mini", "mini+distant_pile=aside", games=n) for n in (1, 2)]
    found[1].players = (3,)
    entry(found[1], "pass").assurance["effect"] = "unknown: no time"
    whole = differ.together(found)
    assert (whole.verdict, whole.players, whole.games) == ("unknown", (2, 3), sum(d.games for d in found))
    assert entry(whole, "pass").assurance["effect"] == "unknown: no time"
    assert entry(whole, "build").assurance["effect"] == "identical"


def test_editions_whose_positions_have_little_in_common_are_compared_in_those_of_each() -> None:
    # In the rail era six cards are set aside in the one, none in the other: no position is one of both.
    pair = Pair(Related(game("lancashire-2007", 3).rules, game("lancashire-2018", 3).rules))
    assert pair.is_wider(OF_A)
    assert pair.is_wider(OF_B)
    build = pair.between("build")
    virtual = next(bits for side, bits in build.decided("card.virtual_link") if side == 0)
    assert build.ask(virtual, domain=BOTH).answer == "unsat"
    asked = build.ask(virtual, domain=OF_A)
    assert asked.answer == "sat"
    parting = Apart(pair.related).parted(
        "build", "a_allows", asked.a, pair.related.as_b(asked.a, asked.own), asked.args
    )
    assert parting is not None
    assert parting.rules == ("card.network",)


def test_each_rule_that_differs_is_shown_where_it_decides() -> None:
    found = mini("industry_card_trace=must")
    assert found.rules == ([], [], ["card.network", "card.virtual_link"])
    build = entry(found, "build")
    assert build.relation == "a_allows_more"
    assert build.smallest["a_allows"].rules == ("card.network",)
    link = build.rules["card.virtual_link"]
    assert verdicts(link, "mini", "mini+industry_card_trace=must") == [[], ["card.network"]]
    assert "Birkenhead counts as connected" in link.a[1]
    assert not build.unused


def test_rules_that_never_decide_are_proved_to_differ_in_vain() -> None:
    rail = entry(mini("rail_coal_after=before"), "rail")
    assert rail.smallest["b_allows"].rules == ("coal.mine_first",)
    assert rail.unused == dict.fromkeys(("coal.connected", "coal.nearest", "coal.port"), "proved")


def test_what_one_alone_allows_is_shown_in_a_position_of_its_own() -> None:
    # Where cotton may be kept from the distant market a sale is pending that never is by default, so nothing is said of it there.
    found = mini("distant_refuse=may")
    relations = differing(found)
    assert relations == {"turn_tile": "other_effect", "accept": "only_b", "refuse": "only_b"}
    for e in found.entries:
        for witness in (*e.smallest.values(), *e.played.values()):
            position = read_position(witness.position, "witness")
            g = game(position.ruleset, position.players)
            assert not g.rules.broken(g.codec.state(position))
            assert set(witness.engines.values()) <= {"agrees", "not offered", "not asked"}


def test_what_forbids_a_move_need_not_say_what_would_come_of_it() -> None:
    # Where the price is more than there is, the money after would be no money.
    pair = Pair(Related(game("mini", 2).rules, game("mini+track_buy_order=any", 2).rules))
    rail = pair.between("rail")
    assert rail.ask([*rail.allowed(1), *rail.proper((1,))]).answer == "sat"
    assert rail.ask([*rail.allowed(1), *rail.proper((0, 1))]).answer == "unsat"


def test_an_exception_that_excuses_in_both_decides_in_neither() -> None:
    a, b = "mini", "mini+first_build=no_tile+preston_first=everything"
    pair = Pair(Related(game(a, 2).rules, game(b, 2).rules))
    of_a = [bits for side, bits in pair.between("build").decided("card.first_build") if side == 0]
    assert of_a
    assert all(pair.between("build").ask(bits).answer in ("unsat", "equal") for bits in of_a)


def test_games_that_share_little_are_compared() -> None:
    found = diff("mini", "mini-birmingham", games=2)
    assert found.verdict == "different"
    assert {"only_a", "only_b", "other_parameters"} <= set(differing(found).values())


def test_a_difference_is_told_alike_in_every_process() -> None:
    command = [sys.executable, "-m", "brassspec", "diff", "mini", "mini+track_buy_order=any", "--games", "0", "--json"]
    told = [json.loads(subprocess.run(command, capture_output=True, check=False).stdout) for _ in range(2)]
    assert told[0]["findings"]
    assert told[0]["findings"] == told[1]["findings"]
