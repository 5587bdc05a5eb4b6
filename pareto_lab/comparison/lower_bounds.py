"""What any algorithm must pay on an instance, in the units of the arena."""

import dataclasses

import numpy as np

from pareto_core.bounds.complexity import characteristic_time
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI, BERNOULLI_VARIANCE_BOUND, POOL, UNIFORM
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION, Question

__all__ = ["fewest_samples", "time_of"]

WITHOUT_REGION = (PARETO_SET, BEST_ARMS)
WITH_REGION = (CONSTRAINED_PARETO_SET, PARTITION)


def time_of(instance: Instance, question: Question) -> float:
    """Characteristic time of a question on an instance.

    Bernoulli rewards are taken for Gaussian ones of variance 1/4, which is what an
    algorithm knows that is told no more than a bound on the variance.

    Parameters
    ----------
    instance : Instance
        Means and noise.
    question : Question
        What is asked for.

    Returns
    -------
    float
        NaN where there is none: rewards are recorded or uniform, or their variance differs
        between arms,
        or their noise is correlated between objectives; ties make it infinite; the question is
        not one of this package's; or it cannot be computed to the accuracy of
        `characteristic_time`.
    """
    known = question in WITHOUT_REGION or question in WITH_REGION
    if not known or instance.noise in (POOL, UNIFORM) or _is_correlated(instance):
        return np.nan
    try:
        white = _gaussian(instance).standardised()
        region = white.polyhedron if question in WITH_REGION else None
        found = characteristic_time(white.means, problem=question.name, polyhedron=region).time
    except (RuntimeError, ValueError):
        return np.nan
    return found if np.isfinite(found) else np.nan


def _is_correlated(instance):
    correlation = instance.correlation
    return correlation is not None and (correlation != np.eye(instance.n_objectives)).any()


def _gaussian(instance):
    """The instance, with Gaussian rewards of the largest variance in place of Bernoulli ones."""
    if instance.noise != BERNOULLI:
        return instance
    variance = np.full(instance.n_objectives, BERNOULLI_VARIANCE_BOUND)
    return dataclasses.replace(instance, noise="gaussian", variance=variance)


def fewest_samples(time: float, delta: float | None) -> float:
    r"""Mean number of samples below which no algorithm can be.

    .. math:: T^*\,\mathrm{kl}(\delta,1-\delta),\qquad
        \mathrm{kl}(\delta,1-\delta)=(1-2\delta)\log\frac{1-\delta}\delta

    (Garivier & Kaufmann 2016, Theorem 1), for one that errs with probability at most
    :math:`\delta` on every instance. For small risks it is nearly
    :math:`T^*\log(1/\delta)`, which is no bound at larger ones.

    Parameters
    ----------
    time : float
        Characteristic time.
    delta : float or None
        Risk.

    Returns
    -------
    float
        NaN without a risk below 1/2.
    """
    if delta is None or delta >= 0.5:
        return np.nan
    return float(time * (1 - 2 * delta) * np.log((1 - delta) / delta))
