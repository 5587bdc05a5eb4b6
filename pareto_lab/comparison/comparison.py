"""Several algorithms on several instances from the same seeds, and what comes out."""

import dataclasses
import functools
import os
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_choice, check_count, shown
from pareto_core.checks.progress import progress_bar
from pareto_core.checks.words import Backend
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.results import Runs
from pareto_core.simulation.scheduling import check_workers, run_batches
from pareto_lab.comparison.games import draw_up, play
from pareto_lab.comparison.lower_bounds import fewest_samples, time_of
from pareto_lab.comparison.pairing import paired_summary
from pareto_lab.comparison.report import report
from pareto_lab.comparison.rules import checked_deltas, delta_of, named_algorithms, named_instances

__all__ = ["Comparison", "compare"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Results of a comparison; ``first | second`` has those of both.

    Attributes
    ----------
    runs : dict of (str, str, float or None) to Runs
        By the names of instance and algorithm and the risk, which is None for an algorithm
        with a budget; by instance, then by algorithm, then from the largest risk down.
    times : dict of (str, str) to float
        Characteristic time by the names of instance and question; NaN where there is none, see
        `lower_bounds.time_of`.
    microseconds : dict
        Time of a thread that a sample took, drawing it included, under the keys of ``runs``;
        NaN on a cluster, and where nearly all came from a store. Risks that share their runs
        share it.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> algorithms = [pc.UniformSampling(budget=30), pc.EGE(budget=30)]
    >>> table = lab.compare(algorithms, instance, runs=2, progress=False)
    >>> table.find("EGE").samples
    array([29, 29])
    """

    runs: dict[tuple[str, str, float | None], Runs]
    times: dict[tuple[str, str], float]
    microseconds: dict[tuple[str, str, float | None], float]

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """A line for each instance, algorithm and risk.

        Columns are ``instance``, ``algorithm``, ``question``, ``delta`` (NaN with a budget),
        ``runs``; the mean ``samples`` with ``samples_low`` and ``samples_high``; ``errors``,
        ``error_rate``, ``error_low``, ``error_high`` and ``unfinished`` of `Runs.summary`, by
        which a run that was cut off is an error too; ``characteristic_time``;
        ``over_the_bound``, the mean samples over `lower_bounds.fewest_samples`; and
        ``microseconds`` per sample. Intervals are at 95 %.

        Returns
        -------
        pandas.DataFrame
        """
        return pd.DataFrame([self._line(*key) for key in self.runs])

    def _line(self, place, name, delta):
        runs = self.runs[place, name, delta]
        row, question = runs.summary(), runs.algorithm.question.name
        errors = ("errors", "error_rate", "error_low", "error_high", "unfinished")
        time = self.times[place, question]
        return {
            "instance": place,
            "algorithm": name,
            "question": question,
            "delta": np.nan if delta is None else delta,
            "runs": runs.samples.size,
            "samples": row["mean"],
            "samples_low": row["mean_low"],
            "samples_high": row["mean_high"],
            **{each: int(row[each]) if each[-1] in "sd" else row[each] for each in errors},
            "characteristic_time": time,
            "over_the_bound": row["mean"] / fewest_samples(time, delta),
            "microseconds": self.microseconds[place, name, delta],
        }

    def at(self, delta: float | None = None) -> pd.DataFrame:
        """Lines of the frame at one risk, and those of algorithms with a budget.

        Parameters
        ----------
        delta : float, optional
            Risk; by default the largest of each algorithm on each instance.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ValueError
            If no algorithm was played at this risk.
        """
        if delta is None:
            return self.frame.drop_duplicates(["instance", "algorithm"], ignore_index=True)
        here = np.isclose(self.frame["delta"], delta, rtol=1e-9, atol=0)
        if not here.any():
            raise ValueError(f"delta = {delta!r}; expected one of {_listed(self.runs)}")
        return self.frame[here | self.frame["delta"].isna()].reset_index(drop=True)

    def find(self, algorithm: str, instance: str | None = None, delta: float | None = None) -> Runs:
        """Runs of an algorithm.

        Parameters
        ----------
        algorithm : str
            Its name.
        instance : str, optional
            Name of the instance; not needed if there is one only.
        delta : float, optional
            Risk; not needed if the algorithm was played at one only, and not used if it has a
            budget.

        Returns
        -------
        Runs

        Raises
        ------
        ValueError
            If there are none, or the arguments leave open which.
        """
        check_choice(algorithm, "algorithm", {name for _, name, _ in self.runs})
        places = {place for place, name, _ in self.runs if name == algorithm}
        if instance is None and len(places) == 1:
            (instance,) = places
        check_choice(instance, "instance", places)
        keys = [key for key in self.runs if key[:2] == (instance, algorithm)]
        if delta is not None:
            keys = [key for key in keys if key[2] is None or np.isclose(key[2], delta, 1e-9, 0)]
        if len(keys) != 1:
            found = _listed(key for key in self.runs if key[:2] == (instance, algorithm))
            raise ValueError(f"delta = {delta!r}; expected one of {found}")
        return self.runs[keys[0]]

    def paired(
        self, first: str, second: str, instance: str | None = None, delta: float | None = None
    ) -> pd.Series:
        """What one algorithm needs more than another, run by run.

        Run r of both draws from the same generator, and stays together with its partner in the
        bootstrap. That is never wrong; how much narrower the intervals are for it depends on
        how alike the two algorithms sample.

        Parameters
        ----------
        first, second : str
            Names of the algorithms.
        instance, delta : optional
            See `Comparison.find`.

        Returns
        -------
        pandas.Series
            ``runs``; ``difference`` of the mean samples, first minus second, and their
            ``ratio``, each with ``_low`` and ``_high`` at 95 %; and ``unfinished``, the pairs
            of which one run was cut off: what is said of them is said of too few samples.

        Raises
        ------
        ValueError
            If a name is unknown, or the arguments leave open which runs are meant.
        """
        return paired_summary(self.find(first, instance, delta), self.find(second, instance, delta))

    def differences(self, reference: str | None = None) -> pd.DataFrame:
        """Every algorithm against one of them, run by run.

        Parameters
        ----------
        reference : str, optional
            Name of the algorithm; by default the first.

        Returns
        -------
        pandas.DataFrame
            A line for each instance, other algorithm and risk at which both were played:
            ``instance``, ``algorithm``, ``reference``, ``delta`` and the entries of
            `Comparison.paired`, the other algorithm minus the reference. With a budget, or with
            a risk of its own, an algorithm is compared at all risks of the other.

        Raises
        ------
        ValueError
            If the name is unknown.
        """
        names = list(dict.fromkeys(name for _, name, _ in self.runs))
        reference = check_choice(names[0] if reference is None else reference, "reference", names)
        return pd.DataFrame(
            [
                {
                    "instance": place,
                    "algorithm": name,
                    "reference": reference,
                    "delta": np.nan if delta is None else delta,
                    **paired_summary(self.runs[place, name, own], self.runs[place, reference, its]),
                }
                for place in dict.fromkeys(place for place, _, _ in self.runs)
                for name in names
                if name != reference
                for delta, own, its in self._shared_deltas(place, name, reference)
            ]
        )

    def _shared_deltas(self, place, name, reference):
        """Risks that two algorithms share on an instance, or that of one against all others."""
        ours, theirs = (
            [delta for *key, delta in self.runs if key == [place, each]]
            for each in (name, reference)
        )
        shared = [(delta, delta, delta) for delta in ours if delta in theirs]
        if not shared and min(len(ours), len(theirs)) == 1:
            shared = [(own or its, own, its) for own in ours for its in theirs]
        return shared

    def plot(self, delta: float | None = None) -> np.ndarray:
        """Mean samples over the lower bound, a panel for each question.

        Bars are 95 % intervals. A cross marks an algorithm with a run that was cut off, whose
        mean is larger still. Where a bound is missing, the axis has the samples themselves.

        Parameters
        ----------
        delta : float, optional
            Risk; by default the largest of each algorithm.

        Returns
        -------
        ndarray of matplotlib.axes.Axes
            One for each question.

        Raises
        ------
        ValueError
            If no algorithm was played at this risk.
        """
        from pareto_lab.comparison import (
            pictures,  # Matplotlib is slow to import, and not always used
        )

        lines = self.at(delta)
        return pictures.plot_ratios(dict(iter(lines.groupby("question", sort=False))))

    def __or__(self, other):
        if not isinstance(other, Comparison):
            return NotImplemented
        for key in self.runs.keys() & other.runs.keys():
            raise ValueError(f"both comparisons have {key}; expected different ones")
        places = {place: runs.instance for (place, _, _), runs in self.runs.items()}
        for (place, _, _), runs in other.runs.items():
            if not np.array_equal(runs.instance.means, places.get(place, runs.instance).means):
                raise ValueError(f"both comparisons have an instance {place!r}; expected the same")
        return Comparison(
            self.runs | other.runs, self.times | other.times, self.microseconds | other.microseconds
        )

    def __repr__(self):
        return report(self)

    def _repr_html_(self):
        return self.frame._repr_html_()


def _listed(keys):
    """The risks among the keys, to be read."""
    deltas = dict.fromkeys(delta for _, _, delta in keys if delta is not None)
    return ", ".join(f"{delta:g}" for delta in sorted(deltas, reverse=True)) or "None"


def compare(
    algorithms: Mapping[str, Algorithm] | Iterable[Algorithm],
    instances: str | Instance | Mapping[str, str | Instance] | Iterable[str | Instance],
    deltas: ArrayLike | None = None,
    runs: int = 100,
    seed: int = 0,
    n_jobs: int | None = None,
    max_samples: int = 10**9,
    store: str | os.PathLike | None = None,
    progress: bool = True,
    backend: Backend | None = None,
    store_key: Mapping[str, str] | None = None,
) -> Comparison:
    """Let algorithms meet on instances, from the same seeds.

    What comes out for an algorithm on an instance is what `simulate` gives. Where rewards are
    Bernoulli, an algorithm that can be told a bound on their variance, and has not been, is told
    1/4.

    Parameters
    ----------
    algorithms : dict of str to Algorithm, or sequence of Algorithm
        By name, or called by their classes.
    instances : str, Instance, dict of str to either, or sequence of either
        What `load_instance` knows by name, or an instance itself.
    deltas : sequence of float, optional
        Risks at which each algorithm is played; by default each at its own. One with a budget
        in place of a risk is played once.
    runs : int, default 100
        Runs of each algorithm on each instance at each risk.
    seed, n_jobs, max_samples, store, progress, backend
        See `simulate`. All games share the threads, the processes or the cluster, and the
        progress bar. In a store each finds what it had finished.
    store_key : dict of str to str, optional
        Your own names for versions of algorithms that a store refuses, by the names of the
        algorithms; see `simulate`.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If an argument is out of range, or an algorithm cannot play an instance, before anything
        is played; or as `simulate` does.
    ImportError
        If ``backend`` is "dask" and `distributed` is not installed.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> arms = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="corner")
    >>> algorithms = {"APE": pc.APE(), "proven": pc.APE(bonus="mixture")}
    >>> table = lab.compare(algorithms, arms, deltas=[0.1, 0.01], runs=20)
    >>> table.frame[["instance", "algorithm", "delta", "runs"]]
      instance algorithm  delta  runs
    0   corner       APE   0.10    20
    1   corner       APE   0.01    20
    2   corner    proven   0.10    20
    3   corner    proven   0.01    20
    >>> bool(table.paired("proven", "APE", delta=0.01)["ratio_low"] > 1)
    True
    """
    check_count(runs, "runs")
    check_count(seed, "seed", at_least=0)
    check_count(max_samples, "max_samples")
    n_jobs = check_workers(n_jobs, backend)
    named = named_algorithms(algorithms)
    _check_store_key(store_key, named)
    games = draw_up(named, named_instances(instances), checked_deltas(deltas))
    with progress_bar(runs * len(games), "comparison", progress) as bar:
        times = _times(games, n_jobs)
        results = play(games, runs, seed, n_jobs, max_samples, store, backend, bar, store_key)
    levels = [
        ((game.place, game.name, delta_of(level.algorithm)), level, cost)
        for game, (found, cost) in zip(games, results, strict=True)
        for level in found
    ]
    return Comparison(
        {key: level for key, level, _ in levels}, times, {key: cost for key, _, cost in levels}
    )


def _check_store_key(store_key, algorithms):
    if store_key is None:
        return
    if not isinstance(store_key, Mapping) or not set(store_key) <= set(algorithms):
        raise ValueError(
            f"store_key = {shown(store_key)}; expected a dictionary with names among "
            f"{', '.join(map(repr, algorithms))}"
        )


def _times(games, n_jobs):
    """Characteristic times by instance and question."""
    asked = {
        (game.place, game.levels[0].question.name): (game.instance, game.levels[0].question)
        for game in games
    }
    times = dict.fromkeys(asked)
    run_batches(lambda key: time_of(*asked[key]), list(asked), times.__setitem__, n_jobs, "threads")
    return times
