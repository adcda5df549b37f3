"""Developing, and Gloucester's bonus."""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.engine import develop
from brassspec.engine.birmingham.state import State
from brassspec.engine.cards import continued
from brassspec.engine.verdict import Verdict
from brassspec.formats import Move


def check_develop(state: State, move: Move, verdict: Verdict) -> None:
    """pl "ROZWÓJ", sheet gloucester_bonus: the lowest tile of an industry, unless it shows a lightbulb."""
    player, industry = move["player"], move["industry"]
    if move["action"] == "bonus_develop" and state.pending != "bonus":
        verdict.violate("bonus.due", "no beer of Gloucester was just used")
    develop.check_develop(state, move, verdict)
    level = state.top(player, industry)
    if level is None:
        verdict.skip("develop.lightbulb")
    elif state.game.tiles[industry, level].lightbulb:
        verdict.violate("develop.lightbulb", f"{industry} of level {level} shows a lightbulb")


def bonus_moves(state: State) -> Iterator[Move]:
    """Every tile Gloucester may develop: by industries."""
    tiles = develop.developable(state, state.acting)
    return continued(state, "bonus_develop", ({"industry": industry} for industry in tiles))
