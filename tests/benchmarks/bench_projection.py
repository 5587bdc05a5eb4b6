"""Times of projections onto polyhedra; see README.md for what the columns are."""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import numpy as np
from plain_python import in_words, seconds
from scipy.optimize import LinearConstraint, minimize, nnls

from pareto_core.compiling.kernels import kernel
from pareto_core.geometry import half_spaces

SIZES = [(4, 2), (10, 2), (6, 3), (20, 4), (100, 4), (50, 10)]  # rows, objectives
STARTS = 50  # points outside, of each polyhedron
FOR_SLSQP = 10  # of them
AGREEMENT = 1e-6  # of squared distances, to which SLSQP converges


def random_program(n_rows, d):
    """Random facets at distances about 1 from the origin, and points outside."""
    rng = np.random.default_rng([n_rows, d])
    normals = rng.normal(size=(n_rows, d))
    offsets = np.linalg.norm(normals, axis=1) * rng.uniform(0.5, 1.5, n_rows)
    starts = 3 * rng.normal(size=(20 * STARTS, d))
    outside = (starts @ normals.T > offsets).any(axis=1)
    return normals, offsets, starts[outside][:STARTS]


@kernel
def project_all(normals, offsets, metric, starts, points, space, costs):
    """Project all points, one after the other."""
    for k in range(len(starts)):
        costs[k] = half_spaces.project(normals, offsets, metric, starts[k], points[k], space)


def by_nnls(normals, offsets, start):
    """Shortest move by Lawson and Hanson's least-distance method: half its square."""
    system = np.vstack([-normals.T, normals @ start - offsets])
    goal = np.zeros(len(system))
    goal[-1] = 1.0
    forces, _ = nnls(system, goal)
    rest = system @ forces - goal
    return 0.5 * ((rest[:-1] / rest[-1]) ** 2).sum()


def by_slsqp(normals, offsets, start):
    """The same by sequential quadratic programming, with gradients."""
    found = minimize(
        lambda x: 0.5 * (x - start) @ (x - start),
        np.zeros(len(start)),
        jac=lambda x: x - start,
        constraints=LinearConstraint(normals, ub=offsets),
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    return found.fun


def theirs(solver, program, starts, expected):
    """Mean time of a projection by scipy; the distances must agree."""
    total = 0.0
    for start, cost in zip(starts, expected, strict=False):
        assert abs(solver(*program, start) - cost) <= AGREEMENT * cost
        total += seconds(lambda s=start: solver(*program, s), at_least=0.01)
    return total / len(starts)


def main():
    print("Mean time of a projection, one thread")
    line = "{:>5}{:>4}{:>12}{:>12}{:>8}{:>12}{:>8}"
    print(line.format("rows", "d", "ours", "nnls", "ratio", "SLSQP", "ratio"))
    for n_rows, d in SIZES:
        normals, offsets, starts = random_program(n_rows, d)
        space, costs = half_spaces.allocate_half_spaces(n_rows, d), np.empty(len(starts))
        arguments = normals, offsets, np.ones(d), starts, np.empty_like(starts), space, costs
        project_all(*arguments)  # compiled by now
        ours = seconds(lambda a=arguments: project_all(*a), at_least=0.2) / len(starts)
        dual = theirs(by_nnls, (normals, offsets), starts, costs)
        general = theirs(by_slsqp, (normals, offsets), starts[:FOR_SLSQP], costs)
        words = in_words(ours), in_words(dual), f"{dual / ours:.0f}"
        print(
            line.format(n_rows, d, *words, in_words(general), f"{general / ours:.0f}"), flush=True
        )


if __name__ == "__main__":
    main()
