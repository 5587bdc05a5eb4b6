"""Answers of GEGE with an accuracy above zero, and which of them are valid."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import rate_of

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["accuracy_table", "valid"]


def valid(answers: np.ndarray, instance: pc.Instance, epsilon: float) -> np.ndarray:
    """Whether each answer has all optimal arms, and no arm that is dominated by more.

    Parameters
    ----------
    answers : ndarray of bool, shape (runs, K)
        Answers.
    instance : Instance
        Instance.
    epsilon : float
        Accuracy.

    Returns
    -------
    ndarray of bool, shape (runs,)
    """
    below_front = pc.gaps(instance.means)
    below_front[instance.pareto_set] = 0.0
    complete = answers[:, instance.pareto_set].all(axis=1)
    farthest = np.where(answers, below_front, 0).max(axis=1)
    return complete & (farthest <= max(epsilon, 1e-12))


def accuracy_table(results: Mapping[float, pc.Runs], instance: pc.Instance) -> "HTML":
    """Make a table of runs by accuracy."""
    rows = [
        {
            "accuracy": epsilon,
            "runs": result.samples.size,
            "mean samples": result.samples.mean(),
            "arms answered": result.answers.sum(axis=1).mean(),
            "valid": rate_of(valid(result.answers, instance, epsilon)),
            "valid at a quarter": rate_of(valid(result.answers, instance, epsilon / 4)),
        }
        for epsilon, result in results.items()
    ]
    return show_table(
        pd.DataFrame(rows),
        "GEGE on NoC with an accuracy: answers that contain all optimal arms, and no arm "
        "dominated by more than it (or a quarter).",
        **{"mean samples": ",.0f", "arms answered": ".2f"},
        **dict.fromkeys(("valid", "valid at a quarter"), ".3f"),
    )
