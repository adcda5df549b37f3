"""What a spec means: names and types, the rule model, editions and rulings, the concrete meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brassspec.rules.model import Model


def load_model(ruleset: str, players: int) -> Model:
    """The model of a ruleset that ships, such as `lancashire-2007+overbuild_exhausted=either`, for a number of players.

    Raises InputError where there is no such ruleset, reading or number of players.
    """
    from brassspec.rules import library  # the grammar is only loaded where a spec is read

    return library.load_model(ruleset, players)
