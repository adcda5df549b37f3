"""brassspec: the rules of Brass as a declarative, executable, provable rulebook."""

__version__ = "0.1.0"
