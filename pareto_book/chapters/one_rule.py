"""One sampling rule for every question: paths with known means, and runs beside an oracle.

An oracle samples in the optimal proportions and stops as the rule does; its runs are kept in
``data/book/arena.csv``. `pairs_instance` explains why it needs more samples: of
comparisons that are equally hard, fixed proportions wait for the unluckiest.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.cases import KeptCase, mean_ratio
from pareto_book.kept_runs.competitions import ORACLE_COMPETITIONS, find_instance
from pareto_book.kept_runs.oracles import MIXTURE_RISK, MIXTURES, ORACLE
from pareto_book.kept_runs.reading import read_instance
from pareto_book.records.measurements import Measurement
from pareto_book.studies.fixed_proportions import FixedProportions
from pareto_core.instances.datasets import read_table
from pareto_lab.comparison.lower_bounds import time_of

RULE, SQUARE_ROOT = "TopTwoIDS", "TopTwoIDS, square root"
SUFFIX = ", oracle"  # of the names of the instances
CHAPTER = "one_rule"
WINDOW = 60  # steps whose shares are averaged
COLOURS = {ORACLE: plots.ORANGE, RULE: plots.BLUE}

# Known means


class Case(NamedTuple):
    """The Pareto set of an instance, with its means in units of the noise."""

    instance: pc.Instance

    def cost(self, weights: ArrayLike) -> pc.TransportCost:
        """Cost of the cheapest alternative."""
        return pc.transport_cost(self.instance.means, weights)

    def optimum(self) -> pc.CharacteristicTime:
        """Characteristic time and optimal proportions, to a relative gap of 1e-9."""
        settings = {"relative_gap": 1e-9, "max_iterations": 10_000}
        return pc.characteristic_time(self.instance.means, **settings)


class FluidPath(NamedTuple):
    """The rule with known means and without exploration, a row for each number of samples."""

    times: np.ndarray  # (n,)
    targets: np.ndarray  # (n, K), of sum t
    shares: np.ndarray  # (n, K) of the evidence, which are added to the targets
    costs: np.ndarray  # (n,) C at the targets


def fluid_path(case: Case, horizon: int, start: int = 1) -> FluidPath:
    """Follow the rule with known means: add to the targets the shares of the evidence."""
    n_arms = case.instance.n_arms
    times = np.arange(start * n_arms, horizon + 1)
    targets = np.full((times.size, n_arms), float(start))
    shares, costs = np.empty_like(targets), np.empty(times.size)
    for row in range(times.size):
        cost = case.cost(targets[row])
        shares[row] = targets[row] * cost.gradient / cost.value
        costs[row] = cost.value
        if row + 1 < times.size:
            targets[row + 1] = targets[row] + shares[row]
    return FluidPath(times, targets, shares, costs)


def divergence(best: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Kullback-Leibler divergence from optimal proportions to those of positive weights."""
    used = best > 0
    proportions = weights[..., used] / weights.sum(axis=-1, keepdims=True)
    return (best[used] * np.log(best[used] / proportions)).sum(axis=-1)


# Kept runs beside an oracle


class OracleRuns(NamedTuple):
    """Kept runs of one question at small risks."""

    risks: tuple[float, ...]  # in decreasing order
    times: dict[str, float]  # characteristic times, by instance
    by_case: dict[tuple[str, str, float], KeptCase]  # by instance, entrant and risk

    def has(self, instance: str, name: str, delta: float) -> bool:
        """Whether runs of this entrant are kept."""
        return (instance, name, delta) in self.by_case

    def ratio(self, instance: str, first: str, second: str, delta: float) -> Measurement:
        """Ratio of the mean samples of two entrants."""
        ours, theirs = (self.by_case[instance, name, delta] for name in (first, second))
        return mean_ratio(ours, theirs)

    def ratios(self, first: str, second: str, risks: Sequence[float] = ()) -> list[Measurement]:
        """The same on all instances, at some risks or at all."""
        return [
            self.ratio(name, first, second, delta)
            for name in self.times
            for delta in risks or self.risks
            if self.has(name, first, delta)
        ]

    def mean(self, instance: str, name: str, delta: float) -> float:
        """Mean number of samples."""
        return self.by_case[instance, name, delta].mean

    def wrong(self, name: str) -> tuple[int, int]:
        """Number of wrong answers of an entrant at the largest risk, and of its runs."""
        kept = [self.by_case[each, name, self.risks[0]] for each in self.times]
        return sum(each.errors for each in kept), sum(each.runs for each in kept)


def load_questions() -> dict[str, OracleRuns]:
    """Read the kept runs of all questions beside an oracle, by question."""
    found = {}
    for question, competition in ORACLE_COMPETITIONS.items():
        times, by_case = {}, {}
        for name in competition.instances:
            short = name.removesuffix(SUFFIX)
            _, entrants, instance = find_instance(name)
            times[short] = time_of(instance, next(iter(entrants.values())).algorithm.question)
            by_case |= {(short, each.name, each.level): each for each in read_instance(name)}
        found[question] = OracleRuns(competition.risks, times, by_case)
    return found


def largest(found: Sequence[Measurement]) -> Measurement:
    """The largest of several measurements, with the largest lower and the largest upper end."""
    return _extreme(found, max)


def smallest(found: Sequence[Measurement]) -> Measurement:
    """The smallest of several measurements, with the smallest lower and the smallest upper end."""
    return _extreme(found, min)


def _extreme(found, pick):
    low, high = (pick(each.interval[end] for each in found) for end in (0, 1))
    return Measurement(
        pick(each.value for each in found), (low, high), min(each.runs for each in found)
    )


def time_at_threshold(time: float, delta: float) -> float:
    """Number of samples at which t/T* reaches the stylised threshold ln(ln(1 + t)/delta)."""
    samples = 2.0 + time * np.log(1 / delta)
    for _ in range(200):
        samples = max(2.0, time * np.log(np.log1p(samples) / delta))
    return float(samples)


def oracle_table(runs: OracleRuns, oracle: str = ORACLE):
    """Make a table of the rule beside an oracle, by instance."""
    top = runs.risks[0]
    frame = pd.DataFrame(
        {
            "instance": name,
            "T*": time,
            f"{oracle}, δ = {top:g}": runs.mean(name, oracle, top),
            f"{RULE}, δ = {top:g}": runs.mean(name, RULE, top),
            "over tᵦ": runs.mean(name, RULE, top) / time_at_threshold(time, top),
            **{
                f"ratio at {delta:g}": runs.ratio(name, RULE, oracle, delta) for delta in runs.risks
            },
        }
        for name, time in runs.times.items()
    )
    caption = (
        f"Mean samples of the {oracle}, and of TopTwoIDS at δ = 0.1, those of TopTwoIDS over the "
        "time tᵦ at which t/T* reaches the threshold, and the ratio of TopTwoIDS to the oracle at "
        "each risk, with 95 % intervals from paired runs."
    )
    formats = {"T*": ",.0f"} | dict.fromkeys(frame.columns[2:4], ",.0f")
    formats |= dict.fromkeys(frame.columns[4:], ".2f")
    return show_table(frame, caption, **formats)


def best_mixtures(runs: OracleRuns) -> dict[str, str]:
    """The fixed proportions with the fewest samples at a risk of 0.1, by instance."""
    return {
        name: min((ORACLE, *MIXTURES), key=lambda each: runs.mean(name, each, MIXTURE_RISK))
        for name in runs.times
    }


def mixtures_table(runs: OracleRuns):
    """Make a table of the rule beside fixed proportions that are mixed with uniform ones."""
    frame = pd.DataFrame(
        {
            "instance": name,
            RULE: runs.mean(name, RULE, MIXTURE_RISK),
            "w*": runs.mean(name, ORACLE, MIXTURE_RISK),
            **{
                f"{share:.0%} uniform": runs.mean(name, each, MIXTURE_RISK)
                for each, share in MIXTURES.items()
            },
            "ratio to the best": runs.ratio(name, RULE, best, MIXTURE_RISK),
        }
        for name, best in best_mixtures(runs).items()
    )
    caption = (
        f"Mean samples at δ = {MIXTURE_RISK:g} of the rule and of fixed proportions, w* and w* "
        "mixed with uniform ones, and the ratio of the rule to the best of the four, with its 95 % "
        "interval, paired where this is w*."
    )
    formats = dict.fromkeys(frame.columns[1:-1], ",.0f") | {"ratio to the best": ".2f"}
    return show_table(frame, caption, **formats)


def paired_runs(
    instance: pc.Instance, risks: Sequence[float], proportions: Sequence[float], **settings: int
) -> dict[str, list[np.ndarray]]:
    """Samples of the rule, of fixed proportions, and with other exploration, at each risk."""
    rule, optimal = pc.TopTwoIDS(), np.array(proportions)
    rules = {RULE: rule, SQUARE_ROOT: pc.TopTwoIDS(exploration="square_root")}
    for name, share in ({ORACLE: 0.0} | MIXTURES).items():
        mixed = (1 - share) * optimal + share / instance.n_arms
        rules[name] = FixedProportions(rule, tuple(map(float, mixed)))
    settings = {"progress": False, **settings}
    return {
        name: [each.samples for each in pc.simulate_deltas(rule, instance, risks, **settings)]
        for name, rule in rules.items()
    }


# Equally hard comparisons


def pairs_instance(n_pairs: int, gap: float) -> pc.Instance:
    """Arms in pairs, such that the Pareto set asks which arm of each pair is better."""
    far = 20.0 * gap
    first = far * np.arange(n_pairs)[:, None] * [1.0, -1.0]
    means = np.stack([first, first - [gap, far / 2]], axis=1).reshape(-1, 2)
    return pc.Instance(means, name=f"{n_pairs} pairs")


def pair_evidences(
    algorithm: pc.Algorithm, n_pairs: int, gap: float, end: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Follow the evidence of each pair of `pairs_instance` through one run."""
    instance = pairs_instance(n_pairs, gap)
    run = pc.trajectory(algorithm, instance, np.arange(2 * n_pairs, end + 1), seed=seed)
    counts, means = run.counts.reshape(-1, n_pairs, 2), run.means[..., 0].reshape(-1, n_pairs, 2)
    weight = counts.prod(axis=2) / counts.sum(axis=2)
    lead = means[..., 0] - means[..., 1]
    return run.times, weight * lead * np.abs(lead) / 2


# Operations research


def published_rates() -> pd.DataFrame:
    """Exact rates at the published shares beside the best rate, a row per problem and method."""
    systems = read_table("moscore_systems")
    rows = []
    for row in read_table("moscore_rates"):
        d, n_arms, number = (int(value) for value in row[:3])
        instance = pc.load_instance(f"moscore({d}, {n_arms}, problem={number})")
        means, noise = instance.means, {"covariance": instance.covariance}
        best = 1 / pc.characteristic_time(means, **noise).time
        chosen = systems[(systems[:, :3] == row[:3]).all(axis=1)]
        for method, shares in zip(("phantom", "score", "iscore"), chosen[:, 8:11].T, strict=True):
            rows.append(
                {
                    "d": d,
                    "method": method,
                    "best": best,
                    "exact": pc.transport_cost(means, shares, **noise).value,
                    "brute force": row[7] if method == "phantom" else np.nan,
                }
            )
    return pd.DataFrame(rows)


# Figures


def draw_potential(
    path: FluidPath, labels: Sequence[str], best: np.ndarray, potential, stated
) -> None:
    """Draw one step of the rule, and the potential along the path below what is stated of it."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.3)
    start, mean = path.targets[0] / path.times[0], path.shares[:WINDOW].mean(axis=0)
    rows = np.arange(len(labels))
    arrow = {"arrowstyle": "-|>", "color": plots.BLUE, "shrinkA": 3, "shrinkB": 0}
    for k in rows:
        left.annotate("", (mean[k], k), (start[k], k), arrowprops=arrow)
    left.plot(start, rows, "o", mfc="none", mec=plots.BLACK, ms=6)
    left.plot(best, rows, "|", color=plots.ORANGE, ms=16, mew=2.5)
    top = {"va": "bottom", "ha": "center", "fontsize": 9}
    left.text(start[0], -0.35, "$w_k$", **top)
    left.text(best[0], -0.45, r"$w^\star_k$", color=plots.ORANGE, **top)
    left.set(yticks=rows, yticklabels=labels, ylim=(len(labels) - 0.5, -1), ylabel="arm")
    left.set(xlim=(0, 1.1 * mean.max()), xlabel=f"proportions; arrows: shares of {WINDOW} steps")
    drawn = np.unique(np.geomspace(1, path.times.size, 1000).astype(int)) - 1
    times, lower, upper = path.times[drawn], potential[drawn], stated[drawn]
    right.fill_between(times, lower, upper, color=plots.ORANGE, alpha=0.2, lw=0)
    right.plot(times, upper, "--", color=plots.ORANGE)
    right.plot(times, lower, color=plots.BLUE)
    corner = {"transform": right.transAxes, "ha": "right", "fontsize": 9}
    right.text(0.97, 0.88, "potential $V_t$", color=plots.BLUE, **corner)
    right.text(0.97, 0.79, "what the steps so far guarantee", color=plots.ORANGE, **corner)
    right.set(xscale="log", xlabel="samples $t$", ylabel="nats", ylim=(0, None))
    plots.save(figure, CHAPTER, "potential")


def draw_oracle(runs: OracleRuns) -> None:
    """Draw samples of the rule over those of the oracle, and of both over T* ln(1/delta)."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.4)
    risks = runs.risks
    for name in runs.times:
        ratios = [runs.ratio(name, RULE, ORACLE, delta) for delta in risks]
        named = name in ("COV-BOOST", "five arms")
        plots.curve(left, risks, ratios, plots.BLUE if named else plots.SKY)
        if named:
            plots.label_line(left, risks[-1], ratios[-1].value, name, plots.BLUE)
    for entrant, colour in COLOURS.items():
        leading = np.outer(list(runs.times.values()), np.log(1 / np.array(risks)))
        over = [
            [runs.mean(name, entrant, delta) for delta in risks] for name in runs.times
        ] / leading
        right.plot(risks, over.T, color=colour, lw=1, alpha=0.7)
        plots.label_line(right, risks[-1], np.median(over[:, -1]), entrant, colour)
    left.set_ylabel("TopTwoIDS / oracle, samples")
    right.set_ylabel(r"samples / $T^\star\ln(1/\delta)$")
    for axes in (left, right):
        axes.axhline(1, color=plots.BLACK, lw=1)
        axes.set(xscale="log", xlim=(1.0, risks[-1] / 300), xlabel="risk δ")
        axes.set_xticks(risks, ["0.1", "", *(_power(each) for each in risks[2:])])
        axes.minorticks_off()
    plots.save(figure, CHAPTER, "oracle")


def _power(delta):
    return f"{delta:g}" if delta > 1e-3 else f"$10^{{{round(np.log10(delta))}}}$"


def draw_evidences(n_pairs: int, gap: float, delta: float, end: int, seed: int) -> None:
    """Draw the evidence of each pair in one run of the oracle, and in one of the rule."""
    never = pc.TopTwoIDS(delta=1e-200)
    rules = {ORACLE: FixedProportions(never, (1.0,) * (2 * n_pairs)), RULE: never}
    figure, panels = plots.new_figure(1, 2, height=3.2, sharex=True, sharey=True)
    for axes, (name, algorithm) in zip(panels, rules.items(), strict=True):
        times, evidence = pair_evidences(algorithm, n_pairs, gap, end, seed)
        least, enough = evidence.min(axis=1), np.log(np.log1p(times) / delta)
        stop, colour = int(times[(least >= enough).argmax()]), COLOURS[name]
        before = times <= stop
        axes.plot(times[before], evidence[before], color=colour, lw=0.8, alpha=0.6)
        axes.plot(times[before], least[before], color=colour, lw=2)
        axes.plot(times, enough, color=plots.BLACK, lw=1, ls="--")
        axes.plot(times, times * gap**2 / (8 * n_pairs), color=plots.BLACK, lw=0.8, ls=":")
        axes.axvline(stop, color=colour, lw=1)
        axes.set(title=f"{name}: stops after {stop} samples", xlabel="samples t")
    panels[0].set_ylabel("evidence of each pair, in nats")
    plots.label_line(panels[0], end, enough[-1], "threshold", plots.BLACK, dx=-56, dy=8)
    plots.save(figure, CHAPTER, "evidences")
