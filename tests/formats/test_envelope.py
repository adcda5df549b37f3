"""Canonical JSON, digests and the result envelope."""

from __future__ import annotations

import itertools
import json

import jsonschema
import pytest

from brassspec.formats import InputError
from brassspec.formats.canonical import canonical, digest
from brassspec.formats.envelope import Exit, Result, Verdict, worst
from brassspec.formats.schemas import NAMES, schema


def test_canonical_json() -> None:
    # The last two keys in the order of UTF-16, as RFC 8785 asks.
    data = {"b": [True, None, 1.0], "a": "\u20ac\n", "\ufb33": 1, "\U0001f600": 2}
    assert canonical(data) == '{"a":"€\\n","b":[true,null,1],"\U0001f600":2,"\ufb33":1}'.encode()
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize("data", [float("nan"), 2**60, "\ud800", {1: 2}])
def test_no_canonical_json(data: object) -> None:
    with pytest.raises(InputError):
        canonical(data)


def test_every_verdict_has_an_exit_code() -> None:
    assert {v.exit_code for v in Verdict} == set(Exit)
    assert Verdict.UNKNOWN.exit_code != 0
    assert Verdict.VACUOUS.exit_code == 2


def test_the_worst_of_a_batch() -> None:
    ranked = [Verdict.INTERNAL_ERROR, Verdict.INPUT_ERROR, Verdict.FAILED, Verdict.UNKNOWN, Verdict.OK]
    assert [v.exit_code for v in ranked] == [3, 2, 1, 4, 0]
    for a, b in itertools.combinations(range(5), 2):
        assert worst([ranked[a], ranked[b]]) is worst([ranked[b], ranked[a]]) is ranked[a]
    assert worst([]) is Verdict.VACUOUS


def test_results_match_their_schema() -> None:
    result = Result("moves", Verdict.OK, "lancashire-2007", findings=({"kind": "move"},), seconds=1.23456)
    data = json.loads(result.json())
    validator = jsonschema.Draft202012Validator(schema("result"))
    validator.validate(data)
    assert data["cost"]["seconds"] == 1.235
    assert set(data) == set(schema("result")["required"])
    assert set(schema("result")["properties"]["verdict"]["enum"]) == {str(v) for v in Verdict}
    assert not validator.is_valid({**data, "verdict": "fine"})
    assert not validator.is_valid({**data, "more": 1})


def test_schemas_are_schemas() -> None:
    for name in NAMES:
        jsonschema.Draft202012Validator.check_schema(schema(name))
    with pytest.raises(KeyError):
        schema("../secret")
