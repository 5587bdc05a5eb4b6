"""Sessions with a known covariance, or with the standard deviations of each arm."""

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.proven_stopping import joint_variances
from pareto_core.simulation.preparation import prepare

COMMON = np.array([[4.0, 1.0], [1.0, 1.0]])
OWN = np.array([COMMON, [[1.0, 0.0], [0.0, 9.0]], [[1.0, -0.5], [-0.5, 2.0]]])
SAME_DIAGONAL = np.array([COMMON, COMMON * [[1, -1], [-1, 1]], COMMON])
MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
PAIRS = [pc.TopTwoIDS(threshold="proven_correlated"), pc.Certified(rule="pairs")]
RULES = [*PAIRS, pc.TopTwoIDS(), pc.TopTwoIDS(problem="best_arm_per_objective")]
REGION = pc.orthant([-0.3, -0.3])
WITH_REGION = [pc.TopTwoIDS(problem=each) for each in ("constrained_pareto_set", "partition")]


def region_of(algorithm):
    return {"polyhedron": REGION} if algorithm in WITH_REGION else {}


@pytest.mark.parametrize("covariance", [OWN, SAME_DIAGONAL, np.diag([4.0, 1.0])])
@pytest.mark.parametrize("algorithm", [*RULES, *WITH_REGION], ids=repr)
def test_an_algorithm_is_told_what_a_simulation_tells_it(algorithm, covariance):
    given = {"covariance": covariance, **region_of(algorithm)}
    session = lab.Session(algorithm, 3, 2, **given)
    simulated = prepare([algorithm], pc.Instance(4 * MEANS, **given)).problem
    ours, theirs = session.design.problem.covariance, simulated.covariance
    assert (ours is None) == (theirs is None)
    if algorithm in WITH_REGION:
        found, expected = session.design.problem.polyhedron, simulated.polyhedron
        np.testing.assert_allclose(found.offsets, expected.offsets)
    if ours is not None:
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)


@pytest.mark.parametrize("algorithm", [*RULES, *WITH_REGION, pc.Certified()], ids=repr)
def test_standard_deviations_of_each_arm_are_told_as_covariances(algorithm):
    deviation, region = np.array([[1.0, 2.0], [0.5, 1.0], [1.0, 1.0]]), region_of(algorithm)
    session = lab.Session(algorithm, 3, 2, deviation, **region)
    simulated = prepare(
        [algorithm], pc.Instance(4 * MEANS, variance=deviation**2, **region)
    ).problem
    found = session.design.problem.covariance
    np.testing.assert_allclose(found, simulated.covariance, rtol=1e-14)
    assert session.design.scale.tolist() == [1.0, 1.0]


def test_the_direction_of_an_objective_turns_its_covariances():
    objectives = {"gain": "max", "loss": "min"}
    session = lab.Session(PAIRS[0], 3, objectives=objectives, covariance=OWN)
    expected = OWN * [[1, -1], [-1, 1]]
    np.testing.assert_array_equal(session.design.problem.covariance, expected)
    session = lab.Session(PAIRS[0], 3, objectives=objectives, covariance=COMMON)
    assert session.design.problem.covariance[2].tolist() == [[1.0, -0.5], [-0.5, 1.0]]


def test_statements_rest_on_the_variances_and_for_the_joint_rule_on_larger_ones():
    directions = {"a": "max", "b": "min"}  # the correlation changes its sign with a direction
    session = lab.Session(PAIRS[1], 3, objectives=directions, covariance=OWN)
    session.tell(session.ask(), [1.0, 2.0])
    flipped = OWN * [[1.0, -1.0], [-1.0, 1.0]]
    larger = lab.Session(pc.Certified(), 3, objectives=directions, standard_deviation=np.sqrt(
        joint_variances(flipped)))  # fmt: skip
    larger.tell(larger.ask(), [1.0, 2.0])
    np.testing.assert_allclose(session.status(rule="joint").boxes, larger.status().boxes)
    deviation = np.sqrt(np.diagonal(OWN, axis1=1, axis2=2))
    plain = lab.Session(pc.Certified(), 3, objectives=directions, standard_deviation=deviation)
    plain.tell(plain.ask(), [1.0, 2.0])
    np.testing.assert_array_equal(session.status().boxes, plain.status(rule="pairs").boxes)
