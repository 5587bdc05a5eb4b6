"""How often simulated runs are wrong, against the risk that is promised."""

import numpy as np

from pareto_core import simulate


def assert_rarely_wrong(algorithm, instances, runs, is_right=None, **settings):
    """Make runs on each instance, of which at most the share delta may stop with a wrong answer.

    An answer is right if it is correct, or ``is_right(instance, arms)``. All runs have to stop
    unless a ``max_samples`` cuts some off; returns how many did.
    """
    errors = stopped = 0
    for seed, instance in enumerate(instances):
        found = simulate(algorithm, instance, runs, seed, progress=False, **settings)
        assert found.stopped.all() or "max_samples" in settings
        right = found.correct
        if is_right is not None:
            right = np.array([is_right(instance, np.flatnonzero(each)) for each in found.answers])
        errors += int((found.stopped & ~right).sum())
        stopped += int(found.stopped.sum())
    assert errors <= algorithm.delta * stopped
    return stopped
