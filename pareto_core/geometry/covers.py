"""Sparse covers of graphs (Auer et al. 2016, Algorithm 3), with the lowest index where it picks.

``edges[i, j]`` is whether vertex i covers vertex j; False on the diagonal. If the edges are the
pairs with M(j, i) <= epsilon_0 / 2, every removed vertex is within epsilon_0 of a kept one
(Lemma 21). One pass breaks all cycles, because a removal creates none.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel


@kernel
def sparse_cover(edges, kept):
    """Reduce ``kept``, the vertices of the graph, to the vertices of its cover. O(n^3)."""
    _break_cycles(edges, kept)
    source = _next_source(edges, kept)
    while source >= 0:
        for j in range(edges.shape[0]):
            if edges[source, j]:
                kept[j] = False
        source = _next_source(edges, kept)


@kernel
def _break_cycles(edges, kept):
    """Step 1: for every vertex on a cycle, remove the successors that are on a cycle."""
    n = edges.shape[0]
    unsettled = kept.copy()
    stack, reached = np.empty(n, np.int64), np.empty(n, np.bool_)
    for i in range(n):
        if unsettled[i] and _on_cycle(edges, unsettled, i, stack, reached):
            for j in range(n):
                if edges[i, j] and unsettled[j]:
                    kept[j] = not _on_cycle(edges, unsettled, j, stack, reached)
                    unsettled[j] = False
        unsettled[i] = False


@kernel
def _on_cycle(edges, vertices, start, stack, reached):
    """Whether ``start`` is on a cycle within ``vertices``. O(n^2)."""
    reached[:] = False
    stack[0] = start
    size = 1
    while size > 0:
        size -= 1
        i = stack[size]
        if edges[i, start]:
            return True
        for j in range(edges.shape[0]):
            if edges[i, j] and vertices[j] and not reached[j]:
                reached[j] = True
                stack[size] = j
                size += 1
    return False


@kernel
def _next_source(edges, kept):
    """First vertex with successors and without predecessors; -1 if no vertex qualifies."""
    n = edges.shape[0]
    for i in range(n):
        has_successor = has_predecessor = False
        for j in range(n):
            has_successor |= kept[j] and edges[i, j]
            has_predecessor |= kept[j] and edges[j, i]
        if kept[i] and has_successor and not has_predecessor:
            return i
    return -1
