"""Several stopping rules that look at the same runs of Track-and-Stop, until each has stopped."""

import concurrent.futures
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import mean_of, ratio_of
from pareto_core.confidence.thresholds import mixture_threshold, stylised_threshold

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "DELTA",
    "PARETO_RULES",
    "SAID",
    "Rule",
    "map_runs",
    "pareto_looks",
    "ratio_rows",
    "ratio_table",
    "stop_times",
]

DELTA = 0.1  # the risk of all these rules
NEVER = 1e-250  # a risk at which Track-and-Stop does not stop before the rules that look at it
N_LOOKS = 100

Rule = Callable[[np.ndarray, np.ndarray], bool]  # from counts and means to whether it stops


def cost_exceeds(threshold: Callable[[np.ndarray, np.ndarray], float]) -> Rule:
    """Make a rule that stops when the transportation cost reaches a threshold."""
    return lambda counts, means: pc.transport_cost(means, counts).value >= threshold(counts, means)


def evidence_suffices(rule: str) -> Rule:
    """Make a rule that stops when the evidence of a proven rule reaches ln(1 / delta)."""
    return lambda counts, means: pc.proven_evidence(counts, means, rule).nats >= np.log(1 / DELTA)


STYLISED = cost_exceeds(lambda counts, means: stylised_threshold(counts.sum(), DELTA))
ALL_MEANS = cost_exceeds(lambda counts, means: mixture_threshold(counts, means.shape[1], DELTA))
PARETO_RULES: dict[str, Rule] = {
    "stylised": STYLISED,  # the others do not stop before it
    "joint": evidence_suffices("joint"),
    "pairs": evidence_suffices("pairs"),
    "all means": ALL_MEANS,
}
SAID = {  # ratios that the chapter states, by the names under which it records them
    "looked_joint": "joint",
    "looked_all": "all means",
}


def map_runs(function: Callable[[int], Any], runs: int, n_jobs: int | None = None) -> list:
    """Call a function with the number of each run, in several threads."""
    with concurrent.futures.ThreadPoolExecutor(n_jobs) as pool:
        return list(pool.map(function, range(runs)))


def stop_times(
    instance: pc.Instance,
    last: int,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    **settings: Any,
) -> np.ndarray:
    """Samples at which each rule stops each run: a row for each run, a column for each rule."""
    found = map_runs(lambda run: pareto_looks(instance, last, run, seed, **settings), runs, n_jobs)
    return np.array(found, float)


def pareto_looks(
    instance: pc.Instance, last: int, run: int, seed: int = 0, **settings: Any
) -> list[int]:
    """Samples at the first look at which each of `PARETO_RULES` stops a run of Track-and-Stop."""
    looks = np.unique(np.geomspace(40, last, N_LOOKS).astype(int))
    sampling = pc.TrackAndStop(delta=NEVER, **settings)
    seen = pc.trajectory(sampling, instance, looks, run, seed)
    states = list(zip(seen.times, seen.counts, seen.means, strict=True))
    first, *others = PARETO_RULES.values()
    start = _first_time(first, states)
    states = [each for each in states if each[0] >= start]
    return [start, *(_first_time(rule, states) for rule in others)]


def _first_time(rule, states):
    """Samples at the first of these states at which a rule stops."""
    return next(time for time, *data in states if rule(*data))


def ratio_rows(
    looks: Mapping[str, np.ndarray], rules: Sequence[str], over: str
) -> list[dict[str, Any]]:
    """Divide the samples of rules that stopped the same runs by those of one of them."""
    first = rules.index(over)
    return [
        {"": name, over: mean_of(found[:, first])}
        | {
            rule: ratio_of(found[:, k], found[:, first], paired=True)
            for k, rule in enumerate(rules)
            if k != first
        }
        for name, found in looks.items()
    ]


def ratio_table(rows: list[dict[str, Any]], over: str) -> "HTML":
    """Make a table of the rows that `ratio_rows` returns."""
    caption = (
        f"Mean samples at δ = {DELTA:g} at which the rule {over} stops Track-and-Stop, and how "
        "many times as many samples each other rule needs in the same runs, to the next look."
    )
    others = [head for head in rows[0] if head not in ("", over)]
    formats = {over: ",.0f"} | dict.fromkeys(others, ".2f")
    return show_table(pd.DataFrame(rows), caption, **formats)
