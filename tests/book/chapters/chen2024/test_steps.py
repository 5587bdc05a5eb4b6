"""The plain loop of MO-BAI agrees with the algorithm of the package."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.chen2024.evidence import BEST
from pareto_book.chapters.chen2024.programs import surrogate_program
from pareto_book.chapters.chen2024.steps import averaged_programs, mobai_steps, noiseless_shares
from pareto_core.bounds.surrogate import surrogate_proportions

MEANS = np.array([[1.0, 0.1], [0.7, 1.2], [-0.5, -0.2]])


def test_the_loop_takes_the_samples_of_the_algorithm_up_to_ties():
    counts = 60 * mobai_steps(MEANS, 0.1, 60).shares[-1]
    by_package = 60 * noiseless_shares(pc.MOBAI(delta=1e-300), MEANS, 60)[-1]
    assert np.abs(counts - by_package).max() < 1.5


def test_a_different_relaxation_takes_other_samples():
    counts = 60 * mobai_steps(MEANS, 1.0, 60).shares[-1]
    by_package = 60 * noiseless_shares(pc.MOBAI(delta=1e-300), MEANS, 60)[-1]
    assert np.abs(counts - by_package).max() > 5


def test_the_averages_tend_to_the_best_shares():
    found = mobai_steps(MEANS, 1e-3, 800)
    best = pc.characteristic_time(MEANS, problem=BEST).weights
    assert np.allclose(found.averages[-1], best, atol=0.02)
    assert np.allclose(found.proportions.sum(axis=1), 1)


def test_more_programs_come_closer_to_the_best():
    reached = averaged_programs(MEANS, 200)
    assert reached[4] < reached[199] <= 1 + 1e-9
    assert reached[199] > 0.98


def test_scipy_solves_the_same_program():
    linprog = pytest.importorskip("scipy.optimize").linprog
    weights = np.array([0.5, 0.3, 0.2])
    theirs = linprog(**surrogate_program(MEANS, weights, 0.1))
    assert -theirs.fun == pytest.approx(surrogate_proportions(MEANS, weights, 0.1).value)
