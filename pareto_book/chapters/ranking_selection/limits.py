"""Estimated shares beside fixed ones: what adaptive rules gain and risk, and the figure."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.ranking_selection.decay import error_probabilities, whole_counts
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement, rate_of

__all__ = ["draw_limits", "fixed_and_estimated", "limit_rows", "optimal_beside_equal"]

FIXED, EQUAL = "shares of the best rate, fixed", "equal shares, fixed"
UNFORCED = "TopTwoIDS without forced exploration"
ESTIMATED = {  # algorithms for a budget
    "TopTwoIDS": lambda budget: pc.TopTwoIDS(budget=budget),
    UNFORCED: lambda budget: pc.TopTwoIDS(budget=budget, forced_exploration=False),
    "PlugIn": lambda budget: pc.PlugIn(budget=budget),
    "EGE-SR": lambda budget: pc.EGE(budget=budget, schedule="reject"),
}

STYLES = {  # colour and line of each entrant, as in the arena
    FIXED: (plots.BLACK, "--"),
    EQUAL: (plots.GREEN, "-"),
    "TopTwoIDS": (plots.RED, "-"),
    UNFORCED: (plots.RED, ":"),
    "PlugIn": (plots.BLUE, "-"),
    "EGE-SR": (plots.BROWN, ":"),
}


def fixed_and_estimated(
    name: str,
    multiples: Sequence[float],
    runs: int,
    draws: int,
    seed: int,
    n_jobs: int | None,
) -> pd.DataFrame:
    """Measure error probabilities of fixed and of estimated shares at the same budgets.

    Parameters
    ----------
    name : str
        Name of an instance with independent objectives.
    multiples : sequence of float
        Budgets over the characteristic time.
    runs, draws : int
        Runs of an algorithm, and draws of importance sampling, for each budget.
    seed, n_jobs : int
        As `pareto_core.simulate` takes them.

    Returns
    -------
    pandas.DataFrame
        Columns ``name`` (of fixed shares, or of an algorithm), ``multiple``, ``budget`` and
        ``error`` (a `Measurement`).
    """
    instance = pc.load_instance(name)
    best = pc.characteristic_time(instance.means_standardised)
    budgets = [int(np.ceil(multiple * best.time)) for multiple in multiples]
    fixed = {FIXED: best.weights, EQUAL: np.ones(instance.n_arms)}
    errors = {
        label: _of_shares(instance, shares, budgets, draws, seed) for label, shares in fixed.items()
    }
    for label, make in ESTIMATED.items():
        found = [
            pc.simulate(make(budget), instance, runs, seed=seed, n_jobs=n_jobs)
            for budget in budgets
        ]
        errors[label] = [rate_of(~np.asarray(each.correct)) for each in found]
    return pd.DataFrame(
        [
            {"name": label, "multiple": multiple, "budget": budget, "error": error}
            for label, each in errors.items()
            for multiple, budget, error in zip(multiples, budgets, each, strict=True)
        ]
    )


def optimal_beside_equal(
    name: str, multiples: Mapping[str, float], draws: int, seed: int
) -> dict[str, Measurement]:
    """Compare the error probabilities of the optimal shares with those of equal shares.

    Parameters
    ----------
    name : str
        Name of an instance with independent objectives.
    multiples : dict of str to float
        Budgets over the characteristic time, by their names.
    draws, seed : int
        Draws of importance sampling for each budget, and their seed.

    Returns
    -------
    dict of str to Measurement
        For each budget the probabilities ``optimal_<budget>`` and ``equal_<budget>``, and their
        ratio ``rate_<budget>``.
    """
    instance = pc.load_instance(name)
    best = pc.characteristic_time(instance.means_standardised)
    found = {}
    for label, multiple in multiples.items():
        optimal, equal = (
            _of_shares(instance, shares, [int(np.ceil(multiple * best.time))], draws, seed)[0]
            for shares in (best.weights, np.ones(instance.n_arms))
        )
        found |= {
            f"optimal_{label}": optimal,
            f"equal_{label}": equal,
            f"rate_{label}": _ratio(optimal, equal),
        }
    return found


def draw_limits(errors: Mapping[str, pd.DataFrame], least: float) -> None:
    """Draw error probabilities against the budget, a panel for each instance.

    Nothing is drawn where no run was wrong.

    Parameters
    ----------
    errors : dict of str to DataFrame
        Results of `fixed_and_estimated` on six and on five arms.
    least : float
        Lower end of the axis of probabilities.
    """
    figure, panels = plots.new_figure(1, len(errors), height=3.4, sharey=True)
    for axes, (instance, frame) in zip(np.atleast_1d(panels), errors.items(), strict=True):
        for name, part in frame.groupby("name", sort=False):
            colour, line = STYLES[name]
            seen = part[[each.value > 0 for each in part["error"]]]
            values = [each.value for each in seen["error"]]
            low, high = np.transpose([each.interval for each in seen["error"]])
            axes.plot(seen["multiple"], values, line, color=colour, label=name, marker="o", ms=3)
            axes.fill_between(seen["multiple"], low, high, color=colour, alpha=0.15, lw=0)
        multiples = sorted(set(frame["multiple"]))
        axes.set(xscale="log", yscale="log", title=instance, xlabel=r"budget over $T^\star$")
        axes.set_xticks(multiples, [f"{multiple:g}" for multiple in multiples])
        axes.minorticks_off()
        axes.set_ylim(least, 0.5)
    np.atleast_1d(panels)[0].set_ylabel("probability of error")
    handles, labels = np.atleast_1d(panels)[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    six, five = errors["six arms"], errors["five arms"]
    fixed = min(_error(six, FIXED, 2).value, _error(six, EQUAL, 2).value)
    plots.require(_error(six, "TopTwoIDS", 2).value < fixed, "TopTwoIDS is below both fixed shares")
    others = max(_error(five, FIXED, 8).value, _error(five, EQUAL, 8).value)
    plots.require(_error(five, UNFORCED, 8).value > 10 * others, "far above the others")
    plots.save(figure, "ranking_selection", "limits")


def _of_shares(instance, shares, budgets, draws, seed):
    """Error probabilities with whole numbers of samples, at least one of each arm."""
    counts = [whole_counts(shares, budget) for budget in budgets]
    return error_probabilities(instance, counts, draws, seed)


def limit_rows(errors: Mapping[str, pd.DataFrame]) -> dict[str, Measurement | float]:
    """Measure what the chapter states of fixed and estimated shares.

    Parameters
    ----------
    errors : dict of str to DataFrame
        Results of `fixed_and_estimated` on six and on five arms.

    Returns
    -------
    dict of str to Measurement or float
        By the name of the claim.
    """
    six, five = errors["six arms"], errors["five arms"]
    adaptive, unforced = _error(six, "TopTwoIDS", 2), _error(five, UNFORCED, 8)
    return {
        "limits_adaptive": adaptive,
        "limits_fixed": _error(six, FIXED, 2),
        "limits_equal": _error(six, EQUAL, 2),
        "limits_gain": _ratio(adaptive, _error(six, FIXED, 2)),
        "limits_gain_equal": _ratio(adaptive, _error(six, EQUAL, 2)),
        "limits_five": _error(five, "TopTwoIDS", 1),
        "limits_five_fixed": _error(five, FIXED, 1),
        "limits_five_equal": _error(five, EQUAL, 1),
        "limits_five_ratio": _ratio(_error(five, FIXED, 1), _error(five, EQUAL, 1)),
        "limits_unforced": unforced,
        "limits_excess": _ratio(unforced, _error(five, FIXED, 8)),
    }


def _error(frame, name, multiple):
    (found,) = frame[(frame["name"] == name) & (frame["multiple"] == multiple)]["error"]
    return found


def _ratio(upper, lower):
    """Ratio of two probabilities; the interval holds for both, at 90 % or more."""
    low, high = upper.interval[0] / lower.interval[1], upper.interval[1] / lower.interval[0]
    return Measurement(upper.value / lower.value, (low, high), upper.runs)
