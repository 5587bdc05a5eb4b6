"""The algorithms, one file each, in one room for each question.

Begin with a question: `pareto` (the Pareto set), `linear` (with features), `best_arms` (the
best arm of every objective), `constrained` (the feasible Pareto set, with reasons). An
algorithm knows its own state and no other algorithm's; who runs it is not decided here.
"""

from pareto_core.algorithms.ape import APE
from pareto_core.algorithms.constrained_uniform import ConstrainedUniformSampling
from pareto_core.algorithms.d_tracking import DTracking
from pareto_core.algorithms.ecape import ECAPE
from pareto_core.algorithms.ege import EGE
from pareto_core.algorithms.game_cpsi import GameCPSI
from pareto_core.algorithms.gege import GEGE
from pareto_core.algorithms.linear_pal import LinearPAL
from pareto_core.algorithms.mobai import MOBAI
from pareto_core.algorithms.mose import MOSE
from pareto_core.algorithms.pal import PAL
from pareto_core.algorithms.racing import Racing
from pareto_core.algorithms.racing_cover import RacingCover, close_pairs
from pareto_core.algorithms.racing_cp import RacingCP
from pareto_core.algorithms.track_and_stop import TrackAndStop
from pareto_core.algorithms.two_stage import TwoStage
from pareto_core.algorithms.uniform import UniformSampling
from pareto_core.loop.algorithm import Algorithm

__all__ = [
    "APE",
    "ECAPE",
    "EGE",
    "GEGE",
    "MOBAI",
    "MOSE",
    "PAL",
    "Algorithm",
    "ConstrainedUniformSampling",
    "DTracking",
    "GameCPSI",
    "LinearPAL",
    "Racing",
    "RacingCP",
    "RacingCover",
    "TrackAndStop",
    "TwoStage",
    "UniformSampling",
    "close_pairs",
]
