"""What is asked of the arms: which answer is right, and how it is laid out.

An algorithm writes its answer into an array. Which array, what makes it right, and what
a reader gets to see of it depend on the question alone.
"""

import numbers
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import refuse_other_index
from pareto_core.geometry.dominance import best_arms, pareto_set
from pareto_core.geometry.partition import (
    Partition,
    check_partition,
    constrained_pareto_set,
    is_valid_partition,
)

__all__ = ["BEST_ARMS", "CONSTRAINED_PARETO_SET", "PARETO_SET", "PARTITION", "Question"]

INFEASIBLE, DOMINATED, OPTIMAL = 0, 1, 2  # what an answer calls an arm


class Question(NamedTuple):
    """One kind of identification problem."""

    name: str
    empty: Callable  # (n_arms, n_objectives) to the array that an algorithm fills
    judge: Callable  # instance to a function that tells whether such an array is right
    read: Callable  # such an array to what a reader gets
    write: Callable  # (recommended, array, n_arms): what is recommended into such an array
    solve: Callable  # means and polyhedron to what a reader gets if these are the means


def _no_arms(n_arms, n_objectives):
    """No arm is marked."""
    return np.zeros(n_arms, np.bool_)


def _judge_pareto_set(instance):
    """Right is the Pareto set, exactly."""
    truth = np.isin(np.arange(instance.n_arms), instance.pareto_set)
    return lambda answer: bool((answer == truth).all())


def _write_arms(recommended, answer, n_arms):
    """Mark the arms of a list, or copy one bool per arm."""
    given = np.asarray(recommended, dtype=object)
    is_whole = not np.ma.is_masked(recommended) and given.shape == answer.shape
    if is_whole and all(isinstance(each, bool | np.bool_) for each in given):
        refuse_other_index(recommended, "what recommend returned")
        answer[:] = given
        return
    arms = _indices(recommended, n_arms)
    if arms is None or np.unique(arms).size < arms.size:
        raise ValueError(
            f"recommend returned {recommended!r}; expected distinct arms, each one of 0 to "
            f"{n_arms - 1}, or one bool per arm"
        )
    answer[arms] = True


def _indices(recommended, n_arms):
    """A list of arms as an array of int; None if it is none."""
    given = np.asarray(recommended, dtype=object)
    if np.ma.is_masked(recommended):
        return None
    if given.ndim != 1 or any(isinstance(each, bool | np.bool_) for each in given):
        return None
    if not all(isinstance(each, numbers.Integral) and each in range(n_arms) for each in given):
        return None
    return given.astype(np.int64)


def _first_arms(n_arms, n_objectives):
    """Arm 0 in every objective."""
    return np.zeros(n_objectives, np.int64)


def _judge_best_arms(instance):
    """Right is an arm of the largest mean in each objective."""
    best = instance.means[best_arms(instance.means), np.arange(instance.n_objectives)]
    objectives = np.arange(instance.n_objectives)
    return lambda answer: bool((instance.means[answer, objectives] == best).all())


def _write_best_arms(recommended, answer, n_arms):
    """Name an arm for each objective."""
    arms = _indices(recommended, n_arms)
    if arms is None or arms.size != answer.size:
        raise ValueError(
            f"recommend returned {recommended!r}; expected {answer.size} arms, one per objective, "
            f"each one of 0 to {n_arms - 1}"
        )
    answer[:] = arms


def _judge_constrained_pareto_set(instance):
    """Right is the Pareto set of the feasible arms, exactly."""
    truth = np.isin(np.arange(instance.n_arms), instance.constrained_pareto_set)
    return lambda answer: bool((answer == truth).all())


def _all_infeasible(n_arms, n_objectives):
    """Every arm is called infeasible."""
    return np.full(n_arms, INFEASIBLE)


def read_partition(answer):
    """Sort the arms by what they are called."""
    return Partition(
        *(np.flatnonzero(answer == label) for label in (OPTIMAL, DOMINATED, INFEASIBLE))
    )


def _write_partition(recommended, answer, n_arms):
    """Label the arms of each part."""
    partition = check_partition(recommended, n_arms)
    for label, arms in zip((OPTIMAL, DOMINATED, INFEASIBLE), partition, strict=True):
        answer[arms] = label


def _judge_partition(instance):
    """Right is any partition whose reasons hold."""
    return lambda answer: is_valid_partition(
        instance.means, instance.polyhedron, read_partition(answer)
    )


def _solve_pareto_set(means, polyhedron):
    return pareto_set(means)


def _solve_best_arms(means, polyhedron):
    return best_arms(means)


def _solve_partition(means, polyhedron):
    """Arms that are both infeasible and dominated are called infeasible."""
    labels = np.where(polyhedron.contains(means), DOMINATED, INFEASIBLE)
    labels[constrained_pareto_set(means, polyhedron)] = OPTIMAL
    return read_partition(labels)


PARETO_SET = Question(
    "pareto_set",
    _no_arms,
    _judge_pareto_set,
    np.flatnonzero,
    _write_arms,
    _solve_pareto_set,
)
"""Which arms are Pareto optimal? The answer marks them, shape (K,) of bool."""

BEST_ARMS = Question(
    "best_arm_per_objective",
    _first_arms,
    _judge_best_arms,
    np.copy,
    _write_best_arms,
    _solve_best_arms,
)
"""Which arm is the best in each objective? The answer names them, shape (d,) of int."""

CONSTRAINED_PARETO_SET = Question(
    "constrained_pareto_set",
    _no_arms,
    _judge_constrained_pareto_set,
    np.flatnonzero,
    _write_arms,
    constrained_pareto_set,
)
"""Which arms are feasible and not dominated by a feasible one? Marks them, shape (K,) of bool."""

PARTITION = Question(
    "partition",
    _all_infeasible,
    _judge_partition,
    read_partition,
    _write_partition,
    _solve_partition,
)
"""The same, and why is each other arm rejected? Labels all arms, shape (K,) of int."""
