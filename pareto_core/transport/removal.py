"""Removals: an arm leaves the Pareto set because another one is as good in every objective.

The loser is lowered and the winner raised until the winner is at least as good in every objective
(Crepon et al. 2024, Lemma 2). Without correlations, both meet in each objective in which the loser
leads.

Under known noise, in units of their meeting weight w v / (w + v), the difference of the two
estimated means has the covariance S = v/(w + v) S_loser + w/(w + v) S_winner, and the cost is

    min over D >= 0 of (D + lead)' S^-1 (D + lead) / 2 = max over f >= 0 of lead'f - f'S f / 2,

with ``lead`` the difference of the means, loser minus winner. The minimiser is D = S f - lead.
Each arm moves by its share of S f, in all objectives with which those of positive force correlate.

Murty's rule (Note on a Bard-type scheme for solving the complementarity problem, Opsearch 11, 1974)
exchanges the first objective that violates a condition. It ends for every positive definite matrix;
rounding is bounded by the tolerance and the number of exchanges. Arguments: ``matrix (d, d)`` is S,
``lead (d,)`` the means of the loser minus those of the winner, ``held (d,)`` the objectives in
which the arms meet, ``forces (d,)`` f, and ``factor (d, d)`` a work array; the last three are
modified in place.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.prices import price

EPSILON = 2.0**-52
TOLERANCE = 1e-14  # of a force or a slack, relative to the largest lead in standard deviations


@part
def _meeting_share(own, other):
    """Share of the covariance that the arm of weight ``own`` adds; 0 if both weights are 0."""
    total = own + other
    if total == 0.0:
        return 0.0
    return other / total


@part
def _write_difference(noise, loser, winner, share, matrix):
    """Write the covariance of the difference; ``share`` is that of the loser."""
    for b in range(matrix.shape[0]):
        for c in range(matrix.shape[0]):
            matrix[b, c] = (
                share * noise.covariance[loser, b, c]
                + (1.0 - share) * noise.covariance[winner, b, c]
            )


@kernel
def _solve_support(matrix, lead, held, forces, factor):
    """Write the forces at which the held objectives meet; the others are 0."""
    size = lead.shape[0]
    for b in range(size):
        forces[b] = 0.0
        if not held[b]:
            continue
        value = lead[b]
        for c in range(b):
            if held[c]:
                entry = matrix[b, c]
                for a in range(c):
                    if held[a]:
                        entry -= factor[b, a] * factor[c, a]
                factor[b, c] = entry / factor[c, c]
                value -= factor[b, c] * forces[c]
        pivot = matrix[b, b]
        for c in range(b):
            if held[c]:
                pivot -= factor[b, c] * factor[b, c]
        factor[b, b] = np.sqrt(max(pivot, EPSILON * matrix[b, b]))
        forces[b] = value / factor[b, b]
    for b in range(size - 1, -1, -1):
        if held[b]:
            for c in range(b + 1, size):
                if held[c]:
                    forces[b] -= factor[c, b] * forces[c]
            forces[b] /= factor[b, b]


@kernel
def _first_violation(matrix, lead, held, forces, tolerance):
    """First objective that pulls, or in which the loser still leads; -1 without one."""
    for c in range(lead.shape[0]):
        scale = np.sqrt(matrix[c, c])
        if held[c]:
            if forces[c] * scale < -tolerance:
                return c
        else:
            left = lead[c]
            for b in range(lead.shape[0]):
                if held[b]:
                    left -= matrix[c, b] * forces[b]
            if left > tolerance * scale:
                return c
    return -1


@kernel
def _meeting_forces(matrix, lead, held, forces, factor):
    """Write the forces of the cheapest meeting, by Murty's rule (1974); return its cost."""
    size = lead.shape[0]
    largest = 0.0
    for c in range(size):
        held[c] = lead[c] > 0.0
        largest = max(largest, lead[c] / np.sqrt(matrix[c, c]))
    for _ in range(2 ** min(size, 20) + size):
        _solve_support(matrix, lead, held, forces, factor)
        c = _first_violation(matrix, lead, held, forces, TOLERANCE * largest)
        if c < 0:
            break
        held[c] = not held[c]
    cost = 0.0
    for c in range(size):
        forces[c] = max(forces[c], 0.0)
        cost += 0.5 * lead[c] * forces[c]
    return max(cost, 0.0)


@part
def _may_meet(means, variance, loser, winner, share, limit):
    """Whether no objective shows alone that a meeting costs half ``limit`` times its weight."""
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        difference = share * variance[loser, c] + (1.0 - share) * variance[winner, c]
        if lead > 0.0 and lead * lead >= limit * difference:
            return False
    return True


@part
def meeting_weight(a, b):
    """Weight a b / (a + b) of the cost of two arms that meet; 0 if both weights are 0."""
    total = a + b
    if total == 0.0:
        return 0.0
    return a / total * b


@part
def cost_at_weights(means, weights, loser, winner):
    """Cost of a removal, with one weight for each arm."""
    squares = 0.0
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            squares += lead * lead
    return 0.5 * meeting_weight(weights[loser], weights[winner]) * squares


@part
def cost_at_prices(means, prices, loser, winner):
    """Cost of a removal, with a price for each objective."""
    cost = 0.0
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            cost += 0.5 * meeting_weight(prices[loser, c], prices[winner, c]) * lead * lead
    return cost


@kernel
def _write_forces(means, weights, noise, loser, winner, pair):
    """Write the forces of the cheapest meeting; return its cost."""
    share = _meeting_share(weights[loser], weights[winner])
    for c in range(means.shape[1]):
        pair.lead[c] = means[loser, c] - means[winner, c]
    _write_difference(noise, loser, winner, share, pair.matrix)
    cost = _meeting_forces(pair.matrix, pair.lead, pair.held, pair.forces, pair.factor)
    return cost * (share * weights[loser])


@part
def cost_under_noise(means, weights, noise, loser, winner, upper, pair):
    """Cost of a removal under known noise; any value from ``upper`` on."""
    share = _meeting_share(weights[loser], weights[winner])
    limit = 2.0 * upper / (share * weights[loser])
    if not _may_meet(means, noise.variance, loser, winner, share, limit):
        return upper
    return _write_forces(means, weights, noise, loser, winner, pair)


@part
def meeting_level(loser, winner, a, b):
    """Level at which means of prices ``a`` and ``b`` meet; the shorter move has a smaller error."""
    total = a + b
    lead = loser - winner
    if a < b:
        return winner + a / total * lead
    if total > 0.0:
        return loser - b / total * lead
    return loser


@kernel
def write_removal(means, weights, prices, noise, loser, winner, pair, alternative, gradient):
    """Write the means of both arms to ``alternative``, and under known noise the gradient."""
    if noise is None:
        for c in range(means.shape[1]):
            if means[loser, c] - means[winner, c] > 0.0:
                own, other = price(prices, loser, c), price(prices, winner, c)
                level = meeting_level(means[loser, c], means[winner, c], own, other)
                alternative[loser, c] = level
                alternative[winner, c] = level
    else:
        _write_forces(means, weights, noise, loser, winner, pair)
        share = _meeting_share(weights[loser], weights[winner])
        forces = pair.forces
        for c in range(means.shape[1]):
            fall, rise = 0.0, 0.0
            for b in range(means.shape[1]):
                own, other = noise.covariance[loser, c, b], noise.covariance[winner, c, b]
                fall += share * own * forces[b]
                rise += (1.0 - share) * other * forces[b]
                gradient[loser] += share**2 * (0.5 * forces[c] * forces[b]) * own
                gradient[winner] += (1.0 - share) ** 2 * (0.5 * forces[c] * forces[b]) * other
            alternative[loser, c] = means[loser, c] - fall
            alternative[winner, c] = means[winner, c] + rise
            if forces[c] > 0.0:  # the arms meet; the shorter move has a smaller error
                both = alternative[loser, c] if abs(fall) < abs(rise) else alternative[winner, c]
                alternative[loser, c], alternative[winner, c] = both, both


@part
def write_shares_of_leads(means, prices, loser, winner, gradient):
    """Write the gradient (K, d) of a removal: more exact than by the means, which are rounded."""
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            falls = _meeting_share(prices[loser, c], prices[winner, c])
            rises = 1.0 if falls == 0.0 else _meeting_share(prices[winner, c], prices[loser, c])
            gradient[loser, c] = 0.5 * (falls * lead) ** 2
            gradient[winner, c] = 0.5 * (rises * lead) ** 2
