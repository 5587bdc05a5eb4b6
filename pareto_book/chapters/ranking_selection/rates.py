"""What the chapter records of the published allocations."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.chapters.ranking_selection.fig_losses import loss_of
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["own_rows", "published_rows", "show_rules"]

SAME = 1e-5  # relative difference of rates that count as equal


def published_rows(frame: pd.DataFrame) -> dict[str, float]:
    """Measure the published claims.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `published.losses` returns it.

    Returns
    -------
    dict of str to float
        By the name of the claim.
    """
    in_three = frame[(frame["d"] == 3) & (frame["method"] == "score")]
    return {
        "phantom_rates": _farthest_ratio(frame["phantom"], frame["published"]),
        "brute_force_rates": _farthest_ratio(frame["exact"], frame["brute force"]),
        "score_is_accurate": (in_three["exact"] / in_three["optimum"]).mean(),
    }


def _farthest_ratio(measured, published):
    """Ratio that is the farthest from 1, where a published value is known."""
    ratios = (measured / published).dropna()
    return ratios[(ratios - 1).abs().idxmax()]


def own_rows(frame: pd.DataFrame) -> dict[str, float]:
    """Measure what the chapter states of the published allocations.

    Parameters
    ----------
    frame : pandas.DataFrame
        As `published.losses` returns it.

    Returns
    -------
    dict of str to float
        By the name of the claim.
    """
    approximation = frame["phantom"] / frame["exact"]
    at_optimum = (frame["phantom at optimum"] / frame["optimum"])[frame["method"] == "phantom"]
    is_same = (frame["own"] / frame["exact"] - 1).abs() <= SAME
    losses = frame.assign(loss=100 * loss_of(frame)).groupby("method")["loss"]
    attained = (frame["exact"] / frame["optimum"])[frame["method"] == "phantom"]
    odd, next_odd = attained.nsmallest(2).index
    return {
        "phantoms_exact": float((abs(approximation - 1) < 1e-9).sum()),
        "phantoms_below": 100 * (1 - approximation.min()),
        "phantoms_at_optimum": 100 * at_optimum.median(),
        "phantoms_worst": 100 * at_optimum.min(),
        "same_shares": float(is_same.sum()),
        "other_shares_rate": frame.loc[~is_same, "optimum"].max(),
        **{f"loss_{method}": value for method, value in losses.median().items()},
        "loss_score_worst": losses.max()["score"],
        "odd_rate": frame.loc[odd, "optimum"],
        "odd_published": 100 * attained[odd],
        "odd_own": _own_part(frame.loc[odd]),
        "second_odd_published": 100 * (1 - attained[next_odd]),
        "second_odd_own": 100 - _own_part(frame.loc[next_odd]),
    }


def _own_part(row):
    """Per cent of the best rate at our shares."""
    return 100 * min(row["own"] / row["optimum"], 1.0)


def show_rules(means: ArrayLike) -> "HTML":
    """Show shares by several rules for known means with unit variances, and what they lose.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Larger is better.

    Returns
    -------
    IPython.display.HTML
    """
    means = np.asarray(means)
    best = pc.characteristic_time(means)
    shares = {
        "optimum": best.weights,
        "phantom": pc.phantom_allocation(means),
        "SCORE": pc.score_allocation(means),
        "MOCBA": pc.mocba_allocation(means),
        "equal": np.full(len(means), 1 / len(means)),
    }
    costs = {name: pc.transport_cost(means, each).value for name, each in shares.items()}
    table = pd.DataFrame(
        {
            "rule": list(shares),
            "shares": [", ".join(f"{share:.3f}" for share in each) for each in shares.values()],
            "loss": [f"{100 * max(1 - best.time * cost, 0):.1f} %" for cost in costs.values()],
        }
    )
    return show_table(table, "Shares of three systems, and the loss of the rate.")
