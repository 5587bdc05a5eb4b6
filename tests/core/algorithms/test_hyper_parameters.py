"""What an algorithm states of itself makes it again."""

import json

import pytest
from references.algorithms import example_of

import pareto_core as pc
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.loop.algorithm import describe

ALGORITHMS = [
    *map(example_of, algorithms_by_name().values()),
    pc.Certified(pc.APE(k=1), rule="pairs", epsilon={"x": 0.1, "y": 0.2}),
    pc.TopTwoIDS(costs=[1.0, 2.0]),
    pc.WidestBox(bounds=[(0, 1), (0, 2)]),
]


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=repr)
def test_hyper_parameters_are_arguments_of_the_constructor(algorithm):
    assert type(algorithm)(**algorithm.hyper_parameters()) == algorithm
    if not isinstance(algorithm, pc.Certified):  # which holds an algorithm, see sessions
        read = json.loads(json.dumps(algorithm.hyper_parameters(), default=describe))
        assert type(algorithm)(**read) == algorithm
