"""When the evidence for an answer up to an accuracy surely suffices, whatever the averages are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pareto_core.confidence.accuracy import LEFT_OUT, write_unbeaten
from pareto_core.confidence.latest_end import (
    SLACK,
    information_needed,
    samples_needed,
)
from pareto_core.confidence.proven_rules import RULES, allocate_work, least_evidence, make_rule

SEEDS = st.integers(0, 2**32 - 1)


def evidence_of(rule, information, means, epsilon):
    """Evidence for the empirical answer."""
    work = allocate_work(2 * len(means), means.shape[1])
    margin = LEFT_OUT * epsilon
    size = write_unbeaten(means, margin, work.remaining, work.front, work.optimal)
    both = np.tile(information, (2, 1)).astype(float), np.vstack([means, means + epsilon])
    return least_evidence(rule, *both, len(means), size, -np.inf, work)


def adversarial_data(rng, needed, epsilon):
    """At least as many samples as needed, and averages that are as hard to decide as possible."""
    n_arms, d = len(needed), epsilon.size
    counts = needed * 10 ** rng.choice([0.0, 0.0, *rng.uniform(0, 4, 2)], n_arms)
    steps = rng.choice([0.0, 0.5, 0.5 - 1e-9, 0.5 + 1e-9, 1.0, -0.5, 7.0], (n_arms, d))
    if rng.random() < 0.3:
        steps[:] = 0.0
    if rng.random() < 0.3:
        steps += rng.standard_normal((n_arms, d)) * 10 ** rng.uniform(-2, 1)
    if rng.random() < 0.3:
        steps = np.cumsum(steps, axis=0)
    return np.ceil(counts), steps * epsilon


@pytest.mark.slow
@given(SEEDS, st.sampled_from(RULES), st.sampled_from([0.5, 0.1, 1e-6]))
def test_with_the_samples_needed_every_answer_is_proven(seed, name, delta):
    rng = np.random.default_rng(seed)
    n_arms, d = rng.integers(2, 7), rng.integers(1, 4)
    epsilon = 10 ** rng.uniform(-2, 0.5, d)
    variance = np.ones((n_arms, d)) if rng.random() < 0.5 else rng.uniform(0.1, 3, (n_arms, d))
    rule = make_rule(name, -np.log(delta), n_arms)
    needed = samples_needed(rule, variance, epsilon)
    counts, means = adversarial_data(rng, needed, epsilon)
    found = evidence_of(rule, counts[:, None] / variance, means, epsilon)
    assert found >= rule.log_needed


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("d", [1, 2])
def test_the_number_needed_is_nearly_the_least(name, d):
    """With all arms half an accuracy apart, one per cent less is too little for the sure bound."""
    rule = make_rule(name, np.log(10), 3)
    needed = information_needed(rule, 3, d, 0.5)
    assert 470 < needed < 520
    means = np.array([[0.0], [0.0], [0.25 + 1e-9]]) * np.ones(d)
    few = np.full((3, d), 0.8 * needed)
    assert evidence_of(rule, few, means, np.full(d, 0.5)) < rule.log_needed + SLACK
