"""PAL with least squares: whole runs, and their answers."""

import numpy as np
import pytest
from references import pareto as reference
from references.pal import PlainLinearPAL, follow

from pareto_book.rivals import LinearPAL
from pareto_core import Instance, gaps, simulate


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_linear_pal_is_the_plain_algorithm(epsilon):
    rng = np.random.default_rng(2025)
    rounds = []
    while len(rounds) < 12:
        n_arms, d, h = (int(rng.integers(*bounds)) for bounds in ((2, 9), (1, 4), (1, 5)))
        features = rng.standard_normal((n_arms, h))
        features[:, -1] = 2 * features[:, 0]  # not of full rank, unless there is one only
        if len(rounds) % 2:
            features = np.eye(n_arms)  # arms that tell nothing of each other
        means = features @ rng.standard_normal((features.shape[1], d))
        if gaps(means).min() < 0.4:
            continue
        algorithm = LinearPAL(
            delta=rng.uniform(0.01, 0.5), epsilon=epsilon, bonus_scale=rng.uniform(0.05, 1)
        )
        plain = PlainLinearPAL(algorithm, features)
        follow(algorithm, plain, means, features, 0.3, rng)
        rounds.append(plain.round - 1)
    assert max(rounds) > 5


@pytest.mark.statistical
def test_linear_pal_errs_at_most_delta_with_a_generous_bonus():
    rng = np.random.default_rng(20)
    features = rng.standard_normal((12, 3))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    means = features @ rng.standard_normal((3, 2))
    assert 0.2 < gaps(means).min() < 0.25
    assert len(reference.pareto_set(means)) == 2
    runs = simulate(
        LinearPAL(delta=0.1, bonus_scale=1.0),
        Instance(means, variance=[0.5, 0.5], features=features),
        300,
        progress=False,
    )
    assert runs.stopped.all()
    assert runs.summary()["error_high"] <= 0.1
