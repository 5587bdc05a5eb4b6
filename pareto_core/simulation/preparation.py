"""What all runs of a simulation share, made once: the whitened instance, parameters, and judge."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pareto_core.bounds.ties import is_undecidable
from pareto_core.checks.arguments import check_probability, shown
from pareto_core.confidence.accuracy import is_exact
from pareto_core.geometry.dominance import pareto_set
from pareto_core.instances.instance import (
    Instance,
    Problem,
    check_instance,
    unfolded_instance,
)
from pareto_core.instances.noise import (
    BERNOULLI,
    POOL,
    UNIFORM,
    WITH_VARIANCE,
    Source,
    make_source,
)
from pareto_core.loop.algorithm import Algorithm, needs_independence, refuse_needless
from pareto_core.loop.parts import bounds_of_each

__all__ = [
    "Preparation",
    "Shared",
    "as_played",
    "check_playable",
    "check_request",
    "is_whitened",
    "prepare",
]

NO_LIMIT = 10**9  # samples of a run, the default of simulations


class Shared(NamedTuple):
    """What runs read and do not change."""

    levels: tuple[tuple[Algorithm, Any], ...]  # each algorithm with its parameters
    judge: Callable  # takes an answer, returns whether it is right
    source: Source  # of rewards; a run draws from a copy, see `noise.renewed`


class Preparation:
    """Algorithms and the instance as they see it; prepared anew in each process."""

    def __init__(self, algorithms: Sequence[Algorithm], given: Instance) -> None:
        self.algorithms, self.given = tuple(algorithms), given
        self.instance = as_played(self.algorithms[0], given)

    @functools.cached_property
    def problem(self) -> Problem:
        """What the algorithms know before their first sample."""
        covariance = _known_covariance(self.algorithms[0], self.instance)
        unit = None if self.instance is self.given else np.sqrt(self.given.variance)
        return self.instance.problem._replace(covariance=covariance, unit=unit)

    @functools.cached_property
    def shared(self) -> Shared:
        """What all runs share."""
        levels = tuple((each, each.parameters(self.problem)) for each in self.algorithms)
        judge = self.algorithms[0].judge(self.given, self.instance)
        is_separate = self.algorithms[0].samples == "values"
        sampled = unfolded_instance(self.instance) if is_separate else self.instance
        return Shared(levels, judge, make_source(sampled))

    def __reduce__(self):  # kernels are compiled for read-only arrays, pickled ones are not
        return Preparation, (self.algorithms, self.given)


def prepare(
    algorithms: Sequence[Algorithm], instance: Instance, max_samples: int = 0
) -> Preparation:
    """Check that algorithms can run on an instance, and prepare their runs."""
    for algorithm in algorithms:
        check_request(algorithm, instance)
    named = [each.for_objectives(instance.objectives) for each in algorithms]
    preparation = Preparation(named, instance)
    _ = preparation.shared  # may refuse the instance
    if max_samples == NO_LIMIT:
        _refuse_endless(algorithms[0], instance)
    return preparation


def as_played(algorithm: Algorithm, instance: Instance) -> Instance:
    """The instance as the algorithm sees it: whitened, if it needs that."""
    return instance.standardised() if is_whitened(algorithm, instance) else instance


def is_whitened(algorithm: Algorithm, instance: Instance) -> bool:
    """Whether the algorithm sees rewards divided by the standard deviations of the objectives."""
    if not (algorithm.noise.reads_covariance and _differs_by_arm(instance)):
        return algorithm.noise.is_unit
    if not (instance.variance > 0).all():
        raise ValueError(
            f"instance = {instance.name!r} has a variance of 0; expected positive variances"
        )
    return False


def _differs_by_arm(instance):
    """Whether variances are known for each arm, and not common to all arms."""
    return instance.variance.ndim == 2 and instance.noise in WITH_VARIANCE


def _known_covariance(algorithm, played):
    """Covariances (K, d, d) if the algorithm uses them; None if independent of unit variance."""
    if not algorithm.noise.reads_covariance:
        return None
    if played.covariance is None:
        if not _differs_by_arm(played):
            return None
        covariance = played.variance[:, :, None] * np.eye(played.n_objectives)
    elif _differs_by_arm(played) or played.is_correlated:
        covariance = np.array(
            np.broadcast_to(played.covariance, (played.n_arms, *played.covariance.shape[-2:]))
        )
    else:
        return None
    covariance.setflags(write=False)
    return covariance


def check_playable(algorithm: Algorithm, instance: Instance) -> None:
    """Check that an algorithm can run on an instance."""
    prepare([algorithm], instance)


def check_request(algorithm: Algorithm, instance: Instance) -> None:
    """Check what can be checked without preparing the instance."""
    if not isinstance(algorithm, Algorithm):
        raise ValueError(f"algorithm = {shown(algorithm)}; expected an Algorithm")
    if getattr(algorithm, "delta", None) is not None:  # a reader's may not have checked it
        check_probability(algorithm.delta, "delta")
    check_instance(instance)
    refuse_needless(algorithm, polyhedron=instance.polyhedron)
    _refuse_unbounded(algorithm, instance)
    if algorithm.samples == "values" and instance.is_correlated:
        raise ValueError(
            f"instance = {instance.name!r} has correlated objectives for {algorithm!r}, which "
            "measures each objective by itself; expected an instance with independent objectives, "
            "since values of one sample are correlated, and separate measurements are not"
        )
    if needs_independence(algorithm) and instance.is_correlated:
        raise ValueError(
            f"instance = {instance.name!r} has correlated objectives for {algorithm!r}; expected "
            'the rule "pairs" (threshold "proven_correlated"), which is proven for them'
        )


def _refuse_unbounded(algorithm, instance):
    """Refuse an instance whose rewards may exceed the bounds that an algorithm requires."""
    bounds = algorithm.noise.reward_bounds
    if bounds is None:
        return
    low, high = bounds_of_each(bounds, instance.n_objectives)
    least, largest = _extremes(instance)
    if (least < low).any() or (largest > high).any():
        raise ValueError(
            f"instance = {instance.name!r} has {instance.noise} rewards from {least.tolist()} to "
            f"{largest.tolist()} for {algorithm!r}; expected all within its bounds"
        )


def _extremes(instance):
    """Least and largest reward of any arm in each objective."""
    if instance.noise == POOL:
        rewards = np.concatenate(instance.observations)
        return rewards.min(axis=0), rewards.max(axis=0)
    if instance.noise == UNIFORM:
        half = np.sqrt(3 * instance.variance)
        return (instance.means - half).min(axis=0), (instance.means + half).max(axis=0)
    low, high = (0.0, 1.0) if instance.noise == BERNOULLI else (-np.inf, np.inf)
    return np.full(instance.n_objectives, low), np.full(instance.n_objectives, high)


def _refuse_endless(algorithm, instance):
    """Refuse ties that keep each run of an algorithm of the package from stopping by itself."""
    is_ours = type(algorithm).__module__.split(".")[0] == "pareto_core"
    if instance.noise == POOL or not is_ours or not _is_for_exact_answers(algorithm, instance):
        return
    features = instance.features if "features" in algorithm.reads else None
    if is_undecidable(instance.means, algorithm.question, instance.polyhedron, features):
        raise ValueError(
            f"instance = {instance.name!r} has ties that leave the answer of {algorithm!r} open: "
            "an arbitrarily small change of the means alters it, so that runs do not stop; "
            "expected a limit max_samples, or an algorithm with a budget or an accuracy, such as "
            "pc.Certified(epsilon=...)"
        )


def _is_for_exact_answers(algorithm, instance):
    """Whether an algorithm has a risk, and no budget, accuracy or number k of arms to stop it."""
    enough = getattr(algorithm, "k", None)
    is_limited = enough is not None and enough <= len(pareto_set(instance.means))
    has_risk = hasattr(algorithm, "delta") and getattr(algorithm, "budget", None) is None
    return has_risk and not is_limited and is_exact(getattr(algorithm, "epsilon", None))
