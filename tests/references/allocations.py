"""Allocations of ranking and selection by enumeration, quadratic programs and cutting planes."""

import itertools

import numpy as np
from references.noise import closest, removals
from references.pareto import pareto_set

from pareto_core.bounds.cutting_planes import certified_time

FREE = -1


def random_means(rng, d, n_front, n_rest):
    """Means with a front of about ``n_front`` arms, sometimes with ties."""
    front = rng.standard_normal((n_front, d))
    if d > 1 and rng.integers(4):
        front -= front.mean(axis=1, keepdims=True)
    means = np.vstack([front, front.min(axis=0) - rng.exponential(0.5, (n_rest, d))])
    return np.round(2 * means) if rng.integers(3) == 0 else means


def random_covariance(rng, n_arms, d):
    """Covariances of the arms, with unequal variances."""
    factors = rng.standard_normal((n_arms, d, d))
    covariance = factors @ factors.transpose(0, 2, 1) + 0.2 * np.eye(d)
    deviation = 10 ** rng.uniform(-1, 1, (n_arms, d))
    covariance *= deviation[:, :, None] * deviation[:, None, :]
    return 0.5 * (covariance + covariance.transpose(0, 2, 1))


def phantoms(means):
    """Rows of defining arms, found among all rows; of equal means the later one is larger."""
    front = pareto_set(means)
    ranks = {c: {k: (means[k, c], k) for k in front} for c in range(means.shape[1])}
    for c in ranks:
        ranks[c][FREE] = (-np.inf, FREE)

    def exceeds(arm, point):
        return all(ranks[c][arm] > ranks[c][at] for c, at in enumerate(point))

    def is_free(point):
        return not any(exceeds(arm, point) for arm in front)

    def lower(point, c):
        """Points with coordinate c at the next lower arm."""
        below = [k for k in ranks[c] if ranks[c][k] < ranks[c][point[c]]]
        return (*point[:c], max(below, key=ranks[c].get), *point[c + 1 :])

    points = itertools.product([FREE, *front], repeat=means.shape[1])
    return sorted(
        point
        for point in points
        if is_free(point)
        and not any(is_free(lower(point, c)) for c, at in enumerate(point) if at != FREE)
    )


def inclusions(means):
    """Constraints of each dominated arm that reaches a phantom, as for `references.noise`."""
    front = pareto_set(means)
    rest = [k for k in range(len(means)) if k not in front]
    return [
        [(arm, j, c) for c, arm in enumerate(phantom) if arm != FREE]
        for phantom in phantoms(means)
        for j in rest
    ]


def phantom_rate(means, weights, covariance):
    errors = inclusions(means) + removals(means)
    return min(closest(means, weights, covariance, each)[0] for each in errors)


def best_shares(means, covariance, errors, groups, gap=1e-7):
    """Shares that maximise the smallest cost of some errors, by cutting planes: (shares, cost).

    ``groups`` is a matrix of the shares of the arms in each variable.
    """
    inverse = np.linalg.inv(covariance)

    def linear_bounds(amounts):
        found = []
        for each in errors:
            cost, moved = closest(means, np.maximum(groups @ amounts, 1e-12), covariance, each)
            away = means - moved
            found.append((cost, 0.5 * np.einsum("kb,kbc,kc->k", away, inverse, away) @ groups))
        found.sort(key=lambda pair: pair[0])
        return found[0][0], np.array([bound for _, bound in found])

    time = certified_time(linear_bounds, groups.shape[1], gap, 300)
    return groups @ time.weights, 1 / time.time


def score(lead, covariance):
    """Half of the squared distance to the targets, and the objectives that limit it."""
    size = len(lead)
    for count in range(size + 1):
        for held in map(list, itertools.combinations(range(size), count)):
            forces = np.linalg.solve(covariance[np.ix_(held, held)], lead[held])
            left = lead - covariance[:, held] @ forces
            left[held] = 0.0
            if (forces > 0).all() and (left <= 1e-12 * np.abs(lead).max()).all():
                return 0.5 * forces @ lead[held], held
    raise AssertionError


def score_program(means, covariance):
    """Errors, as constraints of `references.noise`, and groups of the program of SCORE."""
    front = pareto_set(means)
    rest = [k for k in range(len(means)) if k not in front]
    errors, scores = [], dict.fromkeys(rest, np.inf)
    for phantom in phantoms(means):
        counts = [c for c, arm in enumerate(phantom) if arm != FREE]
        target = np.array([means[phantom[c], c] for c in counts])
        found = {}
        for j in rest:
            value, held = score(target - means[j, counts], covariance[j][np.ix_(counts, counts)])
            found[j] = value, [counts[at] for at in held]
            scores[j] = min(scores[j], value)
        near = {closest_in(found, c) for c in counts} - {None}
        errors += [[(phantom[c], j, c) for c in counts] for j in sorted(near)]
    found = {
        (i, j): score(means[i] - means[j], covariance[j])
        for i, j in itertools.permutations(front, 2)
    }
    pairs = set()
    if found:
        limit = np.percentile([value for value, _ in found.values()], 25)
        pairs = {pair for pair, (value, _) in found.items() if value <= limit}
    for i in front:
        of_arm = {j: found[i, j] for j in front if j != i}
        pairs |= {(i, closest_in(of_arm, c)) for c in range(means.shape[1])} - {(i, None)}
    pairs |= {(j, i) for i, j in pairs}
    errors += [[(i, j, c) for c in range(means.shape[1])] for i, j in sorted(pairs)]
    groups = np.zeros((len(means), len(front) + bool(rest)))
    groups[front, range(len(front))] = 1.0
    if rest:
        inverse = 1 / np.array(list(scores.values()))
        groups[rest, -1] = inverse / inverse.sum()
    return errors, groups


def closest_in(found, c):
    """Arm of the smallest score among those that objective ``c`` limits."""
    limited = [(value, arm) for arm, (value, held) in found.items() if c in held]
    return min(limited)[1] if limited else None


def mocba_shares(means, variance, weights=None):
    """Shares of MOCBA, from the definitions."""
    arms, objectives = range(len(means)), range(means.shape[1])
    samples = np.ones(len(means)) if weights is None else weights

    def value(i, j, c):
        gap = means[j, c] - means[i, c]
        return gap * abs(gap) / (variance[i, c] / samples[i] + variance[j, c] / samples[j])

    def objective(i, j):
        return min(objectives, key=lambda c: value(i, j, c))

    def least(i, j):
        return value(i, j, objective(i, j))

    rival = {i: max((j for j in arms if j != i), key=lambda j: least(i, j)) for i in arms}
    size = {i: (abs(least(i, rival[i])), -i) for i in arms}
    of_a = [h for h in arms if all(size[h] < size[i] for i in arms if rival[i] == h)]
    shares = np.zeros(len(means))
    for h in of_a:
        j, c = rival[h], objective(h, rival[h])
        spread = variance[h, c]
        if weights is not None:
            spread += variance[j, c] * weights[h] / weights[j]
        shares[h] = spread / (means[j, c] - means[h, c]) ** 2
    for d in set(arms) - set(of_a):
        for h in of_a:
            if rival[h] == d:
                c = objective(h, d)
                shares[d] += shares[h] ** 2 * variance[d, c] / variance[h, c]
        shares[d] = np.sqrt(shares[d])
    return shares / shares.sum()
