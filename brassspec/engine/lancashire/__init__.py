"""The Lancashire games: Brass of 2007, its two-player variant, and Brass: Lancashire of 2018 with its introductory game."""

from brassspec.engine.lancashire.contents import RULES, game
from brassspec.engine.lancashire.tables import QUESTIONS

__all__ = ["QUESTIONS", "RULES", "game"]
