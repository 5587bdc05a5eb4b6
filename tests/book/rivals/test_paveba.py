"""PaVeBa: its plain twin, its radius, its answers, and the inputs it refuses."""

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


@pytest.mark.parametrize(
    ("field", "value"),
    [("delta", 0.0), ("epsilon", -0.1), ("variance_bound", 0.0), ("contraction", 0.0)],
)
def test_bad_parameters_are_refused(field, value):
    with pytest.raises(ValueError, match=f"{field} = "):
        PaVeBa(**{field: value})
