"""The linear programs of MO-BAI along a run, against HiGHS with a hot start."""

import time

import numpy as np
from bench_surrogate import (
    programs_of_run,
    solve_all,
    surrogate_space,
    synthetic,
)
from references.surrogate import highs_program
from scipy.sparse import csr_array, vstack

from pareto_core import load_instance
from pareto_core.bounds.surrogate import surrogate_proportions

from .contests import Contest, at_once, check_agreement, each

NEEDS = ("highspy",)
ETA = 0.1
PROGRAMS = 20  # the last ones of a run, in their order
OPTIMUM = 1e-9  # share of the optimum


def contests(available):
    """A call for each program, then all of them in compiled code, as in a run."""
    snw = np.array(10 * load_instance("snw").means)
    truths = {"20 × 10": synthetic(20, 10), "206 × 2": snw, "206 × 10": synthetic(206, 10)}
    for size, truth in truths.items():
        means, weights = (array[-PROGRAMS:].copy() for array in programs_of_run(truth, ETA))
        rivals = rivals_of(means, weights) if "highspy" in available else {}
        items = [(*item, ETA) for item in zip(means, weights, strict=True)]
        size = f"K × M = {size}"
        one = each(surrogate_proportions, items)
        yield Contest("linear program, one by one", size, one, rivals)
        space, proportions = surrogate_space(*truth.shape), np.empty_like(weights)
        arguments = means, weights, ETA, False, space, proportions
        many = at_once(lambda a=arguments: solve_all(*a), PROGRAMS)
        yield Contest("linear program, in a compiled run", size, many, rivals)


def rivals_of(means, weights):
    """HiGHS with the time it takes to hand over the program, and without."""
    programs = [highs_model(*item) for item in zip(means, weights, strict=True)]
    optima, _, _ = follow(programs)
    ours = [surrogate_proportions(*item, ETA).value for item in zip(means, weights, strict=True)]
    check_agreement("highspy", optima, ours, OPTIMUM)

    def whole():
        _, handing_over, solving = follow(programs)
        return (handing_over + solving) / len(programs)

    return {
        ("highspy", "hot start"): whole,
        ("highspy", "hot start, solving alone"): lambda: follow(programs)[2] / len(programs),
    }


def highs_model(means, weights):
    """One program as HiGHS takes it, and what its optimum has to be multiplied with."""
    import highspy

    arguments, scale = highs_program(means, weights, ETA)
    rows = csr_array(vstack([arguments["A_ub"], arguments["A_eq"]]))
    rows.sort_indices()
    n_rows, n_columns = rows.shape
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = n_rows, n_columns
    model.col_cost_ = arguments["c"]
    lower = [-np.inf if low is None else low for low, _ in arguments["bounds"]]
    model.col_lower_, model.col_upper_ = np.array(lower), np.full(n_columns, np.inf)
    model.row_lower_ = np.append(np.full(n_rows - 1, -np.inf), arguments["b_eq"])
    model.row_upper_ = np.append(arguments["b_ub"], arguments["b_eq"])
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.num_row_, matrix.num_col_ = n_rows, n_columns
    matrix.start_, matrix.index_, matrix.value_ = rows.indptr, rows.indices, rows.data
    return model, scale


def follow(programs):
    """Solve all programs, each from the basis of the last: optima, and seconds of two parts."""
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.passModel(programs[-1][0])
    solver.run()
    optima, handing_over, solving = [], 0.0, 0.0
    for model, scale in programs:
        basis = solver.getBasis()
        start = time.process_time()
        solver.passModel(model)
        solver.setBasis(basis)
        ready = time.process_time()
        solver.run()
        solving += time.process_time() - ready
        handing_over += ready - start
        optima.append(-solver.getInfo().objective_function_value * scale)
    return optima, handing_over, solving
