"""Explanations of the verdict on each arm: the evidence behind a partition, in numbers."""

import numpy as np
import pandas as pd

from pareto_core.algorithms.constrained.partition_evidence import PartitionAlgorithm, write_cases
from pareto_core.checks.arguments import shown
from pareto_lab.experiment.names import is_named
from pareto_lab.session.session import Session

__all__ = ["explain"]

PARTS = ("optimal", "dominated", "infeasible")  # of a Partition


def explain(session: Session) -> pd.DataFrame:
    """Return the current verdict on each arm, whether it is certain, and the evidence for it.

    Parameters
    ----------
    session : Session
        A session of `ECAPE` or another algorithm that answers with a `Partition`, with at least
        one sample of each arm.

    Returns
    -------
    pandas.DataFrame
        A row for each arm. Lengths are in standard deviations, if the session has one.

        ``arm``
            Name or number.
        ``called``
            Optimal, dominated or infeasible, as the algorithm would answer if it stopped now. It
            considers the evidence for both reasons of a rejection, whereas
            `Session.recommendation` considers only the means before the end.
        ``sure``
            Whether the verdict is certain, that is, whether ``case`` is positive.
        ``case``
            The statistic of Kone et al. (2025, constrained, Equations (5) and (6)).
        ``feasible``
            Whether the empirical mean is feasible.
        ``margin``
            Distance of the empirical mean to the boundary, minus the confidence radius.
        ``rival``
            The arm of the empirical answer that comes nearest to dominating the arm; -1 if there
            is no such arm (None if arms have names).
        ``lead``
            By how much the rival certainly exceeds the arm in all objectives; negative if this is
            not certain.

    Raises
    ------
    ValueError
        If the session's algorithm does not answer with a `Partition`, or an arm has no sample.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.ECAPE(), 2, 1, 1.0, polyhedron=pc.orthant([0.0]))
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, [10.0 * arm - 5.0])
    >>> lab.explain(session)["called"].tolist()
    ['infeasible', 'optimal']
    """
    if not isinstance(session, Session) or not isinstance(session.algorithm, PartitionAlgorithm):
        raise ValueError(
            f"session = {shown(session)}; expected a Session whose algorithm answers with a "
            "Partition"
        )
    with session._lock:
        run, design = session._state.run.run.copy(), session.design
    state = run.state
    if state.record.counts.min() == 0:
        missed = design.arms[state.record.counts.argmin()]
        raise ValueError(f"session has no sample of arm {missed}; expected one")
    n_arms = session.n_arms
    case, lead, rival = np.empty(n_arms), np.empty(n_arms), np.empty(n_arms, np.int64)
    write_cases(run.parameters, state.evidence, state.record, case, rival, lead)
    called = np.empty(n_arms, object)
    answer = session.algorithm.question.read(run.copy().answer())
    for name, arms in zip(PARTS, answer, strict=True):
        called[arms] = name
    named = is_named(design.arms)
    return pd.DataFrame(
        {
            "arm": list(design.arms),
            "called": called,
            "sure": case > 0,
            "case": case,
            "feasible": state.evidence.arms.feasible.copy(),
            "margin": state.evidence.arms.margin.copy(),
            "rival": [design.arms[j] if j >= 0 else None for j in rival] if named else rival,
            "lead": lead,
        }
    )
