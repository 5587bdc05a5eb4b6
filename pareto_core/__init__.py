"""Pareto set identification with bandits: instances, algorithms, bounds, simulations."""

from pareto_core.algorithms import (
    APE,
    EGE,
    GEGE,
    MOBAI,
    MOSE,
    PAL,
    Algorithm,
    DTracking,
    LinearPAL,
    Racing,
    RacingCover,
    Session,
    TrackAndStop,
    UniformSampling,
    close_pairs,
)
from pareto_core.cells import count_cells, iterate_cells
from pareto_core.complexity import CharacteristicTime, characteristic_time
from pareto_core.datasets import load_instance
from pareto_core.dominance import best_arms, gaps, pareto_set
from pareto_core.instances import Instance
from pareto_core.simulation import Runs, simulate, simulate_deltas
from pareto_core.transport import TransportCost, transport_cost

__all__ = [
    "APE",
    "EGE",
    "GEGE",
    "MOBAI",
    "MOSE",
    "PAL",
    "Algorithm",
    "CharacteristicTime",
    "DTracking",
    "Instance",
    "LinearPAL",
    "Racing",
    "RacingCover",
    "Runs",
    "Session",
    "TrackAndStop",
    "TransportCost",
    "UniformSampling",
    "best_arms",
    "characteristic_time",
    "close_pairs",
    "count_cells",
    "gaps",
    "iterate_cells",
    "load_instance",
    "pareto_set",
    "simulate",
    "simulate_deltas",
    "transport_cost",
]
