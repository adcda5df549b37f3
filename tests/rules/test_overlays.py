"""Readings and editions change rules: what each kind of change does, and what is said of one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from brassspec.checker.questions import Judge
from brassspec.formats import InputError
from brassspec.grammar.errors import SpecError
from brassspec.rules.api import Game
from brassspec.rules.concrete import Rules
from brassspec.rules.library import Spec, build, load_spec

RELAY = Path(__file__).parent.parent / "data" / "relay.brass"
OPEN = '    reading plain "as written" default official cites book "Laying"\n'


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    file = tmp_path / "relay.brass"
    file.write_text(RELAY.read_text(encoding="utf-8"), encoding="utf-8")
    return file


def add(file: Path, text: str) -> Spec:
    with file.open("a", encoding="utf-8") as f:
        f.write("\n" + text)
    return load_spec(file)


def other(change: str, holder: str = "house") -> str:
    lines = "".join(f"        {line}\n" for line in change.splitlines())
    return f'ruling q "How?":\n{OPEN}    reading other "otherwise" {holder}:\n{lines}'


def judge(spec: Spec, reading: str = "other", players: int = 2) -> Judge:
    return Judge(Game(Rules(build(spec, {"q": reading}, players))))


def reasons(j: Judge, *moves: str) -> list[str]:
    """What is violated by the last of some moves, the others being legal."""
    state = j.rules.initial()
    for move in moves[:-1]:
        after = j.rules.step(state, *j.speaker.parse_move(move)).state
        assert after is not None, move
        state = after
    return [r.requirement for r in j.ask(state, moves[-1]).reasons]


def test_a_replaced_rule_has_words_and_facts_of_its_own_or_keeps_the_old(spec: Path) -> None:
    text = 'replace trail.price "half is enough" cites book "Sales":\n    price(trail) <= coins[runner] * 2'
    j = judge(add(spec, other(text)))
    assert reasons(j, "ann lays a--d") == []
    rule = j.rules.model.requirements["trail.price"]
    assert (rule.sentence, rule.cites[0].locator) == ("half is enough", "Sales")
    plain = judge(load_spec(spec), "plain")
    assert plain.rules.model.requirements["trail.price"].sentence == "a trail is paid for"


def test_exceptions_invariants_and_claims_are_replaced_and_dropped_too(spec: Path) -> None:
    text = (
        "replace trail.friends: true\n"
        'replace coins.few "nobody has more than eight coins":\n    all r in Runner: coins[r] <= 8\n'
        "drop last.trail"
    )
    model = judge(add(spec, other(text))).rules.model
    assert [p.sentence for p in model.properties] == ["nobody has more than eight coins"]
    assert reasons(judge(load_spec(spec)), "ann lays a--d") == []


def test_an_added_rule_knows_the_names_of_its_place(spec: Path) -> None:
    text = 'require trail.short after trail.price "a trail is short" cites book "Laying":\n    price(trail) < 2\n    shows "{runner}"'
    j = judge(add(spec, other(text)))
    assert reasons(j, "ann lays b--c") == ["trail.short", "trail.joined"]
    names = list(j.rules.model.requirements)
    assert names[names.index("trail.price") + 1] == "trail.short"


def test_an_added_rule_binds_only_the_actions_it_names_and_knows_their_parameters(spec: Path) -> None:
    text = 'require turn.first in lay after turn.order "c--d comes last" cites book "Turns":\n    trail != Trail.c--d or r = bob'
    j = judge(add(spec, other(text)))
    assert reasons(j, "ann lays c--d") == ["turn.first", "trail.joined"]
    assert reasons(j, "ann rests") == []


def test_whether_another_action_is_possible(spec: Path) -> None:
    text = 'require rest.last in rest after turn.order "who can lay does not rest" cites book "Turns":\n    not can(r, lay)'
    j = judge(add(spec, other(text)))
    assert reasons(j, "ann rests") == ["rest.last"]
    assert all(j.rules.action_names[a] == "lay" for a, _ in j.rules.legal(j.rules.initial()))


def test_what_is_done_besides_comes_last(spec: Path) -> None:
    text = 'state:\n    laid_last "last trail": Trail? = none\nalso lay:\n    laid_last := trail\nreplace procedure next:\n    turn := turn'
    j = judge(add(spec, other(text)))
    after = j.rules.step(j.rules.initial(), *j.speaker.parse_move("ann lays a--b")).state
    assert after is not None
    assert after[j.rules.index["laid_last"]] == 0
    assert after[j.rules.index["turn"]] == 1
    assert "laid_last" not in judge(load_spec(spec), "plain").rules.model.state


def test_a_graph_for_each_player(spec: Path) -> None:
    text = (
        "graph own(r: Runner) over Hut:\n    edge t in Trail joins ends where owner[t] = r\n"
        "replace trail.joined: some h in ends(trail): connected(own(runner), a, h) and distance(own(runner), a, h) < 3"
    )
    j = judge(add(spec, other(text)))
    assert reasons(j, "ann lays a--b", "bob lays b--c") == ["trail.joined"]
    assert reasons(judge(load_spec(spec), "plain"), "ann lays a--b", "bob lays b--c") == []


def test_an_edition_takes_another_reading(spec: Path) -> None:
    loaded = add(spec, other("drop trail.price") + "\ndefault q = other\n")
    assert loaded.rulings["q"].default == "other"
    assert "trail.price" not in build(loaded, {}, 2).requirements
    assert "trail.price" in build(loaded, {"q": "plain"}, 2).requirements


def test_two_readings_that_change_one_thing_are_refused_unless_they_say_the_same(spec: Path) -> None:
    second = other("replace trail.price: true").replace("ruling q", "ruling z")
    loaded = add(spec, other("replace trail.price: true") + "\n" + second)
    assert build(loaded, {"q": "other", "z": "other"}, 2)
    loaded = add(spec, other("drop trail.price").replace("ruling q", "ruling y"))
    with pytest.raises(InputError, match=r"q=other and y=other can't be combined: both change the rule trail.price"):
        build(loaded, {"q": "other", "y": "other"}, 2)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (other("drop trail.fre"), "there is no rule trail.fre"),
        (other('require x.y after trail.fre "x" cites book "x": true'), "there is no requirement trail.fre"),
        (other('require x.y in rest after trail.free "x" cites book "x": true'), "rest has no requirement trail.free"),
        (other("also lie:\n    turn := 1"), "nothing that is done is called lie"),
        (other("replace procedure nxt:\n    turn := 1"), "there is no procedure nxt to replace"),
        (other("replace type Coins = 1..2"), "there is no type Coins to replace"),
        (other('require x.y in lay after trail.free "x" cites book "x": can(runner, lie)'), "there is no action lie"),
        (other('require x.y in lay after trail.free "x" cites book "x": can(runner, lay)'), "would depend on itself"),
        (other("replace trail.friends: can(runner, rest)\ndefine f(r: Runner) = can(r, rest)"), "only a requirement"),
        (other("drop trail.free", holder="grandmother"), "grandmother holds no reading"),
        (other("drop trail.free").replace("cites book", "cites bok"), "cites no source bok"),
        (other("drop trail.free") + "\ndefault q = others\n", "q has no reading others"),
        (other("drop trail.free") + "\ndefault p = other\n", "there is no question p"),
    ],
)
def test_a_change_of_what_is_not_there_is_an_error(spec: Path, text: str, cause: str) -> None:
    with pytest.raises(SpecError) as found:
        build(add(spec, text), {"q": "other"}, 2)
    assert any(cause in p.cause for p in found.value.problems), [p.cause for p in found.value.problems]


def test_scenarios_of_the_base_are_not_those_of_an_edition_built_on_it() -> None:
    from brassspec.rules.library import spec_of

    own = {d.file for d in spec_of("lancashire-2007-2p").scenarios if d.file.startswith("lancashire/two_players/")}
    assert own == {"lancashire/two_players/coverage.brass", "lancashire/two_players/scenarios.brass"}
    inherited = [d for d in spec_of("lancashire-2007-2p").scenarios if d.file not in own]
    assert all(any(getattr(c, "data", "") == "for_rulesets" for c in d.tree.children) for d in inherited)


def test_an_edition_drops_a_question_or_asks_it_with_readings_of_its_own(spec: Path) -> None:
    asked = other("drop trail.price")
    assert add(spec, asked + "\ndrop ruling q\n").rulings == {}
    anew = add(spec, f'\nruling q "How?":\n{OPEN}')
    assert list(anew.rulings["q"].readings) == ["plain"]
    with pytest.raises(InputError, match="q has no reading other"):
        build(anew, {"q": "other"}, 2)


def test_a_question_that_is_not_asked_is_not_dropped(spec: Path) -> None:
    with pytest.raises(SpecError, match="there is no question q"):
        add(spec, "drop ruling q\n")


def test_an_edition_cites_its_own_sources_only(spec: Path) -> None:
    text = spec.read_text(encoding="utf-8").replace("players 2..3\n", "players 2..3 sources book\n", 1)
    spec.write_text(text, encoding="utf-8")
    source = 'source other "Another book" language en document "other.txt"\n'
    change = '\nreplace trail.price "a trail is paid for" cites other "Money", book "Sales":\n    price(trail) <= coins[runner]\n'
    rule = build(add(spec, source + change), {}, 2).requirements["trail.price"]
    assert [(c.source, c.locator) for c in rule.cites] == [("book", "Sales")]
    spec.write_text(spec.read_text(encoding="utf-8").replace(', book "Sales"', ""), encoding="utf-8")
    with pytest.raises(SpecError, match=r"trail\.price cites no source"):
        build(load_spec(spec), {}, 2)
    spec.write_text(text.replace("sources book", "sources bock"), encoding="utf-8")
    with pytest.raises(SpecError, match="the edition names no source bock"):
        load_spec(spec)


def test_a_chance_event_is_dropped(spec: Path) -> None:
    assert "roll" not in build(add(spec, "drop chance roll\n"), {}, 2).chances
    with pytest.raises(SpecError, match="there is no transition rol to drop"):
        build(add(spec, "drop chance rol\n"), {}, 2)


def test_three_parameters_may_be_named_in_any_order(spec: Path) -> None:
    action = """action choose(runner: Runner, one: Trail, two: Trail, three: Trail):
    spoken "{runner} chooses {one}, {two}, {three}"
    either order one, two, three
    require choose.on_turn "runners choose in turn" cites book "Laying":
        number(runner) = 1
"""
    rules = Rules(build(add(spec, action), {}, 2))
    speaker = Judge(Game(rules)).speaker
    number, args = speaker.parse_move("ann chooses c--d, a--b, a--d")
    assert (number, args) == speaker.parse_move("ann chooses a--d, c--d, a--b")
    assert list(args[1:]) == sorted(args[1:])
    chosen = [found for i, found in rules.legal(rules.initial()) if i == number]
    trails = len(rules.model.sorts["Trail"].members)
    assert len(chosen) == len(set(chosen)) == trails * (trails + 1) * (trails + 2) // 6
