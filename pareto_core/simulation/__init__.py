"""Many seeded runs of one algorithm: on all cores, on a cluster, resumed where they stood.

Begin with `runs`; `statistics` has the intervals of what they measure. `run_store` keeps finished
batches in a folder, `dask_backend` hands batches to a cluster. No algorithm is known here by name,
and nothing is drawn.
"""

from pareto_core.simulation.runs import Runs, simulate, simulate_deltas

__all__ = ["Runs", "simulate", "simulate_deltas"]
