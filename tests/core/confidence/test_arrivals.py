"""Arms that arrive: which martingales are fixed before the data."""

import numpy as np
import pytest
from references.martingales import log_mixture

from pareto_core.confidence.proven_rules import ADDITIONS, REMOVAL, SCALES
from pareto_core.simulation.statistics import rate_interval

DELTA, SIZE = 0.1, 400  # risk, and samples of each arm


def martingale(averages):
    """Lower bound on M of all arms that are optimal but one, by its bets on that one.

    The averages of this arm are those minus its means. An arm without samples dominates it.
    """
    bets = [np.exp(log_mixture(SIZE, averages, scale, REMOVAL)) for scale in SCALES]
    each = [((1 + bet).prod(axis=-1) - 1) / (2 ** averages.shape[-1] - 1) for bet in bets]
    return (1 - ADDITIONS) * np.mean(each, axis=0)


@pytest.mark.statistical
def test_a_newcomer_made_from_the_rewards_needs_new_rewards_of_every_arm():
    """All arms are optimal until the newcomer is made just above the luckiest one."""
    runs, rng, with_old, with_new = 400, np.random.default_rng(0), 0, 0
    for _ in range(runs):
        old, new = rng.standard_normal((2, 1000, 2)) / np.sqrt(SIZE)
        luckiest = martingale(old).argmax()
        with_old += martingale(old)[luckiest] >= 1 / DELTA
        with_new += martingale(new)[luckiest] >= 1 / DELTA
    assert rate_interval(with_old, runs)[0] > 2 * DELTA
    assert rate_interval(with_new, runs)[1] < DELTA


@pytest.mark.statistical
def test_a_newcomer_made_without_the_rewards_needs_no_new_rewards():
    runs, rng = 400, np.random.default_rng(1)
    found = [martingale(rng.standard_normal(2) / np.sqrt(SIZE)) >= 1 / DELTA for _ in range(runs)]
    assert rate_interval(sum(found), runs)[1] < DELTA
