"""The algorithms by name, for files and the command line."""

import dataclasses

from pareto_core import algorithms

__all__ = ["algorithms_by_name"]


def algorithms_by_name():
    """Public algorithms of the package.

    Returns
    -------
    dict of str to type
        Their classes, by name.
    """
    public = {name: getattr(algorithms, name) for name in algorithms.__all__}
    return {name: kind for name, kind in public.items() if dataclasses.is_dataclass(kind)}
