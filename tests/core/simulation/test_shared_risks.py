"""Runs at several risks that share their samples are those at each risk alone."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.rivals import FrankWolfe
from pareto_core.instances import generators
from pareto_core.simulation.runs import simulate, simulate_deltas

DELTAS = [0.1, 1e-2, 1e-4]
RUNS = 10
ALGORITHMS = [
    pc.TrackAndStop(),
    pc.TrackAndStop(threshold="proven"),
    pc.TrackAndStop(threshold="proven_correlated"),
    pc.UniformSampling(),
    pc.UniformSampling(threshold="proven"),
    pc.TopTwoIDS(),
    pc.TopTwoIDS(threshold="proven"),
    pc.TopTwoIDS(threshold="proven_correlated"),
    FrankWolfe(threshold="proven"),
    pc.Certified(pc.TrackAndStop()),
    pytest.param(pc.Certified(pc.TopTwoIDS()), marks=pytest.mark.thorough),
    pc.Certified(pc.APE()),
]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
def test_runs_at_several_risks_are_those_at_each_risk(algorithm):
    instance = generators.one_dominates_all(6)
    if not algorithm.sampling_ignores_delta:
        with pytest.raises(ValueError, match="does not depend on delta"):
            simulate_deltas(algorithm, instance, DELTAS, 1)
        return
    shared = simulate_deltas(algorithm, instance, DELTAS, RUNS, progress=False)
    for delta, runs in zip(DELTAS, shared, strict=True):
        alone = simulate(algorithm.with_delta(delta), instance, RUNS, progress=False)
        np.testing.assert_array_equal(runs.pulls, alone.pulls)


def test_sampling_aimed_at_a_proof_depends_on_the_risk():
    """It stops looking for a lack of evidence where there is less than ln(1/delta)."""
    algorithm = pc.TopTwoIDS(threshold="proven")
    assert not algorithm.sampling_ignores_delta
    assert pc.TopTwoIDS().sampling_ignores_delta
