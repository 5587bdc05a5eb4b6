"""Transportation cost with weights per arm and objective, as `transport_cost` calls it."""

import numpy as np

from pareto_core.checks.arguments import check_array, shown, unit_weights
from pareto_core.compiling.kernels import kernel
from pareto_core.questions import BEST_ARMS, PARETO_SET
from pareto_core.transport.noise_response import allocate_noise_response
from pareto_core.transport.separate_best_arms import (
    cheapest_separate_confusion,
    write_separate_confusion,
)
from pareto_core.transport.separate_oracle import (
    cheapest_separate_alternative,
    write_separate_alternative,
    write_separate_gradient,
)


def are_separate(weights):
    """Whether the weights have a column for each objective."""
    return check_array(weights, "weights").ndim == 2


def separate_cost(means, weights, problem, method, **refused):
    """Cost, its exponent, gradient, alternative and arm; see `transport_cost`.

    Parameters
    ----------
    means : ndarray, shape (K, d)
    weights : array_like, shape (K, d)
    problem, method : str
    **refused
        Arguments that are None if they are not given, and must be.

    Raises
    ------
    ValueError
        If the weights are invalid, or another argument does not allow weights per objective.
    """
    weights = _checked_weights(weights, means.shape)
    given = {name: value for name, value in refused.items() if value is not None}
    given |= {} if problem in (PARETO_SET.name, BEST_ARMS.name) else {"problem": problem}
    given |= {"method": method} if method != "auto" else {}
    for name, value in given.items():
        raise ValueError(
            f"{name} = {shown(value)} with weights of shape {weights.shape}; expected the default, "
            "or one weight per arm"
        )
    flat, exponent = unit_weights(weights.ravel())
    gradient, alternative = np.empty_like(means), np.empty_like(means)
    cost = _separate_confusion_cost if problem == BEST_ARMS.name else _separate_cost
    value, arm = cost(means, flat.reshape(means.shape), gradient, alternative)
    return value, exponent, gradient, alternative, arm


def _checked_weights(weights, shape):
    array = check_array(weights, "weights")
    if array.shape != shape:
        raise ValueError(
            f"weights has shape {array.shape}; expected ({shape[0]},), one weight per arm, or "
            f"{shape}, one per arm and objective"
        )
    if not ((array >= 0) & np.isfinite(array)).all() or not array.any():
        raise ValueError(
            f"weights = {shown(weights)}; expected finite numbers of at least 0, and one above 0"
        )
    return np.ascontiguousarray(array)


@kernel
def _separate_cost(means, weights, gradient, alternative):
    """Fill ``gradient`` and ``alternative``; return the cost and the arm of `TransportCost`."""
    response = allocate_noise_response(means.shape[0], means.shape[1])
    value = cheapest_separate_alternative(means, weights, np.inf, response)
    write_separate_alternative(means, weights, response, alternative)
    write_separate_gradient(means, weights, response, gradient)
    return value, response.found[0]["moved"]


@kernel
def _separate_confusion_cost(means, weights, gradient, alternative):
    """As `_separate_cost`, for the best arm of every objective."""
    value, objective, best, challenger = cheapest_separate_confusion(means, weights)
    write_separate_confusion(means, weights, (objective, best, challenger), gradient, alternative)
    return value, challenger
