"""Ratios of the samples of two entrants of the arena."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from pareto_book.chapters.arena.kept import Arena
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.results import paired_log_ratio
from pareto_book.records.measurements import Measurement

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["RATIOS", "paired_ratio", "ratios_table"]


class Pair(NamedTuple):
    """Two entrants on an instance at a risk; the second may be on an instance of another name."""

    instance: str
    first: str
    second: str
    delta: float = 0.1
    second_instance: str = ""


_VACCINES, _NOC = "COV-BOOST", "NoC"
_BOXES = ("APE, mixture", "widest box, and what blocks")
RATIOS = {
    "covid_ape": Pair(_VACCINES, "APE", "Track-and-Stop"),
    "covid_tenth": Pair(_VACCINES, "Track-and-Stop, every tenth", "Track-and-Stop"),
    "covid_uniform": Pair(_VACCINES, "uniform", "Track-and-Stop"),
    "covid_short": Pair(_VACCINES, "Racing", "Track-and-Stop"),
    "covid_frank": Pair(_VACCINES, "Frank-Wolfe", "Track-and-Stop"),
    "proof_ape": Pair(_VACCINES, "APE, mixture", "APE"),
    "proof_racing": Pair(_VACCINES, "Racing, proven", "Racing"),
    "proof_paveba": Pair(_VACCINES, "PaVeBa", "TopTwoIDS, proven"),
    "covid_psips": Pair(_VACCINES, "PSIPS", "Track-and-Stop", 0.01),
    "covid_oracle": Pair(_VACCINES, "PSIPS", "PSIPS with an oracle", 0.01),
    "covid_ape_psips": Pair(_VACCINES, "APE", "PSIPS", 0.01),
    "covid_rcp": Pair("COV-BOOST, IgG", "R-CP", "e-cAPE"),
    "boxes_coins": Pair("coins", *_BOXES),
    "boxes_five_coins": Pair("five coins", *_BOXES),
    "boxes_convex": Pair("convex", *_BOXES),
    "boxes_ties": Pair("ties", *_BOXES),
    "ape_sphere": Pair("sphere", "APE", "Track-and-Stop"),
    "mobai_dt": Pair("distinct", "MO-BAI", "D-Tracking"),
    "mose_dt": Pair("distinct", "MO-SE", "D-Tracking"),
    "stages_hard": Pair("racing hard", "A-A", "e-cAPE"),
    "stages_hypercube": Pair("hypercube", "A-A", "e-cAPE"),
    "game_hypercube": Pair("hypercube", "Game-cPSI", "e-cAPE"),
    "noc_gege": Pair(_NOC, "GEGE", "APE"),
    "noc_gege_proven": Pair(_NOC, "GEGE, proven", "Racing, proven"),
    "noc_aimed": Pair(
        "NoC, without features",
        "TopTwoIDS, throttled and proven",
        "Racing, proven",
        second_instance=_NOC,
    ),
    "noc_two": Pair(_NOC, "TopTwoIDS, every tenth", "APE", 0.01),
    "noc_pal": Pair(_NOC, "PAL, linear", "APE"),
}


def paired_ratio(arena: Arena, pair: Pair) -> Measurement:
    """Measure the mean samples of the first entrant over those of the second, by paired runs."""
    by_case = arena.by_case
    first = by_case[pair.instance, pair.first, pair.delta]
    second = by_case[pair.second_instance or pair.instance, pair.second, pair.delta]
    value, low, high = np.exp(paired_log_ratio(first, second))
    return Measurement(value, (low, high), min(first.samples.size, second.samples.size))


def ratios_table(found: Mapping[str, Measurement]) -> "HTML":
    """Make a table of the ratios that `RATIOS` names."""
    rows = []
    for key, ratio in found.items():
        pair = RATIOS[key]
        digits = 1 if ratio.value >= 10 else 2
        low, high = ratio.interval
        rows.append(
            {
                "instance": pair.instance,
                "δ": f"{pair.delta:g}",
                "algorithm": pair.first,
                "over": pair.second,
                "ratio": f"{ratio.value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]",
            }
        )
    return show_table(
        pd.DataFrame(rows),
        "Mean samples of the first algorithm over those of the second, paired runs, with 95 % "
        "intervals; each with the constants of its paper's experiments, unless its name says "
        "otherwise.",
    )
