"""The mutants of a model: which there are, what they change, and that ids mean the same everywhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from brassspec.checker.mutants import KINDS, Mutant, mutants
from brassspec.checker.mutation import wary
from brassspec.grammar.parser import parse
from brassspec.rules.concrete import InternalError, Rules
from brassspec.rules.library import Spec, build, load_spec
from brassspec.rules.model import Model, Require

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def beacons() -> Spec:
    return load_spec(DATA / "beacons.brass")


@pytest.fixture(scope="module")
def model(beacons: Spec) -> Model:
    return build(beacons, {}, 2)


@pytest.fixture(scope="module")
def made(model: Model) -> dict[str, Mutant]:
    return {m.id: m for m in mutants(model)}


def with_lines(spec: Spec, text: str) -> Model:
    """The model of a spec with more declarations."""
    more, problems = parse(text, "more.brass")
    assert not problems
    return build(
        Spec(spec.name, spec.title, spec.players, [*spec.declarations, *more], spec.sources, cited=spec.cited), {}, 2
    )


def test_every_kind_is_made(made: dict[str, Mutant]) -> None:
    assert Counter(m.kind for m in made.values()).keys() == set(KINDS)
    # Four requirements and an exception that are left out; four that are turned round, one exception that always holds.
    assert {i for i in made if i.startswith(("drop:", "negate:", "always:"))} == {
        "drop:turn.order",
        "drop:rock.unlit",
        "drop:rock.near",
        "drop:rock.price",
        "drop:rock.gift",
        "negate:turn.order",
        "negate:rock.unlit",
        "negate:rock.near",
        "negate:rock.price",
        "always:rock.gift",
    }


def test_words_and_places_tell_what_is_changed(made: dict[str, Mutant]) -> None:
    told = {i: (m.words, m.line) for i, m in made.items()}
    assert told["drop:rock.price"] == ("the requirement is left out", 52)
    assert told["weaken:turn.order/1"] == ("`phase = act` is left out of `(phase = act and number(keeper) = turn)`", 39)
    assert told["off_by_one:rock.price"] == ("`<` for `<=` in `price(rock) <= coins[keeper]`", 52)
    assert told["off_by_one:coins"] == ("5 for 4 in `coins = 4`", 24)
    assert told["own_to_any:lit_by"] == ("`lit[r] = k` is always so", 35)
    assert told["nearest_to_any:rock.near"][0].endswith("is always so")
    assert told["swap:rock.gift"] == ("ebb for flood in `tide = flood`", 52)
    assert told["drop_effect:light.lights"] == ("the event lights is left out", 56)
    assert told["drop_effect:next.turn"] == ("turn is not changed", 43)
    assert told["swap_steps:fog_falls, fog_lifts"] == ("the step fog_lifts comes before fog_falls", 73)
    assert told["figure:price(b)"] == ("price(b) is 3, not 2", 11)
    assert {m.file for m in made.values()} == {"beacons.brass"}


def test_every_mutant_is_another_model_that_can_be_compiled(model: Model, made: dict[str, Mutant]) -> None:
    seen = {repr(model)}
    for m in made.values():
        changed = m.apply(model)
        assert repr(changed) not in seen, m.id
        seen.add(repr(changed))
        wary(changed)


def test_a_statement_is_changed_wherever_its_procedure_is_used(model: Model, made: dict[str, Mutant]) -> None:
    mutant = made["drop:turn.order"]
    assert mutant.within == {"light", "wait"}
    assert mutant.rules == {"turn.order"}
    changed = mutant.apply(model)
    for action in changed.actions.values():
        [order] = [n for n in action.nodes if isinstance(n, Require) and n.name == "turn.order"]
        assert order.cond.value is True  # type: ignore[union-attr]


def test_what_the_ruleset_never_comes_to_has_no_mutants(beacons: Spec, made: dict[str, Mutant]) -> None:
    assert "drop_effect:light.lost" not in made
    stormy = {m.id for m in mutants(with_lines(beacons, "replace define storms: true\n"))}
    assert stormy - made.keys() == {"drop_effect:light.lost", "off_by_one:light.lost"}


def test_definitions_that_only_invariants_use_have_no_mutants(beacons: Spec, made: dict[str, Mutant]) -> None:
    text = "define rich(k: Keeper) = coins[k] > 8\ninvariant few.rich: no k in Keeper: rich(k)\n"
    assert {m.id for m in mutants(with_lines(beacons, text))} == made.keys()


def test_what_a_loop_runs_through_is_no_figure(beacons: Spec, made: dict[str, Mutant]) -> None:
    text = "also next:\n    for each i in 1..2:\n        lost := min(3, lost + i)\n"
    extra = {m.id: m.words for m in mutants(with_lines(beacons, text)) if m.id not in made}
    assert extra == {
        "off_by_one:next.lost": "4 for 3 in `min(3, lost + 1)` (and its like)",
        "drop_effect:next.lost": "lost is not changed",
    }


def test_ids_are_the_same_for_every_number_of_players() -> None:
    spec = load_spec(DATA / "relay.brass")
    two, three = ({m.id for m in mutants(build(spec, {}, n))} for n in (2, 3))
    # The price of a third runner's trail speaks of a third runner in any case.
    assert two == three


def test_a_mutant_may_break_its_own_promises(model: Model) -> None:
    """What leaves a declared bound is undefined, where the rules as they are need no test."""
    [lit] = [m for m in mutants(model) if m.id == "off_by_one:light.coins"]
    rules = wary(lit.apply(model))
    state = rules.defaults({"coins": (1, 1)})
    lights = rules.action_names.index("light")
    assert rules.step(state, lights, (0, 0)).state[rules.index["coins"]] == (1, 1)  # type: ignore[index]
    [turn] = [m for m in mutants(model) if m.id == "off_by_one:next.turn"]
    with pytest.raises(InternalError):
        wary(turn.apply(model)).step(state, lights, (0, 0))
    assert Rules(model).step(state, lights, (0, 0)).state[rules.index["turn"]] == 2  # type: ignore[index]
