"""What is certain about single arms before an algorithm stops."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
import scipy

import pareto_core as pc
from pareto_book.chapters.price_of_proof.looks import map_runs
from pareto_book.figures.tables import show_table
from pareto_book.records.measurements import Measurement

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["Certain", "certain_arms", "decision_table", "median_of"]


class Certain(NamedTuple):
    """How many arms are certain along runs.

    Attributes
    ----------
    moments : ndarray, shape (n,)
        Samples at which the certificate looks.
    arms : ndarray, shape (runs, n, 2)
        Number of arms that are certainly optimal, and certainly dominated.
    wrong : int
        Number of runs in which a statement is wrong.
    """

    moments: np.ndarray
    arms: np.ndarray
    wrong: int


def certain_arms(
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    moments: np.ndarray,
    runs: int,
    seed: int = 0,
    n_jobs: int | None = None,
    delta: float = 0.1,
) -> Certain:
    """Follow a certificate along runs of an algorithm.

    Parameters
    ----------
    algorithm : Algorithm
        Samples; it has to stop later than the certificate decides all arms.
    instance : Instance
    moments : ndarray of int, shape (n,)
        Samples at which the certificate looks.
    runs, seed, n_jobs
        See `simulate`.
    delta : float, default 0.1
        Risk of all statements at all times together.

    Returns
    -------
    Certain
    """

    def follow(run):
        seen = pc.trajectory(algorithm, instance, moments, run, seed)
        certificate = pc.Certificate(instance.n_arms, instance.n_objectives, delta=delta)
        found = np.zeros((len(moments), 2))
        for k, state in enumerate(zip(seen.counts, seen.means, strict=True)):
            if not certificate.is_decided:
                certificate.update(*state)
            found[k] = certificate.optimal.size, certificate.dominated.size
        return found, states_wrongly(certificate, instance.pareto_set)

    arms, wrong = zip(*map_runs(follow, runs, n_jobs), strict=True)
    return Certain(moments, np.array(arms), sum(wrong))


def states_wrongly(certificate: pc.Certificate, front: Sequence[int]) -> bool:
    """Whether a certificate contradicts the Pareto set."""
    missing = np.setdiff1d(certificate.optimal, front).size
    denied = np.intersect1d(certificate.dominated, front).size
    return missing + denied > 0


def first_times(found: Certain, n_decided: int) -> np.ndarray:
    """Samples of each run until that many arms are decided, infinite if they never are."""
    decided = found.arms.sum(axis=2) >= n_decided
    return np.where(decided.any(axis=1), found.moments[decided.argmax(axis=1)], np.inf)


def median_of(values: np.ndarray) -> Measurement:
    """Measure a median, with the 95 % interval that its order statistics give."""
    ordered, n = np.sort(values), len(values)
    k = int(scipy.stats.binom.ppf(0.025, n, 0.5))
    return Measurement(float(np.median(ordered)), (ordered[k - 1], ordered[n - k]), n)


def decision_table(
    certain: Mapping[str, Certain], n_decided: Sequence[int], caption: str
) -> "HTML":
    """Make a table of the samples until several numbers of arms are decided, by algorithm."""
    heads = {n: f"{n} arms decided" for n in n_decided}
    rows = [
        {"sampling": name}
        | {head: median_of(first_times(found, n)) for n, head in heads.items()}
        | {"runs with a wrong statement": f"{found.wrong} of {len(found.arms)}"}
        for name, found in certain.items()
    ]
    return show_table(pd.DataFrame(rows), caption, **dict.fromkeys(heads.values(), ",.0f"))
