"""Kept runs beside an oracle that knows the optimal proportions, and ratios of their samples."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_book.chapters.one_rule.oracle_toy import time_at_threshold
from pareto_book.kept_runs.checking import RepeatedRun, repeat_share
from pareto_book.kept_runs.competitions import ORACLE_COMPETITIONS, find_instance
from pareto_book.kept_runs.reading import read_instance
from pareto_book.kept_runs.results import paired_log_ratio
from pareto_book.kept_runs.run_files import KeptRuns
from pareto_book.records.measurements import Measurement
from pareto_lab.comparison.lower_bounds import time_of

__all__ = [
    "PARETO_SET",
    "OracleRuns",
    "extreme",
    "extreme_ratio",
    "load_oracle_runs",
    "load_questions",
    "oracle_table",
    "repeat_some",
]

PARETO_SET = "Pareto set, oracle"
SUFFIX = ", oracle"  # of the names of the instances


class OracleRuns(NamedTuple):
    """Kept runs of one question at small risks.

    Attributes
    ----------
    risks : tuple of float
        In decreasing order.
    times : dict of str to float
        Characteristic times, by the name that the instance has in the arena.
    by_case : dict of (str, str, float) to KeptRuns
        By instance, entrant and risk.
    """

    risks: tuple[float, ...]
    times: dict[str, float]
    by_case: dict[tuple[str, str, float], KeptRuns]

    @property
    def instances(self) -> list[str]:
        """Names of the instances, as in the arena."""
        return list(self.times)

    def has(self, instance: str, name: str, delta: float) -> bool:
        """Whether runs of this entrant are kept."""
        return (instance, name, delta) in self.by_case

    def ratio(self, instance: str, first: str, second: str, delta: float) -> Measurement:
        """Ratio of the mean samples of two entrants, from paired runs."""
        ours, theirs = (self.by_case[instance, name, delta] for name in (first, second))
        value, low, high = np.exp(paired_log_ratio(ours, theirs))
        runs = min(ours.samples.size, theirs.samples.size)
        return Measurement(float(value), (float(low), float(high)), runs)

    def mean(self, instance: str, name: str, delta: float) -> float:
        """Mean number of samples."""
        return float(self.by_case[instance, name, delta].samples.mean())

    def wrong(self, name: str) -> tuple[int, int]:
        """Number of wrong answers of an entrant at the largest risk, and of its runs there."""
        kept = [self.by_case[each, name, self.risks[0]] for each in self.instances]
        return (
            sum(int((each.ended & ~each.right).sum()) for each in kept),
            sum(each.samples.size for each in kept),
        )


def load_oracle_runs(question: str = PARETO_SET) -> OracleRuns:
    """Read the kept runs of a question beside an oracle."""
    competition = ORACLE_COMPETITIONS[question]
    times, by_case = {}, {}
    for name in competition.instances:
        short = name.removesuffix(SUFFIX)
        _, entrants, instance = find_instance(name)
        times[short] = time_of(instance, next(iter(entrants.values())).algorithm.question)
        by_case |= {(short, each.name, each.delta): each for each in read_instance(name)}
    return OracleRuns(competition.risks, times, by_case)


def load_questions() -> dict[str, OracleRuns]:
    """Read the kept runs of all questions beside an oracle, by question."""
    return {question: load_oracle_runs(question) for question in ORACLE_COMPETITIONS}


def repeat_some(kept: Sequence[KeptRuns], profile: str, n_jobs: int) -> list[RepeatedRun]:
    """Repeat a random share of the kept runs: of some entrants if the profile is "fast"."""
    choice = {"most_entrants": 3, "prefer_short": True} if profile == "fast" else {}
    return repeat_share(
        kept, 0.005, np.random.default_rng(), n_jobs=n_jobs, progress=False, **choice
    )


def oracle_table(
    runs: OracleRuns, first: str, second: str, deltas: Sequence[float]
) -> pd.DataFrame:
    r"""Tabulate samples at the largest risk, and the ratio of two entrants at several risks."""
    top = runs.risks[0]
    return pd.DataFrame(
        {
            "instance": name,
            "T*": time,
            f"{second}, δ = {top:g}": runs.mean(name, second, top),
            f"{first}, δ = {top:g}": runs.mean(name, first, top),
            "over tᵦ": runs.mean(name, first, top) / time_at_threshold(time, top),
            **{f"ratio at {delta:g}": runs.ratio(name, first, second, delta) for delta in deltas},
        }
        for name, time in runs.times.items()
    )


def extreme_ratio(
    runs: OracleRuns, first: str, second: str, deltas: Sequence[float], largest: bool = True
) -> Measurement:
    """Find the largest or the smallest ratio of two entrants over instances and risks."""
    found = [runs.ratio(name, first, second, delta) for name in runs.instances for delta in deltas]
    return extreme(found, largest)


def extreme(found: Sequence[Measurement], largest: bool = True) -> Measurement:
    """Find the largest or the smallest of several measurements."""
    pick = max if largest else min
    low, high = (pick(each.interval[end] for each in found) for end in (0, 1))
    value = pick(each.value for each in found)
    return Measurement(value, (low, high), min(each.runs for each in found))
