"""Forced samples must be added to the targets."""

import numpy as np
import pytest

from pareto_book.chapters.one_rule.any_positive import FORCED, SHARES, counts_of_runs

MEANS = np.concatenate([[1.0, 1.6], np.full(20, -1.0)])


@pytest.mark.slow
def test_targets_without_the_forced_samples_keep_the_best_arm_waiting():
    waiting = {}
    for version in (FORCED, SHARES):
        counts = counts_of_runs(MEANS, 10_000, runs=40, version=version)
        waiting[version] = (counts[:, 1] <= np.sqrt(10_000) - 11 + 1).sum()
    assert waiting[FORCED] == 0
    assert waiting[SHARES] >= 2
