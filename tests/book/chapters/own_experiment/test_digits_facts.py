"""Numbers of the kept scores of classifiers, and their table."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.own_experiment import digits_facts
from pareto_book.studies.digits import DigitsCosts


def test_facts_by_hand():
    """The averages and deviations of each classifier, one at a time."""
    kept = pc.load_instance("digits")
    facts = digits_facts.digits_facts(kept)
    scores = dict(zip(kept.labels, kept.observations, strict=True))
    accuracy = {name: 100 * each[:, 0].mean() for name, each in scores.items()}
    learn = {name: each[:, 1].mean() for name, each in scores.items()}
    spread = [
        np.sqrt(((each[:, 0] - each[:, 0].mean()) ** 2).sum() / 399) for each in scores.values()
    ]
    assert facts.trees_lead == pytest.approx(
        accuracy["10 random trees"] - accuracy["linear discriminant"]
    )
    assert facts.trap == pytest.approx(
        accuracy["20 random trees"] - accuracy["logistic regression"]
    )
    assert 1 + facts.bayes_lead / 100 == pytest.approx(
        10 ** (learn["naive Bayes"] - learn["nearest centroid"])
    )
    assert [facts.least_deviation, facts.largest_deviation] == pytest.approx(
        [100 * min(spread), 100 * max(spread)]
    )
    assert facts.below_a_point == sum(100 * each < 1 for each in spread)
    assert facts.optimal == len(kept.pareto_set)
    assert facts.same_with_arithmetic


def test_arithmetic_means_can_give_a_different_front():
    """One long time decides by the arithmetic mean, and not by the geometric one."""
    kept = pc.load_instance("digits")
    scores = [np.repeat(each.mean(axis=0)[None], 400, axis=0) for each in kept.observations]
    scores[0][0, 1:] -= 8.0  # of nearest centroid: a factor of 10**8, once
    scores[0][1:, 1:] += 8.0 / 399
    changed = pc.Instance.from_observations(
        scores, name="one long time", labels=kept.labels, objectives=kept.objectives
    )
    assert changed.pareto_set.tolist() == kept.pareto_set.tolist()
    facts = digits_facts.digits_facts(changed)
    assert not facts.same_with_arithmetic
    assert facts.slowest == pytest.approx(10 ** (8 + 8 / 399))


def test_the_table_has_times_in_their_units_and_marks_the_optimal():
    instance = pc.Instance(
        [[0.9, -1.0, 0.0], [0.8, -2.0, -1.0]], name="two", labels=["quick", "slow"]
    )
    table = digits_facts.classifier_table(instance, np.array([1.0, 0.5]), np.array([7.0, 8.0]))
    assert table.to_numpy().tolist() == [
        ["quick", 90.0, 10.0, 1.0, "yes", 100.0, 7.0],
        ["slow", 80.0, 100.0, 10.0, "no", 50.0, 8.0],
    ]


def test_errors_of_both_ways_to_sample_are_counted_together():
    costs = DigitsCosts(np.ones(30), np.ones(30), 0, (1, 2), np.ones(3), np.ones(3))
    rate = digits_facts.error_rate(costs)
    assert (rate.value, rate.runs) == (0.05, 60)
    assert rate.interval[0] < 0.05 < rate.interval[1]
