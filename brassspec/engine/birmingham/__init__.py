"""Brass: Birmingham of 2018, its introductory game, and the same rules over a small board."""

from brassspec.engine.birmingham.contents import RULES

__all__ = ["RULES"]
