r"""Reduced linear program of the surrogate proportions (Chen et al. 2024, Equation (10)).

In units of the smallest gap, the pair of arm i and the best arm b of objective m requires
:math:`a_{im}s_i+c_{im}s_b\ge z`. So for the level z, arm i *needs*
:math:`\max_m(z-c_{im}s_{b_m})/a_{im}`, or the floor, and the sum of all needs must not exceed
1. The remaining variables are z and the proportions of the *leaders*, the arms
that are best in some objective. The total need is convex and piecewise linear in these variables,
and each choice of one *piece* per arm, an objective or the floor, bounds it from below.

For weights :math:`r=w_i/w_b` relative to the best arm, :math:`1/a=2(1+r)^2/\Delta^2` and
:math:`c/a=r^2`, which needs no division per pair.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.kernels import kernel, part

NEGLIGIBLE = 1e-14  # relative change of the optimum by clipping coefficients
UNCLIPPED = 1e7  # ratio of weights up to which no coefficient is clipped

NUMBERS = np.dtype(
    [
        ("size", np.int64),  # number of variables
        ("smallest", np.float64),  # smallest gap of all pairs
        ("floor", np.float64),  # least proportion
        ("room", np.float64),  # 1 minus the sum of the floors
    ],
    align=True,
)


class Program(NamedTuple):
    """Numbers of a program; column 0 is the level, piece m an arm's need in objective m or M."""

    numbers: np.ndarray  # (1,) NUMBERS
    means: np.ndarray  # (K, M) means from which the next four were computed
    best: np.ndarray  # (M,) best arm of each objective
    column: np.ndarray  # (K,) column of a leader, 0 for other arms
    leader: np.ndarray  # (N,) arm of each column
    ease: np.ndarray  # (M, K) 2 / gap^2, and 1 for the best arm
    reach: np.ndarray  # (M + 1, K) 1 / a of each piece, 0 for leaders and floors
    help: np.ndarray  # (M + 1, K) c / a of each piece, 0 for leaders and floors
    leader_reach: np.ndarray  # (M, N) 1 / a of the leaders
    leader_help: np.ndarray  # (M, N) c / a of the leaders
    need: np.ndarray  # (K,) need of each arm; the floor for leaders


def allocate_program(n_arms, n_objectives):
    """Allocate a `Program` of unknown means."""
    n = min(n_arms, n_objectives) + 1
    return Program(
        np.zeros(1, NUMBERS),
        np.full((n_arms, n_objectives), np.nan),
        np.zeros(n_objectives, np.int64),
        np.zeros(n_arms, np.int64),
        np.zeros(n, np.int64),
        np.zeros((n_objectives, n_arms)),
        *np.zeros((2, n_objectives + 1, n_arms)),
        *np.zeros((2, n_objectives, n)),
        np.zeros(n_arms),
    )


@kernel
def write_means(means, program):
    """Find leaders and gaps, unless the means are those of the last call."""
    changed = 0
    for i in range(means.shape[0]):
        for m in range(means.shape[1]):
            changed += means[i, m] != program.means[i, m]
            program.means[i, m] = means[i, m]
    if changed > 0:
        _find_leaders(means, program)
        _write_ease(means, program)


@kernel
def _find_leaders(means, program):
    """Number the best arms, each once, and find the smallest gap of all pairs."""
    numbers = program.numbers[0]
    program.column[:] = 0
    numbers["size"] = 1
    smallest = np.inf
    for m in range(means.shape[1]):
        best = np.argmax(means[:, m])
        program.best[m] = best
        if program.column[best] == 0:
            program.column[best] = numbers["size"]
            program.leader[numbers["size"]] = best
            numbers["size"] += 1
        for i in range(means.shape[0]):
            if i != best:
                smallest = min(smallest, means[best, m] - means[i, m])
    numbers["smallest"] = smallest


@kernel
def _write_ease(means, program):
    """Write 2 / gap^2 for gaps in units of the smallest; huge ones are clipped, negligibly."""
    smallest = program.numbers[0]["smallest"]
    for m in range(means.shape[1]):
        best = program.best[m]
        for i in range(means.shape[0]):
            ratio = (means[best, m] - means[i, m]) / smallest
            program.ease[m, i] = max(2.0 / (ratio * ratio), NEGLIGIBLE / means.shape[0])
        program.ease[m, best] = 1.0


@kernel
def write_weights(weights, eta, program):
    """Write the coefficients and the floor."""
    numbers = program.numbers[0]
    n_objectives, n_arms = program.ease.shape
    numbers["room"] = 1.0 / (1.0 + eta)
    numbers["floor"] = eta / (1.0 + eta) / n_arms
    for m in range(n_objectives):
        inverse = 1.0 / weights[program.best[m]]
        ease, reach, help_ = program.ease[m], program.reach[m], program.help[m]
        extreme = 0
        for i in range(n_arms):
            ratio = weights[i] * inverse
            extreme += ratio > UNCLIPPED
            reach[i] = ease[i] * (1.0 + ratio) * (1.0 + ratio)
            help_[i] = ratio * ratio
        if extreme > 0:
            _write_clipped(m, weights, program)
    for m in range(n_objectives):
        for k in range(1, numbers["size"]):
            arm = program.leader[k]
            program.leader_reach[m, k] = program.reach[m, arm]
            program.leader_help[m, k] = program.help[m, arm]
            program.reach[m, arm], program.help[m, arm] = 0.0, 0.0


@kernel
def _write_clipped(m, weights, program):
    """Write the coefficients of an objective whose best arm has little or no weight."""
    n_arms = weights.shape[0]
    for i in range(n_arms):
        best_share, share = shares(weights[program.best[m]], weights[i])
        reach = program.ease[m, i] / (best_share * best_share)
        reach = min(reach, 4.0 * n_arms / NEGLIGIBLE)
        program.reach[m, i] = reach
        program.help[m, i] = share * share / program.ease[m, i] * reach


@part
def shares(weight, other):
    """Shares of two weights in their sum; halves if both are 0."""
    total = weight + other
    if total == 0.0:
        return 0.5, 0.5
    return weight / total, other / total


@part
def total_need(level, point, pieces, program):
    """Fill ``need`` and ``pieces`` for a level; return the sum of the needs."""
    n_objectives, n_arms = program.ease.shape
    need, floor = program.need, program.numbers[0]["floor"]
    for i in range(n_arms):
        need[i], pieces[i] = floor, n_objectives
    for m in range(n_objectives):
        lent = point[program.column[program.best[m]]]
        reach, help_ = program.reach[m], program.help[m]
        for i in range(n_arms):
            own = reach[i] * level - help_[i] * lent
            more = own > need[i]
            need[i] = own if more else need[i]
            pieces[i] = m if more else pieces[i]
    return add_up(need)


@part
def add_up(terms):
    """Sum of terms with four accumulators, so that consecutive additions are independent."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    fours = terms.shape[0] // 4 * 4
    for i in range(0, fours, 4):
        a += terms[i]
        b += terms[i + 1]
        c += terms[i + 2]
        d += terms[i + 3]
    for i in range(fours, terms.shape[0]):
        a += terms[i]
    return a + b + c + d


@kernel
def surrogate_value(means, weights, proportions):
    """The least linear approximation h(w, s), which the surrogate proportions maximise."""
    value = np.inf
    for m in range(means.shape[1]):
        best = np.argmax(means[:, m])
        for i in range(means.shape[0]):
            if i != best:
                gap = means[best, m] - means[i, m]
                best_share, share = shares(weights[best], weights[i])
                mixed = best_share**2 * proportions[i] + share**2 * proportions[best]
                value = min(value, 0.5 * (gap * mixed * gap))
    return value
