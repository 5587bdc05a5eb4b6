"""SCORE and iSCORE with a fixed budget (Applegate, Feldman, Hunter & Pasupathy 2020)."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.budget.tracked_shares import TrackedShares, selection
from pareto_core.allocations.score import write_score_shares
from pareto_core.checks.arguments import check_flag
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem

__all__ = ["SCORE"]

TOLERANCE = 1e-3  # relative gap to which the program of SCORE is solved
LARGEST_GAP = 1e-2  # at which shares are used: rounding errors may end the solution of a program


class SCOREKnown(NamedTuple):
    """What the kernel reads."""

    covariance: np.ndarray  # (K, d, d) of the noise


class SCOREWork(NamedTuple):
    """Arrays of the kernel."""

    shares: np.ndarray  # (K,)


@kernel
def _write(parameters, state):
    """Write the shares of SCORE; keep the last ones where its program is not solved."""
    shares = state.work.shares
    gap = write_score_shares(state.record.means, parameters.known.covariance, TOLERANCE, shares)
    if gap <= LARGEST_GAP:
        copy_vector(state.shares, shares)


@dataclasses.dataclass(frozen=True)
class SCORE(TrackedShares):
    r"""Track the shares of SCORE, or of iSCORE, which neglects correlations.

    SCORE approximates the shares at which the probability of a wrong Pareto set falls fastest:
    dominated arms divide their samples in inverse proportion to their scores, the squared distances
    to the nearest phantoms (`score_allocation`, Applegate, Feldman, Hunter & Pasupathy 2020). The
    shares are computed for the empirical means, again whenever ``update_every`` samples have been
    taken. In between, the arm furthest behind its share is sampled. The answer is the Pareto set of
    the averages.

    The budget affects only the end of a run, so that a run contains the answers of all shorter
    runs; `trajectory` returns them.

    Parameters
    ----------
    budget : int
        Samples T, at least ``warm_up`` for each arm.
    warm_up : int, default 5
        Samples of each arm before shares are computed.
    update_every : int, default 10
        Number of samples between two computations of the shares, or 1 % of the samples so far if
        that is larger.
    forced_exploration : bool, default True
        Sample the rarest arm whenever it has at most :math:`\sqrt t-K/2` samples.
    independent : bool, default False
        Whether to replace the covariances between objectives by 0: iSCORE.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if the budget is too small for the
        number of arms.

    Notes
    -----
    Nothing is guaranteed about the error probability with estimated means. Shares of known means,
    fixed in advance, have the rate that `transport_cost` computes, which is at most the best rate
    :math:`1/T^*`.

    The covariance of the noise is known here, and may differ between arms.

    See Also
    --------
    pareto_core.allocations.score.score_allocation : the shares of known means.
    pareto_core.algorithms.budget.plug_in.PlugIn : the shares of the best rate.

    References
    ----------
    Applegate, Feldman, Hunter & Pasupathy 2020, Multi-objective ranking and selection: optimal
    sampling laws and tractable approximations via SCORE, Journal of Simulation 14(1).

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.SCORE(budget=300), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    independent: bool = False

    select = staticmethod(selection(_write))

    def __post_init__(self):
        super().__post_init__()
        check_flag(self.independent, "independent")

    def known(self, problem: Problem) -> SCOREKnown:
        """What the kernel of the shares reads."""
        identity = np.eye(problem.n_objectives)
        covariance = problem.covariance
        if covariance is None:
            covariance = np.broadcast_to(identity, (problem.n_arms, *identity.shape))
        return SCOREKnown(covariance * (identity if self.independent else 1.0))

    def allocate(self, problem: Problem) -> SCOREWork:
        """Arrays of the kernel of the shares."""
        return SCOREWork(np.zeros(problem.n_arms))
