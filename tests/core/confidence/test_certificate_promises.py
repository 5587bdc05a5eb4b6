"""Certificates keep their promise by simulation, and break it where an assumption fails."""

import functools
from typing import Any, NamedTuple

import numpy as np
import pytest
from references import accuracy, misleading, subset_martingales
from references import martingales as reference
from references.seeds import MORE

import pareto_core as pc
from pareto_core.confidence.proven_rules import RULES
from pareto_core.simulation.statistics import rate_interval

DELTA, EPSILON = 0.2, 0.2
NEAR_TIES = {
    "front": [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0], [-0.01, 0.99]],
    "near": [[0.1, 0.0], [0.0, 0.1], [-0.02, 0.08]],
    "pair": [[0.0, 0.0], [-0.005, -0.005]],
    "tied": [[0.0, 0.0], [0.0, 0.0], [-0.01, 0.0]],
    "wide": [[0.0, 0.0, 0.0], [-0.01, -0.01, -5.0]],
}
NEARLY_BEATEN = {
    "tied": NEAR_TIES["tied"],
    "beaten": [[0.0, 0.0], [-0.21, -0.2], [-0.2, -0.22]],
    "nearly beaten": [[0.0, 0.0], [-0.19, -0.3], [-0.3, -0.19]],
    "wide": [[0.0, 0.0, 0.0], [-0.01, -0.21, -5.0]],
}
NEAR_THE_BORDER = {"near": [[0.0, 0.5], [0.01, 0.49], [0.31, 0.9], [-0.29, 0.7]]}
WITH_LEAVERS = {
    "below one arm": [[3.0, 3.0], [0.0, 0.01], [0.0, 0.0], [0.01, 0.0]],
    "chain": [[0.02], [0.01], [0.0]],
    "tied": NEAR_TIES["tied"],
}


def wrong_up_to_an_accuracy(certificate, truth):
    epsilon = np.full(truth.shape[1], EPSILON)
    worlds = accuracy.choose(truth[None], epsilon, np.random.default_rng())
    return bool(accuracy.contradicted(certificate, worlds).any())


def wrong_about_remaining(certificate, truth):
    worlds = reference.choose(truth[None], np.random.default_rng(0))
    return bool(subset_martingales.contradicted(certificate, worlds)[0])


class Withdrawing(pc.Certificate):
    """Retires, as soon as anything is certain, the arm that dominates most arms."""

    def __init__(self, *size, rule="joint", **options):
        super().__init__(*size, rule=f"{rule}_subsets", **options)

    def update(self, counts, means, scatter=None):
        super().update(counts, means, scatter)
        remaining = np.delete(np.arange(len(counts)), self.retired)
        if remaining.size > 2 and self.open.size < remaining.size:
            self.retire(int(remaining[means[remaining].sum(axis=1).argmax()]))
            super().update(counts, means, scatter)


def wrong_labels(certificate, truth):
    inside = REGION.contains(truth)
    above = (truth[:, None] > truth).all(axis=2) & inside[:, None]
    optimal = pc.constrained_pareto_set(truth, REGION)
    return bool(
        misleading.wrong_about_means(certificate, truth)
        or set(certificate.optimal) - set(optimal)
        or not inside[certificate.feasible].all()
        or inside[certificate.infeasible].any()
        or any(not above[each, k].all() for k, each in enumerate(certificate.dominators))
    )


def wrong_best(certificate, truth):
    best = truth.argmax(axis=0)
    return misleading.wrong_about_means(certificate, truth) or any(
        best[c] not in each for c, each in enumerate(certificate.candidates)
    )


def best_arms(*size, rule=None, **settings):
    """A certificate that has no choice of rules."""
    return pc.BestArmCertificate(*size, **settings)


class Promise(NamedTuple):
    """How a kind of certificate is tried."""

    truths: dict[str, list]
    runs: tuple[int, int]  # with known and with unknown variances
    longest: tuple[int, int]
    request: dict[str, Any]


REGION = pc.Polyhedron([[-1.0, 0.0], [1.0, 1.0]], [0.3, 1.2])
IN_REGION = functools.partial(pc.ConstrainedCertificate, polyhedron=REGION)
ACCURATE = {"epsilon": EPSILON, "is_wrong": wrong_up_to_an_accuracy}
RETIRING = {"make": Withdrawing, "is_wrong": wrong_about_remaining}
FEASIBLE = {"make": IN_REGION, "is_wrong": wrong_labels}
BEST = {"make": best_arms, "is_wrong": wrong_best}
PROMISES = {
    "exact": Promise(NEAR_TIES, (100, 40), (500, 2000), {}),
    "up to an accuracy": Promise(NEARLY_BEATEN, (50, 30), (1500, 3000), ACCURATE),
    "arms retire": Promise(WITH_LEAVERS, (50, 50), (800, 800), RETIRING),
    "feasible arms": Promise(NEAR_THE_BORDER, (200, 60), (400, 1000), FEASIBLE),
    "best arms": Promise(NEAR_THE_BORDER, (200, 60), (400, 1000), BEST),
}


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("deviation", [1.0, "unknown, equal"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", PROMISES)
@MORE
def test_all_statements_are_true_with_the_promised_probability(name, rule, deviation, times):
    truths, runs, longest, request = PROMISES[name]
    unknown = deviation == "unknown, equal"
    found = sum(
        misleading.errors(
            truth,
            runs[unknown] * times,
            longest[unknown],
            delta=DELTA,
            rule=rule,
            standard_deviation=deviation,
            **request,
        )
        for truth in truths.values()
    )
    assert rate_interval(found, runs[unknown] * times * len(truths), 0.99)[1] < DELTA


ONLY_ARMS = {"is_wrong": misleading.wrong_about_arms}
NOISIER = [  # (truth, how many times the noise is as large as stated, what else is requested)
    *((NEAR_TIES[name], 2.0, {"rule": rule}) for name in ("front", "tied") for rule in RULES),
    (NEAR_TIES["pair"], 3.0, ONLY_ARMS),
    (NEARLY_BEATEN["beaten"], 10.0, ACCURATE),
    *((NEAR_THE_BORDER["near"], 4.0, request) for request in (FEASIBLE, BEST)),
]


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize(("truth", "times", "request_"), NOISIER)
def test_larger_noise_than_stated_breaks_the_promise(truth, times, request_):
    noisy, runs = functools.partial(misleading.Data, deviation=times), 60
    longest = 1500 if "epsilon" in request_ else 600
    found = misleading.errors(truth, runs, longest, data=noisy, delta=DELTA, **request_)
    assert rate_interval(found, runs)[0] > DELTA


@pytest.mark.compiled
@pytest.mark.statistical
def test_correlated_objectives_need_the_rule_of_pairs():
    d, runs = 16, 80
    truth = np.zeros((2, d))
    truth[1] = -1e-4
    same = np.full((d, d), 1 - 1e-9) + 1e-9 * np.eye(d)
    correlated = functools.partial(misleading.Data, correlation=same)
    request = {"delta": DELTA} | ONLY_ARMS
    joint, pairs = (
        misleading.errors(truth, runs, 1000, data=correlated, rule=rule, **request)
        for rule in RULES
    )
    assert rate_interval(joint, runs)[0] > DELTA
    assert rate_interval(pairs, runs)[1] < DELTA
    independent = misleading.errors(truth, runs, 1000, rule="joint", **request)
    assert rate_interval(independent, runs)[1] < DELTA
