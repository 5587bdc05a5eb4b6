"""The algorithms, one file each."""

from pareto_core.algorithms.base import Algorithm, Session
from pareto_core.algorithms.track_and_stop import TrackAndStop
from pareto_core.algorithms.uniform import UniformSampling

__all__ = ["Algorithm", "Session", "TrackAndStop", "UniformSampling"]
