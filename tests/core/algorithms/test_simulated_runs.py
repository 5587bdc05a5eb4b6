"""Simulated runs of every algorithm: those of sessions, in any unit, and cut off at any time."""

import numpy as np
import pytest
from references.algorithms import example_of
from references.gege import replayed

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.simulation.runs import run_generator

FEATURES = np.array([[1.0, 0.2], [0.1, 1.3], [-0.4, -0.6], [0.3, -0.5]])
REGION = pc.Polyhedron([[-1.0, 0.0], [1.0, 1.0]], [0.3, 2.5])
STATED = {"variance_bound": 0.5}
SETTINGS = {  # with which runs are short
    "EGE": {"budget": 40},
    "GameCPSI": {"check_every": 3},
    "RacingCover": {"epsilon": 0.7, "tolerance": 0.2},
    "SeparateTopTwo": {"check_every": 3},
    "TopTwoIDS": {"check_every": 3},
    "TrackAndStop": {"check_every": 2, "gradient_every": 3},
}
KINDS = {name: kind for name, kind in algorithms_by_name().items() if name != "WidestBox"}
ALGORITHMS = [example_of(kind, **SETTINGS.get(name, {})) for name, kind in KINDS.items()]
ALGORITHMS += [
    pc.APE(epsilon=0.1, pull="both", **STATED),
    pc.ECAPE(**STATED),
    pc.EGE(40, accumulate=False),
    pc.EGE(40, "reject"),
    pc.GEGE(budget=50, rounding="ceiling", variance_bound=0.1),
    pc.GEGE(delta=0.3, lengths="theory", epsilon=1.0),
    pc.Racing(epsilon=0.3, radius="hoeffding", **STATED),
    pc.Racing(epsilon=0.3, radius="iterated_logarithm", round_length=3),
    pc.RacingCP(**STATED),
    pc.RacingCover(epsilon=0.7, tolerance=0.2, **STATED),
    pc.TwoStage(**STATED),
]
IN_ARMS = [each for each in ALGORITHMS if each.samples == "arms"]


def instance_for(algorithm, scale=1.0, variance=None):
    """The instance in the units ``scale``, with what the algorithm reads."""
    scale = np.broadcast_to(scale, 2)
    return pc.Instance(
        2 * FEATURES * scale,
        scale**2 if variance is None else variance,
        features=FEATURES if "features" in algorithm.reads else None,
        polyhedron=REGION.divided_by(1 / scale) if "polyhedron" in algorithm.reads else None,
    )


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", IN_ARMS, ids=repr)
def test_a_simulation_draws_the_run_of_a_session(algorithm):
    variance = [0.5, 0.1] if algorithm.noise.is_stated or not algorithm.noise.is_unit else None
    instance = instance_for(algorithm, variance=variance)
    runs = pc.simulate(algorithm, instance, 4, seed=6, progress=False)
    session = replayed(algorithm, instance, run_generator(6, 3))
    assert runs.stopped.all()
    assert runs.samples[3] == session.samples
    assert runs.pulls[3].tolist() == session.pulls.tolist()
    expected = algorithm.question.read(runs.answers[3])
    assert all(map(np.array_equal, session.recommendation, expected))


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=repr)
def test_by_default_the_unit_of_the_rewards_does_not_matter(algorithm):
    if not algorithm.noise.is_stated:
        plain, scaled = (
            pc.simulate(algorithm, instance_for(algorithm, scale), 5, progress=False)
            for scale in (1.0, np.array([8.0, 0.25]) if algorithm.noise.is_unit else 8.0)
        )
        np.testing.assert_array_equal(plain.pulls, scaled.pulls)
        np.testing.assert_array_equal(plain.answers, scaled.answers)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", IN_ARMS, ids=repr)
def test_a_run_is_cut_off_at_any_time(algorithm):
    instance = instance_for(algorithm)
    for most in (1, 3, 4, 5, 7):
        runs = pc.simulate(algorithm, instance, 2, max_samples=most, progress=False)
        assert (runs.samples == most).all() and (runs.pulls.sum(axis=1) == most).all()
        assert not runs.stopped.any()
        assert not runs.correct.any()


READERS = [each for each in ALGORITHMS if {"features", "polyhedron"} & set(each.reads)]
READERS += [pc.TopTwoIDS(problem=each) for each in ("constrained_pareto_set", "partition")]


@pytest.mark.parametrize("algorithm", [*READERS, pc.TopTwoIDS(linear=True)], ids=repr)
def test_what_an_algorithm_reads_of_an_instance_is_required(algorithm):
    with pytest.raises(ValueError, match=r"^(features|polyhedron) = None; expected a"):
        pc.simulate(algorithm, pc.Instance(FEATURES), 1, progress=False)
    with pytest.raises(ValueError, match=r"^(features|polyhedron) = None; expected a"):
        lab.Session(algorithm, 4, 2, None if algorithm.noise.is_stated else 1.0)
    if "polyhedron" in algorithm.reads:
        with pytest.raises(ValueError, match=r"^polyhedron"):
            lab.Session(algorithm, 4, 2, None, polyhedron=pc.orthant([0.0]))
