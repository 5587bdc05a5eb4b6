"""Differences and ratios run by run."""

import dataclasses

import numpy as np
import pytest
from references.arms import CORNER

from pareto_core import APE, simulate
from pareto_core.simulation.statistics import mean_interval, ratio_interval
from pareto_lab.comparison.pairing import paired_summary

RUNS = 60


@pytest.fixture(scope="module")
def runs():
    return simulate(APE(), CORNER, RUNS, progress=False)


def with_samples(runs, samples):
    return dataclasses.replace(runs, samples=samples)


def test_an_algorithm_does_not_differ_from_itself(runs):
    row = paired_summary(runs, runs)
    assert row["runs"] == RUNS
    assert row[["difference", "difference_low", "difference_high"]].tolist() == [0, 0, 0]
    assert row[["ratio", "ratio_low", "ratio_high"]].tolist() == [1, 1, 1]
    assert row["unfinished"] == 0


def test_differences_and_ratios_have_paired_intervals(runs):
    rng = np.random.default_rng(3)
    other = with_samples(runs, 10 + runs.samples // 2 + rng.integers(0, 40, RUNS))
    row, (first, second) = paired_summary(runs, other), (runs.samples, other.samples)
    assert row["difference"] == pytest.approx(np.mean(first) - np.mean(second))
    assert row["ratio"] == pytest.approx(np.mean(first) / np.mean(second))
    ends = row[["difference_low", "difference_high"]].tolist()
    assert ends == pytest.approx(mean_interval(first - second))
    ends = row[["ratio_low", "ratio_high"]].tolist()
    assert ends == pytest.approx(ratio_interval(first, second, paired=True))


def test_pairs_with_a_run_that_was_cut_off_are_counted(runs):
    first, second = np.ones(RUNS, bool), np.ones(RUNS, bool)
    first[[0, 1]], second[[1, 2, 3]] = False, False
    row = paired_summary(
        dataclasses.replace(runs, stopped=first), dataclasses.replace(runs, stopped=second)
    )
    assert row["unfinished"] == 4


def test_a_single_pair_has_no_interval(runs):
    one = with_samples(runs, runs.samples[:1])
    row = paired_summary(one, one)
    assert row["difference"] == 0
    assert row[["difference_low", "ratio_high"]].isna().all()


@pytest.mark.parametrize(
    "other", [{"seed": 1}, {"samples": np.ones(3)}], ids=["seed", "number of runs"]
)
def test_runs_without_the_same_seeds_cannot_be_paired(runs, other):
    with pytest.raises(ValueError, match=r"; expected the same number of runs and the same seed$"):
        paired_summary(runs, dataclasses.replace(runs, **other))
