"""Trajectories: the run that a simulation makes, seen on the way."""

import numpy as np
import pytest

import pareto_core as pc

INSTANCE = pc.Instance([[0.6, 0.0], [0.0, 0.6], [-0.4, -0.4]], variance=[1.0, 4.0])
ALGORITHMS = [
    pc.TrackAndStop(),
    pc.Racing(round_length=7),
    pc.SeparateTopTwo(),
    pc.UniformSampling(budget=60),
]


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda each: type(each).__name__)
def test_a_trajectory_ends_where_the_simulated_run_ends(algorithm):
    runs = pc.simulate(algorithm, INSTANCE, 3, seed=4, progress=False)
    for run in range(3):
        found = pc.trajectory(algorithm, INSTANCE, [5, 20, 10**5], run, seed=4)
        np.testing.assert_array_equal(found.counts[-1], runs.pulls[run])
        scale = np.sqrt(INSTANCE.variance) if algorithm.noise.is_unit else 1.0
        np.testing.assert_allclose(found.means[-1] * scale, runs.means[run])
        assert found.times[-1] == runs.samples[run]


def test_a_trajectory_is_recorded_at_the_given_times():
    times = [3, 10, 11, 40]
    found = pc.trajectory(pc.TrackAndStop(delta=1e-9), INSTANCE, times)
    assert found.times.tolist() == times
    assert (np.diff(found.counts, axis=0) >= 0).all()
    later = pc.trajectory(pc.TrackAndStop(delta=1e-9), INSTANCE, [40])
    np.testing.assert_array_equal(found.counts[-1], later.counts[0])
    np.testing.assert_array_equal(found.scatter[-1], later.scatter[0])


def test_several_samples_at_once_are_not_split():
    found = pc.trajectory(pc.Racing(round_length=7), INSTANCE, [10])
    assert found.times[0] == 14


class Idle(pc.PythonAlgorithm):
    """Never asked for anything."""


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"times": []}, r"times = .*expected ascending whole numbers"),
        ({"times": [3, 2]}, "times = "),
        ({"times": [0]}, "times = "),
        ({"times": [1.5]}, "times = "),
        ({"times": [1e30]}, "times = "),
        ({"run": -1}, "run = -1"),
        ({"seed": -1}, "seed = -1"),
        ({"algorithm": Idle()}, "expected a compiled algorithm"),
        ({"algorithm": None}, "expected an Algorithm"),
    ],
)
def test_invalid_requests_are_refused(changed, match):
    request = {"algorithm": pc.TrackAndStop(), "instance": INSTANCE, "times": [5], **changed}
    with pytest.raises(ValueError, match=match):
        pc.trajectory(**request)
