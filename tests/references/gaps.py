"""Data with missing values or noise of different kinds, and worlds for the latter."""

import numpy as np
from references.alternatives import random_data
from references.martingales import Worlds, choose
from references.misleading import Data

MISSING = np.array([0.7, 0.2])  # share of missing values: of the first objective, and of the rest


class GappyData(Data):
    """Values are missing completely at random, most of them in the first objective."""

    def __init__(self, truth, rng, deviation=1.0):
        super().__init__(truth, rng, deviation)
        self.values = [[[] for _ in each] for each in self.truth]
        self.observed = np.zeros(self.truth.shape, int)

    def sample(self, arm, number):
        self.counts[arm] += number
        for c, values in enumerate(self.values[arm]):
            seen = self.rng.random(number) >= MISSING[min(c, 1)]
            noise = self.deviation * self.rng.standard_normal(int(seen.sum()))
            values += [*(self.truth[arm, c] + noise)]
            if values:
                self.observed[arm, c] = len(values)
                self.means[arm, c] = np.mean(values)
                self.scatter[arm, c] = ((np.array(values) - self.means[arm, c]) ** 2).sum()


class MixedData(Data):
    """Of the objectives, the first is Gaussian, the second has no noise, the others are bounded."""

    def sample(self, arm, number):
        before = self.counts[arm]
        super().sample(arm, number)
        self.means[arm, 1], self.scatter[arm, 1] = self.truth[arm, 1], 0.0
        for c in range(2, self.truth.shape[1]):
            ones = self.rng.binomial(number, 0.5 + self.truth[arm, c])
            earlier = (self.means[arm, c] + 0.5) * before if before else 0.0
            self.means[arm, c] = (earlier + ones) / self.counts[arm] - 0.5


def worlds_without_noise(means, deterministic, rng):
    """Worlds whose free choices never are an equality in an objective without noise."""
    worlds = choose(means, rng)
    no_better = means[:, None] <= means[:, :, None]  # [n, k, i, c]
    tied = (means[:, None] == means[:, :, None]) & deterministic
    allowed = no_better & ~tied
    worse_in = np.where(allowed, rng.random(allowed.shape), -1).argmax(axis=3)
    return Worlds(worlds.means, worlds.front, worlds.dominator, worse_in)


def random_mixed_data(rng):
    """Counts, means, and which objective has no noise: the last one, which is often tied."""
    information, means = random_data(rng, most_arms=4)
    column = rng.integers(-1, 2, len(means)).astype(float) * np.ptp(means)
    means = np.column_stack([means, column])
    information = np.column_stack([information, information[:, 0]])
    return information, means, np.arange(means.shape[1]) == means.shape[1] - 1
