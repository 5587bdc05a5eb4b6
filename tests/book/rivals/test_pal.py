"""PAL with Gaussian processes: whole runs, and their answers."""

import math

import numpy as np
import pytest
from references.pal import PlainPAL, follow
from scipy.stats import binomtest

from pareto_book.rivals.gaussian_process import Hyperparameters, covariance
from pareto_book.rivals.pal import PAL
from pareto_core import Instance, simulate
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
    size = len(features)
    columns = [
        rng.multivariate_normal(np.full(size, prior.mean), covariance(features, prior))
        for prior in priors
    ]
    return np.column_stack(columns)


@pytest.mark.slow
@pytest.mark.parametrize("empty_intersection", ["newest", "nearest"])
@pytest.mark.parametrize("beta_divisor", [1.0, 2.0, 4.0])
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


def test_pal_decides_before_the_first_sample_if_the_prior_suffices():
    session = Session(PAL(epsilon=100.0, hyperparameters=PRIORS), 3, 2, features=np.eye(3, 2))
    assert session.recommendation.tolist() == [0, 1, 2]
    session.tell(session.ask(), [0.0, 0.0])
    assert session.finished


def is_accurate(means, answer, epsilon):
    """Whether no answer is dominated by more than epsilon, and every arm covered within it."""
    within = (means[:, None] <= means[answer] + epsilon).all(axis=2)
    exceeded = (means[:, None] > means[answer] + epsilon).all(axis=2)
    return bool(within.any(axis=1).all() and not exceeded.any())


@pytest.mark.statistical
def test_pal_is_accurate_on_draws_from_its_prior():
    rng = np.random.default_rng(28)
    noise = [prior.noise_variance for prior in PRIORS]
    algorithm = PAL(delta=0.1, epsilon=0.4, beta_divisor=1, hyperparameters=PRIORS)
    wrong, samples, runs = 0, 0, 300
    for seed in range(runs):
        features = rng.standard_normal((8, 2))
        means = draw_means(rng, features, PRIORS)
        instance = Instance(means, variance=noise, features=features)
        result = simulate(algorithm, instance, 1, seed=seed, n_jobs=1, progress=False)
        assert result.stopped.all()
        wrong += not is_accurate(means, result.answers[0], 0.4)
        samples += result.samples[0]
    assert samples / runs > 20
    assert binomtest(wrong, runs).proportion_ci(0.99, "exact").high <= 0.1


def test_features_and_hyperparameters_must_fit_the_problem():
    algorithm = PAL(hyperparameters=PRIORS)
    with pytest.raises(ValueError, match=r"^features = None"):
        Session(algorithm, 3, 2)
    with pytest.raises(ValueError, match=r"^hyperparameters has 2 entries; expected 3"):
        Session(algorithm, 3, 3, features=np.eye(3, 2))
    with pytest.raises(ValueError, match=r"^hyperparameters has 2 length_scales; expected 3"):
        Session(algorithm, 3, 2, features=np.eye(3))
