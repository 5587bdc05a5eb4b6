"""Statements from own counts of each arm and objective, and from noise that differs in kind."""

import numpy as np
import pytest
from references import alternatives as wrong
from references import gaps, misleading
from references import martingales as reference
from references.limits import at_its_limit, contradicted
from references.seeds import MORE

import pareto_core as pc
from pareto_core import BestArmCertificate, Certificate, ConstrainedCertificate
from pareto_core.confidence.mixtures import Bets, log_factor, log_infimum
from pareto_core.confidence.proven_rules import RULES, allocate_work, least_evidence, make_rule
from pareto_core.confidence.statement_evidence import (
    cheap_addition,
    cheap_removal,
    log_removal,
    log_single_addition,
)
from pareto_core.confidence.unknown_variance import scale_of, variance_grid
from pareto_core.geometry.dominance import write_front
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.statements.variance_test import variance_test

THREE = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
TRUTHS = {
    "near": [[0.1, 0.0], [0.0, 0.1], [-0.02, 0.08]],
    "pair": [[0.0, 0.0], [-0.005, -0.005]],
    "tied": [[0.0, 0.0], [0.0, 0.0], [-0.01, 0.0]],
    "wide": [[0.0, 0.0, 0.0], [-0.01, -0.01, -5.0]],
}
DELTA = 0.2


def updated(counts, means, **settings):
    """A certificate after one update."""
    certificate = Certificate(*means.shape, **settings)
    certificate.update(counts, means)
    return certificate


# Missing values


def own_counts(rng, information):
    """Counts that differ between objectives, some of them zero."""
    share = rng.choice([0.0, 0.05, 0.5, 1.0], information.shape, p=[0.1, 0.2, 0.4, 0.3])
    return np.floor(information * share)


def surplus_with_gaps(rng, rule, number):
    """Least ln(delta M) over the worlds that a certificate with own counts rules out."""
    information, means = wrong.random_data(rng, most_arms=4)
    counts = own_counts(rng, information)
    found = at_its_limit(
        lambda delta: updated(counts, means, delta=delta, rule=rule),
        rng.integers(1, len(means) + 1),
    )
    if found is None:
        return np.inf, 0
    certificate, log_delta = found
    worlds = wrong.alternatives(rng, counts, means, number)
    worlds = worlds.at(contradicted(certificate, worlds))
    martingale = reference.log_certificate(rule == "joint", counts, means, worlds)
    return (martingale + log_delta).min(initial=np.inf), len(martingale)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@MORE
def test_the_martingale_of_every_world_that_own_counts_exclude_is_large(rule, times):
    rng, tried, least = np.random.default_rng(5), 0, np.inf
    while tried < 1500 * times:
        surplus, number = surplus_with_gaps(rng, rule, 200)
        tried, least = tried + number, min(least, surplus)
    assert -1e-9 < least < 0.3


@pytest.mark.parametrize("settings", [{}, {"rule": "pairs"}, {"standard_deviation": "unknown"}])
def test_equal_counts_in_all_objectives_are_counts_of_arms(settings):
    rng, scatter = np.random.default_rng(1), np.full((3, 2), 60.0)
    for _ in range(5):
        counts = rng.integers(1, 400, 3)
        plain, own = (Certificate(3, 2, **settings) for _ in range(2))
        plain.update(counts, THREE, scatter)
        own.update(np.repeat(counts[:, None], 2, axis=1), THREE, scatter)
        np.testing.assert_array_equal(own.boxes, plain.boxes)
        assert own.optimal.tolist() == plain.optimal.tolist()
        assert own.dominated.tolist() == plain.dominated.tolist()


@pytest.mark.parametrize("rule", RULES)
def test_an_objective_without_values_says_nothing(rule):
    means = [[9.0, np.nan], [0.0, 0.0], [-9.0, -9.0]]
    certificate = Certificate(3, 2, rule=rule)
    certificate.update([[500, 0], [500, 500], [500, 500]], means)
    assert certificate.dominated.tolist() == [2]  # by arm 1, whatever the missing mean is
    assert 0 in certificate.optimal  # for the same reason
    assert np.isinf(certificate.boxes[0, 1]).all()


def test_an_unknown_variance_is_bounded_by_the_values_of_its_own_objective():
    counts, scatter = np.array([[400, 40], [300, 30]]), np.array([[410.0, 44.0], [290.0, 33.0]])
    certificate = Certificate(2, 2, standard_deviation="unknown")
    certificate.update(counts, np.zeros((2, 2)), scatter)
    width = np.diff(certificate.boxes)[..., 0]
    grid = variance_grid(-np.log(0.1), 2)
    for c in range(2):
        unit = 1 / scale_of(grid, counts[:, c].copy(), scatter[:, c].sum())
        known = Certificate(2, 2, delta=0.1 * 0.95, standard_deviation=unit)
        known.update(np.repeat(counts[:, [c]], 2, axis=1), np.zeros((2, 2)))
        np.testing.assert_allclose(width[:, c], np.diff(known.boxes)[:, c, 0], rtol=1e-5)


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("settings", [{}, {"standard_deviation": "unknown"}], ids=str)
@pytest.mark.parametrize("rule", RULES)
@MORE
def test_with_values_missing_at_random_all_statements_keep_the_promise(rule, settings, times):
    runs, longest, found = 40 * times, 400 if not settings else 1000, 0
    for truth in TRUTHS.values():
        for number in range(runs):
            data = gaps.GappyData(truth, np.random.default_rng(number))
            certificate = Certificate(*data.truth.shape, delta=DELTA, rule=rule, **settings)
            sampler = misleading.SAMPLERS[number % len(misleading.SAMPLERS)]
            found += misleading.run(certificate, data, sampler, longest)
    assert rate_interval(found, runs * len(TRUTHS), 0.99)[1] < DELTA


@pytest.mark.compiled
@pytest.mark.statistical
def test_values_missing_because_of_their_size_break_the_promise():
    found, runs = 0, 30
    for number in range(runs):
        rng = np.random.default_rng(number)
        values = rng.normal([[[0.0]], [[0.1]]], 1.0, (2, 2000, 1))
        seen = np.array([np.ones((2000, 1), bool), values[1] < 1.0])
        certificate = Certificate(2, 1, delta=DELTA)
        means = np.where(seen, values, 0.0).sum(axis=1) / seen.sum(axis=1)
        certificate.update(seen.sum(axis=1), means)
        found += misleading.wrong_about_arms(certificate, np.array([[0.0], [0.1]]))
    assert rate_interval(found, runs)[0] > DELTA


def test_the_other_certificates_take_own_counts_too():
    counts = [[900, 900], [900, 0], [900, 900]]
    best = BestArmCertificate(3, 2)
    best.update(counts, [[1.0, 0.0], [0.0, np.nan], [-1.0, -9.0]])
    assert [each.tolist() for each in best.candidates] == [[0], [0, 1]]
    feasible = ConstrainedCertificate(3, 2, pc.orthant([0.0, 0.0]))
    feasible.update(counts, [[1.0, 1.0], [2.0, np.nan], [0.5, 0.5]])
    assert feasible.feasible.tolist() == [0, 2]
    assert [each.tolist() for each in feasible.dominators] == [[], [], [0]]


def test_own_counts_of_another_shape_or_that_fall_are_refused():
    certificate = Certificate(3, 2)
    with pytest.raises(ValueError, match=r"counts = .*; expected 3 whole numbers.*shape \(3, 2\)"):
        certificate.update([[1, 1, 1], [1, 1, 1]], THREE)
    certificate.update([[5, 5], [5, 4], [5, 5]], THREE)
    with pytest.raises(ValueError, match="expected no fewer than before"):
        certificate.update([[5, 5], [6, 3], [5, 5]], THREE)


def test_the_variance_test_counts_the_values_of_each_objective():
    counts, squares = np.array([[6, 60], [6, 50]]), np.array([[5.0, 90.0], [48.0, 300.0]])
    both = variance_test(counts, squares)
    for c in range(2):
        alone = variance_test(counts[:, c], squares[:, [c]])
        assert both.log_evidence[c] == alone.log_evidence[0]
        assert both.ratios[c] == alone.ratios[0]


# Noise that differs in kind


def test_an_infinite_information_is_the_limit_of_large_ones():
    bets, high = Bets(1 / 16, 0.9, 0.75), np.array([1, 2])
    for gap in (-0.5, 0.5):
        means = np.array([[0.0], [gap], [gap]])
        exact = log_infimum(np.full((3, 1), np.inf), means, 0, 0, high, 2, bets)[0]
        large = log_infimum(np.full((3, 1), 1e9), means, 0, 0, high, 2, bets)[0]
        assert exact == (np.inf if gap > 0 else 0.0)
        assert large > 1e6 if gap > 0 else large <= 0.0
    tied = log_infimum(np.full((3, 1), np.inf), np.zeros((3, 1)), 0, 0, high, 2, bets)[0]
    assert tied == np.inf  # no mean is strictly above an equal one
    assert log_factor(np.inf, 1e-9, 0.1, 0.5)[0] == np.inf
    assert log_factor(np.inf, 0.0, 0.1, 0.5)[0] == 0.0


def random_mixed_data(rng):
    """Counts and means, with one objective without noise that is often tied."""
    information, means = wrong.random_data(rng, most_arms=4)
    column = rng.integers(-1, 2, len(means)).astype(float) * np.ptp(means)
    means = np.column_stack([means, column])
    information = np.column_stack([information, information[:, 0]])
    return information, means, np.arange(means.shape[1]) == means.shape[1] - 1


def surplus_without_noise(rng, rule, number):
    """Least ln(delta M) over the excluded worlds that agree with the values without noise."""
    information, means, exact = random_mixed_data(rng)
    deviation = np.where(exact, 0.0, 1.0)
    settings = {"rule": rule, "standard_deviation": deviation}
    found = at_its_limit(
        lambda delta: updated(information, means, delta=delta, **settings),
        rng.integers(1, len(means) + 1),
    )
    if found is None:
        return np.inf, 0
    certificate, log_delta = found
    worlds = wrong.alternatives(rng, information, means, number).means
    worlds = np.where(exact & (information > 0), means, worlds)
    worlds = gaps.worlds_without_noise(worlds, exact, rng)
    worlds = worlds.at(contradicted(certificate, worlds))
    silent = np.where(exact, 0.0, information)  # factors of 1, as under the true means
    martingale = reference.log_certificate(rule == "joint", silent, means, worlds)
    return (martingale + log_delta).min(initial=np.inf), len(martingale)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@MORE
def test_the_martingale_of_every_excluded_world_that_agrees_with_exact_values_is_large(rule, times):
    rng, tried, least = np.random.default_rng(6), 0, np.inf
    while tried < 1500 * times:
        surplus, number = surplus_without_noise(rng, rule, 200)
        tried, least = tried + number, min(least, surplus)
    assert -1e-9 < least < 3.0  # it also pays for bets on the objective without noise


@pytest.mark.parametrize("rule", RULES)
def test_evidence_with_exact_objectives_is_never_nan_and_cheap_bounds_are_below(rule):
    rng = np.random.default_rng(2)
    for _ in range(300):
        information, means, exact = random_mixed_data(rng)
        information = np.where(exact & (information > 0), np.inf, information)
        if rng.random() < 0.3:  # two objectives without noise
            information[:, 0] = np.where(information[:, 0] > 0, np.inf, 0.0)
        own, work = make_rule(rule, 2.0, len(means)), allocate_work(*means.shape)
        size = write_front(means, work.front)
        work.optimal[work.front[:size]] = True
        assert not np.isnan(least_evidence(own, information, means, 0, size, -np.inf, work))
        assert not np.isnan(least_evidence(own, information, means, 0, size, 2.0, work))
        high = work.search.members[0]
        for k, j in ((0, 1), (1, 0)):
            removal = log_removal(own, information, means, k, j, high)
            addition = log_single_addition(own, information, means, k, j, high)
            assert cheap_removal(own, information, means, k, j) <= removal + 1e-9
            assert cheap_addition(own, information, means, k, j) <= addition + 1e-9


def test_a_tie_without_noise_is_a_tie():
    means = [[1.0, 5.0], [0.0, 5.0], [0.5, 5.1], [0.0, 4.0]]
    certificate = Certificate(4, 2, standard_deviation=[1.0, 0])
    certificate.update([400] * 4, means)
    assert certificate.optimal.tolist() == [0, 2]
    assert certificate.dominated.tolist() == [1, 3]
    np.testing.assert_array_equal(
        certificate.boxes[:, 1], np.repeat([[5.0], [5.0], [5.1], [4.0]], 2, 1)
    )
    known = Certificate(4, 2)
    known.update([400] * 4, means)
    assert known.dominated.tolist() == [3]


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("first", [1.0, "unknown"])
@pytest.mark.parametrize("rule", RULES)
@MORE
def test_with_noise_of_different_kinds_all_statements_keep_the_promise(rule, first, times):
    truths = (
        [[0.0, 1.0], [-0.01, 1.0], [0.02, 0.0]],
        [[0.0, 1.0, 0.0], [-0.01, 1.0, -0.01], [0.0, 1.0, 0.0]],
        [[0.0, 1.0, 0.1], [0.01, 1.0, 0.09]],
    )
    runs, found = 40 * times, 0
    for truth in truths:
        kinds = [first, 0, 0.5][: len(truth[0])]
        for number in range(runs):
            data = gaps.MixedData(truth, np.random.default_rng(number))
            certificate = Certificate(*data.truth.shape, DELTA, rule, standard_deviation=kinds)
            sampler = misleading.SAMPLERS[number % len(misleading.SAMPLERS)]
            found += misleading.run(certificate, data, sampler, 1000)
    assert rate_interval(found, runs * len(truths), 0.99)[1] < DELTA


def test_a_known_objective_decides_before_the_unknown_one_has_a_bound():
    certificate = Certificate(2, 2, standard_deviation=[1.0, "unknown"])
    certificate.update([9, 9], [[9.0, 0.0], [0.0, 9.0]], np.ones((2, 2)))
    assert certificate.optimal.tolist() == [0]
    assert np.isinf(certificate.boxes[:, 1]).all()
    assert np.isfinite(certificate.boxes[:, 0]).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0, 0], "expected noise in at least one objective"),
        ([1.0, "high"], "standard_deviation = 'high'; expected numbers, or one of unknown"),
        ([-1.0, 0], "standard_deviation = -1.0; expected 'unknown', or a number from"),
        ([np.nan, 0], "standard_deviation = nan; expected"),
        ([1.0, 0, 0], "standard_deviation = .* expected"),
    ],
)
def test_invalid_mixtures_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Certificate(3, 2, standard_deviation=given)


@pytest.mark.parametrize("kind", [BestArmCertificate, ConstrainedCertificate])
def test_certificates_of_other_questions_refuse_mixtures(kind):
    region = [pc.orthant([0.0, 0.0])] if kind is ConstrainedCertificate else []
    for given in ([1.0, 0], [1.0, "unknown"]):
        with pytest.raises(ValueError, match="standard_deviation"):
            kind(3, 2, *region, standard_deviation=given)


def test_a_mean_without_noise_that_changes_is_refused():
    certificate = Certificate(3, 2, standard_deviation=[1.0, 0])
    certificate.update([1, 1, 0], [[0.0, 1.0], [0.0, 2.0], [0.0, np.nan]])
    with pytest.raises(ValueError, match="expected the same values as before"):
        certificate.update([2, 2, 1], [[0.0, 1.0], [0.0, 2.1], [0.0, 3.0]])
    certificate.update([2, 2, 1], [[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]])
