"""Characteristic times of linear models: closed forms, a general solver, valid certificates."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from pareto_core import characteristic_time, load_instance, orthant, transport_cost

BEST = "best_arm_per_objective"


def linear_instances(d, n=4):
    rng = np.random.default_rng(d)
    for _ in range(n):
        n_arms, h = rng.integers(3, 8), rng.integers(1, 4)
        features = rng.standard_normal((n_arms, h))
        yield features @ rng.standard_normal((h, d)), features


@pytest.mark.parametrize("seed", range(3))
def test_identity_as_features_changes_nothing(seed):
    means = np.random.default_rng(seed).standard_normal((5, 2))
    plain = characteristic_time(means, relative_gap=1e-6)
    linear = characteristic_time(means, relative_gap=1e-6, features=np.eye(5))
    assert linear.time == pytest.approx(plain.time, rel=2e-6)
    assert linear.weights == pytest.approx(plain.weights, abs=2e-3)


def test_one_feature_is_best_estimated_by_the_longest():
    # the two meet where theta is 0, at the price theta^2 / 2 times the sum of w_k x_k^2
    features = np.array([[1.0], [-3.0], [2.0]])
    found = characteristic_time(0.5 * features, relative_gap=1e-6, features=features)
    assert found.time == pytest.approx(2 / (0.5 * 3) ** 2, rel=1e-6)
    assert found.weights == pytest.approx([0, 1, 0], abs=1e-5)


def smallest_variance(features, direction):
    """Smallest variance of an estimate of ``direction`` for one sample (Elfving 1952)."""
    n_arms = len(features)
    result = linprog(
        np.ones(2 * n_arms),
        A_eq=np.hstack([features.T, -features.T]),
        b_eq=direction,
    )
    return result.fun**2


def test_two_arms_in_many_directions():
    """A decision between two arms is an estimate of their difference; others only inform."""
    features = np.array([[1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [0, 3, 1], [0, 1, -4], [0, -2, 5]])
    theta = np.array([[100.0], [0.1], [0.0]])
    found = characteristic_time(features @ theta, relative_gap=1e-6, features=features)
    variance = smallest_variance(features, features[0] - features[1])
    assert found.time == pytest.approx(2 * variance / 0.1**2, rel=1e-5)


def climb(means, features, costs):
    """Largest minimal cost in one objective, by sequential quadratic programming."""
    n_arms, best = len(means), int(np.argmax(means))
    others = [j for j in range(n_arms) if j != best]

    def evidence(shares):
        information = (features * (shares / costs)[:, None]).T @ features
        steps = features[best] - features[others]
        variances = np.einsum("ij,ij->i", steps, np.linalg.solve(information, steps.T).T)
        return 0.5 * (means[best] - means[others]) ** 2 / variances

    unit = evidence(np.full(n_arms, 1 / n_arms)).min()
    largest = 0.0
    for start in np.random.default_rng(0).dirichlet(np.full(n_arms, 5.0), 3):
        result = minimize(
            lambda x: -x[-1],
            np.append(start, evidence(start).min() / unit),
            method="SLSQP",
            bounds=[(1e-9, 1)] * n_arms + [(0, None)],
            constraints=[
                {"type": "eq", "fun": lambda x: x[:-1].sum() - 1},
                {"type": "ineq", "fun": lambda x: evidence(x[:-1]) / unit - x[-1]},
            ],
            options={"maxiter": 300, "ftol": 1e-12},
        )
        shares = np.maximum(result.x[:-1], 1e-12)
        largest = max(largest, evidence(shares / shares.sum()).min())
    return largest


@pytest.mark.slow
@pytest.mark.parametrize("priced", [False, True])
@pytest.mark.parametrize(("means", "features"), [*linear_instances(1)])
def test_a_general_solver_finds_no_shorter_time(means, features, priced):
    costs = np.random.default_rng(1).uniform(0.2, 2, len(means)) if priced else None
    found = characteristic_time(means, relative_gap=1e-5, features=features, costs=costs)
    best = climb(means[:, 0], features, np.ones(len(means)) if costs is None else costs)
    assert best <= (1 + found.relative_gap) / found.time * (1 + 1e-9)
    assert best == pytest.approx(1 / found.time, rel=1e-3)


@pytest.mark.parametrize(("means", "features"), [*linear_instances(2), *linear_instances(3)])
def test_certificate_is_valid(means, features):
    found = characteristic_time(means, relative_gap=1e-5, features=features)
    assert 0 <= found.relative_gap <= 1e-5
    assert found.weights.sum() == pytest.approx(1, rel=1e-12)

    def cost(weights):
        return transport_cost(means, weights, features=features).value

    assert cost(found.weights) == pytest.approx(1 / found.time, rel=1e-9)
    most = (1 + found.relative_gap) / found.time * (1 + 1e-9)
    rng = np.random.default_rng(1)
    for _ in range(50):
        near = (found.weights + 1e-3) * np.exp(0.1 * rng.standard_normal(len(means)))
        assert cost(near / near.sum()) <= most
        assert cost(rng.dirichlet(np.ones(len(means)))) <= most
    assert found.time <= characteristic_time(means, relative_gap=1e-5).time * (1 + 1e-5)


@pytest.mark.slow
def test_features_quarter_the_time_of_the_network_on_chip_designs():
    noc = load_instance("noc")
    found = characteristic_time(noc.means_standardised, 1e-3, features=noc.features)
    plain = characteristic_time(noc.means_standardised, 1e-2)
    assert 0.25 < found.time / plain.time < 0.28
    assert (found.weights > 1e-4).sum() < 12


def test_ties_take_for_ever():
    features = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.25]])
    found = characteristic_time(features @ np.ones((2, 2)), features=features)
    assert found.time == np.inf


def test_refuses_features_of_other_questions():
    region = orthant([0.0, 0.0])
    with pytest.raises(ValueError, match="features for problem = 'constrained_pareto_set'"):
        characteristic_time(
            np.eye(2), problem="constrained_pareto_set", polyhedron=region, features=np.eye(2)
        )
    with pytest.raises(ValueError, match=r"eta = 0\.1 with features; expected 0"):
        characteristic_time(np.eye(2), problem=BEST, eta=0.1, features=np.eye(2))


@pytest.mark.parametrize("seed", range(3))
def test_best_arms_with_identity_as_features(seed):
    means = np.random.default_rng(seed).standard_normal((5, 2))
    plain = characteristic_time(means, relative_gap=1e-6, problem=BEST)
    linear = characteristic_time(means, relative_gap=1e-6, problem=BEST, features=np.eye(5))
    assert linear.time == pytest.approx(plain.time, rel=2e-6)


@pytest.mark.parametrize(("means", "features"), [*linear_instances(1, n=2)])
def test_in_one_objective_the_best_arm_is_the_pareto_set(means, features):
    pareto = characteristic_time(means, relative_gap=1e-6, features=features)
    best = characteristic_time(means, relative_gap=1e-6, features=features, problem=BEST)
    assert best.time == pytest.approx(pareto.time, rel=2e-6)
