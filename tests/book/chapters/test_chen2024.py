"""Runs without noise, on draws, and on the sorting networks, as the chapter uses them."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters import chen2024
from pareto_book.chapters.chen2024 import TOY


@pytest.mark.parametrize("seed", range(5))
def test_evidence_is_the_smallest_of_its_pairs(seed):
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((int(rng.integers(2, 7)), int(rng.integers(1, 4))))
    weights = rng.dirichlet(np.ones(len(means)))
    found = chen2024.pair_evidence(means, weights).min()
    assert found == pytest.approx(chen2024.evidence(means, weights))


@pytest.mark.parametrize("eta", [0.1, 1.0])
def test_the_proposals_without_noise_are_those_of_the_algorithm(eta):
    averages, _ = chen2024.mobai_averages(TOY, eta, 60)
    shares = chen2024.noiseless_shares(pc.MOBAI(1e-300, eta=eta), TOY, 59)[-1]
    assert np.abs(59 * (averages[-1] - shares)).max() < 1
