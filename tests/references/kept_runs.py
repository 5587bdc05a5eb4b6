"""Made-up runs of an entrant of the arena."""

import numpy as np

from pareto_book.kept_runs.kept_runs import Kept


def kept(name="APE", delta=0.1, runs=4, place="here", seed=3):
    rng = np.random.default_rng(runs)
    ended = rng.random(runs) < 0.8
    samples = rng.integers(1, 2**32, runs, dtype=np.uint32)
    return Kept(place, name, f"{name}()", delta, seed, 1.5, samples, ended & True, ended)


def runs_of(name, samples, place="here", delta=0.1, right=True, ended=True):
    samples = np.asarray(samples, dtype=np.uint32)
    flags = [np.full(samples.size, each) for each in (right and ended, ended)]
    return Kept(place, name, name, delta, 0, 1.0, samples, *flags)
