"""What is certain about an experiment today, whatever decided what was sampled."""

import dataclasses

import numpy as np
import pandas as pd

from pareto_core.confidence.certificate import Certificate
from pareto_core.geometry.dominance import pareto_set
from pareto_core.questions import PARETO_SET
from pareto_core.sessions.design import SIGNS

__all__ = ["Status"]

OPTIMAL, DOMINATED, OPEN = "certainly optimal", "certainly dominated", "open"


@dataclasses.dataclass(frozen=True, eq=False)
class Status:
    """Statements about the arms of an experiment; `Session.status` makes them.

    Attributes
    ----------
    table : pandas.DataFrame
        A row for each arm: its name, what is certain of it, how many rewards were told of it, and
        for each objective the average of these and an interval of the mean, in the caller's
        signs and units.
    optimal, dominated, open : list of int or str
        Arms that are certainly Pareto optimal, certainly dominated, and all others.
    front : list of int or str
        Arms that are Pareto optimal by the averages, without a guarantee; empty as long as nothing
        was told of some arm.
    delta : float
        Risk that any of this is ever wrong, `front` apart.
    rule : {"joint", "pairs"}
        Whether the objectives have to be independent; see `Certificate`.
    is_contradicted : bool
        Whether the statements contradict each other; see `Certificate`.
    """

    table: pd.DataFrame
    optimal: list
    dominated: list
    open: list
    front: list
    delta: float
    rule: str
    is_contradicted: bool

    def __str__(self):
        return self.table.to_string(index=False, float_format="{:.4g}".format)

    def _repr_html_(self):
        return self.table.to_html(index=False, float_format="{:.4g}".format)


class Statements:
    """What was certain so far of one experiment, at one risk.

    Parameters
    ----------
    algorithm : Algorithm
        That decides; its bound on the variance counts, if it has one.
    design : ExperimentDesign
    delta : float
    rule : {"joint", "pairs"}
    standard_deviation : "unknown" or None
        None for what the design says.

    Raises
    ------
    ValueError
        If the algorithm is asked another question, or see `Certificate`.
    """

    def __init__(self, algorithm, design, delta, rule, standard_deviation):
        if algorithm.question is not PARETO_SET:
            raise ValueError(
                f"algorithm = {algorithm!r} answers {algorithm.question.name!r}; expected one for "
                f"{PARETO_SET.name!r}: nothing is proven here about other questions"
            )
        if standard_deviation is None:
            bound = algorithm.variance_bound
            standard_deviation = design.standard_deviation if bound is None else np.sqrt(bound)
        self._design, self._delta, self._rule = design, delta, rule
        self._signs = np.array([SIGNS[each] for each in design.directions])
        size = (design.n_arms, design.n_objectives)
        self._certificate = Certificate(*size, delta, rule, standard_deviation)

    def look(self, rewards):
        """Return the `Status` after these rewards of each arm."""
        counts = np.array([len(each) for each in rewards])
        size = (self._design.n_arms, self._design.n_objectives)
        means, scatter = np.zeros(size), np.zeros(size)
        for k in np.flatnonzero(counts):
            means[k] = np.mean(rewards[k], axis=0)
            scatter[k] = ((np.array(rewards[k]) - means[k]) ** 2).sum(axis=0)
        certificate = self._certificate
        certificate.update(counts, means * self._signs, scatter)
        front = pareto_set(means * self._signs) if counts.all() else np.zeros(0, np.int64)
        groups = (certificate.optimal, certificate.dominated, certificate.open, front)
        return Status(
            self._table(counts, means),
            *([self._design.arms[k] for k in group] for group in groups),
            self._delta,
            self._rule,
            certificate.is_contradicted,
        )

    def _table(self, counts, means):
        design = self._design
        boxes = np.sort(self._certificate.boxes * self._signs[:, None], axis=2)
        said = np.full(design.n_arms, OPEN, dtype=object)
        said[self._certificate.optimal] = OPTIMAL
        said[self._certificate.dominated] = DOMINATED
        columns = {"arm": list(design.arms), "statement": said, "samples": counts}
        for c, name in enumerate(design.objectives):
            columns[str(name)] = np.where(counts > 0, means[:, c], np.nan)
            columns[f"{name}, low"], columns[f"{name}, high"] = boxes[:, c].T
        return pd.DataFrame(columns)
