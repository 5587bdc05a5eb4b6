"""The hyper-parameters of an algorithm, checked by their types and names."""

import dataclasses
import typing

import numpy as np

from pareto_core.checks.arguments import (
    check_choice,
    check_costs,
    check_count,
    check_flag,
    check_non_negative,
    check_positive,
    check_probability,
)

RANGES = {
    "delta": check_probability,
    "epsilon": check_non_negative,
    "eta": check_non_negative,
    "norm_variance_bound": check_positive,
    "radius_constant": check_positive,
    "tolerance": check_positive,
    "variance_bound": check_positive,
}


def check_settings(algorithm, kind):
    """Refuse values of fields of another type, another word than listed, or out of range."""
    for field in dataclasses.fields(kind):
        value, types = getattr(algorithm, field.name), _types_of(field)
        words = [each for each in types if isinstance(each, str)]
        if value is None and type(None) in types:
            continue
        if words:
            check_choice(value, field.name, words)
        elif field.name in RANGES:
            RANGES[field.name](value, field.name)
        elif bool in types:
            check_flag(value, field.name)
        elif int in types:
            check_count(value, field.name, at_least=0 if field.default == 0 else 1)


def _types_of(field):
    """Types of the values of a field; in place of a type of words, the words."""
    found = []
    for each in typing.get_args(field.type) or (field.type,):
        is_words = typing.get_origin(each) is typing.Literal
        found += typing.get_args(each) if is_words else [each]
    return found


def refuse_beside_budget(algorithm):
    """Refuse a threshold or costs that would have no effect, because a budget stops the run."""
    if algorithm.budget is None:
        return
    if algorithm.threshold != "stylised":
        raise ValueError(
            f"threshold = {algorithm.threshold!r} with a budget, at which the run stops instead; "
            "expected the default, 'stylised'"
        )
    if algorithm.costs is not None:
        raise ValueError(f"costs = {algorithm.costs}; expected None with a budget of samples")


def as_costs(costs):
    """Check costs of a sample of each arm; return a tuple, or None."""
    return None if costs is None else tuple(check_costs(costs).tolist())


def costs_for(costs, problem):
    """Cost of a sample of each arm, shape (K,); 1 if ``costs`` is None."""
    return np.ones(problem.n_arms) if costs is None else check_costs(costs, problem.n_arms)
