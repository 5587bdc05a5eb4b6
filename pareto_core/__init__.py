"""Pareto set identification with bandits: instances, algorithms, bounds, simulations."""

from pareto_core.algorithms import (
    APE,
    ECAPE,
    EGE,
    GEGE,
    MOBAI,
    MOSE,
    PAL,
    PSIPS,
    TTPFTS,
    Certified,
    ConstrainedUniformSampling,
    DTracking,
    FrankWolfe,
    GameCPSI,
    LinearPAL,
    OraclePosterior,
    PaVeBa,
    Racing,
    RacingCover,
    RacingCP,
    SeparateTopTwo,
    TopTwoIDS,
    TrackAndStop,
    TwoStage,
    UniformSampling,
    WidestBox,
    close_pairs,
)
from pareto_core.allocations import (
    mocba_allocation,
    phantom_allocation,
    phantom_rate,
    phantoms,
    score_allocation,
)
from pareto_core.bounds import CharacteristicTime, characteristic_time, easiest_partition
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence import (
    BestArmCertificate,
    Certificate,
    ConstrainedCertificate,
    LatestEnd,
    ProvenEvidence,
    SubsetCertificate,
    proven_evidence,
)
from pareto_core.error_rates import (
    Proposals,
    RiskEstimate,
    error_probabilities,
    error_probability,
    fit_proposals,
)
from pareto_core.geometry import (
    Partition,
    Polyhedron,
    best_arms,
    constrained_pareto_set,
    count_cells,
    gaps,
    hypercube,
    iterate_cells,
    ordered_cone,
    orthant,
    pareto_set,
    simplex,
)
from pareto_core.instances import (
    BERNOULLI_VARIANCE_BOUND,
    Instance,
    Problem,
    constrained_instances,
    generators,
    instance_names,
    load_instance,
)
from pareto_core.loop import Algorithm, PythonAlgorithm, Record, RecordView, empty_record
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_core.simulation import Runs, Trajectory, simulate, simulate_deltas, trajectory
from pareto_core.transport import CostOracle, TransportCost, partition_cost, transport_cost

__version__ = "0.1.0"

__all__ = [
    "APE",
    "BERNOULLI_VARIANCE_BOUND",
    "BEST_ARMS",
    "CONSTRAINED_PARETO_SET",
    "ECAPE",
    "EGE",
    "GEGE",
    "MOBAI",
    "MOSE",
    "PAL",
    "PARETO_SET",
    "PARTITION",
    "PSIPS",
    "TTPFTS",
    "Algorithm",
    "BestArmCertificate",
    "Certificate",
    "Certified",
    "CharacteristicTime",
    "ConstrainedCertificate",
    "ConstrainedUniformSampling",
    "CostOracle",
    "DTracking",
    "FrankWolfe",
    "GameCPSI",
    "Instance",
    "LatestEnd",
    "LinearPAL",
    "OraclePosterior",
    "PaVeBa",
    "Partition",
    "Polyhedron",
    "Problem",
    "Proposals",
    "ProvenEvidence",
    "PythonAlgorithm",
    "Racing",
    "RacingCP",
    "RacingCover",
    "Record",
    "RecordView",
    "RiskEstimate",
    "Runs",
    "SeparateTopTwo",
    "SubsetCertificate",
    "TopTwoIDS",
    "TrackAndStop",
    "Trajectory",
    "TransportCost",
    "TwoStage",
    "UniformSampling",
    "WidestBox",
    "best_arms",
    "characteristic_time",
    "close_pairs",
    "constrained_instances",
    "constrained_pareto_set",
    "count_cells",
    "easiest_partition",
    "empty_record",
    "error_probabilities",
    "error_probability",
    "fit_proposals",
    "gaps",
    "generators",
    "hypercube",
    "instance_names",
    "iterate_cells",
    "kernel",
    "load_instance",
    "mocba_allocation",
    "ordered_cone",
    "orthant",
    "pareto_set",
    "partition_cost",
    "phantom_allocation",
    "phantom_rate",
    "phantoms",
    "proven_evidence",
    "score_allocation",
    "simplex",
    "simulate",
    "simulate_deltas",
    "trajectory",
    "transport_cost",
]

_IN_LAB = {"Comparison", "Session", "compare", "explain", "load_session"}  # where they were once


def __getattr__(name):
    if name in _IN_LAB:
        raise AttributeError(
            f"pareto_core.{name} is now pareto_lab.{name}; "
            "install it with pip install 'pareto-core[lab]'"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
