"""Separate measurements of objectives: the transportation cost and the rule, slowly and plainly."""

import math

import numpy as np
from references import noise, pareto
from references.exploration import Exploration, gaps_of_labels, gaps_of_leads, labels_of


def transport(means, weights):
    """Cheapest alternative with positive weights per arm and objective: (cost, means).

    An arm of weight 1 and of variance 1 / w_kc in objective c has these weights.
    """
    covariance = np.array([np.diag(1 / each) for each in weights])
    return noise.transport(means, np.ones(len(means)), covariance)


def confusion(means, weights):
    """Cheapest alternative in which another arm is best in an objective: (cost, means)."""
    found = []
    for c, leader in enumerate(means.argmax(axis=0)):
        for k in range(len(means)):
            if k != leader:
                pair = [leader, k]
                total = weights[pair, c].sum()
                even = np.full(2, 0.5) if total == 0 else weights[pair, c] / total
                place = even @ means[pair, c]
                other = means.copy()
                other[pair, c] = place
                cost = (weights * (means - other) ** 2).sum() / 2
                found.append((cost, other))
    return min(found, key=lambda pair: pair[0])


class SeparateLoop:
    """The rule of the appendix for measurements of one objective of one arm, one at a time."""

    def __init__(self, algorithm, n_arms, d, variance=None):
        self.algorithm, self.shape = algorithm, (n_arms, d)
        self.variance = np.ones(self.shape) if variance is None else variance
        self.counts, self.sums = np.zeros(self.shape, int), np.zeros(self.shape)
        self.targets, self.due = np.ones(self.shape), 0
        costs = 1.0 if algorithm.costs is None else np.array(algorithm.costs)
        self.costs = np.broadcast_to(costs, self.shape)
        self.exploration = Exploration(algorithm.exploration or "evidence", self.counts.size)

    @property
    def means(self):
        return self.sums / self.counts

    @property
    def is_for_best_arms(self):
        return self.algorithm.problem == "best_arm_per_objective"

    def answer(self):
        if self.is_for_best_arms:
            return self.means.argmax(axis=0)
        return np.isin(np.arange(self.shape[0]), pareto.pareto_set(self.means))

    def cheapest(self):
        find = confusion if self.is_for_best_arms else transport
        return find(self.means, self.counts / self.variance)

    def pairs(self):
        """Pairs that may be measured next: more than one if rounding decides between them."""
        t = int(self.counts.sum())
        if t < self.counts.size:
            return [t]
        if self.exploration.forces(self.counts.min(), t):
            rarest = int(self.counts.argmin())
            self.targets.flat[rarest] += 1
            return [rarest]
        if t >= self.due:
            _, alternative = self.cheapest()
            pieces = self.counts / self.variance * (self.means - alternative) ** 2
            pieces = pieces if pieces.sum() > 0 else np.ones(self.shape)
            shares = pieces / self.costs / (pieces / self.costs).sum()
            self.exploration.weigh_if_due(t, self.own_evidence)
            self.shares = self.exploration.mixed(shares)
            self.due = t + self.algorithm.alternative_every
        self.targets = self.targets + self.shares
        lag = (self.targets - self.counts).ravel()
        return np.flatnonzero(lag >= lag.max() - 1e-9).tolist()

    def own_evidence(self):
        """Evidence of the values of each arm and objective that the arm was not misjudged."""
        unit = np.sqrt(self.variance.mean(axis=0))
        same, means = np.array(self.shape[0] * [np.eye(self.shape[1])]), self.means / unit
        if self.is_for_best_arms:
            gaps = gaps_of_leads(means, same)
        else:
            gaps = gaps_of_labels(means, labels_of(self.answer()), same)
        return 0.5 * self.counts / (self.variance / unit**2) * gaps[:, None] ** 2

    def observe(self, pair, value):
        self.counts.flat[pair] += 1
        self.sums.flat[pair] += value

    def stops(self):
        """Whether the evidence reaches the stylised threshold."""
        t = int(self.counts.sum())
        if t < self.counts.size or t % self.algorithm.check_every:
            return False
        return self.cheapest()[0] >= math.log(math.log(1 + t) / self.algorithm.delta)
