"""Top-two sampling that measures one objective of one arm at a time."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.error_rates import Proposals, error_probability, fit_proposals
from pareto_core.instances.instance import unfolded_instance
from pareto_lab import compare

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.3, 0.2]])


@pytest.mark.parametrize("noise", ["gaussian", "uniform", "bernoulli", "pool"])
def test_pairs_have_the_rewards_of_their_objectives(noise):
    means = np.array([[0.2, 0.7], [0.5, 0.1], [0.4, 0.4]])
    settings = {"variance": [1.0, 4.0]} if noise in ("gaussian", "uniform") else {}
    if noise == "pool":
        rewards = [row + np.arange(4.0)[:, None] * [1.0, -1.0] for row in means]
        instance = pc.Instance.from_observations(rewards)
    else:
        instance = pc.Instance(means, noise=noise, **settings)
    found = unfolded_instance(instance)
    np.testing.assert_allclose(found.means.reshape(3, 2), instance.means)
    np.testing.assert_allclose(
        found.variance.reshape(3, 2), np.broadcast_to(instance.variance, (3, 2))
    )
    assert found.noise == noise
    if noise == "pool":
        np.testing.assert_array_equal(found.observations[3], rewards[1][:, [1]])


def test_instances_and_uses_that_it_cannot_serve_are_refused():
    algorithm, plain = pc.SeparateTopTwo(), pc.Instance(MEANS)
    correlated = pc.Instance(MEANS, covariance=[[1.0, 0.5], [0.5, 1.0]])
    with pytest.raises(ValueError, match="correlated objectives for SeparateTopTwo"):
        pc.simulate(algorithm, correlated, 1)
    with pytest.raises(ValueError, match=r"costs = .*array of shape \(4, 2\)"):
        pc.simulate(pc.SeparateTopTwo(costs=[1.0, 1.0, 1.0]), plain, 1)
    with pytest.raises(ValueError, match="measures objectives separately"):
        pc.Certified(algorithm)
    proposals = Proposals(MEANS[None], np.ones(1))
    for use in (
        lambda: fit_proposals(algorithm, plain, runs=10),
        lambda: error_probability(algorithm, plain, proposals, runs=10),
        lambda: compare([algorithm], [plain], runs=1),
    ):
        with pytest.raises(ValueError, match="expected one that samples all objectives"):
            use()
