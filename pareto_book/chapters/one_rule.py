"""One sampling rule for every question: paths with known means, and runs beside an oracle.

An oracle samples in the optimal proportions and stops as the rule does; its runs are kept in
``data/arena``. `pairs_instance` and `fixed_bounds` explain why it needs more samples: comparisons
that are equally hard, and how long fixed proportions wait for the unluckiest of them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.kept_runs.competitions import ORACLE_COMPETITIONS, find_instance
from pareto_book.kept_runs.reading import read_instance
from pareto_book.kept_runs.results import paired_log_ratio
from pareto_book.kept_runs.run_files import KeptRuns
from pareto_book.records.measurements import Measurement
from pareto_book.studies.fixed_proportions import FixedProportions
from pareto_core.instances.datasets import read_table
from pareto_lab.comparison.lower_bounds import time_of

RULE, ORACLE, EXPLORING = "TopTwoIDS", "oracle", "oracle, exploring"
PARETO_SET = "Pareto set, oracle"
BEST_ARMS = "best arm of every objective, oracle"
CONSTRAINED = "constrained Pareto set, oracle"
SUFFIX = ", oracle"  # of the names of the instances

# Known means


class Case(NamedTuple):
    """A question about an instance, with its means in units of the noise."""

    name: str
    instance: pc.Instance
    problem: str = "pareto_set"

    @property
    def _question(self):
        constrained = self.problem == "constrained_pareto_set"
        region = self.instance.polyhedron if constrained else None
        return {"problem": self.problem, "polyhedron": region}

    def cost(self, weights: ArrayLike) -> pc.TransportCost:
        """Cost of the cheapest alternative."""
        return pc.transport_cost(self.instance.means, weights, **self._question)

    def optimum(self) -> pc.CharacteristicTime:
        """Characteristic time and optimal proportions, to a relative gap of 1e-9."""
        settings = {"relative_gap": 1e-9, "max_iterations": 10_000}
        return pc.characteristic_time(self.instance.means, **settings, **self._question)


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


def held_targets(algorithm: pc.Algorithm, instance: pc.Instance, times: ArrayLike) -> np.ndarray:
    """Proportions that the kernels of an algorithm track with the averages held at the means."""
    parameters = algorithm.parameters(instance.problem)
    state = algorithm.start(instance.problem, np.random.default_rng(0))
    record, found = state.record, []
    record.means[:] = instance.means
    for time in times:
        while record.time[0] < time:
            arm, _ = algorithm.select(parameters, state)
            record.counts[arm] += 1
            record.time[0] += 1
        found.append(state.targets / state.targets.sum())
    return np.array(found)


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
    by_case: dict[tuple[str, str, float], KeptRuns]  # by instance, entrant and risk

    def has(self, instance: str, name: str, delta: float) -> bool:
        """Whether runs of this entrant are kept."""
        return (instance, name, delta) in self.by_case

    def ratio(self, instance: str, first: str, second: str, delta: float) -> Measurement:
        """Ratio of the mean samples of two entrants, from paired runs."""
        ours, theirs = (self.by_case[instance, name, delta] for name in (first, second))
        value, low, high = np.exp(paired_log_ratio(ours, theirs))
        runs = min(ours.samples.size, theirs.samples.size)
        return Measurement(float(value), (float(low), float(high)), runs)

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
        return float(self.by_case[instance, name, delta].samples.mean())

    def wrong(self, name: str) -> tuple[int, int]:
        """Number of wrong answers of an entrant at the largest risk, and of its runs."""
        kept = [self.by_case[each, name, self.risks[0]] for each in self.times]
        wrong = sum(int((each.ended & ~each.right).sum()) for each in kept)
        return wrong, sum(each.samples.size for each in kept)


def load_questions() -> dict[str, OracleRuns]:
    """Read the kept runs of all questions beside an oracle, by question."""
    found = {}
    for question, competition in ORACLE_COMPETITIONS.items():
        times, by_case = {}, {}
        for name in competition.instances:
            short = name.removesuffix(SUFFIX)
            _, entrants, instance = find_instance(name)
            times[short] = time_of(instance, next(iter(entrants.values())).algorithm.question)
            by_case |= {(short, each.name, each.delta): each for each in read_instance(name)}
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
    formats = {"T*": ",.0f", "over tᵦ": ".2f"} | dict.fromkeys(frame.columns[2:4], ",.0f")
    return show_table(frame, caption, **formats, **_two_digits(frame))


PAPERS = {  # rivals, instances and question of each paper
    "Crepon et al. 2024": (("Track-and-Stop", "APE"), ("COV-BOOST",), PARETO_SET),
    "Kone et al. 2025, posterior sampling": (
        ("Track-and-Stop", "APE"),
        ("five arms", "line", "random, five"),
        PARETO_SET,
    ),
    "Chen et al. 2024": (("MO-BAI", "D-Tracking"), ("distinct",), BEST_ARMS),
    "Kone et al. 2025, constrained": (
        ("Game-cPSI", "e-cAPE"),
        ("two stage hard", "orthant", "simplex", "ordered", "hypercube", "COV-BOOST, IgG"),
        CONSTRAINED,
    ),
}


def papers_table(questions: Mapping[str, OracleRuns], reference: str = RULE):
    """Make a table of the samples of each paper's algorithms over those of a reference."""
    frame = pd.DataFrame(
        _row(paper, questions[question], instance, rival, reference)
        for paper, (rivals, instances, question) in PAPERS.items()
        if question in questions
        for instance in instances
        for rival in (rivals if reference == RULE else (RULE, *rivals))
    )
    for name in ("paper", "instance"):
        frame[name] = frame[name].mask(frame[name].duplicated(), "")
    caption = (
        f"Samples of the algorithms of each paper over those of {reference}, with 95 % intervals "
        "from paired runs. Empty: not run, because APE and e-cAPE need runs of their own at each "
        "risk."
    )
    return show_table(frame, caption, **{f"{reference}, δ = 0.1": ",.0f"}, **_two_digits(frame))


def _row(paper, kept, instance, rival, reference):
    top = kept.risks[0]
    ratios = {
        f"ratio at {delta:g}": kept.ratio(instance, rival, reference, delta)
        if kept.has(instance, rival, delta)
        else np.nan
        for delta in kept.risks
    }
    mean = kept.mean(instance, reference, top)
    return {
        "paper": paper,
        "instance": instance,
        "algorithm": rival,
        f"{reference}, δ = {top:g}": mean,
        **ratios,
    }


def _two_digits(frame):
    return {name: ".2f" for name in frame.columns if name.startswith("ratio at")}


def paired_runs(
    instance: pc.Instance, risks: Sequence[float], proportions: Sequence[float], **settings: int
) -> dict[str, list[np.ndarray]]:
    """Samples of the rule and of two oracles at each risk, in paired runs."""
    rule, given = pc.TopTwoIDS(), tuple(proportions)
    rules = {
        RULE: rule,
        ORACLE: FixedProportions(rule, given),
        EXPLORING: FixedProportions(rule, given, forced_exploration=True),
    }
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


def fixed_bounds(n_comparisons: int, threshold: float) -> tuple[float, float]:
    r"""Bounds on the mean samples of each comparison under fixed proportions.

    The evidence of n samples is :math:`n+\sqrt2\,W(n)` with a Brownian motion W. Fixed proportions
    stop no earlier than at the last first passage of the threshold, an inverse Gaussian time, and
    on average no later than the integral of the probability that some evidence is below it.
    """
    end = threshold + 60.0 * (np.sqrt(2 * threshold) + 1)  # where a passage counts as certain
    times = np.linspace(0.0, 1.0, 20_001)[1:] ** 2 * end
    shape = threshold**2 / 2
    passed = scipy.stats.invgauss.cdf(times, threshold / shape, scale=shape)
    above = scipy.special.ndtr((times - threshold) / np.sqrt(2 * times))
    lower, upper = (
        times[0] + scipy.integrate.trapezoid(1 - each**n_comparisons, times)
        for each in (passed, above)
    )
    return float(lower), float(upper)


# A forced sample and the targets


def best_arm_waits(adds_forced_sample: bool, horizon: int, runs: int, seed: int) -> np.ndarray:
    """Whether the best of 22 arms has no more samples than each arm is forced to, by run.

    The question is whether any arm is positive. In a forced round the targets grow by the forced
    sample or by the shares of the evidence.
    """
    means, rng = np.array([1.0, 1.6, *[-1.0] * 20]), np.random.default_rng(seed)
    each, counts = np.arange(runs), np.ones((runs, means.size))
    targets, sums = counts.copy(), means + rng.standard_normal(counts.shape)
    for time in range(means.size, horizon):
        averages = sums / counts
        growth = counts * np.maximum(averages, 0) ** 2
        none = np.flatnonzero(growth.sum(axis=1) == 0)  # no average is positive
        growth[none, (counts * averages**2).argmin(axis=1)[none]] = 1.0  # raise the cheapest arm
        growth /= growth.sum(axis=1, keepdims=True)
        arm = counts.argmin(axis=1)
        forced = counts[each, arm] <= np.sqrt(time) - means.size / 2
        if adds_forced_sample:
            growth[forced] = np.eye(means.size)[arm[forced]]
        targets += growth
        arm = np.where(forced, arm, (targets - counts).argmax(axis=1))
        counts[each, arm] += 1.0
        sums[each, arm] += means[arm] + rng.standard_normal(runs)
    return counts[:, 1] <= np.sqrt(horizon) - means.size / 2 + 1


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
