"""Uniform sampling, the baseline."""

import numpy as np
import pytest
from references import pareto as reference

from pareto_core import Instance, UniformSampling, simulate, trajectory, transport_cost
from pareto_core.confidence.thresholds import stylised_threshold
from pareto_lab import Session

INSTANCE = Instance([[1.0, 0.2, 0.0], [0.0, 1.3, 0.0], [-0.4, -0.6, -0.5]])


def test_arms_take_turns_until_the_evidence_is_conclusive():
    rng = np.random.default_rng(4)
    session = Session(UniformSampling(delta=0.05, check_every=5), 3, 3, 1.0)
    while not session.finished:
        arm = session.ask()
        assert arm == session.samples % 3
        session.tell(arm, INSTANCE.means[arm] + rng.standard_normal(3))
        evidence = 0.0
        if session.samples % 5 == 0:
            evidence = reference.transport(session.means, session.pulls.astype(float))[0]
        needed = stylised_threshold(max(session.samples, 2), 0.05)
        assert session.finished == (evidence >= needed)
    assert session.recommendation.tolist() == reference.pareto_set(session.means)


@pytest.mark.parametrize(
    "noise",
    [
        {"variance": [[1.0, 4.0, 1.0], [1.0, 1.0, 0.2], [9.0, 1.0, 1.0]]},
        {"covariance": [[1.0, 0.8, 0.0], [0.8, 1.0, 0.0], [0.0, 0.0, 1.0]]},
    ],
    ids=["variances of arms", "correlation"],
)
def test_the_evidence_is_that_of_the_noise_of_each_arm(noise):
    instance = Instance(2 * INSTANCE.means, **noise)
    algorithm = UniformSampling(delta=1e-3, check_every=3)
    runs = simulate(algorithm, instance, 5, progress=False)
    assert runs.stopped.all() and (runs.samples % 3 == 0).all()
    for number, samples in enumerate(runs.samples):
        moments = [samples - 3, samples]
        seen = trajectory(algorithm, instance, moments, run=number)
        evidence = [
            transport_cost(means, counts, **noise).value
            for counts, means in zip(seen.counts.astype(float), seen.means, strict=True)
        ]
        needed = [stylised_threshold(each, 1e-3) for each in moments]
        assert [e >= n for e, n in zip(evidence, needed, strict=True)] == [False, True]


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
