"""Algorithms that identify the Pareto set, one file each."""

from pareto_core.algorithms.pareto.ape import APE
from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.algorithms.pareto.ege import EGE
from pareto_core.algorithms.pareto.racing import Racing
from pareto_core.algorithms.pareto.racing_cover import RacingCover
from pareto_core.algorithms.pareto.track_and_stop import TrackAndStop
from pareto_core.algorithms.pareto.uniform import UniformSampling
from pareto_core.algorithms.pareto.widest_box import WidestBox

__all__ = [
    "APE",
    "EGE",
    "Certified",
    "Racing",
    "RacingCover",
    "TrackAndStop",
    "UniformSampling",
    "WidestBox",
]
