"""Characteristic times beyond the range of floating-point numbers."""

import numpy as np

LARGEST_TIME = 1e300


def uniform_weights(n_arms):
    """Equal proportions of all arms, shape (K,)."""
    return np.full(n_arms, 1 / n_arms)


def refuse_extreme(value, means, region=None, costs=None):
    """Refuse a problem whose time is finite, but out of range; ``value``: cost at equal shares."""
    # The cost of the best proportions is at most K times that of equal proportions. A cost of zero
    # means a tie, unless the squares of some differences have underflowed.
    if len(means) * value >= 1 / LARGEST_TIME and value <= LARGEST_TIME:
        return
    least = _smallest_difference(means, region)
    most = 1.0 if costs is None else costs.max()
    if value > LARGEST_TIME or 2 * np.log10(least) - np.log10(most) < -np.log10(LARGEST_TIME):
        raise ValueError(
            f"means differ by as little as {least:.3g}"
            + ("" if costs is None else f", costs are from {costs.min():.3g} to {most:.3g}")
            + f"; expected a characteristic time from {1 / LARGEST_TIME:g} to {LARGEST_TIME:g}: "
            "multiply the means by a constant c, which divides the time by its square"
        )


def _smallest_difference(means, region):
    """Smallest positive difference of two means, or of a mean and a bound of the region."""
    found = [np.diff(np.sort(means, axis=0), axis=0).ravel()]
    if region is not None:
        normals, offsets = region
        sizes = np.linalg.norm(normals, axis=1)
        found.append((np.abs(means @ normals.T - offsets) / sizes).ravel())
    differences = np.concatenate(found)
    return differences[differences > 0].min(initial=np.inf)
