"""Instances: what they hold, and what they refuse."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from pareto_core import Instance, Polyhedron, load_instance, orthant
from pareto_core.instances.generators import random_gaussian

MEANS = [[1.0, 2.0], [3.0, 8.0], [5.0, 4.0]]


def test_defaults_are_unit_variance_and_numbered_names():
    instance = Instance(MEANS)
    np.testing.assert_array_equal(instance.means, MEANS)
    np.testing.assert_array_equal(instance.variance, [1, 1])
    assert instance.labels == ("arm 0", "arm 1", "arm 2")
    assert instance.objectives == ("objective 1", "objective 2")
    assert (instance.n_arms, instance.n_objectives) == (3, 2)
    assert instance.pareto_set.tolist() == [1, 2]


def test_arrays_are_frozen_copies():
    given = np.array(MEANS)
    instance = Instance(given, covariance=given[:2, :2] * np.eye(2))
    given[0, 0] = 99
    assert instance.means[0, 0] == 1
    for array in (instance.means, instance.variance, instance.covariance):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        instance.name = "other"


def test_whitening_divides_by_the_standard_deviation():
    instance = Instance(MEANS, variance=[4.0, 0.25], name="three", labels=list("abc"))
    np.testing.assert_array_equal(instance.means_standardised, [[0.5, 4], [1.5, 16], [2.5, 8]])
    white = instance.standardised()
    np.testing.assert_array_equal(white.means, instance.means_standardised)
    np.testing.assert_array_equal(white.variance, [1, 1])
    assert (white.name, white.labels) == ("three", ("a", "b", "c"))
    assert "standard deviation" in white.provenance


def test_whitening_keeps_the_constrained_answer():
    rng = np.random.default_rng(4)
    for _ in range(50):
        d = int(rng.integers(1, 5))
        A = rng.standard_normal((3, d))
        region = Polyhedron(A, A @ rng.standard_normal(d) + 0.5)
        instance = dataclasses.replace(
            random_gaussian(8, d, rng), variance=rng.uniform(0.01, 9, d), polyhedron=region
        )
        white = instance.standardised()
        inside = region.contains(instance.means)
        assert white.polyhedron.contains(white.means).tolist() == inside.tolist()
        optimal = instance.constrained_pareto_set.tolist()
        assert white.constrained_pareto_set.tolist() == optimal
        assert (white.variance == 1).all()
        # distances in units of the noise: to each facet the mean, over the facet's deviation
        lengths = np.linalg.norm(A * np.sqrt(instance.variance), axis=1)
        rooms = ((region.b - instance.means @ A.T) / lengths).min(axis=1)
        distance = white.polyhedron.boundary_distance(white.means)
        np.testing.assert_allclose(distance[inside], rooms[inside])
    assert load_instance("cov_boost").standardised().polyhedron is None


TWO_BY_TWO = r"(?s)^covariance = .*of shape \(2, 2\), .* shape \(3, 2, 2\)"
REFUSED = [
    ({"labels": ["a", "b", "a"]}, "labels has the name 'a' twice; expected distinct names"),
    ({"objectives": ["u", "u"]}, "objectives has the name 'u' twice; expected distinct names"),
    ({"labels": ["one", "two"]}, "expected 3 names"),
    ({"objectives": ["only"]}, "expected 2 names"),
    *(
        ({name: value}, f"^{name} = .*expected")
        for name, value in (
            ("labels", "abc"),
            ("labels", [1, 2, 3]),
            ("objectives", [None, None]),
            ("name", 5),
            ("provenance", None),
        )
    ),
    *(
        ({"variance": value}, "^variance")
        for value in (
            [1.0],
            [1.0, 0.0],
            [1.0, np.nan],
            [1.0, np.inf],
            2.0,
            "x",
            -np.ones((3, 2)),
        )
    ),
    ({"noise": "triangular"}, "noise = 'triangular'"),
    ({"noise": "pool"}, "noise = 'pool'"),
    ({"noise": "bernoulli"}, "Bernoulli"),
    ({"observations": [[[1.0, 2.0]]] * 3}, "noise = 'gaussian'"),
    ({"features": np.ones((2, 4))}, "features has 2 rows; expected 3"),
    *(
        ({"polyhedron": region}, "^polyhedron")
        for region in (orthant([0.0]), "x >= 0", ([[1.0, 0.0]], [1.0]))
    ),
    *(
        ({"covariance": value}, TWO_BY_TWO)
        for value in (
            np.eye(3),
            [1.0, 1.0],
            np.ones((2, 2)),
            np.diag([1.0, 0.0]),
            np.eye(2) + np.eye(2, k=1),
            [[1.0, 2.0], [2.0, 1.0]],
            np.array([np.eye(2)] * 2),
            np.array([np.eye(2), -np.eye(2), np.eye(2)]),
            np.array([np.eye(2)] * 3) + np.triu(np.ones((2, 2)), 1),
        )
    ),
    ({"covariance": np.full((2, 2), np.nan)}, r"covariance\[0, 0\] = nan"),
    ({"covariance": "x"}, "covariance = 'x'; expected real numbers"),
    ({"covariance": np.eye(2), "variance": [2.0, 1.0]}, "variance and covariance are both"),
    ({"covariance": np.eye(2), "noise": "uniform"}, "covariance for uniform noise"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_an_instance_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        Instance(MEANS, **arguments)


@pytest.mark.parametrize("observations", [None, 5, [], [[[1.0]]], "ab", [[1.0], [2.0]]])
def test_invalid_observations_are_refused(observations):
    with pytest.raises(ValueError, match=r"^observations"):
        Instance.from_observations(observations)


def test_recorded_rewards_have_their_own_columns_and_covariance():
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": [10.0, 20.0]})
    with pytest.raises(ValueError, match=r"^observations have the columns"):
        Instance.from_observations([frame[["x", "y"]], frame[["y", "x"]]])
    with pytest.raises(ValueError, match=r"^covariance for pool noise"):
        Instance.from_observations([np.eye(3), np.ones((2, 3))], covariance=np.eye(3))


def test_observations_are_of_the_arms_and_have_their_means():
    groups = [[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0]]]
    instance = Instance([[2.0, 3.0], [0.0, 1.0]], noise="pool", observations=groups)
    assert (instance.variance == Instance.from_observations(groups).variance).all()
    for means in ([[2.0, 3.0], [0.0, 1.1]], [[2.0, 3.0]] * 3, [[2.0], [0.0]]):
        with pytest.raises(ValueError, match=r"^means of shape .*expected the means of the obs"):
            Instance(means, noise="pool", observations=groups)


def test_the_constrained_pareto_set_needs_a_polyhedron():
    with pytest.raises(ValueError, match=r"^polyhedron = None"):
        _ = Instance([[1.0, 0.0], [0.0, 1.0]]).constrained_pareto_set


def test_the_representation_is_a_few_lines():
    instance = Instance(np.zeros((1000, 2)), name="many", objectives=["gain", "loss"])
    assert repr(instance).splitlines() == [
        "<Instance 'many': 1000 arms, 2 objectives, gaussian noise",
        " arms: arm 0, arm 1, arm 2, arm 3, arm 4, arm 5, ...",
        " objectives: gain, loss",
        " provenance: 'given by the caller'>",
    ]
