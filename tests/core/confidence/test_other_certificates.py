"""Certificates for feasible and best arms: by brute force, and by definition."""

import numpy as np
import pytest
from references import martingales as reference
from scipy.optimize import linprog

import pareto_core as pc
from pareto_core.confidence import constrained_ledger, ledger
from pareto_core.confidence.proven_rules import RULES

REGION = pc.Polyhedron([[-1.0, 0.0], [1.0, 1.0]], [0.3, 1.2])
MANY = 10**12


def random_region_of(rng, d):
    """A region with the origin well inside."""
    rows = rng.integers(1, 5)
    return pc.Polyhedron(rng.standard_normal((rows, d)), rng.uniform(0.2, 1.0, rows))


@pytest.mark.parametrize("rule", RULES)
def test_after_many_samples_every_true_statement_is_made(rule):
    rng = np.random.default_rng(1)
    for _ in range(40):
        means, region = rng.standard_normal((6, 2)), random_region_of(rng, 2)
        found = pc.ConstrainedCertificate(6, 2, region, rule=rule)
        found.update(np.full(6, MANY), means)
        inside = np.array([bool((region.A @ each <= region.b).all()) for each in means])
        above = (means[:, None] > means).all(axis=2) & inside[:, None]
        np.testing.assert_array_equal(found.feasible, np.flatnonzero(inside))
        np.testing.assert_array_equal(found.infeasible, np.flatnonzero(~inside))
        for k in range(6):
            np.testing.assert_array_equal(found.dominators[k], np.flatnonzero(above[:, k]))
        np.testing.assert_array_equal(found.dominated, np.flatnonzero(above.any(axis=0)))
        truth = pc.constrained_pareto_set(means, region)
        np.testing.assert_array_equal(found.optimal, truth)
        assert found.open.size == 0
        assert not found.is_contradicted


@pytest.mark.slow
def test_a_box_misses_the_region_if_no_point_of_it_is_inside():
    rng, corners = np.random.default_rng(2), 0
    for _ in range(100):
        region, centre = random_region_of(rng, 3), rng.standard_normal(3) * 2
        low, high = centre - rng.uniform(0.05, 1, 3), centre + rng.uniform(0.05, 1, 3)
        boxed = constrained_ledger.allocate_constrained_ledger(2, region.A, region.b).region
        is_within, is_disjoint = constrained_ledger.compare_with_region(low, high, boxed)
        bounds = np.column_stack([low, high])
        # the least violation of the worst row over the box
        slack = linprog(
            [0, 0, 0, 1.0],
            A_ub=np.column_stack([region.A, -np.ones(len(region.b))]),
            b_ub=region.b,
            bounds=[*bounds, (None, None)],
        ).fun
        assert is_disjoint == (slack > 0)
        rows = np.where(region.A > 0, low, high) * region.A
        corners += slack > 0 and bool((rows.sum(axis=1) <= region.b).all())
        most = (np.where(region.A > 0, high, low) * region.A).sum(axis=1)
        assert is_within == bool((most <= region.b).all())
    assert corners > 0  # cases in which no single constraint separates the two


def test_contradictions_are_reported():
    certificate = pc.ConstrainedCertificate(2, 2, REGION)
    certificate.update([MANY, MANY], [[0.0, 0.0], [-1.0, -1.0]])
    assert not certificate.is_contradicted
    certificate.update([MANY, 2 * MANY], [[0.0, 0.0], [1.0, 0.1]])
    assert certificate.is_contradicted
    best = pc.BestArmCertificate(2, 1)
    best.update([MANY, MANY], [[0.0], [1.0]])
    assert not best.is_contradicted
    best.update([MANY, MANY], [[2.0], [1.0]])
    assert best.is_contradicted


def best(counts, means, delta, deviation):
    certificate = pc.BestArmCertificate(3, 2, delta, standard_deviation=deviation)
    certificate.update(counts, means)
    return certificate.candidates[0].tolist() == [1]


def constrained(counts, means, delta, deviation):
    certificate = pc.ConstrainedCertificate(3, 2, ALL, delta, "pairs", deviation)
    certificate.update(counts, means)
    return certificate


def dominates(*data):
    return constrained(*data).dominators[0].tolist() == [1]


def is_optimal(*data):
    return 1 in constrained(*data).optimal


ALL = pc.Polyhedron(np.zeros((0, 2)), np.zeros(0))
CASES_OVER_SHARE = {  # number of ways in which a statement may be wrong, over its share of delta
    best: 2 * 2 / (1 - ledger.BOX_SHARE),
    dominates: 3 * 2 / constrained_ledger.ADDITION_SHARE,
    is_optimal: 2 * 2 / constrained_ledger.REMOVAL_SHARE,  # d times K - 1
}


@pytest.mark.parametrize("deviation", [1.0, [0.5, 2.0]])
@pytest.mark.parametrize("states", CASES_OVER_SHARE)
def test_a_statement_is_made_once_its_evidence_is_enough(states, deviation):
    counts, delta = [30, 45, MANY], 0.1
    second = {best: 0.0, dominates: 99.0, is_optimal: -99.0}[states]
    needed, found = np.log(CASES_OVER_SHARE[states] / delta), []
    for gap in np.linspace(0.5, 1.4, 40):
        means = np.array([[0.0, 0.0], [gap, second], [-99.0, -99.0]]) * deviation
        if states is best:
            means[2, 1] = 99.0
        enough = reference.least_removal(counts, gap) - needed
        found.append(enough > 0)
        if abs(enough) > 0.02:
            assert states(counts, means, delta, deviation) == (enough > 0), gap
    assert 0 < sum(found) < len(found)
