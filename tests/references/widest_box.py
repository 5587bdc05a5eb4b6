"""Slow twin of `WidestBox`: boxes from all rewards, certificates in the words of the rule."""

import numpy as np
from references.bounded_means import INTERVALS, bets


class PlainWidestBox:
    """The rule for losses in [0, 1], with the parameters of a `WidestBox`."""

    def __init__(self, algorithm, n_arms, n_objectives):
        self.rule, self.risk = algorithm, algorithm.delta / (n_arms * n_objectives)
        self.costs = algorithm.costs or [1.0] * n_arms
        self.losses = [[[] for _ in range(n_objectives)] for _ in range(n_arms)]
        self.low, self.high = np.zeros((n_arms, n_objectives)), np.ones((n_arms, n_objectives))
        self.dominated, self.optimal = set(), set()
        self.arm, self.left = None, 0

    def counts(self):
        return [len(each[0]) for each in self.losses]

    def select(self):
        if self.left == 0:
            fresh = [k for k, n in enumerate(self.counts()) if n == 0]
            self.left = self.rule.initial if fresh else self.rule.batch
            self.arm = fresh[0] if fresh else self.widest()
        return self.arm

    def widest(self):
        counts, widths = self.counts(), (self.high - self.low).max(axis=1)
        return min(self.wanted(), key=lambda k: (-widths[k] / self.costs[k], counts[k], k))

    def wanted(self):
        survivors = set(range(len(self.losses))) - self.dominated
        uncertain = survivors - self.optimal
        if not self.rule.sample_blockers:
            return uncertain
        blockers = {j for j in survivors for k in uncertain if j != k and not self.ahead(k, j)}
        return uncertain | blockers

    def tell(self, loss):
        for c, each in enumerate(loss):
            history = self.losses[self.arm][c]
            history.append(each)
            stakes = bets(history, self.risk)
            _, low, high = INTERVALS[self.rule.boundary](history, self.risk, stakes)
            self.low[self.arm, c] = max(self.low[self.arm, c], low)
            self.high[self.arm, c] = min(self.high[self.arm, c], high)
        self.left -= 1
        if self.left == 0:
            self.certify()

    def covers(self, j, k):
        return (self.high[j] <= self.low[k] + self.rule.epsilon).all()

    def ahead(self, k, j):
        return (self.low[j] > self.high[k] + self.rule.epsilon).any()

    def certify(self):
        arms = range(len(self.losses))
        self.dominated = {
            k
            for k in arms
            for j in arms
            if j != k and self.covers(j, k) and (j < k or not self.covers(k, j))
        }
        left = [k for k in arms if k not in self.dominated]
        self.optimal = {k for k in left if all(j == k or self.ahead(k, j) for j in left)}

    def finished(self):
        return self.left == 0 and len(self.dominated) + len(self.optimal) == len(self.losses)

    def dominator(self, k):
        """An arm that certifies that k is dominated: one that k does not, or the first."""
        found = [j for j in range(len(self.losses)) if j != k and self.covers(j, k)]
        return min(found, key=lambda j: (self.covers(k, j), j))
