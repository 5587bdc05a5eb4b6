"""Sequential algorithms with a budget, sample by sample, and what they compute by definition."""

import itertools
import math

import numpy as np
import scipy.stats
from references.pareto import pareto_set


class TrackingLoop:
    """First samples in order, then the arm furthest behind its share, in plain Python."""

    def __init__(self, algorithm, n_arms, n_objectives, shares_of):
        self.algorithm, self.shares_of = algorithm, shares_of  # maps means to shares
        self.counts, self.sums = np.zeros(n_arms, int), np.zeros((n_arms, n_objectives))
        self.due = 0

    def arms(self):
        """Arms that may be sampled next: several if they are behind by the same."""
        t, n_arms = int(self.counts.sum()), self.counts.size
        if t < self.algorithm.warm_up * n_arms:
            return [t % n_arms]
        least = math.sqrt(t) - n_arms / 2
        if self.algorithm.forced_exploration and least >= 1 and self.counts.min() <= least:
            return [int(self.counts.argmin())]
        if t >= self.due:
            self.shares = self.shares_of(self.sums / self.counts[:, None])
            self.due = t + max(self.algorithm.update_every, t // 100)
        behind = (t + 1) * self.shares - self.counts
        return np.flatnonzero(behind > behind.max() - 1e-9).tolist()

    def observe(self, arm, reward):
        self.counts[arm] += 1
        self.sums[arm] += reward


def predictive(mean, variance, n, tau, freedom):
    """Distribution of an average after ``tau`` more samples; the normal one for 0 of freedom."""
    scale = math.sqrt(variance * tau / (n * (n + tau)))
    if freedom == 0:
        return scipy.stats.norm(mean, scale)
    return scipy.stats.t(freedom, mean, scale)


def changes_at(means, arm, point):
    """Whether the Pareto set changes if the mean of an arm moves to a point."""
    moved = means.copy()
    moved[arm] = point
    return pareto_set(moved) != pareto_set(means)


def change_probability(means, arm, predicted):
    """Probability that the Pareto set changes, over the cells between the means of other arms.

    The Pareto set is the same at all points of a cell, so that one point of each is looked at.
    ``predicted`` has a distribution for each objective, independent of each other.
    """
    others = np.delete(means, arm, axis=0)
    axes = []
    for c, distribution in enumerate(predicted):
        edges = np.unique(others[:, c])
        inside = np.concatenate(([edges[0] - 1], (edges[1:] + edges[:-1]) / 2, [edges[-1] + 1]))
        bounds = np.concatenate(([-np.inf], edges, [np.inf]))
        masses = [mass_between(distribution, *pair) for pair in itertools.pairwise(bounds)]
        axes.append(list(zip(inside, masses, strict=True)))
    return sum(
        p * q for (x, p), (y, q) in itertools.product(*axes) if changes_at(means, arm, (x, y))
    )


def mass_between(distribution, low, high):
    """Probability of an interval, from the smaller tails."""
    if low >= distribution.median():
        return distribution.sf(low) - distribution.sf(high)
    return distribution.cdf(high) - distribution.cdf(low)


def simulated_change_probability(means, arm, predicted, draws, rng):
    """The same from random points: the number of changes among ``draws``."""
    points = np.column_stack([each.rvs(draws, random_state=rng) for each in predicted])
    return sum(changes_at(means, arm, point) for point in points)


class MMOBALoop:
    """`MMOBA`, with the probabilities of all cells."""

    def __init__(self, algorithm, n_arms):
        self.algorithm, self.skipped = algorithm, 0
        self.rewards = [[] for _ in range(n_arms)]

    def observe(self, arm, reward):
        self.rewards[arm].append(np.array(reward))

    def chances(self, tau):
        means = np.array([np.mean(each, axis=0) for each in self.rewards])
        found = []
        for arm, samples in enumerate(self.rewards):
            n, known = len(samples), self.algorithm.variance == "known"
            variances = np.ones(2) if known else np.var(samples, axis=0, ddof=1)
            freedom = 0 if known else n - 1
            pairs = zip(means[arm], variances, strict=True)
            predicted = [predictive(*pair, n, tau, freedom) for pair in pairs]
            found.append(change_probability(means, arm, predicted))
        return np.array(found)

    def arms(self):
        """Arms that may be sampled next: several if their probabilities are equal."""
        t, n_arms = sum(map(len, self.rewards)), len(self.rewards)
        if t < self.algorithm.warm_up * n_arms:
            return [t % n_arms]
        for tau in (self.algorithm.tau, max(self.algorithm.tau, 10)):
            chances = self.chances(tau)
            if chances.sum() > self.algorithm.negligible:
                return np.flatnonzero(chances >= (1 - 1e-9) * chances.max()).tolist()
        self.skipped += 1
        return [(self.skipped - 1) % n_arms]
