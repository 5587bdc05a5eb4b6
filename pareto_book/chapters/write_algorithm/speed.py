"""Whether two versions of a rule make the same runs, and the processor time of a sample."""

import time

import pareto_core as pc

__all__ = ["compare_versions", "differing_columns", "microseconds_per_sample"]

COLUMNS = ("samples", "pulls", "means", "answers")


def differing_columns(first: pc.Runs, second: pc.Runs) -> list[str]:
    """Columns in which a run differs from that of another simulation."""
    return [each for each in COLUMNS if (getattr(first, each) != getattr(second, each)).any()]


def compare_versions(
    python: pc.Algorithm, compiled: pc.Algorithm, instance: pc.Instance, seed: int
) -> dict[str, float]:
    """Measure both versions of a rule; see `microseconds_per_sample`.

    Returns
    -------
    dict of str to float
        ``write_python`` and ``write_compiled`` in microseconds, and their ratio ``write_factor``.
    """
    slow, fast = (microseconds_per_sample(each, instance, seed=seed) for each in (python, compiled))
    return {"write_python": slow, "write_compiled": fast, "write_factor": slow / fast}


def microseconds_per_sample(
    algorithm: pc.Algorithm, instance: pc.Instance, runs: int = 4, seed: int = 0
) -> float:
    """Measure the processor time of one thread per sample; what is compiled must be so before."""
    before = time.process_time()
    found = pc.simulate(algorithm, instance, runs, seed, n_jobs=1, progress=False)
    return float(1e6 * (time.process_time() - before) / found.samples.sum())
