"""Proven labels against the statements of a certificate of the same data."""

import numpy as np
import pytest
from references.noise import random_covariance
from references.partition_algorithms import REGIONS, random_region

import pareto_core as pc
from pareto_core.algorithms.constrained.proven_labels import (
    allocate_partition_proof,
    labels_are_proven,
    partition_proof,
)
from pareto_core.algorithms.proven_stopping import Proven, joint_variances
from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL, REJECTED

DELTA = 0.1


def proves(means, counts, region, labels, rule, covariance=None):
    problem = pc.Problem(*means.shape, polyhedron=region, covariance=covariance)
    counts = np.repeat(counts[:, None], means.shape[1], axis=1) if counts.ndim == 1 else counts
    stopping = Proven(rule, DELTA)
    work = allocate_partition_proof(stopping, problem)
    proof = partition_proof(stopping, problem)
    return labels_are_proven(proof, counts, means, np.array(labels), work)


def is_stated(certificate, k, label):
    """Whether the certificate states this label of arm k."""
    stated = {
        OPTIMAL: k in certificate.optimal,
        DOMINATED: k in certificate.dominated,
        INFEASIBLE: k in certificate.infeasible,
    }
    return stated[DOMINATED] or stated[INFEASIBLE] if label == REJECTED else stated[label]


def example(seed):
    rng = np.random.default_rng(seed)
    n_arms, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    region = random_region(rng, d, REGIONS[seed % len(REGIONS)])
    counts = rng.integers(1, 10 ** int(rng.integers(2, 7)), n_arms)
    counts = np.repeat(counts[:, None], d, axis=1)
    if seed % 2:  # values are missing
        counts = np.maximum(1, (counts * rng.uniform(0, 1, counts.shape)).astype(int))
    return rng.uniform(-0.5, 1.5, (n_arms, d)), counts, region


def standard_deviations(rule, covariance):
    """What a certificate needs for the rule to hold with this noise."""
    if covariance is None:
        return 1.0
    if rule == "joint":
        return np.sqrt(joint_variances(covariance))
    return np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))


@pytest.mark.slow
@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("rule", ["joint", "pairs"])
def test_labels_are_proven_if_a_certificate_states_them(rule, is_known):
    found = []
    for seed in range(120):
        means, counts, region = example(seed)
        noise = random_covariance(np.random.default_rng(seed), *means.shape) if is_known else None
        deviation = standard_deviations(rule, noise)
        certificate = pc.ConstrainedCertificate(*means.shape, region, DELTA, rule, deviation)
        certificate.update(counts, means)
        front = pc.constrained_pareto_set(means, region)
        labels = np.where(region.contains(means), DOMINATED, INFEASIBLE)
        labels[front] = OPTIMAL
        for each in (labels, np.where(labels == OPTIMAL, OPTIMAL, REJECTED)):
            stated = all(is_stated(certificate, k, label) for k, label in enumerate(each))
            found.append((proves(means, counts, region, each, rule, noise), stated))
    assert not [proven for proven, stated in found if proven and not stated]
    assert sum(proven for proven, _ in found) == sum(stated for _, stated in found) > 20


def test_a_wrong_label_is_not_proven():
    region = pc.orthant([0.0, 0.0])
    means, counts = np.array([[1.0, 1.0], [0.5, 0.5], [2.0, -1.0]]), np.full(3, 5000)
    right = [OPTIMAL, DOMINATED, INFEASIBLE]
    assert proves(means, counts, region, right, "joint")
    assert proves(means, counts, region, [OPTIMAL, REJECTED, REJECTED], "pairs")
    for k in range(3):
        for label in {OPTIMAL, DOMINATED, INFEASIBLE} - {right[k]}:
            wrong = [*right[:k], label, *right[k + 1 :]]
            assert not proves(means, counts, region, wrong, "joint")
