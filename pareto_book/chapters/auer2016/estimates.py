"""The statements of Sections 2, 4 and 5 about gaps, estimates and radii, on cases."""

import itertools

import numpy as np

from pareto_book.chapters.auer2016.examples import excess
from pareto_book.records.measurements import Measurement

__all__ = ["all_claims", "check_estimates", "check_gaps", "check_radii"]


def all_claims(generator: np.random.Generator) -> dict[str, Measurement]:
    """Check all statements, those about gaps on all 27 points with coordinates 0, 1 and 2.

    Parameters
    ----------
    generator : numpy.random.Generator
        Draws the instances of Lemma 7.

    Returns
    -------
    dict of str to Measurement
        By the id of the claim.
    """
    points = np.array(list(itertools.product(range(3), repeat=3)))
    return check_gaps(points) | check_radii() | check_estimates(generator)


def dominance_gap(points: np.ndarray) -> np.ndarray:
    """Amounts m(i, j) by which j dominates i, shape (n, n)."""
    return np.maximum((points[None] - points[:, None]).min(axis=2), 0)


def check_gaps(points: np.ndarray) -> dict[str, Measurement]:
    """Check the two gaps, Lemma 3 and the estimates with an accuracy.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Points.

    Returns
    -------
    dict of str to Measurement
        Violations, by the id of the claim.
    """
    lead, gap = excess(points, points), dominance_gap(points)
    weakly = (points[:, None] <= points[None]).all(axis=2)
    strongly = (points[:, None] < points[None]).all(axis=2)
    disagree = ((gap > 0) != strongly).sum() + ((lead == 0) != weakly).sum()
    longer = lead[:, None, :] > lead[:, :, None] + lead[None, :, :]
    shifts = [(excess(points + epsilon, points), epsilon) for epsilon in (1, 2, 3)]
    outside = sum(((each < lead) | (each > lead + by)).sum() for each, by in shifts)
    return {
        "section2_gaps": Measurement(disagree, None, 2 * gap.size),
        "lemma3": Measurement(longer.sum(), None, longer.size),
        "section4_estimates": Measurement(outside, None, 3 * lead.size),
    }


def check_radii(scale: float = 1.0) -> dict[str, Measurement]:
    """Check Lemmas 5 and 6: the risks of all radii over delta, and the largest radius over a gap.

    Parameters
    ----------
    scale : float, default 1.0
        Factor of the radii; the lemmas are about 1.

    Returns
    -------
    dict of str to Measurement
        By the id of the claim.
    """
    numbers = np.arange(1, 10**6)
    n_means, delta = 20, 0.1
    exponents = scale**2 * np.log(4 * n_means * numbers**2.0 / delta)  # n β² / 2
    ratios = []
    for means, risk in itertools.product((2, 5, 20, 100, 10**4), (0.5, 0.1, 0.01, 1e-6)):
        gap = np.geomspace(1e-4, 2, 400)
        n = np.ceil(30 * np.log(means / (risk * gap)) / gap**2)
        ratios.append(scale * np.sqrt(2 * np.log(4 * means * n**2 / risk) / n) / gap)
    return {
        "lemma5": Measurement(2 * n_means * np.exp(-exponents).sum() / delta, None, None),
        "lemma6": Measurement(np.max(ratios), None, np.size(ratios)),
    }


def check_estimates(
    generator: np.random.Generator, count: int = 1000, error: float = 0.999
) -> dict[str, Measurement]:
    """Check Lemma 7: the error of estimated gaps over the sum of two radii, the largest.

    Parameters
    ----------
    generator : numpy.random.Generator
        Draws the instances.
    count : int, default 1000
        Number of instances.
    error : float, default 0.999
        Error of each estimate, in radii.

    Returns
    -------
    dict of str to Measurement
        By the id of the claim.
    """
    worst = 0
    for _ in range(count):
        arms = generator.normal(size=(6, 3))
        beta = generator.uniform(0.1, 1, size=(6, 1))
        seen = arms + error * beta * generator.choice([-1, 1], size=arms.shape)
        for exact, estimate in (
            (arms[:, None] - arms, seen[:, None] - seen),
            (excess(arms, arms), excess(seen, seen)),
            (dominance_gap(arms), dominance_gap(seen)),
        ):
            both = (beta + beta.T).reshape(6, 6, *[1] * (exact.ndim - 2))
            worst = np.maximum(worst, (np.abs(exact - estimate) / both).max())
    return {"lemma7": Measurement(worst, None, count)}
