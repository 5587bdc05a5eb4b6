"""Slow, plain versions of the algorithms that track shares, one sample at a time.

What an alternative costs is said by `transport_cost` and `partition_cost`, which have references of
their own. ``arms()`` tells which arms may be sampled next: more than one if rounding decides
between them.
"""

import math

import numpy as np
from references.exploration import Exploration, gaps_of_labels, gaps_of_leads, labels_of
from references.runs import plain

import pareto_core as pc
from pareto_core.confidence import thresholds
from pareto_core.questions import BEST_ARMS


class TrackingLoop:
    """The samples so far, the cheapest alternative, and the empirical answer."""

    def __init__(self, algorithm, n_arms, d, **given):
        self.algorithm, self.n_arms, self.d = algorithm, n_arms, d
        self.given = given  # polyhedron, features or covariance
        self.explored = range(n_arms)  # arms that are sampled once at first
        self.counts, self.sums = np.zeros(n_arms, int), np.zeros((n_arms, d))
        self.targets = np.ones(n_arms)

    @property
    def means(self):
        return self.sums / self.counts[:, None]

    @property
    def weights(self):
        """Weights of the samples so far, for the cost of an alternative."""
        return self.counts.astype(float)

    @property
    def costs(self):
        """Cost of each sample, 1 by default."""
        return 1.0 if self.algorithm.costs is None else np.array(self.algorithm.costs)

    def cheapest(self, weights):
        """The cheapest alternative at these weights."""
        problem = self.algorithm.question.name
        return pc.transport_cost(self.means, weights, problem=problem, **self.given)

    def behind(self, lag, rounding=1e-9):
        """Arms that are the furthest behind."""
        return np.flatnonzero(lag.ravel() >= lag.max() - rounding).tolist()

    def observe(self, arm, reward):
        self.counts[arm] += 1
        self.sums[arm] += reward

    def threshold(self, t):
        rule = self.algorithm.stopping
        if rule.name == "mixture":
            return thresholds.mixture_threshold(self.counts, self.d, rule.delta)
        if rule.name == "gamma":
            return thresholds.gamma_threshold(t, self.n_arms, self.d, rule.delta)
        scale = {"stylised": math.log(1 + t), "iterated_logarithm": 1 + math.log(t)}
        return math.log(scale[rule.name] / rule.delta)

    @property
    def finished(self):
        t = int(self.counts.sum())
        if t < len(self.explored) or t % self.algorithm.stopping.check_every:
            return False
        return bool(self.cheapest(self.weights).value >= self.threshold(t))

    def labels(self):
        """Labels of the arms, or the best arms."""
        found = self.algorithm.question.solve(self.means, self.given.get("polyhedron"))
        if self.algorithm.question is BEST_ARMS:
            return found
        return np.isin(np.arange(self.n_arms), found)

    def answer(self):
        return plain(self.algorithm.question.read(self.labels()))

    def gaps(self, means, covariance):
        """Gap of each arm: about how far it has to move for a different answer."""
        if covariance is None:
            covariance = np.array(self.n_arms * [np.eye(self.d)])
        found = self.labels()
        if self.algorithm.question is BEST_ARMS:
            return gaps_of_leads(means, covariance)
        labels = labels_of(found) if found.dtype == bool else found
        return gaps_of_labels(means, labels, covariance, self.given.get("polyhedron"))

    def own_evidence(self):
        """Evidence of the samples of each arm that it was not misjudged."""
        return 0.5 * self.counts * self.gaps(self.means, self.given.get("covariance")) ** 2


class TrackAndStopLoop(TrackingLoop):
    """Track-and-Stop."""

    def __init__(self, algorithm, n_arms, d, **given):
        super().__init__(algorithm, n_arms, d, **given)
        self.shares, self.largest = np.full(n_arms, 1 / n_arms), 0.0
        self.exploration = Exploration(algorithm.exploration, n_arms)

    def arms(self):
        t = self.counts.sum()
        if t < self.n_arms:
            return [t]
        is_due = (t - self.n_arms) % self.algorithm.gradient_every == 0
        if is_due:
            self.gradient = self.cheapest(self.shares / self.costs).gradient / self.costs
            self.largest = max(self.largest, self.gradient.max())
        if self.largest > 0:
            rate = math.sqrt(math.log(self.n_arms)) / (math.sqrt(1 + t) * self.largest)
            self.shares = self.shares * np.exp(rate * self.gradient)
        self.shares /= self.shares.sum()
        if is_due:
            self.exploration.weigh(self.own_evidence())
        mixed = self.exploration.mixed(self.shares)
        self.targets = self.targets + mixed
        if self.exploration.forces(self.counts.min(), t):
            return [int(self.counts.argmin())]
        if self.algorithm.tracking == "D":
            spent = self.counts * self.costs
            return self.behind(spent.sum() * mixed - spent)
        return self.behind(self.targets - self.counts)
