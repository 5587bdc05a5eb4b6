"""Data of which one objective has no noise, and worlds for them."""

import numpy as np
from references.alternatives import random_data
from references.martingales import Worlds, choose


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
