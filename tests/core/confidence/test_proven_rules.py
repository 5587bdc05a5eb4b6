"""The proven rules are lower bounds on martingales."""

from typing import NamedTuple

import numpy as np
import pytest
from references import alternatives as wrong
from references import martingales as reference
from references import pareto
from scipy.optimize import minimize_scalar

from pareto_core.confidence.mixtures import TOLERANCE
from pareto_core.confidence.proven_rules import (
    REMOVAL,
    RULES,
    allocate_work,
    log_evidence,
    make_rule,
)
from pareto_core.confidence.statement_evidence import log_addition, log_removal, log_share


def evidence_of(name, information, means, enough=-np.inf, work=None):
    """Evidence of the rule for the empirical Pareto set, and its work arrays."""
    work = allocate_work(*means.shape) if work is None else work
    front = pareto.pareto_set(means)
    work.front[: len(front)] = front
    work.optimal[:] = False
    work.optimal[front] = True
    rule = make_rule(name, 1.0, len(means))
    return log_evidence(rule, information, means, len(front), enough, work), work


def other_answers(rng, information, means, number):
    """Alternatives with a different Pareto set than these means."""
    worlds = wrong.alternatives(rng, information, means, number)
    front = np.isin(np.arange(len(means)), pareto.pareto_set(means))
    return worlds.at((worlds.front != front).any(axis=1))


def least_surplus(rng, name, number):
    """Least amount by which a martingale exceeds the evidence, and the number of alternatives."""
    information, means = wrong.random_data(rng)
    evidence, _ = evidence_of(name, information, means)
    if evidence == -np.inf:
        return np.inf, 0
    worlds = other_answers(rng, information, means, number)
    martingale = reference.log_martingale(name == "joint", information, means, worlds)
    surplus = (martingale - evidence) / max(1.0, abs(evidence))
    return surplus.min(initial=np.inf), len(martingale)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("least_tried", [10_000, pytest.param(50_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", RULES)
def test_no_martingale_falls_below_the_evidence(name, least_tried):
    rng = np.random.default_rng(5)
    tried, least = 0, np.inf
    while tried < least_tried:
        surplus, number = least_surplus(rng, name, 300)
        tried += number
        least = min(least, surplus)
    assert -1e-9 < least < 1e-2


@pytest.mark.parametrize("name", RULES)
def test_a_few_martingales_do_not_fall_below_the_evidence(name):
    rng = np.random.default_rng(6)
    assert min(least_surplus(rng, name, 30)[0] for _ in range(10)) > -1e-9


# The bound is attained

RIVALS = np.array([[0.4, 0.4, 0.0], [0.0, 0.0, 9.0]])  # the first may be dominated
PAIR = np.array([[0.4, 2.0], [2.0, 0.4], [0.0, 0.0]])  # arms 0 and 1 dominate arm 2


def one_point(x):
    """The arms of `RIVALS` at the same point; in the last objective they are too far to bet on."""
    return np.array([[x - wrong.EDGE, x - wrong.EDGE, 4.5], [x, x, 4.5]])


def each_in_its_objective(x):
    """The arms of `PAIR`: the last is undominated because each other arm is lowered once."""
    return np.array([[x - wrong.EDGE, 2.0], [2.0, x - wrong.EDGE], [x, x]])


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    ("means", "moved"),
    [(RIVALS, one_point), (PAIR, each_in_its_objective)],
    ids=["dominated", "undominated"],
)
def test_a_martingale_attains_the_evidence(name, means, moved):
    """Up to the atoms of an objective in which the arm that may be dominated does not lead."""
    atoms = np.log1p((1 - REMOVAL) ** 2) if name == "joint" and moved is one_point else 0.0
    information = np.full(means.shape, 300.0)
    evidence, _ = evidence_of(name, information, means)

    def surplus(x):
        world = reference.choose(moved(x)[None], np.random.default_rng(0))
        martingale = reference.log_martingale(name == "joint", information, means, world)
        return float(martingale[0]) - atoms - evidence

    found = minimize_scalar(surplus, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-6})
    assert evidence > 5
    assert -1e-9 < found.fun < 4 * TOLERANCE


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("n_arms", "d"), [(3, 2), (4, 3), (5, 3)])
def test_several_arms_may_be_missing_at_once(name, n_arms, d):
    """There is less evidence against up to d others being optimal than against one."""
    means = np.zeros((n_arms, d))
    means[0] = 1
    information = np.full(means.shape, 200.0)
    evidence, _ = evidence_of(name, information, means)
    least = []
    for missing in range(1, min(d, n_arms - 1) + 1):
        worlds = np.repeat(means[None], 61, axis=0)
        for level, world in zip(np.linspace(0.2, 0.8, 61), worlds, strict=True):
            for c in range(missing):
                world[0, c], world[1 + c, c] = level, level + wrong.EDGE
        found = reference.choose(worlds, np.random.default_rng(0))
        assert (found.front.sum(axis=1) == 1 + missing).all()
        martingale = reference.log_martingale(name == "joint", information, means, found)
        least.append(martingale.min() - evidence)
    assert least == sorted(least, reverse=True)
    assert 0 < least[-1] < min(1.0, least[0] - 0.2)


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


@pytest.mark.parametrize("name", RULES)
def test_stopping_early_does_not_change_the_decision(name):
    rng = np.random.default_rng(7)
    shared = allocate_work(4, 2)
    for _ in range(60):
        means = rng.standard_normal((4, 2)).round(1)
        information = np.repeat(np.exp(rng.uniform(2, 7, (4, 1))).round(), 2, axis=1)
        evidence, _ = evidence_of(name, information, means)
        for enough in (-1.0, 0.5, 2.0, 5.0):
            found, _ = evidence_of(name, information, means, enough, shared)
            assert (found >= enough) == (evidence >= enough)
            assert found <= evidence or found < enough


@pytest.mark.parametrize("name", RULES)
def test_names_and_order_of_arms_and_objectives_do_not_matter(name):
    rng = np.random.default_rng(8)
    for _ in range(20):
        information, means = wrong.random_data(rng)
        evidence, _ = evidence_of(name, information, means)
        arms, objectives = rng.permutation(len(means)), rng.permutation(means.shape[1])
        again, _ = evidence_of(
            name, information[arms][:, objectives].copy(), means[arms][:, objectives].copy()
        )
        assert again == pytest.approx(evidence, abs=0.02)


@pytest.mark.parametrize("name", RULES)
def test_the_weakest_case_is_recorded(name):
    information = np.full((3, 2), 200.0)
    means = np.array([[1.0, 0.0], [0.0, 1.0], [0.97, -1.0]])  # arm 2 nearly optimal
    assert evidence_of(name, information, means)[1].weakest.tolist() == [2, -1]
    means = np.array([[1.0, 0.0], [0.97, 1.0], [-5.0, -5.0]])  # arm 0 nearly dominated
    assert evidence_of(name, information, means)[1].weakest.tolist() == [0, 1]


@pytest.mark.parametrize("name", RULES)
def test_ties_and_arms_without_samples_prevent_a_proof(name):
    information = np.full((3, 2), 1e6)
    assert evidence_of(name, information, np.zeros((3, 2)))[0] == -np.inf
    means = np.array([[2.0, 2.0], [2.0, 2.0], [0.0, 0.0]])
    assert evidence_of(name, information, means)[0] == -np.inf
    information[2] = 0
    means = np.array([[2.0, 0.0], [0.0, 2.0], [-9.0, -9.0]])
    assert evidence_of(name, information, means)[0] < 0


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


def test_evidence_adds_up_over_objectives_and_arms_only_if_these_are_independent():
    for means in (RIVALS, PAIR):
        information = np.full(means.shape, 1000.0)
        joint, pairs = (evidence_of(name, information, means)[0] for name in RULES)
        assert joint > 1.7 * pairs > 10


class Groups(NamedTuple):
    group_sizes: np.ndarray
    additions: np.ndarray


@pytest.mark.compiled
def test_groups_of_more_arms_than_can_be_optimal_do_not_count():
    """They exist only after a wrong statement, and have no share of the bets."""
    rule, groups = make_rule("joint", 0.0, 5), Groups(np.array([4]), np.zeros((1, 8)))
    assert log_addition(rule, 0, 0, groups) == -np.inf
    expected = np.logaddexp(log_share(rule, 1, 3), log_share(rule, 2, 3))
    assert log_addition(rule, 0, 3, groups) == pytest.approx(expected)
    assert log_addition(rule, 0, 4, groups) > np.logaddexp(
        log_share(rule, 1, 4), log_share(rule, 2, 4)
    )
