"""Slow, plain version of top-two sampling with information-directed shares."""

import math

import numpy as np
from references.exploration import Exploration
from references.tracking import TrackingLoop

import pareto_core as pc
from pareto_core.algorithms.top_two.easiest_partition import (
    allocate_partition_search,
    write_easiest_partition,
)
from pareto_core.compiling.kernels import kernel
from pareto_core.compiling.lending import lend
from pareto_core.geometry.partition import valid_partitions
from pareto_core.questions import DOMINATED, INFEASIBLE, PARTITION
from pareto_core.transport.cost import reasons_of
from pareto_core.transport.metric import noise_of, region_of


@kernel
def _write_labels(means, noise, region, costs, steps, search, labels):
    """Lend all that the search reads: it compiles in a quarter of the time."""
    region, search = lend(region), lend(search)
    write_easiest_partition(lend(means), lend(noise), region, lend(costs), steps, search, labels)


def easiest_labels(means, polyhedron, steps, costs=None, covariance=None):
    """Labels of the arms that `write_easiest_partition` finds."""
    problem = pc.Problem(*means.shape, polyhedron=polyhedron, covariance=covariance)
    labels, region = np.empty(len(means), np.int64), region_of(polyhedron)
    _write_labels(
        means,
        noise_of(problem),
        region,
        np.ones(len(means)) if costs is None else np.array(costs, float),
        steps,
        allocate_partition_search(problem, region),
        labels,
    )
    return labels


class TopTwoLoop(TrackingLoop):
    """The rule of the appendix for any question."""

    def __init__(self, algorithm, n_arms, d, **given):
        super().__init__(algorithm, n_arms, d, **given)
        self.due = self.partition_due = 0
        self.exploration = Exploration(algorithm.exploration or "evidence", n_arms)

    def labels(self):
        if self.algorithm.question is not PARTITION:
            return super().labels()
        return reasons_of(self.means, self.given["polyhedron"], self.partition())

    def partition(self):
        """The easiest partition when the samples last doubled, where it is still valid."""
        t, region = int(self.counts.sum()), self.given["polyhedron"]
        if t >= self.partition_due:
            self.partition_due = 2 * t
            given = self.algorithm.costs, self.given["covariance"]
            self.preferred = easiest_labels(self.means, region, max(100, math.isqrt(t)), *given)
        return max(
            valid_partitions(self.means, region),
            key=lambda each: (
                (self.preferred[each.dominated] == DOMINATED).sum()
                + (self.preferred[each.infeasible] == INFEASIBLE).sum()
            ),
        )

    def cheapest(self, weights):
        if self.algorithm.question is not PARTITION:
            return super().cheapest(weights)
        given = self.given | {"partition": self.partition()}
        return pc.partition_cost(self.means, weights, **given)

    def pieces(self):
        """What each arm contributes to the cost of the cheapest alternative."""
        return self.weights * self.cheapest(self.weights).gradient

    def arms(self):
        t = int(self.counts.sum())
        if t < len(self.explored):
            return [self.explored[t]]
        rarest = min(self.explored, key=self.counts.item)
        if self.exploration.forces(self.counts.flat[rarest], t):
            self.targets.flat[rarest] += 1
            return [rarest]
        if t >= self.due:
            pieces = self.pieces()
            pieces = (pieces if pieces.sum() > 0 else np.ones(pieces.shape)) / self.costs
            self.exploration.weigh_if_due(t, self.own_evidence)
            self.shares = self.exploration.mixed(pieces / pieces.sum())
            self.due = t + self.algorithm.alternative_every
        self.targets = self.targets + self.shares
        return self.behind(self.targets - self.counts)


class LinearTopTwoLoop(TopTwoLoop):
    """The same with means that are linear in features: the fit is computed anew each time."""

    def __init__(self, algorithm, features, d):
        super().__init__(algorithm, len(features), d, features=features)
        self.explored = spanning_set(features)
        self.targets = np.full(len(features), len(self.explored) / len(features))
        kind = algorithm.exploration or "square_root"
        self.exploration = Exploration(kind, len(self.explored), of=len(features))

    @property
    def means(self):
        features = self.given["features"]
        information = (features * self.counts[:, None]).T @ features
        return features @ np.linalg.solve(information, features.T @ self.sums)

    def pieces(self):
        return self.targets * self.cheapest(self.weights).gradient


class SeparateLoop(TopTwoLoop):
    """The same for measurements of one objective of one arm, one at a time, by their number."""

    def __init__(self, algorithm, n_arms, d, variance=None):
        super().__init__(algorithm, n_arms, d)
        shape = n_arms, d
        self.variance = np.ones(shape) if variance is None else variance
        self.counts, self.targets = np.zeros(shape, int), np.ones(shape)
        self.explored = range(n_arms * d)
        self.exploration = Exploration(algorithm.exploration or "evidence", n_arms * d)

    @property
    def means(self):
        return self.sums / self.counts

    @property
    def weights(self):
        return self.counts / self.variance

    def own_evidence(self):
        """Evidence of the values of each arm and objective that the arm was not misjudged."""
        unit = np.sqrt(self.variance.mean(axis=0))
        gaps = self.gaps(self.means / unit, None)
        return 0.5 * self.counts / (self.variance / unit**2) * gaps[:, None] ** 2

    def observe(self, pair, reward):
        self.counts.flat[pair] += 1
        self.sums.flat[pair] += reward.item()


def spanning_set(features):
    """Independent arms, each the farthest from the span of those before, in increasing order.

    Distances are in the basis in which the columns of the features are orthonormal.
    """
    points = np.linalg.svd(features, full_matrices=False)[0]
    chosen = []
    for _ in range(points.shape[1]):
        basis = points[chosen]
        rest = points - points @ np.linalg.pinv(basis) @ basis if chosen else points
        lengths = (rest**2).sum(axis=1)
        chosen.append(int(np.flatnonzero(lengths >= lengths.max() - 1e-9)[0]))
    return sorted(chosen)
