"""Slow, plain versions of exploration: the gaps of an answer, and the shares of the doubts."""

import math

import numpy as np

from pareto_core.questions import DOMINATED, INFEASIBLE, OPTIMAL, REJECTED


def room_of(means, polyhedron, covariance):
    """Distance of each mean from the nearest facet in standard deviations; below 0 outside."""
    normals, offsets = polyhedron.rows()
    scale = [[math.sqrt(a @ matrix @ a) for a in normals] for matrix in covariance]
    return ((offsets - means @ normals.T) / np.array(scale)).min(axis=1, initial=np.inf)


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
                others.append(max(below, 0.0) + gaps[j] * (deviation[j] / deviation[i]).min())
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
    """Exploration of ``n_arms`` of the arms of one run, in the words of `TopTwoIDS`."""

    def __init__(self, kind, n_arms, of=None):
        self.kind, self.n_arms, self.weighed = kind, n_arms, 0
        self.doubts = np.zeros(of or n_arms)

    def forces(self, fewest, samples):
        """Whether the rarest arm is sampled next."""
        floors = {
            "none": -1.0,
            "square_root": math.sqrt(samples) - self.n_arms / 2,
            "evidence": 2 * math.sqrt(samples) / self.n_arms,
        }
        return fewest <= floors[self.kind]

    def weigh_if_due(self, samples, evidence):
        """Weigh the doubts by ``evidence()`` at every Kth sample."""
        if samples >= self.weighed + self.n_arms:
            self.weigh(evidence())
            self.weighed = samples

    def weigh(self, evidence):
        """Weigh the doubts that the own evidence of each arm leaves."""
        if self.kind == "evidence":
            self.doubts = np.exp(-evidence.ravel()) / self.n_arms

    def mixed(self, shares):
        """Shares with those of the doubts."""
        return (1 - self.doubts.sum()) * shares + self.doubts.reshape(shares.shape)
