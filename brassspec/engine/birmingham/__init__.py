"""Brass: Birmingham of 2018, its introductory game, and the same rules over a small board."""

from brassspec.engine.birmingham.contents import RULES, game
from brassspec.engine.birmingham.tables import QUESTIONS

__all__ = ["QUESTIONS", "RULES", "game"]
