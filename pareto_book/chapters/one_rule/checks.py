"""Tables of the chapter: a run on the six arms, and the statements of the theorem in cases."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.one_rule import lemmas
from pareto_book.chapters.one_rule.any_positive import FORCED, MIXING, SHARES, counts_of_runs
from pareto_book.chapters.one_rule.cases import Case
from pareto_book.chapters.one_rule.fig_fluid import RULE, Approach
from pareto_book.chapters.one_rule.fluid import fluid_path
from pareto_book.chapters.one_rule.rule_path import rule_path
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, rate_of

__all__ = [
    "ADDS_SHARES",
    "PROVEN",
    "Slacks",
    "all_slacks",
    "distances",
    "run_table",
    "slack_table",
    "slacks_of",
    "waiting_rates",
    "waiting_table",
]

PROVEN, ADDS_SHARES = "forced rounds", "forced rounds that add the shares to the targets"
VERSIONS = {PROVEN: FORCED, ADDS_SHARES: SHARES, "mixing": MIXING}
WITH_TWO_GOOD_ARMS = np.concatenate([[1.0, 1.6], np.full(20, -1.0)])


def run_table(case: Case, times: Sequence[int], seed: int):
    """Make a table of one run of the rule: proportions at some times, and the optimal ones."""
    found = rule_path(case, times[-1], np.random.default_rng(seed))
    columns = {"arm": list(case.instance.labels), "optimal": case.optimum().weights}
    for time in times:
        columns[f"t = {time:,}"] = found.counts[found.times.searchsorted(time)] / time
    formats = dict.fromkeys([name for name in columns if name != "arm"], ".3f")
    caption = "Proportions of the samples in one run of the rule, and the optimal proportions."
    return show_table(pd.DataFrame(columns), caption, **formats)


def distances(found: Sequence[Approach]) -> tuple[float, float]:
    """Largest final distance of the rule, and least ratio of that of another rule to it."""
    ends = [{name: values[-1] for name, values in each.distances.items()} for each in found]
    ratios = [end[name] / end[RULE] for end in ends for name in end if name != RULE]
    return max(end[RULE] for end in ends), min(ratios)


class Slacks(NamedTuple):
    """Least slacks of the statements on one question; see `lemmas`."""

    best_reply: float
    distance: float
    tracking: float
    fewest_samples: float
    forced_rounds: float
    one_step: float
    average: float
    convex: float  # NaN if Proposition 2 does not cover the question

    @property
    def least(self) -> float:
        """The least of them."""
        return np.nanmin(self)


def slacks_of(case: Case, horizon: int, seed: int, covered: bool) -> Slacks:
    """Check the statements on one question, along two noisy paths and one with known means."""
    optimum = case.optimum()
    noisy = [
        rule_path(case, horizon, np.random.default_rng(seed), version)
        for version in ("forced", "mixing")
    ]
    fluid = fluid_path(case, horizon)
    return Slacks(
        *lemmas.facts_slacks(case, horizon, np.random.default_rng(seed)),
        min(map(lemmas.tracking_slack, noisy)),
        min(map(lemmas.fewest_samples_slack, noisy)),
        lemmas.forced_rounds_slack(noisy[0]),
        min(lemmas.one_step_slack(case, path, optimum.weights) for path in noisy),
        lemmas.average_slack(fluid, optimum),
        min(lemmas.convex_slacks(fluid, optimum)) if covered else np.nan,
    )


def all_slacks(six: Case, rounds: int, seed: int) -> dict[str, Slacks]:
    """Check the statements on three questions about the same six arms; see `slacks_of`."""
    limits = pc.Instance(six.means, polyhedron=pc.orthant([0.3, 0.3]))
    cases = {
        "Pareto set": (six, False),
        "best arms": (six._replace(problem="best_arm_per_objective"), True),
        "constrained": (Case("limits", limits, "constrained_pareto_set"), False),
    }
    return {name: slacks_of(case, rounds, seed, covered) for name, (case, covered) in cases.items()}


def slack_table(found: Mapping[str, Slacks]):
    """Make a table of the least slacks of each statement, by question."""
    statements = {
        "best_reply": "Fact (b)",
        "distance": "Fact (c)",
        "tracking": "Lemma 3: N and H",
        "fewest_samples": "Lemma 3: fewest samples",
        "forced_rounds": "Lemma 4: forced rounds",
        "one_step": "Lemma 4: one step",
        "average": "Proposition 1",
        "convex": "Proposition 2",
    }
    rows = [
        {"statement": words}
        | {
            name: "–" if np.isnan(value) else f"{value:.2g}"
            for name, value in ((name, getattr(each, field)) for name, each in found.items())
        }
        for field, words in statements.items()
    ]
    caption = (
        "Least slack of each inequality along simulated paths; a negative number beyond rounding "
        "would refute it."
    )
    return show_table(pd.DataFrame(rows), caption)


def waiting_rates(horizon: int, runs: int, seed: int) -> dict[str, Measurement]:
    """Rates of runs in which the best arm has no more than its forced samples, by version."""
    most = np.sqrt(horizon) - WITH_TWO_GOOD_ARMS.size / 2 + 1
    return {
        name: rate_of(
            counts_of_runs(WITH_TWO_GOOD_ARMS, horizon, runs, version, seed)[:, 1] <= most
        )
        for name, version in VERSIONS.items()
    }


def waiting_table(rates: Mapping[str, Measurement], horizon: int):
    """Make a table of these rates."""
    rows = [{"exploration": name, "rate": rate} for name, rate in rates.items()]
    caption = (
        f"Rate of runs in which the best of 22 arms has, after {horizon:,} samples, no more "
        "samples than forced rounds give to every arm."
    )
    return show_table(pd.DataFrame(rows), caption, rate=".3f")
