"""What the arms are: means, noise, features, and where all that comes from.

Begin with `instance`, the class; `noise` draws the rewards. `datasets` loads what the papers
used by name, `generators` makes random and worst cases, `constrained_instances` those with a
feasible region, `ege_instances`, `psips_instances` and `paretoinfer_instances` those on which
TTPFTS, PSIPS and paretoinfer were tried.
What is asked of an instance, and by whom, is not decided here.
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
