"""Uniform sampling, the baseline."""

import numpy as np
import pytest
from references import pareto as reference
from references.runs import follow_run
from references.tracking import TrackingLoop

from pareto_core import Instance, Problem, UniformSampling, simulate
from pareto_lab import Session

INSTANCE = Instance([[1.0, 0.2, 0.0], [0.0, 1.3, 0.0], [-0.4, -0.6, -0.5]])


class UniformLoop(TrackingLoop):
    """Arms in turn."""

    def arms(self):
        return [self.counts.sum() % self.n_arms]


COVARIANCES = [
    None,
    np.array([np.diag(each) for each in ([1.0, 4.0, 1.0], [1.0, 1.0, 0.2], [9.0, 1.0, 1.0])]),
    np.array([[[1.0, 0.8, 0.0], [0.8, 1.0, 0.0], [0.0, 0.0, 1.0]]] * 3),
]


@pytest.mark.parametrize(
    "covariance", COVARIANCES, ids=["unit", "variances of arms", "correlation"]
)
def test_arms_take_turns_until_the_evidence_is_conclusive(covariance):
    rng = np.random.default_rng(4)
    algorithm = UniformSampling(delta=1e-3, check_every=5)
    loop = UniformLoop(algorithm, 3, 3, covariance=covariance)
    problem = Problem(3, 3, covariance=covariance)
    assert follow_run(algorithm, problem, loop, INSTANCE.means, rng, 10**4).stop()


@pytest.mark.parametrize("budget", [3, 4, 5, 6, 100, 101])
def test_a_budget_is_shared_evenly_and_the_empirical_pareto_set_is_answered(budget):
    rng = np.random.default_rng(budget)
    session = Session(UniformSampling(budget=budget), 3, 3, 1.0)
    rewards, asked = [[], [], []], []
    while not session.finished:
        assert session.samples < budget
        asked.append(session.ask())
        reward = rng.standard_normal(3)
        session.tell(asked[-1], reward)
        rewards[asked[-1]].append(reward)
    assert asked == sorted(asked)
    assert session.samples == budget
    assert session.pulls.tolist() == [-(-(budget - k) // 3) for k in range(3)]
    means = np.array([np.mean(each, axis=0) for each in rewards])
    assert session.recommendation.tolist() == reference.pareto_set(means)


@pytest.mark.compiled
def test_with_costs_as_much_is_spent_on_each_arm():
    costs = (1.0, 5.0, 0.2)
    algorithm = UniformSampling(delta=1e-6, costs=costs)
    spent = simulate(algorithm, INSTANCE, 3, progress=False).pulls * costs
    assert (spent.max(axis=1) - spent.min(axis=1) <= max(costs)).all()
    with pytest.raises(ValueError, match=r"costs = .*expected 3 finite numbers"):
        simulate(UniformSampling(costs=(1.0, 2.0)), INSTANCE, 1)
