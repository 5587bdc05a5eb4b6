"""The sorting networks: what their means could have been, and Tables 2 and 3 of the paper."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.chen2024.draws import LAW, stopping_times
from pareto_book.chapters.chen2024.evidence import best_time
from pareto_book.claims.published import read_published
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "AREA_ITSELF",
    "MAXIMISED",
    "PROTOCOL",
    "QUIET",
    "STANDARDISED",
    "TABLE_NATS",
    "WARM",
    "ReadingRuns",
    "compared_table",
    "distinct_designs",
    "mose_entries",
    "printed_samples",
    "readings_of",
    "table_entries",
]

TABLE_NATS = np.array([LAW, np.log(20), 10, 50, 100])  # log(1/delta) of Tables 2 and 3
PROTOCOL = "logarithms, area negated"
STANDARDISED = "the same, standardised"
QUIET = f"{PROTOCOL}, noise variance 0.1"
MAXIMISED = "logarithms, area not negated"
AREA_ITSELF = "area itself, negated"

WARM = "BASELINE-NON-UNIF (20)"
Entries = Mapping[tuple[str, float], np.ndarray]  # samples by algorithm and log(1/delta)


def readings_of(snw: np.ndarray) -> dict[str, np.ndarray]:
    """Means that the paper may have used, from the columns -log2 area and log2 throughput."""
    power = 2.0 ** (snw * [-1, 1])  # area and throughput themselves
    standard = (snw - snw.mean(axis=0)) / snw.std(axis=0)
    return {
        PROTOCOL: 10 * snw,
        STANDARDISED: 10 * standard,
        "the same, scaled to [0, 1]": 10 * (snw - snw.min(axis=0)) / np.ptp(snw, axis=0),
        QUIET: 10 * snw / np.sqrt(0.1),
        MAXIMISED: 10 * snw * [-1, 1],
        "not negated, standardised": 10 * standard * [-1, 1],
        AREA_ITSELF: 10 * np.column_stack([-power[:, 0], snw[:, 1]]),
        "area and throughput themselves": 10 * power * [-1, 1],
    }


def distinct_designs() -> int:
    """Number of distinct sorting networks in the public file."""
    return len(np.unique(pc.load_instance("snw").features, axis=0))


def printed_samples(table: int, algorithm: str, nats: float, column: str = "value") -> float:
    """An entry of Table 2 or 3 of the paper."""
    rows = _published()
    row = rows[
        (rows["table"] == str(table))
        & (rows["algorithm"] == algorithm)
        & (rows["nats"].sub(nats).abs() < 0.01)
    ]
    return float(row[column].iloc[0])


def _published():
    rows = read_published("chen2024_tables")
    for column in ("nats", "value", "spread"):
        rows[column] = pd.to_numeric(rows[column])
    return rows


class ReadingRuns:
    """MO-BAI on each reading whose lower bound does not exceed Table 2.

    Parameters
    ----------
    readings : dict of str to ndarray, shape (K, 2)
        Means by reading.
    runs, seed, n_jobs : int
        As in `pareto_core.simulate`.

    Attributes
    ----------
    bounds : dict of str to float
        Samples that any algorithm needs on average at log(1/delta) = 100.
    times : dict of str to ndarray, shape (runs, 5)
        Stopping times of MO-BAI at `TABLE_NATS`.
    """

    def __init__(
        self, readings: Mapping[str, np.ndarray], runs: int, seed: int, n_jobs: int | None = None
    ) -> None:
        self.complexity = {name: best_time(means) for name, means in readings.items()}
        self.bounds = {name: c * (100 - np.log(4)) for name, c in self.complexity.items()}
        printed = printed_samples(2, "MO-BAI", 100)
        self.times = {
            name: stopping_times(
                pc.MOBAI(), pc.Instance(means, name=name), TABLE_NATS, runs, seed, n_jobs
            )
            for name, means in readings.items()
            if self.bounds[name] < printed
        }

    def over_printed(self, name: str) -> np.ndarray:
        """Mean samples over those that Table 2 prints, at its three risks."""
        printed = [printed_samples(2, "MO-BAI", nats) for nats in TABLE_NATS[2:]]
        return self.times[name][:, 2:].mean(axis=0) / printed

    def numbers(self) -> dict[str, float]:
        """Numbers of the text: the lower bounds, and the readings that come near Table 2."""
        protocol = self.bounds[PROTOCOL]
        found = {
            "bound_protocol": protocol,
            "bound_factor": protocol / printed_samples(2, "MO-BAI", 100),
            "bound_standard": self.bounds[STANDARDISED],
        }
        nearer = {"quiet": QUIET, "maximised": MAXIMISED, "area": AREA_ITSELF}
        for name, reading in nearer.items():
            over = self.over_printed(reading)
            found |= {f"least_{name}": over.min(), f"most_{name}": over.max()}
        return found

    def table(self) -> "HTML":
        """Make a table of the bounds and mean samples of all readings, and of Table 2."""
        rows = []
        for name, bound in self.bounds.items():
            row = {"reading": name, "c*": self.complexity[name], "least at 100": bound}
            if name in self.times:
                means = self.times[name].mean(axis=0)
                row |= {f"MO-BAI, {n}": means[k] for k, n in ((2, 10), (3, 50), (4, 100))}
            rows.append(row)
        printed = {f"MO-BAI, {n}": printed_samples(2, "MO-BAI", n) for n in (10, 50, 100)}
        frame = pd.DataFrame([*rows, {"reading": "Table 2"} | printed])
        return show_table(
            frame,
            "Readings of the sorting networks, all times 10: what any algorithm needs on average "
            "at log(1/δ) = 100, and the mean samples of MO-BAI where Table 2 is not below that.",
            **{"c*": ",.2f"},
            **{column: ",.0f" for column in frame if column not in ("reading", "c*")},
        )


def compared_table(entries: Entries) -> "HTML":
    """Make a table of Tables 2 and 3 beside the mean and deviation of single runs."""
    published = _published()
    rows = []
    for entry in published[published["table"] != "1"].itertuples():
        ours = [
            samples
            for (name, nats), samples in entries.items()
            if name == entry.algorithm and abs(nats - entry.nats) < 0.01
        ]
        rows.append(
            {
                "table": entry.table,
                "algorithm": entry.algorithm,
                "log(1/δ)": entry.nats,
                "printed": _plus_minus(entry.value, entry.spread),
                "this reading": _plus_minus(ours[0].mean(), ours[0].std(ddof=1)) if ours else "",
                "runs": str(len(ours[0])) if ours else "",
            }
        )
    return show_table(
        pd.DataFrame(rows),
        "Tables 2 and 3 of the paper: printed mean of three and of a hundred trials, ± a number "
        "that the text does not explain; and mean ± standard deviation of single runs on one "
        "reading.",
        **{"log(1/δ)": ".3g"},
    )


def _plus_minus(value, spread):
    return f"{value:,.0f}\u00a0±\u00a0{spread:,.0f}"


def table_entries(
    algorithms: Mapping[str, tuple[pc.Algorithm, Sequence[float], int]],
    networks: pc.Instance,
    seed: int,
    n_jobs: int | None = None,
) -> dict[tuple[str, float], np.ndarray]:
    """Samples of single runs of each algorithm at its values of log(1/delta)."""
    entries = {}
    for name, (algorithm, nats, runs) in algorithms.items():
        found = stopping_times(algorithm, networks, nats, runs, seed, n_jobs)
        entries |= {(name, level): found[:, k] for k, level in enumerate(nats)}
    return entries


def mose_entries(
    networks: pc.Instance, runs: int, seed: int, n_jobs: int | None = None
) -> dict[tuple[str, float], np.ndarray]:
    """Samples of single runs of MO-SE at the risks of Table 3; they depend on the risk."""
    return {
        ("MO-SE", level): pc.simulate(
            pc.MOSE(np.exp(-level)), networks, runs, seed, n_jobs, progress=False
        ).samples
        for level in TABLE_NATS[:2]
    }
