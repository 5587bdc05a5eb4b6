"""Make some of the kept runs again, to see that they are the same."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.kept_runs import Kept
from pareto_book.kept_runs.season import find_place
from pareto_core.checks.arguments import check_count, check_probability
from pareto_core.checks.progress import progress_bar
from pareto_core.simulation.runs import Simulation
from pareto_core.simulation.scheduling import check_workers, run_batches
from pareto_lab.comparison.arguments import right_answers

__all__ = ["Repetition", "repeat_share"]


class Repetition(NamedTuple):
    """A run that was made again."""

    kept: Kept
    run: int
    samples: int
    right: bool

    @property
    def is_same(self) -> bool:
        """Whether it took as many samples, with as good an answer."""
        kept = self.kept
        return bool(self.samples == kept.samples[self.run] and self.right == kept.right[self.run])

    def __str__(self):
        kept, run = self.kept, self.run
        now, before = (
            f"{samples} samples, {'right' if right else 'not right'}"
            for samples, right in (
                (self.samples, self.right),
                (kept.samples[run], kept.right[run]),
            )
        )
        return f"{kept.name} on {kept.place} at {kept.delta:g}, run {run}: {now}; kept are {before}"


class Series(NamedTuple):
    """Runs that are made together: those of one number are one run, looked at by several risks."""

    kept: tuple[Kept, ...]  # of one entrant on one instance, the largest risk first
    algorithms: tuple
    instance: object
    most_samples: int

    @property
    def runs(self):
        """Numbers of the runs."""
        return np.arange(max(each.samples.size for each in self.kept))

    @property
    def covered(self):
        """How many of the kept runs have each number."""
        return sum((self.runs < each.samples.size).astype(int) for each in self.kept)

    @property
    def seconds(self):
        """About how long each takes: that of the smallest risk that is kept."""
        longest = np.zeros(self.runs.size)
        for each in self.kept:
            part = longest[: each.samples.size]
            np.maximum(part, 1e-6 * each.microseconds * each.samples, out=part)
        return longest


def repeat_share(
    kept: Sequence[Kept],
    share: float,
    rng: np.random.Generator,
    most_entrants: int | None = None,
    prefer_short: bool = False,
    n_jobs: int | None = None,
    progress: bool = True,
) -> list[Repetition]:
    """Make a random share of the kept runs again.

    Where what an algorithm samples does not depend on its risk, a run serves all risks at once.

    Parameters
    ----------
    kept : sequence of Kept
        What to choose from.
    share : float
        Part of the runs, in (0, 1).
    rng : Generator
        Chooses.
    most_entrants : int, optional
        Look at the runs of so many entrants only, themselves chosen at random, so that fewer
        kernels are compiled.
    prefer_short : bool, default False
        Choose a run with a chance that is inverse to the time it took, in place of the same
        for all: a run of a second is chosen a thousand times less often than one of a millisecond.
    n_jobs, progress
        See `simulate`.

    Returns
    -------
    list of Repetition
        Of at least so many runs, for a run that serves several risks is there with all.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    check_probability(share, "share")
    n_jobs = check_workers(n_jobs, None)
    names = list(dict.fromkeys(each.name for each in kept))
    if most_entrants is not None:
        names = rng.permutation(names)[: check_count(most_entrants, "most_entrants")]
    part = [each for each in kept if each.name in names]
    number = max(1, round(share * sum(each.samples.size for each in part)))
    series = _series(part)
    chosen = _choose(series, number, rng, prefer_short)
    return _repeat(series, chosen, n_jobs, progress)


def _series(kept):
    """All series of the kept runs."""
    places = {place: find_place(place) for place in dict.fromkeys(each.place for each in kept)}
    groups = {}
    for each in kept:
        _, entrants, _ = places[each.place]
        shared = entrants[each.name].algorithm.sampling_ignores_delta
        groups.setdefault((each.place, each.name, None if shared else each.delta), []).append(each)
    found = []
    for (place, name, _), group in groups.items():
        _, entrants, instance = places[place]
        group = sorted(group, key=lambda each: -each.delta)
        algorithms = tuple(entrants[name].algorithm.with_delta(each.delta) for each in group)
        found.append(Series(tuple(group), algorithms, instance, entrants[name].most_samples))
    return found


def _choose(series, number, rng, prefer_short):
    """Runs of each series, at random, until ``number`` kept runs are covered.

    The first of independent exponential times is each one's with a chance inverse to its mean.
    """
    covered = np.concatenate([each.covered for each in series])
    means = np.concatenate([each.seconds for each in series]) if prefer_short else 1.0
    order = np.argsort(means * rng.exponential(size=covered.size))
    enough = 1 + np.searchsorted(covered[order].cumsum(), number)
    chosen = np.zeros(covered.size, bool)
    chosen[order[:enough]] = True
    ends = np.cumsum([each.runs.size for each in series])
    return [np.flatnonzero(part) for part in np.split(chosen, ends[:-1])]


def _repeat(series, chosen, n_jobs, progress):
    """The chosen runs of each series, made again."""
    found = [[] for _ in series]
    with progress_bar(sum(map(len, chosen)), "runs made again", progress) as bar:

        def collect(number, repetitions):
            found[number] = repetitions
            bar.update(len(chosen[number]))

        run_batches(
            lambda number: _make_again(series[number], chosen[number]),
            [number for number, runs in enumerate(chosen) if len(runs)],
            collect,
            n_jobs,
            "threads",
        )
    return [each for repetitions in found for each in repetitions]


def _make_again(series, runs):
    """Runs of one series with these numbers, at each risk for which they are kept."""
    first = series.kept[0]
    simulation = Simulation(series.algorithms, series.instance, 1, first.seed, series.most_samples)
    found = []
    for run in map(int, runs):
        levels = zip(series.kept, series.algorithms, simulation.work((run, run + 1)), strict=True)
        for kept, algorithm, columns in levels:
            if run < kept.samples.size:
                right = columns["stopped"] & right_answers(
                    algorithm, series.instance, columns["correct"], columns["answers"]
                )
                found.append(Repetition(kept, run, int(columns["samples"][0]), bool(right[0])))
    return found
