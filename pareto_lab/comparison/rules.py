"""The rules: who takes part and under which name, at which risks, and who may meet whom."""

import dataclasses
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_array, check_probability
from pareto_core.geometry.covers import f1_score
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI, BERNOULLI_VARIANCE_BOUND
from pareto_core.instances.registry import load_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.preparation import as_played, check_playable

__all__ = [
    "check_meeting",
    "checked_deltas",
    "delta_of",
    "fitted",
    "named_algorithms",
    "named_instances",
    "right_answers",
]


def named_algorithms(
    algorithms: Mapping[str, Algorithm] | Iterable[Algorithm],
) -> dict[str, Algorithm]:
    """Algorithms by the names under which they compete.

    Parameters
    ----------
    algorithms : dict of str to Algorithm, or iterable of Algorithm
        Without names of their own they are called by their classes.

    Returns
    -------
    dict of str to Algorithm

    Raises
    ------
    ValueError
        If there is none, or two have one name.
    """
    return _named(algorithms, "algorithms", lambda algorithm: type(algorithm).__name__)


def named_instances(
    instances: str | Instance | Mapping[str, str | Instance] | Iterable[str | Instance],
) -> dict[str, Instance]:
    """Instances by the names under which they are played.

    Parameters
    ----------
    instances : str, Instance, dict of str to either, or iterable of either
        A string is a name that `load_instance` knows.

    Returns
    -------
    dict of str to Instance

    Raises
    ------
    ValueError
        If there is none, two have one name, or one is not known.
    """
    given = [instances] if isinstance(instances, str | Instance) else instances
    named = _named(given, "instances", lambda each: each if isinstance(each, str) else each.name)
    return {
        name: load_instance(each) if isinstance(each, str) else each for name, each in named.items()
    }


def _named(given, argument, name_of):
    """A dict as it is, anything else by the names that its members have."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(f"{argument} = {given!r}; expected a dict or a sequence")
    pairs = list(given.items() if isinstance(given, Mapping) else _pairs(given, argument, name_of))
    names = [name for name, _ in pairs]
    if not names:
        raise ValueError(f"{argument} = {given!r}; expected at least one")
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"{argument} has the name {name!r}; expected a str")
        if names.count(name) > 1:
            raise ValueError(
                f"{argument}: {names.count(name)} are called {name!r}; expected different names: "
                "give a dict of name to each"
            )
    return dict(pairs)


def _pairs(given, argument, name_of):
    for each in given:
        try:
            yield name_of(each), each
        except AttributeError as error:
            raise ValueError(f"{argument}: {each!r}; expected one by name, or itself") from error


def checked_deltas(deltas: ArrayLike | None) -> list[float] | None:
    """Risks in falling order, each once; None for those that the algorithms have themselves.

    Raises
    ------
    ValueError
        If there is none, or one is not strictly between 0 and 1.
    """
    if deltas is None:
        return None
    array = check_array(deltas, "deltas")
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"deltas = {deltas!r}; expected a sequence of numbers")
    return sorted({check_probability(delta, "delta") for delta in array.tolist()}, reverse=True)


def delta_of(algorithm: Algorithm) -> float | None:
    """Risk of an algorithm; None if it has a budget instead."""
    if getattr(algorithm, "budget", None) is not None:
        return None
    return getattr(algorithm, "delta", None)


def fitted(algorithm: Algorithm, instance: Instance) -> Algorithm:
    """The algorithm, told that rewards between 0 and 1 have variance 1/4 at the most.

    Only where rewards are Bernoulli, and the algorithm can be told but has not been.
    """
    if (
        isinstance(instance, Instance)
        and instance.noise == BERNOULLI
        and "variance_bound" in getattr(algorithm, "__dataclass_fields__", ())
        and algorithm.variance_bound is None
    ):
        return dataclasses.replace(algorithm, variance_bound=BERNOULLI_VARIANCE_BOUND)
    return algorithm


def check_meeting(name: str, algorithm: Algorithm, place: str, instance: Instance) -> None:
    """Refuse an algorithm that cannot play an instance.

    Parameters
    ----------
    name : str
        Name of the algorithm.
    algorithm : Algorithm
        What is to be played, fitted.
    place : str
        Name of the instance.
    instance : Instance
        What is to be played on.

    Raises
    ------
    ValueError
        If it cannot; names both, and the reason.
    """
    try:
        check_playable(algorithm, instance)
    except ValueError as error:
        raise ValueError(f"algorithm {name!r} cannot play instance {place!r}: {error}") from error


def right_answers(
    algorithm: Algorithm, instance: Instance, correct: np.ndarray, answers: np.ndarray
) -> np.ndarray:
    """Which runs are right: those that keep what the algorithm promises.

    An algorithm with an accuracy above 0 promises to find the Pareto set up to this accuracy
    (see `f1_score`, in the units in which it gets the rewards), any other one exactly.

    Parameters
    ----------
    algorithm : Algorithm
        Its ``epsilon``, if it has one, is the accuracy.
    instance : Instance
        Means and noise.
    correct : ndarray of bool, shape (n,)
        Which runs returned the Pareto set exactly.
    answers : ndarray of bool, shape (n, K)
        Arms that each run returned.

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    epsilon = getattr(algorithm, "epsilon", 0.0)
    if epsilon == 0:
        return correct
    return f1_score(as_played(algorithm, instance).means, answers, epsilon) == 1.0
