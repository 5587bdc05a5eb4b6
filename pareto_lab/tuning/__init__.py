"""Finalists of a tuner, as the arms of an experiment that finds out which are Pareto optimal.

`finalists` reads them from a study of Optuna, from the frontier of Ax, or from a table. Neither
tuner is imported: what they return is enough.
"""

from pareto_lab.tuning.finalists import Finalists

__all__ = ["Finalists"]
