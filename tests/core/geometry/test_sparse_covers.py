"""Sparse covers of graphs, and of arms near the front (Auer et al. 2016)."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import pareto as reference
from references.judged_arms import POINTS, judged
from references.pareto import success_condition_2

from pareto_core import pareto_set
from pareto_core.geometry.covers import _sparse_cover, sparse_cover

ALL_MASKS = np.array(list(itertools.product([False, True], repeat=5)))


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
    assert sparse_cover(edges).tolist() == kept
    assert sparse_cover(edges.tolist()).tolist() == kept


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
    assert sparse_cover(edges).tolist() == reference.sparse_cover(edges)


@given(GRAPHS)
def test_sparse_cover_of_a_graph_is_within_two_edges_of_every_vertex(edges):
    before = edges.copy()
    kept = sparse_cover(edges)
    np.testing.assert_array_equal(edges, before)
    assert not edges[np.ix_(kept, kept)].any()
    near = np.eye(len(edges), dtype=bool) | edges | (edges.astype(int) @ edges > 0)
    assert near[kept].any(axis=0).all()


@given(GRAPHS, st.integers(0, 2**12 - 1))
def test_sparse_cover_of_a_subset_ignores_other_vertices(edges, subset):
    kept = (subset >> np.arange(len(edges))) % 2 == 1
    vertices = np.flatnonzero(kept)
    _sparse_cover(edges, kept)
    expected = reference.sparse_cover(edges[np.ix_(vertices, vertices)]) if vertices.size else []
    assert np.flatnonzero(kept).tolist() == vertices[expected].tolist()


def assert_sparse_and_covers(distance, radius):
    """Both properties of Section 7.1, for the edges i -> j with M(j, i) <= ``radius``."""
    edges = (distance.T <= radius) & ~np.eye(len(distance), dtype=bool)
    kept = sparse_cover(edges)
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
    answer = near[sparse_cover(edges[np.ix_(near, near)])]
    assert success_condition_2(means, answer, 2 * radius, 0)  # despite rounding


@pytest.mark.slow
@given(judged(), st.sampled_from([0, 0.25, 0.49]))
def test_sparse_cover_is_near_the_front_unless_the_tolerance_is_half_of_epsilon(case, share):
    # If i is more than epsilon below an optimal arm, it is nowhere ahead of that arm's cover.
    means, masks, epsilon = case
    distance = reference.excess(means)
    optimal = pareto_set(means)
    for answer in map(np.flatnonzero, masks):
        pairs = distance[np.ix_(answer, answer)] + np.diag(np.full(len(answer), np.inf))
        covers = (distance[np.ix_(optimal, answer)].min(axis=1, initial=np.inf) <= epsilon).all()
        sparse = pairs.min(initial=np.inf) >= epsilon / 2 - share * epsilon
        if covers and sparse and epsilon > 0:
            assert success_condition_2(means, answer, epsilon, share * epsilon)


def test_no_cover_is_sparser_than_half_of_epsilon():
    # Example 2 and Table 1: with epsilon / 2 < alpha < beta, every cover of the five optimal
    # arms within epsilon contains two arms that are closer than beta.
    epsilon, alpha, beta = 1.0, 0.625, 0.75
    row = np.array([1, 1, 1, 1 - alpha, 1 - 2 * alpha])
    means = np.array([np.roll(row, -i) for i in range(5)])
    distance = reference.excess(means)
    successor = np.roll(np.eye(5, dtype=bool), 1, axis=1)
    np.testing.assert_array_equal(distance[successor], np.full(5, alpha))
    np.testing.assert_array_equal(distance[~successor & ~np.eye(5, dtype=bool)], 2 * alpha)
    assert pareto_set(means).size == 5
    covers = []
    for arms in map(np.flatnonzero, ALL_MASKS):
        is_cover = success_condition_2(means, arms, epsilon, epsilon / 2)  # (2.c) is vacuous
        assert success_condition_2(means, arms, epsilon, 0) == is_cover
        covers += [arms] if is_cover else []
    assert {len(arms) for arms in covers} == {3, 4, 5}
    for arms in covers:
        assert min(distance[i, j] for i, j in itertools.permutations(arms, 2)) == alpha < beta


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (np.zeros((2, 3), bool), r"edges has shape \(2, 3\) and type bool; expected \(n, n\)"),
        (np.zeros((0, 0), bool), r"edges has shape \(0, 0\)"),
        (np.zeros(4, bool), r"edges has shape \(4,\)"),
        (True, r"edges has shape \(\)"),
        ([[0, 1], [1, 0]], r"edges has shape \(2, 2\) and type int"),
        ([[False], [True, False]], r"edges = \[\[False\], \[True, False\]\]; expected"),
        (None, r"edges has shape \(\) and type object"),
        (np.diag([False, False, True]), r"edges\[2, 2\] = True; expected no edge"),
    ],
)
def test_edges_must_be_a_square_boolean_array_without_loops(edges, message):
    with pytest.raises(ValueError, match="^" + message):
        sparse_cover(edges)
