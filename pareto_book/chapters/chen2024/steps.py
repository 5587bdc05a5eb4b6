"""The sampling rule of MO-BAI as a plain loop, and the shares of the samples along a run."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_book.chapters.chen2024.evidence import best_time, evidence
from pareto_core.bounds.surrogate import surrogate_proportions

__all__ = ["Steps", "averaged_programs", "mobai_steps", "noiseless_shares"]


class Steps(NamedTuple):
    """Steps of MO-BAI after the first round, n of them.

    Attributes
    ----------
    averages, proportions : ndarray, shape (n, K)
        Average of all surrogate proportions before each step, and those of the step.
    shares : ndarray, shape (n, K)
        Shares of the samples after each step.
    """

    averages: np.ndarray
    proportions: np.ndarray
    shares: np.ndarray


def mobai_steps(means: np.ndarray, eta: float, samples: int) -> Steps:
    """Follow the sampling rule of MO-BAI with exact means."""
    n_arms = len(means)
    counts, buffer, rows = np.ones(n_arms), np.zeros(n_arms), []
    for t in range(n_arms, samples):
        average = (counts + buffer) / t
        step = surrogate_proportions(means, average, eta).proportions
        buffer += step
        arm = buffer.argmax()
        buffer[arm] -= 1
        counts[arm] += 1
        rows.append((average, step, counts / (t + 1)))
    return Steps(*(np.array(each) for each in zip(*rows, strict=True)))


def noiseless_shares(algorithm: pc.Algorithm, means: np.ndarray, samples: int) -> np.ndarray:
    """Shares of the samples while every reward is the mean, once all arms have been sampled."""
    session = lab.Session(algorithm, *means.shape, standard_deviation=1.0)
    shares = []
    for _ in range(samples):
        arm = session.ask()
        session.tell(arm, means[arm])
        shares.append(session.pulls / session.samples)
    return np.array(shares[len(means) - 1 :])


def averaged_programs(means: np.ndarray, programs: int) -> np.ndarray:
    """Run Algorithm 3 of the paper, which computes the weights of BASELINE, with exact means."""
    needed = best_time(means)
    weights, total, shares = np.full(len(means), 1 / len(means)), 0.0, []
    for k in range(1, programs + 1):
        total = total + surrogate_proportions(means, weights, 0.0).proportions
        weights = total / k
        shares.append(evidence(means, weights) * needed)
    return np.array(shares)
