"""Why each arm is called what it is called, in numbers."""

import numpy as np
import pandas as pd

from pareto_core.algorithms.constrained.explanation import write_cases
from pareto_core.algorithms.constrained.partition_evidence import PartitionAlgorithm
from pareto_core.checks.arguments import shown
from pareto_lab.experiment.names import is_named
from pareto_lab.session.session import Session

__all__ = ["explain"]

NAMES = ("optimal", "dominated", "infeasible")  # of the parts of a Partition


def explain(session: Session) -> pd.DataFrame:
    """What each arm is called now, how sure its verdict is, and the evidence for it.

    Parameters
    ----------
    session : Session
        Of `ECAPE` or another algorithm that answers with a `Partition`, with a sample of
        each arm at least.

    Returns
    -------
    pandas.DataFrame
        One row per arm: ``arm``; ``called`` optimal, dominated or infeasible, as the algorithm
        would answer if it stopped now, which goes by the evidence for either reason (before the
        end `Session.recommendation` goes by the means alone); ``sure``, whether it is surely
        optimal, or surely rejected: whether the ``case`` is positive; ``case``, the statistic of
        Kone et al. (2025, constrained, Equations (5) and (6)); ``feasible``, whether the
        empirical mean is; ``margin``, its distance to the boundary less the confidence radius;
        ``rival``, the arm of the empirical answer that comes nearest to dominating it, -1 if
        there is none (None if arms have names); and ``lead``, by how much it surely does in all
        objectives, negative if it does not surely. Lengths are in standard deviations, if the
        session has one.

    Raises
    ------
    ValueError
        If the session's algorithm gives no reasons, or an arm has no sample yet.

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
    with session._guard:
        run, design = session._run.copy(), session.design
    state = run.state
    if state.record.counts.min() == 0:
        missed = design.arms[state.record.counts.argmin()]
        raise ValueError(f"session has no sample of arm {missed}; expected one")
    n_arms = session.n_arms
    case, lead, rival = np.empty(n_arms), np.empty(n_arms), np.empty(n_arms, np.int64)
    write_cases(run.parameters, state.evidence, state.record, case, rival, lead)
    called = np.empty(n_arms, object)
    answer = session.algorithm.question.read(run.copy().answer())
    for name, arms in zip(NAMES, answer, strict=True):
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
