"""What the chapter on the best arms computes beside the simulations."""

import numpy as np
import pytest

from pareto_book.chapters import chen2024


@pytest.mark.parametrize("seed", range(5))
def test_evidence_is_the_smallest_of_its_pairs(seed):
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((int(rng.integers(2, 7)), int(rng.integers(1, 4))))
    weights = rng.dirichlet(np.ones(len(means)))
    found = chen2024.pair_evidence(means, weights).min()
    assert found == pytest.approx(chen2024.evidence(means, weights))
