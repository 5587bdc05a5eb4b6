"""The cheapest admission of one arm, against brute force, quadratic programs and plain searches."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from references import noise_region
from references.constrained_instances import build, few_optimal
from references.noise import add_arm, random_covariance
from references.seeds import SEEDS, examples

from pareto_core.compiling.kernels import kernel
from pareto_core.compiling.lending import lend
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.transport.admission import admission_space, admit_target
from pareto_core.transport.admission_minimum import _best_step
from pareto_core.transport.metric import Region, known_noise, write_prices
from pareto_core.transport.moves import add
from pareto_core.transport.oracle import allocate_oracle, label_answer

EXACT = 1e-9


def instance_of(seed):
    means, weights, polyhedron, _ = build(seed)
    covariance = random_covariance(np.random.default_rng(seed), *means.shape)
    return means, np.maximum(weights, 1e-4), covariance, polyhedron


INSTANCES = SEEDS.filter(lambda seed: few_optimal(build(seed))).map(instance_of)


@kernel
def lent_admission(means, prices, precision, region, front, size, target, upper, point, space):
    """`admit_target`, compiled sooner: it is lent all that it reads."""
    means, prices, precision, region = lend(means), lend(prices), lend(precision), lend(region)
    front, point, space = lend(front), lend(point), lend(space)
    return admit_target(means, prices, precision, region, front, size, target, upper, point, space)


@kernel
def lent_addition(means, weights, noise, arm, oracle):
    """The cost of `add`, with labels and prices; lent all that it reads, too."""
    means, weights, noise, oracle = lend(means), lend(weights), lend(noise), lend(oracle)
    label_answer(means, noise, None, oracle)
    write_prices(weights, noise, oracle.prices)
    return add(means, weights, noise, arm, np.inf, oracle)


def prices_of(weights, covariance, target):
    """Prices of moves, and the precision of the target; weights and None without a covariance."""
    if covariance is None:
        return weights, None
    noise = known_noise(covariance)
    return weights[:, None] / noise.variance, weights[target] * noise.precision[target]


def admission(means, weights, covariance, polyhedron, front, target, upper=np.inf):
    """Cost and point that the search finds, at weights if ``covariance`` is None."""
    prices, precision = prices_of(weights, covariance, target)
    point, region = np.full(means.shape[1], -7.0), Region(*polyhedron.rows())
    found = np.array(front, np.int64), len(front), target, upper, point
    space = admission_space(len(polyhedron.offsets), *means.shape, covariance is not None)
    return lent_admission(means, prices, precision, region, *found, space), point


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("noisy", [False, True])
@examples(400)
@given(INSTANCES, st.floats(0.0, 1 - 1e-7))
def test_search_equals_brute_force(noisy, instance, share):
    means, weights, covariance, polyhedron = instance
    order = np.argsort(-means.sum(axis=1))
    front, target = order[:-1][: 4 if means.shape[1] < 3 else 3], order[-1]
    metric = covariance if noisy else np.array(len(means) * [np.eye(means.shape[1])])
    expected, moved = noise_region.admit(means, weights, metric, polyhedron, front, target)
    problem = means, weights, covariance if noisy else None, polyhedron, front, target
    value, point = admission(*problem)
    slack = noise_region.rounding(means, weights, metric, polyhedron, moved)
    assert abs(value - expected) <= EXACT * expected + slack
    accuracy = 1e-11 if noisy else 1e-13
    size = max(np.abs(means).max(), np.abs(polyhedron.offsets).max(), np.abs(point).max())
    assert (polyhedron.normals @ point <= polyhedron.offsets + accuracy * size).all()
    upper = share * value * (1 - EXACT)
    found, untouched = admission(*problem, upper)
    assert found == upper
    assert (untouched == -7.0).all()


def addition(means, weights, covariance):
    """Cost of adding the last arm, without a region."""
    noise = known_noise(covariance)
    oracle = allocate_oracle(*means.shape, noise)
    return lent_addition(means, weights, noise, len(means) - 1, oracle)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("in_region", [False, True])
@pytest.mark.parametrize(("d", "n", "trials"), [(2, 11, 8), (3, 11, 10), (5, 8, 10)])
def test_a_long_front_equals_a_plain_search(d, n, trials, in_region):
    rng = np.random.default_rng([d, n])
    for _ in range(trials):
        means = np.abs(rng.standard_normal((n + 1, d)))
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        means[n] = 0.0
        weights = 10 ** rng.uniform(-1, 1, n + 1)
        weights[n] *= rng.choice([1, 10])  # the heavier it is, the more optimal arms step aside
        problem = means, weights, random_covariance(rng, n + 1, d)
        region = Polyhedron(np.vstack([np.ones(d), rng.standard_normal(d)]), [0.8, 0.3])
        if in_region:
            value, _ = admission(*problem, region, np.arange(n), n)
            inside = noise_region.rows_of(region, n)
        else:
            value, inside = addition(*problem), []
        assert value == pytest.approx(add_arm(*problem, n, rows_of_arms=inside), rel=1e-7)


@pytest.mark.parametrize("noisy", [False, True])
@given(SEEDS)
def test_a_step_along_a_segment_is_the_best(noisy, seed):
    rng = np.random.default_rng(seed)
    n, d, count = 5, 3, 4
    means, weights, target = rng.standard_normal((n, d)), 10 ** rng.uniform(-2, 2, n), n - 1
    prices, precision = prices_of(weights, random_covariance(rng, n, d) if noisy else None, target)
    space = admission_space(1, n, d, noisy)
    arms, objectives = rng.integers(target, size=count), rng.integers(d, size=count)
    space.candidates[:count], space.objectives[:count] = arms, objectives
    point, end = 2 * rng.standard_normal((2, d))
    form = weights[target] * np.eye(d) if precision is None else precision
    each = weights[arms] if precision is None else prices[arms, objectives]

    def cost(at):
        there = point + at * (end - point)
        above = np.maximum(means[arms, objectives] - there[objectives], 0.0)
        own = there - means[target]
        return 0.5 * own @ form @ own + 0.5 * each @ above**2

    found = _best_step(means, prices, precision, target, space, count, point, end)
    least = scipy.optimize.minimize_scalar(cost, bounds=(0, 1), method="bounded").fun
    assert cost(found) <= least * (1 + 1e-9)
