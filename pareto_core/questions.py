"""The identification problems: which answers are correct, and how they are encoded.

An algorithm writes its answer into an array. The question alone determines the array, which
answers are correct, and what a reader gets.
"""

import functools
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

INFEASIBLE, DOMINATED, OPTIMAL = 0, 1, 2  # labels of arms in a partition
REJECTED = -1  # label of an arm that is infeasible or dominated


class Question(NamedTuple):
    """One identification problem.

    Attributes
    ----------
    name : str
    empty : callable
        Maps (n_arms, n_objectives) to the array that an algorithm fills.
    judge : callable
        Maps an instance to a function that returns whether such an array is correct.
    read : callable
        Maps such an array to what a reader gets.
    write : callable
        Called with (recommended, array, n_arms); writes a recommendation into such an array.
    solve : callable
        Maps (means, polyhedron) to what a reader gets if these are the means.
    """

    name: str
    empty: Callable
    judge: Callable
    read: Callable
    write: Callable
    solve: Callable


def _no_arms(n_arms, n_objectives):
    """Answer in which no arm is marked."""
    return np.zeros(n_arms, np.bool_)


def _judge_set(solve, instance):
    """Only the arms that ``solve`` finds are correct."""
    truth = np.isin(np.arange(instance.n_arms), solve(instance.means, instance.polyhedron))
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
            f"recommend returned {recommended!r}; expected distinct arms from 0 to {n_arms - 1}, "
            "or one bool per arm"
        )
    answer[arms] = True


def _indices(recommended, n_arms):
    """A list of arms as an array of int; None if ``recommended`` is not a list of arms."""
    given = np.asarray(recommended, dtype=object)
    if np.ma.is_masked(recommended):
        return None
    if given.ndim != 1 or any(isinstance(each, bool | np.bool_) for each in given):
        return None
    if not all(isinstance(each, numbers.Integral) and each in range(n_arms) for each in given):
        return None
    return given.astype(np.int64)


def _first_arms(n_arms, n_objectives):
    """Answer with arm 0 in every objective."""
    return np.zeros(n_objectives, np.int64)


def _judge_best_arms(instance):
    """Any arm with the largest mean is correct in each objective."""
    best = instance.means[best_arms(instance.means), np.arange(instance.n_objectives)]
    objectives = np.arange(instance.n_objectives)
    return lambda answer: bool((instance.means[answer, objectives] == best).all())


def _write_best_arms(recommended, answer, n_arms):
    """Copy one arm per objective."""
    arms = _indices(recommended, n_arms)
    if arms is None or arms.size != answer.size:
        raise ValueError(
            f"recommend returned {recommended!r}; expected {answer.size} arms, one per objective, "
            f"from 0 to {n_arms - 1}"
        )
    answer[:] = arms


def _all_infeasible(n_arms, n_objectives):
    """Answer that calls every arm infeasible."""
    return np.full(n_arms, INFEASIBLE)


def read_partition(answer):
    """Partition with these labels of the arms."""
    return Partition(
        *(np.flatnonzero(answer == label) for label in (OPTIMAL, DOMINATED, INFEASIBLE))
    )


def _write_partition(recommended, answer, n_arms):
    """Label the arms of each part."""
    partition = check_partition(recommended, n_arms)
    for label, arms in zip((OPTIMAL, DOMINATED, INFEASIBLE), partition, strict=True):
        answer[arms] = label


def _judge_partition(instance):
    """Any valid partition is correct."""
    return lambda answer: is_valid_partition(
        instance.means, instance.polyhedron, read_partition(answer)
    )


def _solve_pareto_set(means, polyhedron):
    """The Pareto set, without constraints."""
    return pareto_set(means)


def _solve_best_arms(means, polyhedron):
    """The best arm of every objective, without constraints."""
    return best_arms(means)


def _solve_partition(means, polyhedron):
    """The valid partition that calls arms infeasible if they are also dominated."""
    labels = np.where(polyhedron.contains(means), DOMINATED, INFEASIBLE)
    labels[constrained_pareto_set(means, polyhedron)] = OPTIMAL
    return read_partition(labels)


PARETO_SET = Question(
    "pareto_set",
    _no_arms,
    functools.partial(_judge_set, _solve_pareto_set),
    np.flatnonzero,
    _write_arms,
    _solve_pareto_set,
)
"""Which arms are Pareto optimal? The answer marks these arms, shape (K,) of bool."""

BEST_ARMS = Question(
    "best_arm_per_objective",
    _first_arms,
    _judge_best_arms,
    np.copy,
    _write_best_arms,
    _solve_best_arms,
)
"""Which arm is the best in each objective? The answer lists these arms, shape (d,) of int."""

CONSTRAINED_PARETO_SET = Question(
    "constrained_pareto_set",
    _no_arms,
    functools.partial(_judge_set, constrained_pareto_set),
    np.flatnonzero,
    _write_arms,
    constrained_pareto_set,
)
"""Which feasible arms are not dominated by a feasible arm? Marks these arms, shape (K,) of bool."""

PARTITION = Question(
    "partition",
    _all_infeasible,
    _judge_partition,
    read_partition,
    _write_partition,
    _solve_partition,
)
"""As CONSTRAINED_PARETO_SET, and why is each other arm rejected? Labels arms, shape (K,) of int."""
