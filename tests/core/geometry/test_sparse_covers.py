"""Sparse covers of graphs (Auer et al. 2016)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from references import pareto as reference

from pareto_core.geometry.covers import sparse_cover


def random_graph(n, degree, seed):
    """Graph of n vertices with ``degree`` successors each, on average."""
    edges = np.random.default_rng(seed).random((n, n)) < degree / n
    return edges & ~np.eye(n, dtype=bool)


GRAPHS = st.one_of(
    st.builds(random_graph, st.integers(1, 12), st.floats(0.5, 3), st.integers(0, 2**32)),
    st.builds(random_graph, st.integers(1, 12), st.floats(0, 12), st.integers(0, 2**32)),
)


@given(GRAPHS, st.one_of(st.just(2**12 - 1), st.integers(0, 2**12 - 1)))
def test_sparse_cover_of_a_subset_is_algorithm_3_with_the_lowest_index_first(edges, subset):
    kept = (subset >> np.arange(len(edges))) % 2 == 1
    vertices, before = np.flatnonzero(kept), edges.copy()
    sparse_cover(edges, kept)
    np.testing.assert_array_equal(edges, before)
    expected = reference.sparse_cover(edges[np.ix_(vertices, vertices)]) if vertices.size else []
    assert np.flatnonzero(kept).tolist() == vertices[expected].tolist()
