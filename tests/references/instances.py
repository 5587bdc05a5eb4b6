"""Values with which every named instance can be made, found by the names of its parameters."""

import inspect

from pareto_core.instances.registry import instance_parameters

VALUES = {  # of parameters without a default
    "epsilon": 0.1,
    "means": [[1.0, 0.0], [0.0, 1.0], [0.9, 0.9]],
    "n_arms": 6,
    "n_front": 3,
    "n_objectives": 2,
}


def required_values(name):
    """A value for each parameter of a named instance that has no default."""
    required = inspect.Parameter.empty
    parameters = instance_parameters(name)
    return {each: VALUES[each] for each in parameters if parameters[each] is required}
