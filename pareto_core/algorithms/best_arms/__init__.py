"""Algorithms that identify the best arm of every objective, one file each.

`best_arm_evidence` contains the stopping rules of two of them.
"""

from pareto_core.algorithms.best_arms.d_tracking import DTracking
from pareto_core.algorithms.best_arms.mobai import MOBAI
from pareto_core.algorithms.best_arms.mose import MOSE

__all__ = ["MOBAI", "MOSE", "DTracking"]
