"""Transportation costs, against solvers of quadratic programs.

No package that we know of computes them. What a solver can do is to take the programs of all
assignments one by one, which are written down before the clock runs.
"""

import itertools

import numpy as np

from pareto_core import transport_cost
from pareto_core.instances.generators import spherical_front, staircase_front

from .contests import Contest, check_agreement, each

NEEDS = ("daqp", "quadprog")
SIZES = ((2, 8), (2, 32), (3, 4))  # objectives, optimal arms
INSTANCES = 10
VALUE = 1e-9  # share of the cost


def contests(available):
    """The random instances of Crepon et al. (2024), with random weights."""
    for d, n_front in SIZES:
        items = [random_item(d, n_front, number) for number in range(INSTANCES)]
        ours = [transport_cost(*item).value for item in items]
        tasks = [(pair_cost(*item), assignment_programs(*item)) for item in items]
        rivals = {}
        for package, solve in (("daqp", by_daqp), ("quadprog", by_quadprog)):
            if package in available:
                least = cheapest(solve())
                check_agreement(package, [least(*task) for task in tasks], ours, VALUE)
                rivals[package, "each assignment"] = each(least, tasks)
        play, size = each(transport_cost, items), f"d = {d}, p = {n_front}"
        yield Contest("transportation cost, one by one", size, play, rivals)


def random_item(d, n_front, number):
    """Means of an instance, whose last arm is dominated by all others, and weights."""
    rng = np.random.default_rng([d, n_front, number])
    instance = staircase_front(n_front, rng) if d == 2 else spherical_front(n_front, d, rng)
    return np.array(instance.means), rng.dirichlet(np.ones(n_front + 1))


def pair_cost(means, weights):
    """Cheapest way to make an optimal arm dominated by another."""
    front, own = means[:-1], weights[:-1]
    short = np.maximum(front[:, None] - front, 0.0)
    halves = 0.5 * own[:, None] * own / (own[:, None] + own)
    costs = halves * (short**2).sum(axis=2)
    return costs[~np.eye(len(front), dtype=bool)].min()


def assignment_programs(means, weights):
    """Rows and limits of the shortest moves that make the last arm optimal.

    Moves are in units in which all cost half their square. Each optimal arm is assigned the
    objective in which the last one becomes as good; with two objectives only those
    assignments count that cut the staircase in two.
    """
    n_front, d = len(means) - 1, means.shape[1]
    roots = np.sqrt(weights)
    if d == 2:
        rank = means[:-1, 0].argsort().argsort()
        assignments = [(rank >= cut).astype(int) for cut in range(n_front + 1)]
    else:
        assignments = map(np.array, itertools.product(range(d), repeat=n_front))
    programs = []
    arms = np.arange(n_front)
    for objective in assignments:
        rows = np.zeros((n_front, d + n_front))
        rows[arms, objective] = -1.0 / roots[-1]
        rows[arms, d + arms] = 1.0 / roots[:-1]
        programs.append((rows, means[-1, objective] - means[arms, objective]))
    return programs


def cheapest(solve):
    """A function of one task: the least of all its values."""
    return lambda pairs, programs: min(pairs, *(solve(*program) for program in programs))


def by_daqp():
    """Half the square of a shortest move, by daqp."""
    import daqp

    def solve(rows, limits):
        n = rows.shape[1]
        return daqp.solve(np.eye(n), np.zeros(n), rows, limits)[1]

    return solve


def by_quadprog():
    """The same by quadprog."""
    import quadprog

    def solve(rows, limits):
        n = rows.shape[1]
        return quadprog.solve_qp(np.eye(n), np.zeros(n), -rows.T, -limits, 0, True)[1]

    return solve
