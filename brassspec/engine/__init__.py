"""The hand-written reference engines of Brass: the Lancashire games and Birmingham, behind one door."""

from brassspec.engine.engine import Engine

__all__ = ["Engine"]
