"""Track-and-Stop: the loop, and what its runs cost."""

import numpy as np
import pytest
from references.noise import random_covariance
from references.runs import follow_run, run_quietly
from references.seeds import seeds_of
from references.tracking import TrackAndStopLoop

from pareto_core import Instance, Problem, TrackAndStop, characteristic_time
from pareto_core.confidence.thresholds import stylised_threshold

SETTINGS = (
    {},
    {"tracking": "C", "check_every": 3},
    {"costs": True, "exploration": "none"},
    {"gradient_every": 10, "check_every": 25},
    {"tracking": "C", "exploration": "evidence", "threshold": "mixture", "gradient_every": 5},
    {"exploration": "evidence"},
)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("noise", ["unit", "covariance"])
@pytest.mark.parametrize("seed", seeds_of(2, 6, 12))
def test_runs_are_those_of_the_plain_loop(seed, noise, settings):
    rng = np.random.default_rng(seed)
    n_arms, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    covariance = None if noise == "unit" else random_covariance(rng, n_arms, d)
    if "costs" in settings:
        settings = settings | {"costs": tuple(rng.uniform(0.2, 5.0, n_arms))}
    algorithm = TrackAndStop(delta=1e-3, **settings)
    plain = TrackAndStopLoop(algorithm, n_arms, d, covariance=covariance)
    means, problem = rng.uniform(-0.5, 1.5, (n_arms, d)), Problem(n_arms, d, covariance=covariance)
    follow_run(algorithm, problem, plain, means, rng, 120)


@pytest.mark.statistical
def test_two_arms_in_one_dimension_stop_at_the_threshold():
    # t g = t / T* on average with half the samples each, so t is near T* beta(t), T* = 8 / gap^2
    delta, time = 1e-8, 8 / 0.25**2
    expected = time
    for _ in range(50):
        expected = time * stylised_threshold(int(expected), delta)
    runs = run_quietly(TrackAndStop(delta=delta), Instance([[0.25], [0.0]]), runs=300)
    assert runs.samples.mean() == pytest.approx(expected, rel=0.05)
    assert runs.pulls.sum(axis=0) / runs.samples.sum() == pytest.approx([0.5, 0.5], abs=0.02)
    assert runs.correct.all()


@pytest.mark.slow
@pytest.mark.compiled
def test_tracking_in_cost_comes_down_to_the_bound():
    means = [[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.4, 0.4], [0.2, 0.9]]
    costs, ratios = (1.0, 5.0, 1.0, 0.2, 2.0), []
    bound = characteristic_time(means, costs=costs).time
    for delta in (1e-2, 1e-12):
        runs = run_quietly(TrackAndStop(delta=delta, costs=costs), Instance(means), 40)
        assert runs.correct.all()
        ratios.append((runs.pulls @ costs).mean() / (bound * np.log(1 / delta)))
    assert 1 < ratios[1] < min(1.25, ratios[0])
