"""The gaps of labels: against their definition, and what a move costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.exploration import gaps_of_labels, gaps_of_leads
from references.noise import random_covariance
from references.partition_algorithms import REGIONS, random_region
from references.seeds import seeds_of

import pareto_core as pc
from pareto_core.geometry.partition import valid_partitions
from pareto_core.transport.cost import reasons_of
from pareto_core.transport.gaps import write_gaps_of_labels, write_gaps_of_leads
from pareto_core.transport.metric import noise_of, region_of
from pareto_core.transport.oracle import label_answer, label_partition, oracle_of


def compiled_gaps(means, covariance=None, polyhedron=None, partition=None):
    """Labels of the empirical answer, or of a partition, and their gaps."""
    problem = pc.Problem(*means.shape, covariance=covariance, polyhedron=polyhedron)
    noise, region, gaps = noise_of(problem), region_of(polyhedron), np.empty(len(means))
    oracle = oracle_of(problem, region)
    if partition is None:
        label_answer(means, noise, region, oracle)
    else:
        label_partition(means, noise, region, partition, oracle)
    write_gaps_of_labels(means, noise, region, oracle, gaps)
    return oracle.labels, gaps


def random_case(seed, is_tied=False):
    """Means, covariances and a region; means on a coarse grid are often tied."""
    rng = np.random.default_rng(seed)
    shape = _, d = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    means = rng.uniform(-0.5, 1.5, shape)
    means = np.round(2 * means) / 2 if is_tied else means * 10.0 ** rng.integers(-8, 8)
    region = random_region(rng, d, REGIONS[seed % len(REGIONS)])
    return means, random_covariance(rng, *shape), region


@given(seed=st.integers(0, 10**6), is_tied=st.booleans(), in_region=st.booleans())
def test_gaps_of_an_answer_are_those_of_their_definition(seed, is_tied, in_region):
    means, covariance, region = random_case(seed, is_tied)
    region = region if in_region else None
    labels, gaps = compiled_gaps(means, covariance, region)
    np.testing.assert_allclose(gaps, gaps_of_labels(means, labels, covariance, region), rtol=1e-9)


@given(seed=st.integers(0, 10**6))
def test_gaps_of_a_partition_are_those_of_its_reasons(seed):
    means, covariance, region = random_case(seed)
    for partition in valid_partitions(means, region)[:3]:
        reasons = reasons_of(means, region, partition)
        _, gaps = compiled_gaps(means, covariance, region, reasons)
        expected = gaps_of_labels(means, reasons, covariance, region)
        np.testing.assert_allclose(gaps, expected, rtol=1e-9)


@given(seed=st.integers(0, 10**6), is_tied=st.booleans(), is_unit=st.booleans())
def test_gaps_of_best_arms_are_those_of_their_definition(seed, is_tied, is_unit):
    means, covariance, _ = random_case(seed, is_tied)
    if is_unit:
        covariance = np.array(len(means) * [np.eye(means.shape[1])])
    noise = noise_of(pc.Problem(*means.shape, covariance=None if is_unit else covariance))
    gaps = np.empty(len(means))
    write_gaps_of_leads(means, noise, gaps)
    np.testing.assert_allclose(gaps, gaps_of_leads(means, covariance), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["pareto_set", "constrained_pareto_set"])
@pytest.mark.parametrize("seed", seeds_of(20, 20, 200))
def test_an_arm_alone_has_to_move_by_its_gap_at_least(problem, seed):
    means, covariance, region = random_case(seed)
    region = None if problem == "pareto_set" else region
    _, gaps = compiled_gaps(means, covariance, region)
    for k, gap in enumerate(gaps):
        weights = np.full(len(means), 1e15)  # so that the others stay
        weights[k] = 1.0
        given = {"problem": problem, "polyhedron": region, "covariance": covariance}
        assert pc.transport_cost(means, weights, **given).value >= 0.5 * gap**2 * (1 - 1e-6)
