"""Lower bounds on the samples that every algorithm needs on an instance."""

import dataclasses

import numpy as np

from pareto_core.bounds.complexity import characteristic_time
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI, BERNOULLI_VARIANCE_BOUND, POOL, UNIFORM
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION, Question

__all__ = ["fewest_samples", "time_of"]

WITH_REGION = (CONSTRAINED_PARETO_SET, PARTITION)


def time_of(instance: Instance, question: Question) -> float:
    """Characteristic time of a question on an instance."""
    known = question in (PARETO_SET, BEST_ARMS, *WITH_REGION)
    if not known or instance.noise in (POOL, UNIFORM):
        return np.nan
    try:
        found = _characteristic_time(_gaussian(instance), question).time
    except (RuntimeError, ValueError):
        return np.nan
    return found if np.isfinite(found) else np.nan


def _characteristic_time(instance, question):
    """Time of an instance with Gaussian rewards."""
    given = {"problem": question.name}
    if question in WITH_REGION:
        given["polyhedron"] = instance.polyhedron
    if instance.is_correlated:
        return characteristic_time(instance.means, covariance=instance.covariance, **given)
    if instance.variance.ndim == 2:
        return characteristic_time(instance.means, variance=instance.variance, **given)
    white = instance.standardised()
    if question in WITH_REGION:
        given["polyhedron"] = white.polyhedron
    return characteristic_time(white.means, **given)


def _gaussian(instance):
    """The instance, with Bernoulli rewards replaced by Gaussian rewards of variance 1/4."""
    if instance.noise != BERNOULLI:
        return instance
    variance = np.full(instance.n_objectives, BERNOULLI_VARIANCE_BOUND)
    return dataclasses.replace(instance, noise="gaussian", variance=variance)


def fewest_samples(time: float, delta: float | None) -> float:
    r"""Lower bound on the mean number of samples; NaN if the risk is None or at least 1/2.

    .. math:: T^*\,\mathrm{kl}(\delta,1-\delta),\qquad
        \mathrm{kl}(\delta,1-\delta)=(1-2\delta)\log\frac{1-\delta}\delta

    for an algorithm that errs with probability at most :math:`\delta` on every instance
    (Garivier & Kaufmann 2016, Theorem 1). At small risks the bound is close to
    :math:`T^*\log(1/\delta)`, which is not a lower bound at large risks.

    Parameters
    ----------
    time : float
        Characteristic time.
    delta : float or None
        Risk.
    """
    if delta is None or delta >= 0.5:
        return np.nan
    return float(time * (1 - 2 * delta) * np.log((1 - delta) / delta))
