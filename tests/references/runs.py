"""Simulations without a display of their progress, beside others, sessions and plain loops."""

import numpy as np

from pareto_core import simulate
from pareto_core.loop.record import observe
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


def follow(algorithm, loop, rewards, most, every=None, **arms):
    """Compare a session with a plain loop, on ``rewards(arm)``, sample by sample.

    Where rounding decides between arms, the loop follows the session, which stops at ``most``
    samples if it has not finished before. Answers are compared then, and ``every`` so many samples.
    """
    deviation = None if algorithm.noise.is_stated else 1.0
    session = Session(algorithm, loop.n_arms, loop.d, deviation, **arms)
    while not session.finished and session.samples < most:
        arm = session.ask()
        assert arm in loop.arms()
        reward = np.asarray(rewards(arm), float)
        session.tell(arm, reward)
        loop.observe(arm, reward)
        assert session.finished == loop.finished
        if every and session.samples % every == 0:
            assert plain(session._state.run.answer()) == loop.answer()
    assert plain(session._state.run.answer()) == loop.answer()
    return session


def follow_run(algorithm, problem, loop, means, rng, most):
    """Compare a run with a plain loop on rewards around ``means``, as `follow` does a session."""
    run = algorithm.begin(problem, rng)
    means = means.reshape(len(run.record.counts), -1)
    for _ in range(most):
        arm, number = run.select()
        assert arm in loop.arms() and number == 1
        reward = means[arm] + 0.5 * rng.standard_normal(means.shape[1])
        observe(run.record, arm, 1, reward, np.zeros(reward.size))
        loop.observe(arm, reward)
        stops = loop.finished
        assert run.stop() == stops
        if stops:
            break
    assert plain(algorithm.question.read(run.answer())) == loop.answer()
    return run


def plain(answer):
    """Arms of an answer as lists."""
    if isinstance(answer, tuple):
        return tuple(part.tolist() for part in answer)
    return answer.tolist()
