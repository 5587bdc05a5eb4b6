"""PaVeBa with its authors' score: an average that forgives, and the accuracy that it measures."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import mean_of, rate_of
from pareto_book.rivals import PaVeBa
from pareto_core.simulation.results import Runs
from pareto_lab.comparison.accuracy import f1_score

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["ScoredRuns", "scored_runs", "scores_table", "standardised_networks"]

NOISE = 0.01  # variance
CAPTION = (
    "PaVeBa on SNW (206 designs, 26 of them optimal), δ = 0.05, with its authors' noise and "
    "score: means and rates with 95 % intervals."
)
FORMATS = {
    "radius divided by": ".0f",
    "samples": ",.0f",
    "ε-F1": ".3f",
    "answers of accuracy ε": ".2f",
    "of accuracy 2ε": ".2f",
}


class ScoredRuns(NamedTuple):
    """Runs, and the scores of their answers."""

    runs: Runs
    scores: np.ndarray  # ε-F1: 1 for an answer of accuracy ε
    wider: np.ndarray  # the same for 2ε


def standardised_networks() -> pc.Instance:
    """Sorting networks as PaVeBa's experiments take them: unit variance, noise variance 0.01."""
    means = pc.load_instance("snw").means
    standardised = (means - means.mean(axis=0)) / means.std(axis=0)
    return pc.Instance(standardised, variance=[NOISE, NOISE], name="snw_standardised")


def scored_runs(
    contraction: float, epsilon: float, runs: int, seed: int, n_jobs: int | None = None
) -> ScoredRuns:
    """Simulate PaVeBa on the sorting networks at δ = 0.05, and score its answers."""
    algorithm = PaVeBa(0.05, epsilon, variance_bound=NOISE, contraction=contraction)
    networks = standardised_networks()
    found = pc.simulate(algorithm, networks, runs, seed, n_jobs)
    scores = [f1_score(networks.means, found.answers, wide) for wide in (epsilon, 2 * epsilon)]
    return ScoredRuns(found, *scores)


def scores_table(scored: Mapping[tuple[float, float], ScoredRuns]) -> "HTML":
    """Make a table of scores."""
    rows = [
        {
            "ε": epsilon,
            "radius divided by": contraction,
            "samples": mean_of(each.runs.samples),
            "ε-F1": mean_of(each.scores),
            "answers of accuracy ε": rate_of(each.scores == 1),
            "of accuracy 2ε": rate_of(each.wider == 1),
        }
        for (contraction, epsilon), each in sorted(
            scored.items(), key=lambda item: (-item[0][1], item[0][0])
        )
    ]
    return show_table(pd.DataFrame(rows), CAPTION, **FORMATS)
