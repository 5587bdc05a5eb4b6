"""Tables of simulated runs."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.figures.results import results_frame

SIX = pc.load_instance("six_arms")


@pytest.fixture(scope="module")
def runs():
    algorithms = {"APE": pc.APE(), "Racing": pc.Racing()}
    return {
        name: pc.simulate(algorithm, SIX, runs=30, seed=4, progress=False)
        for name, algorithm in algorithms.items()
    }


def test_a_row_has_the_mean_and_the_rate_of_its_runs(runs):
    frame = results_frame(runs).set_index("algorithm")
    for name, each in runs.items():
        assert frame.loc[name, "mean samples"].value == each.samples.mean()
        assert frame.loc[name, "error rate"].value == np.mean(~each.correct)
        assert frame.loc[name, "runs"] == 30
        assert frame.loc[name, "deviation"] == each.samples.std(ddof=1)
