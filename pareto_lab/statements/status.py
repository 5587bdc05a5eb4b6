"""What is certain about an experiment today, whatever decided what was sampled."""

import dataclasses
import html

import numpy as np
import pandas as pd

from pareto_core.checks.arguments import check_choice, check_probability
from pareto_core.confidence.best_arm_certificate import BestArmCertificate
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.confidence.certificate import Certificate
from pareto_core.confidence.constrained_certificate import ConstrainedCertificate
from pareto_core.confidence.proven_rules import RULES
from pareto_core.confidence.variance_test import VarianceTest
from pareto_core.geometry.partition import Partition
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_lab.experiment.design import SIGNS
from pareto_lab.statements import reasons, remarks

__all__ = ["Status"]

RED = ' style="color: #c62828; font-weight: bold"'


@dataclasses.dataclass(frozen=True, eq=False)
class Status:
    """Statements about the arms of an experiment; `Session.status` makes them.

    Attributes
    ----------
    arms, objectives : tuple of str, or range
        Their names, or numbers.
    statements, reasons : ndarray of str, shape (K,)
        What is certain of each arm, and why, in words.
    samples : ndarray of int, shape (K,)
        How many rewards were told of each arm.
    means : ndarray, shape (K, d)
        Their averages, in the caller's signs and units; NaN for an arm without rewards.
    boxes : ndarray, shape (K, d, 2)
        Intervals that hold the true means, in the same.
    candidates : dict of str or int to list, or None
        If best arms are asked for: for each objective the arms of which one is certainly a best
        one. None for other questions.
    front : list of int or str
        The arms that would be the answer if the averages were the means, without a guarantee;
        empty as long as nothing was told of some arm.
    delta : float
        Risk that any of this is ever wrong, `front` and what *looks* so apart.
    rule : {"joint", "pairs"}
        Whether the objectives have to be independent; see `Certificate`.
    is_contradicted : bool
        Whether the statements contradict each other; see `Certificate`.
    variance_test : VarianceTest or None
        Test of the standard deviations that the session states against the scatter of the rewards
        within arms, those withdrawn and not replaced included; None if it states none.
    least_samples : int or None
        Rewards before which nothing can be said, since the noise is unknown; None otherwise.
    withdrawn : int
        How many rewards were withdrawn.
    unreplaced : int
        How many of them without another value for the same sample.
    """

    arms: tuple[str, ...] | range
    objectives: tuple[str, ...] | range
    statements: np.ndarray
    reasons: np.ndarray
    samples: np.ndarray
    means: np.ndarray
    boxes: np.ndarray
    candidates: dict[int | str, list[int | str]] | None
    front: list[int | str]
    delta: float
    rule: str
    is_contradicted: bool
    variance_test: VarianceTest | None
    least_samples: int | None
    withdrawn: int
    unreplaced: int

    @property
    def remarks(self) -> list[remarks.Remark]:
        """Sentences to read before the statements, each with ``text`` and ``is_warning``."""
        return self._remarks()

    @property
    def table(self) -> pd.DataFrame:
        """All of this in a `pandas.DataFrame`, a row for each arm."""
        heads = ["arm", "statement", "reasons", "samples"]
        columns = [list(self.arms), self.statements, self.reasons, self.samples]
        for c, name in enumerate(self.objectives):
            heads += [str(name), f"{name}, low", f"{name}, high"]
            columns += [self.means[:, c], *self.boxes[:, c].T]
        return pd.DataFrame(dict(enumerate(columns))).set_axis(heads, axis=1)

    @property
    def optimal(self) -> list[int | str]:
        """Arms that are certainly optimal, or certainly the best in some objective."""
        return self._said(reasons.OPTIMAL, reasons.BEST)

    @property
    def dominated(self) -> list[int | str]:
        """Arms that are certainly dominated, in a constrained question by a feasible arm."""
        return self._said(reasons.DOMINATED)

    @property
    def infeasible(self) -> list[int | str]:
        """Arms whose means certainly lie outside the polyhedron; some may be dominated, too."""
        return self._said(reasons.INFEASIBLE)

    @property
    def open(self) -> list[int | str]:
        """Arms about which the question is not settled."""
        return self._said(reasons.OPEN)

    def _remarks(self, has_answer=False):
        """The remarks, if the algorithm has an answer besides."""
        counts = remarks.Counts(int(self.samples.sum()), self.withdrawn, self.unreplaced)
        is_certain = has_answer or bool((self.statements != reasons.OPEN).any())
        names = self.arms, self.objectives
        return remarks.in_words(self.variance_test, self.least_samples, counts, is_certain, *names)

    def _said(self, *statements):
        return [self.arms[k] for k in np.flatnonzero(np.isin(self.statements, statements))]

    def __str__(self):
        texts = [f"{'WARNING. ' if each.is_warning else ''}{each.text}" for each in self.remarks]
        return "\n".join([*texts, self.table.to_string(index=False, float_format="{:.4g}".format)])

    def _repr_html_(self):
        texts = [
            f"<p{RED if each.is_warning else ''}>{html.escape(each.text)}</p>"
            for each in self.remarks
        ]
        return "".join([*texts, self.table.to_html(index=False, float_format="{:.4g}".format)])


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
        If an argument is out of range, or the algorithm is asked another question, or has a model
        of the noise that says more than a bound of the variance.
    """

    def __init__(self, algorithm, design, delta, rule, standard_deviation):
        if standard_deviation is None:
            standard_deviation = _deviation(algorithm, design)
        self._question, self._design = algorithm.question, design
        self._algorithm, self._deviation = algorithm, standard_deviation
        self._delta, self._rule = delta, rule
        self._signs = np.array([SIGNS[each] for each in design.directions])
        self._region = design.polyhedron and design.polyhedron.divided_by(self._signs)
        self._certificate, self._reasons = self._new_certificate(standard_deviation)

    def _new_certificate(self, deviation):
        """What is certain, and a function that puts it into words."""
        size = (self._design.n_arms, self._design.n_objectives)
        if self._question is PARETO_SET:
            certificate = Certificate(*size, self._delta, self._rule, deviation)
            return certificate, reasons.of_pareto_set
        if self._question is BEST_ARMS:
            return BestArmCertificate(*size, self._delta, deviation), reasons.of_best_arms
        if self._question in (CONSTRAINED_PARETO_SET, PARTITION):
            certificate = ConstrainedCertificate(
                *size, self._region, self._delta, self._rule, deviation
            )
            return certificate, reasons.of_constrained
        raise ValueError(
            f"question = {self._question.name!r}; expected one of the package: nothing is proven "
            "here about others"
        )

    def look(self, session):
        """Return the `Status` of the session: after all rewards that were told and count."""
        rewards, tested = session._course.told(), remarks.tested_rewards(session)
        counts = np.array([len(each) for each in rewards])
        size = (self._design.n_arms, self._design.n_objectives)
        means, scatter = np.zeros(size), np.zeros(size)
        for k in np.flatnonzero(counts):
            means[k] = np.mean(rewards[k], axis=0)
            scatter[k] = ((np.array(rewards[k]) - means[k]) ** 2).sum(axis=0)
        self._certificate.update(counts, means * self._signs, scatter)
        design = self._design
        found = [design.arms[k] for k in self._front(means)] if counts.all() else []
        averages = np.where(counts[:, None] > 0, means, np.nan)
        return Status(
            design.arms,
            design.objectives,
            *self._reasons(self._certificate, design, averages * self._signs),
            counts,
            averages,
            np.sort(self._certificate.boxes * self._signs[:, None], axis=2) + 0.0,  # no -0.0
            self._candidates(),
            found,
            self._delta,
            self._rule,
            self._certificate.is_contradicted,
            remarks.tested_noise(self._algorithm, design, tested),
            remarks.samples_before_statements(design, self._deviation, rewards, self._delta),
            *remarks.counts_of(session, rewards, tested)[1:],
        )

    def _front(self, means):
        """What would be right if these were the means."""
        found = self._question.solve(means * self._signs, self._region)
        return np.unique(found.optimal if isinstance(found, Partition) else found)

    def _candidates(self):
        if self._question is not BEST_ARMS:
            return None
        groups = zip(self._design.objectives, self._certificate.candidates, strict=True)
        return {name: [self._design.arms[k] for k in group] for name, group in groups}


def check_request(delta, rule, standard_deviation):
    """Refuse a risk that is none, and what the rule or the noise can't be."""
    check_probability(delta, "delta")
    check_choice(rule, "rule", RULES)
    if standard_deviation is not None:
        check_choice(standard_deviation, "standard_deviation", (UNKNOWN,))


def _deviation(algorithm, design):
    """Standard deviation of the noise, from whoever states it."""
    if design.is_noise_unknown:
        return UNKNOWN
    if algorithm.variance_bound is not None:
        return np.sqrt(algorithm.variance_bound)
    if algorithm.knows_noise:
        raise ValueError(
            f"standard_deviation = None for {type(algorithm).__name__}, which has its own model of "
            f"the noise; expected {UNKNOWN!r}"
        )
    return design.standard_deviation
