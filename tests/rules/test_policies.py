"""How random games are played: declared policies, `uniform` and `seeking`; the rules without one of their requirements."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from brassspec.formats import InputError
from brassspec.grammar.errors import SpecError
from brassspec.rules.api import Game, game
from brassspec.rules.concrete import Rules
from brassspec.rules.games import play, random_game
from brassspec.rules.library import build, load_spec
from brassspec.rules.policies import policies_of, policy_names
from brassspec.rules.relaxed import Relaxed

RELAY = Path(__file__).parent.parent / "data" / "relay.brass"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules(build(load_spec(RELAY), {}, 2))


def test_the_policies_of_a_ruleset(rules: Rules) -> None:
    assert policy_names(rules.model) == ("uniform", "miser", "seeking")
    assert rules.model.policies["miser"].sentence == "rests, and lays what costs one coin"
    assert [line.weight for line in rules.model.policies["miser"].lines] == [3, 1, 1]


def chosen(text: str, folder: Path, coins: tuple[int, int] = (2, 2)) -> Counter[str]:
    """What a policy of the runners chooses in 4000 openings, where ann may lay a--b or rest."""
    spec = folder / "relay.brass"
    spec.write_text(f'{RELAY.read_text(encoding="utf-8")}\npolicy mine "mine":\n{text}', encoding="utf-8")
    g = Game(Rules(build(load_spec(spec), {}, 2)))
    state = list(g.rules.initial())
    state[g.rules.index["coins"]] = coins
    legal = g.rules.legal(tuple(state))
    assert [g.speaker.say_move(*m) for m in legal] == ["ann lays a--b", "ann rests"]
    choose = policies_of(g.rules).player("mine", random.Random(1))
    return Counter(g.speaker.say_move(*choose(tuple(state), legal)) for _ in range(4000))


@pytest.mark.parametrize(
    ("policy", "coins", "rests"),
    [
        ("    rest 3\n    lay 1\n", (2, 2), 3000),
        ("    rest 3\n", (2, 2), 3000),  # what no line speaks of has a line of weight 1
        ("    rest 0\n", (2, 2), 0),
        ("    lay 0\n", (2, 2), 4000),
        ("    lay 3 where coins[runner] > 1\n    lay 0\n", (2, 2), 1000),
        ("    lay 3 where coins[runner] > 1\n    lay 0\n", (1, 2), 4000),
        ("    rest 0\n    lay 0\n", (2, 2), 2000),  # all that is left
    ],
)
def test_moves_are_chosen_by_the_weights_of_their_lines(
    policy: str, coins: tuple[int, int], rests: int, tmp_path: Path
) -> None:
    assert chosen(policy, tmp_path, coins)["ann rests"] == pytest.approx(rests, abs=120 if 0 < rests < 4000 else 0)


@pytest.mark.parametrize(
    ("policy", "trouble"),
    [
        ("    fly 3\n", "there is no action fly"),
        ("    rest -1\n", "a weight is a number from 0"),
        ("    lay 1 where wings = 2\n", "wings"),
        ("    lay 1 where coins[runner]\n", "condition|yes/no"),
    ],
)
def test_faulty_policies(policy: str, trouble: str, tmp_path: Path) -> None:
    spec = tmp_path / "relay.brass"
    spec.write_text(f'{RELAY.read_text(encoding="utf-8")}\npolicy odd "odd":\n{policy}', encoding="utf-8")
    with pytest.raises(SpecError, match=trouble):
        build(load_spec(spec), {}, 2)


@pytest.mark.parametrize("name", ["miser", "uniform", "seeking"])
def test_names_are_given_once(name: str, tmp_path: Path) -> None:
    spec = tmp_path / "relay.brass"
    spec.write_text(f'{RELAY.read_text(encoding="utf-8")}\npolicy {name} "odd":\n    rest 1\n', encoding="utf-8")
    with pytest.raises(SpecError, match=f"there is already a policy {name}"):
        build(load_spec(spec), {}, 2)


def test_an_unknown_policy_names_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no bilder.*builder"):
        play("mini", 2, policy="bilder")


@pytest.mark.parametrize("policy", ["builder", "seller", "network", "hoarder", "seeking"])
def test_the_same_seed_plays_the_same(policy: str) -> None:
    g = game("mini", 2)
    one, again, other = (
        [taken for _, taken, _, _ in random_game(g, g.rules.initial(), random.Random(seed), policy)]
        for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_sellers_sell_more_than_others_do() -> None:
    def sold(policy: str) -> int:
        return play("lancashire-2007", 3, seed=1, games=3, policy=policy).taken["sell"]

    assert sold("seller") > 2 * sold("uniform")


# ---------------------------------------------------------------- without one requirement


def test_moves_that_one_requirement_alone_forbids(rules: Rules) -> None:
    relaxed, g = Relaxed(rules), Game(rules)
    lay = rules.action_names.index("lay")
    assert ("trail.price", lay) in relaxed.pairs
    state = rules.initial()
    legal = rules.legal(state)
    for name, said in (
        ("trail.price", ["ann lays a--d"]),
        ("trail.joined", ["ann lays b--c", "ann lays c--d"]),
        ("turn.order", ["bob lays a--b"]),
        ("trail.free", []),
    ):
        alone = [m for m in relaxed.moves(state, name, lay) if m not in legal]
        assert [g.speaker.say_move(*m) for m in alone] == said
        for move in alone:
            assert [f.requirement for f in rules.judge(state, *move).violated] == [name]


def test_a_requirement_that_later_ones_need_is_left_out_too() -> None:
    rules = game("lancashire-2007", 3).rules
    state = list(rules.initial())
    cells = {
        "stack": (0,) * len(rules.keys("stack")),  # nobody has a tile left
        "phase": rules.model.sorts["Phase"].members.index("actions"),
        "actions": 1,
        "hand": (1,) * len(rules.keys("hand")),
    }
    for name, value in cells.items():
        state[rules.index[name]] = value
    develop = rules.action_names.index("develop")
    alone = Relaxed(rules).moves(tuple(state), "develop.stack", develop)
    assert len(alone) == 24 * 5  # any card, any industry
    for move in alone:
        assert [f.requirement for f in rules.judge(tuple(state), *move).violated] == ["develop.stack"]
