"""Sampling that accounts for the cost of samples, and the lower bound on the cost."""

import numpy as np
import pytest
import scipy

import pareto_core as pc
import pareto_lab as lab

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


@pytest.mark.parametrize("seed", range(5))
def test_bound_on_the_cost_is_the_best_of_all_shares(seed):
    rng = np.random.default_rng(seed)
    means, costs = rng.normal(size=(3, 2)), rng.uniform(0.1, 10.0, 3)
    found = pc.characteristic_time(means, costs=costs)

    def time_at(logits):
        shares = scipy.special.softmax(logits)
        return -np.log(pc.transport_cost(means, shares / costs).value)

    best = min(
        scipy.optimize.minimize(
            time_at,
            rng.normal(size=3),
            method="Nelder-Mead",
            options={"xatol": 1e-7, "fatol": 1e-9},
        ).fun
        for _ in range(5)
    )
    assert found.time == pytest.approx(np.exp(best), rel=2e-4)
    value = pc.transport_cost(means, found.weights / costs).value
    assert found.time == pytest.approx(1 / value)


def test_rescaled_costs_rescale_the_bound():
    one, ten = (pc.characteristic_time(MEANS, costs=scale * np.array(COSTS)) for scale in (1, 10))
    assert ten.time == pytest.approx(10 * one.time, rel=3e-4)
    assert pc.characteristic_time(MEANS, costs=np.ones(5)).time == pytest.approx(
        pc.characteristic_time(MEANS).time, rel=3e-4
    )


def test_the_number_of_costs_is_checked():
    with pytest.raises(ValueError, match=r"costs = .*expected 5 finite numbers"):
        pc.simulate(pc.TrackAndStop(costs=(1.0, 2.0)), INSTANCE, 1)
    with pytest.raises(ValueError, match=r"costs = .*expected 5 finite numbers"):
        pc.characteristic_time(MEANS, costs=[1.0])


def test_a_session_hands_its_costs_on():
    session = lab.Session(pc.TrackAndStop(), 5, 2, 1.0, costs=COSTS)
    assert session.algorithm.costs == COSTS
    told = lab.Session(pc.TrackAndStop(costs=(1.0,) * 5), 5, 2, 1.0, costs=COSTS)
    assert told.algorithm.costs == (1.0,) * 5
    assert lab.Session(pc.APE(), 5, 2, 1.0, costs=COSTS).algorithm == pc.APE()


def test_a_session_with_costs_is_restored(tmp_path):
    rng = np.random.default_rng(0)
    session = lab.Session(pc.TrackAndStop(), 5, 2, 1.0, costs=COSTS)
    for _ in range(60):
        arm = session.ask()
        session.tell(arm, rng.normal(MEANS[arm], 0.1))
    session.save(tmp_path / "mine.json")
    again = lab.load_session(tmp_path / "mine.json")
    assert again.algorithm == session.algorithm
    assert again.ask() == session.ask()
