"""Coordinates in which the noise of every arm is standard Gaussian."""

from typing import NamedTuple

import numpy as np

from pareto_core.instances.instance import Instance, check_instance
from pareto_core.instances.noise import GAUSSIAN


class Whitening(NamedTuple):
    """A linear map of the mean of each arm, under which its noise has the identity as covariance.

    Attributes
    ----------
    deviation : ndarray, shape (d,) or (K, d)
        Standard deviations of the rewards.
    root : ndarray, shape (d, d) or (K, d, d), or None
        Cholesky factors of the correlations; None if the objectives are independent.
    """

    deviation: np.ndarray
    root: np.ndarray | None

    def whitened(self, means: np.ndarray) -> np.ndarray:
        """Map means, shape (..., K, d), to the coordinates of standard noise."""
        scaled = means / self.deviation
        if self.root is None:
            return scaled
        return np.linalg.solve(self.root, scaled[..., None])[..., 0]

    def restored(self, white: np.ndarray) -> np.ndarray:
        """Map whitened means, shape (..., K, d), back to the units of the rewards."""
        if self.root is not None:
            white = (self.root @ white[..., None])[..., 0]
        return white * self.deviation


def whitening_of(instance: Instance) -> Whitening:
    """Whitening of the noise of an instance."""
    check_instance(instance)
    if instance.noise != GAUSSIAN:
        raise ValueError(
            f"instance = {instance.name!r} with {instance.noise} noise; expected Gaussian noise"
        )
    if not (instance.variance > 0).all():
        raise ValueError(
            f"instance = {instance.name!r} has a variance of 0; expected positive variances"
        )
    root = np.linalg.cholesky(instance.correlation) if instance.is_correlated else None
    return Whitening(np.sqrt(instance.variance), root)
