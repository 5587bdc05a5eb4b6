"""PAL: its plain twin, and how often it errs, also with least squares."""

import numpy as np
import pytest
from references.pal import PlainPAL
from references.runs import assert_same_runs, run_quietly
from scipy.stats import binomtest

from pareto_book.rivals import PAL, LinearPAL
from pareto_book.rivals.gaussian_process import Hyperparameters, covariance
from pareto_core import Instance, gaps
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
    rng, samples = np.random.default_rng(2013), 0
    for seed in range(10):
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
        means = draw_means(rng, features, algorithm.hyperparameters)
        noise = [prior.noise_variance for prior in algorithm.hyperparameters]
        instance = Instance(means, variance=noise, features=features)
        found = run_quietly(algorithm, instance, 2, seed=seed)
        assert_same_runs(found, run_quietly(PlainPAL(algorithm), instance, 2, seed=seed, n_jobs=1))
        samples += found.samples.sum()
    assert samples > 80


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
        result = run_quietly(algorithm, instance, seed=seed, n_jobs=1)
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
    runs = run_quietly(LinearPAL(0.1, bonus_scale=1.0), instance, 300)
    assert runs.stopped.all()
    assert runs.summary()["error_high"] <= 0.1


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_linear_pal_samples_an_arm_until_the_bonuses_decide_all_that_need_it(epsilon):
    """Without noise; the last two arms, which lead each other by 0.1, need the first up to 0.9."""
    means = [[0.0, 2.0], [1.0, 0.3], [0.9, 0.4]]
    instance = Instance(means, variance=[1e-20] * 2, features=np.eye(3))
    rounds = np.arange(1, 3000)
    widths = 2 * np.sqrt(0.2 * np.log(6 * np.pi**2 * rounds**2 / (6 * 0.1)) / rounds)
    last = [int(rounds[widths < lead + epsilon][0]) for lead in (0.9, 0.1, 0.1)]
    runs = run_quietly(LinearPAL(0.1, epsilon, bonus_scale=0.2), instance)
    assert runs.pulls[0].tolist() == last
    assert runs.answers.all()


def test_features_and_hyperparameters_must_fit_the_problem():
    algorithm = PAL(hyperparameters=PRIORS)
    with pytest.raises(ValueError, match=r"^features = None"):
        Session(algorithm, 3, 2)
    with pytest.raises(ValueError, match=r"^hyperparameters has 2 entries; expected 3"):
        Session(algorithm, 3, 3, features=np.eye(3, 2))
    with pytest.raises(ValueError, match=r"^hyperparameters has 2 length_scales; expected 3"):
        Session(algorithm, 3, 2, features=np.eye(3))
