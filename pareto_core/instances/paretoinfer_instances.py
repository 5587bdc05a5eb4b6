"""The examples of the R package paretoinfer.

They are from its articles (castlaboratory/paretoinfer at commit c02b06c), which minimise losses;
here each mean is 1 minus the loss. Noise is uniform, and rewards are in [0, 1].
"""

import functools

import numpy as np

from pareto_core.checks.arguments import check_choice
from pareto_core.instances.instance import Instance

__all__ = ["LOSSES", "paretoinfer_instance"]

HALF_WIDTHS = {"six": 0.1}  # of the noise
HALF_WIDTH = 0.08  # of the noise in all other examples

LOSSES = {
    "six": ((0.15, 0.70), (0.40, 0.40), (0.70, 0.15), (0.42, 0.43), (0.60, 0.60), (0.30, 0.80)),
    "convex": ((0.10, 0.80), (0.25, 0.50), (0.45, 0.30), (0.80, 0.15), (0.50, 0.60), (0.70, 0.45)),
    "concave": ((0.10, 0.80), (0.30, 0.65), (0.45, 0.55), (0.60, 0.30), (0.80, 0.10), (0.55, 0.70)),
    "disconnected": (
        (0.10, 0.85),
        (0.15, 0.75),
        (0.70, 0.20),
        (0.80, 0.12),
        (0.45, 0.55),
        (0.40, 0.65),
    ),
    "ties": ((0.20, 0.60), (0.21, 0.61), (0.60, 0.20), (0.50, 0.50)),
}
"""Mean losses of each arm, by the name of the example."""


def paretoinfer_instance(name: str) -> Instance:
    """One of the examples.

    Parameters
    ----------
    name : {"six", "convex", "concave", "disconnected", "ties"}
        The six designs that most articles choose from, or a front of the named shape.

    Returns
    -------
    Instance
        Two objectives, rewards in [0, 1].

    Raises
    ------
    ValueError
        If ``name`` is unknown.

    Examples
    --------
    >>> from pareto_core.instances.paretoinfer_instances import paretoinfer_instance
    >>> paretoinfer_instance("ties").pareto_set
    array([0, 2, 3])
    """
    losses = np.array(LOSSES[check_choice(name, "name", LOSSES)])
    half_width = HALF_WIDTHS.get(name, HALF_WIDTH)
    return Instance(
        1 - losses,
        variance=np.full(2, half_width**2 / 3),
        noise="uniform",
        name=f"paretoinfer_{name}",
        provenance="articles of the R package paretoinfer 0.1.0, 1 minus the losses",
    )


MAKERS = {f"paretoinfer_{name}": functools.partial(paretoinfer_instance, name) for name in LOSSES}
"""Functions that make the instances, by name."""
