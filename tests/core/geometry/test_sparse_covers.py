"""Sparse covers of graphs (Auer et al. 2016)."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import pareto as reference

from pareto_core.geometry.covers import sparse_cover


def cover(edges):
    """Vertices of the cover of a whole graph."""
    kept = np.ones(len(edges), bool)
    sparse_cover(edges, kept)
    return np.flatnonzero(kept)


def random_graph(n, degree, seed):
    """Graph of n vertices with ``degree`` successors each, on average."""
    edges = np.random.default_rng(seed).random((n, n)) < degree / n
    return edges & ~np.eye(n, dtype=bool)


GRAPHS = st.one_of(
    st.builds(random_graph, st.integers(1, 12), st.floats(0.5, 3), st.integers(0, 2**32)),
    st.builds(random_graph, st.integers(1, 12), st.floats(0, 12), st.integers(0, 2**32)),
)


@given(GRAPHS)
def test_sparse_cover_is_algorithm_3_with_the_lowest_index_first(edges):
    before = edges.copy()
    assert cover(edges).tolist() == reference.sparse_cover(edges)
    np.testing.assert_array_equal(edges, before)


@given(GRAPHS, st.integers(0, 2**12 - 1))
def test_sparse_cover_of_a_subset_ignores_other_vertices(edges, subset):
    kept = (subset >> np.arange(len(edges))) % 2 == 1
    vertices = np.flatnonzero(kept)
    sparse_cover(edges, kept)
    expected = reference.sparse_cover(edges[np.ix_(vertices, vertices)]) if vertices.size else []
    assert np.flatnonzero(kept).tolist() == vertices[expected].tolist()


def assert_sparse_and_covers(distance, radius):
    """Both properties of Section 7.1, for the edges i -> j with M(j, i) <= ``radius``."""
    edges = (distance.T <= radius) & ~np.eye(len(distance), dtype=bool)
    kept = cover(edges)
    for i, j in itertools.permutations(kept, 2):
        assert distance[i, j] > radius  # (2.c)
    for j in range(len(distance)):
        assert min(distance[j, i] for i in kept) <= 2 * radius  # (2.a)
    if radius >= distance.max():
        assert kept.tolist() == [0]
    return kept


def shortest_paths(lengths):
    """An asymmetric distance that satisfies the triangle inequality (Floyd-Warshall)."""
    distance = lengths.copy()
    np.fill_diagonal(distance, 0)
    for k in range(len(distance)):
        distance = np.minimum(distance, distance[:, [k]] + distance[[k]])
    return distance


LENGTHS = st.integers(1, 12).flatmap(
    lambda n: arrays(float, (n, n), elements=st.one_of(st.integers(0, 9), st.just(1000)))
)


@given(LENGTHS.map(shortest_paths), st.integers(0, 20))
def test_sparse_cover_of_any_asymmetric_distance_is_sparse_and_covers(distance, radius):
    assert_sparse_and_covers(distance, radius)
