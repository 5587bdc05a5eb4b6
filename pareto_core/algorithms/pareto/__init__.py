"""Algorithms that identify the Pareto set, one file each.

Shared stopping rules: `evidence` compares the transportation cost with a threshold,
`proven_stopping` needs no threshold, and `posterior` tests draws from the posterior.
"""

from pareto_core.algorithms.pareto.ape import APE
from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.algorithms.pareto.ege import EGE
from pareto_core.algorithms.pareto.frank_wolfe import FrankWolfe
from pareto_core.algorithms.pareto.oracle_posterior import OraclePosterior
from pareto_core.algorithms.pareto.pal import PAL
from pareto_core.algorithms.pareto.paveba import PaVeBa
from pareto_core.algorithms.pareto.psips import PSIPS
from pareto_core.algorithms.pareto.racing import Racing
from pareto_core.algorithms.pareto.racing_cover import RacingCover
from pareto_core.algorithms.pareto.track_and_stop import TrackAndStop
from pareto_core.algorithms.pareto.ttpfts import TTPFTS
from pareto_core.algorithms.pareto.uniform import UniformSampling
from pareto_core.algorithms.pareto.widest_box import WidestBox

__all__ = [
    "APE",
    "EGE",
    "PAL",
    "PSIPS",
    "TTPFTS",
    "Certified",
    "FrankWolfe",
    "OraclePosterior",
    "PaVeBa",
    "Racing",
    "RacingCover",
    "TrackAndStop",
    "UniformSampling",
    "WidestBox",
]
