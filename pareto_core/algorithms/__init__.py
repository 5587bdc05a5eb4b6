"""The algorithms, one file each, in one package per question.

The questions: `pareto` (the Pareto set), `linear` (the Pareto set of arms with features),
`best_arms` (the best arm of every objective), `constrained` (the feasible Pareto set, with the
reason for each rejection). `top_two` is one sampling rule for several of them. `stopping` and
`proven_stopping` are the stopping rules, `tracking`, `race` and `ada_hedge` contain the steps that
several algorithms share, `settings` checks their hyper-parameters, and `registry` finds an
algorithm by its name. `pareto_core.loop` runs an algorithm.

Each refuses, by a ValueError, a parameter that is out of range or would have no effect, and when a
run begins, a problem that lacks what the algorithm needs or does not fit its parameters.

Arguments that recur, of K arms and d objectives:

* ``means``, ``radius``: arrays of shape (K, d), the averages and the radii of their intervals;
* ``weights``, ``counts``: arrays of shape (K,), or (K, d) where each objective has its own;
* ``summed``, ``union``: whether the width of a pair of arms is the sum of theirs;
* ``arms``: arms still in a race, or the statistics of each arm, `ArmEvidence`;
* ``evidence``: arrays of a stopping rule or of the statistics, modified in place;
* ``problem``: `Problem`, what is known before the first sample.
"""

from pareto_core.algorithms.best_arms.d_tracking import DTracking
from pareto_core.algorithms.best_arms.mobai import MOBAI
from pareto_core.algorithms.best_arms.mose import MOSE
from pareto_core.algorithms.constrained.ecape import ECAPE, ConstrainedUniformSampling
from pareto_core.algorithms.constrained.game_cpsi import GameCPSI
from pareto_core.algorithms.constrained.racing_cp import RacingCP
from pareto_core.algorithms.constrained.two_stage import TwoStage
from pareto_core.algorithms.linear.gege import GEGE
from pareto_core.algorithms.pareto.ape import APE
from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.algorithms.pareto.ege import EGE
from pareto_core.algorithms.pareto.racing import Racing, RacingCover
from pareto_core.algorithms.pareto.track_and_stop import TrackAndStop
from pareto_core.algorithms.pareto.uniform import UniformSampling
from pareto_core.algorithms.pareto.widest_box import WidestBox
from pareto_core.algorithms.top_two.top_two_ids import SeparateTopTwo, TopTwoIDS

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
