"""The results of a comparison."""

import dataclasses
import functools

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import check_choice
from pareto_core.simulation.results import Runs
from pareto_core.simulation.statistics import mean_interval, ratio_interval
from pareto_lab.comparison.lower_bounds import fewest_samples

__all__ = ["Comparison"]

COUNTED = ("errors", "unfinished")  # whole numbers of a row
PRINTED = ["instance", "algorithm", "delta", "runs", "samples", "samples_low", "samples_high"]
PRINTED += ["errors", "unfinished", "over_the_bound"]
DIFFERENCES = ["instance", "first", "second", "delta", "ratio", "ratio_low", "ratio_high"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Results of a comparison, as `compare` returns them.

    Attributes
    ----------
    runs : dict of (str, str, float or None) to Runs
        By the name of the instance, the name of the algorithm and the risk, which is None for an
        algorithm with a budget. Sorted by instance, then by algorithm, then by decreasing risk.
    times : dict of (str, str) to float
        Characteristic time by the names of instance and question; NaN if it is unknown.
    microseconds : dict
        Time of a thread that a sample took, including the time to draw it, under the keys of
        ``runs``; NaN on a cluster, and if nearly all runs came from a store. Risks that share
        their runs share the time.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="corner")
    >>> algorithms = [pc.UniformSampling(budget=30), pc.EGE(budget=30)]
    >>> table = lab.compare(algorithms, instance, runs=2, progress=False)
    >>> table.runs["corner", "EGE", None].samples
    array([29, 29])
    """

    runs: dict[tuple[str, str, float | None], Runs]
    times: dict[tuple[str, str], float]
    microseconds: dict[tuple[str, str, float | None], float]

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each instance, algorithm and risk, a `pandas.DataFrame`.

        Columns are ``instance``, ``algorithm``, ``question``, ``delta`` (NaN with a budget),
        ``runs``; the mean ``samples`` with ``samples_low`` and ``samples_high``; ``errors``,
        ``error_rate``, ``error_low``, ``error_high`` and ``unfinished`` of `Runs.summary`, which
        counts a run that was cut off as an error; ``characteristic_time``;
        ``over_the_bound``, the mean samples over `lower_bounds.fewest_samples`; and
        ``microseconds`` per sample. Intervals are at 95 %.
        """
        return pd.DataFrame([self._row(*key) for key in self.runs])

    def _row(self, instance, name, delta):
        runs = self.runs[instance, name, delta]
        row, question = runs.summary(), runs.algorithm.question.name
        errors = ("errors", "error_rate", "error_low", "error_high", "unfinished")
        time = self.times[instance, question]
        return {
            "instance": instance,
            "algorithm": name,
            "question": question,
            "delta": np.nan if delta is None else delta,
            "runs": runs.samples.size,
            "samples": row["mean"],
            "samples_low": row["mean_low"],
            "samples_high": row["mean_high"],
            **{each: int(row[each]) if each in COUNTED else row[each] for each in errors},
            "characteristic_time": time,
            "over_the_bound": row["mean"] / fewest_samples(time, delta),
            "microseconds": self.microseconds[instance, name, delta],
        }

    def differences(self, first: str | None = None) -> pd.DataFrame:
        """Compare the samples of one algorithm with those of every other, run by run.

        Run r of both algorithms draws from the same generator, and the bootstrap resamples pairs of
        runs, so the intervals are the narrower the more alike the two algorithms sample.

        Parameters
        ----------
        first : str, optional
            Name of the algorithm; by default that of the first one.

        Returns
        -------
        pandas.DataFrame
            A row for each instance, each other algorithm, and each risk at which both were played:
            ``instance``, ``first``, ``second``, ``delta``, ``runs``; the ``difference`` of the mean
            samples, first minus second, and their ``ratio``, each with 95 % intervals, ``_low`` and
            ``_high``; and ``unfinished``, the number of pairs in which a run was cut off, so that
            its samples are too few. An algorithm with a budget, or with a single risk that the
            other does not share, is compared with the other at all its risks.

        Raises
        ------
        ValueError
            If the name is unknown.
        """
        names = list(dict.fromkeys(name for _, name, _ in self.runs))
        first = check_choice(names[0] if first is None else first, "first", names)
        return pd.DataFrame(
            [
                {
                    "instance": instance,
                    "first": first,
                    "second": name,
                    "delta": np.nan if delta is None else delta,
                    **_paired(self.runs[instance, first, its], self.runs[instance, name, own]),
                }
                for instance in dict.fromkeys(key[0] for key in self.runs)
                for name in names
                if name != first
                for delta, own, its in self._shared_deltas(instance, name, first)
            ]
        )

    def _shared_deltas(self, instance, name, reference):
        """Risks at which two algorithms are compared on an instance."""
        ours, theirs = (
            [delta for *key, delta in self.runs if key == [instance, each]]
            for each in (name, reference)
        )
        shared = [(delta, delta, delta) for delta in ours if delta in theirs]
        if not shared and min(len(ours), len(theirs)) == 1:
            shared = [(own or its, own, its) for own in ours for its in theirs]
        return shared

    def __repr__(self):
        tables = [self.frame[PRINTED]]
        if len(differences := self.differences()):
            tables.append(differences[[*DIFFERENCES, "unfinished"]])
        form = {"index": False, "na_rep": "-", "float_format": "{:.5g}".format}
        return "\n\n".join(each.to_string(**form) for each in tables)

    def _repr_html_(self):
        return self.frame._repr_html_()


def _paired(first, second):
    """Difference and ratio of the samples of two simulations with the same seed."""
    low, high = mean_interval(first.samples - second.samples)
    ratio_low, ratio_high = ratio_interval(first.samples, second.samples, paired=True)
    return {
        "runs": first.samples.size,
        "difference": np.mean(first.samples - second.samples),
        "difference_low": low,
        "difference_high": high,
        "ratio": first.samples.mean() / second.samples.mean(),
        "ratio_low": ratio_low,
        "ratio_high": ratio_high,
        "unfinished": int((~first.stopped | ~second.stopped).sum()),
    }
