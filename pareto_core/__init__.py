"""Pareto set identification with bandits: instances, algorithms, bounds, simulations."""

from pareto_core.algorithms import (
    APE,
    ECAPE,
    EGE,
    GEGE,
    MOBAI,
    MOSE,
    PAL,
    ConstrainedUniformSampling,
    DTracking,
    GameCPSI,
    LinearPAL,
    Racing,
    RacingCover,
    RacingCP,
    TrackAndStop,
    TwoStage,
    UniformSampling,
    close_pairs,
)
from pareto_core.bounds import CharacteristicTime, characteristic_time, easiest_partition
from pareto_core.geometry import (
    Partition,
    Polyhedron,
    best_arms,
    constrained_pareto_set,
    count_cells,
    gaps,
    iterate_cells,
    pareto_set,
)
from pareto_core.instances import Instance, load_instance
from pareto_core.loop import Algorithm
from pareto_core.proposals import Proposals, fit_proposals
from pareto_core.risk import RiskEstimate, error_probabilities, error_probability
from pareto_core.sessions import Session, explain, load_session
from pareto_core.simulation import Runs, simulate, simulate_deltas
from pareto_core.transport import TransportCost, partition_cost, transport_cost

__all__ = [
    "APE",
    "ECAPE",
    "EGE",
    "GEGE",
    "MOBAI",
    "MOSE",
    "PAL",
    "Algorithm",
    "CharacteristicTime",
    "ConstrainedUniformSampling",
    "DTracking",
    "GameCPSI",
    "Instance",
    "LinearPAL",
    "Partition",
    "Polyhedron",
    "Proposals",
    "Racing",
    "RacingCP",
    "RacingCover",
    "RiskEstimate",
    "Runs",
    "Session",
    "TrackAndStop",
    "TransportCost",
    "TwoStage",
    "UniformSampling",
    "best_arms",
    "characteristic_time",
    "close_pairs",
    "constrained_pareto_set",
    "count_cells",
    "easiest_partition",
    "error_probabilities",
    "error_probability",
    "explain",
    "fit_proposals",
    "gaps",
    "iterate_cells",
    "load_instance",
    "load_session",
    "pareto_set",
    "partition_cost",
    "simulate",
    "simulate_deltas",
    "transport_cost",
]
