"""The hand-written reference engine of Brass (2007)."""

from brassspec.engine.engine import Engine

__all__ = ["Engine"]
