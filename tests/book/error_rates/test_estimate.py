"""Error probabilities too small to count."""

import dataclasses
import functools

import numpy as np
import pytest
from references.seeds import MORE
from scipy import stats

from pareto_book.error_rates import error_probabilities, error_probability, fit_proposals
from pareto_book.error_rates.estimate import weighted_count_interval
from pareto_book.error_rates.proposals import Proposals, draw
from pareto_book.error_rates.wrong_turns import wrong_turns
from pareto_core import (
    APE,
    ECAPE,
    MOBAI,
    Instance,
    Polyhedron,
    TopTwoIDS,
    TrackAndStop,
    UniformSampling,
    simulate,
    transport_cost,
)
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET

PAIR = Instance([[0.0], [1.0]], variance=[4.0])
PLANE = Instance([[0.0, 0.6], [0.4, 0.4], [0.6, 0.0], [0.2, 0.1]], variance=[0.5, 0.2])
QUESTIONS = (PARETO_SET, BEST_ARMS, CONSTRAINED_PARETO_SET)


def tail(budget, instance=PAIR):
    """Probability that the worse of two arms looks better after ``budget`` samples in all."""
    counts = np.array([(budget + 1) // 2, budget // 2])
    gap = float(np.ptp(instance.means_standardised))
    return stats.norm.sf(gap / np.sqrt((1 / counts).sum()))


@functools.cache
def fitted(budget):
    return fit_proposals(UniformSampling(budget=budget), PAIR, 400, seed=1)


@pytest.mark.statistical
@pytest.mark.parametrize("budget", [10, 800])
def test_a_normal_tail_is_found_however_small(budget):
    truth = tail(budget)
    found = error_probability(UniformSampling(budget=budget), PAIR, fitted(budget), 4000, seed=2)
    deviation = np.sqrt((found.contributions**2).sum())
    assert found.effective_errors > 50
    assert abs(found.probability - truth) < 4 * deviation < 0.6 * truth
    assert found.low < found.probability < found.high
    assert found.contributions.sum() == pytest.approx(found.probability)
    assert (found.samples == budget).all()
    assert not found.answers[:, 1].any()


@pytest.mark.statistical
@MORE
def test_the_estimate_has_no_bias_and_its_interval_covers(times):
    algorithm, truth = UniformSampling(budget=200), tail(200)
    found = [
        error_probability(algorithm, PAIR, fitted(200), 150, seed=seed)
        for seed in range(10, 10 + 60 * times)
    ]
    values = np.array([each.probability for each in found]) / truth
    assert abs(values.mean() - 1) < 4 * values.std(ddof=1) / np.sqrt(values.size)
    covered = sum(each.low <= truth <= each.high for each in found)
    assert stats.binomtest(covered, len(found), 0.95, alternative="less").pvalue > 1e-3


def slow_log_ratio(runs, i, moved):
    """Log-likelihood of the averages of run i under ``moved`` less that under the instance."""
    seen = runs.pulls[i] > 0
    deviation = np.sqrt(PLANE.variance / runs.pulls[i, seen, None])
    seen_under = [
        stats.norm.logpdf(runs.means[i, seen], each[seen], deviation).sum()
        for each in (moved, PLANE.means)
    ]
    return np.subtract(*seen_under)


@pytest.mark.compiled
def test_draws_are_the_runs_of_simulate_and_their_ratios_those_of_the_definition():
    algorithm = TopTwoIDS(delta=0.3)
    means = np.array([PLANE.means, 2 * PLANE.means, PLANE.means[::-1]])
    proposals = Proposals(means, np.array([0.5, 0.25, 0.25]))
    draws = draw([algorithm], PLANE, proposals, 8, 5, 100, 1)[0]
    seeds = np.random.SeedSequence(5).generate_state(3, np.uint64) >> np.uint64(2)
    settings = {"max_samples": 100, "progress": False}
    assert np.exp(draws.log_shares) == pytest.approx([0.5, 0.25, 0.25])
    row = 0
    for moved, number, seed in zip(means, (4, 2, 2), seeds, strict=True):
        played = dataclasses.replace(PLANE, means=moved)
        runs = simulate(algorithm, played, number, int(seed), **settings)
        for i in range(number):
            ratios = [slow_log_ratio(runs, i, each) for each in means]
            assert draws.log_ratios[row] == pytest.approx(ratios, rel=1e-8, abs=1e-8)
            mixture = sum(s * np.exp(r) for s, r in zip(proposals.shares, ratios, strict=True))
            assert np.exp(draws.log_weights[row]) == pytest.approx(1 / mixture)
            right = np.array_equal(np.flatnonzero(runs.answers[i]), PLANE.pareto_set)
            assert draws.wrong[row] == (runs.stopped[i] and not right)
            assert draws.samples[row] == runs.samples[i]
            row += 1
    assert row == len(draws.log_ratios)


PLAIN = Instance([[0.0, 0.0], [-0.1, -3.0]])
REGION = Polyhedron([[-1.0, 0.0]], [0.0])
CASES = [  # and the most samples of a run, and how many are counted
    (TrackAndStop(delta=0.3), PLAIN, 300, 1500),
    (MOBAI(delta=0.3), Instance([[0.0, 0.0], [0.2, -2.0]]), 200, 1500),
    (ECAPE(0.3, 2.0), Instance([[0.1, 0.0], [-0.3, -3.0]], polyhedron=REGION), 300, 1500),
]


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "instance", "most", "number"), CASES)
@MORE
def test_agrees_with_counting(algorithm, instance, most, number, times):
    number *= times
    proposals = fit_proposals(algorithm, instance, 500, seed=1, max_samples=most)
    found = error_probability(algorithm, instance, proposals, 3000, seed=2, max_samples=most)
    runs = simulate(algorithm, instance, number, seed=3, max_samples=most, progress=False)
    errors = int((runs.stopped & ~runs.correct).sum())
    counted = stats.binomtest(errors, number).proportion_ci(0.999, "exact")
    low, high = weighted_count_interval(found.contributions, 1.0, 0.999)
    assert errors >= 10
    assert found.effective_errors >= 50
    assert counted.low <= high
    assert low <= counted.high


def test_several_risks_at_once_are_those_of_single_estimates():
    algorithm, instance = UniformSampling(), Instance([[0.0], [0.3]])
    proposals = fit_proposals(algorithm, instance, 100, seed=1, deltas=[0.1, 1e-3], max_samples=60)
    request = {"runs": 400, "seed": 2, "max_samples": 60}
    for each in error_probabilities(algorithm, instance, proposals, [0.1, 1e-3], **request):
        alone = error_probability(algorithm.with_delta(each.delta), instance, proposals, **request)
        assert each.probability == pytest.approx(alone.probability)
        assert 0 < each.low < each.probability < each.high


@pytest.mark.parametrize("number", [1, 30])
def test_interval_of_equal_contributions_is_that_of_a_poisson_count(number):
    low, high = weighted_count_interval(np.full(number, 1e-20), 1.0, 0.9)
    assert low == pytest.approx(1e-20 * stats.chi2.ppf(0.05, 2 * number) / 2)
    assert high == pytest.approx(1e-20 * stats.chi2.isf(0.05, 2 * number + 2) / 2)


def test_interval_without_errors_is_that_of_a_count_of_zero():
    for none in ([], [0.0, 0.0]):
        assert weighted_count_interval(none, 0.01) == (0.0, pytest.approx(-0.01 * np.log(0.025)))


OTHER_NOISE = [
    Instance([[0.2], [0.5]], noise="bernoulli"),
    Instance([[0.0], [1.0]], variance=[[0.0], [1.0]]),
    Instance([[0.0, 0.0], [1.0, 1.0]], covariance=[[1.0, 0.5], [0.5, 1.0]]),
]


@pytest.mark.parametrize("instance", OTHER_NOISE, ids=["coins", "own", "correlated"])
def test_other_noise_is_refused(instance):
    with pytest.raises(ValueError, match="expected independent Gaussian noise"):
        fit_proposals(UniformSampling(), instance, 2)


def test_an_algorithm_whose_samples_depend_on_its_risk_has_one_risk_at_a_time():
    alone = Proposals(PAIR.means[None], np.ones(1))
    with pytest.raises(ValueError, match="does not depend on delta"):
        error_probabilities(APE(), PAIR, alone, [0.1], 2)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_cheapest_alternative_is_among_the_wrong_turns(question):
    rng, compared = np.random.default_rng(0), 0
    for n_arms, d in [(2, 1), (3, 2), (5, 2), (4, 3), (6, 3)] * 2:
        means, weights = 10 * rng.standard_normal((n_arms, d)), rng.uniform(0.1, 1, n_arms)
        region = Polyhedron(-np.eye(d), np.zeros(d)) if question is CONSTRAINED_PARETO_SET else None
        turns = wrong_turns(Instance(means, polyhedron=region), question, weights)
        costs = [weights @ ((turn - means) ** 2).sum(axis=1) / 2 for turn in turns]
        cheapest = transport_cost(means, weights, problem=question.name, polyhedron=region)
        if np.abs(cheapest.alternative - means).max() > 0.2:  # otherwise arms almost tie
            assert np.isclose(costs, cheapest.value, rtol=1e-6).any()
            compared += 1
    assert compared >= 5
