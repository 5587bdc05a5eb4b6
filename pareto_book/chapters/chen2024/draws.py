"""One run of several algorithms on each of many instances drawn by the paper's recipe."""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.chapters.chen2024.evidence import BEST, best_time
from pareto_book.chapters.chen2024.steps import averaged_programs
from pareto_book.records.measurements import Measurement, ratio_of
from pareto_core.instances.generators import distinct_best_arms

__all__ = [
    "LAW",
    "DrawnRuns",
    "baselines_ahead",
    "drawn_instances",
    "measure_baselines",
    "measure_relaxation",
    "smallest_gap",
    "stopping_times",
    "wrong_on_draws",
]

LAW = float(np.log(10))  # log(1/delta) at delta = 0.1


def stopping_times(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    nats: ArrayLike,
    runs: int,
    seed: int,
    n_jobs: int | None = None,
) -> np.ndarray:
    """Stopping times at each log(1/delta), (runs, deltas)."""
    deltas = np.exp(-np.asarray(nats, dtype=float))
    results = pc.simulate_deltas(algorithm, instance, deltas, runs, seed, n_jobs, progress=False)
    return np.column_stack([result.samples for result in results])


def drawn_instances(count: int, seed: int = 0) -> list[pc.Instance]:
    """Draw instances by the paper's recipe: 20 arms, 10 objectives, and a best arm in each."""
    return [distinct_best_arms(20, 10, np.random.default_rng(seed + k)) for k in range(count)]


class DrawnRuns:
    """Runs of several algorithms, one on each draw.

    Parameters
    ----------
    draws : sequence of Instance, length n
        Instances.
    seed : int, default 0
        Run k has the seed ``1000 * seed + k``.
    n_jobs : int, optional
        Number of threads.

    Attributes
    ----------
    hardness : ndarray, shape (n,)
        Characteristic time c* of each draw.
    nats : dict of str to ndarray, shape (m,)
        Values of log(1/delta) of each algorithm.
    samples : dict of str to ndarray, shape (n, m)
        Stopping times.
    wrong : dict of str to ndarray of bool, shape (n,)
        Whether the answer is wrong at the first delta.
    seconds : dict of str to float
        Processor time of one sample.
    """

    def __init__(
        self, draws: Sequence[pc.Instance], seed: int = 0, n_jobs: int | None = None
    ) -> None:
        self.draws, self.seed, self.n_jobs = list(draws), seed, n_jobs
        self.hardness = np.array([best_time(draw.means) for draw in self.draws])
        self.nats, self.samples, self.wrong, self.seconds = {}, {}, {}, {}

    def run(self, name: str, algorithm: pc.Algorithm, nats: ArrayLike = (LAW,)) -> None:
        """Run an algorithm once on each draw, and keep its stopping times under a name."""
        pc.simulate(algorithm, self.draws[0], 1, max_samples=50, progress=False)  # compile
        self.nats[name] = np.asarray(nats, dtype=float)
        begin, samples, wrong = time.process_time(), [], []
        for number, draw in enumerate(self.draws):
            results = pc.simulate_deltas(
                algorithm,
                draw,
                np.exp(-self.nats[name]),
                1,
                1000 * self.seed + number,
                self.n_jobs,
                progress=False,
            )
            samples.append([result.samples[0] for result in results])
            wrong.append(not results[0].correct[0])
        self.samples[name], self.wrong[name] = np.array(samples), np.array(wrong)
        seconds = time.process_time() - begin
        self.seconds[name] = seconds / self.samples[name][:, -1].sum()

    def has(self, name: str, nats: float) -> bool:
        """Whether an algorithm was run at this log(1/delta)."""
        return bool(np.isclose(self.nats[name], nats).any())

    def relative(self, name: str, nats: float = LAW) -> np.ndarray:
        """Samples over c* log(1/delta) of an algorithm on each draw."""
        (column,) = np.flatnonzero(np.isclose(self.nats[name], nats))
        return self.samples[name][:, column] / (self.hardness * nats)

    def ratio(self, numerator: str, denominator: str, nats: float = LAW) -> Measurement:
        """Ratio of the mean samples over c* of two algorithms on the same draws."""
        return ratio_of(
            self.relative(numerator, nats), self.relative(denominator, nats), paired=True
        )

    def errors(self, prefixes: tuple[str, ...]) -> np.ndarray:
        """Whether each run of the algorithms with these name prefixes is wrong."""
        return np.concatenate(
            [self.wrong[each] for each in self.wrong if each.startswith(prefixes)]
        )

    def limits(self, eta: float) -> np.ndarray:
        """Limit of the samples of MO-BAI over c* log(1/delta) on each draw."""
        times = [
            pc.characteristic_time(draw.means, problem=BEST, eta=eta).time for draw in self.draws
        ]
        return np.array(times) / self.hardness

    def reached(self, programs: int, draws: int) -> np.ndarray:
        """Evidence of Algorithm 3 over the best possible, (draws, programs), on the first draws."""
        return np.array([averaged_programs(each.means, programs) for each in self.draws[:draws]])


def measure_baselines(runs: DrawnRuns) -> dict[str, Measurement]:
    """Ratios of samples of MO-BAI and the baselines at delta = 0.1, by claim."""
    found = {
        f"fig1_baseline{count}": runs.ratio(f"BASELINE ({count})", "MO-BAI")
        for count in (5, 10, 20)
    }
    return found | {
        "fig1_iterations": runs.ratio("BASELINE (5)", "BASELINE (20)"),
        "exact_over_mobai": runs.ratio("D-Tracking, exact", "MO-BAI"),
        "exact_over_mobai_10_nats": runs.ratio("D-Tracking, exact", "MO-BAI", 10),
    }


def baselines_ahead(runs: DrawnRuns) -> dict[str, int]:
    """Number of draws on which each baseline needs fewer samples than MO-BAI."""
    mobai = runs.relative("MO-BAI")
    return {
        f"baseline{count}_ahead": (runs.relative(f"BASELINE ({count})") < mobai).sum()
        for count in (5, 10, 20)
    }


def measure_relaxation(runs: DrawnRuns) -> dict[str, Measurement]:
    """Ratios of samples of MO-BAI with other values of eta to those with 0.1, by claim."""
    return {
        "fig2_eta05": runs.ratio("η = 0.5", "MO-BAI", 10),
        "fig2_eta1": runs.ratio("η = 1", "MO-BAI", 10),
        "fig2_eta2": runs.ratio("η = 2", "MO-BAI", 10),
        "fig2_similar": runs.ratio("η = 0.5", "MO-BAI"),
        "eta_one_over_tenth": runs.ratio("η = 1", "MO-BAI"),
    }


def smallest_gap(draws: Sequence[pc.Instance]) -> float:
    """Smallest difference of the two largest means of an objective."""
    ordered = [np.sort(draw.means, axis=0) for draw in draws]
    return float(np.min([means[-1] - means[-2] for means in ordered]))


def wrong_on_draws(
    algorithm: pc.Algorithm,
    draws: Sequence[pc.Instance],
    seed: int,
    n_jobs: int | None = None,
    max_samples: int = 10**6,
) -> np.ndarray:
    """Whether an algorithm errs in one run on each draw."""
    runs = [
        pc.simulate(algorithm, draw, 1, seed + k, n_jobs, max_samples=max_samples, progress=False)
        for k, draw in enumerate(draws)
    ]
    return np.array([not each.correct[0] for each in runs])
