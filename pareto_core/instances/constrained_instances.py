"""Instances with a feasible region that show what an algorithm is bad at."""

import numpy as np

from pareto_core.checks.arguments import check_count, check_positive
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI

__all__ = ["racing_hard", "two_stage_hard"]


def two_stage_hard(epsilon: float) -> Instance:
    r"""Three arms of which two stand at the border of the feasible region, and don't matter.

    Arm 0 is feasible and dominates the others; arm 1 is feasible and arm 2 is not, both by
    epsilon. Finding out on which side they are takes :math:`2/\epsilon^2` samples, seeing
    that they are dominated takes no more as epsilon vanishes (Kone et al. 2025, constrained,
    Figure 1; the means there are drawn and not printed, these are ours).

    Parameters
    ----------
    epsilon : float
        Distance to the border, in standard deviations; below 0.5.

    Returns
    -------
    Instance

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.constrained_instances.two_stage_hard(0.1).means
    array([[ 1. ,  1. ],
           [ 0.4,  0.1],
           [ 0.2, -0.1]])
    """
    if check_positive(epsilon, "epsilon") >= 0.5:
        raise ValueError(f"epsilon = {epsilon!r}; expected a number below 0.5")
    return Instance(
        [[1.0, 1.0], [0.4, epsilon], [0.2, -epsilon]],
        polyhedron=Polyhedron([[0.0, -1.0]], [0.0]),
        name="two_stage_hard",
        provenance="stand-in for Figure 1 of Kone et al. (2025, constrained), whose means are "
        f"drawn and not printed: an arm above two others, {epsilon:g} from the border on each side",
    )


def racing_hard(n_arms: int) -> Instance:
    """One arm that dominates all others stands at the border, they do not.

    All arms are feasible, and the others do not dominate each other. Racing rejects an arm
    only once that which dominates it is surely feasible, so that all wait for arm 0 (Kone et
    al. 2025, constrained, Appendices F and G.3; the means there are drawn and not printed, these
    are ours). Bernoulli rewards.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least 2.

    Returns
    -------
    Instance

    Examples
    --------
    >>> import pareto_core as pc
    >>> pc.constrained_instances.racing_hard(4).constrained_pareto_set
    array([0])
    """
    check_count(n_arms, "n_arms", at_least=2)
    along = np.linspace(0, 1, n_arms - 1)
    others = np.column_stack([0.15 + 0.4 * along, 0.55 - 0.4 * along])
    return Instance(
        np.vstack([[0.85, 0.85], others]),
        noise=BERNOULLI,
        polyhedron=Polyhedron([[1.0, 0.0]], [0.9]),
        name="racing_hard",
        provenance="stand-in for Figure 8 of Kone et al. (2025, constrained), whose means are "
        f"drawn, not printed: one 0.05 from the border, above {n_arms - 1} arms on a falling line",
    )


MAKERS = {"racing_hard": racing_hard, "two_stage_hard": two_stage_hard}
"""Functions that make the instances, by name."""
