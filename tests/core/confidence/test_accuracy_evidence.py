"""Evidence up to an accuracy: against martingales by definition, and where it surely suffices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import accuracy
from references import alternatives as wrong
from references import martingales as reference

from pareto_core.confidence.accuracy_evidence import (
    LEFT_OUT,
    log_accurate_evidence,
    write_raised,
    write_unbeaten,
)
from pareto_core.confidence.latest_end import (
    SLACK,
    information_needed,
    log_least_pair,
    samples_needed,
)
from pareto_core.confidence.mixtures import Bets
from pareto_core.confidence.proven_rules import RULES, allocate_work, log_evidence, make_rule
from pareto_core.confidence.statement_evidence import log_removal

SEEDS = st.integers(0, 2**32 - 1)


def doubled(information, means, epsilon):
    """Two rows for each arm."""
    both = np.tile(information, (2, 1)).astype(float), np.tile(means, (2, 1))
    write_raised(np.asarray(epsilon, float), *both)
    return both


def evidence_of(name, information, means, epsilon, enough=-np.inf, work=None):
    """Evidence for the empirical answer, the answer, and the work arrays."""
    n_arms, d = means.shape
    work = allocate_work(2 * n_arms, d) if work is None else work
    size = write_unbeaten(means, LEFT_OUT * epsilon, work.front, work.optimal)
    rule = make_rule(name, 1.0, n_arms)
    both = doubled(information, means, epsilon)
    found = log_accurate_evidence(rule, *both, size, enough, work)
    return found, work.optimal[:n_arms].copy(), work


def wrong_worlds(rng, information, means, epsilon, answer, number):
    """Accurate worlds for which the answer is wrong."""
    worlds = accuracy.alternatives(rng, information, means, epsilon, number)
    missing = worlds.exact.front & ~answer
    beaten = answer & ~worlds.near.front
    return worlds.at((missing | beaten).any(axis=1))


def surpluses(rng, name, number, martingale=accuracy.log_martingale):
    """Amounts by which martingales exceed the evidence."""
    information, means = wrong.random_data(rng)
    epsilon = accuracy.random_epsilon(rng, means)
    evidence, answer, _ = evidence_of(name, information, means, epsilon)
    if evidence == -np.inf:
        return np.empty(0)
    worlds = wrong_worlds(rng, information, means, epsilon, answer, number)
    found = martingale(name == "joint", information, means, worlds)
    return (found - evidence) / max(1.0, abs(evidence))


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("least_tried", [10_000, pytest.param(50_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", RULES)
def test_no_martingale_falls_below_the_evidence(name, least_tried):
    rng, tried, least = np.random.default_rng(5), 0, np.inf
    while tried < least_tried:
        found = surpluses(rng, name, 300)
        tried += found.size
        least = min(least, found.min(initial=np.inf))
    assert -1e-9 < least < 1e-2


@pytest.mark.parametrize("name", RULES)
def test_a_few_martingales_do_not_fall_below_the_evidence(name):
    rng = np.random.default_rng(6)
    assert min(surpluses(rng, name, 30).min(initial=np.inf) for _ in range(10)) > -1e-9


@pytest.mark.parametrize("name", RULES)
def test_a_martingale_attains_the_evidence(name):
    """Arm 1 is optimal where it meets arm 0; arm 2, where it is, is then not beaten any more."""
    information, epsilon = np.full((3, 1), 100.0), np.array([0.6])
    means = np.array([[1.0], [0.0], [0.0]])
    evidence, answer, work = evidence_of(name, information, means, epsilon)
    assert answer.tolist() == [True, False, False]
    assert work.weakest[0] in (1, 2)
    points = np.linspace(0.41, 0.59, 19)
    worlds = np.array([[[x], [x + wrong.EDGE], [0.0]] for x in points])
    worlds = accuracy.choose(worlds, epsilon, np.random.default_rng(0))
    assert worlds.near.front.all()
    assert not worlds.exact.front[:, [0, 2]].any()
    surplus = accuracy.log_martingale(name == "joint", information, means, worlds) - evidence
    assert -1e-9 < surplus.min() < 0.5


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    "martingale",
    [accuracy.log_martingale_of_exact_additions, accuracy.log_martingale_of_exact_shares],
)
def test_martingales_for_exact_answers_fall_below_the_evidence(martingale):
    rng = np.random.default_rng(7)
    found = np.concatenate([surpluses(rng, "joint", 100, martingale) for _ in range(300)])
    assert (found < -0.01).sum() > 20


def test_without_an_offset_near_ties_are_never_decided():
    """Arm 1 is ahead of arm 0, but by less than is required."""
    means, epsilon = np.array([[0.0], [0.1]]), np.array([0.5])
    rule = make_rule("joint", 1.0, 2)
    for count in (1e2, 1e4, 1e6):
        both = doubled(np.full((2, 1), count), means, epsilon)
        high = np.zeros(1, np.int64)
        assert log_removal(rule, *both, 0, 1, high) == -np.inf
        assert log_removal(rule, *both, 2, 1, high) > 0.05 * 0.25 * count * 0.4**2 * 4 - 10
    assert evidence_of("joint", np.full((2, 1), 1e4), means, epsilon)[0] > 100


@given(SEEDS, st.sampled_from(RULES))
def test_an_accuracy_of_zero_gives_the_evidence_of_the_exact_rule(seed, name):
    rng = np.random.default_rng(seed)
    information, means = wrong.random_data(rng)
    n_arms, d = means.shape
    found, answer, work = evidence_of(name, information, means, np.zeros(d))
    own = allocate_work(n_arms, d)
    own.front[: answer.sum()] = np.flatnonzero(answer)
    own.optimal[:] = answer
    rule = make_rule(name, 1.0, n_arms)
    exact = log_evidence(rule, information, means, int(answer.sum()), -np.inf, own)
    assert answer.tolist() == accuracy.unbeaten(means, 0.0).tolist()
    assert found == pytest.approx(exact, rel=1e-12, abs=1e-12)
    if np.isfinite(found):
        assert (work.weakest[1] < 0) == (own.weakest[1] < 0)


@given(SEEDS, st.sampled_from(RULES), st.floats(-3, 30))
def test_stopping_early_does_not_change_the_decision(seed, name, enough):
    rng = np.random.default_rng(seed)
    information, means = wrong.random_data(rng)
    epsilon = accuracy.random_epsilon(rng, means)
    exact, _, work = evidence_of(name, information, means, epsilon)
    for again in (None, work):
        early = evidence_of(name, information, means, epsilon, enough, again)[0]
        if abs(exact - enough) > 0.01:
            assert (early >= enough) == (exact >= enough)


@given(SEEDS)
def test_the_empirical_answer_has_the_arms_that_are_not_beaten(seed):
    rng = np.random.default_rng(seed)
    means = rng.integers(-2, 3, (rng.integers(2, 7), rng.integers(1, 4))) * 0.25
    margin = rng.integers(0, 3, means.shape[1]) * 0.25
    front, optimal = np.zeros(len(means), np.int64), np.zeros(len(means), bool)
    size = write_unbeaten(means, margin, front, optimal)
    assert optimal.tolist() == accuracy.unbeaten(means, margin).tolist()
    assert front[:size].tolist() == np.flatnonzero(optimal).tolist()
    for k in np.flatnonzero(~optimal):
        assert accuracy.beaten_by(means, margin)[front[:size], k].any()


# When the evidence surely suffices


@pytest.mark.slow
@given(SEEDS, st.floats(1e-2, 3.0), st.sampled_from([1 / 16, 1 / 256]))
def test_the_least_evidence_of_a_pair_bounds_that_of_larger_samples(seed, lead, scale):
    rng = np.random.default_rng(seed)
    count = 4 / lead**2 * 10 ** rng.uniform(0, 3)
    bets = Bets(scale, *rng.uniform(0.05, 0.95, 2))
    bound = log_least_pair(count, lead, bets)
    numbers = count * 10 ** rng.choice([0.0, *rng.uniform(0, 6, 3)], (2, 20))
    for first, second in numbers.T:
        away = lead * rng.choice([1.0, 1.5])
        averages = np.array([0.0, away])
        assert reference.log_infimum(np.array([first, second]), averages, bets)[1] >= bound - 1e-9
    assert log_least_pair(3.9 / lead**2, lead, bets) == -np.inf


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
    found = evidence_of(name, counts[:, None] / variance, means, epsilon)[0]
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
    assert evidence_of(name, few, means, np.full(d, 0.5))[0] < rule.log_needed + SLACK


def test_no_number_is_told_where_none_is_enough():
    rule = make_rule("joint", np.log(10), 2)
    assert samples_needed(rule, np.ones((2, 2)), np.array([0.5, 0.0])) is None
    assert samples_needed(rule, np.ones((2, 1)), np.array([1e-9])) is None
    assert samples_needed(rule, np.full((2, 1), 1e300), np.array([0.5])) is None
