"""What is sent to other processes arrives as it was."""

import pickle

import cloudpickle
import numpy as np
import pytest
from references.algorithms import example_of

from pareto_core import Instance, load_instance
from pareto_core.algorithms.registry import algorithms_by_name

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


def copies(value):
    yield cloudpickle.loads(cloudpickle.dumps(value))
    for protocol in PROTOCOLS:
        yield pickle.loads(pickle.dumps(value, protocol))


def assert_same_array(copy, array):
    assert copy.dtype == array.dtype
    assert copy.shape == array.shape
    assert copy.tobytes() == array.tobytes()
    assert copy.flags.writeable == array.flags.writeable
    assert copy.flags.aligned
    assert copy.flags.c_contiguous == array.flags.c_contiguous


def assert_same_instance(copy, instance):
    for field in ("means", "variance", "covariance", "features"):
        if getattr(instance, field) is not None:
            assert_same_array(getattr(copy, field), getattr(instance, field))
    for group, expected in zip(copy.observations or (), instance.observations or (), strict=True):
        assert_same_array(group, expected)
    for field in ("noise", "name", "labels", "objectives", "polyhedron", "provenance"):
        assert getattr(copy, field) == getattr(instance, field)


@pytest.mark.parametrize("kind", algorithms_by_name().values())
def test_a_pickled_algorithm_is_unchanged(kind):
    algorithm = example_of(kind)
    for copy in copies(algorithm):
        assert type(copy) is kind
        assert copy == algorithm
        assert copy.select is algorithm.select


@pytest.mark.parametrize(
    "instance",
    [
        *map(load_instance, ("secukinumab", "snw", "two_stage_hard(0.1)")),
        Instance([[0.1], [0.9]], noise="bernoulli", features=[[1.0, 0.0], [0.0, 1.0]]),
        Instance([[0.1], [0.9]], variance=[[0.0], [2.0]]),
        Instance([[0.1, 0.2], [0.9, 0.8]], covariance=[[2.0, 1.0], [1.0, 3.0]]),
        Instance.from_observations([np.eye(3), np.ones((2, 3))]),
    ],
)
def test_a_pickled_instance_is_unchanged(instance):
    for copy in copies(instance):
        assert_same_instance(copy, instance)
