"""Characteristic times: closed forms, general solvers, and valid certificates."""

import numpy as np
import pytest
from references import pareto as reference
from references.seeds import seeds_of

from pareto_core import (
    characteristic_time,
    easiest_partition,
    load_instance,
    orthant,
    partition_cost,
    simplex,
    transport_cost,
)

PARETO, REGION, BEST = "pareto_set", "constrained_pareto_set", "best_arm_per_objective"
BEST_ARMS, SEPARATE = {"problem": BEST}, {"separate": True}
FOUR = np.array([[1.0, 0.1], [0.2, 1.1], [0.5, 0.3], [-0.2, -0.4]])
INSIDE = np.array([[0.5, 0.2], [0.2, 0.5], [0.3, 0.1], [0.9, 0.8]])  # arms of a region
QUESTIONS = [  # (means, settings)
    (FOUR, {}),
    (FOUR, BEST_ARMS),
    (INSIDE, {"problem": REGION, "polyhedron": simplex(2)}),
]


def covariances(seed):
    factors = np.random.default_rng(seed).standard_normal((4, 2, 2))
    covariance = factors @ factors.transpose(0, 2, 1) + 0.3 * np.eye(2)
    return 0.5 * (covariance + covariance.transpose(0, 2, 1))


def linear_instances(d, n=4):
    rng = np.random.default_rng(d)
    for _ in range(n):
        n_arms, h = rng.integers(3, 8), rng.integers(1, 4)
        features = rng.standard_normal((n_arms, h))
        yield features @ rng.standard_normal((h, d)), features


def small_instances():
    rng = np.random.default_rng(3)
    for d in (2, 2, 2, 3, 3, 3):
        yield rng.standard_normal((int(rng.integers(3, 6)), d))


# Closed forms

CLOSED_FORMS = [  # (means, settings, time, weights)
    # max over w of 0.5 w (1 - w) gap^2 is gap^2 / 8
    *(([[0.0], [gap]], {}, 8 / gap**2, [0.5, 0.5]) for gap in (1e-3, 1e4)),
    # a dominated arm and its dominator meet in the objective where they are closest
    ([[2.0, 1.0, 1.0], [0.0, 0.5, 0.0]], {}, 8 / 0.5**2, None),
    # one arm falls below the other: the cheaper of |(1, 1, 0)|^2 = 2 and |(0, 0, 1.5)|^2
    ([[1.0, 1.0, 0.0], [0.0, 0.0, 1.5]], {}, 8 / 2, None),
    # w_0 w_1 / (9 w_1 + w_0) is largest at w_0 = 3 w_1, where it is 1 / (3 + 1)^2
    ([[0.0], [1.0]], {"variance": [[9.0], [1.0]]}, 2 * 4**2, [0.75, 0.25]),
    # separately, a dominated arm could be lifted above the other in any objective
    ([[2.0, 1.0], [0.0, 0.5]], SEPARATE, 8 / 2.0**2 + 8 / 0.5**2, None),
]


@pytest.mark.parametrize(("means", "settings", "time", "weights"), CLOSED_FORMS)
def test_the_time_is_that_of_a_closed_form(means, settings, time, weights):
    found = characteristic_time(means, 1e-8, **settings)
    assert found.time == pytest.approx(time, rel=2e-8)
    if weights is not None:
        np.testing.assert_allclose(found.weights, weights, atol=1e-3)


@pytest.mark.parametrize("n_arms", [3, 5, 12, 40, 200])
@pytest.mark.parametrize(("problem", "gap", "error"), [(PARETO, 1e-6, 2e-3), (BEST, 1e-10, 1e-7)])
def test_one_objective_is_best_arm_identification(n_arms, problem, gap, error):
    for seed in range(3):
        means = np.random.default_rng([n_arms, seed]).standard_normal(n_arms)
        time, weights = reference.best_arm_time(means)
        found = characteristic_time(means[:, None], gap, problem=problem)
        assert time * (1 - 1e-9) <= found.time <= time * (1 + 1e-9 + 2 * gap)
        np.testing.assert_allclose(found.weights, weights, rtol=1e-3, atol=error)


# Certificates


def evidence(means, shares, costs=1.0, separate=False, partition=None, polyhedron=None, **given):
    """Evidence for a unit of cost that is spent in these shares."""
    samples = shares / costs
    if separate:
        samples = samples / given.pop("variance")
    if partition is not None:
        return partition_cost(means, samples, polyhedron, partition, **given).value
    return transport_cost(means, samples, polyhedron=polyhedron, **given).value


def certified_cases():
    """Means and settings of joint measurements."""
    yield from ((means, {}) for means in small_instances())
    for d in (2, 3):
        yield from ((means, {"features": features}) for means, features in linear_instances(d))
    for seed in range(3):
        noise = {"covariance": covariances(seed), "costs": np.array([1.0, 2.0, 0.5, 4.0]) ** seed}
        yield from ((means, settings | noise) for means, settings in QUESTIONS)


@pytest.mark.parametrize(("means", "settings"), [*certified_cases()])
def test_certificates_are_valid(means, settings):
    assert_certified(means, characteristic_time(means, 1e-5, **settings), 1e-5, settings)


def assert_certified(means, found, relative_gap, settings):
    """The proportions attain the time, and no others need less."""
    assert 0 <= found.relative_gap <= relative_gap
    assert found.weights.min() >= 0
    assert found.weights.sum() == pytest.approx(1, rel=1e-12)
    assert evidence(means, found.weights, **settings) == pytest.approx(1 / found.time, rel=1e-11)
    most = (1 + found.relative_gap) / found.time * (1 + 1e-9)
    rng = np.random.default_rng(1)
    for size in (0.1, 0.01):
        for _ in range(50):
            near = (found.weights + 1e-3) * np.exp(size * rng.standard_normal(found.weights.shape))
            other = rng.dirichlet(np.ones(found.weights.size)).reshape(found.weights.shape)
            for weights in (near / near.sum(), other):
                assert evidence(means, weights, **settings) <= most


@pytest.mark.parametrize("costs", [None, [1.0, 2.0, 0.5, 4.0]])
def test_the_time_of_the_easiest_partition_is_certified(costs):
    region, given = orthant([0.0, 0.2]), {"covariance": covariances(3)}
    if costs is not None:
        given["costs"] = np.array(costs)
    partition, found = easiest_partition(FOUR, region, 1e-5, **given)
    assert partition.infeasible.size
    settings = {"polyhedron": region, "partition": partition} | given
    assert_certified(FOUR, found, 1e-5, settings)


@pytest.mark.parametrize("problem", [PARETO, BEST])
@pytest.mark.parametrize("seed", seeds_of(4, 12, 40))
def test_the_time_of_separate_measurements_is_certified_and_at_most_that_of_joint_ones(
    problem, seed
):
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((int(rng.integers(2, 7)), int(rng.integers(1, 5))))
    costs, variance = rng.uniform(0.2, 5, means.shape), rng.uniform(0.5, 2, means.shape)
    settings = {"problem": problem, "costs": costs, "variance": variance} | SEPARATE
    found = characteristic_time(means, **settings)
    assert_certified(means, found, 1e-4, settings)
    joint = {"problem": problem, "costs": costs.sum(axis=1), "variance": variance}
    assert found.time <= characteristic_time(means, **joint).time * (1 + 1e-4)


# Ties, and times out of range

EQUAL = [[1.0, 0.0], [1.0, 0.0], [0.0, -1.0]]


@pytest.mark.parametrize(
    ("means", "settings"),
    [
        (EQUAL, {}),  # two optimal arms are equal
        *((np.full((3, 2), scale), {}) for scale in (1e-300, 1e-160, 1.0, 1e150)),
        *((EQUAL, BEST_ARMS | {"eta": eta}) for eta in (0.0, 0.3)),
        ([[1.0, 0.0], [1.0, -1.0]], SEPARATE),
        ([[1.0, 0.0], [1.0, 2.0]], SEPARATE | BEST_ARMS),
    ],
)
def test_time_is_infinite_if_an_arbitrarily_small_push_changes_the_answer(means, settings):
    found = characteristic_time(means, **settings)
    assert found.time == np.inf
    np.testing.assert_allclose(found.weights, 1 / found.weights.size)


SCALED = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [0.2, 0.1]])
PROBLEMS = [
    pytest.param(name, region, costs, id=f"{name}{' in cost' if costs else ''}")
    for name, region, costs in (
        (PARETO, False, None),
        (PARETO, False, [1.0, 2.0, 3.0, 1.0]),
        (BEST, False, None),
        (REGION, True, None),
        ("partition", True, None),
    )
]


def time_at(scale, name, region, costs):
    region = orthant([-0.5 * scale] * 2) if region else None
    return characteristic_time(SCALED * scale, problem=name, polyhedron=region, costs=costs)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "region", "costs"), PROBLEMS)
@pytest.mark.parametrize("exponent", [-400, -50, 60, 490])
def test_the_time_scales_with_the_inverse_square_of_the_means(name, region, costs, exponent):
    one, scaled = (time_at(scale, name, region, costs) for scale in (1.0, 2.0**exponent))
    assert scaled.time == pytest.approx(np.ldexp(one.time, -2 * exponent), rel=1e-4)
    np.testing.assert_allclose(scaled.weights, one.weights, atol=1e-3)


@pytest.mark.parametrize(("name", "region", "costs"), PROBLEMS)
@pytest.mark.parametrize("scale", [1e-152, 1e-155, 1e-160, 1e-300])
def test_a_time_out_of_the_range_of_floats_is_refused(name, region, costs, scale):
    with pytest.raises(ValueError, match=r"means differ by as little as .*; expected a char"):
        time_at(scale, name, region, costs)


# Refusals


def test_too_few_iterations_raise_an_error_with_the_bounds_reached():
    means = load_instance("cov_boost").means_standardised
    with pytest.raises(RuntimeError, match="after 2 iterations: the bounds on 1/T"):
        characteristic_time(means, relative_gap=1e-9, max_iterations=2)


AT_ORIGIN = {"problem": REGION, "polyhedron": orthant([0.0, 0.0])}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        *(({"relative_gap": each}, "relative_gap") for each in (0, -1e-4, np.nan, np.inf, "small")),
        ({"relative_gap": True}, "relative_gap"),
        *(({"max_iterations": each}, "max_iterations") for each in (0, -1, 2.5, True)),
        *(
            ({"costs": [cost] * 4, "means": SCALED * scale}, "(?s).*costs are from .*; expected a ")
            for scale, cost in ((1e-100, 1e120), (1e100, 1e-120))
        ),
        (AT_ORIGIN | {"features": np.eye(4)}, f"features for problem = '{REGION}'"),
        ({"eta": 0.1}, rf"^eta = 0\.1 for problem = '{PARETO}'; expected 0"),
        *((BEST_ARMS | {"eta": each}, "^eta = ") for each in (-0.1, np.inf, np.nan, "0.1")),
        (BEST_ARMS | {"eta": 0.1, "variance": [1.0, 1.0]}, r"eta = 0\.1 with known noise"),
        (BEST_ARMS | {"eta": 0.1, "costs": [1.0] * 4}, r"eta = 0\.1 with .* or costs"),
        ({"variance": [1.0, 0.0]}, "variance = .*expected positive numbers"),
        ({"covariance": np.ones((2, 2))}, "covariance = "),
        (SEPARATE | {"costs": [1.0, 2.0, 3.0]}, "costs = .*one per objective, or an array of sh"),
        (SEPARATE | {"costs": [1.0, 0.0]}, "costs = .*above 0"),
        (SEPARATE | {"covariance": np.eye(2)}, "(?s)covariance = .* with separate = True"),
        (SEPARATE | AT_ORIGIN, "problem = .* with separate = True"),
        ({"separate": 1}, "separate = 1"),
    ],
)
def test_invalid_arguments_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        characteristic_time(**({"means": FOUR} | settings))
