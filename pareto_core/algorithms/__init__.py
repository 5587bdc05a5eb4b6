"""The algorithms, one file each, in one package per question.

The questions: `pareto` (the Pareto set), `linear` (the Pareto set of arms with features),
`best_arms` (the best arm of every objective), `constrained` (the feasible Pareto set, with the
reason for each rejection). `top_two` is one sampling rule for several of them. `tracking`,
`elimination` and `ada_hedge` contain the steps that several algorithms share, and `registry` finds
an algorithm by its name. `pareto_core.loop` runs an algorithm.
"""

from pareto_core.algorithms.best_arms import MOBAI, MOSE, DTracking
from pareto_core.algorithms.constrained import (
    ECAPE,
    ConstrainedUniformSampling,
    GameCPSI,
    RacingCP,
    TwoStage,
)
from pareto_core.algorithms.linear import GEGE
from pareto_core.algorithms.pareto import (
    APE,
    EGE,
    Certified,
    Racing,
    RacingCover,
    TrackAndStop,
    UniformSampling,
    WidestBox,
)
from pareto_core.algorithms.top_two import SeparateTopTwo, TopTwoIDS

__all__ = [
    "APE",
    "ECAPE",
    "EGE",
    "GEGE",
    "MOBAI",
    "MOSE",
    "Certified",
    "ConstrainedUniformSampling",
    "DTracking",
    "GameCPSI",
    "Racing",
    "RacingCP",
    "RacingCover",
    "SeparateTopTwo",
    "TopTwoIDS",
    "TrackAndStop",
    "TwoStage",
    "UniformSampling",
    "WidestBox",
]
