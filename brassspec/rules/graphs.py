"""Graph queries of the concrete meaning: networkx answers them, a memory by the set of present edges keeps the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MEMORY = 50_000  # edge sets remembered, per graph; then the memory starts anew


class Distances(dict[int, tuple[int, ...]]):
    """Distances within one set of edges: `view[a][b]`, counted in edges; `n`, the number of nodes, where there is no path.

    A dictionary, so that Python finds by itself what is known.
    """

    def __init__(self, n: int, edges: tuple[frozenset[int], ...]) -> None:
        self.n = n
        self._edges = edges
        self._graph: Any = None

    def __missing__(self, a: int) -> tuple[int, ...]:
        import networkx as nx  # only on a miss: starting up stays fast

        if self._graph is None:
            self._graph = nx.Graph()
            self._graph.add_nodes_from(range(self.n))
            for ends in self._edges:
                nodes = sorted(ends)
                self._graph.add_edges_from((u, v) for i, u in enumerate(nodes) for v in nodes[i + 1 :])
        lengths = nx.single_source_shortest_path_length(self._graph, a)
        row = self[a] = tuple([lengths.get(b, self.n) for b in range(self.n)])
        return row


class GraphMemory(dict[tuple[Any, ...], Distances]):
    """Distances by the values of the state variables the graph reads; equal sets of edges share one answer."""

    def __init__(self, n: int, ends: tuple[frozenset[int], ...], present: Callable[..., tuple[bool, ...]]) -> None:
        self._n = n
        self._ends = ends
        self._present = present
        self._by_edges: dict[int, Distances] = {}

    def __missing__(self, state: tuple[Any, ...]) -> Distances:
        mask = 0
        edges = []
        for i, there in enumerate(self._present(*state)):
            if there:
                mask |= 1 << i
                edges.append(self._ends[i])
        view = self._by_edges.get(mask)
        if view is None:
            if len(self._by_edges) > MEMORY:
                self._by_edges.clear()
            view = self._by_edges[mask] = Distances(self._n, tuple(edges))
        if len(self) > MEMORY:
            self.clear()
        self[state] = view
        return view
