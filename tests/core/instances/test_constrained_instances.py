"""Instances with a feasible region: what they are, and where they come from."""

import dataclasses

import numpy as np
import pytest

from pareto_book.studies.constrained_complexity import lowest_complexity, two_stage_complexity
from pareto_core import ECAPE, Instance, Polyhedron, load_instance, simulate
from pareto_core.geometry.partition import valid_partitions
from pareto_core.geometry.polyhedron import hypercube, ordered_cone, orthant, simplex
from pareto_core.instances.constrained_instances import racing_hard, two_stage_hard
from pareto_core.instances.generators import random_gaussian
from pareto_core.simulation.run_store import RunStore


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
    assert instance.provenance.startswith("stand-in for ")
    assert "are ours, chosen to fit" in instance.provenance


def test_cov_boost_with_a_least_igg():
    instance, plain = load_instance("cov_boost_igg"), load_instance("cov_boost_full_precision")
    np.testing.assert_array_equal(instance.means, plain.means)
    np.testing.assert_array_equal(instance.variance, plain.variance)
    assert instance.constrained_pareto_set.tolist() == instance.pareto_set.tolist() == [8, 18]
    assert sorted(set(range(20)) - set(feasible(instance))) == [6, 10, 15, 16]
    near = instance.polyhedron.boundary_distance(instance.means)[[6, 19, 5]]
    np.testing.assert_allclose(near, [0.028, 0.043, 0.094], atol=6e-4)
    assert instance.objectives == plain.objectives
    assert "psips" in instance.provenance
    assert "8.25" in instance.provenance


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
    assert instance.provenance.startswith("stand-in for ")
    assert "draw its means and do not print them" in instance.provenance


def test_the_dominated_and_infeasible_arms_of_the_simplex():
    instance = load_instance("constrained_simplex")
    answers = valid_partitions(instance.means, instance.polyhedron)
    assert len(answers) == 2**5
    assert answers[-1].dominated.tolist() == [1, 2, 3, 4, 6]
    assert answers[0].dominated.tolist() == []


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
    assert instance.provenance.startswith("stand-in for Figure 1 ")
    assert f"{epsilon:g} from the border" in instance.provenance


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
    assert instance.provenance.startswith("stand-in for Figure 8 ")
    assert f"above {n_arms - 1} arms" in instance.provenance


@pytest.mark.parametrize("value", [0, -0.1, 0.5, 2.0, np.nan, "0.1", None])
def test_epsilon_is_checked(value):
    with pytest.raises(ValueError, match=f"^epsilon = {value!r}"):
        two_stage_hard(value)


@pytest.mark.parametrize("value", [1, 0, 2.0, "3", None])
def test_number_of_arms_is_checked(value):
    with pytest.raises(ValueError, match=f"^n_arms = {value!r}"):
        racing_hard(value)


@pytest.mark.parametrize("region", [orthant([0.0]), "x >= 0", ([[1.0, 0.0]], [1.0])])
def test_the_polyhedron_of_an_instance_is_checked(region):
    with pytest.raises(ValueError, match=r"^polyhedron"):
        Instance([[1.0, 0.0], [0.0, 1.0]], polyhedron=region)


def test_the_constrained_pareto_set_needs_a_polyhedron():
    with pytest.raises(ValueError, match=r"^polyhedron = None"):
        _ = Instance([[1.0, 0.0], [0.0, 1.0]]).constrained_pareto_set


def test_standardising_keeps_the_answer():
    rng = np.random.default_rng(4)
    for _ in range(50):
        d = int(rng.integers(1, 5))
        A = rng.standard_normal((3, d))
        region = Polyhedron(A, A @ rng.standard_normal(d) + 0.5)
        instance = dataclasses.replace(
            random_gaussian(8, d, rng), variance=rng.uniform(0.01, 9, d), polyhedron=region
        )
        white = instance.standardised()
        assert feasible(white) == feasible(instance)
        optimal = instance.constrained_pareto_set.tolist()
        assert white.constrained_pareto_set.tolist() == optimal
        assert (white.variance == 1).all()
        # distances in units of the noise: to each facet the mean, over the facet's deviation
        lengths = np.linalg.norm(A * np.sqrt(instance.variance), axis=1)
        rooms = ((region.b - instance.means @ A.T) / lengths).min(axis=1)
        inside = feasible(instance)
        distance = white.polyhedron.boundary_distance(white.means)
        np.testing.assert_allclose(distance[inside], rooms[inside])
    assert load_instance("cov_boost").standardised().polyhedron is None


def test_instances_that_differ_only_in_the_polyhedron_share_no_results(tmp_path):
    means = [[1.0, 0.0], [0.0, 1.0]]
    regions = [None, orthant([0, 0]), orthant([0, 1e-12]), orthant([0, -1]), hypercube(2, 5.0)]
    stores = [
        RunStore(tmp_path, ECAPE(), Instance(means, polyhedron=region), 0, 100)
        for region in regions
    ]
    assert len({store.folder for store in stores}) == len(regions)


def test_stored_runs_are_those_of_their_own_polyhedron(tmp_path):
    answers = []
    for upper in (2.0, -2.0):
        region = Polyhedron([[1.0, 0.0]], [upper])
        instance = Instance([[0.0, 3.0], [-0.5, -3.0]], polyhedron=region)
        kept, again, plain = (
            simulate(ECAPE(), instance, 3, store=store, progress=False)
            for store in (tmp_path, tmp_path, None)
        )
        assert kept.answers.tolist() == again.answers.tolist() == plain.answers.tolist()
        answers.append(kept.answers.tolist())
    assert answers == [[[2, 1]] * 3, [[0, 0]] * 3]


def test_equal_polyhedra_have_one_hash():
    first, second = Polyhedron([[1.0, -0.0]], [0.0]), Polyhedron([[1.0, 0.0]], [-0.0])
    assert first == second
    assert hash(first) == hash(second)
