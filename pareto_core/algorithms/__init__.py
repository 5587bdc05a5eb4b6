"""The algorithms, one file each."""

from pareto_core.algorithms.ape import APE
from pareto_core.algorithms.base import Algorithm, Session
from pareto_core.algorithms.d_tracking import DTracking
from pareto_core.algorithms.ege import EGE
from pareto_core.algorithms.gege import GEGE
from pareto_core.algorithms.linear_pal import LinearPAL
from pareto_core.algorithms.mobai import MOBAI
from pareto_core.algorithms.mose import MOSE
from pareto_core.algorithms.pal import PAL
from pareto_core.algorithms.racing import Racing
from pareto_core.algorithms.racing_cover import RacingCover, close_pairs
from pareto_core.algorithms.track_and_stop import TrackAndStop
from pareto_core.algorithms.uniform import UniformSampling

__all__ = [
    "APE",
    "EGE",
    "GEGE",
    "MOBAI",
    "MOSE",
    "PAL",
    "Algorithm",
    "DTracking",
    "LinearPAL",
    "Racing",
    "RacingCover",
    "Session",
    "TrackAndStop",
    "UniformSampling",
    "close_pairs",
]
