"""Algorithms that look for the best arm of every objective.

One file each; `best_arm_evidence` holds the statistic at which two of them stop.
"""

from pareto_core.algorithms.best_arms.d_tracking import DTracking
from pareto_core.algorithms.best_arms.mobai import MOBAI
from pareto_core.algorithms.best_arms.mose import MOSE

__all__ = ["MOBAI", "MOSE", "DTracking"]
