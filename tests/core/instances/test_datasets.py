"""Instances that are loaded by name: what they are, and where they come from."""

import re

import numpy as np
import pytest

from pareto_book import paths
from pareto_core import load_instance
from pareto_core.instances.datasets import MAKERS, read_table


def test_cov_boost_is_the_table_of_the_paper():
    instance = load_instance("cov_boost")
    assert instance.means.shape == (20, 3)
    # Crepon et al. 2024, Tables 2 and 3
    np.testing.assert_array_equal(instance.means[0], [9.5, 6.86, 4.56])
    np.testing.assert_array_equal(instance.means[8], [10.43, 7.61, 4.72])
    np.testing.assert_array_equal(instance.means[11], [8.85, 6.59, 4.73])
    np.testing.assert_array_equal(instance.means[16], [7.27, 4.99, 4.02])
    np.testing.assert_array_equal(instance.means[18], [10.35, 7.77, 5.0])
    np.testing.assert_array_equal(instance.means[19], [8.29, 5.92, 3.87])
    np.testing.assert_array_equal(instance.variance, [0.70, 0.83, 1.54])
    assert instance.pareto_set.tolist() == [8, 18]
    assert len(set(instance.labels)) == 20
    assert instance.labels[8] == "BNT/BNT + m1273"
    assert instance.labels[18] == "ChAd/ChAd + m1273"
    assert len(instance.objectives) == 3
    assert "Tables 2 and 3" in instance.provenance


def test_full_precision_differs_from_the_printed_table_in_two_entries():
    printed, full = load_instance("cov_boost"), load_instance("cov_boost_full_precision")
    # what is printed with two decimals may be rounded either way at a half
    different = np.argwhere(np.abs(printed.means - full.means) > 0.00501)
    assert different.tolist() == [[7, 1], [14, 0]]
    assert (printed.means[7, 1], full.means[7, 1]) == (7.21, 7.2730926)
    assert (printed.means[14, 0], full.means[14, 0]) == (8.71, 9.68315255)
    np.testing.assert_array_equal(np.round(full.variance, 2), printed.variance)
    assert full.pareto_set.tolist() == [8, 18]
    assert full.labels == printed.labels
    assert "psips" in full.provenance


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("cov_bost", "cov_boost"),
        ("cov_boost_precision", "cov_boost_full_precision"),
        ("covboost", "cov_boost"),
    ],
)
def test_unknown_instance_suggests_the_nearest(name, near):
    with pytest.raises(ValueError, match=f"name = '{name}'.*did you mean '{near}'"):
        load_instance(name)


@pytest.mark.parametrize("name", ["", None, 3, ["cov_boost"]])
def test_name_must_be_that_of_an_instance(name):
    with pytest.raises(
        ValueError, match=r"\"module:function\" or one of constrained_hypercube, .*, cov_boost, "
    ):
        load_instance(name)


@pytest.mark.parametrize(("name", "front"), [("sw_llvm", [9, 15]), ("sw_llvm_reversed", [0, 4])])
def test_sw_llvm_has_64_observations_of_16_points(name, front):
    instance = load_instance(name)
    assert instance.noise == "pool"
    assert [group.shape for group in instance.observations] == [(64, 2)] * 16
    everything = np.concatenate(instance.observations)
    np.testing.assert_allclose(everything.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(everything.var(axis=0), 1, rtol=1e-12)
    assert instance.pareto_set.tolist() == front
    assert instance.features.tolist() == [[int(bit) for bit in f"{k:04b}"] for k in range(16)]
    assert instance.labels[9] == "1001"
    assert "SW-LLVM" in instance.provenance


def test_sw_llvm_is_grouped_by_its_most_informative_features():
    # Auer et al. 2016, Section 8: with these four features the squared error of a linear
    # regression is 18.6 % of the variance
    instance = load_instance("sw_llvm")
    rows = np.column_stack([np.ones(16), instance.features]).repeat(64, axis=0)
    performance = np.concatenate(instance.observations)[:, 0]
    error = np.linalg.lstsq(rows, performance, rcond=None)[1][0] / performance.size
    assert error == pytest.approx(0.186, abs=0.0005)


def test_sw_llvm_reversed_negates_both_objectives():
    forward, reversed_ = load_instance("sw_llvm"), load_instance("sw_llvm_reversed")
    np.testing.assert_allclose(forward.means, -reversed_.means, atol=1e-12)
    np.testing.assert_array_equal(forward.features, reversed_.features)
    assert forward.objectives != reversed_.objectives


def test_instances_without_published_numbers_are_called_stand_ins():
    found = {name for name in MAKERS if load_instance(name).provenance.startswith("stand-in for ")}
    polyhedra = ("simplex", "hypercube", "ordered", "orthant")
    assert found == {"secukinumab", *(f"constrained_{name}" for name in polyhedra)}


@pytest.mark.parametrize("name", MAKERS)
def test_provenance_names_an_existing_table(name):
    provenance = load_instance(name).provenance
    (table,) = re.findall(r"\(data/(\w+\.csv)\)", provenance)
    assert (paths.DATA / table).exists()


def test_digits_are_scores_of_classifiers():
    instance = load_instance("digits")
    assert (instance.n_arms, instance.n_objectives, instance.noise) == (12, 3, "pool")
    assert {each.shape for each in instance.observations} == {(400, 3)}
    best = instance.labels[instance.means[:, 0].argmax()]
    assert best == "Gaussian support vectors"
    first = instance.observations[0][0]  # nearest centroid, 641 of 719, 2.968 ms, 1.622 µs
    assert first.tolist() == [641 / 719, -np.log10(2.968), -np.log10(1.622)]
    assert 0.7 < min(each[:, 0].min() for each in instance.observations)


@pytest.mark.parametrize("size", [(3, 20), (3, 50), (3, 100), (4, 20), (4, 50)])
def test_problems_of_moscore_have_ten_optimal_arms(size):
    for problem in range(10):
        instance = load_instance("moscore", n_objectives=size[0], n_arms=size[1], problem=problem)
        assert instance.means.shape == size[::-1]
        assert len(instance.pareto_set) == 10
        assert (instance.means < 0).all()
        assert (np.diagonal(instance.covariance, axis1=-2, axis2=-1) == 1).all()


def test_a_problem_of_moscore_is_negated_and_has_its_correlation():
    instance = load_instance("moscore(4, 50, problem=7)")
    table, rates = read_table("moscore_systems"), read_table("moscore_rates")
    rows = table[(table[:, 0] == 4) & (table[:, 1] == 50) & (table[:, 2] == 7)]
    np.testing.assert_array_equal(instance.means, -rows[:, 4:8])
    (row,) = rates[(rates[:, 0] == 4) & (rates[:, 1] == 50) & (rates[:, 2] == 7)]
    assert (instance.covariance[..., 0, 1] == row[3]).all()
    assert "problem 7 of 50 systems in 4 objectives" in instance.provenance


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_objectives": 2}, "n_objectives = 2; expected an integer, at least 3"),
        ({"n_objectives": 5}, "n_objectives = 5; expected at most 4"),
        ({"n_arms": 30}, "n_arms = 30 with n_objectives = 3; expected one of 20, 50, 100"),
        ({"n_arms": 100, "n_objectives": 4}, "n_arms = 100 with n_objectives = 4; .* 20, 50"),
        ({"problem": 10}, "problem = 10; expected at most 9"),
        ({"problem": -1}, "problem = -1"),
    ],
)
def test_no_other_problem_of_moscore_exists(parameters, message):
    with pytest.raises(ValueError, match=message):
        load_instance("moscore", **parameters)
