"""The published allocations of MOSCORE, and the rates that they attain."""

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_core.instances.datasets import read_table

METHODS = ("phantom", "score", "iscore")


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
        for method, shares in zip(METHODS, chosen[:, 8:11].T, strict=True):
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
