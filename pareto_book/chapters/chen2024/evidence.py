"""Evidence per sample against the closest wrong list of best arms."""

import numpy as np

import pareto_core as pc

__all__ = [
    "BEST",
    "best_time",
    "evidence",
    "pair_evidence",
    "random_means",
]

BEST = "best_arm_per_objective"


def evidence(means: np.ndarray, weights: np.ndarray) -> float:
    """Evidence per sample against the closest wrong answer, g of the chapter."""
    return pc.transport_cost(means, weights, problem=BEST).value


def best_time(means: np.ndarray, eta: float = 0.0) -> float:
    """Characteristic time c*, over all shares of the samples or those that ``eta`` allows."""
    return pc.characteristic_time(means, 1e-9, problem=BEST, eta=float(eta)).time


def pair_evidence(means: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Evidence that each pair of an arm and the best arm of an objective gives."""
    columns = np.arange(means.shape[1])
    best = means.argmax(axis=0)
    own, other = weights[:, None], weights[best]
    found = (means[best, columns] - means) ** 2 / 2 * own * other / (own + other)
    found[best, columns] = np.inf
    return found


def random_means(
    rng: np.random.Generator, arms: tuple = (2, 7), objectives: tuple = (1, 4)
) -> np.ndarray:
    """Draw Gaussian means of a random shape; the ends of the ranges are excluded."""
    return rng.standard_normal((int(rng.integers(*arms)), int(rng.integers(*objectives))))
