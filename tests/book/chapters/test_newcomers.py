"""R's random numbers, a printed example of paretoinfer, and what the scripts of FraPPE maximise."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.newcomers import (
    RULE,
    RUniform,
    best_removal_time,
    losses,
    play,
    removal_costs,
)

PRINTED_BY_R = [0.2655087, 0.3721239, 0.5728534, 0.9082078]  # set.seed(1); runif(4)
SIX = pc.load_instance("six_arms").means


def test_the_numbers_are_those_of_r():
    assert RUniform(1)(4).round(7).tolist() == PRINTED_BY_R


def test_a_run_reproduces_a_printed_example_and_no_other_seed_does():
    pulls, cost = play(RULE, losses("six"), 0.1, RUniform(1))
    assert (pulls.sum(), pulls[1], cost) == (645, 175, 645.0)
    assert play(RULE, losses("six"), 0.1, RUniform(7))[0].tolist() != pulls.tolist()


def test_the_costs_are_those_of_moving_two_arms_together():
    cost = removal_costs(SIX, np.full(6, 1 / 6))
    lead = np.maximum(SIX[0] - SIX[3], 0)
    assert cost[0, 3] == pytest.approx((lead**2).sum() / 24)
    assert np.isinf(cost[[0, 1, 2], [0, 1, 2]]).all()


def test_where_only_removals_matter_it_is_the_characteristic_time():
    means = np.array([[1.0, 0.0], [0.0, 2.0]])
    assert best_removal_time(means) == pytest.approx(pc.characteristic_time(means).time, rel=1e-3)
