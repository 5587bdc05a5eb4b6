"""Plug-in sampling with a fixed budget: track the optimal shares of the empirical means."""

import dataclasses
from typing import NamedTuple

from pareto_core.algorithms.budget.tracked_shares import TrackedShares, selection
from pareto_core.bounds.optimal_shares import (
    SharesWork,
    allocate_shares_work,
    write_optimal_shares,
)
from pareto_core.compiling.kernels import kernel
from pareto_core.instances.instance import Problem
from pareto_core.transport.known_noise import KnownNoise, noise_of
from pareto_core.transport.oracle import search_method

__all__ = ["PlugIn"]

TOLERANCE = 0.01  # of the rate of the shares, relative to the best rate


class PlugInKnown(NamedTuple):
    """What the kernel reads."""

    method: int
    noise: KnownNoise


@kernel
def _write(parameters, state):
    """Write shares whose rate at the empirical means is within `TOLERANCE` of the best."""
    known = parameters.known
    write_optimal_shares(
        state.record.means, known.method, known.noise, TOLERANCE, state.work, state.shares
    )


@dataclasses.dataclass(frozen=True)
class PlugIn(TrackedShares):
    r"""Track the shares at which a wrong answer would become improbable fastest.

    If arm k had the share :math:`w_k` of T samples, fixed in advance, the probability that the
    empirical Pareto set is wrong would fall like :math:`\exp(-T\,C(w))`, where C is the
    transportation cost at the true means (Glynn & Juneja 2004 for the best arm). It falls fastest
    at the shares that maximise C, with the rate :math:`1/T^*`: those of `characteristic_time`. The
    algorithm computes these shares for the empirical means, again whenever ``update_every`` samples
    have been taken, and samples the arm furthest behind its share. Their rate is within 1 % of the
    best rate at these means, with a certificate; equal shares are used while two arms are tied so
    that no shares rule out a wrong answer. The answer is the Pareto set of the averages.

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
        Sample the rarest arm whenever it has at most :math:`\sqrt t-K/2` samples (Garivier &
        Kaufmann 2016), so that every empirical mean converges.

    Raises
    ------
    ValueError
        If a parameter is out of range; when a run begins, if the budget is too small for the
        number of arms.

    Notes
    -----
    Nothing is guaranteed about the error probability after T samples. With forced exploration, the
    rate of the shares of the samples converges, up to the 1 %, to the best one as T grows. This
    rate, :math:`1/T^*`, is that of shares fixed in advance. Shares computed from estimated means
    may fall short of it: for some questions, no algorithm attains the rate of the best fixed shares
    on every instance (Degenne 2023).

    Known noise that is correlated between objectives, or differs between arms, enters the cost as
    in `transport_cost`.

    See Also
    --------
    pareto_core.algorithms.top_two.top_two_ids.TopTwoIDS : the same limit, without a program.
    pareto_core.bounds.complexity.characteristic_time : the optimal shares of known means.
    pareto_core.simulation.trajectories.trajectory : the answers of shorter budgets.

    References
    ----------
    Glynn & Juneja 2004, A large deviations perspective on ordinal optimization, Winter Simulation
    Conference.
    Degenne 2023, On the existence of a complexity in fixed budget bandit identification, COLT.
    Garivier & Kaufmann 2016, Optimal best arm identification with fixed confidence, COLT.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> pc.simulate(pc.PlugIn(budget=300), instance, runs=1, progress=False).answers
    array([[ True,  True, False]])
    """

    select = staticmethod(selection(_write))

    def known(self, problem: Problem) -> PlugInKnown:
        """What the kernel of the shares reads."""
        return PlugInKnown(search_method(problem.n_objectives), noise_of(problem))

    def allocate(self, problem: Problem) -> SharesWork:
        """Arrays of the kernel of the shares."""
        return allocate_shares_work(problem.n_arms, problem.n_objectives)
