"""What is certain about single arms before an algorithm stops."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
from pareto_book.chapters.guarantee.looks import map_runs

__all__ = ["Certain", "certain_arms"]


class Certain(NamedTuple):
    """How many arms are certainly optimal and certainly dominated, by run and moment."""

    moments: np.ndarray
    arms: np.ndarray


def certain_arms(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    moments: np.ndarray,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    delta: float = 0.1,
) -> Certain:
    """Follow a certificate at risk `delta` along runs that stop later than it decides all arms."""

    def follow(run):
        seen = pc.trajectory(algorithm, instance, moments, run, seed)
        certificate = pc.Certificate(instance.n_arms, instance.n_objectives, delta=delta)
        found = np.zeros((len(moments), 2))
        for k, state in enumerate(zip(seen.counts, seen.means, strict=True)):
            if not certificate.is_decided:
                certificate.update(*state)
            found[k] = certificate.optimal.size, certificate.dominated.size
        return found

    return Certain(moments, np.array(map_runs(follow, runs, n_jobs)))
