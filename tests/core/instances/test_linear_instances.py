"""Instances whose means are linear in features, and the data they are fitted to."""

import numpy as np
import pytest
from references import pareto as reference

from pareto_book.studies.linear_bounds import gap_complexity
from pareto_core import gaps, load_instance, pareto_set
from pareto_core.instances.datasets import read_table
from pareto_core.instances.generators import linear_family

LINEARISED = ("noc", "energy_efficiency", "energy_efficiency_reversed", "snw_linearised")
MEASURED = {  # and the number of Pareto optimal arms in the data
    "noc_misspecified": 19,
    "energy_efficiency_misspecified": 2,
    "energy_efficiency_reversed_misspecified": 3,
}


def fit(features, values):
    return features @ np.linalg.lstsq(features, values, rcond=None)[0]


@pytest.mark.parametrize("name", LINEARISED)
def test_means_of_linear_instances_are_linear_in_the_features(name):
    instance = load_instance(name)
    np.testing.assert_allclose(fit(instance.features, instance.means), instance.means, atol=1e-9)
    np.testing.assert_array_equal(instance.variance, [0.25, 0.25])
    assert instance.name == name
    assert "linear fit" in instance.provenance
    assert len(set(instance.labels)) == instance.n_arms


def test_noc_is_the_instance_of_the_authors_notebook():
    instance = load_instance("noc")
    assert instance.pareto_set.tolist() == [0, 140, 164, 180]
    linear, whole = gap_complexity(instance.means, 4), gap_complexity(instance.means)
    assert round(linear.h2, 2) == 1780.25
    assert round(linear.h1, 1) == 1973.8
    assert round(whole.h1, 1) == 3993.6
    np.testing.assert_allclose(np.linalg.norm(instance.features, axis=1), 1)
    assert instance.labels[2] == "width 3, complexity 1, fifo 2, multiplier 100"


def test_noc_is_fitted_to_the_data():
    data = read_table("noc")
    features = data[:, :4] / np.linalg.norm(data[:, :4], axis=1, keepdims=True)
    instance = load_instance("noc")
    np.testing.assert_array_equal(instance.features, features)
    np.testing.assert_allclose(instance.means, -fit(features, data[:, 4:]), atol=1e-10)
    np.testing.assert_array_equal(load_instance("noc_misspecified").means, -data[:, 4:])


def test_energy_efficiency_is_fitted_to_the_data():
    data = read_table("energy_efficiency")
    features = data[:, :8] / np.linalg.norm(data[:, :8], axis=1, keepdims=True)
    low, high = load_instance("energy_efficiency"), load_instance("energy_efficiency_reversed")
    np.testing.assert_array_equal(low.features, features)
    np.testing.assert_allclose(low.means, -fit(features, data[:, 8:]), atol=1e-7)
    np.testing.assert_array_equal(low.means, -high.means)
    for name, sign in (
        ("energy_efficiency_misspecified", -1),
        ("energy_efficiency_reversed_misspecified", 1),
    ):
        np.testing.assert_array_equal(load_instance(name).means, sign * data[:, 8:])
    assert low.objectives == ("negative heating load", "negative cooling load")
    assert high.objectives == ("heating load", "cooling load")


def test_buildings_have_eight_features_in_seven_dimensions():
    features = load_instance("energy_efficiency").features
    assert features.shape == (768, 8)
    assert np.linalg.matrix_rank(features) == 7
    assert len(np.unique(features, axis=0)) == 768


def test_snw_linearised_is_fitted_to_the_data():
    data = read_table("snw")
    features = np.column_stack([np.ones(len(data)), data[:, :3]])
    instance = load_instance("snw_linearised")
    np.testing.assert_array_equal(instance.features, features)
    np.testing.assert_allclose(instance.means, fit(features, data[:, 3:] * [-1, 1]), atol=1e-6)


@pytest.mark.parametrize(("name", "optimal"), MEASURED.items())
def test_measured_data_have_the_front_of_the_data(name, optimal):
    instance = load_instance(name)
    assert instance.pareto_set.tolist() == reference.pareto_set(instance.means)
    assert len(instance.pareto_set) == optimal
    assert "as measured" in instance.provenance


@pytest.mark.parametrize("seed", range(5))
def test_linear_family_leaves_the_smallest_gaps_alone(seed):
    theta = -np.random.default_rng(seed).random((6, 3))
    instance = linear_family(theta, 60, np.random.default_rng(seed), [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(instance.features[:6], np.eye(6))
    np.testing.assert_allclose(instance.means, instance.features @ theta)
    np.testing.assert_allclose(np.linalg.norm(instance.features, axis=1), 1)
    assert (instance.features >= 0).all()
    assert len(np.unique(instance.features, axis=0)) == 60
    gap = reference.gaps(instance.means, 1.0)
    np.testing.assert_allclose(gap[:6], reference.gaps(theta, 1.0))
    assert gap[6:].min() >= gap[:6].max()
    np.testing.assert_array_equal(instance.variance, [1.0, 2.0, 3.0])


def test_linear_family_grows_by_adding_arms():
    theta = -np.random.default_rng(1).random((4, 2))
    small = linear_family(theta, 10, np.random.default_rng(2))
    large = linear_family(theta, 30, np.random.default_rng(2))
    np.testing.assert_array_equal(large.means[:10], small.means)
    assert linear_family(theta, 4, np.random.default_rng(2)).n_arms == 4
    np.testing.assert_array_equal(small.variance, [1.0, 1.0])


def test_linear_family_refuses_candidates_that_make_it_harder(monkeypatch):
    monkeypatch.setattr("pareto_core.instances.generators.REJECTIONS", 50)
    rising = np.array([[1.0, 0.0], [0.0, 1.0]])  # all positive combinations lie above them
    with pytest.raises(ValueError, match=r"(?s)^means = .*\(2 of 3 found\)"):
        linear_family(rising, 3, np.random.default_rng(0))
    assert gaps(rising).tolist() == [1.0, 1.0]
    assert pareto_set(rising).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("means", "n_arms", "message"),
    [
        ([[0.0, 1.0]], 3, "means has shape"),
        ([[0.0, np.nan], [1.0, 0.0]], 3, r"means\[0, 1\] = nan"),
        ([[0.0, 1.0], [1.0, 0.0]], 1, "n_arms = 1; expected an integer, at least 2"),
    ],
)
def test_linear_family_checks_its_input(means, n_arms, message):
    with pytest.raises(ValueError, match=message):
        linear_family(means, n_arms, np.random.default_rng(0))
