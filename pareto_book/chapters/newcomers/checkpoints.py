"""Success of algorithms that never stop, at several numbers of samples."""

import dataclasses
from collections.abc import Sequence

import numpy as np

import pareto_core as pc
from pareto_core.simulation.runs import Simulation

__all__ = ["success_at"]

MAX_SAMPLES = 10**6


def success_at(
    checkpoints: Sequence[int],
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    runs: int,
    seed: int = 0,
) -> list[np.ndarray]:
    """Follow runs of an algorithm with a budget through smaller budgets."""
    levels = [dataclasses.replace(algorithm, budget=n) for n in checkpoints]
    simulation = Simulation(levels, instance, runs, seed, MAX_SAMPLES, None)
    for batch in simulation.pending:
        simulation.collect(batch, simulation.work(batch))
    return [each.correct for each in simulation.results()]
