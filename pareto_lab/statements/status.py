"""The status of an experiment: what is certain about each arm, whatever chose the samples."""

import dataclasses
import functools
import html
from typing import NamedTuple

import numpy as np
import pandas as pd

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.algorithms.proven_stopping import PROVEN
from pareto_core.checks.arguments import check_choice, check_probability
from pareto_core.confidence.certificates import (
    BestArmCertificate,
    Certificate,
    ConstrainedCertificate,
)
from pareto_core.confidence.noise_kinds import UNKNOWN, UNKNOWNS
from pareto_core.confidence.proven_rules import JOINT, RULES
from pareto_core.geometry.partition import Partition
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_lab.experiment.arrivals import joint_risk
from pareto_lab.experiment.design import SIGNS
from pareto_lab.experiment.events import Predecessor, Retirement
from pareto_lab.experiment.missing_values import means_and_scatter, observed_counts
from pareto_lab.experiment.names import apart_from
from pareto_lab.experiment.noise import deviation_for_joint, stated_deviation
from pareto_lab.experiment.retirement import remaining_arms
from pareto_lab.statements import arm_statements
from pareto_lab.statements.accuracy import accuracy_of, accuracy_remarks
from pareto_lab.statements.data_warnings import (
    Remark,
    noise_test,
    remarks_on_data,
    remarks_on_missing,
    remarks_on_retired,
    remarks_on_unequal,
    remarks_without_intervals,
    samples_before_statements,
    tested_rewards,
)
from pareto_lab.statements.variance_test import VarianceTest

__all__ = ["Status"]

USUAL_RISK = 0.1  # of statements, if the algorithm has no risk
RED = ' style="color: #c62828; font-weight: bold"'


@dataclasses.dataclass(frozen=True, eq=False)
class Status:
    """Statements about the arms of an experiment, as `Session.status` returns them.

    Attributes
    ----------
    arms, objectives : tuple of str, or range
        Their names, or numbers.
    statements, reasons : ndarray of str, shape (K,)
        What is certain about each arm, and why, in words.
    samples : ndarray of int, shape (K,)
        Number of rewards that were told for each arm.
    means : ndarray, shape (K, d)
        Averages of these rewards, in the caller's signs and units; NaN where nothing was observed.
    boxes : ndarray, shape (K, d, 2)
        Intervals that contain the true means, in the same signs and units.
    candidates : dict of str or int to list, or None
        If the question is the best arm of every objective: arms of each objective, one of which is
        certainly a best one.
    front : list of int or str
        The answer if the averages were the means, without a guarantee; empty until every arm has a
        value in every objective.
    delta : float
        Risk that any statement or interval is ever wrong; `front`, and reasons that say *looks* or
        *averages*, are not statements.
    rule : {"joint", "pairs"}
        Whether the noise of the objectives has to be independent; see `Certificate`.
    is_contradicted : bool
        Whether the statements contradict each other; see `Certificate`.
    variance_test : VarianceTest or None
        Test of the stated standard deviations, if any, against the scatter of the rewards within
        arms, including rewards that were withdrawn and not replaced.
    least_samples : int or None
        Rewards that are needed before any statement, if the noise is unknown and there are fewer.
    withdrawn, unreplaced : int
        Numbers of withdrawn rewards, and of those whose samples have no other value.
    missing : ndarray of int, shape (K, d)
        Values of each arm and objective that were not observed in the rewards told.
    remarks : list of Remark
        Sentences to read before the statements, each with ``text`` and ``is_warning``.
    retired : tuple of Retirement
        Arms that are no longer sampled. Those that no longer count have the statement *retired*,
        and the other statements and `front` are about the arms that remain.
    predecessors : tuple of Predecessor
        The experiment as it was before each arm that was added.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.UniformSampling(budget=40), 2, 1, 1.0)
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, [5.0 * arm])
    >>> status = session.status()
    >>> status.statements.tolist(), status.optimal
    (['certainly dominated', 'certainly optimal'], [1])
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
    missing: np.ndarray
    remarks: list[Remark]
    retired: tuple[Retirement, ...] = ()
    predecessors: tuple[Predecessor, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """Statements, averages and intervals as a `pandas.DataFrame` with a row for each arm.

        If an objective has the name of another column, that one gets an underscore.
        """
        own = functools.partial(apart_from, {*map(str, self.objectives)})
        heads = ["arm", *map(own, ("statement", "reasons", "samples"))]
        columns = [list(self.arms), self.statements, self.reasons, self.samples]
        for c, name in enumerate(self.objectives):
            heads += [str(name), own(f"{name}, low"), own(f"{name}, high")]
            columns += [self.means[:, c], *self.boxes[:, c].T]
            if self.missing[:, c].any():
                heads.append(own(f"{name}, missing"))
                columns.append(self.missing[:, c])
        return pd.DataFrame(dict(enumerate(columns))).set_axis(heads, axis=1)

    @property
    def optimal(self) -> list[int | str]:
        """Arms that are certainly optimal, or certainly the best in some objective."""
        return self._arms_with(arm_statements.OPTIMAL, arm_statements.BEST)

    @property
    def near_optimal(self) -> list[int | str]:
        """Arms that are equal within ε: no arm is better by the accuracy in every objective."""
        return self._arms_with(arm_statements.NEAR)

    @property
    def dominated(self) -> list[int | str]:
        """Arms that are certainly dominated, in a constrained question by a feasible arm."""
        return self._arms_with(arm_statements.DOMINATED)

    @property
    def infeasible(self) -> list[int | str]:
        """Arms whose means certainly lie outside the polyhedron; some may be dominated, too."""
        return self._arms_with(arm_statements.INFEASIBLE)

    @property
    def open(self) -> list[int | str]:
        """Arms about which the question is not settled."""
        return self._arms_with(arm_statements.OPEN)

    def _arms_with(self, *statements):
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


class Request(NamedTuple):
    """What statements are asked for."""

    delta: float
    rule: str
    standard_deviation: str | None


def checked_request(algorithm, delta, rule, standard_deviation):
    """The `Request` with these arguments of `Session.status`; None is what the algorithm states."""
    delta = getattr(algorithm, "delta", USUAL_RISK) if delta is None else delta
    delta = check_probability(delta, "delta")
    rule = _own_rule(algorithm) if rule is None else check_choice(rule, "rule", RULES)
    if standard_deviation is not None:
        check_choice(standard_deviation, "standard_deviation", UNKNOWNS)
    return Request(delta, rule, standard_deviation)


def _own_rule(algorithm):
    """The rule by which an algorithm stops; "joint" if it has none of the rules of statements."""
    if isinstance(algorithm, Certified):
        return algorithm.bets
    return PROVEN.get(str(getattr(algorithm, "threshold", "")), JOINT)


class StatusMonitor:
    """The statements about one experiment at one risk, which accumulate over time."""

    def __init__(self, algorithm, design, delta, rule, standard_deviation):
        if standard_deviation is None:
            standard_deviation = _deviation(algorithm, design)
        self._question, self._design = algorithm.question, design
        self._algorithm, self._deviation = algorithm, standard_deviation
        self._delta, self._rule = delta, rule
        self._signs = np.array([SIGNS[each] for each in design.directions])
        self._region = design.polyhedron and design.polyhedron.divided_by(self._signs)
        self._certificate, self._words = self._new_certificate(standard_deviation)

    def _new_certificate(self, deviation):
        """A certificate for the question, and a function that puts it into words."""
        if self._rule == JOINT and self._design.is_correlated and self._question is not BEST_ARMS:
            deviation = deviation_for_joint(self._design)
        size = (self._design.n_arms, self._design.n_objectives)
        if isinstance(self._algorithm, Certified) and self._algorithm.is_for_subsets:
            rule = f"{self._rule}_subsets"
            certificate = Certificate(*size, self._delta, rule, deviation)
            return certificate, arm_statements.of_remaining
        if self._question is PARETO_SET:
            epsilon = accuracy_of(self._algorithm)
            certificate = Certificate(*size, self._delta, self._rule, deviation, epsilon)
            return certificate, functools.partial(arm_statements.of_pareto_set, epsilon=epsilon)
        if self._question is BEST_ARMS:
            return BestArmCertificate(*size, self._delta, deviation), arm_statements.of_best_arms
        if self._question in (CONSTRAINED_PARETO_SET, PARTITION):
            certificate = ConstrainedCertificate(
                *size, self._region, self._delta, self._rule, deviation
            )
            return certificate, arm_statements.of_constrained
        raise ValueError(
            f"question = {self._question.name!r}; expected a question of the package, because "
            "the status has no proof for others"
        )

    def status_of(self, state):
        """Return the `Status` after all rewards of a state that count."""
        design, rewards, tested = self._design, state.rewards, tested_rewards(state)
        counts = np.array([len(each) for each in rewards])
        observed = observed_counts(rewards, design.n_objectives)
        means, scatter = means_and_scatter(rewards, observed)
        self._leave_out(state)
        self._certificate.update(observed, means * self._signs, scatter)
        averages = np.where(observed > 0, means, np.nan)
        statements, reasons = self._words(self._certificate, design, averages * self._signs)
        retirements = state.run.retirements
        found = Status(
            design.arms,
            design.objectives,
            statements,
            arm_statements.with_retirements(reasons, retirements),
            counts,
            averages,
            np.sort(self._certificate.boxes * self._signs[:, None], axis=2) + 0.0,  # no -0.0
            self._candidates(),
            self._front(means, observed.all(axis=1), remaining_arms(state)),
            self._delta,
            self._rule,
            self._certificate.is_contradicted,
            noise_test(self._algorithm, design, tested),
            samples_before_statements(design, self._deviation, rewards, self._delta),
            len(state.withdrawn),
            sum(map(len, tested)) - int(counts.sum()),
            counts[:, None] - observed,
            [],
            tuple(each._replace(arm=design.arms[each.arm]) for each in retirements),
            tuple(state.predecessors),
        )
        remarks = self._remarks(found, state.ended_by, observed, scatter)
        return dataclasses.replace(found, remarks=remarks)

    def _remarks(self, found, ended_by, observed, scatter):
        """The remarks on the data and on what the statements mean, warnings first."""
        remarks = [
            *remarks_on_data(found, has_answer=ended_by == "answer"),
            *remarks_on_missing(found),
            *remarks_without_intervals(found, self._deviation),
            *remarks_on_unequal(found, self._deviation, observed, scatter),
            *remarks_on_retired(found.retired),
        ]
        if found.predecessors:
            remarks.append(Remark(joint_risk(found.predecessors, found.delta), False))
        remarks += accuracy_remarks(self._algorithm, self._design, ended_by)
        return sorted(remarks, key=lambda remark: not remark.is_warning)

    def decided(self, counts, means, scatter):
        """Return how many arms are not open any longer after these observations."""
        self._certificate.update(counts, means * self._signs, scatter)
        if self._question is not BEST_ARMS:
            return self._design.n_arms - self._certificate.open.size
        averages = np.where(counts[:, None] > 0, means, np.nan) * self._signs
        statements, _ = self._words(self._certificate, self._design, averages)
        return int((statements != arm_statements.OPEN).sum())

    def _leave_out(self, state):
        """Tell the certificate which arms no longer count."""
        for each in state.run.retirements:
            if not each.still_counts and each.arm not in self._certificate.retired:
                self._certificate.retire(each.arm)

    def _front(self, means, seen, remaining):
        """Arms of the right answer if these were the means; none if one has no reward."""
        left = np.flatnonzero(remaining)
        if not seen[left].all():
            return []
        if left.size == 1:
            return [self._design.arms[left[0]]]
        found = self._question.solve(means[left] * self._signs, self._region)
        answer = np.unique(found.optimal if isinstance(found, Partition) else found)
        return [self._design.arms[k] for k in left[answer]]

    def _candidates(self):
        if self._question is not BEST_ARMS:
            return None
        groups = zip(self._design.objectives, self._certificate.candidates, strict=True)
        return {name: [self._design.arms[k] for k in group] for name, group in groups}


def _deviation(algorithm, design):
    """Standard deviations that the design or the algorithm states."""
    if design.unknown_noise:
        return design.unknown_noise
    if algorithm.noise.variance_bound is not None:
        return np.sqrt(algorithm.noise.variance_bound)
    if algorithm.noise.is_stated:
        raise ValueError(
            f"standard_deviation = None for {type(algorithm).__name__}, which has its own model of "
            f"the noise; expected {UNKNOWN!r}"
        )
    return stated_deviation(design)
