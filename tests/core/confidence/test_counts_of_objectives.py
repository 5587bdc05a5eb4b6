"""Statements and tests of the noise with numbers of samples of each arm and objective."""

import numpy as np
import pytest
from scipy.stats import binomtest

import pareto_core as pc
from pareto_lab.statements.variance_test import variance_test

MEANS = np.array([[0.6, 0.0], [0.0, 0.6], [-0.3, -0.3], [0.2, 0.1]])


def test_equal_counts_of_all_objectives_are_counts_of_arms():
    counts, certificates = np.array([60, 50, 400, 300]), []
    for given in (counts, np.repeat(counts[:, None], 2, axis=1)):
        certificate = pc.Certificate(4, 2, standard_deviation=[0.3, 1.0])
        certificate.update(given, MEANS)
        certificates.append(certificate)
    first, second = certificates
    np.testing.assert_array_equal(first.boxes, second.boxes)
    np.testing.assert_array_equal(first.dominated, second.dominated)


def test_counts_of_objectives_are_those_of_unequal_variances():
    """400 samples of variance v carry as much information as 400 / v of variance 1."""
    variance = np.array([[2.0, 0.5], [0.5, 1.0], [0.5, 2.0], [1.0, 0.5]])  # 1 on average
    own, found = pc.Certificate(4, 2), pc.Certificate(4, 2, standard_deviation=np.sqrt(variance))
    own.update(400 / variance, MEANS)
    found.update(np.full(4, 400), MEANS)
    np.testing.assert_allclose(found.boxes, own.boxes, rtol=1e-6)
    np.testing.assert_array_equal(found.dominated, own.dominated)
    assert own.dominated.size and own.optimal.size


@pytest.mark.parametrize(
    ("counts", "match"),
    [
        (np.ones((4, 3)), "counts = "),
        (-np.ones((4, 2)), "counts = "),
        (np.full((4, 2), 5), "no fewer than before"),
    ],
)
def test_invalid_counts_are_refused(counts, match):
    certificate = pc.Certificate(4, 2)
    certificate.update(np.full((4, 2), 10), MEANS)
    with pytest.raises(ValueError, match=match):
        certificate.update(counts, MEANS)


# Of 300 experiments that err at a rate of 0.4 or more, more than 75 + 30 err with probability 0.99.
@pytest.mark.statistical
@pytest.mark.slow
def test_statements_are_right_when_the_choice_of_pairs_depends_on_the_data():
    delta, errors, decided = 0.25, 0, 0
    optimal = pc.pareto_set(MEANS)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        counts, sums = np.zeros((4, 2), int), np.zeros((4, 2))
        certificate = pc.Certificate(4, 2, delta)
        for step in range(12):
            averages = sums / np.maximum(counts, 1)
            greedy = np.exp(2 * averages) * rng.uniform(0.2, 1.0, (4, 2))
            more = 1 + rng.multinomial(25 * 2 ** (step // 2), (greedy / greedy.sum()).ravel())
            more = more.reshape(4, 2)
            sums += more * MEANS + np.sqrt(more) * rng.standard_normal((4, 2))
            counts += more
            certificate.update(counts, sums / counts)
        inside = (certificate.boxes[..., 0] <= MEANS) & (MEANS <= certificate.boxes[..., 1])
        wrong = set(certificate.optimal) - set(optimal) or set(certificate.dominated) & set(optimal)
        errors += bool(wrong) or not inside.all()
        decided += certificate.open.size < 4
    assert decided > 200
    assert binomtest(errors, 300, delta, alternative="greater").pvalue > 0.01


def test_the_test_of_the_noise_looks_at_each_objective_by_itself():
    squares = np.array([[9.0, 300.0], [14.0, 60.0], [3.0, 0.0]])
    counts = np.array([[10, 40], [16, 20], [4, 0]])
    both = variance_test(counts, squares)
    for c in range(2):
        alone = variance_test(counts[:, c], squares[:, [c]])
        assert both.log_evidence[c] == alone.log_evidence[0]
        assert both.ratios[c] == alone.ratios[0] and both.arms[c] == alone.arms[0]
    assert both.is_refuted.tolist() == [False, True]
    assert not variance_test([[50, 1], [50, 1]], [[40.0, 0.0], [40.0, 0.0]]).is_telling
