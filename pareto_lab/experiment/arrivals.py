"""Arms that are added while an experiment runs, and what the experiments before and after risk."""

import dataclasses
import math
from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import (
    check_array,
    check_count,
    check_positive,
    check_probability,
    check_size,
    shown,
)
from pareto_lab.experiment.design import MOST_MEANS
from pareto_lab.experiment.names import check_names, is_named, listed

__all__ = ["Predecessor"]


class Predecessor(NamedTuple):
    """An experiment as it was before an arm was added.

    Attributes
    ----------
    arms : tuple of str or int
        Its arms.
    delta : float or None
        The risk of its algorithm; None if the algorithm has no risk.
    rewards : int
        Number of its rewards, which count with the larger set of arms, too.

    See Also
    --------
    Session.add_arm

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(
    ...     pc.Certified(), arms=["A", "B"], objectives=["yield"], standard_deviation=1.0
    ... )
    >>> session.add_arm("C", made_from_data=False)
    >>> session.predecessors
    [Predecessor(arms=('A', 'B'), delta=0.1, rewards=0)]
    """

    arms: tuple[str, ...] | tuple[int, ...]
    delta: float | None
    rewards: int


def without_own_costs(algorithm, costs):
    """The algorithm without the costs that a session has given it, also within `Certified`."""
    if costs is None:
        return algorithm
    if isinstance(algorithm, Certified):
        inner = without_own_costs(algorithm.algorithm, costs)
        return dataclasses.replace(algorithm, algorithm=inner)
    if algorithm.weighs_costs and np.array_equal(algorithm.costs, costs):
        return dataclasses.replace(algorithm, costs=None)
    return algorithm


def with_arm(design, name, features, cost):
    """The design with one more arm, the last one.

    Raises
    ------
    ValueError
        If an argument is invalid, is missing, or is something that the other arms do not have.
    """
    named = is_named(design.arms)
    if named != (name is not None):
        expected = "a name, as other arms have one" if named else "None, as arms have no names"
        raise ValueError(f"name = {shown(name)}; expected {expected}")
    if design.standard_deviation.ndim == 2 or np.ndim(design.covariance) == 3:
        raise ValueError(
            "the noise is stated for each arm; expected a session with the same noise for all arms"
        )
    arms = check_names((*design.arms, name), "arms") if named else range(design.n_arms + 1)
    check_size(len(arms), design.n_objectives, MOST_MEANS)
    for each, value, known in (
        ("features", features, design.features),
        ("cost", cost, design.costs),
    ):
        if (value is None) != (known is None):
            expected = "None, as the other arms have none" if known is None else "that of the arm"
            raise ValueError(f"{each} = {shown(value)}; expected {expected}")
    return dataclasses.replace(
        design,
        arms=arms,
        features=None if features is None else _with_row(design.features, features),
        costs=None if cost is None else np.append(design.costs, check_positive(cost, "cost")),
    )


def _with_row(features, row):
    """Features with those of a new arm."""
    new = check_array(row, "features")
    if new.shape != features.shape[1:] or not np.isfinite(new).all():
        raise ValueError(
            f"features = {shown(row)}; expected {features.shape[1]} finite numbers for the new arm"
        )
    return np.vstack([features, new])


def predecessor_of(ledger, rewards):
    """The record of an experiment to which an arm is added."""
    delta = getattr(ledger.algorithm, "delta", None)
    arms = tuple(ledger.design.whole.arms)
    return Predecessor(arms, None if delta is None else float(delta), rewards)


def restored_predecessors(saved):
    """Predecessors from a session file.

    Raises
    ------
    ValueError
        If a value is invalid.
    """
    if not isinstance(saved, list):
        raise ValueError(f"predecessors = {shown(saved)}; expected a list")
    return [
        Predecessor(
            tuple(arms if isinstance(arms[0], int) else check_names(arms, "arms")),
            None if delta is None else check_probability(delta, "delta"),
            check_count(rewards, "rewards", at_least=0),
        )
        for arms, delta, rewards in saved
    ]


def joint_risk(predecessors, delta):
    """State what an experiment at risk ``delta`` and its predecessors risk together, in words.

    Parameters
    ----------
    predecessors : sequence of Predecessor
        At least one.
    delta : float
        Risk of the statements of this experiment.
    """
    risks = [each.delta for each in predecessors if each.delta is not None]
    number = predecessors[-1].rewards
    used = f"{number} rewards of the last one count here" if number else "its rewards do not count"
    total = math.fsum([*risks, delta])
    without = len(predecessors) - len(risks)
    text = (
        f"Experiments before this one: {len(predecessors)}; {used}. The answers of their "
        f"algorithms, at risk {listed([f'{each:g}' for each in risks])}, and the statements here "
        f"are right together with probability at least {max(0.0, 1 - total):g}"
    )
    if without:
        text += f", except for the {without} of them whose algorithm has no risk"
    return f"{text}."


ASSUMPTION = (
    "The arms that a predecessor did not have were neither made nor chosen with the help of its "
    "rewards, although these count: the means of the new arms do not depend on them."
)


def has_new_arms(predecessors, arms):
    """Whether a predecessor whose rewards count lacked some of these arms."""
    return any(each.rewards and not set(arms) <= set(each.arms) for each in predecessors)


def without_later_arms(content, earlier):
    """The settings of a file without the arms that were added since an earlier file of it.

    The parameters, which may depend on the number of arms, are then None.
    """
    number, known = earlier["n_arms"], len(earlier["predecessors"])
    if len(content["predecessors"]) == known:
        return content
    shorter = {**content, "predecessors": content["predecessors"][:known], "parameters": None}
    for name in ("arms", "features", "costs"):
        shorter[name] = content[name] and content[name][:number]
    added = content["n_arms"] - number
    is_next = content["predecessors"][known:][0][0] == (earlier["arms"] or list(range(number)))
    if added != len(content["predecessors"]) - known or not is_next:
        return content
    return {**shorter, "n_arms": number}
