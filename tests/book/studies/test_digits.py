"""The certified front of classifiers on digits."""

import itertools

import numpy as np
import pytest

from pareto_book.studies import digits
from pareto_core import Instance, WidestBox, simulate

MEANS = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0], [1.5, -0.5]])


def allowed_by_definition(answer, means, epsilon):
    def weakly(i, j, slack):
        return i != j and all(a >= b - slack for a, b in zip(means[i], means[j], strict=True))

    for k, is_in in enumerate(answer):
        better = [j for j in range(len(means)) if weakly(j, k, 0) and not weakly(k, j, 0)]
        if is_in and better:
            return False
        if not is_in and not any(weakly(j, k, epsilon) for j in range(len(means))):
            return False
    return True


def test_which_answers_the_tolerance_allows():
    for means in (MEANS, np.vstack([MEANS, MEANS[0]])):
        for answer in itertools.product([False, True], repeat=len(means)):
            for epsilon in (0.0, 0.6, 3.0):
                expected = allowed_by_definition(answer, means, epsilon)
                assert digits.is_allowed(np.array(answer), means, epsilon) == expected


@pytest.mark.compiled
def test_all_alike_takes_turns_and_stops_after_a_round():
    means = [[0.2, 0.8], [0.8, 0.2], [0.1, 0.1], [0.6, 0.1]]
    instance = Instance(means, [1e-3, 1e-3], "uniform")
    settings = {"delta": 0.1, "epsilon": 0.05, "bounds": (0.0, 1.0)}
    runs, adaptive = (
        simulate(kind(**settings), instance, 2, progress=False)
        for kind in (digits.AllAlike, WidestBox)
    )
    assert runs.stopped.all()
    assert runs.correct.all()
    assert (runs.pulls == runs.pulls[:, :1]).all()
    assert (adaptive.samples < runs.samples).all()
