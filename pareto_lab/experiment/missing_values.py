"""Rewards of which some objectives were not observed."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

ACCEPTED_BY = (
    "Certified(...), and TrackAndStop, TopTwoIDS, UniformSampling and MOBAI with "
    "threshold='proven' accept missing values"
)


def with_gaps(reward, objectives):
    """A reward that is given by name, with None for the objectives that it omits."""
    if isinstance(reward, pd.Series) and isinstance(objectives[0], str):
        return reward.reindex(reward.index.union(objectives)) if reward.index.is_unique else reward
    if isinstance(reward, Mapping):
        return {**dict.fromkeys(objectives), **reward}
    return reward


def plain_reward(reward):
    """A reward, shape (d,), as a tuple of float, with None for what was not observed."""
    return tuple(None if each != each else each for each in reward.tolist())


def observed_counts(rewards, n_objectives):
    """Values of each arm and objective, shape (K, d), from the rewards of each arm."""
    counts = np.zeros((len(rewards), n_objectives), np.int64)
    for k, told in enumerate(rewards):
        if told:
            counts[k] = (~np.isnan(told)).sum(axis=0)
    return counts


def means_and_scatter(rewards, observed):
    """Averages of each arm, and sums of squares around them, exact for equal values, (K, d)."""
    means, scatter = np.zeros((2, *observed.shape))
    for k, told in enumerate(rewards):
        if told:
            values = np.array(told)
            known = ~np.isnan(values)
            means[k] = np.where(known, values, 0.0).sum(axis=0) / np.maximum(observed[k], 1)
            firsts = values[known.argmax(axis=0), np.arange(values.shape[1])]
            is_constant = ((values == firsts) | ~known).all(axis=0) & known.any(axis=0)
            means[k, is_constant] = firsts[is_constant]
            scatter[k] = (np.where(known, values - means[k], 0.0) ** 2).sum(axis=0)
    return means, scatter
