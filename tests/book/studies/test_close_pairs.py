"""Which pairs of arms are close: their edges and samples."""

import numpy as np
import pytest
from references import pareto as reference

from pareto_book.studies.close_pairs import close_pairs
from pareto_core import Instance, RacingCover

FRONT = [[0.0, 2.0], [0.1, 1.9], [1.0, 1.0], [1.1, 0.9], [2.0, 0.0], [-1.0, -1.0]]
CLOSE = RacingCover(epsilon=0.5, tolerance=0.1, variance_bound=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("candidates", [[0, 1, 2, 3, 4], [4, 2, 3], np.array([5, 3]), range(6)])
def test_close_pairs_are_those_within_half_of_epsilon(candidates):
    instance = Instance(FRONT, variance=[0.01, 0.01])
    result = close_pairs(instance, candidates, CLOSE, seed=2)
    arms = list(candidates)
    within = (reference.excess(instance.means) <= CLOSE.epsilon / 2)[np.ix_(arms, arms)]
    np.fill_diagonal(within, False)
    assert within.any()
    assert result.edges.tolist() == within.T.tolist()  # i -> j: j is within reach of i
    assert result.pulls.shape == (6,)
    assert sorted(np.flatnonzero(result.pulls)) == sorted(arms)


def test_edges_have_a_direction():
    # arm 1 is nowhere more than 0.1 ahead of arm 0, which is 3 ahead of it
    instance = Instance([[0.0, 3.0], [0.1, 0.0]], variance=[0.01, 0.01])
    result = close_pairs(instance, [0, 1], CLOSE)
    assert result.edges.tolist() == [[False, True], [False, False]]


def test_close_pairs_are_whitened_without_a_bound():
    algorithm = RacingCover(epsilon=5.0, tolerance=1.0)
    scaled = Instance(np.array(FRONT) * [100.0, 1.0], variance=[100.0**2 * 0.01, 0.01])
    plain = Instance(np.array(FRONT), variance=[0.01, 0.01])
    results = [close_pairs(instance, range(5), algorithm) for instance in (plain, scaled)]
    assert results[0].pulls.tolist() == results[1].pulls.tolist()
    assert results[0].edges.tolist() == results[1].edges.tolist()
