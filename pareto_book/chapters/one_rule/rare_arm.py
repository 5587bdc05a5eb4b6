"""What more samples of the rarest arm change for an oracle with fixed proportions."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.kept_runs.oracles import optimal_proportions
from pareto_book.records.measurements import mean_of
from pareto_book.studies.fixed_proportions import FixedProportions

__all__ = ["raise_rarest", "rare_arm_table"]


def raise_rarest(proportions: Sequence[float], factor: float) -> np.ndarray:
    """Multiply the smallest proportion by a factor, and divide all by their sum."""
    raised = np.array(proportions, float)
    raised[raised.argmin()] *= factor
    return raised / raised.sum()


def rare_arm_table(
    instance: pc.Instance, factors: Sequence[float], deltas: Sequence[float], **settings: int
) -> pd.DataFrame:
    """Tabulate the samples of oracles that sample the rarest arm more often than is optimal."""
    rule = pc.TopTwoIDS()
    optimal = optimal_proportions(instance, rule)
    best = pc.transport_cost(instance.means_standardised, optimal).value
    rows = []
    for factor in factors:
        proportions = raise_rarest(optimal, factor)
        oracle = FixedProportions(rule, tuple(proportions.tolist()))
        found = pc.simulate_deltas(oracle, instance, deltas, progress=False, **settings)
        cost = pc.transport_cost(instance.means_standardised, proportions).value
        rows.append(
            {
                "factor": factor,
                "proportion": proportions[np.argmin(optimal)],
                "of C*": cost / best,
                **{f"δ = {each.algorithm.delta:g}": mean_of(each.samples) for each in found},
            }
        )
    return pd.DataFrame(rows)
