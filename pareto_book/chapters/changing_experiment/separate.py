"""Costs of measuring one objective at a time, beside those of joint samples."""

import numpy as np

import pareto_core as pc

__all__ = ["costs_until_proof"]


def costs_until_proof(
    name: str, costs: list[float], runs: int, n_jobs: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Costs until a proven answer at a risk of 0.1, measured separately and jointly.

    Parameters
    ----------
    name : str
        Name of an instance.
    costs : list of float, length d
        Cost of a measurement of each objective. A joint sample costs their sum.
    runs, n_jobs : int
        See `pareto_core.simulate`.

    Returns
    -------
    separate, joint : ndarray, shape (runs,)
        Costs of the runs of `SeparateTopTwo` and of `TopTwoIDS`.
    """
    instance = pc.load_instance(name)
    options = {"runs": runs, "seed": 1, "progress": False, "n_jobs": n_jobs}
    algorithm = pc.SeparateTopTwo(0.1, costs=costs, threshold="proven")
    separate = pc.simulate(algorithm, instance, **options)
    joint = pc.simulate(pc.TopTwoIDS(0.1, threshold="proven"), instance, **options)
    return (separate.pulls * np.array(costs)).sum(axis=(1, 2)), joint.samples * sum(costs)
