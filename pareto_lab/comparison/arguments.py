"""Arguments of a comparison: algorithms and instances by name, and risks."""

import dataclasses
from collections.abc import Iterable, Mapping

from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_probability
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI, BERNOULLI_VARIANCE_BOUND
from pareto_core.instances.registry import load_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.preparation import check_playable

OneInstance = Instance | str


def named_instances(
    instances: OneInstance | Mapping[str, OneInstance] | Iterable[OneInstance],
) -> dict[str, Instance]:
    """Load the instances of a comparison, and return them by name."""
    given = [instances] if isinstance(instances, OneInstance) else instances
    named = by_name(given, "instances", lambda each: getattr(each, "name", each))
    return {
        name: load_instance(each) if isinstance(each, str) else each for name, each in named.items()
    }


def by_name(given, argument, name_of):
    """Return a dict as it is, and the members of anything else by their own names."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(f"{argument} = {given!r}; expected a dict or a sequence")
    is_dict = isinstance(given, Mapping)
    pairs = [*given.items()] if is_dict else [(name_of(each), each) for each in given]
    names = [name for name, _ in pairs]
    if not names:
        raise ValueError(f"{argument} = {given!r}; expected at least one")
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"{argument} has the name {name!r}; expected a str")
        if names.count(name) > 1:
            raise ValueError(
                f"{argument}: {names.count(name)} are called {name!r}; expected different names, "
                "such as the keys of a dict"
            )
    return dict(pairs)


def checked_deltas(deltas: ArrayLike | None) -> list[float] | None:
    """Return the risks in decreasing order without repetitions; None if they are not given."""
    if deltas is None:
        return None
    array = check_array(deltas, "deltas")
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"deltas = {deltas!r}; expected a sequence of numbers")
    return sorted({check_probability(delta, "delta") for delta in array.tolist()}, reverse=True)


def delta_of(algorithm: Algorithm) -> float | None:
    """Risk of an algorithm; None for an algorithm with a budget."""
    if getattr(algorithm, "budget", None) is not None:
        return None
    return getattr(algorithm, "delta", None)


def fitted(algorithm: Algorithm, instance: Instance) -> Algorithm:
    """Set the variance bound of an algorithm to 1/4 if the rewards are Bernoulli."""
    if (
        isinstance(instance, Instance)
        and instance.noise == BERNOULLI
        and "variance_bound" in getattr(algorithm, "__dataclass_fields__", ())
        and algorithm.variance_bound is None
    ):
        return dataclasses.replace(algorithm, variance_bound=BERNOULLI_VARIANCE_BOUND)
    return algorithm


def check_case(
    algorithm_name: str, algorithm: Algorithm, instance_name: str, instance: Instance
) -> None:
    """Check that an algorithm can run on an instance."""
    try:
        check_playable(algorithm, instance)
    except ValueError as error:
        raise ValueError(
            f"algorithm {algorithm_name!r} cannot play instance {instance_name!r}: {error}"
        ) from error
    if algorithm.samples == "values":
        raise ValueError(
            f"algorithm {algorithm_name!r} measures objectives separately; expected one that "
            "samples all objectives, because numbers of samples are compared"
        )
