"""Simulations on ties, which no number of samples decides."""

import dataclasses

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.simulation.preparation import prepare


class InTurn(pc.PythonAlgorithm):
    """A rule of the reader, whose ``delta`` may mean anything."""

    def __init__(self, delta=0.1):
        self.delta = delta


TIED = pc.Instance([[1.0, 0.0], [1.0, 0.0], [-1.0, -1.0]], features=np.eye(3))
TIED_IN_A_REGION = dataclasses.replace(TIED, features=None, polyhedron=pc.orthant([-9.0, -9.0]))
RECORDED = pc.Instance.from_observations([np.full((9, 2), each) for each in (1.0, 1.0, 0.0)])


@pytest.mark.parametrize(
    "algorithm",
    [
        pc.TrackAndStop(),
        pc.TopTwoIDS(threshold="proven"),
        pc.Racing(),
        pc.MOBAI(),
        pc.Certified(pc.APE(epsilon=0.5)),
        pc.GEGE(),
    ],
    ids=repr,
)
def test_ties_that_keep_each_run_from_stopping_are_refused(algorithm):
    with pytest.raises(ValueError, match=r"^instance = .* has ties .* expected a limit max_s"):
        pc.simulate(algorithm, TIED, 1)


@pytest.mark.parametrize(
    "algorithm", [pc.GameCPSI(), pc.ECAPE(), pc.TopTwoIDS(problem="partition")]
)
def test_ties_among_feasible_arms_are_refused(algorithm):
    with pytest.raises(ValueError, match=r"^instance = .* has ties"):
        pc.simulate(algorithm, TIED_IN_A_REGION, 1)


@pytest.mark.parametrize(
    ("algorithm", "instance", "most"),
    [
        (pc.TrackAndStop(), TIED, 50),
        (pc.APE(variance_bound=1.0), RECORDED, 10**9),
        (pc.EGE(budget=30), TIED, 10**9),
        (pc.UniformSampling(budget=30), TIED, 10**9),
        (pc.APE(epsilon=1.0), TIED, 10**9),
        (pc.APE(k=1), TIED, 10**9),
        (pc.Certified(pc.APE(), epsilon=1.0), TIED, 10**9),
        (pc.RacingCover(epsilon=1.0, variance_bound=1.0), TIED, 10**9),
        (InTurn(), TIED, 10**9),
    ],
)
def test_ties_are_not_refused_where_runs_end(algorithm, instance, most):
    prepare([algorithm], instance, most)
