"""Figures: our rule beside an oracle, in kept runs, in one run, and in theory."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters.one_rule.oracle_runs import OracleRuns
from pareto_book.chapters.one_rule.oracle_toy import fixed_bounds, pairs_instance
from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement, ratio_of
from pareto_book.studies.fixed_proportions import FixedProportions

__all__ = ["draw_evidences", "draw_ratios", "draw_toy", "pair_evidences", "toy_ratios"]

CHAPTER = "one_rule"
RULE, ORACLE = "TopTwoIDS", "oracle"
NAMED = ("COV-BOOST", "five arms")  # instances with a label of their own


def draw_ratios(runs: OracleRuns) -> None:
    """Draw samples of our rule over those of the oracle, and of both over T* ln(1/delta)."""
    figure, (left, right) = plots.new_figure(1, 2, height=3.4)
    for name in runs.instances:
        ratios = [runs.ratio(name, RULE, ORACLE, delta) for delta in runs.risks]
        colour = plots.BLUE if name in NAMED else plots.SKY
        plots.curve(left, runs.risks, ratios, colour)
        if name in NAMED:
            plots.label_line(left, runs.risks[-1], ratios[-1].value, name, colour)
        plots.require(max(each.interval[1] for each in ratios) < 1, "all curves are below one")
        plots.require(ratios[-1].value > ratios[0].value, "curves that rise as the risk falls")
    left.axhline(1, color=plots.BLACK, lw=1)
    left.set_ylabel("TopTwoIDS / oracle, samples")
    middles = []
    for entrant, colour in ((ORACLE, plots.ORANGE), (RULE, plots.BLUE)):
        curves = np.array([_over_the_leading_term(runs, name, entrant) for name in runs.instances])
        right.plot(runs.risks, curves.T, color=colour, lw=0.8, alpha=0.6)
        middle = np.exp(np.log(curves).mean(axis=0))
        middles.append(middle)
        right.plot(runs.risks, middle, "o-", ms=4, lw=2.2, color=colour)
        plots.label_line(right, runs.risks[-1], middle[-1], entrant, colour)
    plots.require((middles[1] < middles[0]).all(), "those of TopTwoIDS are lower on average")
    right.axhline(1, color=plots.BLACK, lw=1)
    right.set_ylabel(r"samples / $T^*\ln(1/\delta)$")
    for axes in (left, right):
        _scale_of_risks(axes, runs.risks)
    plots.save(figure, CHAPTER, "oracle")


def _over_the_leading_term(runs, name, entrant):
    """Mean samples over T* ln(1/delta) at each risk."""
    return [
        runs.mean(name, entrant, delta) / (runs.times[name] * np.log(1 / delta))
        for delta in runs.risks
    ]


def _scale_of_risks(axes, risks):
    axes.set(xscale="log", xlim=(1.0, risks[-1] / 300), xlabel="risk δ")
    labels = [f"$10^{{{round(np.log10(each))}}}$" if each < 1e-3 else "" for each in risks]
    axes.set_xticks(risks, ["0.1", *labels[1:]])
    axes.minorticks_off()


def pair_evidences(
    algorithm: pc.Algorithm, n_pairs: int, gap: float, end: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Follow the evidence of each pair of `pairs_instance` through one run."""
    instance = pairs_instance(n_pairs, gap)
    times = np.arange(2 * n_pairs, end + 1)
    run = pc.trajectory(algorithm, instance, times, seed=seed)
    counts, means = run.counts.reshape(-1, n_pairs, 2), run.means[..., 0].reshape(-1, n_pairs, 2)
    weight = counts.prod(axis=2) / counts.sum(axis=2)
    lead = means[..., 0] - means[..., 1]
    return run.times, weight * lead * np.abs(lead) / 2


def draw_evidences(n_pairs: int, gap: float, delta: float, end: int, seed: int) -> dict[str, int]:
    """Draw the evidence of each pair in one run of the oracle, and in one of our rule."""
    never = pc.TopTwoIDS(delta=1e-200)
    rules = {ORACLE: FixedProportions(never, (1.0,) * (2 * n_pairs)), RULE: never}
    figure, panels = plots.new_figure(1, 2, height=3.2, sharex=True, sharey=True)
    stops = {}
    for axes, (name, algorithm) in zip(panels, rules.items(), strict=True):
        times, evidence = pair_evidences(algorithm, n_pairs, gap, end, seed)
        enough = np.log(np.log1p(times) / delta)
        stops[name] = int(times[(evidence.min(axis=1) >= enough).argmax()])
        before = times <= stops[name]
        colour = plots.ORANGE if name == ORACLE else plots.BLUE
        axes.plot(times[before], evidence[before], color=colour, lw=0.8, alpha=0.6)
        axes.plot(times[before], evidence[before].min(axis=1), color=colour, lw=2)
        axes.plot(times, enough, color=plots.BLACK, lw=1, ls="--")
        axes.plot(times, times * gap**2 / (8 * n_pairs), color=plots.BLACK, lw=0.8, ls=":")
        axes.axvline(stops[name], color=colour, lw=1)
        axes.set(title=f"{name}: stops after {stops[name]} samples", xlabel="samples t")
    panels[0].set_ylabel("evidence of each pair, in nats")
    plots.label_line(panels[0], end, enough[-1], "threshold", plots.BLACK, dx=-56, dy=8)
    plots.require(stops[RULE] < stops[ORACLE], "our rule stops earlier")
    plots.save(figure, CHAPTER, "evidences")
    return stops


def toy_ratios(
    sizes: tuple[int, ...], gap: float, deltas: tuple[float, ...], runs: int, seed: int, jobs: int
) -> dict[tuple[int, float], tuple[Measurement, Measurement]]:
    """Simulate the oracle and our rule on `pairs_instance`."""
    found = {}
    for size in sizes:
        instance = pairs_instance(size, gap)
        rule = pc.TopTwoIDS()
        oracle = FixedProportions(rule, (1.0,) * instance.n_arms)
        settings = {"deltas": deltas, "runs": runs, "seed": seed, "n_jobs": jobs}
        ours, theirs = (
            pc.simulate_deltas(each, instance, progress=False, **settings)
            for each in (rule, oracle)
        )
        for delta, first, second in zip(deltas, ours, theirs, strict=True):
            threshold = float(np.log(np.log1p(first.samples.mean()) / delta))
            ratio = ratio_of(first.samples, second.samples, paired=True)
            found[size, delta] = threshold, ratio
    return found


def draw_toy(found: dict, deltas: tuple[float, ...]) -> None:
    """Draw the ratios of `toy_ratios`, and the bounds of `fixed_bounds` at their thresholds."""
    figure, axes = plots.new_figure(height=3.2)
    for delta, colour in zip(deltas, (plots.BLUE, plots.GREEN, plots.PURPLE), strict=False):
        sizes = [size for size, each in found if each == delta]
        bounds = np.array([fixed_bounds(size, found[size, delta][0]) for size in sizes])
        thresholds = np.array([found[size, delta][0] for size in sizes])
        axes.fill_between(sizes, *(thresholds[:, None] / bounds).T, color=colour, alpha=0.2, lw=0)
        ratios = [found[size, delta][1] for size in sizes]
        falls = 0.45 < ratios[-1].value < 0.7 < ratios[0].value
        plots.require(falls, "fall from one to about one half to two thirds")
        ends = np.abs(np.transpose([each.interval for each in ratios]) - _values(ratios))
        axes.errorbar(sizes, _values(ratios), ends, fmt="o", ms=4, color=colour)
        text = f"δ = $10^{{{round(np.log10(delta))}}}$" if delta < 1e-3 else f"δ = {delta:g}"
        plots.label_line(axes, sizes[-1], ratios[-1].value, text, colour, dx=8)
    axes.axhline(1, color=plots.BLACK, lw=1)
    axes.set(xscale="log", xlabel="number of equally close wrong answers")
    axes.set_xticks(sizes, [f"{size}" for size in sizes])
    axes.minorticks_off()
    axes.set_xlim(sizes[0] / 1.15, sizes[-1] * 1.6)
    axes.set_ylabel("TopTwoIDS / oracle, samples")
    plots.save(figure, CHAPTER, "toy")


def _values(ratios: list[Measurement]) -> np.ndarray:
    return np.array([each.value for each in ratios])
