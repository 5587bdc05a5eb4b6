"""What the chapter records of runs and of the printed data."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.crepon2024 import leads, proportions, six_arms, stopping


@pytest.fixture(scope="module")
def data():
    return pc.load_instance("cov_boost"), pc.load_instance("cov_boost_full_precision")


def test_the_two_misprints_are_found_and_corrected(data):
    printed, full = data
    assert np.argwhere(proportions.misprinted(printed, full))[:, 0].tolist() == [7, 14]
    corrected = proportions.with_corrections(printed, full)
    assert not proportions.misprinted(corrected, full).any()
    assert (corrected.means != printed.means).sum() == 2


def test_a_third_wrong_mean_would_be_recorded(data):
    printed, full = data
    rows = proportions.rows_of_data(printed, full)
    assert rows["table2_means"] == {"value": 0, "runs": 58}
    means = np.array(printed.means)
    means[0, 0] += 0.1
    rows = proportions.rows_of_data(pc.Instance(means, printed.variance), full)
    assert "table2_mean0" in rows and rows["table2_means"]["runs"] == 57


def test_proportions_fit_if_they_round_to_the_printed_digits():
    printed = proportions.printed_weights()
    assert proportions.weights_that_fit(printed) == 20
    assert proportions.weights_that_fit(printed * (np.arange(20) != 3)) == 19


def test_the_ratio_of_the_lower_bounds_is_the_formula_of_the_paper():
    K = 10
    assert leads.ratio_of_bounds(K) == pytest.approx(2 * K / (1 + np.sqrt(K - 1)) ** 2)


def test_a_run_stops_when_its_evidence_meets_the_threshold():
    instance = pc.Instance([[2.0, 0.0], [0.0, 2.0], [-1.0, -1.0]])
    runs = pc.simulate(pc.TrackAndStop(delta=0.2), instance, 3, progress=False)
    described = six_arms.describe_run(runs)
    assert described.times[-1] == np.median(runs.samples)
    assert described.evidence[-1] >= described.threshold[-1]
    assert (described.evidence < described.threshold)[:-1].all()
    assert described.counts.sum() == described.times[-1]
    assert described.bound < described.no_learning


def test_shares_of_figure_3_count_the_runs_before_each_edge(data):
    algorithm = pc.TrackAndStop(delta=0.1)
    instance = pc.load_instance("six_arms")
    runs = pc.simulate(algorithm, instance, 5, progress=False)
    rows = stopping.rows_of_figure3(runs, runs, best=100.0)
    assert rows["fig3_bins10"]["value"] == (runs.samples < stopping.EDGES[10]).mean()
    assert rows["fig3_tail"]["value"] == 0
    assert rows["fig3_ratio"].value == pytest.approx(runs.samples.mean() / np.log(10) / 100)
