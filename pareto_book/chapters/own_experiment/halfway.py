"""Samples until a certificate has decided half of the arms of COV-BOOST."""

import numpy as np

import pareto_core as pc

__all__ = ["MOST", "decided_after", "widest_box_after"]

HALF = 10  # arms
SOON, MOST = 8_000, 40_000  # samples: of a first try, and at which runs are cut off
MOMENTS = np.unique(np.geomspace(500, MOST, 25).astype(int))  # at which the certificate looks
DELTA = 0.1  # risk of all statements at all times


def decided_after(algorithm: pc.Algorithm, instance: pc.Instance, run: int, seed: int = 0) -> int:
    """Samples until half of the arms are decided, to the next of the moments.

    Parameters
    ----------
    algorithm : Algorithm
        Samples, and stops later than half of the arms are decided.
    instance : Instance
        Of unit variance.
    run, seed : int
        Number of the run, and seed.

    Returns
    -------
    int
        At most 40,000.
    """
    soon = MOMENTS[MOMENTS <= SOON]
    for moments in (soon, MOMENTS):  # a short run is enough for most
        seen = pc.trajectory(algorithm, instance, moments, run, seed)
        certificate = pc.Certificate(instance.n_arms, instance.n_objectives, delta=DELTA)
        for counts, means in zip(seen.counts, seen.means, strict=True):
            certificate.update(counts, means)
            if certificate.optimal.size + certificate.dominated.size >= HALF:
                return int(counts.sum())
    return MOST


def widest_box_after(instance: pc.Instance, run: int, seed: int = 0) -> int:
    """The same for sampling the arm with the widest box among those that are open."""
    rng = np.random.default_rng([seed, run])
    n_arms = instance.n_arms
    certificate = pc.Certificate(n_arms, instance.n_objectives, delta=DELTA)
    counts, sums = np.zeros(n_arms, int), np.zeros(instance.means.shape)
    open_arms = np.arange(n_arms)
    for moment in [n_arms, *MOMENTS]:
        while counts.sum() < moment:  # boxes are alike for arms with as many samples
            arm = open_arms[counts[open_arms].argmin()]
            counts[arm] += 1
            sums[arm] += rng.normal(instance.means[arm])
        certificate.update(counts, sums / counts[:, None])
        known = np.concatenate([certificate.optimal, certificate.dominated])
        if known.size >= HALF:
            return int(counts.sum())
        open_arms = np.setdiff1d(np.arange(n_arms), known)
    return MOST
