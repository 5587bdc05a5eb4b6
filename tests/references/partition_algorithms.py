"""Slow, obviously right versions of the algorithms for the constrained Pareto set with reasons.

Each follows a session: ``arms()`` tells which arms may be asked for next (more than one if a
tie, or its rounding, decides between them), ``observe`` takes the reward, and ``stops()`` and
``answer()``, the three parts of a `Partition`, are what the session should say. Symbols are
those of Kone et al. (2025, constrained).
"""

import math

import numpy as np
from hypothesis import strategies as st
from references import runs
from references.racing import Rewards, nearly_largest

from pareto_core import Polyhedron
from pareto_core.geometry.polyhedron import hypercube, ordered_cone, orthant, simplex


def nearly_smallest(values):
    """Keys of a dictionary whose values are the smallest, up to rounding."""
    if min(values.values()) in (-math.inf, math.inf):
        return [key for key, value in values.items() if value == min(values.values())]
    return nearly_largest({key: -value for key, value in values.items()})


class PartitionLoop(Rewards):
    """Statistics (5) to (7); each arm once, then by default the arms in turn."""

    def __init__(self, n_arms, d, algorithm, region):
        super().__init__(n_arms, d)
        self.everyone, self.algorithm, self.region = range(n_arms), algorithm, region
        self.feasible, self.eta = [False] * n_arms, [math.inf] * n_arms
        self.finished, self.t = False, 0

    def M(self, i, j):
        """The largest lead of arm i over arm j in an objective."""
        return self.largest[i][j]

    def m(self, i, j):
        """The least lead of arm j over arm i."""
        return self.least[i][j]

    def arms(self):
        return [self.t % self.n_arms]

    def observe(self, arm, reward):
        self.add(arm, reward)
        self.feasible[arm] = self.region.contains(self.y[[arm]]).item()
        self.eta[arm] = self.region.boundary_distance(self.y[[arm]]).item()
        self.t += 1
        self.largest = (self.y[:, None] - self.y).max(axis=2).tolist()
        self.least = (self.y - self.y[:, None]).min(axis=2).tolist()
        if self.t >= self.n_arms:
            self.finished = self.stops()

    def bonus_of(self, i):
        """beta_i^2 and U_i^2 of one arm."""
        a, n, K, d = self.algorithm, self.n(i), self.n_arms, self.d
        if a.bonus == "union_bound":
            f = math.log(2 / 3 * math.pi**2 * K * d * n**2 / a.delta)
            g = math.log(1 / 3 * math.pi**2 * K * 5**d * n**2 / a.delta)
        else:
            f = g = math.log((1 + math.log(self.t)) / a.delta)
        variance = 1.0 if a.variance_bound is None else a.variance_bound
        norm_variance = variance if a.norm_variance_bound is None else a.norm_variance_bound
        return 2 * variance * f / n, a.radius_constant * norm_variance * g / n

    def beta(self, i, j):
        first, second = self.bonus_of(i)[0], self.bonus_of(j)[0]
        if self.algorithm.bonus == "union_bound":
            return math.sqrt(first) + math.sqrt(second)
        return math.sqrt(first + second)

    def gamma(self, i):
        return self.eta[i] - math.sqrt(self.bonus_of(i)[1])

    def M_low(self, i, j):
        return self.M(i, j) - self.beta(i, j)

    def m_low(self, i, j):
        return self.m(i, j) - self.beta(i, j)

    def front(self, arms):
        """Empirical Pareto set; of equal arms the first."""

        def is_above(j, i):
            return self.M(i, j) <= 0 and (self.M(j, i) > 0 or j < i)

        return [i for i in arms if not any(is_above(j, i) for j in arms if j != i)]

    @property
    def F(self):
        return [i for i in self.everyone if self.feasible[i]]

    @property
    def G(self):
        return [i for i in self.everyone if not self.feasible[i] and self.gamma(i) <= 0]

    @property
    def O(self):  # noqa: E743
        return self.front(self.F)

    def cases(self):
        """Of each arm of O what Z_1 is the least of, and of each other arm what Z_2 is."""
        front, inside, outside = self.O, {}, {}
        for i in self.everyone:
            if i in front:
                inside[i] = min([self.gamma(i), *(self.M_low(i, j) for j in front if j != i)])
            else:
                reason = -math.inf if self.feasible[i] else self.gamma(i)
                outside[i] = max([reason, *(self.m_low(i, j) for j in front)])
        return inside, outside

    def stops(self):
        if self.t % self.n_arms:
            return False
        Z1, Z2 = (min(cases.values(), default=math.inf) for cases in self.cases())
        return Z1 > 0 and Z2 > 0

    def call(self, i, front):
        if i in front:
            return 0
        return 1 if i in self.F or i in self.G else 2

    def answer(self):
        if self.t < self.n_arms:
            return [], [], list(self.everyone)
        front = self.O
        calls = [self.call(i, front) for i in self.everyone]
        return tuple([i for i in self.everyone if calls[i] == part] for part in range(3))


class ECAPELoop(PartitionLoop):
    """Algorithm 1."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.challengers = []  # arms that may have to be sampled after the leader

    def leaders(self):
        inside, outside = self.cases()
        Z2 = min(outside.values(), default=math.inf)
        return nearly_smallest(outside if Z2 <= 0 else inside)

    def arms(self):
        if self.t < self.n_arms:
            return [self.t]
        return self.challengers or self.leaders()

    def observe(self, arm, reward):
        if self.t >= self.n_arms:
            self.challengers = [] if self.challengers else self.challengers_of(arm)
        super().observe(arm, reward)

    def challengers_of(self, b):
        values = {j: self.M_low(b, j) for j in self.F + self.G if j != b}
        return nearly_smallest(values) if values else []

    def stops(self):
        if self.challengers:
            return False
        return all(case > 0 for cases in self.cases() for case in cases.values())


class RacingCPLoop(PartitionLoop):
    """Appendix F."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.A, self.verdict = set(self.everyone), {}
        self.this_round = sorted(self.A)

    def arms(self):
        return [self.this_round[0]]

    def stops(self):
        self.this_round.remove(self.this_round[0])
        if not self.this_round:
            self.finish_round()
            self.this_round = sorted(self.A)
        return not self.A

    def observe(self, arm, reward):
        if self.t + 1 < self.n_arms:
            self.this_round.remove(arm)
        super().observe(arm, reward)

    def leave(self, arms, call):
        self.verdict |= dict.fromkeys(arms, call)
        self.A -= arms

    def finish_round(self):
        A = self.A
        self.leave({i for i in A if not self.feasible[i] and self.gamma(i) > 0}, 2)
        sure = {j for j in A if self.feasible[j] and self.gamma(j) > 0}
        self.leave({i for i in A if any(self.m_low(i, j) > 0 for j in sure - {i})}, 1)
        P1 = {i for i in A & sure if all(self.M_low(i, j) > 0 for j in A - {i})}
        self.leave({i for i in P1 if all(self.M_low(j, i) > 0 for j in A - P1)}, 0)

    def call(self, i, front):
        return self.verdict.get(i, super().call(i, front))


class TwoStageLoop(PartitionLoop):
    """MD-APT until all margins are positive, then APE on the arms found feasible."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.found, self.challengers = None, []

    def arms(self):
        if self.t < self.n_arms:
            return [self.t]
        if self.found is None:
            return nearly_smallest({i: math.sqrt(self.n(i)) * self.eta[i] for i in self.everyone})
        return self.challengers or self.leaders()

    def others(self, i):
        return [j for j in self.found if j != i]

    def is_optimal(self, i):
        return all(self.M_low(i, j) > 0 for j in self.others(i))

    def leaders(self):
        return nearly_largest(
            {
                i: min(self.M(i, j) + self.beta(i, j) for j in self.others(i))
                for i in self.found
                if not self.is_optimal(i)
            }
        )

    def observe(self, arm, reward):
        if self.found is not None:
            values = {j: self.M_low(arm, j) for j in self.others(arm)}
            self.challengers = [] if self.challengers else nearly_smallest(values)
        super().observe(arm, reward)

    def stops(self):
        if self.found is None:
            if any(self.gamma(i) <= 0 for i in self.everyone):
                return False
            self.found = self.F
        if self.challengers:
            return False
        S = self.front(self.found)
        Z1 = all(self.is_optimal(i) for i in S)
        return Z1 and all(
            self.is_optimal(i) or any(self.m_low(i, j) > 0 for j in self.others(i))
            for i in set(self.found) - set(S)
        )

    def call(self, i, front):
        arms = self.F if self.found is None else self.found
        return 0 if i in self.front(arms) else 1 if i in arms else 2


LOOPS = {
    "ConstrainedUniformSampling": PartitionLoop,
    "ECAPE": ECAPELoop,
    "RacingCP": RacingCPLoop,
    "TwoStage": TwoStageLoop,
}


def follow(algorithm, region, n_arms, d, rewards, most):
    """Compare a session with the plain loop, see `runs.follow`."""
    loop = LOOPS[type(algorithm).__name__](n_arms, d, algorithm, region)
    runs.follow(algorithm, loop, rewards, most, 7, polyhedron=region)


REGIONS = ("random", "redundant", "wedge", "orthant", "box", "simplex", "cone", "everything")


def random_region(rng, d, kind):
    """Polyhedron about the middle of the unit cube, with rows of any length."""
    if kind in ("random", "redundant", "wedge"):
        n_rows = d if kind == "wedge" else int(rng.integers(1, 7))
        A = rng.standard_normal((n_rows, d))
        b = A @ rng.uniform(0.2, 0.8, d) + rng.uniform(0.05, 0.5, n_rows)
        if kind == "redundant":
            A, b = np.vstack([A, A, np.zeros(d)]), np.concatenate([b, b + 0.1, [1.0]])
        scale = 10 ** rng.uniform(-3, 3, len(b))
        return Polyhedron(A * scale[:, None], b * scale)
    if kind == "orthant":
        return orthant(rng.uniform(0.2, 0.7, d))
    if kind == "box":
        return hypercube(d, rng.uniform(0.4, 0.9))
    if kind == "simplex":
        return simplex(d, rng.uniform(0.3, 0.7) * d)
    if kind == "cone":
        return ordered_cone(d)
    return Polyhedron(np.zeros((0, d)), [])


@st.composite
def noisy_arms(draw):
    """(K, d, region, rewards): random arms about the border of a region, often with ties."""
    n_arms, d = draw(st.integers(2, 7)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    region = random_region(rng, d, draw(st.sampled_from(REGIONS)))
    means = rng.uniform(-0.3, 1.3, (n_arms, d))
    if draw(st.booleans()):
        means[-1] = means[0]
    noise = draw(st.sampled_from(["none", "small", "large", "bernoulli"]))

    def rewards(arm):
        if noise == "bernoulli":
            return (rng.uniform(size=d) < means[arm]).astype(float)
        deviation = {"none": 0.0, "small": 0.1, "large": 0.4}[noise]
        return means[arm] + deviation * rng.standard_normal(d)

    return n_arms, d, region, rewards
