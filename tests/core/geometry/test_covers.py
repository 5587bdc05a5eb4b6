"""The success conditions of Auer et al. (2016), and sparse covers of graphs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import pareto as reference

from pareto_core import pareto_set
from pareto_core.geometry.covers import (
    _sparse_cover,
    estimation_distance,
    f1_score,
    sparse_cover,
    success_condition_1,
    success_condition_2,
)

# Three optimal arms A, B and C; D is 0.5 below C, and E is 4 below C.
A, B, C, D, E = range(5)
MEANS = np.array([[0.0, 8.0], [1.0, 7.0], [8.0, 0.0], [7.5, -0.5], [4.0, -4.0]])
ALL_MASKS = np.array(list(itertools.product([False, True], repeat=5)))

SHAPES = st.tuples(st.integers(2, 8), st.integers(1, 4))
TIED = SHAPES.flatmap(lambda shape: arrays(float, shape, elements=st.integers(-3, 3)))
DECIMAL = TIED.map(lambda means: means / 10)
CONTINUOUS = SHAPES.flatmap(lambda shape: arrays(float, shape, elements=st.floats(-10, 10)))
POINTS = st.one_of(TIED, DECIMAL, CONTINUOUS)


@st.composite
def judged(draw):
    """(means, 20 masks, a precision that equals some distances)."""
    means = draw(POINTS)
    masks = draw(arrays(bool, (20, len(means))))
    distances = np.append(reference.excess(means), reference.distances_to_front(means))
    return means, masks, draw(st.sampled_from(np.unique(distances)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "distance"),
    [
        ([A, B, C], 0),
        ([A, C], 1),  # B is 1 ahead of A
        ([C, B], 1),  # A is 1 ahead of B
        ([A], 8),  # C is 8 ahead of A
        ([A, B, D], 0.5),  # C is 0.5 ahead of D, D is 0.5 below
        ([D], 8.5),  # A is 8.5 ahead of D, D is only 7.5 ahead of A
        ([A, B, C, D], 0.5),
        ([A, B, C, E], 4),
        ([], np.inf),
        ([A, A, B, C, C], 0),  # a set
    ],
)
def test_estimation_distance_of_known_answers(answer, distance):
    assert estimation_distance(MEANS, answer) == distance


@pytest.mark.slow
@given(judged())
def test_estimation_distance_equals_the_formula(case):
    means, masks, _ = case
    expected = [reference.estimation_distance(means, np.flatnonzero(mask)) for mask in masks]
    np.testing.assert_array_equal(estimation_distance(means, masks), expected)


@pytest.mark.parametrize(
    ("answer", "epsilon", "success"),
    [
        ([A, B, C], 2, True),
        ([A, B, C], 0, True),
        ([A, B, C, D], 0.5, True),
        ([A, B, C, D], 0.49, False),  # (1.b)
        ([A, B, C, E], 2, False),  # (1.b)
        ([A, C], 2, False),  # (1.a)
        ([A, C, D, E], 4, False),  # (1.a)
        ([A, B, C, D, E], 4, True),
        ([], 100, False),
    ],
)
def test_success_condition_1_of_known_answers(answer, epsilon, success):
    assert success_condition_1(MEANS, answer, epsilon) is success


@pytest.mark.parametrize(
    ("answer", "epsilon", "tolerance", "success"),
    [
        ([A, C], 2, 0, True),
        ([A, C], 0.99, 0, False),  # (2.a): B is 1 ahead of A
        ([A, C], 1, 0, True),
        ([A], 2, 0, False),  # (2.a)
        ([], 100, 0, False),  # (2.a)
        ([A, B, C], 2, 0, True),  # A and B are 1 apart
        ([A, B, C], 2.5, 0, False),  # (2.c)
        ([A, B, C], 2.5, 0.25, True),
        ([A, B, C], 2.5, 0.24, False),  # (2.c)
        ([A, B, C, D], 2, 0, False),  # (2.c): D is 0.5 behind C, and nowhere ahead
        ([A, B, C, D], 2, 1, True),
        ([A, B, C, E], 2, 1, False),  # (2.b)
        ([A, B, C, E], 4, 2, True),
        ([A, C, E], 4, 2, True),
        ([A, C, E], 4, 1.9, False),  # (2.c): E is nowhere ahead of C, although far behind
        ([A, D], 1, 0, True),
        ([A, D], 0.99, 0, False),  # (2.a): B
    ],
)
def test_success_condition_2_of_known_answers(answer, epsilon, tolerance, success):
    assert success_condition_2(MEANS, answer, epsilon, tolerance) is success


@pytest.mark.slow
@given(judged())
def test_success_condition_1_is_as_defined(case):
    means, masks, epsilon = case
    masks[0] = True
    masks[1] = reference.distances_to_front(means) <= epsilon
    answers = [np.flatnonzero(mask) for mask in masks]
    expected = [reference.success_condition_1(means, answer, epsilon) for answer in answers]
    np.testing.assert_array_equal(success_condition_1(means, masks, epsilon), expected)


@pytest.mark.slow
@given(judged(), st.sampled_from([1, 2]), st.sampled_from([0, 0.1, 0.5, 0.75]))
def test_success_condition_2_is_as_defined(case, factor, share):
    means, masks, distance = case
    epsilon = factor * distance
    arguments = epsilon, share * epsilon
    answers = [np.flatnonzero(mask) for mask in masks]
    expected = [reference.success_condition_2(means, answer, *arguments) for answer in answers]
    np.testing.assert_array_equal(success_condition_2(means, masks, *arguments), expected)


@pytest.mark.parametrize(
    ("answer", "epsilon", "score"),
    [
        ([A, B, C], 0.0, 1.0),
        ([A, B, D], 0.0, 4 / 6),  # D is below the front, C is missed
        ([A, B, D], 0.5, 6 / 7),  # D is close enough; C is 0.71 from it
        ([A, B, D], 0.8, 1.0),
        ([A, C], 0.5, 4 / 5),  # B is missed
        ([A, C], 1.0, 1.0),  # B is 1 ahead of A
        ([A, B, C, E], 3.9, 6 / 7),
        ([E], 1.0, 0.0),
        ([], 9.0, 0.0),
    ],
)
def test_f1_score_of_known_answers(answer, epsilon, score):
    assert f1_score(MEANS, answer, epsilon) == pytest.approx(score)


@pytest.mark.slow
@given(judged(), st.sampled_from([0.0517, 0.733, 2.17]))
def test_f1_score_is_as_defined(case, epsilon):
    means, masks, _ = case
    expected = [reference.f1_score(means, np.flatnonzero(mask), epsilon) for mask in masks]
    np.testing.assert_allclose(f1_score(means, masks, epsilon), expected)


@given(judged(), st.sampled_from([0.0517, 0.733, 2.17]))
def test_the_optimal_arms_and_arms_close_to_the_front_score_1(case, epsilon):
    means, masks, _ = case
    accurate = success_condition_1(means, masks, epsilon)
    assert (f1_score(means, masks, epsilon)[accurate] == 1).all()


JUDGES = {
    "estimation_distance": estimation_distance,
    "f1_score": lambda means, answer: f1_score(means, answer, 2.0),
    "success_condition_1": lambda means, answer: success_condition_1(means, answer, 2.0),
    "success_condition_2": lambda means, answer: success_condition_2(means, answer, 2.0, 0.5),
}


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
def test_the_form_of_an_answer_does_not_matter(judge):
    together = judge(MEANS, ALL_MASKS)
    assert together.shape == (32,)
    for mask, verdict in zip(ALL_MASKS, together, strict=True):
        indices = np.flatnonzero(mask)
        forms = [mask, mask.tolist(), indices, indices[::-1].tolist(), indices.astype(np.uint8)]
        verdicts = [judge(MEANS.tolist(), form) for form in forms]
        assert verdicts == [verdict] * 5
        assert {type(v) for v in verdicts} <= {bool, float}
        np.testing.assert_array_equal(judge(MEANS, mask[None]), [verdict])
    assert judge(MEANS, np.empty((0, 5), bool)).shape == (0,)


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0, 5], r"answer\[1\] = 5; expected indices of arms, 0 to 4"),
        ([-1], r"answer\[0\] = -1; expected indices of arms, 0 to 4"),
        ([0.0, 1.0], r"answer = \[0.0, 1.0\]; expected indices"),
        ([[0, 1]], r"answer = \[\[0, 1\]\]; expected indices"),
        ([[0], [1, 2]], r"answer = \[\[0\], \[1, 2\]\]; expected indices"),
        (2, "answer = 2; expected indices"),
        (None, "answer = None; expected indices"),
        ({0, 1}, r"answer = \{0, 1\}; expected indices"),
        ("AB", "answer = 'AB'; expected indices"),
        ([True, False], r"answer has shape \(2,\); expected \(5,\) or \(n, 5\)"),
        (np.zeros((5, 2), bool), r"answer has shape \(5, 2\); expected"),
        (np.zeros((1, 1, 5), bool), r"answer has shape \(1, 1, 5\); expected"),
        (True, r"answer has shape \(\); expected"),
    ],
)
def test_an_answer_must_be_a_set_of_arms(judge, answer, message):
    with pytest.raises(ValueError, match="^" + message):
        judge(MEANS, answer)


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
def test_means_must_be_finite(judge):
    with pytest.raises(ValueError, match=r"^means\[0, 1\] = nan"):
        judge([[0.0, np.nan], [1.0, 1.0]], [0])


@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf, None, "1", True])
def test_precision_must_not_be_negative(value):
    with pytest.raises(ValueError, match=f"^epsilon = {value!r}; expected"):
        success_condition_1(MEANS, [0], value)
    with pytest.raises(ValueError, match=f"^epsilon = {value!r}; expected"):
        success_condition_2(MEANS, [0], value, 0)
    with pytest.raises(ValueError, match=f"^epsilon = {value!r}; expected"):
        f1_score(MEANS, [0], value)
    with pytest.raises(ValueError, match=f"^tolerance = {value!r}; expected"):
        success_condition_2(MEANS, [0], 1, value)


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
    covers = success_condition_2(means, ALL_MASKS, epsilon, epsilon / 2)  # (2.c) is vacuous
    assert {mask.sum().item() for mask in ALL_MASKS[covers]} == {3, 4, 5}
    for mask in ALL_MASKS[covers]:
        arms = np.flatnonzero(mask)
        assert min(distance[i, j] for i, j in itertools.permutations(arms, 2)) == alpha < beta
    np.testing.assert_array_equal(success_condition_2(means, ALL_MASKS, epsilon, 0), covers)


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
