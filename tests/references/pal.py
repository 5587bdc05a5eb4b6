"""Plain versions of PAL with Gaussian processes and with least squares, for the tests."""

import math

import numpy as np

from pareto_lab import Session


def lead(means, i, j):
    """m(i, j): by how much j is ahead of i in every objective."""
    return (means[j] - means[i]).min()


class PlainPAL:
    """PAL one sample at a time, from all rewards so far."""

    def __init__(self, algorithm, features):
        self.algorithm, self.features, self.n_arms = algorithm, features, len(features)
        self.arms, self.rewards = [], []
        d = len(algorithm.hyperparameters)
        self.covs = [self.prior_cov(prior) for prior in algorithm.hyperparameters]
        self.low = np.full((self.n_arms, d), -np.inf)
        self.high = np.full((self.n_arms, d), np.inf)
        self.undecided, self.optimal = list(range(self.n_arms)), []
        self.look()

    def prior_cov(self, prior):
        return np.array([[self.kernel(x, z, prior) for x in self.features] for z in self.features])

    def kernel(self, x, z, prior):
        distance = sum(
            ((a - b) / s) ** 2 for a, b, s in zip(x, z, prior.length_scales, strict=True)
        )
        return prior.linear_variance * (1 + x @ z) + prior.signal_variance * math.exp(-distance / 2)

    def posterior(self, c):
        """Posterior mean and deviation of all arms, from the averages so far."""
        prior, cov = self.algorithm.hyperparameters[c], self.covs[c]
        seen = sorted(set(self.arms))
        if not seen:
            return np.full(self.n_arms, prior.mean), np.sqrt(np.diag(cov))
        arms, rewards = np.array(self.arms), np.array(self.rewards)[:, c]
        averages = np.array([rewards[arms == k].mean() for k in seen])
        counts = np.array([(arms == k).sum() for k in seen])
        cross = cov[:, seen]
        gram = cross[seen] + np.diag(prior.noise_variance / counts)
        mean = prior.mean + cross @ np.linalg.solve(gram, averages - prior.mean)
        return mean, np.sqrt(np.diag(cov - cross @ np.linalg.solve(gram, cross.T)))

    def look(self):
        t = len(self.arms) + 1
        warming = self.algorithm.initial_samples - len(self.arms)
        if warming >= 0:
            self.low[:], self.high[:] = -np.inf, np.inf
        d = self.low.shape[1]
        inside = self.n_arms * d * math.pi**2 * t**2 / (6 * self.algorithm.delta)
        root = math.sqrt(2 * math.log(inside)) / self.algorithm.beta_divisor
        columns = [self.posterior(c) for c in range(d)]
        means, deviations = (np.column_stack(part) for part in zip(*columns, strict=True))
        low, high = means - root * deviations, means + root * deviations
        for k in range(self.n_arms):
            meets = (low[k] <= self.high[k]).all() and (high[k] >= self.low[k]).all()
            if meets:
                self.low[k] = np.maximum(self.low[k], low[k])
                self.high[k] = np.minimum(self.high[k], high[k])
            elif self.algorithm.empty_intersection == "newest":
                self.low[k], self.high[k] = low[k], high[k]
            else:
                self.low[k], self.high[k] = (
                    np.clip(low[k], self.low[k], self.high[k]),
                    np.clip(high[k], self.low[k], self.high[k]),
                )
        if warming > 0:
            return
        half = self.algorithm.epsilon / 2
        for k in list(self.undecided):
            others = [j for j in self.undecided + self.optimal if j != k]
            if not any((self.high[j] - half >= self.low[k] + half).all() for j in others):
                self.undecided.remove(k)
                self.optimal.append(k)
            elif any((self.low[j] + half >= self.high[k] - half).all() for j in others):
                self.undecided.remove(k)

    def arm(self):
        candidates = sorted(self.undecided + self.optimal)
        return max(candidates, key=lambda k: ((self.high[k] - self.low[k]) ** 2).sum())

    def observe(self, arm, reward):
        self.arms.append(arm)
        self.rewards.append(reward)
        self.look()

    @property
    def stops(self):
        return not self.undecided

    @property
    def answer(self):
        return sorted(self.undecided + self.optimal)


class PlainLinearPAL:
    """Racing on least squares, from all samples so far."""

    def __init__(self, algorithm, features):
        self.algorithm, self.features, self.n_arms = algorithm, features, len(features)
        self.arms, self.rewards, self.round = [], [], 1
        self.active, self.accepted = list(range(self.n_arms)), []
        self.turns = list(self.active)

    def arm(self):
        return self.turns[0]

    def observe(self, arm, reward):
        self.arms.append(arm)
        self.rewards.append(reward)
        self.turns.pop(0)
        if not self.turns:
            self.finish_round()
            self.turns = list(self.active)

    def finish_round(self):
        pulled = self.features[self.arms]
        theta = np.linalg.lstsq(pulled, np.array(self.rewards))[0]
        means, d = self.features @ theta, theta.shape[1]
        inside = self.n_arms * d * self.round**2 * math.pi**2 / (6 * self.algorithm.delta)
        b = self.algorithm.bonus_scale * math.log(inside)
        ridge = pulled.T @ pulled + 1e-6 * np.eye(pulled.shape[1])
        beta = [math.sqrt(b * x @ np.linalg.solve(ridge, x)) for x in self.features]

        def surely_not_dominated(i, j):  # by more than epsilon
            largest = (means[i] + self.algorithm.epsilon - means[j]).max()
            return largest > beta[i] + beta[j]

        rest = [
            i
            for i in self.active
            if all(lead(means, i, j) <= beta[i] + beta[j] for j in self.active)
        ]
        sure = [i for i in rest if all(surely_not_dominated(i, j) for j in rest if j != i)]
        unsure = [i for i in rest if i not in sure]
        done = [j for j in sure if all(surely_not_dominated(i, j) for i in unsure)]
        self.active = [i for i in rest if i not in done]
        self.accepted += done
        self.round += 1

    @property
    def stops(self):
        return not self.active

    @property
    def answer(self):
        return sorted(self.active + self.accepted)


def follow(algorithm, plain, means, features, deviation, rng, watch=lambda session: None):
    """Run a session beside the plain algorithm on the same rewards."""
    n_arms, d = means.shape
    session = Session(
        algorithm, n_arms, d, None if algorithm.noise.is_stated else 1.0, features=features
    )
    watch(session)
    while not session.finished:
        arm = session.ask()
        assert arm == plain.arm()
        reward = means[arm] + deviation * rng.standard_normal(d)
        session.tell(arm, reward)
        plain.observe(arm, reward)
        watch(session)
        assert session._state.run.answer().tolist() == plain.answer
        assert session.finished == plain.stops
    return session
