"""Instances with a feasible region that are hard for some algorithms."""

import numpy as np

from pareto_core.checks.arguments import check_count, check_positive
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI

__all__ = ["racing_hard", "two_stage_hard"]


def two_stage_hard(epsilon: float) -> Instance:
    r"""Three arms, two of them dominated and close to the border of the feasible region.

    Arm 0 is feasible and dominates the others; arm 1 is feasible and arm 2 is not, both by
    epsilon. To decide on which side of the border they are takes :math:`2/\epsilon^2` samples,
    while the number of samples that show that they are dominated stays bounded as epsilon vanishes
    (Kone et al. 2025, constrained, Figure 1, which shows the means without numbers; these are
    ours).

    Parameters
    ----------
    epsilon : float
        Distance to the border, in standard deviations; below 0.5.

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
    """One arm close to the border dominates all other arms, which are far from it.

    All arms are feasible, and the other arms do not dominate each other. Racing rejects an arm
    only once the arm that dominates it is certainly feasible, so all arms wait for arm 0 (Kone et
    al. 2025, constrained, Appendices F and G.3, which show the means without numbers; these are
    ours). Bernoulli rewards.

    Parameters
    ----------
    n_arms : int
        Number K of arms, at least 2.

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
