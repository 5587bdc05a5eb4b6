"""Many seeded runs of one algorithm: on all cores, on a cluster, resumed where they stood.

Begin with `runs`; `results` is what it gives back, `statistics` has the intervals of what that
measures. `scheduling` hands batches to threads, `dask_backend` to a cluster, and `run_store` keeps
the finished ones in a folder. No algorithm is known here by name, and nothing is drawn.
"""

from pareto_core.simulation.results import Runs
from pareto_core.simulation.runs import simulate, simulate_deltas
from pareto_core.simulation.trajectories import Trajectory, trajectory

__all__ = ["Runs", "Trajectory", "simulate", "simulate_deltas", "trajectory"]
