"""Statements about remaining arms: against the martingale by definition, and in use."""

import itertools

import numpy as np
import pytest
from references import alternatives as wrong
from references import subset_martingales as reference
from references.limits import at_its_limit
from references.seeds import tried

from pareto_core import Certificate
from pareto_core.confidence.proven_rules import RULES

CHAIN = [[0.0], [1.0], [2.0]]
MANY = [900, 900, 900]


def after(counts, means, retired=(), rule="joint", **options):
    """A certificate after an update in which some arms are retired."""
    certificate = Certificate(*np.shape(means), rule=f"{rule}_subsets", **options)
    for arm in retired:
        certificate.retire(arm)
    certificate.update(counts, means)
    return certificate


# By definition


def every_retirement(n_arms):
    """All sets of arms that may be retired."""
    return itertools.chain.from_iterable(
        itertools.combinations(range(n_arms), size) for size in range(n_arms)
    )


def least_surplus(rng, rule, number):
    """Least ln(delta M) over the worlds that any set of remaining arms contradicts."""
    information, means = wrong.random_data(rng, most_arms=4)
    worlds = wrong.alternatives(rng, information, means, number)
    counts, retired = information[:, 0], rng.permutation(len(means))[: rng.integers(len(means))]
    remaining = len(means) - len(retired)
    limit = at_its_limit(
        lambda delta: after(counts, means, retired, delta=delta, rule=rule),
        rng.integers(1, remaining + 1),
        lambda certificate: remaining - certificate.open.size,
    )
    log_delta = -0.1 if limit is None else limit[1]
    found = np.zeros(number, bool)
    for retired in every_retirement(len(means)):
        certificate = after(counts, means, retired, delta=np.exp(log_delta), rule=rule)
        found |= reference.contradicted(certificate, worlds)
    martingale = reference.log_certificate(rule == "joint", information, means, worlds.at(found))
    return (martingale + log_delta).min(initial=np.inf), int(found.sum())


@pytest.mark.parametrize("cases", tried(8, 150, 400))
@pytest.mark.parametrize("rule", RULES)
def test_one_martingale_serves_every_set_of_remaining_arms(rule, cases):
    rng = np.random.default_rng(5)
    surpluses, numbers = zip(*(least_surplus(rng, rule, 100) for _ in range(cases)), strict=True)
    assert sum(numbers) > 5 * cases
    assert -1e-9 < min(surpluses)
    assert min(surpluses) < 0.5 or cases < 100


# In use


def test_an_arm_stays_dominated_if_the_retired_arm_is():
    certificate = after(MANY, CHAIN)
    certificate.retire(1)
    assert certificate.dominated.tolist() == [0]
    certificate.retire(2)
    assert certificate.open.tolist() == [0]
    certificate.update(MANY, CHAIN)
    assert certificate.optimal.tolist() == [0] and certificate.is_decided


def test_an_arm_stays_dominated_if_the_retired_arm_does_not_dominate_it():
    means = [[1.0, 0.0], [0.0, 1.0], [0.8, -0.2]]
    certificate = after(MANY, means)
    assert certificate.dominated.tolist() == [2]
    certificate._ledger.excluded[2, 1] = False
    certificate.retire(1)
    assert certificate.open.tolist() == [2]
    excluded = after(MANY, means)
    excluded._ledger.excluded[2, 1] = True
    excluded.retire(1)
    assert excluded.dominated.tolist() == [2]


def test_an_arm_without_samples_may_be_retired():
    certificate = Certificate(3, 1, rule="joint_subsets")
    certificate.update([900, 900, 0], CHAIN)
    assert certificate.open.tolist() == [1, 2]
    certificate.retire(2)
    certificate.update([900, 900, 0], CHAIN)
    assert (certificate.optimal.tolist(), certificate.dominated.tolist()) == ([1], [0])


@pytest.mark.parametrize(
    ("rule", "retired", "arm", "message"),
    [
        *(("joint_subsets", [2], arm, "^arm = ") for arm in (-1, 3, 1.0, True, "a", None, 2)),
        ("joint_subsets", [0, 1], 2, "at least two remaining arms"),
        ("joint", [], 0, "^rule = 'joint' with arms"),
    ],
)
def test_an_arm_that_cannot_be_retired_is_refused(rule, retired, arm, message):
    certificate = Certificate(3, 1, rule=rule)
    for each in retired:
        certificate.retire(each)
    with pytest.raises(ValueError, match=message):
        certificate.retire(arm)
    assert certificate.retired.tolist() == retired
