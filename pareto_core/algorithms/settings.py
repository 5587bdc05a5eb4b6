"""The hyper-parameters of an algorithm, checked by their types and names."""

import dataclasses
import typing

from pareto_core.checks.arguments import (
    check_choice,
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
    """Refuse values of the fields of a dataclass that are not of their type or in their range.

    A word is one that its type lists; a count is at least 1, or 0 if that is the default.
    """
    for field in dataclasses.fields(kind):
        value, types = getattr(algorithm, field.name), typing.get_args(field.type) or (field.type,)
        if value is None and type(None) in types:
            continue
        if typing.get_origin(field.type) is typing.Literal:
            check_choice(value, field.name, types)
        elif field.name in RANGES:
            RANGES[field.name](value, field.name)
        elif bool in types:
            check_flag(value, field.name)
        elif int in types:
            check_count(value, field.name, at_least=0 if field.default == 0 else 1)
