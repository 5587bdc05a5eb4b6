"""Repeat a random share of the kept runs, and compare the results."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pareto_book.kept_runs.competitions import find_instance
from pareto_book.kept_runs.run_files import KeptRuns
from pareto_core.checks.arguments import check_count, check_probability
from pareto_core.checks.progress import progress_bar
from pareto_core.simulation.runs import Simulation
from pareto_core.simulation.scheduling import check_workers, run_batches
from pareto_lab.comparison.arguments import right_answers

__all__ = ["RepeatedRun", "repeat_share"]


class RepeatedRun(NamedTuple):
    """A kept run that was repeated; ``samples`` and ``right`` are the results of the repetition."""

    kept: KeptRuns
    run: int
    samples: int
    right: bool

    @property
    def is_identical(self) -> bool:
        """Whether it took the same number of samples, and its answer was right as before."""
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
        return (
            f"{kept.name} on {kept.instance} at {kept.delta:g}, run {run}: {now}; kept are {before}"
        )


class RunsAtRisks(NamedTuple):
    """Kept runs of one entrant on one instance, at risks that share their samples.

    Those with the same number are one simulated run, stopped at each of the risks.
    """

    kept: tuple[KeptRuns, ...]  # in decreasing order of risk
    algorithms: tuple  # one per risk
    instance: object
    max_samples: int

    @property
    def runs(self):
        """Numbers of the runs."""
        return np.arange(max(each.samples.size for each in self.kept))

    @property
    def covered(self):
        """How many kept runs have each number: one per risk at which the run is kept."""
        return sum((self.runs < each.samples.size).astype(int) for each in self.kept)

    @property
    def seconds(self):
        """Approximate time of each run, until the smallest risk at which it is kept."""
        longest = np.zeros(self.runs.size)
        for each in self.kept:
            part = longest[: each.samples.size]
            np.maximum(part, 1e-6 * each.microseconds * each.samples, out=part)
        return longest


def repeat_share(
    kept: Sequence[KeptRuns],
    share: float,
    rng: np.random.Generator,
    most_entrants: int | None = None,
    prefer_short: bool = False,
    n_jobs: int | None = None,
    progress: bool = True,
) -> list[RepeatedRun]:
    """Repeat a random share of the kept runs."""
    check_probability(share, "share")
    n_jobs = check_workers(n_jobs, None)
    names = list(dict.fromkeys(each.name for each in kept))
    if most_entrants is not None:
        names = rng.permutation(names)[: check_count(most_entrants, "most_entrants")]
    part = [each for each in kept if each.name in names]
    number = max(1, round(share * sum(each.samples.size for each in part)))
    groups = _group_by_samples(part)
    chosen = _choose(groups, number, rng, prefer_short)
    return _repeat(groups, chosen, n_jobs, progress)


def _group_by_samples(kept):
    """Group the kept runs that share their samples."""
    found = {name: find_instance(name) for name in dict.fromkeys(each.instance for each in kept)}
    parts = {}
    for each in kept:
        _, entrants, _ = found[each.instance]
        shared = entrants[each.name].algorithm.sampling_ignores_delta
        key = each.instance, each.name, None if shared else each.delta
        parts.setdefault(key, []).append(each)
    groups = []
    for (instance_name, name, _), part in parts.items():
        _, entrants, instance = found[instance_name]
        part = sorted(part, key=lambda each: -each.delta)
        algorithms = tuple(entrants[name].algorithm.with_delta(each.delta) for each in part)
        groups.append(RunsAtRisks(tuple(part), algorithms, instance, entrants[name].max_samples))
    return groups


def _choose(groups, number, rng, prefer_short):
    """Choose runs of each group at random, until ``number`` kept runs are covered."""
    covered = np.concatenate([each.covered for each in groups])
    means = np.concatenate([each.seconds for each in groups]) if prefer_short else 1.0
    order = np.argsort(means * rng.exponential(size=covered.size))
    enough = 1 + np.searchsorted(covered[order].cumsum(), number)
    chosen = np.zeros(covered.size, bool)
    chosen[order[:enough]] = True
    ends = np.cumsum([each.runs.size for each in groups])
    return [np.flatnonzero(part) for part in np.split(chosen, ends[:-1])]


def _repeat(groups, chosen, n_jobs, progress):
    """Repeat the chosen runs of each group."""
    found = [[] for _ in groups]
    with progress_bar(sum(map(len, chosen)), "runs made again", progress) as bar:

        def collect(number, repeated):
            found[number] = repeated
            bar.update(len(chosen[number]))

        run_batches(
            lambda number: _repeat_group(groups[number], chosen[number]),
            [number for number, runs in enumerate(chosen) if len(runs)],
            collect,
            n_jobs,
            "threads",
        )
    return [each for repeated in found for each in repeated]


def _repeat_group(group, runs):
    """Repeat the runs of a group with these numbers, at each risk at which they are kept."""
    first = group.kept[0]
    simulation = Simulation(group.algorithms, group.instance, 1, first.seed, group.max_samples)
    found = []
    for run in map(int, runs):
        levels = zip(group.kept, group.algorithms, simulation.work((run, run + 1)), strict=True)
        for kept, algorithm, columns in levels:
            if run < kept.samples.size:
                right = columns["stopped"] & right_answers(
                    algorithm, group.instance, columns["correct"], columns["answers"]
                )
                found.append(RepeatedRun(kept, run, int(columns["samples"][0]), bool(right[0])))
    return found
