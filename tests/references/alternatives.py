"""Data, and alternative true means: random, and as close to the data as possible."""

import numpy as np
from references.martingales import choose

EDGE = 1e-9  # margin by which an arm is dominated or not


def random_data(rng, most_arms=5):
    """Counts, often equal, and empirical means, often tied, in units of extreme size."""
    n_arms, d = rng.integers(2, most_arms + 1), rng.integers(1, 4)
    information = np.exp(rng.uniform(0, rng.choice([3, 7, 14]), (n_arms, 1))).round()
    if rng.random() < 0.3:
        information[:] = information[0]
    if rng.random() < 0.2:
        information[rng.integers(n_arms)] = 0
    unit = 10 ** rng.uniform(-3, 1)
    means = rng.standard_normal((n_arms, d)).round(rng.choice([0, 1, 12]))
    if rng.random() < 0.3:  # an arm that is better than all others
        means[0] = means.max(axis=0) + rng.choice([0.0, 1.0])
    if rng.random() < 0.3:  # several equal arms
        means[1:] = means[1]
    means = unit * means * rng.choice([1.0, 100.0], d) + rng.choice([0.0, 1e3])
    return np.repeat(information, d, axis=1), means


def meeting_point(rng, information, world, low, high, c):
    """Point at which two arms meet in an objective: halfway if they have equally many samples."""
    total = information[low, c] + information[high, c]
    part = information[high, c] / total if total > 0 else 0.5
    part = rng.choice([part, 0.0, 1.0, rng.random()], p=[0.5, 0.1, 0.1, 0.3])
    return world[low, c] + part * (world[high, c] - world[low, c])


def put_below(rng, information, world):
    """Let some arm be dominated by another: both meet where it is better."""
    arm, rival = rng.permutation(len(world))[:2]
    for c in np.flatnonzero(world[arm] > world[rival]):
        world[[arm, rival], c] = meeting_point(rng, information, world, rival, arm, c)
    world[arm, rng.integers(world.shape[1])] -= EDGE


def put_above(rng, information, world):
    """Let some arm be dominated by another that is raised."""
    arm, rival = rng.permutation(len(world))[:2]
    world[rival] = np.maximum(world[rival], world[arm])
    world[rival, rng.integers(world.shape[1])] += EDGE


def put_on_top(rng, information, world):
    """Let some arm be undominated: each other arm is lowered in some objective."""
    arm = rng.integers(len(world))
    for i in rng.permutation(np.delete(np.arange(len(world)), arm)):
        if (world[i] >= world[arm]).all():
            leads = world[i] - world[arm]
            c = leads.argmin() if rng.random() < 0.7 else rng.integers(leads.size)
            point = meeting_point(rng, information, world, arm, i, c)
            world[arm, c], world[i, c] = point, point
    world[arm] += EDGE


def alternatives(rng, information, means, number):
    """Worlds with these means, changed by one or several of these functions, or at random."""
    worlds = np.repeat(means[None], number, axis=0)
    for world in worlds:
        for change in rng.choice([put_below, put_above, put_on_top, put_on_top], rng.integers(5)):
            change(rng, information, world)
        if rng.random() < 0.2:
            world += rng.standard_normal(world.shape) * 10 ** rng.uniform(-5, 0.5) * np.ptp(means)
    return choose(worlds, rng)
