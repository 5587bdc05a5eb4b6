"""Evidence along one run."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
from pareto_core.confidence.thresholds import mixture_threshold, rank_threshold, stylised_threshold

__all__ = ["EvidencePath", "evidence_path"]


class EvidencePath(NamedTuple):
    """Evidence along one run and what it has to exceed at risk delta, in nats at each time."""

    times: np.ndarray
    cost: np.ndarray
    proven: np.ndarray
    stylised: np.ndarray
    all_means: np.ndarray
    delta: float

    def first_times(self) -> dict[str, int]:
        """Samples at the first time at which each rule would stop, as far as it does."""
        reached = {
            "stylised": self.cost >= self.stylised,
            "joint": self.proven >= np.log(1 / self.delta),
            "all means": self.cost >= self.all_means,
        }
        return {
            rule: int(self.times[np.argmax(each)]) for rule, each in reached.items() if each.any()
        }

    def numbers(self) -> dict[str, float]:
        """Samples at which two rules stop, the last thresholds in nats, and one of rank two."""
        stops = self.first_times()
        return {
            "one_stylised": stops["stylised"],
            "one_joint": stops["joint"],
            "all_means_nats": self.all_means[-1],
            "stylised_nats": self.stylised[-1],
            "rank_nats": rank_threshold(1000, 20, 3, self.delta),
        }


def evidence_path(seen: pc.Trajectory, delta: float) -> EvidencePath:
    """Compute the evidence along a run of unit variance."""
    states = list(zip(seen.counts, seen.means, strict=True))
    n_objectives = seen.means.shape[-1]
    return EvidencePath(
        seen.times,
        np.array([pc.transport_cost(means, counts).value for counts, means in states]),
        np.array([pc.proven_evidence(counts, means).nats for counts, means in states]),
        np.array([stylised_threshold(time, delta) for time in seen.times]),
        np.array([mixture_threshold(counts, n_objectives, delta) for counts in seen.counts]),
        delta,
    )
