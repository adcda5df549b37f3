"""What games give matches the schemas, and what is wrong does not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import jsonschema

from brassspec.formats.documents import write_position
from brassspec.formats.schemas import schema
from brassspec.rules.api import game
from brassspec.rules.games import play, random_game
from brassspec.rules.schema import chance_schema, event_schema, move_schema, position_schema

Validator = jsonschema.Draft202012Validator


def test_games_match_their_schemas() -> None:
    g = game("lancashire-2007", 3)
    positions, moves, chances, events, parts = (
        Validator(s)
        for s in (
            position_schema(g.model),
            move_schema(g.model),
            chance_schema(g.model),
            event_schema(g.model),
            move_schema(g.model, partial=True),
        )
    )
    for v in (positions, moves, chances, events, parts):
        Validator.check_schema(v.schema)
    state = g.rules.initial()
    for i, (kind, taken, after, _) in enumerate(random_game(g, state, random.Random(3), "builder")):
        if kind == "action":
            move = g.codec.move(*taken)
            moves.validate(move)
            assert not moves.is_valid({**move, "more": 1})
            assert not moves.is_valid({k: v for k, v in move.items() if k != "player"})
            parts.validate({k: v for k, v in move.items() if k != "player"})
            if i % 3 == 0:
                for event in g.judge(state, taken).events:
                    events.validate(event)
        else:
            chances.validate(g.codec.chance(*taken))
        if i % 9 == 0:
            document = write_position(g.codec.position(after))
            positions.validate(document)
            Validator(schema("position")).validate(document)
            assert g.codec.state(g.codec.position(after)) == after
        state = after
    good = write_position(g.codec.position(state))
    for wrong in (
        {"era": "steam"},
        {"money": {"yellow": -1}},
        {"tile": {"bury.9": None}},
        {"hand": {"red": ["x"]}},
        {"x": 1},
    ):
        assert not positions.is_valid({**good, "state": {**good["state"], **wrong}})
    assert positions.is_valid({**good, "state": {}})


def test_logs_match_their_schema(tmp_path: Path) -> None:
    play("lancashire-2007", 3, log=tmp_path / "log")
    validator = Validator(schema("log"))
    for line in (tmp_path / "log").read_text().splitlines():
        validator.validate(json.loads(line))
    assert not validator.is_valid({"n": 1, "digest": "0" * 64})
