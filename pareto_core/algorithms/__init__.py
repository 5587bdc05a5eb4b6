"""The algorithms, one file each, in one package per question.

The questions: `pareto` (the Pareto set), `linear` (the Pareto set of arms with features),
`best_arms` (the best arm of every objective), `constrained` (the feasible Pareto set, with the
reason for each rejection). `top_two` is one sampling rule for several of them. `stopping` and
`proven_stopping` are the stopping rules, `tracking`, `race`, `elimination` and `ada_hedge` contain
the steps that several algorithms share, `settings` checks their hyper-parameters, and `registry`
finds an algorithm by its name.
`pareto_core.loop` runs an algorithm.

Arguments that recur, of K arms and d objectives:

* ``means``, ``radius``: arrays of shape (K, d), the averages and the radii of their intervals;
* ``weights``, ``counts``: arrays of shape (K,), or (K, d) where each objective has its own;
* ``summed``, ``union``: whether the width of a pair of arms is the sum of theirs;
* ``arms``: arms still in a race, or the statistics of each arm, `ArmEvidence`;
* ``evidence``: arrays of a stopping rule or of the statistics, modified in place;
* ``problem``: `Problem`, what is known before the first sample.
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
