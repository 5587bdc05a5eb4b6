"""A threshold for the transportation cost, and leads of pairs: both valid, but less efficient."""

import numpy as np
import pytest
from references import alternatives as wrong
from references import martingales as reference
from references import pareto
from scipy.optimize import brentq

import pareto_core as pc
from pareto_book.studies.pair_leads import certain_leads, leads_prove_front
from pareto_book.studies.transport_threshold import transport_threshold
from pareto_core.confidence.mixtures import TOLERANCE, Bets
from pareto_core.confidence.proven_rules import REMOVAL, SCALES


def separated_data(rng):
    """Data whose empirical Pareto set is close to proven."""
    n_arms, d = rng.integers(2, 5), rng.integers(1, 4)
    counts = rng.integers(200, 3000, n_arms).astype(float)
    return counts, rng.normal(size=(n_arms, d)) * rng.choice([0.3, 1.0])


def smallest_risk(cost, counts, size, d):
    """Logarithm of the smallest delta at which this cost is enough, or None."""

    def lacking(log_risk):
        return transport_threshold(counts, size, d, np.exp(log_risk)) - cost

    if lacking(-1e-9) > 0 or lacking(-300.0) < 0:
        return None
    return brentq(lacking, -300.0, -1e-9, xtol=1e-3) - 2e-3


@pytest.mark.slow
def test_martingales_exceed_the_evidence_of_the_transportation_cost():
    """The martingales of Theorem 2, by definition, at alternatives with a different answer."""
    rng = np.random.default_rng(11)
    tried, least = 0, np.inf
    while tried < 3000:
        counts, means = separated_data(rng)
        front = pareto.pareto_set(means)
        cost = pc.transport_cost(means, counts).value
        log_risk = smallest_risk(cost, counts, len(front), means.shape[1])
        if log_risk is None:
            continue
        information = np.repeat(counts[:, None], means.shape[1], axis=1)
        worlds = wrong.alternatives(rng, information, means, 200)
        optimal = np.isin(np.arange(len(means)), front)
        worlds = worlds.at((worlds.front != optimal).any(axis=1))
        martingale = reference.log_martingale(True, information, means, worlds)
        least = min(least, (martingale + log_risk).min())
        tried += len(martingale)
    assert least > 0


@pytest.mark.parametrize(("size", "d"), [(1, 1), (2, 3), (19, 2)])
def test_the_threshold_grows_as_the_risk_falls(size, d):
    counts = np.full(20, 4000)
    found = [transport_threshold(counts, size, d, risk) for risk in (0.1, 1e-2, 1e-6)]
    steps = np.diff(found) / np.log([10.0, 1e4])
    assert (steps > 1).all()  # more than one nat of cost for each nat of evidence
    assert (steps < 2).all()


def test_few_samples_prove_nothing():
    assert transport_threshold([3, 3], 1, 1, 0.1) == np.inf


def test_a_full_front_needs_no_bets_on_additions():
    crowded = transport_threshold([500] * 8, 8, 2, 0.1)
    assert crowded < transport_threshold([500] * 8, 7, 2, 0.1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([0, 5], 1, 2, 0.1), "counts"),
        (([[5, 5]], 1, 2, 0.1), "counts"),
        (([5.5, 5], 1, 2, 0.1), "counts"),
        (([5, 5], 0, 2, 0.1), "front_size"),
        (([5, 5], 3, 2, 0.1), "front_size"),
        (([5, 5], 1, 0, 0.1), "n_objectives"),
        (([5, 5], 1, 2, 1.0), "delta"),
    ],
)
def test_errors_of_the_threshold_name_the_argument(arguments, named):
    with pytest.raises(ValueError, match=named):
        transport_threshold(*arguments)


# Leads


def literal_lead(counts, means, first, second, c):
    """Average over the scales of the infimum of the product of two mixtures."""
    levels = [
        reference.log_infimum(
            counts[[second, first]], means[[second, first], c], Bets(scale, REMOVAL, REMOVAL)
        )[1]
        for scale in SCALES
    ]
    return np.logaddexp.reduce(levels) - np.log(len(SCALES))


@pytest.mark.parametrize("case", range(8))
def test_leads_equal_those_by_definition(case):
    rng = np.random.default_rng(case)
    counts, means = separated_data(rng)
    n_arms, d = means.shape
    leads = certain_leads(counts, means, 0.1)
    needed = np.log(n_arms * (n_arms - 1) * d / 0.1)
    for k, j, c in np.ndindex(leads.shape):
        if means[k, c] > means[j, c]:
            surplus = literal_lead(counts, means, k, j, c) - needed
            assert leads[k, j, c] == (surplus > 0) or abs(surplus) < 2 * TOLERANCE
        else:
            assert not leads[k, j, c]


@pytest.mark.statistical
@pytest.mark.compiled
def test_leads_are_rarely_ever_wrong():
    """Two arms that tie in one objective and nearly in the other; inspected many times."""
    runs, looks, wrongly = 400, np.unique(np.geomspace(3, 3000, 60).astype(int)), 0
    means = np.array([[0.0, 0.0], [0.0, 0.01]])
    for run in range(runs):
        rewards = means + np.random.default_rng(run).normal(size=(looks[-1], 2, 2))
        sums = rewards.cumsum(axis=0)
        wrongly += any(
            certain_leads([n, n], sums[n - 1] / n, 0.3)[tie].any()
            for n in looks
            for tie in ((0, 1), (1, 0, 0))
        )
    assert 0 < wrongly < 0.3 * runs


@pytest.mark.parametrize("case", range(30))
def test_a_front_is_proven_if_leads_confirm_its_arms_and_dominate_the_others(case):
    rng = np.random.default_rng(case)
    means = rng.integers(0, 9, (rng.integers(2, 7), rng.integers(1, 4))) + 0.0
    counts = rng.choice([30, 300, 10**6], len(means))
    leads = certain_leads(counts, means, 0.1)
    front = set(pareto.pareto_set(means))
    others = set(range(len(means))) - front
    kept = all(leads[k, j].any() for k in front for j in (front | others) - {k})
    struck = all(any(leads[i, k].all() for i in front) for k in others)
    assert leads_prove_front(counts, means, 0.1) == (kept and struck)


def test_a_tied_arm_is_not_decided():
    assert leads_prove_front([10**6, 10**6], [[0.5, 1.0], [0.4, 0.0]], 0.1)
    assert not leads_prove_front([10**6, 10**6], [[0.5, 1.0], [0.5, 0.0]], 0.1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([0, 5], [[0.0], [1.0]], 0.1), "counts"),
        (([5, 5, 5], [[0.0], [1.0]], 0.1), "counts"),
        (([5, 5], [[0.0], [np.nan]], 0.1), "means"),
        (([5, 5], [[0.0], [1.0]], 0.0), "delta"),
    ],
)
def test_errors_of_leads_name_the_argument(arguments, named):
    with pytest.raises(ValueError, match=named):
        certain_leads(*arguments)
