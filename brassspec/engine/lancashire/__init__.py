"""The Lancashire games: Brass of 2007, its two-player variant, and Brass: Lancashire of 2018 with its introductory game."""

from brassspec.engine.lancashire.contents import RULES, game, offered

__all__ = ["RULES", "game", "offered"]
