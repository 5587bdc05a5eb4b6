"""Which pairs of arms are close: their edges and samples."""

import numpy as np
import pytest
from references import pareto as reference

from pareto_book.studies.close_pairs import close_pairs
from pareto_core import Instance, RacingCover

FRONT = np.array([[0.0, 2.0], [0.1, 1.9], [1.0, 1.0], [1.1, 0.9], [2.0, 0.0], [-1.0, -1.0]])
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
    assert sorted(np.flatnonzero(result.pulls)) == sorted(arms)


def test_close_pairs_are_whitened_without_a_bound():
    algorithm = RacingCover(epsilon=5.0, tolerance=1.0)
    scales = np.array([1.0, 1.0]), np.array([100.0, 1.0])
    instances = [Instance(FRONT * scale, variance=0.01 * scale**2) for scale in scales]
    plain, scaled = (close_pairs(each, range(5), algorithm) for each in instances)
    assert plain.pulls.tolist() == scaled.pulls.tolist()
    assert plain.edges.tolist() == scaled.edges.tolist()
