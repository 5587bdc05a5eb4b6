"""Alternatives that remove an arm from the Pareto set (Crepon et al. 2024, Lemma 2)."""

from pareto_core.compiling.kernels import kernel, part


@part
def meeting_weight(a, b):
    """Weight a b / (a + b) of the cost of two arms that meet; 0 if both weights are 0."""
    total = a + b
    if total == 0.0:
        return 0.0
    return a / total * b


@part
def removal_cost(means, weights, loser, winner):
    """Cheapest cost at which ``winner`` is at least as good as ``loser`` in every objective."""
    squares = 0.0
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            squares += lead * lead
    return 0.5 * meeting_weight(weights[loser], weights[winner]) * squares


@kernel
def cheapest_removal(means, weights, front, size, upper, found):
    """Cheapest ordered pair of Pareto optimal arms below ``upper``. O(p^2 d).

    Returns ``upper`` and records nothing if no pair is cheaper.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : ndarray, shape (K,)
    front : ndarray of int, shape (K,)
        Pareto optimal arms, the first ``size`` entries.
    size : int
    upper : float
        Costs of at least this are ignored.
    found : ndarray, shape (1,)
        Modified in place: the loser is ``moved``, the other arm ``winner``.
    """
    best = upper
    for f in range(size):
        for g in range(size):
            if f != g:
                cost = removal_cost(means, weights, front[f], front[g])
                if cost < best:
                    best = cost
                    found[0]["moved"] = front[f]
                    found[0]["winner"] = front[g]
    return best


@kernel
def write_removal(means, weights, loser, winner, alternative):
    """Write the means of both arms where they meet to ``alternative``."""
    total = weights[loser] + weights[winner]
    for c in range(means.shape[1]):
        lead = means[loser, c] - means[winner, c]
        if lead > 0.0:
            if weights[loser] < weights[winner]:
                meeting = means[winner, c] + weights[loser] / total * lead
            elif total > 0.0:
                meeting = means[loser, c] - weights[winner] / total * lead
            else:
                meeting = means[loser, c]
            alternative[loser, c] = meeting
            alternative[winner, c] = meeting
