"""Arms that leave while an experiment runs: which remain, and whether any can be decided."""

import numpy as np

from pareto_core.confidence.certificates import Certificate
from pareto_core.confidence.proven_rules import JOINT
from pareto_lab.experiment.missing_values import means_and_scatter, observed_counts
from pareto_lab.experiment.noise import deviation_for_joint, stated_deviation

PLENTY = 2**40  # samples of an arm: as if its mean were known


def remaining_arms(state):
    """Whether the question is about each arm, shape (K,)."""
    remaining = np.ones(state.design.n_arms, bool)
    for each in state.retirements:
        remaining[each.arm] = each.still_counts
    return remaining


def is_nothing_left(state):
    """Whether no further sample could decide an arm, because of arms that are retired."""
    retired = [each.arm for each in state.retirements if each.still_counts]
    if not retired:
        return False
    data, sampled = _Data(state), np.ones(state.design.n_arms, bool)
    sampled[[each.arm for each in state.retirements]] = False
    now = data.certificate(data.counts, data.means)
    if now.is_decided or not np.isfinite(now.boxes[sampled]).all():
        return False
    counts = np.where(sampled[:, None], PLENTY, data.counts)
    low, high = (
        np.where(sampled[:, None], ends, data.means) for ends in np.moveaxis(now.boxes, 2, 0)
    )
    # An arm has the best chance if means lie at the ends of their intervals
    for arm in np.setdiff1d(now.open, now.near_optimal):
        up, down = low.copy(), high.copy()
        up[arm], down[arm] = high[arm], low[arm]
        best = data.certificate(counts, up)
        if arm in best.optimal or arm in best.near_optimal:
            return False
        if arm in data.certificate(counts, down).dominated:
            return False
    return True


class _Data:
    """The rewards told, and certificates at the algorithm's risk that begin anew."""

    def __init__(self, state):
        design, rewards = state.design, state.rewards
        self._design, self._algorithm = design, state.algorithm
        self._gone = np.flatnonzero(~remaining_arms(state))
        self.counts = observed_counts(rewards, design.n_objectives)
        means, self._scatter = means_and_scatter(rewards, self.counts)
        self.means = means * np.sign(design.scale)

    def certificate(self, counts, means):
        """The statements after this many samples with these averages and this scatter."""
        design, algorithm = self._design, self._algorithm
        noise = stated_deviation(design)
        if algorithm.bets == JOINT and design.is_correlated:
            noise = deviation_for_joint(design)
        size = design.n_arms, design.n_objectives
        found = Certificate(*size, algorithm.delta, algorithm.rule, noise, algorithm.epsilon)
        for arm in self._gone:
            found.retire(int(arm))
        growth = counts / np.maximum(self.counts, 1)
        found.update(counts, means, self._scatter * growth)
        return found
