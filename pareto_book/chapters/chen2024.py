"""Runs, tables and figures of the chapter on the best arm of every objective."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

import pareto_core as pc
import pareto_lab as lab
from pareto_book.claims.published import read_published
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, median_ratio_of, ratio_of
from pareto_core.bounds.surrogate import surrogate_proportions
from pareto_core.confidence.thresholds import rank_threshold

if TYPE_CHECKING:
    from IPython.display import HTML

BEST = "best_arm_per_objective"
LAW = float(np.log(10))  # log(1/delta) at delta = 0.1
TOY = np.array([[1.0, 0.1], [0.7, 1.2], [-0.5, -0.2]])  # three arms, two objectives
ENDLESS = {  # algorithms that go on, and their colours
    "MO-BAI, η = 0.1": (pc.MOBAI(delta=1e-300), plots.BLUE),
    "MO-BAI, η = 1": (pc.MOBAI(delta=1e-300, eta=1), plots.SKY),
    "D-Tracking, 5 programs": (pc.DTracking(1e-300, iterations=5), plots.RED),
    "D-Tracking, exact": (pc.DTracking(1e-300), plots.GREEN),
}

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


def noiseless_shares(algorithm: pc.Algorithm, means: np.ndarray, samples: int) -> np.ndarray:
    """Shares of the samples while every reward is the mean, once all arms have been sampled."""
    session = lab.Session(algorithm, *means.shape, standard_deviation=1.0)
    shares = []
    for _ in range(samples):
        arm = session.ask()
        session.tell(arm, means[arm])
        shares.append(session.pulls / session.samples)
    return np.array(shares[len(means) - 1 :])


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
    shape (n, m), ``wrong`` whether the answer is wrong at the first of them, and ``seconds`` the
    processor time of one sample.
    """

    def __init__(
        self, draws: Sequence[pc.Instance], seed: int = 0, n_jobs: int | None = None
    ) -> None:
        self.draws, self.seed, self.n_jobs = list(draws), seed, n_jobs
        self.hardness = np.array([best_time(draw.means) for draw in self.draws])
        self.nats, self.samples, self.wrong, self.seconds = {}, {}, {}, {}

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
        begin, samples, wrong = time.process_time(), [], []
        for number, draw in enumerate(self.draws[:count], 1000 * self.seed):
            results = pc.simulate_deltas(
                algorithm, draw, deltas, 1, number, self.n_jobs, progress=False
            )
            samples.append([result.samples[0] for result in results])
            wrong.append(not results[0].correct[0])
        self.samples[name], self.wrong[name] = np.array(samples), np.array(wrong)
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


def price_of_pairs(runs: DrawnRuns, name: str) -> Measurement:
    """Samples with the proven threshold for pairs over those at the first risk of the runs.

    The threshold for pairs at delta = 0.1 is passed at the first of the other risks at which the
    iterated-logarithm threshold exceeds it.
    """
    grid, samples = runs.nats[name], runs.samples[name]
    shape = runs.draws[0].means.shape
    needed = [[rank_threshold(int(t), *shape, np.exp(-LAW)) for t in row] for row in samples]
    passed = grid + np.log(1 + np.log(samples)) >= np.array(needed)
    if not passed[:, -1].all():
        raise ValueError("no stopping time passes the threshold; expected a longer grid")
    proven = samples[np.arange(len(samples)), passed.argmax(axis=1)]
    return ratio_of(proven / runs.hardness, samples[:, 0] / runs.hardness, paired=True)


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
        "the same, scaled to [0, 1]": 10 * (snw - snw.min(axis=0)) / np.ptp(snw, axis=0),
        QUIET: 10 * snw / np.sqrt(0.1),
        MAXIMISED: 10 * snw * [-1, 1],
        "not negated, standardised": 10 * standard * [-1, 1],
        AREA_ITSELF: 10 * np.column_stack([-power[:, 0], snw[:, 1]]),
        "area and throughput themselves": 10 * power * [-1, 1],
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


class Starvation(NamedTuple):
    """Samples of each arm at the end of two runs, and the weights of two arms along the first."""

    moments: np.ndarray  # (n,) numbers of samples along a run of D-Tracking
    weights: np.ndarray  # (n, 2) of the two arms that nearly tie
    due: np.ndarray  # (K,) oracle weight times all samples
    pulls: dict[str, np.ndarray]  # (K,) by tracking, "D" or "C"
    forced: float  # samples that forced exploration gives each arm
    starved: np.ndarray  # (K,) arms that are due more, and have no more with D-Tracking


def starvation(networks: pc.Instance, arms: Sequence, samples: int, seed: int) -> Starvation:
    """Run D-Tracking and C-Tracking with exact weights for a number of samples."""
    moments = np.arange(1500, samples + 1, 25)
    runs = {
        tracking: pc.trajectory(
            pc.DTracking(1e-300, tracking=tracking), networks, moments, seed=seed
        )
        for tracking in "DC"
    }
    weights = [
        pc.characteristic_time(means, problem=BEST).weights[list(arms)] for means in runs["D"].means
    ]
    pulls = {tracking: run.counts[-1] for tracking, run in runs.items()}
    due = samples * pc.characteristic_time(networks.means, problem=BEST).weights
    forced = np.sqrt(samples / len(due))
    starved = (due > 2 * forced) & (pulls["D"] <= forced + 1)
    return Starvation(moments, np.array(weights), due, pulls, forced, starved)


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
    """Draw MO-BAI's proportions on three arms, and the evidence of several rules without noise."""
    optimum = pc.characteristic_time(means, problem=BEST)
    figure, (left, right) = plots.new_figure(1, 2, height=3.2, width_ratios=(1.1, 1))
    _draw_triangle(left, means, optimum)
    for label, (algorithm, colour) in ENDLESS.items():
        shares = noiseless_shares(algorithm, means, 600)
        values = [evidence(means, w) * optimum.time for w in shares]
        right.plot(np.arange(3, 601), values, color=colour, label=label, lw=1.2)
    right.set(xscale="log", xlabel="samples", ylabel="evidence / the best", ylim=(0.6, 1.02))
    right.legend(fontsize=8)
    return figure


def _draw_triangle(axes: Axes, means, optimum):
    """Evidence of all shares of three arms, and the way of MO-BAI's average to the best."""
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


def draw_starvation(found: Starvation, names: Sequence[str]) -> Figure:
    """Draw weights that drift, and the samples of each arm with both kinds of tracking."""
    figure, axes = plt.subplot_mosaic(
        [["drift", "drift"], ["D", "C"]], figsize=(plots.WIDTH, 4.8), height_ratios=(1, 1.7)
    )
    for line, colour, name, dy in zip(
        found.weights.T, (plots.GREEN, plots.ORANGE), names, (5, -5), strict=True
    ):
        axes["drift"].plot(found.moments, 100 * line, color=colour, lw=1)
        end = found.moments[-1], 100 * line[-1]
        plots.label_line(axes["drift"], *end, name, colour, dy=dy)
    axes["drift"].set(xlabel="samples", ylabel="share, %", xlim=(None, 1.12 * found.moments[-1]))
    for tracking, title in (("D", "the newest shares"), ("C", "the sum of all shares")):
        _draw_dues(axes[tracking], found, found.pulls[tracking])
        axes[tracking].set_title(f"{tracking}-Tracking: {title}", fontsize=10)
    axes["D"].set(ylabel="samples of the arm")
    axes["C"].sharey(axes["D"])
    return figure


def _draw_dues(axes: Axes, found, pulls):
    """Samples of each arm against those due to it; starving arms are crosses."""
    shown = found.due > 0.5
    starving = shown & found.starved & (pulls <= found.forced + 1)
    rest = shown & ~starving
    axes.plot(found.due[rest], pulls[rest], "o", ms=4, mfc="none", color=plots.BLUE)
    axes.plot(found.due[starving], pulls[starving], "X", ms=7, color=plots.RED)
    if starving.any():
        last = found.due[starving].max(), found.forced
        plots.label_line(axes, *last, "starved", plots.RED, dx=-14, dy=12)
    ends = np.array([1.0, found.due.max()])
    axes.plot(ends, ends, "--", color="grey", lw=0.8)
    axes.text(25, 60, "as due", color="grey", ha="right", fontsize=9)
    axes.axhline(found.forced, ls=":", color="grey")
    axes.text(ends[1], 0.8 * found.forced, "forced exploration", color="grey", ha="right", va="top")
    axes.set(xscale="log", yscale="log", xlabel="samples due to the arm", ylim=(1, None))
