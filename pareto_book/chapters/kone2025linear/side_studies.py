"""Side studies on the network on chip: other budgets, and runs that are cut off."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pareto_core as pc
from pareto_book.figures.results import results_table
from pareto_book.studies.linear_bounds import gap_complexity

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["budgets_table", "cut_off_table"]

CUT_OFF = 100_000  # samples


def budgets_table(
    noc: pc.Instance, variance: float, runs: int, reject_runs: int, **common: Any
) -> "HTML":
    """Make a table of algorithms on NoC with the budget of Figure 1, and with two others.

    Parameters
    ----------
    noc : Instance
        The network on chip.
    variance : float
        Variance of the noise.
    runs, reject_runs : int
        Number of runs, and of those of EGE-SR.
    **common
        Further arguments of `pareto_core.simulate`.

    Returns
    -------
    IPython.display.HTML
    """
    at_h2 = int(gap_complexity(noc.means, 4).h2)
    gege = {"variance_bound": variance}
    algorithms = {
        "GEGE": pc.GEGE(budget=at_h2, **gege),
        "GEGE, rounded up": pc.GEGE(budget=at_h2, rounding="ceiling", **gege),
        "uniform": pc.UniformSampling(budget=at_h2),
        "EGE-SR": pc.EGE(budget=at_h2, schedule="reject"),
        "GEGE, least budget": pc.GEGE(budget=8, **gege),
        "EGE-SH, samples forgotten": pc.EGE(budget=2331, accumulate=False),
        "EGE-SH, samples accumulated": pc.EGE(budget=2331),
    }
    results = {
        name: pc.simulate(algorithm, noc, runs=reject_runs if name == "EGE-SR" else runs, **common)
        for name, algorithm in algorithms.items()
    }
    budgets = [algorithm.budget for algorithm in algorithms.values()]
    caption = "NoC at T = H2,lin, the budget of Figure 1, and two side questions."
    return results_table(results, caption, budget=budgets)


def cut_off_table(
    instances: Mapping[str, pc.Instance],
    variance: float,
    gege_runs: int,
    ape_runs: int,
    **common: Any,
) -> "HTML":
    """Make a table of runs with at most 100,000 samples, and of the optimal arms that they miss.

    Parameters
    ----------
    instances : dict of str to Instance
        Instances by what their means are.
    variance : float
        Variance of the noise.
    gege_runs, ape_runs : int
        Number of runs.
    **common
        Further arguments of `pareto_core.simulate`.

    Returns
    -------
    IPython.display.HTML
    """
    shared = {"delta": 0.1, "variance_bound": variance}
    algorithms = {
        "APE": (pc.APE(pull="both", **shared), ape_runs),
        "APE, ε = 0.2": (pc.APE(pull="both", epsilon=0.2, **shared), ape_runs),
        "GEGE": (pc.GEGE(**shared), gege_runs),
        "GEGE, ε = 0.2": (pc.GEGE(epsilon=0.2, **shared), gege_runs),
    }
    results, missing = {}, []
    for which, instance in instances.items():
        for name, (algorithm, runs) in algorithms.items():
            result = pc.simulate(algorithm, instance, runs=runs, max_samples=CUT_OFF, **common)
            missing.append(int((~result.answers[:, instance.pareto_set].all(axis=1)).sum()))
            results[which, name] = result
    unfinished = [int((~result.stopped).sum()) for result in results.values()]
    return results_table(
        results,
        f"NoC linearised and as measured, with at most {CUT_OFF:,} samples a run.",
        names=("means", "algorithm"),
        columns=("runs", "mean samples"),
        **{"unfinished": unfinished, "miss an optimal arm": missing},
    )
