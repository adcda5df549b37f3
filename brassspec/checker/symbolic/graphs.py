"""Reachability and distance in a graph of which edges are known or symbolic.

`within[k][v]`: node v is at most k edges from the source. Each layer follows from the one before, so it takes no
fixpoint and no constants of its own, unit propagation alone decides it, and known parts fold away. (Labels by one
bounded number a node, constrained by their neighbours, make a smaller formula, but search even where all is known.)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from brassspec.checker.symbolic.numbers import Number, Numbers
from brassspec.checker.symbolic.terms import Bit, Terms

Edge = tuple[Bit, Sequence[int]]  # whether it is there, and the nodes of which any two it makes neighbours


class Paths:
    """The ways from one source; `start` says of each node whether it is the source."""

    def __init__(self, terms: Terms, numbers: Numbers, edges: Sequence[Edge], start: Sequence[Bit]) -> None:
        self._terms = terms
        self._numbers = numbers
        self.size = len(start)
        self.within = self._layers(edges, list(start))
        self._distances: dict[int, Number] = {}

    def _layers(self, edges: Sequence[Edge], start: list[Bit]) -> list[list[Bit]]:
        near: list[list[tuple[Bit, int]]] = [[] for _ in start]
        for there, ends in edges:
            if there is not False:
                for u, v in permutations(ends, 2):
                    near[v].append((there, u))
        and_, or_ = self._terms.and_, self._terms.or_
        layers = [start]
        for _ in range(len(start) - 1):
            last = layers[-1]
            layer = [
                or_((reached, *(and_((there, last[u])) for there, u in near[v] if last[u] is not False)))
                if reached is not True
                else True
                for v, reached in enumerate(last)
            ]
            if all(x is y for x, y in zip(layer, last, strict=True)):
                break
            layers.append(layer)
        return layers

    def connected(self, node: int) -> Bit:
        return self.within[-1][node]

    def distance(self, node: int) -> Number:
        """The least number of edges; the number of nodes where there is no path."""
        if node not in self._distances:
            self._distances[node] = self._least(node, 0, len(self.within))
        return self._distances[node]

    def _least(self, node: int, lo: int, hi: int) -> Number:
        """The distance, which is at least `lo`, and at most `hi` unless there is no path from there on."""
        if lo == hi:
            return self.size if hi == len(self.within) else hi
        middle = (lo + hi) // 2
        near = self.within[middle][node]
        if near is True:
            return self._least(node, lo, middle)
        if near is False:
            return self._least(node, middle + 1, hi)
        return self._numbers.ite(near, self._least(node, lo, middle), self._least(node, middle + 1, hi))
