"""What `Certified` requires of the algorithm that chooses its samples."""

import inspect

from pareto_core.loop.algorithm import Algorithm
from pareto_core.questions import PARETO_SET


def check_inner(inner, delta):
    """Check the inner algorithm of `Certified`, whose risk is ``delta``, but for its class."""
    if not isinstance(inner, Algorithm):
        raise ValueError(f"algorithm = {inner!r}; expected an Algorithm other than Certified")
    if inner.measures_separately:
        raise ValueError(
            f"algorithm = {inner!r} measures objectives separately; expected its own threshold "
            "'proven'"
        )
    if inner.question is not PARETO_SET:
        raise ValueError(f"algorithm = {inner!r}; expected one for the Pareto set")
    if inner.knows_noise:
        raise ValueError(
            f"algorithm = {inner!r}; expected one that does not state the noise itself, since "
            "the rule takes rewards to have unit variance"
        )
    stated, default = getattr(inner, "threshold", None), _default(inner, "threshold")
    if isinstance(stated, str) and stated != default:
        raise ValueError(
            f"algorithm = {inner!r} has the stopping rule {stated!r}, which Certified replaces by "
            f"its own; expected threshold = {default!r}, the default, or the algorithm without "
            "Certified"
        )
    if has_ignored_delta(inner) and inner.delta != delta:
        raise ValueError(
            f"algorithm = {inner!r} has the risk {inner.delta!r}, which its sampling ignores, in "
            f"Certified with delta = {delta!r}; expected the risk as delta of Certified alone"
        )


def has_ignored_delta(inner):
    """Whether an inner algorithm has a risk, not the default, that affects only its own stop."""
    is_ignored = inner.can_go_on and inner.sampling_ignores_delta and hasattr(inner, "delta")
    return is_ignored and inner.delta != _default(inner, "delta")


def _default(algorithm, name):
    """Default of a parameter of an algorithm's constructor; None without such a parameter."""
    parameter = inspect.signature(type(algorithm)).parameters.get(name)
    return None if parameter is None else parameter.default
