"""The proven rules are lower bounds on martingales, exactly and up to an accuracy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import accuracy, gaps
from references import alternatives as wrong
from references import martingales as reference
from references.seeds import least_surplus, tried

from pareto_core.confidence.accuracy import LEFT_OUT, write_unbeaten
from pareto_core.confidence.ledger import _is_dominated, allocate_ledger, ledger_rules
from pareto_core.confidence.mixtures import TOLERANCE
from pareto_core.confidence.proven_rules import (
    RULES,
    addition_share,
    allocate_work,
    least_evidence,
    make_rule,
)
from pareto_core.confidence.statement_evidence import (
    are_clear_additions,
    cheap_addition,
    cheap_removal,
    log_addition,
    log_removal,
    log_share,
    log_single_addition,
    most_single_additions,
    write_additions,
)

SEEDS = st.integers(0, 2**32 - 1)
EXACT, ACCURATE = "exact", "accurate"
KINDS = (EXACT, ACCURATE)


def evidence_of(name, information, means, epsilon=None, enough=-np.inf, work=None):
    """Evidence for the empirical answer, exact or up to an accuracy, and the work arrays."""
    n_arms, d = means.shape
    raised, rows, margin = 0, (information, means), np.zeros(d)
    if epsilon is not None:
        raised, rows, margin = n_arms, doubled(information, means, epsilon), LEFT_OUT * epsilon
    work = allocate_work(n_arms + raised, d) if work is None else work
    size = write_unbeaten(means, margin, work.remaining, work.front, work.optimal)
    rule = make_rule(name, 1.0, n_arms)
    return least_evidence(rule, *rows, raised, size, enough, work), work


def doubled(information, means, epsilon):
    """Two rows for each arm."""
    return np.tile(information, (2, 1)).astype(float), np.vstack([means, means + epsilon])


def random_case(rng, kind):
    """Data, and an accuracy or None."""
    information, means = wrong.random_data(rng)
    epsilon = accuracy.random_epsilon(rng, means) if kind == ACCURATE else None
    return information, means, epsilon


def martingales_of_wrong_worlds(rng, joint, case, answer, number):
    """Logarithms of the martingales of worlds for which an answer is wrong."""
    information, means, epsilon = case
    if epsilon is None:
        worlds = wrong.alternatives(rng, information, means, number)
        worlds = worlds.at((worlds.front != answer).any(axis=1))
        return reference.log_martingale(joint, information, means, worlds)
    worlds = accuracy.alternatives(rng, information, means, epsilon, number)
    is_wrong = (worlds.exact.front & ~answer) | (answer & ~worlds.near.front)
    return accuracy.log_martingale(joint, information, means, worlds.at(is_wrong.any(axis=1)))


def surpluses(rng, name, kind, number):
    """Amounts by which martingales exceed the evidence, relative to it if it is large."""
    case = random_case(rng, kind)
    evidence, work = evidence_of(name, *case)
    if evidence == -np.inf:
        return np.empty(0)
    answer = work.optimal[: len(case[1])]
    found = martingales_of_wrong_worlds(rng, name == "joint", case, answer, number)
    return (found - evidence) / max(1.0, abs(evidence))


@pytest.mark.parametrize("least_tried", tried(100, 10_000, 50_000))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", RULES)
def test_no_martingale_falls_below_the_evidence(name, kind, least_tried):
    rng = np.random.default_rng(5)
    least = least_surplus(lambda number: surpluses(rng, name, kind, number), least_tried, 300)
    assert -1e-9 < least
    assert least < 1e-2 or least_tried < 1000


# The bound is attained


# The martingales are martingales


def gaussian_nodes(d):
    """Nodes, shape (n, d), and weights of the average over standard normal noise."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    every = np.stack(np.meshgrid(*[nodes] * d), axis=-1).reshape(-1, d)
    weight = np.prod(np.meshgrid(*[weights] * d), axis=0).ravel()
    return every, weight / weight.sum()


@pytest.mark.slow
@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("shape", [(2, 1), (3, 2), (4, 2)])
def test_a_martingale_is_what_it_will_be_on_average_whatever_is_sampled(joint, shape):
    """Exactly: by quadrature over the next sample of any arm, from random data so far."""
    rng = np.random.default_rng(shape)
    noise, weights = gaussian_nodes(shape[1])
    for _ in range(5):
        truth = rng.standard_normal(shape).round(0)
        world = reference.choose(truth[None], rng)
        worlds = world.at(np.zeros(len(noise), int))
        counts = rng.integers(0, 6, shape[0])[:, None] + np.zeros(shape)
        means = truth + rng.standard_normal(shape) / np.sqrt(np.maximum(counts, 1))
        now = np.exp(reference.log_martingale(joint, counts, means, world)[0])
        for arm in range(shape[0]):
            after, moved = counts.copy(), np.repeat(means[None], len(noise), axis=0)
            after[arm] += 1
            moved[:, arm] = (counts[arm] * means[arm] + truth[arm] + noise) / after[arm]
            later = np.exp(reference.log_martingale(joint, after, moved, worlds))
            assert weights @ later == pytest.approx(now, rel=1e-8)


@pytest.mark.parametrize("joint", [True, False])
def test_a_martingale_starts_at_one_or_less(joint):
    rng = np.random.default_rng(0)
    for shape in ((2, 1), (3, 2), (5, 3)):
        worlds = reference.choose(rng.standard_normal((200, *shape)).round(0), rng)
        first = reference.log_martingale(joint, np.zeros(shape), np.zeros(shape), worlds)
        assert first.max() <= 1e-12
        assert first.min() > -2


# Computation of the rule


@given(SEEDS, st.sampled_from(RULES), st.sampled_from(KINDS))
def test_stopping_early_does_not_change_the_decision(seed, name, kind):
    case = random_case(np.random.default_rng(seed), kind)
    exact, work = evidence_of(name, *case)
    for away in (-9.0, -1.0, -0.02, 0.02, 0.5, 2.0, 9.0):
        for again in (None, work):
            enough = max(exact, -20.0) + away
            early, _ = evidence_of(name, *case, enough, again)
            assert (early >= enough) == (exact >= enough)


@pytest.mark.parametrize("name", RULES)
def test_the_weakest_case_is_recorded(name):
    information = np.full((3, 2), 200.0)
    means = np.array([[1.0, 0.0], [0.0, 1.0], [0.97, -1.0]])  # arm 2 nearly optimal
    assert evidence_of(name, information, means)[1].weakest.tolist() == [2, -1]
    means = np.array([[1.0, 0.0], [0.97, 1.0], [-5.0, -5.0]])  # arm 0 nearly dominated
    assert evidence_of(name, information, means)[1].weakest.tolist() == [0, 1]


@pytest.mark.parametrize("name", RULES)
def test_any_number_of_objectives(name):
    high = np.zeros(2, np.int64)
    for d in (1, 10, 2000):
        means = np.zeros((2, d))
        means[0] = 1.0
        found = log_removal(make_rule(name, 1.0, 2), np.full((2, d), 50.0), means, 0, 1, high)
        alone = log_removal(
            make_rule("pairs", 1.0, 2), np.full((2, 1), 50.0), means[:, :1].copy(), 0, 1, high
        )
        assert found >= (d * (alone - np.log(2)) if name == "joint" else alone) - 1e-6


def test_groups_of_more_arms_than_can_be_optimal_do_not_count():
    """They exist only after a wrong statement, and have no share of the bets."""
    rule, groups = make_rule("joint", 0.0, 5), allocate_work(1, 1)
    groups.group_sizes[0] = 4
    assert log_addition(rule, 0, 0, groups) == -np.inf
    expected = np.logaddexp(log_share(rule, 1, 3), log_share(rule, 2, 3))
    assert log_addition(rule, 0, 3, groups) == pytest.approx(expected)


# Up to an accuracy


@given(SEEDS)
def test_the_empirical_answer_has_the_arms_that_are_not_beaten(seed):
    rng = np.random.default_rng(seed)
    means = rng.integers(-2, 3, (rng.integers(2, 7), rng.integers(1, 4))) * 0.25
    margin = rng.integers(0, 3, means.shape[1]) * 0.25
    front, optimal = np.zeros(len(means), np.int64), np.zeros(len(means), bool)
    remaining = rng.random(len(means)) < 0.7
    size = write_unbeaten(means, margin, remaining, front, optimal)
    among = accuracy.unbeaten(means[remaining], margin)
    assert optimal.tolist() == np.isin(range(len(means)), np.flatnonzero(remaining)[among]).tolist()
    assert front[:size].tolist() == np.flatnonzero(optimal).tolist()
    for k in np.flatnonzero(remaining & ~optimal):
        assert accuracy.beaten_by(means, margin)[front[:size], k].any()


# Closed-form bounds for clear cases


@pytest.mark.parametrize("name", RULES)
def test_closed_form_bounds_are_below_the_evidence(name):
    rng = np.random.default_rng(1)
    close = cleared = 0
    for _ in range(150):
        information, means = wrong.random_data(rng)
        _, work = evidence_of(name, information, means)
        size = work.optimal.sum()
        rule = make_rule(name, 1.0, len(means))
        for arm in range(len(means)):
            write_additions(rule, information, means, arm, size, work)
            found = work.group_sizes[arm]
            dominators, single = work.listed[:found].copy(), work.levels[:found].copy()
            closer, most = (
                most_single_additions(rule, information, means, arm, size, faint, work)
                for faint in (-np.inf, np.inf)
            )
            assert found == 0 or np.logaddexp.reduce(single) <= closer + 1e-9
            assert closer <= most + 1e-9
            total = np.logaddexp.reduce(single, initial=-np.inf)
            for enough in total + np.array([1.0, 0.1, -0.1, -1.0, -4.0]):
                clear = are_clear_additions(rule, information, means, arm, size, enough, work)
                assert not clear or enough <= total
                cleared += clear and total > 4
            for rival, exact in zip(dominators, single, strict=True):
                cheap = cheap_addition(rule, information, means, arm, rival)
                assert cheap <= exact + TOLERANCE + 1e-9 * max(exact, 1.0)
                close += cheap > 0.8 * exact > 4
            for rival in set(range(len(means))) - {arm}:
                exact = log_removal(rule, information, means, arm, rival, np.zeros(1, np.int64))
                cheap = cheap_removal(rule, information, means, arm, rival)
                assert cheap <= exact + 2 * means.shape[1] * TOLERANCE + 1e-9 * max(exact, 1.0)
                close += cheap > 0.8 * exact > 4
    assert close > 100
    assert cleared > 50


@pytest.mark.parametrize("name", RULES)
def test_no_arm_stays_open_because_evidence_was_spared(name):
    """An arm is dominated from exactly as many nats as its known and its other dominators give."""
    rng, tried = np.random.default_rng(3), 0
    for _ in range(60):
        information, means = wrong.random_data(rng)
        n_arms, ledger = len(means), allocate_ledger(*means.shape, len(means))
        ledger.undominated[:] = rng.random(n_arms) < 0.3
        rules, work = ledger_rules(name, 1.0, n_arms, True), ledger.work
        for arm in np.flatnonzero(~ledger.undominated):
            evidence = -np.inf
            known = np.setdiff1d(np.flatnonzero(ledger.undominated), arm)
            for rule, front in zip(rules, (known, np.delete(range(n_arms), arm)), strict=True):
                work.front[: front.size] = front
                write_additions(rule, information, means, arm, front.size, work)
                level = log_addition(rule, arm, n_arms - 1, work)
                evidence = np.logaddexp(evidence, addition_share(rule, n_arms - 1) + level)
            if evidence == -np.inf:
                continue
            for away in (-1e-3, 1e-3):
                own = [rule._replace(log_needed=evidence + away) for rule in rules]
                found = _is_dominated(*own, information, means, arm, arm, 0, ledger)
                assert found == (away < 0)
            tried += 1
    assert tried > 50


@pytest.mark.parametrize("name", RULES)
def test_evidence_with_exact_objectives_is_never_nan_and_cheap_bounds_are_below(name):
    rng = np.random.default_rng(2)
    for _ in range(300):
        information, means, exact = gaps.random_mixed_data(rng)
        information = np.where(exact & (information > 0), np.inf, information)
        if rng.random() < 0.3:  # two objectives without noise
            information[:, 0] = np.where(information[:, 0] > 0, np.inf, 0.0)
        for enough in (-np.inf, 2.0):
            assert not np.isnan(evidence_of(name, information, means, None, enough)[0])
        own, high = make_rule(name, 1.0, len(means)), np.zeros(1, np.int64)
        for k, j in ((0, 1), (1, 0)):
            removal = log_removal(own, information, means, k, j, high)
            addition = log_single_addition(own, information, means, k, j, high)
            assert cheap_removal(own, information, means, k, j) <= removal + 1e-9
            assert cheap_addition(own, information, means, k, j) <= addition + 1e-9
            if (means[j] >= means[k]).all():
                work = allocate_work(len(means), means.shape[1])
                work.front[0] = j
                for faint in (-np.inf, np.inf):
                    most = most_single_additions(own, information, means, k, 1, faint, work)
                    assert addition <= most + 1e-9
