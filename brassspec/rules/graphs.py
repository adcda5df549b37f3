"""Graph queries of the concrete meaning: networkx answers them, a memory by the set of present edges keeps the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MEMORY = 50_000  # edge sets remembered, per graph; then the memory starts anew


class Distances:
    """Distances within one set of edges: `view[a][b]`, counted in edges; `far` where there is no path."""

    __slots__ = ("_edges", "_graph", "_rows", "far", "n")

    def __init__(self, n: int, edges: tuple[frozenset[int], ...]) -> None:
        self.n = n
        self.far = n
        self._edges = edges
        self._graph: Any = None
        self._rows: list[tuple[int, ...] | None] = [None] * n

    def __getitem__(self, a: int) -> tuple[int, ...]:
        row = self._rows[a]
        return row if row is not None else self._search(a)

    def _search(self, a: int) -> tuple[int, ...]:
        if self._graph is None:
            import networkx as nx  # only on a miss: starting up stays fast

            self._graph = nx.Graph()
            self._graph.add_nodes_from(range(self.n))
            for ends in self._edges:
                nodes = sorted(ends)
                self._graph.add_edges_from((u, v) for i, u in enumerate(nodes) for v in nodes[i + 1 :])
        import networkx as nx

        lengths = nx.single_source_shortest_path_length(self._graph, a)
        row = tuple(lengths.get(b, self.far) for b in range(self.n))
        self._rows[a] = row
        return row


class GraphMemory:
    """Distances by the values of the state variables the graph reads; equal sets of edges share one answer."""

    def __init__(self, n: int, ends: tuple[frozenset[int], ...], present: Callable[..., tuple[bool, ...]]) -> None:
        self._n = n
        self._ends = ends
        self._present = present
        self._by_state: dict[tuple[Any, ...], Distances] = {}
        self._by_edges: dict[int, Distances] = {}

    def __call__(self, *state: Any) -> Distances:
        found = self._by_state.get(state)
        if found is not None:
            return found
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
        if len(self._by_state) > MEMORY:
            self._by_state.clear()
        self._by_state[state] = view
        return view
