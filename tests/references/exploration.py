"""Slow, plain versions of exploration: the gaps of an answer, and the shares of the doubts."""

import math

import numpy as np
from references.pareto import pareto_set

from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL, REJECTED


def room_of(means, polyhedron, covariance):
    """Distance of each mean from the nearest facet in standard deviations; below 0 outside."""
    normals, offsets = polyhedron.rows()
    scale = [[math.sqrt(a @ matrix @ a) for a in normals] for matrix in covariance]
    return ((offsets - means @ normals.T) / scale).min(axis=1)


def labels_of(optimal):
    return np.where(optimal, OPTIMAL, REJECTED)


def gaps_of_labels(means, labels, covariance, polyhedron=None):
    """About how far each arm has to move by itself for a different answer."""
    deviation = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    room = None if polyhedron is None else room_of(means, polyhedron, covariance)
    optimal, gaps = np.flatnonzero(labels == OPTIMAL), np.full(len(means), np.inf)
    for j in np.flatnonzero(labels != OPTIMAL):
        below = [min((means[f] - means[j]) / deviation[j]) for f in optimal]
        below = [] if labels[j] == INFEASIBLE else below
        outside = [] if room is None or labels[j] == DOMINATED else [-room[j]]
        gaps[j] = max([0.0, *below, *outside])
    for i in optimal:
        others = [] if room is None else [room[i]]
        for j in np.flatnonzero(labels != INFEASIBLE):
            above, below = (max(s * (means[i] - means[j]) / deviation[i]) for s in (1, -1))
            if labels[j] != OPTIMAL:
                others.append(max(below, 0.0) + gaps[j])
            elif j != i:
                others += [above, below]
        gaps[i] = min(others, default=np.inf)
    return gaps


def gaps_of_leads(means, covariance):
    """Least distance of each arm from the best other arm of an objective."""
    deviation = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    others = [np.delete(means, k, axis=0).max(axis=0, initial=-np.inf) for k in range(len(means))]
    return (np.abs(means - others) / deviation).min(axis=1)


class Exploration:
    """Exploration of one run, in the words of `TopTwoIDS`."""

    def __init__(self, kind, n_arms):
        self.kind, self.n_arms, self.weighed = kind, n_arms, 0
        self.doubts = np.zeros(n_arms)

    def forces(self, fewest, samples):
        """Whether the rarest arm is sampled next."""
        floors = {
            "none": -1.0,
            "square_root": math.sqrt(samples) - self.n_arms / 2,
            "evidence": 2 * math.sqrt(samples) / self.n_arms,
        }
        return fewest <= floors[self.kind]

    def mixed(self, shares, samples, evidence):
        """Shares with those of the doubts, which ``evidence()`` gives at every Kth sample."""
        if self.kind == "evidence" and samples >= self.weighed + self.n_arms:
            self.doubts = np.exp(-evidence().ravel()) / self.n_arms
            self.weighed = samples
        return (1 - self.doubts.sum()) * shares + self.doubts.reshape(shares.shape)


def front_evidence(means, counts):
    """Own evidence of each arm about the Pareto set, at unit variance."""
    optimal = np.isin(np.arange(len(means)), pareto_set(means))
    unit = np.broadcast_to(np.eye(means.shape[1]), (len(means), means.shape[1], means.shape[1]))
    return 0.5 * counts * gaps_of_labels(means, labels_of(optimal), unit) ** 2
