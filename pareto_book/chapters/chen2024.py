"""Runs, tables and figures of the chapter on the best arm of every objective."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.claims.published import read_published
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, median_ratio_of, ratio_of
from pareto_core.bounds.surrogate import surrogate_proportions

if TYPE_CHECKING:
    from IPython.display import HTML

BEST = "best_arm_per_objective"
LAW = float(np.log(10))  # log(1/delta) at delta = 0.1
TOY = np.array([[1.0, 0.1], [0.7, 1.2], [-0.5, -0.2]])  # three arms, two objectives

# Evidence


def evidence(means: np.ndarray, weights: np.ndarray) -> float:
    """Evidence per sample against the closest wrong answer, g of the chapter."""
    return pc.transport_cost(means, weights, problem=BEST).value


def best_time(means: np.ndarray, eta: float = 0.0) -> float:
    """Characteristic time over all shares of the samples, or over those that ``eta`` allows."""
    return pc.characteristic_time(means, 1e-9, problem=BEST, eta=float(eta)).time


def pair_evidence(means: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Evidence that each pair of an arm and the best arm of an objective gives."""
    columns = np.arange(means.shape[1])
    best = means.argmax(axis=0)
    own, other = weights[:, None], weights[best]
    found = (means[best, columns] - means) ** 2 / 2 * own * other / (own + other)
    found[best, columns] = np.inf
    return found


# Runs without noise


def mobai_averages(means: np.ndarray, eta: float, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Averages of all proportions before each step of MO-BAI with exact means, and the next one."""
    targets, averages, proportions = np.ones(len(means)), [], []
    for t in range(len(means), samples):
        averages.append(targets / t)
        proportions.append(surrogate_proportions(means, averages[-1], eta).proportions)
        targets = targets + proportions[-1]
    return np.array(averages), np.array(proportions)


def averaged_programs(means: np.ndarray, programs: int) -> np.ndarray:
    """Evidence of the weights of BASELINE over the best possible, after each of its programs."""
    needed = best_time(means)
    weights, total, reached = np.full(len(means), 1 / len(means)), 0.0, []
    for k in range(1, programs + 1):
        total = total + surrogate_proportions(means, weights, 0.0).proportions
        weights = total / k
        reached.append(evidence(means, weights) * needed)
    return np.array(reached)


# Runs on random draws


class DrawnRuns:
    """One run of each of several algorithms on each of many instances.

    Run k has the seed ``1000 * seed + k``. The dictionaries are by name of the algorithm:
    ``nats`` has its values of log(1/delta), shape (m,), ``samples`` its stopping times there,
    shape (n, m), and ``seconds`` the processor time of one sample.
    """

    def __init__(
        self, draws: Sequence[pc.Instance], seed: int = 0, n_jobs: int | None = None
    ) -> None:
        self.draws, self.seed, self.n_jobs = list(draws), seed, n_jobs
        self.hardness = np.array([best_time(draw.means) for draw in self.draws])
        self.nats, self.samples, self.seconds = {}, {}, {}

    def run(
        self,
        name: str,
        algorithm: pc.Algorithm,
        nats: ArrayLike = (LAW,),
        count: int | None = None,
    ) -> None:
        """Run an algorithm once on each draw, or on the first ones, and keep its stopping times."""
        pc.simulate(algorithm, self.draws[0], 1, max_samples=50, progress=False)  # compile
        self.nats[name] = np.asarray(nats, dtype=float)
        deltas = np.exp(-self.nats[name])
        begin, samples = time.process_time(), []
        for number, draw in enumerate(self.draws[:count], 1000 * self.seed):
            results = pc.simulate_deltas(
                algorithm, draw, deltas, 1, number, self.n_jobs, progress=False
            )
            samples.append([result.samples[0] for result in results])
        self.samples[name] = np.array(samples)
        seconds = time.process_time() - begin
        self.seconds[name] = seconds / self.samples[name][:, -1].sum()

    def relative(self, name: str, nats: float = LAW) -> np.ndarray:
        """Samples over T* log(1/δ) of an algorithm on each draw."""
        (column,) = np.flatnonzero(np.isclose(self.nats[name], nats))
        samples = self.samples[name][:, column]
        return samples / (self.hardness[: len(samples)] * nats)

    def ratio(self, numerator: str, denominator: str, nats: float = LAW) -> Measurement:
        """Ratio of the mean samples over T* of two algorithms on the same draws."""
        return ratio_of(
            self.relative(numerator, nats), self.relative(denominator, nats), paired=True
        )

    def median_ratio(self, numerator: str, denominator: str, nats: float = LAW) -> Measurement:
        """Ratio of the median samples over T*, with a bootstrap interval over the draws."""
        upper, lower = (self.relative(name, nats) for name in (numerator, denominator))
        n_draws = min(len(upper), len(lower))
        return median_ratio_of(upper[:n_draws], lower[:n_draws])


# The sorting networks

TABLE_NATS = np.array([LAW, np.log(20), 10, 50, 100])  # log(1/delta) of Tables 2 and 3
PROTOCOL = "logarithms, area negated"
STANDARDISED = "the same, standardised"
QUIET = f"{PROTOCOL}, noise variance 0.1"
MAXIMISED = "logarithms, area not negated"
AREA_ITSELF = "area itself, negated"


def readings_of(snw: np.ndarray) -> dict[str, np.ndarray]:
    """Means that the paper may have used, from the columns -log2 area and log2 throughput."""
    power = 2.0 ** (snw * [-1, 1])  # area and throughput themselves
    standard = (snw - snw.mean(axis=0)) / snw.std(axis=0)
    return {
        PROTOCOL: 10 * snw,
        STANDARDISED: 10 * standard,
        QUIET: 10 * snw / np.sqrt(0.1),
        MAXIMISED: 10 * snw * [-1, 1],
        AREA_ITSELF: 10 * np.column_stack([-power[:, 0], snw[:, 1]]),
    }


def published() -> pd.DataFrame:
    """Entries of Tables 1 to 3 of the paper."""
    rows = read_published("chen2024_tables")
    for column in ("nats", "value", "spread"):
        rows[column] = pd.to_numeric(rows[column])
    return rows


def printed_samples(algorithm: str = "MO-BAI") -> np.ndarray:
    """Samples that Table 2 of the paper prints for an algorithm, at its three risks."""
    rows = published().query("table == '2' and algorithm == @algorithm")
    return rows.sort_values("nats")["value"].to_numpy()


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


def readings_table(bounds: Mapping[str, float], times: Mapping[str, np.ndarray]) -> "HTML":
    """Make a table of the bounds at log(1/δ) = 100 and the mean samples of MO-BAI."""
    columns = [f"MO-BAI, {n}" for n in (10, 50, 100)]
    means = {name: found[:, 2:].mean(axis=0) for name, found in times.items()}
    rows = [
        {"reading": name, "at least, 100": bound}
        | dict(zip(columns, means.get(name, ()), strict=False))
        for name, bound in bounds.items()
    ]
    rows.append({"reading": "Table 2"} | dict(zip(columns, printed_samples(), strict=True)))
    return show_table(
        pd.DataFrame(rows),
        "Readings of the sorting networks, all times 10: what any algorithm needs on average at "
        "log(1/δ) = 100, and the mean samples of MO-BAI where Table 2 is not below that.",
        **dict.fromkeys(("at least, 100", *columns), ",.0f"),
    )


def compared_table(entries: Mapping[tuple[str, float], np.ndarray]) -> "HTML":
    """Make a table of Tables 2 and 3 beside single runs, by algorithm and log(1/δ)."""
    rows = []
    for entry in published().query("table != '1'").itertuples():
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


def times_table(seconds: Mapping[str, float]) -> "HTML":
    """Make a table of Table 1 beside the processor time of a whole sample of ours."""
    rows = published().query("table == '1'")
    pairs = zip(rows["value"], rows["spread"], strict=True)
    table = {
        "algorithm": rows["algorithm"],
        "printed: ms": [f"{value:.1f}\u00a0±\u00a0{spread:.1f}" for value, spread in pairs],
        "ours: ms": [1e3 * seconds[name] for name in rows["algorithm"]],
    }
    caption = "An optimisation (Table 1), and a whole sample of ours, in ms; not judged."
    return show_table(pd.DataFrame(table), caption, **{"ours: ms": ".3f"})


def _plus_minus(value, spread):
    return f"{value:,.0f}\u00a0±\u00a0{spread:,.0f}"


# Figures

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
SHOWN = {3: (-8, 4), 4: (8, 4), 5: (9, 0), 10: (12, -2), 20: (-12, 0), 400: (-14, -9)}
POINTS = {"textcoords": "offset points"}


def draw_two_questions(
    instance: pc.Instance, best_weights: np.ndarray, front_weights: np.ndarray
) -> Figure:
    """Draw the arms with the closest wrong answer of each objective, and both questions' shares."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.0, width_ratios=(1, 1.15))
    means, labels = instance.means, instance.labels
    plots.scatter_arms(left, means, instance.pareto_set, labels=False)
    for label, point in zip(labels, means, strict=True):
        beside = (-14, 2) if label == "E" else (7, 4)  # the line to C is on its right
        left.annotate(label, point, beside, **POINTS)
    costs = pair_evidence(means, best_weights)
    for c, (colour, shift) in enumerate(((plots.ORANGE, (8, -12)), (plots.GREEN, (6, 12)))):
        ends = means[[costs[:, c].argmin(), means[:, c].argmax()]]
        left.plot(*ends.T, "--", color=colour, lw=1.5, zorder=1)
        words = {"color": colour, "fontsize": 9}
        left.annotate(f"objective {c + 1}", ends.mean(axis=0), shift, **POINTS, **words)
    left.set(xlabel="objective 1", ylabel="objective 2", xlim=(0, 3.1), ylim=(0, 3))
    at, highest = np.arange(len(labels)), 100 * front_weights.max()
    for weights, shift, height, text, colour in (
        (best_weights, -0.2, 1.28, "the best arm of each objective", plots.BLUE),
        (front_weights, 0.2, 1.14, "the Pareto set", plots.RED),
    ):
        right.bar(at + shift, 100 * weights, 0.38, color=colour)
        right.text(-0.4, height * highest, text, color=colour, fontsize=9)
    right.set_xticks(at, labels)
    right.set(ylabel="best share of the samples, %", ylim=(0, 1.4 * highest))
    return figure


def draw_proportions(means: np.ndarray) -> Figure:
    """Draw the evidence of all shares of three arms, and how MO-BAI's average reaches the best."""
    optimum = pc.characteristic_time(means, problem=BEST)
    figure, axes = plots.new_figure(height=3.4)
    grid = np.arange(1, 60) / 60
    shares = np.array([(a, b, 1 - a - b) for a in grid for b in grid if a + b < 0.999])
    heights = [evidence(means, w) * optimum.time for w in shares]
    axes.tricontourf(*(shares @ CORNERS).T, heights, levels=12, cmap="Blues")
    averages, proportions = mobai_averages(means, 0.1, 401)
    arrow = {"arrowstyle": "->", "color": plots.RED, "lw": 1.2}
    for now, target in zip(averages[:3], proportions[:3], strict=True):
        axes.annotate("", target @ CORNERS, now @ CORNERS, arrowprops=arrow)
    path = averages[np.array([*SHOWN]) - 3] @ CORNERS
    axes.plot(*path.T, "o-", color=plots.ORANGE, lw=1, ms=4)
    ground = {"boxstyle": "round,pad=0.1", "fc": "w", "ec": "none", "alpha": 0.8}
    for point, (number, shift) in zip(path, SHOWN.items(), strict=True):
        axes.annotate(f"{number}", point, shift, fontsize=8, bbox=ground, ha="center", **POINTS)
    axes.plot(*(optimum.weights @ CORNERS), "x", color=plots.BLACK, ms=8, mew=2)
    for k, (corner, shift) in enumerate(zip(CORNERS, ((-8, -12), (8, -12), (0, 6)), strict=True)):
        axes.annotate(f"only arm {k}", corner, shift, ha="center", **POINTS)
    axes.set(aspect="equal", xlim=(-0.12, 1.12), ylim=(-0.12, 1.0))
    axes.axis("off")
    return figure


def box_plots(axes: Axes, samples: Mapping[str, np.ndarray], colours: Sequence[str]) -> None:
    """Draw horizontal box plots of named samples, with their means as circles."""
    import seaborn as sns  # takes a second, and only this needs it

    sns.boxplot(
        samples,
        orient="h",
        palette=dict(zip(samples, colours, strict=True)),
        width=0.6,
        fliersize=3,
        showmeans=True,
        meanprops={"marker": "o", "markerfacecolor": "w", "markeredgecolor": "k"},
        ax=axes,
    )
