"""AdaHedge: its definition, and what it promises."""

import numpy as np
import pytest
from references.ada_hedge import ada_hedge_by_definition

from pareto_core.algorithms.ada_hedge import ada_hedge, gain


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("n_arms", [2, 3, 7])
def test_ada_hedge_follows_its_definition(n_arms, scale):
    gains = scale * np.random.default_rng(n_arms).exponential(size=(40, n_arms))
    gains[:3] = scale  # equal gains leave the rate infinite
    learner = ada_hedge(n_arms)
    played = []
    for row in gains:
        played.append(learner.weights.copy())
        gain(learner, row)
    np.testing.assert_allclose(played, ada_hedge_by_definition(-gains), rtol=1e-9, atol=1e-12)
