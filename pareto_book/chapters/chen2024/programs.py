"""One linear program of MO-BAI, solved by SciPy's HiGHS and by the package."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.optimize import linprog
from scipy.sparse import csr_array

from pareto_book.chapters.chen2024.steps import mobai_steps
from pareto_book.claims.published import read_published
from pareto_book.figures.tables import show_table
from pareto_book.figures.timing import shortest_time
from pareto_core.bounds.surrogate import surrogate_proportions

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["program_table", "surrogate_program", "times_table"]


def surrogate_program(means: np.ndarray, weights: np.ndarray, eta: float) -> dict[str, Any]:
    """Arguments of `scipy.optimize.linprog` for the linear program (10)."""
    n_arms, n_objectives = means.shape
    best = means.argmax(axis=0)
    half = (means[best, np.arange(n_objectives)] - means) ** 2 / 2
    total = weights[:, None] + weights[best]
    arm, m = np.nonzero(np.arange(n_arms)[:, None] != best)
    own = (half * (weights[best] / total) ** 2)[arm, m]
    lent = (half * (weights[:, None] / total) ** 2)[arm, m]
    pair = np.arange(len(arm))
    entries = np.concatenate([-own, -lent, np.ones(len(arm))])
    columns = np.concatenate([arm, best[m], np.full(len(arm), n_arms)])
    shape = len(arm), n_arms + 1
    return {
        "c": np.append(np.zeros(n_arms), -1.0),
        "A_ub": csr_array((entries, (np.tile(pair, 3), columns)), shape),
        "b_ub": np.zeros(len(arm)),
        "A_eq": np.append(np.ones(n_arms), 0.0)[None],
        "b_eq": [1.0],
        "bounds": [(eta / ((1 + eta) * n_arms), None)] * n_arms + [(None, None)],
    }


def program_table(instances: Mapping[str, np.ndarray], eta: float = 0.1) -> "HTML":
    """Compare both solvers on two programs of a run without noise on each instance."""
    rows = []
    for name, means in instances.items():
        averages = mobai_steps(means, eta, 1000).averages
        for step in (50, 700):
            program = surrogate_program(means, averages[step], eta)
            slow, theirs = shortest_time(linprog, **program)
            quick, ours = shortest_time(surrogate_proportions, means, averages[step], eta)
            rows.append(
                {
                    "instance": name,
                    "step": step,
                    "HiGHS: ms": 1e3 * slow,
                    "ours: ms": 1e3 * quick,
                    "difference of the optima": abs(-theirs.fun / ours.value - 1),
                }
            )
    return show_table(
        pd.DataFrame(rows),
        "One linear program, by SciPy's HiGHS and by ours with a call's checks.",
        **{"HiGHS: ms": ".2f", "ours: ms": ".3f", "difference of the optima": ".0e"},
    )


def times_table(seconds: Mapping[str, float]) -> "HTML":
    """Make a table of Table 1 beside the processor time of a whole sample of ours, by algorithm."""
    rows = read_published("chen2024_tables").query("table == '1'")
    table = pd.DataFrame(
        {
            "algorithm": rows["algorithm"],
            "printed: ms": rows["value"] + "\u00a0±\u00a0" + rows["spread"],
            "ours: ms": [1e3 * seconds[name] for name in rows["algorithm"]],
        }
    )
    caption = (
        "Milliseconds of an optimisation (Table 1), and of a whole sample of ours; not judged."
    )
    return show_table(table, caption, **{"ours: ms": ".3f"})
