"""Run an experiment whose samples come from a function, such as a simulator, on all cores.

`rounds` asks a session for a batch of samples, calls the function for each, and tells the rewards.
`samples` gives each sample its identifier and its seed; `workers` calls the function in processes,
in threads or on a Dask cluster.
"""

from pareto_lab.running.rounds import run_experiment

__all__ = ["run_experiment"]
