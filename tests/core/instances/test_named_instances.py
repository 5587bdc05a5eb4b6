"""Instances that are loaded by name: what they are, and where they come from."""

import re

import numpy as np
import pytest
from references import pareto as reference

from pareto_book import paths
from pareto_book.studies.constrained_complexity import lowest_complexity, two_stage_complexity
from pareto_book.studies.linear_bounds import gap_complexity
from pareto_core import Instance, gaps, load_instance
from pareto_core.geometry.partition import valid_partitions
from pareto_core.geometry.polyhedron import hypercube, ordered_cone, orthant, simplex
from pareto_core.instances.constrained_instances import racing_hard, two_stage_hard
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
    assert instance.labels[8] == "BNT/BNT + m1273"
    assert instance.labels[18] == "ChAd/ChAd + m1273"


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
    if name == "sw_llvm_reversed":
        np.testing.assert_allclose(instance.means, -load_instance("sw_llvm").means, atol=1e-12)


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


def test_a_problem_of_moscore_is_negated_and_has_its_correlation():
    instance = load_instance("moscore(4, 50, problem=7)")
    table, rates = read_table("moscore_systems"), read_table("moscore_rates")
    rows = table[(table[:, 0] == 4) & (table[:, 1] == 50) & (table[:, 2] == 7)]
    np.testing.assert_array_equal(instance.means, -rows[:, 4:8])
    (row,) = rates[(rates[:, 0] == 4) & (rates[:, 1] == 50) & (rates[:, 2] == 7)]
    assert (instance.covariance[..., 0, 1] == row[3]).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_objectives": 5}, "n_objectives = 5; expected at most 4"),
        ({"n_arms": 100, "n_objectives": 4}, "n_arms = 100 with n_objectives = 4; .* 20, 50"),
        ({"problem": 10}, "problem = 10; expected at most 9"),
    ],
)
def test_no_other_problem_of_moscore_exists(parameters, message):
    with pytest.raises(ValueError, match=message):
        load_instance("moscore", **parameters)


def hardness(instance):
    return (1 / gaps(instance.means) ** 2).sum()


@pytest.mark.parametrize(
    ("name", "n_arms", "optimal", "hard"),
    [
        ("ege_1", 60, range(10), 12_588),
        ("ege_2", 10, [0, 1], 2544),
        ("ege_5", 20, [13], 17_052),
        ("ege_6_new", 10, range(10), 51_966),
        ("ege_7", 22, range(8), 7000),
        ("ege_8", 5, [4], 237_958),
    ],
)
def test_ege_instances(name, n_arms, optimal, hard):
    instance = load_instance(name)
    assert instance.means.shape == (n_arms, 2)
    assert (instance.variance == 0.25**2).all()
    assert instance.pareto_set.tolist() == list(optimal)
    assert hardness(instance) == pytest.approx(hard, abs=0.5)
    if name == "ege_1":
        assert (instance.means[10:].prod(axis=1) <= 0.2).all()


def test_rewards_of_five_arms_may_be_correlated():
    arms = load_instance("five_arms(-0.75)")
    np.testing.assert_array_equal(arms.covariance, [[1, -0.75], [-0.75, 1]])
    assert load_instance("five_arms").covariance is None
    for correlation in (-1.0, 1, np.nan):
        with pytest.raises(ValueError, match=r"^correlation = "):
            load_instance("five_arms", correlation=correlation)


def test_noc_is_the_instance_of_the_authors_notebook():
    instance = load_instance("noc")
    assert instance.pareto_set.tolist() == [0, 140, 164, 180]
    linear, whole = gap_complexity(instance.means, 4), gap_complexity(instance.means)
    assert round(linear.h2, 2) == 1780.25
    assert round(linear.h1, 1) == 1973.8
    assert round(whole.h1, 1) == 3993.6
    np.testing.assert_allclose(np.linalg.norm(instance.features, axis=1), 1)
    assert instance.labels[2] == "width 3, complexity 1, fifo 2, multiplier 100"


def feasible(instance):
    return np.flatnonzero(instance.polyhedron.contains(instance.means)).tolist()


def test_secukinumab():
    instance = load_instance("secukinumab")
    rates = [[0.36, 0.42], [0.34, 0.481], [0.469, 0.388], [0.465, 0.535], [0.537, 0.39]]
    np.testing.assert_array_equal(instance.means, rates)
    assert instance.labels == ("placebo", "25 mg", "75 mg", "150 mg", "300 mg")
    assert instance.noise == "bernoulli"
    assert instance.polyhedron == orthant([0.35, 0.45])
    assert feasible(instance) == instance.constrained_pareto_set.tolist() == [3]
    distance = instance.polyhedron.boundary_distance(instance.means)
    np.testing.assert_allclose(distance, [0.03, 0.01, 0.062, 0.085, 0.06], atol=1e-12)
    # placebo and 25 mg are infeasible, and dominated by 150 mg
    assert len(valid_partitions(instance.means, instance.polyhedron)) == 4


@pytest.mark.parametrize(
    ("name", "n_arms", "deviation", "region", "inside", "optimal"),
    [
        ("constrained_simplex", 10, 0.55, simplex(3), [0], [0]),
        ("constrained_hypercube", 6, 1.0, hypercube(3), [0, 1, 2], [1, 2]),
        ("constrained_ordered", 6, 0.7, ordered_cone(3), [0, 1, 2, 3], [0, 2]),
        ("constrained_orthant", 5, 1.0, orthant([0, 0]), [0, 2, 4], [0, 4]),
    ],
)
def test_stand_ins(name, n_arms, deviation, region, inside, optimal):
    instance = load_instance(name)
    assert instance.name == name
    assert instance.means.shape == (n_arms, region.n_objectives)
    np.testing.assert_allclose(instance.variance, deviation**2)
    assert instance.polyhedron == region
    assert feasible(instance) == inside
    assert instance.constrained_pareto_set.tolist() == optimal
    answers = valid_partitions(instance.means, instance.polyhedron)
    if name == "constrained_simplex":
        assert len(answers) == 2**5
        assert answers[-1].dominated.tolist() == [1, 2, 3, 4, 6]


@pytest.mark.parametrize("epsilon", [0.3, 0.01, 1e-6])
def test_two_stage_hard(epsilon):
    instance = two_stage_hard(epsilon)
    assert feasible(instance) == [0, 1]
    assert instance.constrained_pareto_set.tolist() == [0]
    distance = instance.polyhedron.boundary_distance(instance.means)
    np.testing.assert_allclose(distance, [1.0, epsilon, epsilon])
    dominated = [parts.dominated.tolist() for parts in valid_partitions(*both(instance))]
    assert dominated == [[1], [1, 2]]
    assert two_stage_complexity(*both(instance)) >= 2 / epsilon**2
    assert lowest_complexity(*both(instance))[0] < 15


def both(instance):
    return instance.means, instance.polyhedron


@pytest.mark.parametrize("n_arms", [2, 3, 10, 20])
def test_racing_hard(n_arms):
    instance = racing_hard(n_arms)
    assert instance.n_arms == n_arms
    assert instance.noise == "bernoulli"
    assert feasible(instance) == list(range(n_arms))
    assert instance.constrained_pareto_set.tolist() == [0]
    assert (instance.means[0] > instance.means[1:]).all()
    distance = instance.polyhedron.boundary_distance(instance.means)
    assert distance[0] == pytest.approx(0.05)
    assert distance[1:].min() >= 0.35 - 1e-12
    if n_arms > 2:
        others = Instance(instance.means[1:])
        assert others.pareto_set.size == n_arms - 1


@pytest.mark.parametrize(
    ("name", "table", "h", "signs", "optimal"),
    [
        ("noc", "noc", 4, -1, None),
        ("noc_misspecified", "noc", 4, -1, 19),
        ("energy_efficiency", "energy_efficiency", 8, -1, None),
        ("energy_efficiency_reversed", "energy_efficiency", 8, 1, None),
        ("energy_efficiency_misspecified", "energy_efficiency", 8, -1, 2),
        ("energy_efficiency_reversed_misspecified", "energy_efficiency", 8, 1, 3),
    ],
)
def test_linear_instances_are_fits_to_their_data_or_the_data(name, table, h, signs, optimal):
    instance, data = load_instance(name), read_table(table)
    measured = signs * data[:, h:]
    features = data[:, :h] / np.linalg.norm(data[:, :h], axis=1, keepdims=True)
    np.testing.assert_array_equal(instance.features, features)
    np.testing.assert_array_equal(instance.variance, [0.25, 0.25])
    assert instance.name == name
    assert len(set(instance.labels)) == instance.n_arms
    if optimal is None:
        fitted = features @ np.linalg.lstsq(features, measured, rcond=None)[0]
        printed = {"noc": 1e-10, "energy_efficiency": 1e-7}[table]
        np.testing.assert_allclose(instance.means, fitted, atol=printed)
        again = features @ np.linalg.lstsq(features, instance.means, rcond=None)[0]
        np.testing.assert_allclose(again, instance.means, atol=1e-9)
    else:
        np.testing.assert_array_equal(instance.means, measured)
        assert instance.pareto_set.tolist() == reference.pareto_set(instance.means)
        assert instance.pareto_set.size == optimal
