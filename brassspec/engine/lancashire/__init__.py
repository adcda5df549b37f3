"""Brass of 2007 and its two-player variant."""

from brassspec.engine.lancashire.contents import RULES, as_read

__all__ = ["RULES", "as_read"]
