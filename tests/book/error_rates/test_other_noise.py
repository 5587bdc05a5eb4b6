"""Error probabilities with correlated or unequal noise, and in linear models."""

import numpy as np
import pytest
from scipy import stats

import pareto_core as pc
from pareto_book.error_rates import error_probability, fit_proposals
from pareto_book.error_rates.whitening import whitening_of
from pareto_book.error_rates.wrong_turns import wrong_turns
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET

QUESTIONS = pytest.mark.parametrize("question", [PARETO_SET, BEST_ARMS], ids=lambda q: q.name)
ANSWERS = {PARETO_SET: pc.pareto_set, BEST_ARMS: pc.best_arms}


def random_noise(rng, n_arms, d):
    """Noise of one kind of the three: common covariance, own covariances, or own variances."""
    roots = rng.standard_normal((n_arms, d, d)) + np.eye(d)
    roots *= 3.0 ** rng.uniform(-1, 1, (n_arms, d, 1))
    covariance = roots @ roots.transpose(0, 2, 1)
    kind = rng.integers(3)
    if kind == 2:
        return {"variance": np.diagonal(covariance, axis1=1, axis2=2)}
    return {"covariance": covariance if kind else covariance[0]}


def covariances(instance):
    """Covariance of each arm, shape (K, d, d)."""
    if instance.covariance is None:
        return np.array([np.diag(each) for each in instance.variance])
    return np.broadcast_to(instance.covariance, (*instance.means.shape, instance.n_objectives))


OWN = np.array([[[1.0, 0.5], [0.5, 2.0]], [[0.5, -0.2], [-0.2, 0.3]]])


@pytest.mark.statistical
@pytest.mark.slow
def test_a_tail_of_correlated_noise_is_found():
    """The answer is wrong if the dominated arm looks better in an objective."""
    instance, budget = pc.Instance([[0.0, 0.0], [-1.0, -1.5]], covariance=OWN), 100
    spread = sum(covariances(instance)) / (budget / 2)
    difference = instance.means[0] - instance.means[1]
    single = stats.norm.sf(difference / np.sqrt(np.diag(spread)))
    both = stats.multivariate_normal.cdf(-difference, np.zeros(2), spread, abseps=1e-14)
    truth = single.sum() - both
    algorithm = pc.UniformSampling(budget=budget)
    proposals = fit_proposals(algorithm, instance, 300, seed=1)
    found = error_probability(algorithm, instance, proposals, 2000, seed=2)
    deviation = np.sqrt((found.contributions**2).sum())
    assert truth < 1e-5
    assert abs(found.probability - truth) < 4 * deviation < 0.5 * truth


@pytest.mark.parametrize("is_linear", [False, True])
@QUESTIONS
def test_the_cheapest_wrong_turn_costs_as_much_as_the_cheapest_alternative(question, is_linear):
    rng, compared = np.random.default_rng(0), 0
    for shape in [(3, 1), (3, 2), (5, 2), (4, 3), (6, 3)] * 2:
        weights, features = rng.uniform(0.1, 1, shape[0]), None
        means, noise = 10 * rng.standard_normal(shape), {}
        if is_linear:
            features = 10 * rng.standard_normal((shape[0], 2))
            means = features @ rng.standard_normal((2, shape[1]))
        else:
            noise = random_noise(rng, *shape)
        instance = pc.Instance(means, features=features, **noise)
        white = whitening_of(instance)
        turns = wrong_turns(instance, question, weights, is_linear)
        costs = [weights @ (white.whitened(each - means) ** 2).sum(axis=1) / 2 for each in turns]
        settings = {"problem": question.name, "features": features, **noise}
        cheapest = pc.transport_cost(means, weights, **settings)
        if np.abs(cheapest.alternative - means).max() > 0.2:  # otherwise arms almost tie
            assert min(costs) == pytest.approx(cheapest.value, rel=1e-6)
            compared += 1
    assert compared >= 5


def test_the_cheapest_alternative_of_arms_in_a_region_is_among_the_wrong_turns():
    rng = np.random.default_rng(0)
    for shape in [(2, 1), (3, 2), (5, 2), (4, 3), (6, 3)]:
        region = pc.Polyhedron(-np.eye(shape[1]), np.zeros(shape[1]))
        means, weights = rng.standard_normal(shape), rng.uniform(0.1, 1, shape[0])
        instance = pc.Instance(means, polyhedron=region)
        turns = wrong_turns(instance, CONSTRAINED_PARETO_SET, weights)
        costs = [weights @ ((turn - means) ** 2).sum(axis=1) / 2 for turn in turns]
        problem = CONSTRAINED_PARETO_SET.name
        cheapest = pc.transport_cost(means, weights, problem=problem, polyhedron=region)
        assert np.isclose(costs, cheapest.value, rtol=1e-6).any()
