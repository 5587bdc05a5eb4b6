"""What is true of a simulated experiment, and whether a status contradicts it."""

import numpy as np
from numpy.typing import ArrayLike

from pareto_lab.statements.status import Status

__all__ = ["is_wrong"]

OPTIMAL, DOMINATED, NEAR = "certainly optimal", "certainly dominated", "equal within ε"


def is_wrong(
    status: Status, means: ArrayLike, in_question: ArrayLike, epsilon: float = 0.0
) -> bool:
    """Whether any statement or interval of a status is wrong."""
    means, in_question = np.asarray(means, float), np.asarray(in_question, bool)
    lead = (means[:, None] - means)[in_question]  # of the arms in question over each arm
    dominated = ((lead >= 0).all(axis=2) & (lead > 0).any(axis=2)).any(axis=0)
    beaten = ((lead >= epsilon).all(axis=2) & (lead > 0).any(axis=2)).any(axis=0)
    said = status.statements
    return bool(
        dominated[said == OPTIMAL].any()
        or beaten[said == NEAR].any()
        or not dominated[said == DOMINATED].all()
        or np.any(means < status.boxes[..., 0])
        or np.any(means > status.boxes[..., 1])
    )
