"""Gaussian processes on arms: likelihood and its optimum; the twin of PAL has the posterior."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from pareto_book.rivals.gaussian_process import (
    Hyperparameters,
    _collect,
    _negative_log_likelihood,
    covariance,
    fit,
    update,
)


def random_prior(rng, n_arms, n_features, near):
    """Hyper-parameters, and features of which some are equal or almost equal."""
    features = rng.standard_normal((n_arms, n_features))
    for k in range(1, n_arms):
        if rng.random() < 0.4:
            features[k] = features[rng.integers(k)] + near * rng.standard_normal(n_features)
    linear, signal = np.exp(rng.normal(size=2))
    lengths = np.exp(rng.normal(size=n_features))
    return features, Hyperparameters(rng.normal(), linear, signal, lengths, 1.0)


def test_noise_below_the_rounding_errors_is_handled():
    noise = 1e-15  # the variance of near duplicates becomes zero or slightly negative
    for seed in range(30):
        rng = np.random.default_rng(seed)
        features, prior = random_prior(rng, 6, 2, 1e-9)
        cov = covariance(features, prior)
        scale = cov.max()
        jitter = 1e-13 * scale * np.eye(6)
        truth = np.linalg.cholesky(cov + jitter) @ rng.standard_normal(6)
        mean = np.zeros(6)
        for arm in rng.permutation(np.repeat(np.arange(6), 30)):
            update(mean, cov, arm, 1, truth[arm], noise * scale)
            assert (np.diag(cov) >= 0).all()
        assert mean == pytest.approx(truth, abs=1e-5 * np.sqrt(scale))


def draw(rng, features, prior, counts):
    """Rewards of each arm, drawn from the prior."""
    truth = rng.multivariate_normal(np.full(len(features), prior.mean), covariance(features, prior))
    deviation = np.sqrt(prior.noise_variance)
    return [truth[k] + deviation * rng.standard_normal(n) for k, n in enumerate(counts)]


def summary(rewards):
    """Averages and scatter of each arm; arbitrary for arms without rewards."""
    means = np.array([group.mean() if group.size else 7.0 for group in rewards])
    scatter = [((group - mean) ** 2).sum() for group, mean in zip(rewards, means, strict=True)]
    return means, np.array(scatter)


def log_likelihood(prior, features, counts, means, scatter):
    """Of all rewards in one objective, as the fit computes it."""
    (data,) = _collect(features, counts, means[:, None], scatter[:, None])
    lengths = np.array(prior.length_scales)
    parameters = prior.linear_variance, prior.signal_variance, lengths, prior.noise_variance
    return -_negative_log_likelihood(prior.mean, *parameters, data)[0]


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_likelihood_equals_that_of_the_raw_rewards(seed):
    rng = np.random.default_rng(seed)
    features, prior = random_prior(rng, 5, 2, 1e-2)
    prior = dataclasses.replace(prior, noise_variance=np.exp(rng.normal() - 1))
    counts = np.array([3, 1, 0, 4, 2])
    rewards = draw(rng, features, prior, counts)
    arms = np.repeat(np.arange(5), counts)
    cov = covariance(features, prior)[np.ix_(arms, arms)] + prior.noise_variance * np.eye(10)
    raw = multivariate_normal(np.full(10, prior.mean), cov).logpdf(np.concatenate(rewards))
    found = log_likelihood(prior, features, counts, *summary(rewards))
    assert found == pytest.approx(raw, rel=1e-8, abs=1e-8)


@pytest.mark.slow
def test_fit_is_the_most_likely():
    """Also of two local optima, many short waves, or one long wave and more noise."""
    rng = np.random.default_rng(6)
    features, counts = rng.uniform(-1, 1, (12, 1)), rng.integers(1, 4, 12)
    prior = Hyperparameters(0.0, 0.01, 1.0, (0.15,), 0.3)
    means, scatter = summary(draw(rng, features, prior, counts))
    (best,) = fit(features, counts, means[:, None], scatter[:, None])
    found = log_likelihood(best, features, counts, means, scatter)
    assert found == pytest.approx(-27.943, abs=0.01)
