"""Runs that are made up, and a small arena whose runs are quick to make."""

import numpy as np

import pareto_core as pc
from pareto_book.kept_runs.competitions import Competition
from pareto_book.kept_runs.entrants import Entrant
from pareto_book.kept_runs.making import make_runs
from pareto_book.kept_runs.run_files import KeptRuns

SMALL = Competition(
    {
        "racing": Entrant(pc.Racing(), "a theorem"),
        "uniform": Entrant(pc.UniformSampling(), "nothing"),
        "APE at large risks": Entrant(pc.APE(), "nothing", least_risk=1e-3),
    },
    {"corner": lambda: pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="corner")},
)


def make_small(folder, **options):
    """Make the runs of the small arena; the fixture `small_arena` has to be active."""
    return make_runs("corner", folder / "store", folder=folder, n_jobs=1, **options)


def random_runs(name="APE", delta=0.1, runs=4, instance="here", seed=3):
    rng = np.random.default_rng(runs)
    ended = rng.random(runs) < 0.8
    samples = rng.integers(1, 2**32, runs, dtype=np.uint32)
    return KeptRuns(instance, name, f"{name}()", delta, seed, 1.5, samples, ended.copy(), ended)


def runs_of(name, samples, instance="here", delta=0.1, right=True, ended=True):
    samples = np.asarray(samples, dtype=np.uint32)
    flags = [np.full(samples.size, each) for each in (right and ended, ended)]
    return KeptRuns(instance, name, name, delta, 0, 1.0, samples, *flags)
