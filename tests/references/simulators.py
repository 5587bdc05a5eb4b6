"""Simulators, for experiments whose processes have to import them."""

import time

import numpy as np

MEANS = {"A": [2.0, 0.0], "B": [0.0, 2.0], "C": [-2.0, -2.0]}


def simulated(arm, seed):
    """Two objectives with the correlation 0.9."""
    rng = np.random.default_rng(seed)
    shared, own = rng.standard_normal(), rng.standard_normal(2)
    return np.array(MEANS[arm]) + np.sqrt(0.9) * shared + np.sqrt(0.1) * own


def slow_if_good(arm, seed):
    """The better the reward, the longer it takes."""
    reward = simulated(arm, seed)
    time.sleep(0.002 * max(reward[0] + 3, 0))
    return reward
