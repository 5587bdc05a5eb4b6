"""The algorithms, one file each, in one room for each question.

Begin with a question: `pareto` (the Pareto set), `linear` (with features), `best_arms` (the
best arm of every objective), `constrained` (the feasible Pareto set, with reasons). An
algorithm knows its own state and no other algorithm's; who runs it is not decided here.
"""

from pareto_core.algorithms.best_arms import MOBAI, MOSE, DTracking
from pareto_core.algorithms.constrained import (
    ECAPE,
    ConstrainedUniformSampling,
    GameCPSI,
    RacingCP,
    TwoStage,
)
from pareto_core.algorithms.linear import GEGE, LinearPAL
from pareto_core.algorithms.pareto import (
    APE,
    EGE,
    PAL,
    PSIPS,
    TTPFTS,
    Certified,
    FrankWolfe,
    OraclePosterior,
    PaVeBa,
    Racing,
    RacingCover,
    TopTwoIDS,
    TrackAndStop,
    UniformSampling,
    WidestBox,
    close_pairs,
)

__all__ = [
    "APE",
    "ECAPE",
    "EGE",
    "GEGE",
    "MOBAI",
    "MOSE",
    "PAL",
    "PSIPS",
    "TTPFTS",
    "Certified",
    "ConstrainedUniformSampling",
    "DTracking",
    "FrankWolfe",
    "GameCPSI",
    "LinearPAL",
    "OraclePosterior",
    "PaVeBa",
    "Racing",
    "RacingCP",
    "RacingCover",
    "TopTwoIDS",
    "TrackAndStop",
    "TwoStage",
    "UniformSampling",
    "WidestBox",
    "close_pairs",
]
