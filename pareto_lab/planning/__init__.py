"""Planning an experiment: its design is simulated, at assumed means, before any sample is taken.

Begin with `planner`, which simulates and returns a `plan`; `assumptions` holds the means and the
noise of the simulated experiments. The design, the algorithm and the statements are those of the
session, which is not changed.
"""

from pareto_lab.planning.plan import Plan

__all__ = ["Plan"]
