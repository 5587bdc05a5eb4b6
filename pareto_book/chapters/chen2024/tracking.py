"""Why direct tracking is slow where arms nearly tie: a run with exact weights that drift."""

from typing import NamedTuple

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_book.chapters.chen2024.evidence import BEST

__all__ = ["Starvation", "drifting_weights", "numbers", "starvation"]

NEARLY_TIED = [144, 145]  # the two largest networks


class Starvation(NamedTuple):
    """Samples of each arm at the end of two runs, what was due to it, and weights that drift.

    Attributes
    ----------
    moments : ndarray, shape (n,)
        Numbers of samples along a run of D-Tracking.
    weights : ndarray, shape (n, 2)
        Exact weights of the two arms that nearly tie, for the empirical means at these moments.
    due : ndarray, shape (K,)
        Oracle weight times all samples.
    pulls : dict of str to ndarray, shape (K,)
        Samples of each arm with D-Tracking and C-Tracking.
    forced : float
        Samples that forced exploration gives each arm.
    needy : ndarray of bool, shape (K,)
        Arms due more than twice the forced samples, but less than 1/20 of all samples.
    starved : ndarray of bool, shape (K,)
        Needy arms that D-Tracking has sampled by forced exploration alone.
    """

    moments: np.ndarray
    weights: np.ndarray
    due: np.ndarray
    pulls: dict[str, np.ndarray]
    forced: float
    needy: np.ndarray
    starved: np.ndarray


def starvation(networks: pc.Instance, samples: int, seed: int) -> Starvation:
    """Run D-Tracking and C-Tracking with exact weights for a number of samples."""
    moments = np.arange(1000, samples, 10)
    weights = drifting_weights(networks, NEARLY_TIED, moments, seed)
    pulls = {}
    for tracking in "DC":
        algorithm = pc.DTracking(1e-300, tracking=tracking)
        found = pc.simulate(algorithm, networks, 1, seed, max_samples=samples)
        pulls[f"{tracking}-Tracking"] = found.pulls[0]
    due = samples * pc.characteristic_time(networks.means, problem=BEST).weights
    forced = np.sqrt(samples / len(due))
    needy = (due > 2 * forced) & (due < samples / 20)
    starved = needy & (pulls["D-Tracking"] <= forced + 1)
    return Starvation(moments, weights, due, pulls, forced, needy, starved)


def drifting_weights(
    networks: pc.Instance, arms: list[int], moments: np.ndarray, seed: int
) -> np.ndarray:
    """Oracle weights of some arms for the empirical means along a run of D-Tracking."""
    session = lab.Session(pc.DTracking(delta=1e-300), *networks.means.shape, standard_deviation=1.0)
    noise, trace, wanted = np.random.default_rng(seed), [], set(moments.tolist())
    while session.samples < moments[-1]:
        arm = session.ask()
        session.tell(arm, networks.means[arm] + noise.standard_normal(2))
        if session.samples in wanted:
            found = pc.characteristic_time(session.means, problem=BEST)
            trace.append(found.weights[arms])
    return np.array(trace)


def numbers(found: Starvation) -> dict[str, float]:
    """Numbers of the text: the starving arms, and how far weights drift, in percentage points."""
    second_half = found.weights[len(found.weights) // 2 :]
    return {
        "starved": found.starved.sum(),
        "needy": found.needy.sum(),
        "drift": 100 * np.ptp(second_half, axis=0).max(),
    }
