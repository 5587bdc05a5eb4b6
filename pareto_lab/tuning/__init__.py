"""Finalists of a tuner, as the arms of an experiment that finds out which are Pareto optimal.

`finalists` reads them from a table.
"""

from pareto_lab.tuning.finalists import Finalists

__all__ = ["Finalists"]
