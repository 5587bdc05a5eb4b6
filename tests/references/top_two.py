"""Slow, plain version of top-two sampling with information-directed shares."""

import math

import numpy as np
from references import constrained_transport, noise, noise_region, pareto, separate
from references.exploration import Exploration, gaps_of_labels, gaps_of_leads, labels_of

import pareto_core as pc
from pareto_core.algorithms.top_two.easiest_partition import (
    allocate_partition_search,
    write_easiest_partition,
)
from pareto_core.geometry.partition import valid_partitions
from pareto_core.questions import DOMINATED, INFEASIBLE
from pareto_core.transport.cost import reasons_of
from pareto_core.transport.metric import noise_of, region_of


def easiest_labels(means, polyhedron, steps, costs=None, covariance=None):
    """Labels of the arms that `write_easiest_partition` finds."""
    problem = pc.Problem(*means.shape, polyhedron=polyhedron, covariance=covariance)
    labels, region = np.empty(len(means), np.int64), region_of(polyhedron)
    write_easiest_partition(
        means,
        noise_of(problem),
        region,
        np.ones(len(means)) if costs is None else np.array(costs, float),
        steps,
        allocate_partition_search(problem, region),
        labels,
    )
    return labels


class TopTwoLoop:
    """The rule of the appendix, one sample at a time, for each question by brute force."""

    def __init__(self, algorithm, n_arms, d, polyhedron=None, covariance=None):
        self.algorithm, self.polyhedron = algorithm, polyhedron
        self.covariance = covariance  # (K, d, d), or None for independent noise of unit variance
        self.counts, self.sums = np.zeros(n_arms, int), np.zeros((n_arms, d))
        self.targets, self.explored = np.ones(n_arms), range(n_arms)
        self.costs = np.ones(n_arms) if algorithm.costs is None else np.array(algorithm.costs)
        self.due = self.partition_due = 0
        self.exploration = Exploration(algorithm.exploration or "evidence", n_arms)

    @property
    def means(self):
        return self.sums / self.counts[:, None]

    def answer(self):
        """Labels of the arms of the empirical answer, or the best arms."""
        if self.algorithm.problem == "best_arm_per_objective":
            return self.means.argmax(axis=0)
        if self.algorithm.problem == "pareto_set":
            return np.isin(np.arange(len(self.counts)), pareto.pareto_set(self.means))
        if self.algorithm.problem == "constrained_pareto_set":
            front, _ = constrained_transport.constrained_front(self.means, self.polyhedron)
            return np.isin(np.arange(len(self.counts)), front)
        return reasons_of(self.means, self.polyhedron, self.partition())

    def partition(self):
        """The easiest partition when the samples last doubled, where it is still valid."""
        t = int(self.counts.sum())
        if t >= self.partition_due:
            self.partition_due = 2 * t
            self.preferred = easiest_labels(
                self.means, self.polyhedron, max(100, math.isqrt(t)), self.costs, self.covariance
            )
        return max(
            valid_partitions(self.means, self.polyhedron),
            key=lambda each: (
                (self.preferred[each.dominated] == DOMINATED).sum()
                + (self.preferred[each.infeasible] == INFEASIBLE).sum()
            ),
        )

    def cheapest(self):
        """Cost and means of the cheapest alternative at the samples so far."""
        means, counts = self.means, self.counts.astype(float)
        if self.covariance is not None and self.algorithm.problem == "partition":
            given = means, counts, self.covariance, self.polyhedron, self.partition()
            return noise_region.partition_transport(*given)
        if self.covariance is not None and self.polyhedron is not None:
            return noise_region.transport(means, counts, self.covariance, self.polyhedron)
        if self.covariance is not None:
            best_arms = self.algorithm.problem == "best_arm_per_objective"
            candidates = noise.confusions(means) if best_arms else None
            return noise.transport(means, counts, self.covariance, candidates)
        if self.algorithm.problem == "best_arm_per_objective":
            return separate.confusion(means, np.repeat(counts[:, None], means.shape[1], axis=1))
        if self.algorithm.problem == "pareto_set":
            return pareto.transport(means, counts)
        if self.algorithm.problem == "constrained_pareto_set":
            return constrained_transport.constrained_transport(means, counts, self.polyhedron)
        return constrained_transport.partition_transport(
            means, counts, self.polyhedron, self.partition()
        )

    def pieces(self):
        """What each arm contributes to the cost of the cheapest alternative, up to a factor."""
        return self.counts * self.squared_distances(self.cheapest()[1])

    def arms(self):
        """Arms that may be sampled next: more than one if rounding decides between them."""
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
        lag = (self.targets - self.counts).ravel()
        return np.flatnonzero(lag >= lag.max() - 1e-9).tolist()

    def own_evidence(self):
        """Evidence of the samples of each arm that it was not misjudged."""
        n_arms, d = self.means.shape
        covariance = np.array(n_arms * [np.eye(d)]) if self.covariance is None else self.covariance
        answer = self.answer()
        if self.algorithm.problem == "best_arm_per_objective":
            gaps = gaps_of_leads(self.means, covariance)
        else:
            labels = answer if self.algorithm.problem == "partition" else labels_of(answer)
            gaps = gaps_of_labels(self.means, labels, covariance, self.polyhedron)
        return 0.5 * self.counts * gaps**2

    def squared_distances(self, alternative):
        """Squared distance of each arm's mean from an alternative, in units of the noise."""
        moves = self.means - alternative
        if self.covariance is None:
            return (moves**2).sum(axis=1)
        pairs = zip(moves, self.covariance, strict=True)
        return np.array([move @ np.linalg.solve(matrix, move) for move, matrix in pairs])

    def observe(self, arm, reward):
        self.counts[arm] += 1
        self.sums[arm] += reward

    def stops(self):
        """Whether the evidence reaches the stylised threshold."""
        t = int(self.counts.sum())
        if t < len(self.explored) or t % self.algorithm.check_every:
            return False
        return self.cheapest()[0] >= math.log(math.log(1 + t) / self.algorithm.delta)


def linear_confusion(means, information, features):
    """Cheapest way to let a second arm meet the best of an objective: (value, means)."""
    found = []
    inverse = np.linalg.inv(information)
    for m in range(means.shape[1]):
        best = int(means[:, m].argmax())
        for k in set(range(len(means))) - {best}:
            step = features[best] - features[k]
            gap = step @ np.linalg.lstsq(features, means[:, m], rcond=None)[0]
            move = inverse @ step * gap / (step @ inverse @ step)
            alternative = means.copy()
            alternative[:, m] -= features @ move
            found.append((0.5 * move @ information @ move, alternative))
    return min(found, key=lambda each: each[0])


class LinearTopTwoLoop(TopTwoLoop):
    """The same with means that are linear in features: the fit is computed anew each time."""

    def __init__(self, algorithm, features, d):
        super().__init__(algorithm, len(features), d)
        self.features = features
        self.explored = spanning_set(features)
        self.targets = np.full(len(features), len(self.explored) / len(features))
        kind = algorithm.exploration or "square_root"
        self.exploration = Exploration(kind, len(self.explored), of=len(features))

    @property
    def information(self):
        return (self.features * self.counts[:, None]).T @ self.features

    @property
    def means(self):
        moments = self.features.T @ self.sums
        return self.features @ np.linalg.solve(self.information, moments)

    def cheapest(self):
        if self.algorithm.problem == "best_arm_per_objective":
            return linear_confusion(self.means, self.information, self.features)
        cost = pc.transport_cost(self.means, self.counts.astype(float), features=self.features)
        return cost.value, cost.alternative

    def pieces(self):
        return self.targets * self.squared_distances(self.cheapest()[1])


class SeparateLoop(TopTwoLoop):
    """The same for measurements of one objective of one arm, one at a time, by their number."""

    def __init__(self, algorithm, n_arms, d, variance=None):
        super().__init__(algorithm, n_arms, d)
        shape = n_arms, d
        self.variance = np.ones(shape) if variance is None else variance
        self.counts, self.targets, self.explored = (
            np.zeros(shape, int),
            np.ones(shape),
            range(n_arms * d),
        )
        self.costs = np.broadcast_to(1.0 if algorithm.costs is None else algorithm.costs, shape)
        self.exploration = Exploration(algorithm.exploration or "evidence", n_arms * d)

    @property
    def means(self):
        return self.sums / self.counts

    def cheapest(self):
        best_arms = self.algorithm.problem == "best_arm_per_objective"
        find = separate.confusion if best_arms else separate.transport
        return find(self.means, self.counts / self.variance)

    def pieces(self):
        return self.counts / self.variance * (self.means - self.cheapest()[1]) ** 2

    def own_evidence(self):
        """Evidence of the values of each arm and objective that the arm was not misjudged."""
        unit = np.sqrt(self.variance.mean(axis=0))
        (n_arms, d), means = self.counts.shape, self.means / unit
        same = np.array(n_arms * [np.eye(d)])
        if self.algorithm.problem == "best_arm_per_objective":
            gaps = gaps_of_leads(means, same)
        else:
            gaps = gaps_of_labels(means, labels_of(self.answer()), same)
        return 0.5 * self.counts / (self.variance / unit**2) * gaps[:, None] ** 2

    def observe(self, pair, value):
        self.counts.flat[pair] += 1
        self.sums.flat[pair] += value


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
