"""Certificates against their martingales by definition: each excluded world has a large one."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from references import accuracy, gaps
from references import alternatives as wrong
from references import martingales as reference
from references.limits import at_its_limit, contradicted, decided
from references.seeds import least_surplus, tried

from pareto_core import Certificate
from pareto_core.confidence.proven_rules import RULES


class Case(NamedTuple):
    """Data for a certificate, and what its statements have to be compared with."""

    counts: np.ndarray
    means: np.ndarray
    worlds: Callable  # maps a number to this many worlds
    settings: dict[str, Any]
    information: np.ndarray  # that the martingale has; 0 without noise, where its factors are 1
    log_certificate: Callable = reference.log_certificate
    most: int = 0  # statements, beside one for each arm
    count: Callable = decided
    contradicted: Callable = contradicted


def own_counts(rng):
    """Counts differ between objectives; some of them are zero."""
    counts, means = wrong.random_data(rng, most_arms=4)
    share = rng.choice([0.0, 0.05, 0.5, 1.0], counts.shape, p=[0.1, 0.2, 0.4, 0.3])
    counts = np.floor(counts * share)

    def worlds(number):
        return wrong.alternatives(rng, counts, means, number)

    return Case(counts, means, worlds, {}, counts)


def mixed_noise(rng):
    """One objective has no noise; the worlds agree with its values."""
    counts, means, is_exact = gaps.random_mixed_data(rng)

    def worlds(number):
        found = wrong.alternatives(rng, counts, means, number).means
        found = np.where(is_exact & (counts > 0), means, found)
        return gaps.worlds_without_noise(found, is_exact, rng)

    settings = {"standard_deviation": np.where(is_exact, 0.0, 1.0)}
    return Case(counts, means, worlds, settings, np.where(is_exact, 0.0, counts))


def up_to_an_accuracy(rng):
    counts, means = wrong.random_data(rng)
    epsilon = accuracy.random_epsilon(rng, means)
    epsilon[0] = epsilon[0] or np.ptp(means[:, 0]) + 1e-3  # not all 0

    def worlds(number):
        return accuracy.alternatives(rng, counts, means, epsilon, number)

    settings, marks = {"epsilon": epsilon}, (accuracy.stated, accuracy.contradicted)
    martingale = accuracy.log_certificate
    return Case(counts[:, 0], means, worlds, settings, counts, martingale, len(means), *marks)


def surpluses(kind, rng, rule, number):
    """Values of ln(delta M) over the worlds that a certificate rules out at its limit."""
    case = kind(rng)

    def certificate_at(delta):
        certificate = Certificate(*case.means.shape, delta=delta, rule=rule, **case.settings)
        certificate.update(case.counts, case.means)
        return certificate

    number_of_statements = rng.integers(1, len(case.means) + case.most + 1)
    found = at_its_limit(certificate_at, number_of_statements, case.count)
    if found is None:
        return np.empty(0)
    certificate, log_delta = found
    worlds = case.worlds(number)
    worlds = worlds.at(case.contradicted(certificate, worlds))
    return log_delta + case.log_certificate(rule == "joint", case.information, case.means, worlds)


MOST = {  # of the least surplus
    own_counts: 0.3,
    mixed_noise: 3.0,  # it also pays for bets on the objective without noise
    up_to_an_accuracy: 0.2,
}


@pytest.mark.parametrize("least_tried", tried(40, 3000, 10_000))
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "kind", [own_counts, *(pytest.param(kind, marks=pytest.mark.compiled) for kind in [*MOST][1:])]
)
def test_the_martingale_of_every_excluded_world_is_large(kind, rule, least_tried):
    rng = np.random.default_rng(3)
    least = least_surplus(lambda number: surpluses(kind, rng, rule, number), least_tried, 200)
    assert -1e-9 < least
    assert least < MOST[kind] or least_tried < 1000
