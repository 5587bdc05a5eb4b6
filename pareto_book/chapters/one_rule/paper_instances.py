"""Our rule on the instances of each paper, beside that paper's algorithms."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_book.chapters.one_rule.oracle_runs import PARETO_SET, OracleRuns
from pareto_book.kept_runs.reading import read_instance
from pareto_book.kept_runs.results import paired_log_ratio
from pareto_book.records.measurements import Measurement

__all__ = ["PAPERS", "Paper", "paper_table", "posterior_sampling_table"]

RULE = "TopTwoIDS"


class Paper(NamedTuple):
    """A paper's algorithms and the instances of its experiments or theorems.

    Attributes
    ----------
    name : str
        Authors and year.
    question : str
        A key of `ORACLE_COMPETITIONS`.
    rivals : tuple of str
        Entrants of the paper.
    instances : tuple of str
        Names of the instances, as in the arena.
    """

    name: str
    question: str
    rivals: tuple[str, ...]
    instances: tuple[str, ...]


PAPERS = (
    Paper("Crepon et al. 2024", PARETO_SET, ("Track-and-Stop", "APE"), ("COV-BOOST",)),
    Paper(
        "Kone et al. 2025, posterior sampling",
        PARETO_SET,
        ("Track-and-Stop", "APE"),
        ("five arms", "line", "random, five"),
    ),
    Paper(
        "Chen et al. 2024",
        "best arm of every objective, oracle",
        ("MO-BAI", "D-Tracking"),
        ("distinct",),
    ),
    Paper(
        "Kone et al. 2025, constrained",
        "constrained Pareto set, oracle",
        ("Game-cPSI", "e-cAPE"),
        ("two stage hard", "orthant", "simplex", "ordered", "hypercube", "COV-BOOST, IgG"),
    ),
)


def paper_table(runs: Mapping[str, OracleRuns], reference: str = RULE) -> pd.DataFrame:
    """Tabulate the samples of each paper's algorithms over those of a reference, by risk."""
    rows = []
    for paper in (each for each in PAPERS if each.question in runs):
        kept = runs[paper.question]
        for instance in paper.instances:
            if kept.has(instance, reference, kept.risks[0]):
                for rival in _rivals(paper, reference):
                    rows.append(_row(paper, kept, instance, rival, reference))
    return pd.DataFrame(rows)


def _rivals(paper, reference):
    """Algorithms of a paper, and before them our rule if it is not the reference."""
    return paper.rivals if reference == RULE else (RULE, *paper.rivals)


def _row(paper, kept, instance, rival, reference):
    top = kept.risks[0]
    return {
        "paper": paper.name,
        "instance": instance,
        "algorithm": rival,
        f"{reference}, δ = {top:g}": kept.mean(instance, reference, top),
        **{
            f"ratio at {delta:g}": kept.ratio(instance, rival, reference, delta)
            if kept.has(instance, rival, delta)
            else np.nan
            for delta in kept.risks
        },
    }


def posterior_sampling_table(instances: tuple[str, ...]) -> pd.DataFrame:
    """Tabulate samples of posterior sampling over those of our rule, from the arena's runs."""
    rows = []
    for instance in instances:
        kept = {(each.name, each.delta): each for each in read_instance(instance)}
        for rival in ("PSIPS", "PSIPS with an oracle"):
            deltas = sorted((delta for name, delta in kept if name == rival), reverse=True)
            ratios = {
                f"ratio at {delta:g}": _ratio(kept[rival, delta], kept[RULE, delta])
                for delta in deltas
            }
            rows.append({"instance": instance, "algorithm": rival, **ratios})
    return pd.DataFrame(rows)


def _ratio(first, second):
    value, low, high = np.exp(paired_log_ratio(first, second))
    runs = min(first.samples.size, second.samples.size)
    return Measurement(float(value), (float(low), float(high)), runs)
