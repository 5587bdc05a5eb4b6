"""Statements about remaining arms: against the martingale by definition, and in use."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import alternatives as wrong
from references import martingales as joint_reference
from references import subset_martingales as reference
from references.limits import at_its_limit
from references.seeds import tried

from pareto_core import Certificate, pareto_set
from pareto_core.confidence.ledger import BOX_SHARE
from pareto_core.confidence.mixtures import Bets
from pareto_core.confidence.proven_rules import ADDED, ADDITIONS, FRONT, RULES, SCALES

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


@pytest.mark.compiled
@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(RULES), st.floats(-14, -0.1))
def test_statements_are_those_of_the_slow_twin(seed, rule, log_delta):
    rng = np.random.default_rng(seed)
    information, means = wrong.random_data(rng, most_arms=4)
    retired = rng.permutation(len(means))[: rng.integers(len(means))]
    delta = np.exp(log_delta)
    own = after(information[:, 0], means, retired, delta=delta, rule=rule)
    low, high = (
        twin_statements(rule == "joint", information, means, retired, log_delta + shift)
        for shift in (-0.02, 0.02)
    )
    assert set(low[0]) <= set(own.optimal.tolist()) <= set(high[0])
    assert set(low[1]) <= set(own.dominated.tolist()) <= set(high[1])


def twin_statements(joint, information, means, retired, log_delta):
    """Arms that are optimal and dominated, from enumerated bets."""
    n_arms, unit = len(means), -log_delta - np.log1p(-BOX_SHARE)
    remaining = [k for k in range(n_arms) if k not in set(retired)]
    among = means[remaining]
    front = [remaining[k] for k in (pareto_set(among) if len(among) > 1 else [0])]
    dominated = [
        k
        for k in remaining
        if np.log(ADDITIONS / n_arms) + log_addition(joint, information, means, k, front) >= unit
    ]
    needed = unit + np.log(n_arms * (n_arms - 1) / 2 / (1 - ADDITIONS))
    optimal = [
        k
        for k in remaining
        if k not in dominated
        and all(
            log_removal(joint, information, means, k, j) >= needed
            for j in remaining
            if j != k and j not in dominated
        )
    ]
    return optimal, dominated


def log_removal(joint, information, means, k, j):
    """ln R(k, j)."""
    total, d = [-np.inf], means.shape[1]
    for scale in SCALES:
        bets = Bets(scale, 0.9, 0.9)
        levels = [
            joint_reference.infimum_or_atoms(information[[j, k], c], means[[j, k], c], bets)
            for c in range(d)
            if means[k, c] > means[j, c]
        ]
        if joint:
            together = sum(np.logaddexp(0, level) for level in levels)
            product = together + np.log(-np.expm1(-together)) if levels else -np.inf
            total.append(product - np.log((2**d - 1) * len(SCALES)))
        else:
            total += [level - np.log(d * len(SCALES)) for level in levels]
    return np.logaddexp.reduce(total)


def log_addition(joint, information, means, k, front):
    """ln of the bets against k of single arms, and of 2, 4, ... and all of the strongest."""
    above = [i for i in front if i != k and (means[i] >= means[k]).all()]

    def together(group):
        if len(group) == 1:
            return least_over_objectives(information, means, k, group[0])
        levels = [
            joint_reference.least_evidence(information, means, k, group, Bets(s, ADDED, FRONT))
            for s in SCALES
        ]
        return np.logaddexp.reduce(levels) - np.log(len(SCALES))

    singles = {i: together([i]) for i in above}
    strongest = sorted(above, key=singles.get, reverse=True)
    sizes = {min(2**n, len(above)) for n in range(1, 4)} - {0, 1} if joint else set()
    groups = [*([i] for i in above), *(strongest[:size] for size in sizes)]
    shares = [joint_reference.group_share(joint, len(each), len(means) - 1) for each in groups]
    levels = [np.log(share) + together(g) for share, g in zip(shares, groups, strict=True)]
    return np.logaddexp.reduce([-np.inf, *levels])


def least_over_objectives(information, means, k, i):
    """Least over the objectives of the bets of one arm against k, summed over the scales."""
    return min(
        np.logaddexp.reduce(
            [
                joint_reference.infimum_or_atoms(
                    information[[k, i], c], means[[k, i], c], Bets(s, ADDED, FRONT)
                )
                for s in SCALES
            ]
        )
        - np.log(len(SCALES))
        for c in range(means.shape[1])
    )


# In use


def test_what_is_dominated_by_an_arm_that_leaves_may_be_optimal_then():
    certificate = Certificate(3, 1)
    certificate.update(MANY, CHAIN)
    assert certificate.dominated.tolist() == [0, 1]  # arm 1 is the best once arm 2 has left
    assert after(MANY, CHAIN, [2]).optimal.tolist() == [1]


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


@pytest.mark.parametrize("arm", [-1, 3, 1.0, True, "a", None, 2])
def test_an_arm_that_does_not_remain_cannot_be_retired(arm):
    certificate = Certificate(3, 1, rule="joint_subsets")
    certificate.retire(2)
    with pytest.raises(ValueError, match="arm = "):
        certificate.retire(arm)
    assert certificate.retired.tolist() == [2]


def test_an_arm_retires_only_if_the_statements_allow_it():
    with pytest.raises(ValueError, match=r"^rule = 'joint' with arms"):
        Certificate(3, 1).retire(0)


def test_the_last_arm_cannot_be_retired():
    certificate = Certificate(2, 1, rule="joint_subsets")
    certificate.retire(0)
    with pytest.raises(ValueError, match="at least two remaining arms"):
        certificate.retire(1)
    certificate.update([0, 0], [[0.0], [0.0]])
    assert certificate.optimal.tolist() == [1]
