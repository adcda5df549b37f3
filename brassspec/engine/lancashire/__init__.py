"""Brass of 2007 for three and four players."""

from brassspec.engine.lancashire.contents import RULES, as_read

__all__ = ["RULES", "as_read"]
