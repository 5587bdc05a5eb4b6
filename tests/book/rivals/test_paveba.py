"""PaVeBa: its plain twin, its radius, its answers, and the inputs it refuses."""

import math

import numpy as np
import pytest
from references.paveba import PlainPaVeBa

import pareto_core as pc
from pareto_book.rivals import PaVeBa
from pareto_book.rivals.paveba import ball_radius
from pareto_core.simulation.statistics import rate_interval


def random_instance(seed, n_arms, n_objectives):
    rng = np.random.default_rng(seed)
    return pc.Instance(3 * rng.standard_normal((n_arms, n_objectives)))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("n_arms", "n_objectives"), [(4, 1), (6, 2), (8, 3)])
@pytest.mark.parametrize("settings", [(0.1, 0.0, 4.0), (0.3, 0.5, 8.0), (0.1, 0.1, 1.0)])
def test_runs_are_those_of_the_plain_twin(n_arms, n_objectives, settings):
    delta, epsilon, contraction = settings
    algorithm = PaVeBa(delta, epsilon, contraction=contraction)
    for seed in range(3):
        instance = random_instance(seed, n_arms, n_objectives)
        request = {"runs": 2, "seed": seed, "max_samples": 2000, "progress": False}
        plain = pc.simulate(PlainPaVeBa(*settings), instance, n_jobs=1, **request)
        compiled = pc.simulate(algorithm, instance, **request)
        np.testing.assert_array_equal(compiled.samples, plain.samples)
        np.testing.assert_array_equal(compiled.pulls, plain.pulls)
        np.testing.assert_array_equal(compiled.answers, plain.answers)


@pytest.mark.parametrize(
    ("n_arms", "n_objectives", "delta", "variance", "samples", "radius"),
    [
        (206, 2, 0.05, 0.01, 1, 0.89084),
        (206, 2, 0.05, 0.01, 100, 0.12371),
        (20, 3, 0.1, 1.0, 1000, 0.40986),
    ],
)
def test_the_radius(n_arms, n_objectives, delta, variance, samples, radius):
    problem = pc.Problem(n_arms, n_objectives)
    for contraction in (1.0, 16.0):
        algorithm = PaVeBa(delta, 0.0, variance, contraction)
        found = ball_radius(algorithm.parameters(problem), samples)
        assert contraction * found == pytest.approx(radius, abs=5e-6)


@pytest.mark.parametrize(("contraction", "coverage"), [(1.0, 1.0), (16.0, 0.14), (32.0, 0.04)])
def test_coverage_of_a_contracted_ball(contraction, coverage):
    algorithm = PaVeBa(0.05, 0.01, 0.01, contraction)
    radius = ball_radius(algorithm.parameters(pc.Problem(206, 2)), 1)
    assert -math.expm1(-(radius**2) / 0.02) == pytest.approx(coverage, abs=0.006)


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("n_objectives", [1, 2, 3])
def test_the_error_rate_stays_below_delta(n_objectives):
    wrong, runs = 0, 30
    for seed in range(8):
        instance = random_instance(100 + seed, 4, n_objectives)
        found = pc.simulate(PaVeBa(0.3), instance, runs, max_samples=10**5, progress=False)
        wrong += (found.stopped & ~found.correct).sum()
    assert rate_interval(wrong, 8 * runs)[0] <= 0.3


def test_without_noise_a_run_ends_when_the_radius_fits_the_smallest_gap():
    # arm 1 is dominated by 2 in both objectives: it leaves when two radii are no more than that
    instance = pc.Instance([[4.0, 4.0], [2.0, 2.0]], variance=[1e-18] * 2)
    algorithm = PaVeBa(variance_bound=1.0)
    parameters = algorithm.parameters(instance.problem)
    rounds = next(n for n in range(1, 10**6) if 2 * ball_radius(parameters, n) <= 2.0)
    found = pc.simulate(algorithm, instance, 3, progress=False)
    assert found.correct.all() and (found.pulls == rounds).all()


@pytest.mark.compiled
@pytest.mark.statistical
def test_contracted_balls_err():
    instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [0.7, 0.6], [0.3, 0.3]])
    found = pc.simulate(PaVeBa(0.05, contraction=32.0), instance, 200, progress=False)
    assert rate_interval((~found.correct).sum(), 200)[0] > 0.05


@pytest.mark.parametrize(
    ("field", "value"),
    [("delta", 0.0), ("epsilon", -0.1), ("variance_bound", 0.0), ("contraction", 0.0)],
)
def test_bad_parameters_are_refused(field, value):
    with pytest.raises(ValueError, match=f"{field} = "):
        PaVeBa(**{field: value})
