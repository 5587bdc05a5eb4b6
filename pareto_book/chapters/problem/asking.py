"""Two other ways to ask: error rates with a fixed budget, and statements at any time."""

import numpy as np

from pareto_book.records.measurements import Measurement, rate_of
from pareto_book.studies.race import Race
from pareto_core.confidence.certificate import Certificate
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation import simulate

__all__ = ["arms_decided", "error_rate"]


def error_rate(
    algorithm: Algorithm, instance: Instance, runs: int, seed: int, n_jobs: int
) -> Measurement:
    """Measure how often an algorithm errs, with arguments of `pareto_core.simulate`."""
    found = simulate(algorithm, instance, runs, seed, n_jobs, progress=False)
    return rate_of(~found.correct)


def arms_decided(race: Race, name: str, delta: float) -> tuple[np.ndarray, np.ndarray]:
    """Number of arms that a certificate has decided along the run of a rule."""
    certificate = Certificate(*race.means.shape, delta=delta)
    arms = race.runs[name].arms
    first = 1 + max(arms.index(k) for k in range(len(race.labels)))
    times, decided = np.arange(first, len(arms) + 1), []
    for time in times:
        certificate.update(*race.seen(name, int(time)))
        decided.append(len(race.labels) - certificate.open.size)
    return times, np.array(decided)
