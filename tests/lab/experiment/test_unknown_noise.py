"""Sessions with unknown noise."""

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_core.simulation.statistics import rate_interval

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])


def session_of(algorithm=None, **options):
    algorithm = pc.TrackAndStop(delta=0.05) if algorithm is None else algorithm
    return lab.Session(algorithm, 3, 2, standard_deviation="unknown", **options)


def tell_until_finished(session, rng, deviation, most=5000):
    while not session.finished and session.samples < most:
        arm = session.ask()
        session.tell(arm, rng.normal(MEANS[arm], deviation))
    return session


def test_an_algorithm_that_needs_the_noise_is_certified():
    algorithm = session_of().algorithm
    assert algorithm == pc.Certified(pc.TrackAndStop(delta=0.05), 0.05, variance="unknown")
    own = pc.Certified(pc.APE(), 0.01, variance="unknown")
    assert session_of(own).algorithm == own
    assert session_of(pc.EGE(budget=60)).algorithm == pc.EGE(budget=60)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("deviation", [0.2, 1.0])
def test_answers_are_right_for_any_noise(deviation):
    wrong = 0
    for seed in range(12):
        session = tell_until_finished(session_of(), np.random.default_rng(seed), deviation)
        assert session.finished
        wrong += session.recommendation.tolist() != [0, 1]
    assert rate_interval(wrong, 12)[0] <= 0.05
