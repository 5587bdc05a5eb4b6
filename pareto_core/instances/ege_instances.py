"""The synthetic instances on which TTPFTS was compared with empirical gap elimination.

They are named EgeExp1 to EgeExp8 in its authors' program (LennertSaerens/TTPFTS at commit 39fbc3e,
of the paper arXiv 2606.18785). Noise has the standard deviation 0.25 in every objective. EgeExp3
is omitted: one of its two definitions is scored against a set that is not its Pareto set, the
other has two arms that tie in one objective, so that a gap is zero.
"""

import functools

import numpy as np

from pareto_core.checks.arguments import check_choice, check_generator
from pareto_core.instances.instance import Instance

__all__ = ["EGE_INSTANCES", "ege_instance"]

DEVIATION = 0.25  # of the noise


def ege_instance(name: str, rng: np.random.Generator | None = None) -> Instance:
    """One of the instances EgeExp1 to EgeExp8.

    Parameters
    ----------
    name : {"1", "2", "4", "5", "6_old", "6_new", "7", "8"}
        Which of EgeExp1 to EgeExp8; EgeExp6 has two definitions, before 2 May 2026 and after.
    rng : numpy.random.Generator, optional
        Source of the random means of 1, 4 and 5; unused by the others.

    Returns
    -------
    Instance
        Ten objectives in 4, two in all others.

    Raises
    ------
    ValueError
        If ``name`` is unknown, or ``rng`` is missing for an instance with random means.
    """
    make, is_random = EGE_INSTANCES[check_choice(name, "name", EGE_INSTANCES)]
    if is_random:
        check_generator(rng)
    means = make(rng) if is_random else make()
    return Instance(
        means,
        variance=np.full(means.shape[1], DEVIATION**2),
        name=f"ege_{name}",
        provenance=f"EgeExp{name} of the program of arXiv 2606.18785",
    )


def _on_a_hyperbola(rng):
    """Ten arms on a hyperbola, and 50 uniform in the part of a square below a lower hyperbola."""
    x = np.linspace(0.55, 0.95, 10)
    below = np.empty((0, 2))
    while len(below) < 50:
        candidates = rng.uniform(0.1, 0.8, (50, 2))
        below = np.vstack([below, candidates[candidates.prod(axis=1) <= 0.2]])
    return np.vstack([np.column_stack([x**2, 1 / (4 * x**2)]), below[:50]])


def _ever_closer():
    """Two optimal arms, and below each of them four arms that converge to a point."""
    step = 0.2 ** np.arange(1, 5)
    behind = [
        np.column_stack([first + step, second - step])
        for first, second in ((0.45, 0.35), (0.10, 0.70))
    ]
    return np.vstack([[[0.4, 0.75], [0.75, 0.4]], *behind])


def _two_cubes(n_low, n_high, n_objectives, low, high, rng):
    """Arms uniform in a cube, and arms uniform in a higher cube."""
    shapes = (n_low, n_objectives), (n_high, n_objectives)
    return np.vstack(
        [rng.uniform(*ends, shape) for ends, shape in zip((low, high), shapes, strict=True)]
    )


def _geometric_front(first):
    """Ten optimal arms whose distances decrease geometrically."""
    step = 0.65 ** np.arange(first, first + 10)
    return np.column_stack([0.75 - step, 0.25 + step])


def _three_lines():
    """Eight optimal arms on a line, and seven each on two lines below."""
    j = 0.05 * np.arange(8)
    middle = np.column_stack([0.25 + j, 0.7 - j])[1:]
    return np.vstack([np.column_stack([0.3 + j, 0.8 - j]), middle, middle - [0.0, 0.05]])


def _geometric_chain():
    """Five arms, each dominated by the next."""
    step = 0.25 ** np.arange(1, 6)
    return np.column_stack([0.75 - step, 0.75 - step])


EGE_INSTANCES = {
    "1": (_on_a_hyperbola, True),
    "2": (_ever_closer, False),
    "4": (lambda rng: _two_cubes(30, 20, 10, (0.2, 0.45), (0.55, 0.75), rng), True),
    "5": (lambda rng: _two_cubes(10, 10, 2, (0.2, 0.4), (0.5, 0.7), rng), True),
    "6_old": (lambda: _geometric_front(0), False),
    "6_new": (lambda: _geometric_front(1), False),
    "7": (_three_lines, False),
    "8": (_geometric_chain, False),
}
"""The function that makes the means, and whether it takes a generator, by name."""


def _fixed_ege_instance(name):
    """An instance without random means."""
    return ege_instance(name)


MAKERS = {
    f"ege_{name}": functools.partial(ege_instance if is_random else _fixed_ege_instance, name)
    for name, (_, is_random) in EGE_INSTANCES.items()
}
"""Functions that make the instances, by name."""
