"""Experiments that measure one objective of one arm at a time: objective c of arm k is arm k d + c.

Each of these arms has one objective.
"""

import numpy as np

from pareto_core.instances.instance import Instance, Problem
from pareto_core.instances.noise import POOL, WITH_VARIANCE


def unfolded_problem(problem):
    """The size of an experiment whose objectives are measured separately."""
    return Problem(problem.n_arms * problem.n_objectives, 1)


def unfolded_instance(instance):
    """The instance whose arms have the rewards of one objective of one arm."""
    observations, variance = None, None
    if instance.noise == POOL:
        objectives = range(instance.n_objectives)
        observations = [group[:, [c]] for group in instance.observations for c in objectives]
    elif instance.noise in WITH_VARIANCE:
        variance = np.broadcast_to(instance.variance, instance.means.shape).reshape(-1, 1)
    means = instance.means.reshape(-1, 1)
    return Instance(means, variance, instance.noise, observations, name=instance.name)
