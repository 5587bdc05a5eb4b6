"""Results of kept runs, compared with values computed by hand."""

import numpy as np
import pytest
import scipy
from references.kept_runs import random_runs, runs_of

from pareto_book.kept_runs.results import (
    broken_promises,
    compare_pairs,
    paired_log_ratio,
    performance_profile,
    ratios_to_best,
    summary_frame,
)
from pareto_book.kept_runs.run_files import KeptRuns


def test_a_summary_by_hand():
    each = random_runs(runs=200)
    (line,) = summary_frame([each], {"here": 10.0}).to_dict("records")
    interval = scipy.stats.ttest_1samp(each.samples, 0.0).confidence_interval()
    assert line["samples"] == each.samples.mean()
    assert (line["samples_low"], line["samples_high"]) == pytest.approx(tuple(interval))
    assert line["errors"] == (each.ended & ~each.right).sum()
    assert line["unfinished"] == (~each.ended).sum()
    assert line["over_the_bound"] == pytest.approx(line["samples"] / (8.0 * np.log(9.0)))


def test_runs_that_were_all_cut_off_have_no_error_rate():
    (line,) = summary_frame([runs_of("slow", [5, 5], ended=False)], {"here": 1.0}).to_dict(
        "records"
    )
    assert line["unfinished"] == 2
    assert np.isnan(line["error_low"])


def test_intervals_of_paired_ratios_cover_the_true_ratio():
    """The interval of paired runs is narrow, and contains the true ratio in 95 % of the cases."""
    rng = np.random.default_rng(0)
    inside, widths = 0, []
    for _ in range(400):
        common = rng.gamma(4.0, 250.0, 200)
        first = runs_of("first", 1.2 * common * rng.uniform(0.9, 1.1, 200))
        second = runs_of("second", common)
        value, low, high = paired_log_ratio(first, second)
        assert low < value < high
        inside += low <= np.log(1.2) <= high
        widths.append(high - low)
    assert scipy.stats.binomtest(inside, 400, 0.95).pvalue > 1e-3
    assert max(widths) < 0.05


def test_identical_runs_have_the_ratio_one():
    first = runs_of("first", [3, 4, 5])
    assert paired_log_ratio(first, runs_of("second", [3, 4, 5])) == (0.0, 0.0, 0.0)


@pytest.mark.slow
def test_entrants_of_the_same_law_are_rarely_told_apart():
    """Ten entrants with the same law: in at most 5 % of the cases one of 45 pairs is certain."""
    rng = np.random.default_rng(1)
    certain = 0
    for _ in range(100):
        runs = [runs_of(str(k), rng.gamma(4.0, 250.0, 100)) for k in range(10)]
        certain += compare_pairs(runs)["certain"].any()
    assert scipy.stats.binomtest(certain, 100, 0.05, "greater").pvalue > 1e-3


def test_the_first_of_a_pair_has_fewer_samples():
    slow, quick = runs_of("slow", [200, 210, 220]), runs_of("quick", [100, 105, 110])
    (line,) = compare_pairs([slow, quick]).to_dict("records")
    assert (line["first"], line["second"], line["certain"]) == ("quick", "slow", True)
    assert line["ratio"] == pytest.approx(2.0)
    cut = runs_of("quick", [100, 105, 110], ended=False)
    assert not compare_pairs([slow, cut])["certain"].any()


def test_profiles_count_cases():
    times = {"a": 1.0, "b": 1.0}
    frame = summary_frame(
        [
            runs_of("x", [10, 10], "a"),
            runs_of("y", [20, 20], "a"),
            runs_of("x", [30, 30], "b"),
            runs_of("y", [20, 20], "b"),
            runs_of("z", [5, 5], "b", ended=False),
        ],
        times,
    )
    assert ratios_to_best(frame).tolist() == [1.0, 2.0, 6.0, 4.0, 1.0]
    found = performance_profile(frame[frame["algorithm"] != "z"], [1.0, 1.5, 2.0])
    assert {name: part.tolist() for name, part in found.items()} == {
        "x": [0.5, 1.0, 1.0],
        "y": [0.5, 0.5, 1.0],
    }
    assert performance_profile(frame, [100.0])["z"] == [0.0]


def test_entrants_that_exceed_their_risk_are_found():
    def errs(name, wrong, runs, delta, instance="here"):
        samples, right = np.full(runs, 9, np.uint32), np.arange(runs) >= wrong
        return KeptRuns(instance, name, name, delta, 0, 1.0, samples, right, np.ones(runs, bool))

    kept = [
        errs("careless", 40, 100, 0.1),
        errs("careless", 90, 100, 0.1, "there"),
        errs("careless", 30, 100, 0.01),
        errs("unlucky", 15, 100, 0.1),
        errs("rare", 1, 1000, 1e-6),
        runs_of("never", [5, 5], ended=False),
    ]
    found = broken_promises(kept)
    assert list(found) == ["careless"]
    assert found["careless"].instance == "there"
