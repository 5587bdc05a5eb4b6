"""Sparse covers of graphs, and of arms near the front (Auer et al. 2016)."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import pareto as reference
from references.judged_arms import POINTS
from references.pareto import success_condition_2

from pareto_core.geometry.covers import sparse_cover


def cover(edges):
    """Vertices of the cover of a whole graph."""
    kept = np.ones(len(edges), bool)
    sparse_cover(edges, kept)
    return np.flatnonzero(kept)


def graph(n, *edges):
    matrix = np.zeros((n, n), bool)
    for i, j in edges:
        matrix[i, j] = True
    return matrix


@pytest.mark.parametrize(
    ("edges", "kept"),
    [
        (graph(1), [0]),
        (graph(3), [0, 1, 2]),
        (graph(2, (1, 0)), [1]),
        (graph(2, (0, 1), (1, 0)), [0]),
        (graph(3, (0, 1), (1, 2)), [0, 2]),  # 2 is uncovered once 1 is removed
        (graph(3, (2, 1), (1, 0)), [0, 2]),
        (graph(3, (0, 1), (1, 2), (2, 0)), [2]),  # 0 is picked, then covered by 2
        (graph(4, (0, 1), (1, 2), (2, 3), (3, 0)), [0, 2]),
        # Without 1, vertex 2 is on no cycle and stays, also when 3 covers 0.
        (graph(3, (0, 1), (0, 2), (1, 0), (1, 2), (2, 1)), [0]),
        (graph(4, (0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (3, 0)), [2, 3]),
        (graph(4, (0, 1), (1, 0), (2, 3), (3, 2)), [0, 2]),
        (graph(3, (0, 1), (1, 2), (2, 1)), [0]),  # 0 is on no cycle, 1 is picked
        (graph(4, (0, 3), (1, 2), (2, 1)), [0, 1]),
        (~np.eye(6, dtype=bool), [0]),
        (np.triu(np.ones((5, 5), bool), 1), [0]),
        (np.tril(np.ones((5, 5), bool), -1), [4]),
    ],
)
def test_sparse_cover_of_known_graphs(edges, kept):
    assert cover(edges).tolist() == kept


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


@given(POINTS, st.data())
def test_sparse_cover_of_points_is_sparse_and_covers(means, data):
    distance = reference.excess(means)
    assert_sparse_and_covers(distance, data.draw(st.sampled_from(np.unique(distance))))


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


@pytest.mark.parametrize("density", [0.005, 0.02, 0.5, 1.0])
def test_sparse_cover_of_hundreds_of_vertices(density):
    rng = np.random.default_rng(7)
    lengths = np.where(rng.random((200, 200)) < density, 1.0, 1000.0)
    kept = assert_sparse_and_covers(shortest_paths(lengths), 1.0)
    assert (kept.size == 1) == (density == 1)


@given(POINTS, st.data())
def test_sparse_cover_of_arms_near_the_front_meets_success_condition_2(means, data):
    distance = reference.excess(means)
    radius = data.draw(st.sampled_from(np.unique(distance)))
    near = np.flatnonzero(reference.distances_to_front(means) <= 2 * radius)
    edges = (distance.T <= radius) & ~np.eye(len(means), dtype=bool)
    answer = near[cover(edges[np.ix_(near, near)])]
    assert success_condition_2(means, answer, 2 * radius, 0)  # despite rounding
