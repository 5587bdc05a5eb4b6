"""What the kept scores of the twelve classifiers on digits say, and a table of them."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_book.records.measurements import Measurement
from pareto_book.studies.digits import DigitsCosts
from pareto_core.geometry.dominance import pareto_set
from pareto_core.instances.instance import Instance
from pareto_core.simulation.statistics import rate_interval

__all__ = ["DigitsFacts", "classifier_table", "digits_facts", "error_rate"]


class DigitsFacts(NamedTuple):
    """Numbers of the kept scores that the chapter states.

    Attributes
    ----------
    optimal : int
        Number of classifiers that are Pareto optimal in the averages of all scores.
    trees_lead : float
        Accuracy of ten random trees minus that of the linear discriminant, in percentage points.
    bayes_lead : float
        By how many per cent naive Bayes learns faster than nearest centroid.
    trap : float
        Accuracy of 20 random trees minus that of logistic regression, in percentage points.
    least_deviation, largest_deviation : float
        Of the accuracy, in percentage points, over the classifiers.
    below_a_point : int
        Number of classifiers whose accuracy has a standard deviation below one percentage point.
    slowest : float
        Largest ratio of a time to the median of its classifier.
    same_with_arithmetic : bool
        Whether arithmetic means of the times give the same Pareto set as geometric means.
    """

    optimal: int
    trees_lead: float
    bayes_lead: float
    trap: float
    least_deviation: float
    largest_deviation: float
    below_a_point: int
    slowest: float
    same_with_arithmetic: bool


def digits_facts(instance: Instance) -> DigitsFacts:
    """Compute the numbers from the instance ``"digits"``.

    Parameters
    ----------
    instance : Instance
        Accuracy, and negative logarithms to base ten of both times.

    Returns
    -------
    DigitsFacts
    """
    scores = np.array(instance.observations)  # (arms, splits, objectives)
    number = {label: k for k, label in enumerate(instance.labels)}

    def lead(first, second):
        return instance.means[number[first]] - instance.means[number[second]]

    deviations = 100 * scores[:, :, 0].std(axis=1, ddof=1)
    times = 10 ** -scores[:, :, 1:]
    arithmetic = np.column_stack([instance.means[:, 0], -times.mean(axis=1)])
    return DigitsFacts(
        optimal=len(pareto_set(instance.means)),
        trees_lead=100 * lead("10 random trees", "linear discriminant")[0],
        bayes_lead=100 * (10 ** lead("naive Bayes", "nearest centroid")[1] - 1),
        trap=100 * lead("20 random trees", "logistic regression")[0],
        least_deviation=deviations.min(),
        largest_deviation=deviations.max(),
        below_a_point=int((deviations < 1).sum()),
        slowest=(times / np.median(times, axis=1, keepdims=True)).max(),
        same_with_arithmetic=np.array_equal(pareto_set(arithmetic), pareto_set(instance.means)),
    )


def classifier_table(instance: Instance, front: np.ndarray, pulls: np.ndarray) -> pd.DataFrame:
    """Make a table of the classifiers: averages, whether optimal, and their evaluations.

    Parameters
    ----------
    instance : Instance
        The instance ``"digits"``.
    front : ndarray, shape (K,)
        Share of the runs with each classifier in the answer.
    pulls : ndarray, shape (K,)
        Mean number of evaluations of each classifier.

    Returns
    -------
    pandas.DataFrame
        A row for each classifier, in the order of the instance.
    """
    optimal = np.isin(np.arange(instance.n_arms), pareto_set(instance.means))
    times = 10 ** -instance.means[:, 1:]
    return pd.DataFrame(
        {
            "classifier": instance.labels,
            "accuracy (%)": 100 * instance.means[:, 0],
            "learn (ms)": times[:, 0],
            "classify (µs)": times[:, 1],
            "optimal": np.where(optimal, "yes", "no"),
            "in the answer (% of runs)": 100 * front,
            "evaluations": pulls,
        }
    )


def error_rate(costs: DigitsCosts) -> Measurement:
    """Measure the share of wrong answers in the runs of both ways to sample together.

    Parameters
    ----------
    costs : DigitsCosts
        Of `pareto_book.studies.digits.certified_costs`.

    Returns
    -------
    Measurement
    """
    wrong, runs = sum(costs.errors), len(costs.adaptive) + len(costs.alike)
    return Measurement(wrong / runs, rate_interval(wrong, runs), runs)
