"""Sampling that accounts for the cost of samples."""

import numpy as np
import pytest
import scipy

import pareto_core as pc

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.4, 0.4], [0.2, 0.9]])
COSTS = (1.0, 5.0, 1.0, 0.2, 2.0)
INSTANCE = pc.Instance(MEANS)


def cost_of(runs):
    return runs.pulls @ np.array(COSTS)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", [pc.TopTwoIDS, pc.TrackAndStop, pc.UniformSampling])
def test_equal_costs_change_nothing(kind):
    plain, even = (
        pc.simulate(kind(costs=costs), INSTANCE, 5, progress=False) for costs in (None, (1.0,) * 5)
    )
    np.testing.assert_array_equal(plain.pulls, even.pulls)


@pytest.mark.compiled
def test_uniform_sampling_in_cost_spends_alike_on_all_arms():
    algorithm = pc.UniformSampling(delta=1e-6, costs=COSTS)
    spent = pc.simulate(algorithm, INSTANCE, 3, progress=False).pulls * COSTS
    assert (spent.max(axis=1) - spent.min(axis=1) <= max(COSTS)).all()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", [pc.TopTwoIDS, pc.TrackAndStop])
def test_tracking_in_cost_is_cheaper_if_costs_differ(kind):
    steep = pc.Instance([[0.0, 0.0], [-0.3, -0.3], [-0.3, -0.3]])
    costs = (25.0, 1.0, 1.0)
    means = [
        (pc.simulate(kind(delta=1e-3, costs=told), steep, 200, progress=False).pulls @ costs)
        for told in (None, costs)
    ]
    _, high = pc.simulation.statistics.ratio_interval(means[1], means[0])
    assert high < 0.9


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", [pc.TopTwoIDS, pc.TrackAndStop])
def test_tracking_in_cost_comes_down_to_the_bound(kind):
    bound = pc.characteristic_time(MEANS, costs=COSTS).time
    ratios = []
    for delta in (1e-2, 1e-12):
        runs = pc.simulate(kind(delta=delta, costs=COSTS), INSTANCE, 40, progress=False)
        assert runs.correct.all()
        ratios.append(cost_of(runs).mean() / (bound * np.log(1 / delta)))
    assert 1 < ratios[1] < min(1.25, ratios[0])


# Of 400 runs that err at a rate of 2 delta, more than 60 err, which is refused, with probability
# 0.994.
@pytest.mark.statistical
@pytest.mark.parametrize("instances", [20, pytest.param(50, marks=pytest.mark.thorough)])
def test_errors_stay_below_delta(instances):
    rng = np.random.default_rng(7)
    wrong = runs = 0
    for number in range(instances):
        instance = pc.Instance(rng.normal(size=(4, 2)))
        algorithm = pc.TrackAndStop(costs=tuple(rng.uniform(0.2, 5.0, 4)))
        found = pc.simulate(algorithm, instance, 20, number, progress=False, max_samples=20_000)
        wrong += int((found.stopped & ~found.correct).sum())
        runs += int(found.stopped.sum())
    assert runs > 14 * instances
    assert scipy.stats.binomtest(wrong, runs, 0.1, "greater").pvalue > 1e-3


def test_the_number_of_costs_is_checked():
    with pytest.raises(ValueError, match=r"costs = .*expected 5 finite numbers"):
        pc.simulate(pc.TrackAndStop(costs=(1.0, 2.0)), INSTANCE, 1)
    with pytest.raises(ValueError, match=r"costs = .*expected 5 finite numbers"):
        pc.characteristic_time(MEANS, costs=[1.0])
