"""Transportation costs under noise of known covariance: every alternative as a quadratic program.

The means of all arms are free. Each alternative is a set of linear constraints, of which brute
force tries all: for an addition, all assignments of optimal arms to objectives. The closest means
within the constraints are a least distance problem, which is dual to non-negative least squares
(Lawson & Hanson 1974, Solving Least Squares Problems, Chapter 23).
"""

import itertools

import numpy as np
import scipy.optimize
from references.pareto import pareto_set


def closest(means, weights, covariance, constraints, rows_of_arms=()):
    """Cheapest means with lambda[high, c] >= lambda[low, c] for all (low, high, c): (cost, means).

    For all (arm, normal, offset) of ``rows_of_arms``, normal . lambda[arm] <= offset as well.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
        Positive.
    covariance : ndarray, shape (K, d, d)
    constraints, rows_of_arms : list of tuple
    """
    roots = np.linalg.cholesky(covariance) / np.sqrt(weights)[:, None, None]
    n = len(constraints) + len(rows_of_arms)
    rows, bounds = np.zeros((n, *means.shape)), np.empty(n)
    for row, (low, high, c) in enumerate(constraints):
        rows[row, high] += roots[high, c]
        rows[row, low] -= roots[low, c]
        bounds[row] = means[low, c] - means[high, c]
    for row, (arm, normal, offset) in enumerate(rows_of_arms, start=len(constraints)):
        rows[row, arm] = -(normal @ roots[arm])
        bounds[row] = normal @ means[arm] - offset
    rows = rows.reshape(n, means.size)
    if not (bounds > 0).any():
        return 0.0, means.copy()
    sizes = np.linalg.norm(rows, axis=1)
    rows, bounds = rows / sizes[:, None], bounds / sizes
    scale = bounds.max()
    wanted = np.append(np.zeros(rows.shape[1]), 1.0)
    forces, _ = scipy.optimize.nnls(np.vstack([rows.T, bounds / scale]), wanted, maxiter=10_000)
    held = forces > 0
    move = np.linalg.lstsq(rows[held], bounds[held], rcond=None)[0]
    moved = means + np.einsum("kcb,kb->kc", roots, move.reshape(means.shape))
    return float(0.5 * move @ move), moved


def removals(front, d):
    """Constraints of each removal: an optimal arm falls below another."""
    return [
        [(loser, winner, c) for c in range(d)] for loser, winner in itertools.permutations(front, 2)
    ]


def additions(front, d, target):
    """Constraints of each addition: every optimal arm falls below the target in some objective."""
    return [
        [(arm, target, c) for arm, c in zip(front, assignment, strict=True)]
        for assignment in itertools.product(range(d), repeat=len(front))
    ]


def add_arm(means, weights, covariance, target, constraints=(), best=np.inf, rows_of_arms=()):
    """Cost of the cheapest addition below ``best``, for fronts too large to try all assignments.

    The closest means under some of the constraints cost no more than those under all. If an arm
    still dominates the target there, it must fall below the target in one of the objectives. All
    ``rows_of_arms`` hold, see `closest`.
    """
    cost, moved = closest(means, weights, covariance, list(constraints), rows_of_arms)
    if cost >= best:
        return best
    margin = (moved - moved[target]).min(axis=1) / (1 + np.abs(moved).max())
    margin[[k for k in range(len(means)) if k not in pareto_set(means)]] = -np.inf
    if margin.max() <= 1e-12:
        return cost
    arm = int(margin.argmax())
    for c in np.argsort(moved[arm] - moved[target]):
        more = (*constraints, (arm, target, c))
        best = add_arm(means, weights, covariance, target, more, best, rows_of_arms)
    return best


def cost_of(means, weights, covariance, alternative):
    """Cost of an alternative."""
    moved = np.linalg.solve(np.linalg.cholesky(covariance), (means - alternative)[..., None])
    return float(0.5 * weights @ (moved[..., 0] ** 2).sum(axis=1))


def on_a_front(rng):
    """Means with ties and duplicates, and positive weights, of very different sizes."""
    d = rng.integers(1, 5)
    front = rng.standard_normal((rng.integers(1, 6 - d // 2), d))
    if d > 1 and rng.integers(4):
        front -= front.mean(axis=1, keepdims=True)
    means = np.vstack([front, front.min(axis=0) - rng.exponential(0.3, (rng.integers(1, 3), d))])
    if rng.integers(3) == 0:
        means = np.round(3 * means)
    if rng.integers(5) == 0:
        means = np.vstack([means, means[rng.integers(len(means))]])
    scales = 10 ** (rng.choice([0, 0, 3]) * rng.uniform(-1, 1, len(means)))
    return means, rng.uniform(0.1, 1, len(means)) * scales


def random_covariance(rng, n_arms, d):
    """Covariances: diagonal, common or one per arm; nearly singular; with unequal variances."""
    factors = rng.standard_normal((n_arms, d, d))
    covariance = factors @ factors.transpose(0, 2, 1)
    covariance += 10.0 ** rng.uniform(-3, 0, (n_arms, 1, 1)) * np.eye(d)
    kind = rng.integers(4)
    if kind == 0:
        covariance *= np.eye(d)
    elif kind == 1:
        covariance[:] = covariance[0]
    elif kind == 2:
        covariance[rng.random(n_arms) < 0.5] *= np.eye(d)
    deviation = 10 ** (rng.choice([0.0, 0.5, 2.0]) * rng.uniform(-1, 1, (n_arms, d)))
    covariance = covariance * deviation[:, :, None] * deviation[:, None, :]
    return 0.5 * (covariance + covariance.transpose(0, 2, 1))
