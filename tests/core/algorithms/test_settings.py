"""Hyper-parameters: what an algorithm states of itself makes it again, and what it refuses."""

import dataclasses
import inspect
import json
import re

import numpy as np
import pytest
from golden import runs
from references.algorithms import example_of

import pareto_core as pc
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.loop.algorithm import describe


@dataclasses.dataclass(frozen=True)
class Step:
    """A parameter of a reader's own."""

    length: float


@dataclasses.dataclass(frozen=True)
class Mine(pc.Algorithm):
    """An algorithm with a parameter that is a dataclass, and a field that is no parameter."""

    step: Step
    twice: float = dataclasses.field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "twice", 2 * self.step.length)


ALGORITHMS = {repr(algorithm): algorithm for algorithm, _, _ in runs.cases()}.values()


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, Mine(Step(0.5))], ids=repr)
def test_hyper_parameters_are_arguments_of_the_constructor(algorithm):
    again = type(algorithm)(**algorithm.hyper_parameters())
    assert again == algorithm
    assert repr(again) == repr(algorithm)


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=repr)
def test_hyper_parameters_survive_a_file(algorithm):
    if not isinstance(algorithm, pc.Certified):  # which holds an algorithm, see sessions
        read = json.loads(json.dumps(algorithm.hyper_parameters(), default=describe))
        assert type(algorithm)(**read) == algorithm


BEST = "best_arm_per_objective"
NOT_POSITIVE = (0, -1.0, np.inf, np.nan, "1", True)
NEGATIVE = (-0.1, np.inf, np.nan, "0", None, False)
NO_COUNT = (0, -1, 1.5, "1", True)
NO_FLAG = (0, 1, "False", None)
NO_WORD = ("", "no such word", None, 1, True)
WRONG = {
    "delta": (0, 1, -0.1, 2, np.nan, np.inf, "0.1", None, True),
    "prior_samples": (-1, 0.5, "1", None, True),
    **dict.fromkeys(["norm_variance_bound", "variance_bound"], NOT_POSITIVE),
    **dict.fromkeys(["radius_constant", "tolerance"], (*NOT_POSITIVE, None)),
    **dict.fromkeys(["epsilon", "eta"], NEGATIVE),
    **dict.fromkeys(["budget", "iterations", "k"], NO_COUNT),
    **dict.fromkeys(["alternative_every", "batch", "check_every"], (*NO_COUNT, None)),
    **dict.fromkeys(["gradient_every", "initial", "round_length"], (*NO_COUNT, None)),
    **dict.fromkeys(["accumulate", "explained"], NO_FLAG),
    **dict.fromkeys(["linear", "sample_blockers", "warm_start"], NO_FLAG),
    **dict.fromkeys(["bonus", "boundary", "count", "leader", "lengths", "optimism"], NO_WORD),
    "exploration": ("", "no such word", 1, True),
    **dict.fromkeys(["pairs", "problem", "pull", "radius", "rounding", "rule"], NO_WORD),
    **dict.fromkeys(["schedule", "threshold", "tracking", "variance"], NO_WORD),
}
OTHERWISE = {"algorithm", "bounds", "costs"}  # refused in the tests of their algorithms
PARAMETERS = [
    (kind, name)
    for kind in algorithms_by_name().values()
    for name in inspect.signature(kind).parameters
    if name not in OTHERWISE and (kind, name) != (pc.Certified, "epsilon")
]


@pytest.mark.parametrize(("kind", "name"), PARAMETERS)
def test_a_value_of_another_type_or_range_is_refused(kind, name):
    for value in WRONG[name]:
        with pytest.raises(ValueError, match=f"^{name} = {re.escape(repr(value))}; expected"):
            example_of(kind, **{name: value})


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (pc.EGE, {"budget": None}, "budget = None; expected an integer"),
        (pc.EGE, {"budget": 9, "schedule": "reject", "accumulate": False}, "accumulate = False"),
        (pc.RacingCover, {"epsilon": 0}, "epsilon = 0; expected a number above 0"),
        (pc.TopTwoIDS, {"problem": BEST, "threshold": "proven_correlated"}, "threshold = "),
        (pc.TopTwoIDS, {"linear": True, "problem": "partition"}, "problem = 'partition'"),
        (pc.TopTwoIDS, {"linear": True, "threshold": "proven"}, "threshold = 'proven'"),
        (pc.TopTwoIDS, {"linear": True, "exploration": "evidence"}, "exploration = 'evidence'"),
        (pc.TopTwoIDS, {"linear": True, "threshold": "mixture"}, "threshold = 'mixture'"),
        (pc.SeparateTopTwo, {"threshold": "proven_correlated"}, "threshold = 'proven_corr.* exp"),
        (pc.SeparateTopTwo, {"threshold": ["proven"]}, "threshold = .* expected"),
        (pc.SeparateTopTwo, {"problem": "constrained_pareto_set"}, "problem = 'constrained"),
        (pc.TrackAndStop, {"tracking": "C", "costs": (1.0, 2.0)}, "costs = .* tracking 'C'"),
        (pc.UniformSampling, {"budget": 9, "costs": (1.0, 2.0)}, "costs = .* with a budget"),
        (pc.UniformSampling, {"budget": 9, "threshold": "proven"}, "threshold = .* with a budget"),
        (
            pc.TopTwoIDS,
            {"budget": 9, "costs": (1.0, 2.0)},
            r"costs = \(1\.0, 2\.0\); expected None",
        ),
        (pc.TopTwoIDS, {"budget": 9, "threshold": "proven"}, "threshold = 'proven' with a budget"),
        *(
            (kind, {"costs": costs}, "costs")
            for kind in (pc.TopTwoIDS, pc.TrackAndStop, pc.UniformSampling, pc.SeparateTopTwo)
            for costs in ((1.0, 0.0), (1.0, -1.0), (1.0, np.nan), "ab", [])
        ),
        *((kind, {"costs": ((1.0, 2.0),)}, "costs") for kind in (pc.TopTwoIDS, pc.TrackAndStop)),
        (pc.SeparateTopTwo, {"costs": 1.0}, "costs = 1.0"),
        (pc.WidestBox, {"costs": 1.0}, "costs = 1.0"),
        (pc.WidestBox, {"costs": (1.0, 0.0)}, "costs = "),
        *(
            (pc.WidestBox, {"bounds": bounds}, "bounds = ")
            for bounds in ((1.0, 0.0), (0.0, 0.5, 1.0), 1.0, ((0.0, 1.0), (2.0, 2.0)))
        ),
    ],
)
def test_settings_that_do_not_go_together_are_refused(kind, settings, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        kind(**settings)
