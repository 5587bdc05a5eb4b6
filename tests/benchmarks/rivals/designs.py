"""G-optimal designs, against a conic and a general solver.

By the equivalence theorem such a design maximises log det V, which is what the solvers are given.
No package for Python that we know of computes designs with proportions.
"""

import numpy as np
from scipy.optimize import minimize

from pareto_core.regression.design import g_optimal_design

from .contests import Contest, check_agreement, each

NEEDS = ("clarabel", "cvxpy")
SIZES = ((30, 3), (100, 6), (1000, 10))  # arms, features
FOR_SLSQP = 100  # arms at most
LOG_DET = 1e-5  # share of log det V


def contests(available):
    """Gaussian features; ours is certified to 1e-6 of the largest variance."""
    for n_arms, n_features in SIZES:
        features = np.random.default_rng([n_arms, n_features]).normal(size=(n_arms, n_features))
        ours = log_det(features, g_optimal_design(features).weights)
        rivals = {}
        if n_arms <= FOR_SLSQP:
            found = log_det(features, by_slsqp(features))
            check_agreement("SLSQP", found, ours, LOG_DET)
            rivals["scipy", "SLSQP"] = each(by_slsqp, [(features,)])
        if set(NEEDS) <= available:
            weights, solve = by_clarabel(features)
            check_agreement("clarabel", log_det(features, weights), ours, LOG_DET)
            rivals["clarabel", "set up by cvxpy"] = each(solve, [()])
        play = each(g_optimal_design, [(features,)])
        size = f"K = {n_arms}, h = {n_features}"
        yield Contest("G-optimal design, one by one", size, play, rivals)


def log_det(features, weights):
    """log det V of a design; numbers below 0 are taken for 0."""
    weights = np.maximum(weights, 0.0)
    weights = weights / weights.sum()
    return np.linalg.slogdet(features.T @ (weights[:, None] * features))[1]


def by_slsqp(features):
    """Sequential quadratic programming, with gradients."""
    n_arms = len(features)

    def goal(weights):
        matrix = features.T @ (weights[:, None] * features)
        variances = (features.T * np.linalg.solve(matrix, features.T)).sum(axis=0)
        return -np.linalg.slogdet(matrix)[1], -variances

    ones = np.ones(n_arms)
    found = minimize(
        goal,
        ones / n_arms,
        jac=True,
        method="SLSQP",
        bounds=[(0.0, 1.0)] * n_arms,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1.0, "jac": lambda w: ones},
        options={"ftol": 1e-9, "maxiter": 1000},
    )
    return found.x


def by_clarabel(features):
    """Weights that Clarabel finds, and a call that solves the program it was handed once more."""
    import clarabel
    import cvxpy
    from cvxpy.reductions.solvers.conic_solvers.clarabel_conif import dims_to_solver_cones
    from scipy.sparse import csc_matrix

    weights = cvxpy.Variable(len(features), nonneg=True)
    matrix = features.T @ cvxpy.diag(weights) @ features
    problem = cvxpy.Problem(cvxpy.Maximize(cvxpy.log_det(matrix)), [cvxpy.sum(weights) == 1])
    problem.solve(solver=cvxpy.CLARABEL)
    data, _, _ = problem.get_problem_data(cvxpy.CLARABEL)
    cones = dims_to_solver_cones(data["dims"])
    rows, size = csc_matrix(data["A"]), len(data["c"])
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    arguments = csc_matrix((size, size)), data["c"], rows, data["b"], cones, settings
    return weights.value, lambda: clarabel.DefaultSolver(*arguments).solve()
