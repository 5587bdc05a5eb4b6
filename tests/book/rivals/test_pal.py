"""PAL with Gaussian processes and with least squares: whole runs, and their answers."""

import math

import numpy as np
import pytest
from references.pal import PlainLinearPAL, PlainPAL, follow
from scipy.stats import binomtest

from pareto_book.rivals import PAL, LinearPAL
from pareto_book.rivals.gaussian_process import Hyperparameters, covariance
from pareto_core import Instance, gaps, simulate
from pareto_lab import Session

PRIORS = (
    Hyperparameters(0.2, 0.5, 1.0, (0.7, 1.5), 0.05),
    Hyperparameters(-0.5, 0.1, 1.5, (1.0, 0.4), 0.02),
)


def random_prior(rng, n_features):
    linear, signal = np.exp(rng.normal(size=2))
    lengths = np.exp(rng.normal(size=n_features))
    return Hyperparameters(rng.normal(), linear, signal, lengths, np.exp(rng.uniform(-4, -1)))


def draw_means(rng, features, priors):
    """Means of all arms drawn from the prior, one process per objective."""
    columns = [
        rng.multivariate_normal(np.full(len(features), prior.mean), covariance(features, prior))
        for prior in priors
    ]
    return np.column_stack(columns)


@pytest.mark.slow
@pytest.mark.parametrize("empty_intersection", ["newest", "nearest"])
@pytest.mark.parametrize("beta_divisor", [1.0, 4.0])
def test_pal_is_the_plain_algorithm(empty_intersection, beta_divisor):
    rng = np.random.default_rng(2013)
    lengths = []
    for _ in range(10):
        n_arms, d, h = (int(rng.integers(*bounds)) for bounds in ((2, 9), (1, 4), (1, 3)))
        features = rng.standard_normal((n_arms, h))
        algorithm = PAL(
            delta=rng.uniform(0.01, 0.5),
            epsilon=rng.uniform(0.3, 1.0) / beta_divisor**3,
            beta_divisor=beta_divisor,
            hyperparameters=tuple(random_prior(rng, h) for _ in range(d)),
            initial_samples=int(rng.choice([0, 0, 10])),
            empty_intersection=empty_intersection,
        )
        plain = PlainPAL(algorithm, features)

        def watch(session, plain=plain):
            assert session._state.run.run.state.lower == pytest.approx(plain.low, abs=1e-8)
            assert session._state.run.run.state.upper == pytest.approx(plain.high, abs=1e-8)

        deviation = [math.sqrt(prior.noise_variance) for prior in algorithm.hyperparameters]
        means = draw_means(rng, features, algorithm.hyperparameters)
        session = follow(algorithm, plain, means, features, np.array(deviation), rng, watch)
        lengths.append(session.samples)
    assert sum(lengths) > 40


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_linear_pal_is_the_plain_algorithm(epsilon):
    rng = np.random.default_rng(2025)
    rounds = []
    while len(rounds) < 12:
        n_arms, d, h = (int(rng.integers(*bounds)) for bounds in ((2, 9), (1, 4), (1, 5)))
        features = rng.standard_normal((n_arms, h))
        features[:, -1] = 2 * features[:, 0]  # not of full rank, unless there is one only
        if len(rounds) % 2:
            features = np.eye(n_arms)  # arms that tell nothing of each other
        means = features @ rng.standard_normal((features.shape[1], d))
        if gaps(means).min() < 0.4:
            continue
        algorithm = LinearPAL(
            delta=rng.uniform(0.01, 0.5), epsilon=epsilon, bonus_scale=rng.uniform(0.05, 1)
        )
        plain = PlainLinearPAL(algorithm, features)
        follow(algorithm, plain, means, features, 0.3, rng)
        rounds.append(plain.round - 1)
    assert max(rounds) > 5


def is_accurate(means, answer, epsilon):
    """Whether no answer is dominated by more than epsilon, and every arm covered within it."""
    within = (means[:, None] <= means[answer] + epsilon).all(axis=2)
    exceeded = (means[:, None] > means[answer] + epsilon).all(axis=2)
    return bool(within.any(axis=1).all() and not exceeded.any())


@pytest.mark.statistical
def test_pal_is_accurate_on_draws_from_its_prior():
    rng = np.random.default_rng(28)
    algorithm = PAL(delta=0.1, epsilon=0.4, beta_divisor=1, hyperparameters=PRIORS)
    wrong, samples, runs = 0, 0, 300
    for seed in range(runs):
        features = rng.standard_normal((8, 2))
        means = draw_means(rng, features, PRIORS)
        noise = [prior.noise_variance for prior in PRIORS]
        instance = Instance(means, variance=noise, features=features)
        result = simulate(algorithm, instance, 1, seed=seed, n_jobs=1, progress=False)
        assert result.stopped.all()
        wrong += not is_accurate(means, result.answers[0], 0.4)
        samples += result.samples[0]
    assert samples / runs > 20
    assert binomtest(wrong, runs).proportion_ci(0.99, "exact").high <= 0.1


@pytest.mark.statistical
def test_linear_pal_errs_at_most_delta_with_a_generous_bonus():
    rng = np.random.default_rng(20)
    features = rng.standard_normal((12, 3))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    means = features @ rng.standard_normal((3, 2))
    assert 0.2 < gaps(means).min() < 0.25
    instance = Instance(means, variance=[0.5, 0.5], features=features)
    runs = simulate(LinearPAL(delta=0.1, bonus_scale=1.0), instance, 300, progress=False)
    assert runs.stopped.all()
    assert runs.summary()["error_high"] <= 0.1


def test_features_and_hyperparameters_must_fit_the_problem():
    algorithm = PAL(hyperparameters=PRIORS)
    with pytest.raises(ValueError, match=r"^features = None"):
        Session(algorithm, 3, 2)
    with pytest.raises(ValueError, match=r"^hyperparameters has 2 entries; expected 3"):
        Session(algorithm, 3, 3, features=np.eye(3, 2))
    with pytest.raises(ValueError, match=r"^hyperparameters has 2 length_scales; expected 3"):
        Session(algorithm, 3, 2, features=np.eye(3))
