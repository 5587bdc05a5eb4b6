"""The plan of an experiment: what it may cost until statements are certain, and until its end."""

import dataclasses
import functools
import html
import textwrap

import numpy as np
import pandas as pd

from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.statistics import rate_interval
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.names import shortened
from pareto_lab.experiment.state import ROUNDING
from pareto_lab.planning.assumptions import Assumptions

__all__ = ["Plan"]

QUANTILES = (0.1, 0.5, 0.9)
HEADS = {"low": "10 %", "median": "median", "high": "90 %"}
WIDTH = 96  # characters of a line


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """Simulated experiments of one design, as `Session.plan` returns them.

    Each is a whole experiment from its first sample: the algorithm of the session decides, and
    after every 5 % more samples the statements of `Session.status` are looked at, so that the
    samples until a statement are at most 5 % too many, or as many as the algorithm takes at once.
    It goes on beyond the budget, until the algorithm stops or ``max_samples`` are taken.

    Attributes
    ----------
    algorithm, design, budget
        Of the session.
    samples : ndarray, shape (n, K + 1)
        Samples of each of n experiments until the status is certain about 1, 2, ..., K arms, and
        in the last column until the algorithm stops. Infinite if that did not happen.
    costs : ndarray, shape (n, K + 1)
        Costs of these samples; their numbers without costs.
    assumptions : Assumptions
        The ``means`` and the ``deviation`` of the noise, shape (K, d), in the caller's signs and
        units, and the ``correlation`` of the noise or None.
    delta, rule, seed, max_samples
        As given, or their defaults.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(
    ...     pc.Certified(), arms=["A", "B"], objectives=["yield"], standard_deviation=1.0, budget=40
    ... )
    >>> plan = session.plan({"A": [5.0], "B": [0.0]}, runs=20, progress=False)
    >>> plan.table[["until", "samples_median", "within_budget"]]
                     until  samples_median  within_budget
    0  1 of 2 arms certain             7.0           0.95
    1  2 of 2 arms certain             7.0           0.95
    2  the algorithm stops             7.0           1.00
    """

    algorithm: Algorithm
    design: ExperimentDesign
    budget: float | None
    samples: np.ndarray
    costs: np.ndarray
    assumptions: Assumptions
    delta: float
    rule: str
    seed: int
    max_samples: int

    @functools.cached_property
    def table(self) -> pd.DataFrame:
        """A row for each number of arms that are certain, and one for the end of the algorithm.

        Columns are ``until``; the quantiles ``samples_low`` (10 %), ``samples_median`` and
        ``samples_high`` (90 %), and the same of ``cost``, infinite where too many experiments did
        not get there; ``within_budget``, the share of experiments that got there within the budget,
        and its exact 95 % interval ``within_low`` to ``within_high`` (NaN without a budget); and
        ``never``, the share of experiments that did not get there at all.
        """
        n_arms, runs = self.design.n_arms, len(self.samples)
        until = [f"{number} of {n_arms} arms certain" for number in range(1, n_arms + 1)]
        columns = {"until": [*until, "the algorithm stops"]}
        for name, values in (("samples", self.samples), ("cost", self.costs)):
            found = np.quantile(values, QUANTILES, axis=0, method="inverted_cdf")
            for part, row in zip(("low", "median", "high"), found, strict=True):
                columns[f"{name}_{part}"] = row
        within = self._within()
        columns["within_budget"] = within / runs
        ends = [(np.nan, np.nan) if k != k else rate_interval(int(k), runs) for k in within]
        columns["within_low"], columns["within_high"] = map(list, zip(*ends, strict=True))
        columns["never"] = np.isinf(self.samples).mean(axis=0)
        return pd.DataFrame(columns)

    def _within(self):
        """How many experiments got there within the budget, shape (K + 1,)."""
        if self.budget is None:
            return np.full(self.costs.shape[1], np.nan)
        return (self.costs <= self.budget * (1 + ROUNDING)).sum(axis=0)

    @property
    def remarks(self) -> list[str]:
        """What the plan assumes, and what it does not promise, in sentences."""
        found = ["All experiments have the given means; with other means the numbers differ."]
        if self.budget is not None:
            share = 1 - self.table[["within_budget", "within_high", "within_low"]].iloc[0]
            text = _with_interval(*share)
            found.insert(0, f"Probability that no arm is certain within the budget: {text}.")
        end = (
            "An experiment ends when its algorithm stops, whose answer has the algorithm's own "
            f"risk, and at {self.max_samples} samples at the latest; arms that are not certain in "
            "the status by then are never certain."
        )
        return [*found, end]

    def __repr__(self):
        head = f"Plan: {len(self.samples)} simulated experiments of {shortened(self.algorithm)}"
        lines = [head, "", self._shown().to_string(index=False), ""]
        lines += [textwrap.fill(each, WIDTH) for each in self.remarks]
        return "\n".join(lines)

    def _repr_html_(self):
        texts = "".join(f"<p>{html.escape(each)}</p>" for each in self.remarks)
        return self._shown().to_html(index=False) + texts

    def _shown(self):
        """The table with words in place of numbers: the first arm, half, all, and the end."""
        n_arms = self.design.n_arms
        rows = [*dict.fromkeys((0, (n_arms + 1) // 2 - 1, n_arms - 1, n_arms))]
        table = self.table.iloc[rows]
        columns = {"until": table["until"]}
        for name in ("samples", "cost") if self.design.costs is not None else ("samples",):
            for part in ("low", "median", "high"):
                head = f"{name}, {HEADS[part]}"
                columns[head] = [_number(each) for each in table[f"{name}_{part}"]]
        if self.budget is not None:
            shares = table[["within_budget", "within_low", "within_high"]].to_numpy()
            columns[f"within {self.budget:g}"] = [_with_interval(*row) for row in shares]
        return pd.DataFrame(columns)


def _number(value):
    """A number of samples or a cost; infinite where too few experiments got there."""
    return "not reached" if np.isinf(value) else f"{value:.6g}"


def _with_interval(rate, low, high):
    return f"{rate:.2f} [{low:.2f}, {high:.2f}]"
