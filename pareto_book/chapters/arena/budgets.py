"""Error rates of algorithms with a fixed budget, and their figure."""

from collections.abc import Callable, Mapping, Sequence

import matplotlib.lines
import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.records.measurements import rate_of

__all__ = ["draw_budgets", "errors_by_budget"]

SHADES = (plots.PURPLE, plots.RED, plots.GREEN, plots.ORANGE, plots.SKY)
WITH_FEATURES_ONLY, WITHOUT_FEATURES_ONLY = "GEGE", "TTPFTS"  # with 259 arms TTPFTS is too slow


def errors_by_budget(
    algorithms: Mapping[str, Callable],
    instances: Mapping[str, pc.Instance],
    multiples: Sequence[float],
    runs: int,
    seed: int,
    n_jobs: int | None,
) -> pd.DataFrame:
    """Count wrong answers at budgets that are multiples of the characteristic time.

    Parameters
    ----------
    algorithms : dict of str to callable
        Functions that return an algorithm for a budget.
    instances : dict of str to Instance
        Instances by name.
    multiples : sequence of float
        Multiples of the characteristic time.
    runs, seed, n_jobs : int
        As `pareto_core.simulate` takes them.

    Returns
    -------
    pandas.DataFrame
        One row per instance, algorithm and budget that the algorithm can work with.
    """
    rows = []
    for label, instance in instances.items():
        needed = pc.characteristic_time(instance.means_standardised).time
        plain = instance.features is None
        for name, make in algorithms.items():
            if name == (WITH_FEATURES_ONLY if plain else WITHOUT_FEATURES_ONLY):
                continue
            for multiple in multiples:
                budget = int(np.ceil(multiple * needed))
                wrong = _errors(make, budget, instance, runs, seed, n_jobs)
                if wrong is None:
                    continue
                rows.append(
                    {
                        "instance": label,
                        "algorithm": name,
                        "budget": budget,
                        "over T*": multiple,
                        "errors": wrong,
                        "rate": rate_of(np.arange(runs) < wrong),
                    }
                )
    return pd.DataFrame(rows)


def _errors(make, budget, instance, runs, seed, n_jobs):
    """Wrong answers; None where the budget is too small for the first round."""
    try:
        found = pc.simulate(make(budget), instance, runs, seed=seed, n_jobs=n_jobs)
    except ValueError:
        return None
    return int(found.summary()["errors"])


def draw_budgets(errors: pd.DataFrame) -> None:
    """Draw error rates against the budget, a panel for each instance."""
    names = list(dict.fromkeys(errors["algorithm"]))
    multiples = sorted(set(errors["over T*"]))
    instances = list(dict.fromkeys(errors["instance"]))
    colours = dict(zip(names, SHADES, strict=True))
    figure, panels = plots.new_figure(1, len(instances), height=2.9, sharey=True)
    for axes, instance in zip(panels, instances, strict=True):
        here = errors[errors["instance"] == instance]
        for name, part in here.groupby("algorithm", sort=False):
            plots.curve(axes, part["over T*"], part["rate"], colours[name])
        axes.set(xscale="log", title=instance, xlabel=r"budget over $T^\star$")
        axes.set_xticks(multiples, [f"{multiple:g}" for multiple in multiples])
        axes.minorticks_off()
    ends = errors.groupby(["instance", "algorithm"])["rate"].agg(["first", "last"])
    falls = [last.value <= first.value for first, last in ends.to_numpy()]
    plots.require(np.mean(falls) > 0.9, "nearly every line ends lower than it begins")
    panels[0].set_ylabel("error rate")
    handles = [
        matplotlib.lines.Line2D([], [], color=colour, label=name)
        for name, colour in colours.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=5)
    plots.save(figure, "arena", "budget")
