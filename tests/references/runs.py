"""Simulations without a display of their progress, beside others, sessions and plain loops."""

import numpy as np

from pareto_core import Instance, simulate
from pareto_core.simulation.runs import run_generator
from pareto_lab import Session

COLUMNS = ("samples", "correct", "stopped", "pulls", "means", "answers")


def run_quietly(algorithm, instance, runs=1, **settings):
    return simulate(algorithm, instance, runs, progress=False, **settings)


def assert_same_runs(found, expected):
    """The first runs that were found are the expected ones, to the last bit."""
    for column in COLUMNS:
        result, reference = getattr(found, column), getattr(expected, column)
        assert result.dtype == reference.dtype
        np.testing.assert_array_equal(result[: len(reference)], reference)


def assert_is_the_plain_loop(algorithm, means, plain, run, most=10**9):
    """Follow a session with a plain loop, and check that a simulation draws the same run.

    Where rounding decides between arms, the plain loop follows the session.
    """
    means = np.array(means)
    n_arms, d = means.shape
    session, rng = Session(algorithm, n_arms, d, 1.0), run_generator(5, run)
    while not session.finished and session.samples < most:
        arm = session.ask()
        assert arm in plain.arms()
        reward = means[arm] + [rng.standard_normal() for _ in range(d)]
        session.tell(arm, reward)
        plain.observe(arm, reward)
        assert session.finished == plain.finished
    runs = run_quietly(algorithm, Instance(means), run + 1, seed=5, max_samples=most)
    assert runs.samples[run] == session.samples
    assert runs.pulls[run].tolist() == plain.counts.tolist()
    found = algorithm.question.read(runs.answers[run])
    assert found.tolist() == session.recommendation.tolist() == plain.answer()
