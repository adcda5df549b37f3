"""The ruleset `mini`: a small board with the rules of 2007, so that the whole game tree can be enumerated."""

from __future__ import annotations

from dataclasses import replace

from brassspec.engine import lancashire
from brassspec.engine import tables as printed
from brassspec.engine.lancashire.tables import FULL

MINI = replace(FULL, players=FULL.players[:2], **printed.fields(printed.read_sheet(__file__, "mini.toml")))

RULES = replace(lancashire.RULES, editions={"mini": {2: MINI}})
