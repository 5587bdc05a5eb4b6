"""Slow, obviously right versions of the algorithms that compare arms in pairs.

Each follows a session: ``arms()`` tells which arms may be asked for next (more than one
if a tie, or its rounding, decides between them), ``observe`` takes the reward, and
``finished`` and ``answer()`` are what the session should say.
"""

import math

import numpy as np
from hypothesis import strategies as st
from references import pareto as reference
from scipy.optimize import minimize_scalar
from scipy.special import zeta

from pareto_core import Instance

PAIRS = ("root_sum_square", "sum")  # widths of a pair of arms


def nearly_largest(values):
    """Keys of a dictionary whose values are the largest, up to rounding."""
    largest = max(values.values())
    return [key for key, value in values.items() if value >= largest - 1e-9 * (1 + abs(largest))]


class Rewards:
    """What has been observed so far."""

    def __init__(self, n_arms, d):
        self.n_arms, self.d = n_arms, d
        self.rewards = [[] for _ in range(n_arms)]
        self.sums = np.zeros((n_arms, d))
        self.y = np.zeros((n_arms, d))

    def add(self, arm, reward):
        self.rewards[arm].append(reward)
        self.sums[arm] += reward
        self.y[arm] = self.sums[arm] / self.n(arm)

    def n(self, arm):
        return len(self.rewards[arm])

    def m(self, i, j):
        """m(i, j) of Kone et al. (2023): the least lead of arm j over arm i."""
        return min(self.y[j] - self.y[i])

    def M(self, i, j):
        return max(self.y[i] - self.y[j])


class RacingLoop(Rewards):
    """Algorithm 1 of Auer et al. (2016)."""

    def __init__(self, n_arms, d, algorithm):
        super().__init__(n_arms, d)
        self.algorithm = algorithm
        self.bound = 1.0 if algorithm.variance_bound is None else algorithm.variance_bound
        self.A, self.P = set(range(n_arms)), set()
        self.beta = [np.full(d, np.inf) for _ in range(n_arms)]
        self.this_round = self.new_round()
        self.finished = False

    def new_round(self):
        return [i for i in sorted(self.A) for _ in range(self.algorithm.round_length)]

    def arms(self):
        return [self.this_round[0]]

    def add(self, arm, reward):
        super().add(arm, reward)
        self.beta[arm] = self.radius(arm)

    def observe(self, arm, reward):
        self.add(arm, reward)
        self.this_round.remove(arm)
        if not self.this_round:
            self.finish_round()
            self.this_round = self.new_round()
        self.finished = not self.A

    def radius(self, i):
        """Radius in each objective."""
        n, delta = self.n(i), self.algorithm.delta
        if self.algorithm.radius == "hoeffding":
            log = math.log(4 * self.n_arms * self.d * n**2 / delta)
            return np.full(self.d, math.sqrt(2 * self.bound * log / n))
        if self.algorithm.radius == "iterated_logarithm":
            x = math.log(1 / delta)
            log = 2 * x + 3 * max(math.log(x), 0) + 2 * math.log(1 + math.log(n))
            return np.full(self.d, math.sqrt(self.bound * log / n))
        log = math.log(self.d * self.n_arms * n / delta)
        variance = np.var(self.rewards[i], axis=0, ddof=1) if n > 1 else np.zeros(self.d)
        return np.sqrt(2 * (variance + self.bound * math.sqrt(4 * log / n)) * log / n)

    def width(self, i, j):
        if self.algorithm.pairs == "sum":
            return self.beta[i] + self.beta[j]
        return np.sqrt(self.beta[i] ** 2 + self.beta[j] ** 2)

    def finish_round(self):
        y, epsilon, width = self.y, self.algorithm.epsilon, self.width
        A1 = {i for i in self.A if all((y[j] - y[i] <= width(i, j)).any() for j in self.A)}
        P1 = {i for i in A1 if all((y[i] + epsilon - y[j] >= width(i, j)).any() for j in A1 - {i})}
        P2 = {
            j for j in P1 if not any((y[i] + epsilon - y[j] <= width(i, j)).all() for i in A1 - P1)
        }
        self.A = A1 - P2
        self.P |= P2

    def answer(self):
        return sorted(self.P | self.A)


class RacingCoverLoop(RacingLoop):
    """Algorithms 1, 2 and 3 of Auer et al. (2016)."""

    def __init__(self, n_arms, d, algorithm):
        super().__init__(n_arms, d, algorithm)
        self.Q, self.E = None, set()

    def arms(self):
        if self.A:
            return super().arms()
        if self.this_round:  # the rest of the samples of one arm
            return [self.this_round[0]]
        return nearly_largest({i: max(self.beta[i]) for i in self.Q})

    def observe(self, arm, reward):
        if self.A:
            super().observe(arm, reward)
            if not self.A:
                self.Q = set(self.P)
                self.compare_pairs()
        else:
            self.add(arm, reward)
            self.this_round = self.this_round or [arm] * self.algorithm.round_length
            self.this_round.remove(arm)
            if not self.this_round:
                self.compare_pairs()
        self.finished = not self.A and not self.Q

    def close(self, i, j):
        """Whether M(i, j) <= epsilon_0 / 2 less the width."""
        excess = np.maximum(self.y[i] - self.y[j], 0)
        return (excess <= self.algorithm.epsilon / 2 - self.width(i, j)).all()

    def open(self, i, j):
        """Whether M(i, j) is in the interval of step 2."""
        excess = np.maximum(self.y[i] - self.y[j], 0)
        high = self.algorithm.epsilon / 2 - self.algorithm.tolerance + self.width(i, j)
        return not self.close(i, j) and (excess <= high).all()

    def compare_pairs(self):
        Q = self.Q
        self.E |= {(i, j) for i in Q for j in Q if i != j and self.close(j, i)}
        self.Q = {i for i in Q if any(self.open(i, j) or self.open(j, i) for j in Q if j != i)}

    def answer(self):
        if self.A:
            return super().answer()
        arms = sorted(self.P)
        edges = np.array([[(i, j) in self.E for j in arms] for i in arms])
        return [arms[v] for v in reference.sparse_cover(edges)]


def gaussian_rate(x):
    """C_g of Kaufmann & Koolen (2021), Equation (13), with L = 2 lambda in (1, 2)."""

    def value(L):
        g = L - L * math.log(2 * L) + math.log(zeta(L)) - math.log(1 - L / 2) / 2
        return 2 * (g + x) / L

    return minimize_scalar(value, bounds=(1, 2), method="bounded", options={"xatol": 1e-9}).fun


def bonus(kind, delta, n_arms, d):
    """Function of two numbers of samples."""
    x = math.log(1 / delta)
    if kind == "pairwise":
        first = x + 2 * max(math.log(x / 2), 0)

        def pair(n, m):
            slack = math.log(1 + math.log(n)) + math.log(1 + math.log(m))
            return math.sqrt(2 * (first + slack) * (1 / n + 1 / m))

    elif kind == "individual":
        first = 2 * x + 3 * max(math.log(x), 0)

        def pair(n, m):
            return sum(math.sqrt((first + math.log(1 + math.log(k))) / k) for k in (n, m))

    else:
        rate = gaussian_rate(math.log(n_arms * (n_arms - 1) * d / 2 / delta) / 2)

        def pair(n, m):
            slack = math.log(4 + math.log(n)) + math.log(4 + math.log(m))
            return 2 * math.sqrt((rate + slack) * (1 / n + 1 / m))

    return pair


class APELoop(Rewards):
    """Algorithm 1 of Kone et al. (2023), with what `APE` lets choose."""

    def __init__(self, n_arms, d, algorithm):
        super().__init__(n_arms, d)
        self.algorithm = algorithm
        self.scale = math.sqrt(algorithm.variance_bound or 1.0)
        self.bonus = bonus(algorithm.bonus, algorithm.delta, n_arms, d)
        self.waiting = []  # arms that may be the challenger of the leader sampled last
        self.finished = False

    def add(self, arm, reward):
        super().add(arm, reward)
        self.y[arm] = self.sums[arm] / (self.n(arm) + self.algorithm.prior_samples)

    def beta(self, i, j):
        return self.scale * self.bonus(self.n(i), self.n(j))

    def others(self, i):
        return [j for j in range(self.n_arms) if j != i]

    def h(self, i):
        """min_j M^-(i, j): above -epsilon if arm i is surely optimal."""
        return min(self.M(i, j) - self.beta(i, j) for j in self.others(i))

    def g(self, i):
        """max_j m^-(i, j): above 0 if arm i is surely dominated."""
        return max(self.m(i, j) - self.beta(i, j) for j in self.others(i))

    def is_optimal(self, i):
        return self.h(i) + self.algorithm.epsilon > 0

    def leading(self):
        """Arms that may be b_t."""
        everyone = range(self.n_arms)
        if self.algorithm.leader == "open":
            return nearly_largest({i: -self.g(i) for i in everyone if not self.is_optimal(i)})
        weakly_dominated = {i: any(self.M(i, j) <= 0 for j in self.others(i)) for i in everyone}
        lack = {i: -self.h(i) - self.algorithm.epsilon for i in everyone}
        return nearly_largest(
            {i: min(lack[i], -self.g(i)) if weakly_dominated[i] else lack[i] for i in everyone}
        )

    def challengers(self, b):
        """Arms that may be c_t."""
        return nearly_largest({j: self.beta(b, j) - self.M(b, j) for j in self.others(b)})

    def arms(self):
        samples = sum(map(self.n, range(self.n_arms)))
        if samples < self.n_arms:
            return [samples]
        if self.algorithm.pull == "both":
            return self.waiting or self.leading()
        return [
            c if self.n(c) < self.n(b) else b for b in self.leading() for c in self.challengers(b)
        ]

    def observe(self, arm, reward):
        samples = sum(map(self.n, range(self.n_arms))) + 1
        if self.algorithm.pull == "both" and samples > self.n_arms:
            self.waiting = [] if self.waiting else self.challengers(arm)
        self.add(arm, reward)
        if samples >= self.n_arms and not self.waiting:
            self.finished = self.stops()

    def optimal(self):
        return [i for i in range(self.n_arms) if self.is_optimal(i)]

    def stops(self):
        if self.algorithm.k is not None and len(self.optimal()) >= self.algorithm.k:
            return True
        return all(self.is_optimal(i) or self.g(i) > 0 for i in range(self.n_arms))

    def answer(self):
        if self.algorithm.k is not None and len(self.optimal()) >= self.algorithm.k:
            return self.optimal()
        return [i for i in range(self.n_arms) if self.g(i) <= 0]


@st.composite
def noisy_rewards(draw, most_arms=7, units=(1.0, 1e-9, 1e9), larger=(1.0, 1e6)):
    """(K, d, unit, rewards): random arms, often with ties, in any unit, one objective larger."""
    n_arms, d = draw(st.integers(2, most_arms)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    decimals = draw(st.sampled_from([15, 1, 0]))
    means = np.round(rng.standard_normal((n_arms, d)), decimals)
    if draw(st.booleans()):
        means[-1] = means[0]
    noise = draw(st.sampled_from([0.0, 0.1, 0.5]))
    unit = draw(st.sampled_from(units))
    scale = unit * np.append(np.ones(d - 1), draw(st.sampled_from(larger)))

    def rewards(arm):
        return scale * np.round(means[arm] + noise * rng.standard_normal(d), decimals)

    return n_arms, d, unit, rewards


def recorded(sizes, means, deviation):
    """Instance with the given numbers of recorded observations of the arms."""
    rng = np.random.default_rng(0)
    return Instance.from_observations(
        [
            mean + deviation * rng.standard_normal((size, len(mean)))
            for size, mean in zip(sizes, means, strict=True)
        ]
    )
