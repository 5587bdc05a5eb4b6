"""Rankings of entrants, compared with values computed by hand."""

import numpy as np
import pytest
from references.kept_runs import case_of

from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_book.kept_runs.rankings import (
    INSTANCE_GROUPS,
    PARETO_QUESTIONS,
    competitors,
    rank,
    rank_all,
)


def test_a_ranking_by_hand():
    runs = [
        case_of("x", [10, 10], "a"),
        case_of("y", [40, 40], "a"),
        case_of("z", [20, 20], "a"),
        case_of("x", [30, 30], "b"),
        case_of("y", [20, 20], "b", cut_off=2),
        case_of("x", [5, 5], "c"),
    ]
    found = rank(runs, "x", ["y", "z"], ["a", "b"])
    assert (found.cases, found.quickest, found.unfinished) == (2, 1, 0)
    assert (found.ahead, found.behind) == (1, 1)
    assert found.mean == pytest.approx(1.5**0.5)
    assert found.worst == (1.5, (1.5, 1.5), 2)
    assert found.worst_case == "b, δ = 0.1, against y"
    more = rank(runs, "x", ["y", "z"], ["a", "b", "c"])
    assert (more.cases, more.ahead, more.behind, more.undecided) == (3, 1, 1, 1)


def test_only_a_certain_difference_counts_as_ahead_or_behind():
    samples = np.random.default_rng(0).poisson(100, (2, 200))
    first, second = (case_of(name, each, "a") for name, each in zip("xy", samples, strict=True))
    slower = case_of("x", 2 * samples[1], "a")
    third, cut_off = case_of("z", samples[1], "a"), case_of("y", samples[1], "a", cut_off=2)
    for cases, name, rivals, ahead, behind in (
        ([first, second], "x", "y", 0, 0),
        ([first, second], "y", "x", 0, 0),
        ([slower, second], "x", "y", 0, 1),
        ([slower, second], "y", "x", 1, 0),
        ([slower, second, third], "y", "xz", 0, 0),
        ([slower, cut_off], "y", "x", 0, 0),
    ):
        found = rank(cases, name, list(rivals), ["a"])
        assert (found.ahead, found.behind) == (ahead, behind)


def test_of_two_with_about_the_same_mean_the_one_with_the_better_worst_case_is_first():
    samples = {"often": [100, 100, 100, 125], "safe": [108, 108, 108, 100], "far": [200] * 4}
    runs = [
        case_of(name, [each, each], f"{k}")
        for name, means in samples.items()
        for k, each in enumerate(means)
    ]
    found = rank_all(runs, list(samples), ["0", "1", "2", "3"])
    assert found[1].mean < found[0].mean < 1.02 * found[1].mean
    assert [each.name for each in found] == ["safe", "often", "far"]


def test_competitors_do_not_exceed_their_risk_and_know_no_truth():
    cases = [case_of("APE", [9] * 100, wrong=100)]
    cases += [case_of(name, [9] * 100) for name in ("Racing", "APE, mixture", "oracle")]
    assert competitors(cases, "Pareto set", proven=False) == ["Racing"]
    assert competitors(cases, "Pareto set", proven=True) == ["APE, mixture"]


def test_every_instance_is_in_one_group():
    questions = [COMPETITIONS[question].instances for question in PARETO_QUESTIONS]
    grouped = [name for group in INSTANCE_GROUPS.values() for name in group]
    assert sorted(grouped) == sorted(name for each in questions for name in each)
