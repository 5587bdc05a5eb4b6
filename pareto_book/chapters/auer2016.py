"""Racing: gaps, the compiler settings, and three readings of PAL."""

import dataclasses
import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement, mean_of, rate_of, ratio_of
from pareto_book.rivals import PAL
from pareto_book.rivals.gaussian_process import Hyperparameters, fit
from pareto_book.studies import front_criteria
from pareto_core.instances.datasets import read_table

# ------------------------------------------------------------------------------------------------
# Gaps of six arms


def draw_gaps(instance: pc.Instance) -> Figure:
    """Draw arms with arrows as long as their gaps, by the definition of Auer et al."""
    figure, axes = plots.new_figure(height=3.8)
    means, front = instance.means, instance.pareto_set
    plots.scatter_arms(axes, means, front, labels=False)
    for label, mean in zip(instance.labels, means, strict=True):
        axes.annotate(label, mean, (-13, 3), textcoords="offset points", fontsize=10)
    gaps = pc.gaps(means, "auer")
    for k, (mean, gap) in enumerate(zip(means, gaps, strict=True)):
        if k not in front:
            _draw_arrow(axes, mean, mean + gap, plots.RED)
    for k in front:
        lead, start, end = _shortest_lead(means, front, k)
        if lead <= gaps[k] + 1e-12:
            _draw_arrow(axes, start, end, plots.GREEN)
    axes.set(xlim=(0, 3), ylim=(0, 3), aspect="equal")
    axes.set(xlabel="objective 1", ylabel="objective 2")
    return figure


def _shortest_lead(means, front, arm):
    """Smallest M between an arm and other optimal ones; both ends of the arrow that shows it."""
    others = [other for other in front if other != arm]
    pairs = [pair for other in others for pair in ((arm, other), (other, arm))]
    lead, ahead, behind = min(((means[a] - means[b]).max(), a, b) for a, b in pairs)
    end = means[behind].copy()
    c = (means[ahead] - means[behind]).argmax()
    end[c] = means[ahead, c]
    return lead, means[behind], end


def _draw_arrow(axes, start, end, colour):
    arrow = {"arrowstyle": "->", "color": colour, "shrinkA": 0, "shrinkB": 0, "lw": 1.5}
    axes.annotate("", end, start, arrowprops=arrow)


# ------------------------------------------------------------------------------------------------
# The compiler settings


def read_settings() -> tuple[np.ndarray, np.ndarray]:
    """Read the features and the objectives of all settings, shape (1024, 10) and (1024, 2)."""
    table = read_table("sw_llvm")
    return table[:, 1:11], table[:, 11:]


def unexplained(features: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Share of the variance that a linear regression leaves, in per cent."""
    design = np.column_stack([np.ones(len(features)), features])
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return 100 * (values - fitted).var(axis=0) / values.var(axis=0)


def rank_of_features(features: np.ndarray, values: np.ndarray, chosen: Sequence[int]) -> tuple:
    """Rank of some features among all choices of as many, by what they leave unexplained."""
    left = [
        unexplained(features[:, list(each)], values[:, None])[0]
        for each in itertools.combinations(range(features.shape[1]), len(chosen))
    ]
    own = unexplained(features[:, list(chosen)], values[:, None])[0]
    return 1 + sum(each < own - 1e-9 for each in left), len(left)


# ------------------------------------------------------------------------------------------------
# Racing and PAL over a grid of accuracies


class Grid(NamedTuple):
    """What was found in each run at each accuracy, in arrays of shape (accuracies, runs)."""

    epsilons: np.ndarray  # (accuracies,)
    distance: np.ndarray  # estimation distance of the answer
    finds_all: np.ndarray  # whether the answer has all optimal arms
    samples: np.ndarray
    finished: np.ndarray  # whether the run stopped before the observations were used up

    @property
    def late(self) -> np.ndarray:
        """Whether the distance of an answer is above the accuracy."""
        return self.distance > self.epsilons[:, None]

    @property
    def worst_of_ten(self) -> np.ndarray:
        """Largest distances in batches of ten runs, shape (accuracies, batches)."""
        return self.distance.reshape(len(self.distance), -1, 10).max(axis=2)


def over_grid(
    algorithm: pc.Racing | PAL,
    instance: pc.Instance,
    epsilons: ArrayLike,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Grid:
    """Run an algorithm at each accuracy."""
    epsilons = np.asarray(epsilons, dtype=float)
    algorithms = [dataclasses.replace(algorithm, epsilon=each) for each in epsilons.tolist()]
    results = [pc.simulate(each, instance, runs, seed, n_jobs) for each in algorithms]
    means, front = instance.means, instance.pareto_set
    return Grid(
        epsilons,
        np.array([front_criteria.estimation_distance(means, each.answers) for each in results]),
        np.array([each.answers[:, front].all(axis=1) for each in results]),
        np.array([each.samples for each in results]),
        np.array([each.stopped for each in results]),
    )


Prior = tuple[Hyperparameters, ...]  # of the Gaussian process of each objective


def fitted_to(instance: pc.Instance, rows: slice | np.ndarray) -> Prior:
    """Fit hyper-parameters to some of the recorded observations of an instance."""
    per_arm = len(instance.observations[0])
    arms = np.repeat(np.arange(instance.n_arms), per_arm)[rows]
    groups = pd.DataFrame(np.concatenate(instance.observations)[rows]).groupby(arms)
    scatter = groups.agg(lambda y: y.var(ddof=0) * len(y))
    seen = groups.size(), groups.mean(), scatter
    return fit(
        instance.features, *(each.reindex(range(instance.n_arms), fill_value=0) for each in seen)
    )


def draw_priors(instance: pc.Instance, count: int, seed: int, observations: int = 30) -> list:
    """Fit hyper-parameters to all observations, then `count` times to some drawn at random."""
    total = sum(map(len, instance.observations))
    generators = (np.random.default_rng((seed, k)) for k in range(count))
    drawn = (each.choice(total, observations, replace=False) for each in generators)
    return [fitted_to(instance, rows) for rows in (slice(None), *drawn)]


def negated(priors: Sequence[Prior]) -> list[Prior]:
    """Hyper-parameters of the same objectives with their directions reversed."""
    return [tuple(dataclasses.replace(one, mean=-one.mean) for one in each) for each in priors]


def readings(
    instance: pc.Instance,
    priors: Sequence[Prior],
    epsilons: ArrayLike,
    runs: int,
    seed: int,
    n_jobs: int | None = None,
) -> dict[str, Grid]:
    """Run PAL in three readings at all accuracies."""

    def over(prior, runs, seed, **options):
        algorithm = PAL(hyperparameters=prior, **options)
        return over_grid(algorithm, instance, epsilons, runs, seed, n_jobs)

    best, *drawn = priors
    scripts = [
        over(prior, 1, k, beta_divisor=3.0, initial_samples=30) for k, prior in enumerate(drawn)
    ]
    joined = map(np.hstack, list(zip(*scripts, strict=True))[1:])
    return {
        "PAL, theory": over(best, runs, seed, beta_divisor=1.0),
        "PAL, configuration": over(best, runs, seed, beta_divisor=5.0, initial_samples=30),
        "PAL, main script": Grid(scripts[0].epsilons, *joined),
    }


def numbers_of_text(race: Grid) -> dict[str, Measurement]:
    """Measure what the text of the paper states about Racing."""
    distance, finished = race.distance, race.finished
    small, large = rate_of(~finished[0]), rate_of(~finished[-1])
    ends = small.interval[0] - large.interval[1], small.interval[1]
    positive = distance.mean(axis=1) > 0
    worst, plain = race.worst_of_ten[positive], distance[positive]
    accuracy = (worst.mean(axis=1) / plain.mean(axis=1)).argmax()
    runs = distance.shape[1]
    return {
        "fig2_precision": rate_of(race.late[finished]),
        "fig2_small": Measurement(small.value - large.value, ends, runs),
        "fig3_stable": ratio_of(worst[accuracy], plain[accuracy])._replace(runs=runs),
    }


def against_pal(race: Grid, pal: Grid) -> dict[str, Measurement]:
    """Measure what the text of the paper states about PAL."""

    def farther(accuracy, sign):
        theirs = pal.distance[accuracy]
        return mean_of(sign * (theirs - race.distance[accuracy, : len(theirs)]))

    least = (race.samples.mean(axis=1) / pal.samples.mean(axis=1)).argmin()
    return {
        "fig2_pal_small": farther(0, 1),
        "fig2_pal_large": farther(-1, -1),
        "fig3_pal": rate_of(pal.late[0]),
        "fig4_pal": rate_of(~pal.finds_all[-1]),
        "fig5_samples": ratio_of(race.samples[least], pal.samples[least]),
    }
