"""GEGE with the lengths of the experiment and apportionment, in NumPy, to compare times.

What `pareto_core.GEGE` computes, by the same steps: nothing here is compiled but NumPy.
"""

import numpy as np

TOLERANCE = 1e-4  # of the designs
REFRESH_EVERY = 200  # exchanges


def orthonormal_points(features):
    """The arms in an orthonormal basis of their span."""
    left, singular, _ = np.linalg.svd(features, full_matrices=False)
    least = singular[0] * max(features.shape) * np.finfo(float).eps
    return left[:, : (singular > least).sum()]


def information(points, weights):
    return (points.T * weights) @ points


def variances_of(points, inverse):
    return ((points @ inverse) * points).sum(axis=1)


def independent_start(points):
    """Equal weights on arms that are each farthest from the span of those before."""
    rest, weights = points.copy(), np.zeros(len(points))
    for _ in range(points.shape[1]):
        lengths = (rest**2).sum(axis=1)
        arm = lengths.argmax()
        weights[arm] = 1 / points.shape[1]
        direction = rest[arm] / np.sqrt(lengths[arm])
        rest -= np.outer(rest @ direction, direction)
    return weights


def g_optimal_design(points):
    """Weights by vertex exchange, with inverse and variances updated along the way."""
    weights, stale = independent_start(points), REFRESH_EVERY
    variances = np.zeros(len(points))
    while True:
        optimal = variances.max() <= points.shape[1] * (1 + TOLERANCE)
        if stale == REFRESH_EVERY or (optimal and stale > 0):
            inverse = np.linalg.inv(information(points, weights))
            variances = variances_of(points, inverse)
            stale = 0
            optimal = variances.max() <= points.shape[1] * (1 + TOLERANCE)
        if optimal:
            return weights
        exchange(points, weights, inverse, variances)
        stale += 1


def exchange(points, weights, inverse, variances):
    """Move weight, in place, to the largest variance from the smallest of the support."""
    winner = variances.argmax()
    loser = np.where(weights > 0, variances, np.inf).argmin()
    gain, loss = inverse @ points[winner], inverse @ points[loser]
    covariance = points[loser] @ gain
    curvature = 2 * (variances[winner] * variances[loser] - covariance**2)
    moved = weights[loser]
    if curvature * moved > variances[winner] - variances[loser]:
        moved = (variances[winner] - variances[loser]) / curvature
    weights[loser] -= moved
    weights[winner] += moved
    add = moved / (1 + moved * variances[winner])
    loss -= add * covariance * gain
    remove = moved / (1 - moved * (variances[loser] - add * covariance**2))
    inverse += remove * np.outer(loss, loss) - add * np.outer(gain, gain)
    variances += remove * (points @ loss) ** 2 - add * (points @ gain) ** 2


def apportion(points, weights, number):
    """Samples of each arm: ceil((N - p) w), the rest where the variance is largest."""
    spare = max(number - (weights > 0).sum(), 0)
    pulls = np.ceil(spare * weights).astype(np.int64)
    inverse = np.linalg.inv(information(points, pulls) + 1e-9 * np.eye(points.shape[1]))
    variances = variances_of(points, inverse)
    for _ in range(number - pulls.sum()):
        arm = variances.argmax()
        pulls[arm] += 1
        direction = inverse @ points[arm]
        inverse -= np.outer(direction, direction) / (1 + variances[arm])
        variances = variances_of(points, inverse)
    return pulls


def least_squares(points, pulls, sums):
    """Estimated means of the arms."""
    return points @ np.linalg.solve(information(points, pulls), points.T @ sums)


def gaps_and_optimal(means):
    """Equation (5), with the gap of arm j in an optimal arm's, and the empirical Pareto set."""
    M = (means[:, None] - means).max(axis=2)
    optimal = ~((M <= 0) & (M.T > 0)).any(axis=1)
    star = (-M).max(axis=1)
    apart = np.minimum(M, np.maximum(M.T, 0) + np.maximum(star, 0))
    np.fill_diagonal(apart, np.inf)
    return np.where(optimal, apart.min(axis=1), star), optimal


class NumPyGEGE:
    """One run: Algorithm 3 of Kone et al. (2025, linear), with a budget Algorithm 2."""

    def __init__(self, features, delta=0.1, budget=None):
        self.features, self.delta, self.budget = features, delta, budget
        self.active, self.accepted = np.arange(len(features)), []
        self.samples = self.round = 0

    def plan(self):
        """Begin a round; return the samples of the active arms."""
        self.round += 1
        self.points = orthonormal_points(self.features[self.active])
        if self.round == 1:
            self.dimension = self.points.shape[1]
            self.rounds = max(int(np.ceil(np.log2(self.dimension))), 1)
        return apportion(self.points, g_optimal_design(self.points), self.length())

    def length(self):
        r, dimension = self.round, self.points.shape[1]
        if self.budget is not None:
            return self.budget * r // self.rounds - self.budget * (r - 1) // self.rounds
        risk = 6 * self.delta / (np.pi * r) ** 2
        return int(np.ceil(max(dimension * 4 ** (r + 1) * np.log(1 / risk), dimension)))

    def decide(self, pulls, sums):
        """End the round; return whether it is the last."""
        self.samples += pulls.sum()
        gap, optimal = gaps_and_optimal(least_squares(self.points, pulls, sums))
        if self.budget is None:
            accuracy = 0.5 ** (self.round + 1)
            leaving = gap >= np.where(optimal, accuracy, accuracy / 2)
        else:
            leaving = np.ones(len(gap), bool)
            order = np.lexsort((~optimal, gap))
            leaving[order[: -(-self.dimension // 2**self.round)]] = False
        self.accepted += self.active[leaving & optimal].tolist()
        self.active = self.active[~leaving]
        return self.round == self.rounds if self.budget is not None else len(self.active) <= 1

    @property
    def answer(self):
        return sorted(self.accepted + self.active.tolist())

    def run(self, means, deviation, rng):
        """Play to the end; the rewards of an arm in a round are drawn as one sum."""
        finished = False
        while not finished:
            pulls = self.plan()[:, None]
            mean = means[self.active]
            noise = deviation * rng.standard_normal(mean.shape)
            finished = self.decide(pulls[:, 0], pulls * mean + np.sqrt(pulls) * noise)
        return self
