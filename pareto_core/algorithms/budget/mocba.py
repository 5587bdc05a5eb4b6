"""MOCBA with a fixed budget (Lee, Chew, Teng & Goldsman 2010)."""

import dataclasses
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.budget.tracked_shares import TrackedShares, selection
from pareto_core.allocations.mocba import write_mocba_shares
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.transport.known_noise import variances_of

__all__ = ["MOCBA"]


class MOCBAKnown(NamedTuple):
    """What the kernel reads."""

    variance: np.ndarray  # (K, d) of the noise


class MOCBAWork(NamedTuple):
    """Arrays of the kernel."""

    samples: np.ndarray  # (K,) of each arm so far


@kernel
def _write(parameters, state):
    """Write the shares of MOCBA, given the samples so far."""
    samples = state.work.samples
    for k in range(samples.shape[0]):
        samples[k] = state.record.counts[k]
    write_mocba_shares(state.record.means, parameters.known.variance, samples, state.shares)


@dataclasses.dataclass(frozen=True)
class MOCBA(TrackedShares):
    r"""Track the shares of multi-objective optimal computing budget allocation, MOCBA.

    MOCBA bounds the probabilities that a dominated arm seems optimal and that an optimal arm seems
    dominated, and divides the samples such that the bounds fall at the same rate, by a formula for
    each arm (`mocba_allocation`, Lee, Chew, Teng & Goldsman 2010). The formulas are evaluated at
    the empirical means and the samples so far, again whenever ``update_every`` samples have been
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
        Number of samples between two computations of the shares, the increment of the source, or
        1 % of the samples so far if that is larger.
    forced_exploration : bool, default True
        Sample the rarest arm whenever it has at most :math:`\sqrt t-K/2` samples. The source has no
        such rule. Without it, an arm to which the formulas give no share is not sampled again while
        they do so.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if the budget is too small for the
        number of arms.

    Notes
    -----
    Nothing is guaranteed about the error probability, neither for estimated means nor for shares
    computed from the true ones: the formulas are approximations.

    The variances of the noise are known here. They may differ between objectives and arms; a
    correlation of the objectives is not used, as in the source.

    See Also
    --------
    pareto_core.allocations.mocba.mocba_allocation : the shares of known means.
    pareto_core.algorithms.budget.plug_in.PlugIn : the shares of the best rate.

    References
    ----------
    Lee, Chew, Teng & Goldsman 2010, Finding the non-dominated Pareto set for multi-objective
    simulation models, IIE Transactions 42(9).

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.MOCBA(budget=300), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    select = staticmethod(selection(_write))

    def known(self, problem: Problem) -> MOCBAKnown:
        """What the kernel of the shares reads."""
        return MOCBAKnown(variances_of(problem))

    def allocate(self, problem: Problem) -> MOCBAWork:
        """Arrays of the kernel of the shares."""
        return MOCBAWork(np.zeros(problem.n_arms))
