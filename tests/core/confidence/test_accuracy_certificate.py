"""Anytime-valid statements up to an accuracy: against martingales, by simulation, and in use."""

import numpy as np
import pytest
from references import accuracy, misleading
from references import alternatives as wrong
from references.limits import at_its_limit
from references.seeds import MORE

from pareto_core import Certificate
from pareto_core.confidence.proven_rules import RULES
from pareto_core.simulation.statistics import rate_interval


def updated(counts, means, epsilon, **settings):
    """A certificate after one update."""
    certificate = Certificate(*np.shape(means), epsilon=epsilon, **settings)
    certificate.update(counts, means)
    return certificate


def marks(certificate):
    """Which arms are certainly optimal, dominated, unbeaten and beaten."""
    ledger, n_arms = certificate._ledger, certificate._raised
    both = ledger.undominated, ledger.dominated
    return *(each[:n_arms] for each in both), *(each[n_arms:] for each in both)


def stated(certificate):
    """Numbers of statements of each kind."""
    return sum(each.sum() for each in marks(certificate))


def contradicted(certificate, worlds):
    """Which accurate worlds contradict the statements about arms."""
    optimal, dominated, unbeaten, beaten = marks(certificate)
    exact, near = worlds.exact.front, worlds.near.front
    wrong_exact = (optimal & ~exact) | (dominated & exact)
    return (wrong_exact | (unbeaten & ~near) | (beaten & near)).any(axis=1)


def surpluses(rng, rule, number):
    """Values of ln(delta M) over the worlds that a certificate rules out."""
    information, means = wrong.random_data(rng)
    epsilon = accuracy.random_epsilon(rng, means)
    epsilon[0] = epsilon[0] or np.ptp(means[:, 0]) + 1e-3  # not all 0
    most = rng.integers(1, 2 * len(means) + 1)
    found = at_its_limit(
        lambda delta: updated(information[:, 0], means, epsilon, delta=delta, rule=rule),
        most,
        stated,
    )
    if found is None:
        return np.empty(0)
    certificate, log_delta = found
    worlds = accuracy.alternatives(rng, information, means, epsilon, number)
    worlds = worlds.at(contradicted(certificate, worlds))
    martingale = accuracy.log_certificate(rule == "joint", information, means, worlds)
    return martingale + log_delta


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("least_tried", [3000, pytest.param(10_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("rule", RULES)
def test_the_martingale_of_every_excluded_world_is_large(rule, least_tried):
    rng, tried, least = np.random.default_rng(3), 0, np.inf
    while tried < least_tried:
        found = surpluses(rng, rule, 200)
        tried += found.size
        least = min(least, found.min(initial=np.inf))
    assert -1e-9 < least < 0.2


@pytest.mark.compiled
@pytest.mark.parametrize("rule", RULES)
def test_the_martingales_of_a_few_excluded_worlds_are_large(rule):
    rng = np.random.default_rng(4)
    assert min(surpluses(rng, rule, 20).min(initial=np.inf) for _ in range(8)) > -1e-9


DELTA, EPSILON = 0.2, 0.2
NEAR_TIES = {
    "tied": [[0.0, 0.0], [0.0, 0.0], [-0.01, 0.0]],
    "beaten": [[0.0, 0.0], [-0.21, -0.2], [-0.2, -0.22]],
    "nearly beaten": [[0.0, 0.0], [-0.19, -0.3], [-0.3, -0.19]],
    "wide": [[0.0, 0.0, 0.0], [-0.01, -0.21, -5.0]],
}


def wrong_about_arms(certificate, truth):
    """Whether a statement about an arm is wrong."""
    worlds = accuracy.choose(truth[None], np.full(truth.shape[1], EPSILON), np.random.default_rng())
    return bool(contradicted(certificate, worlds).any())


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("settings", [{}, {"standard_deviation": "unknown"}], ids=str)
@pytest.mark.parametrize("rule", RULES)
@MORE
def test_all_statements_are_true_with_the_promised_probability(rule, settings, times):
    runs, longest = (50 * times, 1500) if not settings else (30 * times, 3000)
    request = {"delta": DELTA, "rule": rule, "epsilon": EPSILON, **settings}
    found = sum(
        misleading.errors(truth, runs, longest, is_wrong=wrong_about_arms, **request)
        for truth in NEAR_TIES.values()
    )
    assert rate_interval(found, runs * len(NEAR_TIES), 0.99)[1] < DELTA


@pytest.mark.compiled
@pytest.mark.statistical
def test_noise_ten_times_as_large_as_stated_breaks_the_promise():
    def noisy(truth, rng):
        return misleading.Data(truth, rng, deviation=10.0)

    request = {"delta": DELTA, "epsilon": EPSILON, "data": noisy, "is_wrong": wrong_about_arms}
    found = misleading.errors(NEAR_TIES["beaten"], 60, 1500, **request)
    assert rate_interval(found, 60)[0] > DELTA


# In use

THREE = np.array([[1.0, 0.0], [0.99, 0.01], [-0.5, -0.5]])


@pytest.mark.compiled
@pytest.mark.parametrize("rule", RULES)
def test_tied_arms_are_near_optimal(rule):
    certificate = updated([400] * 3, THREE, 0.6, rule=rule)
    assert certificate.near_optimal.tolist() == [0, 1]
    assert certificate.dominated.tolist() == [2]
    assert certificate.open.tolist() == [0, 1]
    assert certificate.is_decided
    assert not certificate.is_contradicted
    exact = updated([400] * 3, THREE, None, rule=rule)
    assert exact.near_optimal.tolist() == []
    assert not exact.is_decided


@pytest.mark.compiled
def test_a_near_optimal_arm_may_turn_out_to_be_optimal_or_dominated():
    means = np.array([[1.0, 0.0], [0.6, 0.3], [0.6, -0.3]])
    certificate = updated([150] * 3, means, 0.8)
    assert certificate.near_optimal.tolist() == [0, 1, 2]
    certificate.update([4000] * 3, means)
    assert certificate.optimal.tolist() == [0, 1]
    assert certificate.dominated.tolist() == [2]
    assert certificate.near_optimal.tolist() == []
    assert not certificate.is_contradicted


@pytest.mark.compiled
def test_data_that_turn_around_contradict_the_statements():
    certificate = updated([400] * 2, [[0.0], [5.0]], 0.5)
    certificate.update([4 * 10**5] * 2, [[5.0], [0.0]])
    assert certificate.is_contradicted


@pytest.mark.compiled
def test_an_accuracy_of_zero_makes_the_exact_statements():
    exact = updated([400] * 3, THREE, None)
    for zero in (0, [0.0, 0.0]):
        certificate = updated([400] * 3, THREE, zero)
        assert certificate.near_optimal.size == 0
        assert certificate.dominated.tolist() == exact.dominated.tolist()


@pytest.mark.compiled
def test_the_accuracy_is_in_the_unit_of_the_means():
    units = np.array([10.0, 0.1])
    plain = updated([400] * 3, THREE, [0.6, 0.3])
    scaled = updated([400] * 3, THREE * units, units * [0.6, 0.3], standard_deviation=units)
    for first, second in zip(marks(plain), marks(scaled), strict=True):
        assert first.tolist() == second.tolist()
    squares = 399 * np.tile(units**2, (3, 1))
    unknown = Certificate(3, 2, standard_deviation="unknown", epsilon=units * [0.6, 0.6])
    unknown.update([400] * 3, THREE * units, squares)
    assert unknown.near_optimal.tolist() == [0, 1]


@pytest.mark.parametrize("epsilon", [-1.0, [1.0, 1.0, 1.0], "much", {"a": 1.0, "b": 1.0}])
def test_a_bad_accuracy_is_refused(epsilon):
    with pytest.raises(ValueError, match=r"^epsilon = "):
        Certificate(3, 2, epsilon=epsilon)
