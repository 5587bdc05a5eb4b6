"""Lemmas 1 and 4 to 7, and the definition of a gap, on random sets of arms.

Each check returns a ratio that the lemma bounds by 1, so that a test can hand it a case in which
the lemma is violated.
"""

import numpy as np

import pareto_core as pc
from pareto_core.regression import design

__all__ = [
    "ahead",
    "gap_of_optimal",
    "least_raise",
    "lemma_1",
    "lemma_4",
    "lemma_5",
    "lemma_6",
    "lemma_7",
    "random_case",
    "random_error",
    "two_forms",
    "worst_cases",
]

NEGLIGIBLE = 1e-9  # errors of estimates below this are not divided by


def ahead(means: np.ndarray) -> np.ndarray:
    """m(i, j) for all pairs: by how much arm j is ahead of arm i in every objective."""
    return (means[None] - means[:, None]).min(axis=2)


def random_case(draws: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw three to eight means, and up to twelve combinations of them.

    Parameters
    ----------
    draws : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    features : ndarray, shape (K, h)
    means : ndarray, shape (K, d)
        Linear in the features, with d = 2 or 3.
    """
    h, d = int(draws.integers(3, 9)), int(draws.integers(2, 4))
    mixed = draws.dirichlet(np.ones(h), int(draws.integers(0, 13)))
    features = np.vstack([np.eye(h), mixed])
    return features, features @ draws.random((h, d))


def random_error(
    draws: np.random.Generator, features: np.ndarray, active: np.ndarray, size: float, d: int
) -> np.ndarray:
    """Draw errors of estimates that are linear in the features.

    Parameters
    ----------
    draws : numpy.random.Generator
        Source of randomness.
    features : ndarray, shape (K, h)
        Features of all arms.
    active : ndarray of int
        Active arms.
    size : float
        Largest difference of the errors of two active arms.
    d : int
        Number of objectives.

    Returns
    -------
    ndarray, shape (K, d)
    """
    shape = features.shape[1], d
    corner = draws.random() < 0.5
    theta = draws.choice([-1.0, 1.0], shape) if corner else draws.normal(size=shape)
    error = features @ theta
    error -= error[active].mean(axis=0)
    widest = np.ptp(error[active], axis=0).max()
    return error * size / widest if widest > NEGLIGIBLE else 0 * error


def gap_of_optimal(means: np.ndarray, front: np.ndarray, index: str = "j") -> np.ndarray:
    """Gaps of optimal arms by Equation 5.

    Parameters
    ----------
    means : ndarray, shape (K, d)
        Means.
    front : ndarray of int
        Optimal arms.
    index : {"j", "i"}, default "j"
        Last index of the equation: "i" as printed, "j" as in the proof and in the program.

    Returns
    -------
    ndarray, shape (len(front),)
    """
    m = ahead(means)
    np.fill_diagonal(m, -np.inf)
    inner = np.maximum(m.max(axis=1), 0)
    other = inner[None, :] if index == "j" else inner[:, None]
    term = np.minimum(-m, np.maximum(-m.T, 0) + other)
    np.fill_diagonal(term, np.inf)
    return term.min(axis=1)[front]


def two_forms(means: np.ndarray, front: np.ndarray) -> np.ndarray:
    """Gaps of optimal arms as the minimum of a distance and a margin."""
    m, gap = ahead(means), pc.gaps(means)
    rest = np.setdiff1d(np.arange(len(means)), front)
    found = []
    for i in front:
        distance = [min(-m[i, j], -m[j, i]) for j in front if j != i]
        margin = [max(-m[j, i], 0) + gap[j] for j in rest]
        found.append(min(distance + margin))
    return np.array(found)


def least_raise(means: np.ndarray, arm: int) -> float:
    """Least amount that makes a dominated arm of the unit cube non-dominated, by bisection."""
    low, high = 0.0, 2.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        raised = means[arm] + middle
        is_dominated = (means > raised).all(axis=1).any()
        low, high = (middle, high) if is_dominated else (low, middle)
    return high


def lemma_1(samples: np.ndarray, variances: np.ndarray) -> float:
    """Relative error of the variances of the sampled arms, against the pseudo-inverse.

    Parameters
    ----------
    samples : ndarray, shape (n, h)
        Features of each sample.
    variances : ndarray, shape (n,)
        Variances to check, such as those of `prediction_variances`.

    Returns
    -------
    float
    """
    exact = np.linalg.norm(samples @ np.linalg.pinv(samples), axis=1) ** 2
    return float(abs(variances / exact - 1).max())


def lemma_4(m: np.ndarray, estimated: np.ndarray, norms: np.ndarray) -> float:
    """Largest error of an estimated lead m(i, j), over that of the difference of both arms."""
    apart = norms > NEGLIGIBLE
    return _largest(abs(estimated - m)[apart] / norms[apart])


def lemma_5(m: np.ndarray, estimated: np.ndarray, norms: np.ndarray) -> float:
    """Largest lead over an arm that no longer looks dominated by the arm farthest ahead of it."""
    best = m.argmax(axis=1)
    rows = np.arange(len(m))
    hidden = (m[rows, best] > 0) & (estimated[rows, best] < 0)
    return _largest(m[rows, best][hidden] / norms[rows, best][hidden])


def lemma_6(m: np.ndarray, estimated: np.ndarray, norms: np.ndarray) -> float:
    """Largest error of an estimated gap of a dominated arm, over the error of its differences."""
    positive = np.maximum(m.max(axis=1), 0)
    error = abs(np.maximum(estimated.max(axis=1), 0) - positive)
    return _largest(error / norms.max(axis=1))


def lemma_7(
    gap: np.ndarray, estimated_gap: np.ndarray, optimal: np.ndarray, norms: np.ndarray
) -> float:
    """Largest amount by which a gap is underestimated, over the bound of the lemma."""
    gamma = norms.max(axis=1)
    return _largest((gap - estimated_gap) / np.where(optimal, 2 * gamma.max(), gamma))


def worst_cases(cases: int, seed: int) -> dict[str, float]:
    """Find the worst ratio of each check among random cases.

    Parameters
    ----------
    cases : int
        Number of random cases.
    seed : int
        Seed.

    Returns
    -------
    dict of str to float
        By lemma, "1" to "7"; for the definition of a gap "forms" (both forms of an optimal arm's),
        "printed" and "index j" (Equation 5), and "raise" (a dominated arm's).
    """
    draws = np.random.default_rng(seed)
    worst = dict.fromkeys(("forms", "printed", "index j", "raise", "1", "4", "5", "6", "7"), 0.0)
    for _ in range(cases):
        features, means = random_case(draws)
        pulled = draws.integers(len(means), size=30)
        samples = features[pulled] @ draws.normal(size=(features.shape[1],) * 2)
        variances = design.prediction_variances(samples, np.ones(len(samples)))
        found = _definitions(means) | {"1": lemma_1(samples, variances)}
        found |= _estimates(draws, features, means)
        for name, value in found.items():
            worst[name] = np.maximum(worst[name], value)
    return worst


def _definitions(means):
    """Relative errors of other definitions of the gaps of one case."""
    front, gap = pc.pareto_set(means), pc.gaps(means)
    dominated = np.setdiff1d(np.arange(len(means)), front)[:1]
    return {
        "forms": _largest(abs(two_forms(means, front) / gap[front] - 1)),
        "printed": _largest(abs(gap_of_optimal(means, front, "i") / gap[front] - 1)),
        "index j": _largest(abs(gap_of_optimal(means, front) / gap[front] - 1)),
        "raise": _largest([abs(least_raise(means, arm) / gap[arm] - 1) for arm in dominated]),
    }


def _estimates(draws, features, means):
    """Lemmas 4 to 7 with random errors of the estimates of some arms."""
    optimal = np.isin(np.arange(len(means)), pc.pareto_set(means))
    active = np.flatnonzero(optimal | (draws.random(len(means)) < 0.7))
    size = 10 ** draws.uniform(-2, 0)
    error = random_error(draws, features, active, size, means.shape[1])[active]
    known, seen = means[active], means[active] + error
    m, estimated = ahead(known), ahead(seen)
    norms = abs(error[None] - error[:, None]).max(axis=2)
    found = {"4": lemma_4(m, estimated, norms), "5": lemma_5(m, estimated, norms)}
    if norms.max(axis=1).min() >= NEGLIGIBLE:
        gap = pc.gaps(means)[active]
        found["6"] = lemma_6(m, estimated, norms)
        found["7"] = lemma_7(gap, pc.gaps(seen), optimal[active], norms)
    return found


def _largest(values):
    return float(np.max(values, initial=0.0))
