"""What the arms are: means, noise, features, and their sources.

Begin with `instance`, the class; `noise` draws the rewards. `registry` loads every instance by
name. `datasets` holds instances from the tables in ``data/``, `generators` makes random and worst
cases, `constrained_instances` instances with a feasible region. Questions and algorithms are in
other rooms.
"""

from pareto_core.instances.instance import Instance, Problem
from pareto_core.instances.noise import BERNOULLI_VARIANCE_BOUND
from pareto_core.instances.registry import instance_names, load_instance

__all__ = [
    "BERNOULLI_VARIANCE_BOUND",
    "Instance",
    "Problem",
    "instance_names",
    "load_instance",
]
