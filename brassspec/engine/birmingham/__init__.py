"""Brass: Birmingham of 2018, its introductory game, and the same rules over a small board."""

from brassspec.engine.birmingham.contents import RULES, game, offered

__all__ = ["RULES", "game", "offered"]
