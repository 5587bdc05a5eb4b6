"""How often algorithms err, and what a proof costs: instances, error rates, prices, figures."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.error_rates import (
    RiskEstimate,
    error_probabilities,
    error_probability,
    fit_proposals,
)
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.cases import mean_ratio
from pareto_book.kept_runs.reading import read_instance
from pareto_book.records.measurements import Measurement, rate_of, ratio_of, risk_of
from pareto_core.checks.words import UnknownNoise
from pareto_core.confidence.thresholds import mixture_threshold, stylised_threshold

if TYPE_CHECKING:
    from IPython.display import HTML
    from matplotlib.figure import Figure

LAST_COUNTED = 500  # samples; later errors are not counted
MAX_SAMPLES = 3 * 10**6  # of a run whose price is measured
FEWEST_ERRORS = 30  # effective; an estimate from fewer is an order of magnitude, no more
THROTTLED = (
    "Track-and-Stop, throttled",
    "Track-and-Stop, throttled and proven",
    "TopTwoIDS, throttled and proven",
)
KEPT = {  # instance in the arena, and its entrants that stop by the rules of `KEPT_RULES`
    "vaccines": ("COV-BOOST", ("Track-and-Stop", "Track-and-Stop, proven", "TopTwoIDS, proven")),
    "network on chip": ("NoC, without features", THROTTLED),
    "sorting networks": ("SNW", THROTTLED),
}
KEPT_RULES = ("stylised", "joint", "TopTwoIDS, joint")
PROVEN = ("joint", "pairs", "TopTwoIDS, joint")  # columns of the table of prices
LOOKS = {  # colour, style, label and shift of the label of each curve
    "two arms": (plots.GREEN, "o-", "2 arms, 1 objective", 0),
    "wide, d = 3": (plots.SKY, "o-", "2 arms, 3 objectives", 3),
    "wide, d = 5": (plots.BLUE, "o-", "2 arms, 5 objectives", 0),
    "fan, K = 12": (plots.RED, "o-", "12 arms, 3 objectives", -6),
    "wide, d = 3, Track-and-Stop": (plots.SKY, "s:", "3 objectives, Track-and-Stop", 8),
}

# Instances


def wide(n_objectives: int, gap: float = 0.05) -> pc.Instance:
    """Make two arms, the second worse by `gap` in all objectives, but by 10 in the last of many."""
    means = np.zeros((2, n_objectives))
    means[1] = -gap
    means[1, -1] = -10.0 if n_objectives > 1 else -gap
    name = "two arms" if n_objectives == 1 else f"wide, d = {n_objectives}"
    return pc.Instance(means, name=name)


def fan(n_arms: int, gap: float = 0.1) -> pc.Instance:
    """Make an optimal arm 0 that each of the other arms, far apart, fails to dominate by `gap`."""
    others = np.arange(n_arms - 1)
    means = np.zeros((n_arms, 3))
    means[1:, 0] = 10 + 10 * others
    means[1:, 1] = -gap
    means[1:, 2] = 10 + 10 * others[::-1]
    return pc.Instance(means, name=f"fan, K = {n_arms}")


def staircase(steps: int) -> pc.Instance:
    """Make `steps` optimal arms (i, steps - 1 - i), and each again 0.8 lower in both objectives."""
    first = np.arange(steps, dtype=float)
    front = np.column_stack([first, steps - 1 - first])
    return pc.Instance(np.vstack([front, front - 0.8]), name=f"staircase, p = {steps}")


def above(n_arms: int) -> pc.Instance:
    """Make an instance with an arm that is 1 better than all others in both objectives."""
    means = np.zeros((n_arms, 2))
    means[0] = 1.0
    return pc.Instance(means, name=f"above, K = {n_arms}")


def layers(n_objectives: int) -> pc.Instance:
    """Make an arm for each objective that is 1 ahead there, and each again 0.8 lower."""
    front = np.eye(n_objectives)
    return pc.Instance(np.vstack([front, front - 0.8]), name=f"layers, d = {n_objectives}")


def with_deviations(means: np.ndarray, deviations: np.ndarray) -> pc.Instance:
    """Make an instance of given means and standard deviations of arms and objectives."""
    variance = np.broadcast_to(deviations, means.shape) ** 2
    return pc.Instance(means, covariance=variance[:, :, None] * np.eye(means.shape[1]))


# Error rates


def estimate_error_rates(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    max_samples: int = LAST_COUNTED,
) -> list[RiskEstimate]:
    """Estimate error rates by importance sampling, with proposals fitted to other runs."""
    settings = {"max_samples": max_samples, "n_jobs": n_jobs}
    fit, estimate = 2 * seed + 1, 2 * seed
    if algorithm.stopping.sampling_ignores_delta:
        proposals = fit_proposals(algorithm, instance, runs, fit, deltas=deltas, **settings)
        return error_probabilities(
            algorithm, instance, proposals, deltas, runs, estimate, **settings
        )
    found = []
    for delta in deltas:
        level = algorithm.with_delta(float(delta))
        proposals = fit_proposals(level, instance, runs, fit, **settings)
        found.append(error_probability(level, instance, proposals, runs, estimate, **settings))
    return found


def known(estimates: Sequence[RiskEstimate]) -> list[RiskEstimate]:
    """Estimates that rest on enough effective errors to be shown."""
    return [each for each in estimates if each.effective_errors >= FEWEST_ERRORS]


def over_delta(estimate: RiskEstimate) -> Measurement:
    """Divide an estimated error rate and its interval by delta; NaN if it is not known."""
    return risk_of(estimate, FEWEST_ERRORS).times(1 / estimate.delta)


def count_over_delta(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> list[Measurement]:
    """Rate of runs that stop within 500 samples with a wrong answer over delta, by counting."""
    own = 10**6 + seed  # other runs than those of the estimates
    results = pc.simulate_deltas(algorithm, instance, deltas, runs, own, n_jobs, LAST_COUNTED)
    return [
        rate_of(each.stopped & ~each.correct).times(1 / delta)
        for each, delta in zip(results, deltas, strict=True)
    ]


def quotient(numerator: Measurement, denominator: Measurement) -> Measurement:
    """Divide two measurements, with an interval from the ends of both."""
    low, high = numerator.interval
    least, most = denominator.interval
    runs = min(numerator.runs, denominator.runs)
    value = numerator.value / denominator.value
    return Measurement(value, (low / most, high / least), runs)


def delta_for(estimates: Sequence[RiskEstimate], wanted: float) -> Measurement:
    """Read off the delta of an error rate, between the points of the curve on logarithmic axes."""

    def read_off(part):
        rates = np.log([getattr(each, part) for each in reversed(estimates)])
        deltas = np.log([each.delta for each in reversed(estimates)])
        return float(np.exp(np.interp(np.log(wanted), rates, deltas)))

    ends = read_off("high"), read_off("low")
    return Measurement(read_off("probability"), ends, estimates[0].runs)


# Evidence along one run


class EvidencePath(NamedTuple):
    """Evidence along one run and what it has to exceed at risk delta, in nats at each time."""

    times: np.ndarray
    cost: np.ndarray
    proven: np.ndarray
    stylised: np.ndarray
    all_means: np.ndarray
    delta: float

    def first_times(self) -> dict[str, int]:
        """Samples at the first time at which each rule would stop, as far as it does."""
        reached = {
            "stylised": self.cost >= self.stylised,
            "joint": self.proven >= np.log(1 / self.delta),
            "all means": self.cost >= self.all_means,
        }
        return {
            rule: int(self.times[np.argmax(each)]) for rule, each in reached.items() if each.any()
        }


def evidence_path(seen: pc.Trajectory, delta: float) -> EvidencePath:
    """Compute the evidence along a run of unit variance."""
    states = list(zip(seen.counts, seen.means, strict=True))
    n_objectives = seen.means.shape[-1]
    return EvidencePath(
        seen.times,
        np.array([pc.transport_cost(means, counts).value for counts, means in states]),
        np.array([pc.proven_evidence(counts, means).nats for counts, means in states]),
        np.array([stylised_threshold(time, delta) for time in seen.times]),
        np.array([mixture_threshold(counts, n_objectives, delta) for counts in seen.counts]),
        delta,
    )


# Prices: samples of rules with a proof over those of the stylised threshold


class Prices(NamedTuple):
    """Ratios of samples by rule and risk; mean samples of the first rule."""

    ratios: dict[str, list[Measurement]]
    baseline: Sequence[float]


def samples_at(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> np.ndarray:
    """Samples of each run by risk; refuses runs that were cut off."""
    settings = {"seed": seed, "n_jobs": n_jobs, "max_samples": MAX_SAMPLES}
    if algorithm.stopping.sampling_ignores_delta:
        found = pc.simulate_deltas(algorithm, instance, deltas, runs, **settings)
    else:
        found = [
            pc.simulate(algorithm.with_delta(delta), instance, runs, **settings) for delta in deltas
        ]
    if not all(each.stopped.all() for each in found):
        raise RuntimeError(f"a run on {instance.name} was cut off at {MAX_SAMPLES:,} samples")
    return np.array([each.samples for each in found])


def simulated_prices(
    rules: Mapping[str, pc.Algorithm],
    instance: pc.Instance,
    deltas: Sequence[float],
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Prices:
    """Measure what each rule costs over the first one, on the same seeds."""
    found = {
        name: samples_at(rule, instance, deltas, runs, seed, n_jobs) for name, rule in rules.items()
    }
    baseline = next(iter(found.values()))
    ratios = {
        name: [ratio_of(*pair, paired=True) for pair in zip(samples, baseline, strict=True)]
        for name, samples in found.items()
    }
    return Prices(ratios, baseline.mean(axis=1))


def kept_prices(deltas: Sequence[float]) -> dict[str, Prices]:
    """Read what each rule costs on the three data sets from the runs that the arena keeps."""
    return {name: _kept_prices(*case, deltas) for name, case in KEPT.items()}


def _kept_prices(case, entrants, deltas):
    """Prices of entrants on one instance of the arena, over those of the first one."""
    runs = {(each.name, each.level): each for each in read_instance(case)}
    found = {
        rule: [runs[name, delta] for delta in deltas]
        for rule, name in zip(KEPT_RULES, entrants, strict=True)
    }
    baseline = found[KEPT_RULES[0]]
    ratios = {
        rule: [mean_ratio(*pair) for pair in zip(each, baseline, strict=True)]
        for rule, each in found.items()
    }
    return Prices(ratios, [each.mean for each in baseline])


# Tables


def risk_table(found: Mapping[str, Sequence[RiskEstimate]], caption: str) -> "HTML":
    """Make a table of error rates over delta: a row for each name, a column for each delta."""
    rows = [
        {"": name}
        | {f"δ = {each.delta:g}": over_delta(each) if known([each]) else "" for each in estimates}
        for name, estimates in found.items()
    ]
    return show_table(pd.DataFrame(rows), caption, **dict.fromkeys(list(rows[0])[1:], ".2g"))


def price_table(found: Mapping[str, Prices], deltas: Sequence[float]) -> "HTML":
    """Make the table of prices, with a row for each instance and risk."""
    caption = (
        "Mean samples with the stylised threshold, and how many times as many each proven rule "
        "needs. joint and pairs stop the same runs of Track-and-Stop, which computes a gradient at "
        "every sample on the vaccines, and at every tenth elsewhere; TopTwoIDS samples for joint."
    )
    rows = []
    for name, (ratios, baseline) in found.items():
        for k, delta in enumerate(deltas):
            row = {"": name, "δ": delta, "stylised": baseline[k]}
            rows.append(row | {r: ratios[r][k] if r in ratios else "" for r in PROVEN})
    formats = {"δ": "g", "stylised": ",.0f"} | dict.fromkeys(PROVEN, ".2f")
    return show_table(pd.DataFrame(rows), caption, **formats)


# Figures


def draw_calibration(
    curves: Mapping[str, Sequence[RiskEstimate]], counted: Mapping[str, Sequence[Measurement]]
) -> "Figure":
    """Draw error rates over delta against delta, estimated and counted, by the names of `LOOKS`."""
    figure, axes = plots.new_figure(height=4.2)
    for name, found in curves.items():
        colour, style, label, shift = LOOKS[name]
        deltas = [each.delta for each in known(found)]
        values = [over_delta(each) for each in known(found)]
        axes.plot(deltas, [each.value for each in values], style, ms=4, color=colour)
        ends = np.transpose([each.interval for each in values])
        axes.fill_between(deltas, *ends, color=colour, alpha=0.2, lw=0)
        for each, count in zip(found, counted[name], strict=False):
            axes.plot(each.delta, count.value, "x", color=colour)
        plots.label_line(axes, deltas[-1], values[-1].value, label, colour, dy=shift)
    axes.axhline(1, color="grey", lw=1)
    corner = {"color": "grey", "fontsize": 9, "ha": "right", "transform": axes.transAxes}
    axes.text(1, 0.98, "above the line: errs more often than δ permits", va="top", **corner)
    axes.text(1, 0.02, "below the line: errs less often", va="bottom", **corner)
    axes.set(xscale="log", yscale="log", xlim=(0.2, 1e-13), ylim=(0.14, 20))
    axes.set_xticks(10.0 ** -np.arange(1, 10, 2))
    axes.set_yticks([0.2, 0.5, 1, 2, 5, 10, 20], ["0.2", "0.5", "1", "2", "5", "10", "20"])
    axes.minorticks_off()
    axes.set(xlabel=r"risk $\delta$", ylabel=r"error rate over $\delta$")
    return figure


def draw_evidence(path: EvidencePath) -> "Figure":
    """Draw evidence along one run, what it has to exceed, and where two rules stop."""
    figure, axes = plots.new_figure(height=3.4)
    needed = np.full(path.times.size, np.log(1 / path.delta))
    for values, style, colour, name in (
        (path.all_means, "--", "grey", "threshold of all means"),
        (path.cost, "-", plots.BLUE, "transportation cost"),
        (path.proven, "-", plots.ORANGE, "proven evidence"),
        (path.stylised, "--", plots.BLUE, "stylised threshold"),
        (needed, "--", plots.ORANGE, "ln(1/δ)"),
    ):
        axes.plot(path.times, np.maximum(values, 0.05), style, color=colour)
        plots.label_line(axes, path.times[-1], values[-1], name, colour)
    stops = path.first_times()
    ends = (("stylised", path.stylised, plots.BLUE), ("joint", needed, plots.ORANGE))
    for rule, heights, colour in ends:
        end = stops[rule], heights[path.times == stops[rule]].item()
        axes.plot(*end, "o", ms=7, color=colour, zorder=4)
        where = {"xytext": (0, 8), "textcoords": "offset points", "ha": "center"}
        axes.annotate("stops", end, color=colour, fontsize=9, **where)
    axes.set(yscale="log", ylim=(0.3, 1000), xlim=(0, 1.3 * path.times[-1]))
    axes.set(xlabel="samples", ylabel="nats")
    return figure


def runs_with_errors(
    variance: UnknownNoise, means: np.ndarray, deviations: np.ndarray, runs: int, seed: int = 0
) -> np.ndarray:
    """Whether each run, of uniform sampling, has a wrong interval or statement at any look.

    The risk is 0.05, with looks at 10 to 1,000 rewards of each arm.
    """
    looks = np.unique(np.geomspace(10, 1000, 25).astype(int))
    optimal = pc.pareto_set(means)
    found = []
    for rng in np.random.default_rng([seed, 17]).spawn(runs):
        rewards = means + deviations * rng.standard_normal((looks[-1], *means.shape))
        certificate = pc.Certificate(*means.shape, 0.05, "pairs", variance)
        for n in looks:
            told = rewards[:n]
            scatter = n * told.var(axis=0)
            certificate.update(np.full(len(means), n), told.mean(axis=0), scatter)
        low, high = np.moveaxis(certificate.boxes, 2, 0)
        is_wrong = (means < low).any() or (means > high).any()
        is_wrong |= not np.isin(certificate.optimal, optimal).all()
        found.append(is_wrong or np.isin(certificate.dominated, optimal).any())
    return np.array(found)
