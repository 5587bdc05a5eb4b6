"""Slow, obviously right versions of elimination by empirical gaps, followed round by round.

What a session estimates is compared with estimates computed another way, and what it
decides with what exactly its estimates imply.
"""

import math
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from references import pareto as reference
from references.racing import noisy_rewards

from pareto_core import gaps
from pareto_core.instances.noise import draw, make_source
from pareto_lab import Session

DESIGN_TOLERANCE = 1e-4


def pseudo_inverse(features, pulls):
    """V^+ of Equation (3) by the projection B, and the features it is meant for.

    Their columns are scaled, which changes no estimated mean and saves digits.
    """
    largest = np.abs(features).max(axis=0)
    scaled = features / np.where(largest > 0, largest, 1)
    left, singular, _ = np.linalg.svd(scaled.T)
    B = left[:, : (singular > 1e-10 * singular[0]).sum()]
    V = (scaled.T * pulls) @ scaled
    return B @ np.linalg.inv(B.T @ V @ B) @ B.T, scaled


def least_squares(features, pulls, sums):
    """Estimated means of all arms."""
    inverse, scaled = pseudo_inverse(features, pulls)
    return scaled @ (inverse @ (scaled.T @ sums))


def largest_variance(features, pulls):
    inverse, scaled = pseudo_inverse(features, pulls)
    return max(x @ inverse @ x for x in scaled)


class EliminationLoop:
    """What both algorithms do at the end of a round."""

    def __init__(self, algorithm, n_arms, d):
        self.algorithm, self.n_arms, self.d = algorithm, n_arms, d
        self.A, self.B, self.r = list(range(n_arms)), [], 1
        self.finished = False

    def gaps_and_optimal(self, estimates):
        """Gaps of the active arms, and those of them that are empirically optimal."""
        means = estimates[self.A]
        gap = gaps(means)  # also where rounding decides between two gaps
        optimal = [self.A[i] for i in reference.pareto_set(means)]
        return dict(zip(self.A, gap, strict=True)), optimal

    def keep(self, number, estimates):
        """Keep those with the smallest gaps; of equals the optimal, then the first."""
        gap, optimal = self.gaps_and_optimal(estimates)
        order = sorted(self.A, key=lambda i: (gap[i], i not in optimal, i))
        self.B += [i for i in order[number:] if i in optimal]
        self.A = sorted(order[:number])

    def finish_round(self, estimates):
        self.decide(estimates)
        self.r += 1

    def answer(self):
        return sorted(self.A + self.B)


class GEGELoop(EliminationLoop):
    """Algorithms 2 and 3 of Kone et al. (2025, linear)."""

    def __init__(self, algorithm, features, d):
        super().__init__(algorithm, len(features), d)
        self.features = features
        self.h = np.linalg.matrix_rank(features)
        self.rounds = max(math.ceil(math.log2(self.h)), 1)

    def accuracy(self):
        return 1 / (2 * 2**self.r)

    def length(self):
        T, n, h = self.algorithm.budget, len(self.A), np.linalg.matrix_rank(self.features[self.A])
        if T is not None:
            return T * self.r // self.rounds - T * (self.r - 1) // self.rounds
        risk = 6 * self.algorithm.delta / (math.pi**2 * self.r**2)
        epsilon = self.accuracy()
        if self.algorithm.lengths == "experiment":
            return math.ceil(h * math.log(1 / risk) / epsilon**2)
        variance = self.algorithm.variance_bound or 1
        log = math.log(n * self.d / (2 * risk))
        return max(math.ceil(32 * (1 + 3 * epsilon) * variance * h / epsilon**2 * log), h)

    def check_pulls(self, pulls):
        N, p, features = self.length(), np.count_nonzero(pulls), self.features[self.A]
        h = np.linalg.matrix_rank(features)
        assert pulls[self.A].sum() == pulls.sum()
        if self.algorithm.rounding == "ceiling":
            assert N <= pulls.sum() < N + p + 1e-6
            designed = N
        else:
            assert pulls.sum() == N
            designed = N - p
        assert np.linalg.matrix_rank(features[pulls[self.A] > 0]) == h
        if designed > 0:
            most = h / designed * (1 + DESIGN_TOLERANCE)
            assert largest_variance(features, pulls[self.A]) <= most * (1 + 1e-6)

    def estimate(self, pulls, sums):
        result = np.full(sums.shape, np.nan)
        result[self.A] = least_squares(self.features[self.A], pulls[self.A], sums[self.A])
        return result

    def decide(self, estimates):
        if self.algorithm.budget is not None:
            self.keep(math.ceil(self.h / 2**self.r), estimates)
            self.finished = self.r == self.rounds
            return
        gap, optimal = self.gaps_and_optimal(estimates)
        epsilon = self.accuracy()
        accepted = [i for i in self.A if i in optimal and gap[i] >= epsilon]
        rejected = [i for i in self.A if i not in optimal and gap[i] >= epsilon / 2]
        self.B += accepted
        self.A = [i for i in self.A if i not in accepted + rejected]
        next_epsilon = epsilon / 2
        self.finished = len(self.A) <= 1 or next_epsilon <= self.algorithm.epsilon / 4


class EGELoop(EliminationLoop):
    """EGE-SH and EGE-SR of Kone et al. (2024)."""

    def __init__(self, algorithm, n_arms, d):
        super().__init__(algorithm, n_arms, d)
        self.all_pulls, self.all_sums = np.zeros(n_arms, int), np.zeros((n_arms, d))

    def length(self):
        T, K = self.algorithm.budget, self.n_arms
        if self.algorithm.schedule == "halving":
            return T // (len(self.A) * math.ceil(math.log2(K))) * len(self.A)
        log_bar = Fraction(1, 2) + sum(Fraction(1, i) for i in range(2, K + 1))

        def n(r):
            return math.ceil((T - K) / (log_bar * (K + 1 - r))) if r else 0

        return (n(self.r) - n(self.r - 1)) * len(self.A)

    def check_pulls(self, pulls):
        assert pulls[self.A].tolist() == [self.length() // len(self.A)] * len(self.A)
        assert pulls.sum() == self.length()

    def estimate(self, pulls, sums):
        self.all_pulls += pulls
        self.all_sums += sums
        result = np.full(sums.shape, np.nan)
        for i in self.A:
            if self.algorithm.accumulate:
                result[i] = self.all_sums[i] / self.all_pulls[i]
            else:
                result[i] = sums[i] / pulls[i]
        return result

    def decide(self, estimates):
        halving = self.algorithm.schedule == "halving"
        self.keep(math.ceil(len(self.A) / 2) if halving else len(self.A) - 1, estimates)
        self.finished = len(self.A) == 1


def play_round(session, rewards):
    """Samples of each arm in one round, and the sums of their rewards."""
    race = session._state.run.run.state.race
    asked, sums = [], np.zeros((session.n_arms, session.n_objectives))
    while not asked or race.turn[0] < session.n_arms:
        arm = session.ask()
        reward = rewards(arm)
        session.tell(arm, reward)
        sums[arm] += reward
        asked.append(arm)
    assert asked == sorted(asked)
    return np.bincount(asked, minlength=session.n_arms), sums


def follow(session, loop, rewards, most=10**9):
    """Compare a session with a loop, on ``rewards(arm)``, round by round.

    Stops before the round that would end after ``most`` samples.
    """
    race, samples = session._state.run.run.state.race, 0
    while not loop.finished and samples + loop.length() <= most:
        pulls, sums = play_round(session, rewards)
        loop.check_pulls(pulls)
        estimates = loop.estimate(pulls, sums)
        found = race.estimates[loop.A]
        scale = np.abs(estimates[loop.A]).max(axis=0) + np.abs(sums).max(axis=0) / pulls.max()
        assert (np.abs(found - estimates[loop.A]) <= 1e-7 * scale).all()
        loop.finish_round(race.estimates.copy())
        while not loop.finished and loop.length() == 0:
            loop.finish_round(race.estimates.copy())
        assert np.flatnonzero(race.active).tolist() == loop.A
        assert np.flatnonzero(race.accepted).tolist() == sorted(loop.B)
        assert session.finished == loop.finished
        assert session._state.run.answer().tolist() == loop.answer()
        samples += int(pulls.sum())
        assert session.samples == session.pulls.sum() == samples
    return session


def replayed(algorithm, instance, rng):
    """Session whose rewards add up to those that a simulation draws at once."""
    source = make_source(instance)
    total, scatter = np.empty((2, instance.n_objectives))
    session = Session(
        algorithm,
        instance.n_arms,
        len(total),
        None if algorithm.noise.is_stated else 1.0,
        features=instance.features,
        polyhedron=instance.polyhedron,
    )
    while not session.finished:
        arm = session.ask()
        number = session._state.run.missing()
        draw(source, arm, number, rng, total, scatter)
        for _ in range(number):
            session.tell(arm, total / number)
    return session


def random_features(rng, kind, n_arms, h):
    """Features of that kind, at most one of them zero."""
    if kind == "canonical":
        return np.eye(n_arms)
    features = rng.standard_normal((n_arms, h))
    if kind == "integers":
        features = rng.integers(-1, 2, (n_arms, h)).astype(float)
        features[1:][~features[1:].any(axis=1), 0] = 1.0
    elif kind == "redundant":
        features = np.hstack([features, 2 * features[:, :1], np.zeros((n_arms, 1))])
    elif kind == "plane":
        features = features[:, :2] @ rng.integers(-2, 3, (min(h, 2), 5)).astype(float)
        features[:, 0] += 10 * (features[:, 0] == 0)
    elif kind == "scaled":
        features = (
            features * 10.0 ** rng.integers(-3, 4, h) * 10.0 ** rng.integers(0, 3, n_arms)[:, None]
        )
    return features


@st.composite
def linear_rewards(draw):
    """(features, d, rewards), where the rewards need not be linear in the features."""
    n_arms, d, _, rewards = draw(noisy_rewards(9, units=(1.0,), larger=(1.0,)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kinds = ["gaussian", "canonical", "integers", "redundant", "plane", "scaled"]
    features = random_features(rng, draw(st.sampled_from(kinds)), n_arms, draw(st.integers(1, 6)))
    if draw(st.booleans()):
        features[-1] = features[0]
    if np.count_nonzero(features.any(axis=1)) < n_arms - 1 or not features.any():
        features[:, 0] += 1.0
    return features, d, rewards
