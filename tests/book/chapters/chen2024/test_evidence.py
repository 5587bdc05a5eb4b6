"""The evidence of the chapter is a minimum over pairs."""

import numpy as np
import pytest

from pareto_book.chapters.chen2024.evidence import (
    best_time,
    evidence,
    pair_evidence,
    random_means,
)

MEANS = np.array([[1.0, 0.1], [0.7, 1.2], [-0.5, -0.2]])


@pytest.mark.parametrize("seed", range(5))
def test_evidence_is_the_smallest_of_its_pairs(seed):
    rng = np.random.default_rng(seed)
    means = random_means(rng)
    weights = rng.dirichlet(np.ones(len(means)))
    assert pair_evidence(means, weights).min() == pytest.approx(evidence(means, weights))


def test_best_arms_have_no_evidence_against_themselves():
    infinite = np.isinf(pair_evidence(MEANS, np.ones(3)))
    assert np.argwhere(infinite).tolist() == [[0, 0], [1, 1]]


def test_two_arms_cost_eight_over_the_squared_gap():
    assert best_time(np.array([[0.5], [0.0]])) == pytest.approx(32)


def test_a_floor_costs_samples():
    assert best_time(MEANS) < best_time(MEANS, eta=1) <= 2 * best_time(MEANS)
