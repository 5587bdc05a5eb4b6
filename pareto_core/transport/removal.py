"""Removals: an arm leaves the Pareto set because another one is as good in every objective.

The loser is lowered and the winner raised (Crepon et al. 2024, Lemma 2). Without correlations, both
meet in each objective in which the loser leads. Under known noise, see `noise_removal`.
"""

from pareto_core.compiling.kernels import kernel, part
from pareto_core.transport.noise_removal import (
    may_meet,
    meeting_forces,
    meeting_share,
    write_difference,
)
from pareto_core.transport.prices import price


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
    share = meeting_share(weights[loser], weights[winner])
    for c in range(means.shape[1]):
        pair.lead[c] = means[loser, c] - means[winner, c]
    write_difference(noise, loser, winner, share, pair.matrix)
    cost = meeting_forces(pair.matrix, pair.lead, pair.held, pair.forces, pair.factor)
    return cost * (share * weights[loser])


@part
def cost_under_noise(means, weights, noise, loser, winner, upper, pair):
    """Cost of a removal under known noise; any value from ``upper`` on."""
    share = meeting_share(weights[loser], weights[winner])
    limit = 2.0 * upper / (share * weights[loser])
    if not may_meet(means, noise.variance, loser, winner, share, limit):
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
        share = meeting_share(weights[loser], weights[winner])
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
            falls = meeting_share(prices[loser, c], prices[winner, c])
            rises = 1.0 if falls == 0.0 else meeting_share(prices[winner, c], prices[loser, c])
            gradient[loser, c] = 0.5 * (falls * lead) ** 2
            gradient[winner, c] = 0.5 * (rises * lead) ** 2
