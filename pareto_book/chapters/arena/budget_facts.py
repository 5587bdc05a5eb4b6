"""Comparisons with a fixed budget about which the chapter has sentences."""

from collections.abc import Mapping
from typing import NamedTuple

from pareto_book.chapters.arena.budgets import (
    Budgets,
    error_at,
    level_with_best,
    lost_ratio,
    measured_cases,
    ratio_at,
    widest_spread,
    wins_of,
)
from pareto_book.kept_runs.budgets.entrants import ORACLE
from pareto_book.records.measurements import Measurement

__all__ = ["ERRORS", "RATIOS", "SEQUENTIAL", "TRACKING", "budget_counts", "budget_facts"]


class Pair(NamedTuple):
    """Two entrants on an instance at an error rate."""

    instance: str
    first: str
    second: str
    level: float


class Case(NamedTuple):
    """An entrant on an instance at a multiple of the characteristic time."""

    instance: str
    name: str
    multiple: float


RATIOS: Mapping[str, Pair] = {
    "budget_oracle_covid": Pair("COV-BOOST", ORACLE, "TopTwoIDS", 0.1),
    "budget_oracle_above": Pair("one above all", ORACLE, "TTPFTS", 0.001),
    "budget_uniform_moscore": Pair("MOSCORE 1", "uniform", "TopTwoIDS", 0.1),
    "budget_halving_above": Pair("one above all", "EGE-SH", "EGE-SR", 0.01),
    "budget_halving_staircase": Pair("staircase", "EGE-SR", "EGE-SH", 0.01),
    "budget_posterior_staircase": Pair("staircase", "TTPFTS", "TopTwoIDS", 0.01),
    "budget_m_moba_oracle": Pair("five arms", "M-MOBA", ORACLE, 0.01),
    "budget_features": Pair("NoC", "EGE-SH", "GEGE", 0.1),
}
ERRORS: Mapping[str, Case] = {
    "budget_covid_uniform": Case("COV-BOOST", "uniform", 6),
    "budget_covid_top_two": Case("COV-BOOST", "TopTwoIDS", 6),
    "budget_covid_oracle": Case("COV-BOOST", ORACLE, 1),
    "budget_covid_top_two_early": Case("COV-BOOST", "TopTwoIDS", 1),
    "budget_staircase_oracle": Case("staircase", ORACLE, 2),
    "budget_staircase_uniform": Case("staircase", "uniform", 2),
}
TRACKING = ("TopTwoIDS", "plug-in", "SCORE", "MOCBA")
SEQUENTIAL = (*TRACKING, "iSCORE", "TTPFTS", "M-MOBA")  # they choose sample by sample


def budget_facts(budgets: Budgets) -> dict[str, Measurement]:
    """Measure what the chapter states: ratios of budgets, and error rates in percent.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.

    Returns
    -------
    dict of str to Measurement
        By the names in `RATIOS` and `ERRORS`, and ``budget_staircase_lost``, the hypervolume that
        the oracle loses over that of uniform sampling, and ``budget_spread`` of `TRACKING`.
    """
    ratios = {name: ratio_at(budgets, *pair) for name, pair in RATIOS.items()}
    errors = {name: error_at(budgets, *case).times(100) for name, case in ERRORS.items()}
    lost = lost_ratio(budgets, "staircase", ORACLE, "uniform", 2)
    spread = widest_spread(budgets, TRACKING)
    return ratios | errors | {"budget_staircase_lost": lost, "budget_spread": spread}


def budget_counts(budgets: Budgets) -> dict[str, float]:
    """Count cases, an instance without features at an error rate.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.

    Returns
    -------
    dict of str to float
        Number of cases, and the share in which an entrant of `SEQUENTIAL` is the quickest; for
        TopTwoIDS and for M-MOBA the number of cases in which paired runs cannot tell it from the
        quickest, the number of cases on its instances, and the share.
    """
    cases = len(measured_cases(budgets))
    counts = {
        "budget_cases": cases,
        "budget_sequential": wins_of(budgets, SEQUENTIAL) / cases,
    }
    for key, name in (("top_two", "TopTwoIDS"), ("m_moba", "M-MOBA")):
        level, of = level_with_best(budgets, name)
        counts |= {
            f"budget_{key}_level": level,
            f"budget_{key}_of": of,
            f"budget_{key}_share": level / of,
        }
    return counts
