"""Runs in which the arms are chosen badly on purpose, and what a certificate says of them."""

import numpy as np

from pareto_core import Certificate, pareto_set

GROWTH = 1.25  # of the number of samples from one look to the next


class Data:
    """Counts, means and sums of squares of Gaussian rewards, any number at once."""

    def __init__(self, truth, rng, deviation=1.0, correlation=None):
        self.truth, self.deviation, self.rng = np.array(truth), deviation, rng
        self.factor = np.linalg.cholesky(correlation) if correlation is not None else None
        self.counts = np.zeros(len(truth), int)
        self.means, self.scatter = np.zeros((2, *self.truth.shape))

    def sample(self, arm, number):
        noise = self.rng.standard_normal(self.truth.shape[1])
        if self.factor is not None:
            noise = self.factor @ noise
        new = self.truth[arm] + self.deviation * noise / np.sqrt(number)
        before, after = self.counts[arm], self.counts[arm] + number
        away = new - self.means[arm]
        spread = self.rng.chisquare(number - 1, away.size) if number > 1 else 0.0
        self.scatter[arm] += self.deviation**2 * spread + away**2 * before * number / after
        self.means[arm] += away * number / after
        self.counts[arm] = after


# Each returns the arms that are to be sampled next.


def uniform(data, lie):
    return range(len(data.counts))


def greedy(data, lie):
    return [int(data.means.sum(axis=1).argmax())]


def liar(data, lie):
    """The arm that is least misleading so far; arms that do mislead are not sampled."""
    lead = ((data.means - data.truth) * lie).sum(axis=1) * np.sqrt(data.counts)
    return [int(lead.argmin())]


def same_two(data, lie):
    return [0, len(data.counts) - 1]


SAMPLERS = (uniform, greedy, liar, same_two)


def wrong_about_arms(certificate, truth):
    optimal = set(pareto_set(truth))
    return bool(set(certificate.optimal) - optimal or set(certificate.dominated) & optimal)


def wrong_about_means(certificate, truth):
    low, high = np.moveaxis(certificate.boxes, -1, 0)
    return not ((low <= truth) & (truth <= high)).all()


def wrong_at_all(certificate, truth):
    return wrong_about_arms(certificate, truth) or wrong_about_means(certificate, truth)


def run(certificate, data, sampler, longest, is_wrong=wrong_at_all):
    """Sample and inspect until ``longest`` samples; return whether any statement was wrong.

    Optimal arms are made to look bad, and all other arms to look good.
    """
    optimal = np.isin(np.arange(len(data.truth)), pareto_set(data.truth))
    lie = np.where(optimal, -1.0, 1.0)[:, None]
    for arm in range(len(data.truth)):
        data.sample(arm, 1)
    number = 1
    while data.counts.sum() < longest and not getattr(certificate, "is_decided", False):
        for arm in sampler(data, lie):
            data.sample(arm, number)
        certificate.update(data.counts, data.means, data.scatter)
        if is_wrong(certificate, data.truth):
            return True
        number = 1 + int((GROWTH - 1) * data.counts.sum() / len(data.counts))
    return False


def errors(truth, runs, longest, data=Data, is_wrong=wrong_at_all, make=Certificate, **settings):
    """How many of ``runs`` runs make a wrong statement, with each sampler in turn."""
    truth, found = np.array(truth, float), 0
    for number in range(runs):
        certificate = make(*truth.shape, **settings)
        own = data(truth, rng=np.random.default_rng(number))
        found += run(certificate, own, SAMPLERS[number % len(SAMPLERS)], longest, is_wrong)
    return found
