"""Many seeded runs of one algorithm: on all cores, on a cluster, resumed after an interruption.

Begin with `runs`. `preparation` makes what all runs share, `results` holds the runs, `statistics`
computes intervals, and `trajectories` follows a single run. `scheduling` distributes batches to
threads, `process_backend` to processes, `dask_backend` to a cluster, and `run_store` keeps
finished batches in a folder; `program` identifies the version of the package that they belong to.
"""

from pareto_core.simulation.results import Runs
from pareto_core.simulation.runs import simulate, simulate_deltas
from pareto_core.simulation.trajectories import Trajectory, trajectory

__all__ = ["Runs", "Trajectory", "simulate", "simulate_deltas", "trajectory"]
