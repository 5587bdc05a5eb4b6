r"""The hyper-parameter ``epsilon``, an accuracy of each objective, and which answers it accepts.

An arm is *beaten* if another arm dominates it and is better by at least :math:`\varepsilon_c` in
every objective c. A right answer contains every Pareto optimal arm, and no beaten arm. The
empirical answer contains the arms that no arm beats empirically by a share of :math:`\varepsilon`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pareto_core.checks.arguments import check_array, check_non_negative, refuse_other_index, shown
from pareto_core.compiling.kernels import kernel, part

__all__ = ["Epsilon", "as_epsilon", "epsilon_for", "judge_accurate"]

LEFT_OUT = 0.5  # share of epsilon by which an arm that is left out must be beaten empirically
Epsilon = float | Sequence[float] | Mapping[str, float]


def as_epsilon(epsilon: Epsilon | None) -> Any:
    """Check the hyper-parameter; return a float, a tuple of floats, a dict of floats, or None."""
    if epsilon is None:
        return None
    if isinstance(epsilon, Mapping):
        if not epsilon or not all(isinstance(name, str) for name in epsilon):
            raise ValueError(
                f"epsilon = {shown(epsilon)}; expected one number for the name of each objective"
            )
        return {
            name: check_non_negative(each, f"epsilon[{name!r}]") for name, each in epsilon.items()
        }
    if np.ndim(epsilon) == 0:
        return check_non_negative(epsilon, "epsilon")
    refuse_other_index(epsilon, "epsilon")
    array = check_array(epsilon, "epsilon")
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"epsilon = {shown(epsilon)}; expected a number, or one per objective")
    return tuple(check_non_negative(each, "epsilon") for each in array.tolist())


def is_exact(epsilon: Any) -> bool:
    """Whether the accuracy is 0 in every objective, or None."""
    if epsilon is None:
        return True
    return not np.any([*epsilon.values()] if isinstance(epsilon, Mapping) else epsilon)


def in_order_of(epsilon: Any, objectives: Sequence) -> Any:
    """An accuracy that is given by name, as a tuple in the order of the objectives."""
    if not isinstance(epsilon, Mapping):
        return epsilon
    if set(epsilon) != set(objectives):
        raise ValueError(
            f"epsilon = {shown(epsilon)}; expected one number for each of the objectives "
            f"{shown(list(objectives))}"
        )
    return tuple(epsilon[name] for name in objectives)


def epsilon_for(epsilon: Any, n_objectives: int) -> np.ndarray:
    """Accuracy of each objective, shape (d,)."""
    if isinstance(epsilon, Mapping):
        raise ValueError(
            f"epsilon = {shown(epsilon)}; expected {n_objectives} numbers, in the order of the "
            "objectives, where these have no names"
        )
    if np.ndim(epsilon) == 1 and len(epsilon) != n_objectives:
        raise ValueError(f"epsilon = {shown(epsilon)}; expected {n_objectives} numbers")
    return np.array(np.broadcast_to(epsilon, n_objectives), float)


def judge_accurate(means: np.ndarray, epsilon: np.ndarray) -> Callable:
    """Return a function that tells whether an answer, shape (K,) of bool, is right."""
    leads = means[:, None] - means  # of each arm over each other one
    above = (leads >= 0).all(axis=2) & (leads > 0).any(axis=2)
    optimal = ~above.any(axis=0)
    beaten = (above & (leads >= epsilon).all(axis=2)).any(axis=0)
    return lambda answer: bool(answer[optimal].all() and not answer[beaten].any())


@part
def _beats(means, better, worse, margin):
    """Whether arm ``better`` dominates arm ``worse`` by at least the margin, shape (d,)."""
    strict = False
    for c in range(means.shape[1]):
        lead = means[better, c] - means[worse, c]
        if lead < margin[c]:
            return False
        if lead > 0.0:
            strict = True
    return strict


@kernel
def write_unbeaten(means, margin, remaining, front, optimal):
    """Write and mark the remaining arms that no remaining arm beats; return their number."""
    size = 0
    for k in range(means.shape[0]):
        optimal[k] = remaining[k]
        for j in range(means.shape[0]):
            if optimal[k] and remaining[j] and j != k and _beats(means, j, k, margin):
                optimal[k] = False
        if optimal[k]:
            front[size] = k
            size += 1
    return size
