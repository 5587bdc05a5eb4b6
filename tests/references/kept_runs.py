"""Runs and cases that are made up, and a small arena whose runs are quick to make."""

import numpy as np

import pareto_core as pc
from pareto_book.kept_runs.cases import KeptCase, first_runs
from pareto_book.kept_runs.competitions import Competition
from pareto_book.kept_runs.entrants import Entrant

SMALL = Competition(
    {
        "racing": Entrant(pc.Racing(), "a theorem"),
        "uniform": Entrant(pc.UniformSampling(), "nothing"),
        "APE at large risks": Entrant(pc.APE(), "nothing", least_risk=1e-3, max_runs=5),
    },
    {"corner": lambda: pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], name="corner")},
)


def case_of(name, samples, instance="here", delta=0.1, wrong=0, cut_off=0, correlation=0.0):
    """A case of runs, the first of which are wrong, and the last of which were cut off."""
    samples, number = np.asarray(samples), np.arange(len(samples))
    right, ended = number >= wrong, number < len(samples) - cut_off
    return KeptCase(
        "Pareto set",
        instance,
        name,
        delta,
        name,
        len(samples),
        float(samples.mean()),
        float(samples.std(ddof=1)),
        wrong,
        cut_off,
        correlation,
        1.0,
        first_runs(samples, right, ended),
    )
