"""Results of a simulation: its runs, and their summary."""

import dataclasses

import numpy as np

from pareto_core.checks.arguments import check_probability, counted
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.statistics import mean_interval, rate_interval

__all__ = ["Runs"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """Results of a simulation, one entry per run.

    Attributes
    ----------
    algorithm : Algorithm
        The algorithm.
    instance : Instance
        The instance, before whitening.
    seed : int
        Seed of the simulation.
    samples : ndarray of int, shape (n,)
        Stopping times.
    correct : ndarray of bool, shape (n,)
        Whether the run stopped by itself and `Algorithm.judge` calls its answer right: it has to
        be exactly right, except for `Certified` with an accuracy.
    stopped : ndarray of bool, shape (n,)
        Whether the run stopped by itself, rather than at ``max_samples`` or because the
        recorded observations of an arm were used up.
    pulls : ndarray of int, shape (n, K), or (n, K, d)
        Samples of each arm, or of each arm and objective if these are measured separately.
    means : ndarray, shape (n, K, d)
        Average reward of each arm at the end; zero without samples.
    answers : ndarray, shape (n, K) of bool or int, or (n, d) of int
        Which arms are recommended as (constrained) Pareto optimal; for an algorithm that
        returns a partition, the label of each arm (such as `questions.OPTIMAL`); or the
        recommended best arm of each objective.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    >>> runs = pc.simulate(pc.EGE(budget=300), instance, runs=2, progress=False)
    >>> runs.samples, runs.correct
    (array([300, 300]), array([ True,  True]))
    >>> int(runs.summary()["errors"])
    0
    """

    algorithm: Algorithm
    instance: Instance
    seed: int
    samples: np.ndarray
    correct: np.ndarray
    stopped: np.ndarray
    pulls: np.ndarray
    means: np.ndarray
    answers: np.ndarray

    def __repr__(self):
        number = int((~self.stopped).sum())
        unfinished = f", {number} unfinished" if number else ""
        return (
            f"<{counted(self.samples.size, 'run')} of {self.algorithm!r} on "
            f"{self.instance.name!r}: {self.samples.mean():,.0f} samples on average, "
            f"{self.correct.mean():.0%} correct{unfinished}>"
        )

    def summary(self, confidence: float = 0.95) -> dict[str, float]:
        """Mean stopping time and error rate, with intervals.

        The interval of the mean is a percentile bootstrap of 2000 resamples; that of
        the error rate is exact (Clopper-Pearson).

        Parameters
        ----------
        confidence : float, default 0.95
            Confidence level of both intervals.

        Returns
        -------
        dict of str to float
            ``runs``, ``mean``, ``mean_low``, ``mean_high``, ``deviation``, the
            quantiles ``min``, ``q25``, ``median``, ``q75``, ``max``, then ``errors``,
            ``error_rate``, ``error_low``, ``error_high`` and ``unfinished``.

        Raises
        ------
        ValueError
            If ``confidence`` is not in (0, 1).
        """
        check_probability(confidence, "confidence")
        mean_low, mean_high = mean_interval(self.samples, confidence)
        errors = int((~self.correct).sum())
        error_low, error_high = rate_interval(errors, self.correct.size, confidence)
        quantiles = np.quantile(self.samples, [0, 0.25, 0.5, 0.75, 1])
        return {
            "runs": self.samples.size,
            "mean": self.samples.mean(),
            "mean_low": mean_low,
            "mean_high": mean_high,
            "deviation": self.samples.std(ddof=1) if self.samples.size > 1 else np.nan,
            **dict(zip(("min", "q25", "median", "q75", "max"), quantiles, strict=True)),
            "errors": errors,
            "error_rate": errors / self.correct.size,
            "error_low": error_low,
            "error_high": error_high,
            "unfinished": int((~self.stopped).sum()),
        }
