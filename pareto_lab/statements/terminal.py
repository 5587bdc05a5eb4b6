"""What a terminal shows of a session: its state, its answer, and a table of the arms."""

import numpy as np
import pandas as pd

from pareto_core.geometry.partition import Partition
from pareto_core.questions import BEST_ARMS


def state_of(session):
    """In a line: whether the session goes on, and what is asked for."""
    if session.ended_by is not None:
        reason = {"answer": "the algorithm has stopped", "budget": "the budget is used up"}
        return f"ended: {reason[session.ended_by]}"
    asked = np.flatnonzero(session.outstanding)
    texts = [f"{session.design.arms[k]} ({session.outstanding[k]})" for k in asked]
    return f"goes on; asked for: {', '.join(texts) or 'nothing'}"


def answer_of(session):
    """The recommendation in words."""
    found = session.recommendation
    if found is None:
        return "none yet: there are arms that no observation tells of"
    names = session.design.objectives
    if isinstance(found, Partition):
        text = "; ".join(f"{name} {_joined(arms)}" for name, arms in found._asdict().items())
    elif session.algorithm.question is BEST_ARMS:
        text = "; ".join(f"{name}: {arm}" for name, arm in zip(names, found, strict=True))
    else:
        text = _joined(found)
    return text if session.ended_by == "answer" else f"{text} (empirical, no guarantee)"


def _joined(arms):
    return ", ".join(map(str, arms)) or "none"


def table_of(session):
    """A row for each arm: its counts and means."""
    design = session.design
    means = np.where(session.pulls[:, None] > 0, session.means, np.nan)
    table = pd.DataFrame(
        {
            "arm": list(design.arms),
            "used": session.pulls,
            "waiting": session.waiting,
            "outstanding": session.outstanding,
        }
    )
    for name, unit, column in zip(design.objectives, design.units, means.T, strict=True):
        table[f"mean {name} [{unit}]" if unit else f"mean {name}"] = column
    return table
