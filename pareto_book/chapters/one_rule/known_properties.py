"""How costs and known noise change the optimal proportions, and what our rule then needs."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement, mean_of

__all__ = [
    "largest_effect",
    "limit_table",
    "price_of_ignoring",
    "properties",
    "properties_table",
    "show_limit",
    "show_properties",
]

LIMITED = ((0.5, 0.5), (0.9, 0.2), (0.0, 0.1))  # means of three arms; B violates the limit
LIMIT = pc.Polyhedron([[1.0, -1.0]], [0.4])  # the first objective is ahead by at most 0.4
CORRELATIONS = (-0.9, -0.5, 0.0, 0.5, 0.9)
DEAR, NOISY = 4.0, 9.0  # the cost, and the variance, of a sample of one arm; those of others are 1


class Known(NamedTuple):
    """What is known of the samples of each arm.

    Attributes
    ----------
    noise : dict
        ``variance`` or ``covariance``, as `Instance` takes them; empty for unit variance.
    costs : tuple of float or None
        Cost of a sample of each arm.
    """

    noise: dict[str, Any]
    costs: tuple[float, ...] | None = None


def properties(n_arms: int, arm: int, name: str) -> dict[str, Known]:
    """Cases in which one property differs from unit variance, independence and equal costs."""
    one = np.arange(n_arms) == arm
    correlated = {
        f"correlation {name}": Known({"covariance": [[1.0, value], [value, 1.0]]})
        for name, value in {"−0.5": -0.5, "+0.5": 0.5, "+0.9": 0.9}.items()
    }
    variance = np.where(one, NOISY, 1.0)[:, None] * np.ones(2)
    return {
        "unit variance": Known({}),
        **correlated,
        f"{name} three times as noisy": Known({"variance": variance}),
        f"a sample of {name} costs {DEAR:g}": Known({}, tuple(np.where(one, DEAR, 1.0).tolist())),
    }


def properties_table(
    instance: pc.Instance, cases: dict[str, Known], delta: float, **settings: int
) -> pd.DataFrame:
    """Tabulate T*, the optimal proportions, and what the rule needs, in each case."""
    rows = []
    for name, (noise, costs) in cases.items():
        found = pc.characteristic_time(instance.means, costs=costs, **noise)
        prices = np.ones(instance.n_arms) if costs is None else np.array(costs)
        shares = found.weights / prices
        rows.append(
            {
                "known": name,
                "T*": found.time,
                **dict(zip(instance.labels, shares / shares.sum(), strict=True)),
                f"needed, δ = {delta:g}": _needed(instance, noise, costs, delta, settings),
            }
        )
    return pd.DataFrame(rows)


def _needed(instance, noise, costs, delta, settings) -> Measurement:
    """Mean cost of the samples until the rule stops."""
    rule = pc.TopTwoIDS(delta, costs=costs)
    case = pc.Instance(instance.means, **noise)
    found = pc.simulate(rule, case, progress=False, **settings)
    return mean_of(found.pulls @ (np.ones(instance.n_arms) if costs is None else np.array(costs)))


def largest_effect(frame: pd.DataFrame) -> float:
    """Find the largest relative change of T* by correlation, in a table of `properties_table`."""
    times = frame.set_index("known")["T*"]
    correlated = times[times.index.str.startswith("correlation")]
    return float(np.abs(correlated / times["unit variance"] - 1).max())


def show_properties(frame: pd.DataFrame):
    """Make the table of `properties_table`."""
    caption = (
        "T*, the optimal proportions of the samples, and the mean samples that our rule needs, by "
        "what is known of the noise; in the last row, T* and what is needed are costs."
    )
    proportions = dict.fromkeys(frame.columns[2:-1], ".3f")
    return show_table(frame, caption, **{"T*": ".1f", frame.columns[-1]: ",.0f"}, **proportions)


def limit_table() -> pd.DataFrame:
    """Tabulate T* of three arms with a limit on the difference of their two objectives."""
    question = {"problem": "constrained_pareto_set", "polyhedron": LIMIT}
    plain = pc.characteristic_time(LIMITED, **question).weights
    rows = []
    for value in CORRELATIONS:
        noise = {"covariance": [[1.0, value], [value, 1.0]]}
        found = pc.characteristic_time(LIMITED, **question, **noise)
        ignoring = 1 / pc.transport_cost(LIMITED, plain, **question, **noise).value
        shares = dict(zip("ABC", found.weights, strict=True))
        rows.append({"correlation": value, "T*": found.time, **shares, "ignoring it": ignoring})
    return pd.DataFrame(rows)


def price_of_ignoring(frame: pd.DataFrame) -> float:
    """Find the largest ratio, over the correlations, of the last column of `limit_table` to T*."""
    return float((frame["ignoring it"] / frame["T*"]).max())


def show_limit(frame: pd.DataFrame):
    """Make the table of `limit_table`."""
    caption = (
        "T* and the optimal proportions of three arms with a limit on the difference of the two "
        "objectives, by their correlation; last, the same at the proportions of the middle row."
    )
    digits = {"correlation": "+.1f", "T*": ".1f", "ignoring it": ".1f"}
    return show_table(frame, caption, **digits, **dict.fromkeys("ABC", ".3f"))
