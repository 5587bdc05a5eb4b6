"""Entries of MO-BAI's buffer: the adverse rewards exceed 1, and nothing exceeds the bound."""

import numpy as np

from pareto_book.chapters.chen2024 import buffer
from pareto_book.chapters.chen2024.evidence import random_means
from pareto_book.chapters.chen2024.steps import mobai_steps


def test_the_bound_is_a_harmonic_sum():
    assert np.isclose(buffer.buffer_bound(3), 1 / 2 + 1 / 3)
    assert buffer.buffer_bound(100) < np.log(100)


def test_adverse_rewards_exceed_one_but_not_the_bound():
    assert 1 < buffer.largest_adverse_entry(30, samples=300) < buffer.buffer_bound(30)


def test_random_instances_keep_the_bound():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        means = random_means(rng, (3, 12))
        found = mobai_steps(means, 0.5, len(means) + 100, rng)
        # An entry is at least -1, so the largest size may be 1 where the bound is smaller.
        assert found.largest_entry <= max(1, buffer.buffer_bound(len(means)))
