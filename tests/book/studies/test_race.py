"""Several rules on the same rewards: the record is what the rules saw, decided and answered."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.studies.race import box_radii, evidence_along, record_race
from pareto_core.algorithms.pareto.racing import update_radius
from pareto_core.confidence.thresholds import stylised_threshold
from pareto_core.loop.record import empty_record

SIX = pc.load_instance("six_arms")
RULES = {
    "Racing": pc.Racing(radius="iterated_logarithm"),
    "APE": pc.APE(),
    "TopTwoIDS": pc.TopTwoIDS(),
    "uniform": pc.UniformSampling(),
}


@pytest.fixture(scope="module")
def race():
    return record_race(SIX, RULES, seed=0)


def test_rules_see_the_same_rewards_and_the_right_ones(race):
    counts = [np.bincount(run.arms, minlength=6) for run in race.runs.values()]
    assert [len(each) for each in race.rewards] == np.max(counts, axis=0).tolist()
    for rewards, mean in zip(race.rewards, SIX.means, strict=True):
        assert abs(rewards.mean(axis=0) - mean).max() < 5 / np.sqrt(len(rewards))
    assert race.rewards[0][0].round(2).tolist() == race.rewards[0][0].tolist()


def test_a_rule_stops_at_the_first_sample_with_enough_evidence(race):
    ape = [status for _, status in race.runs["APE"].statuses]
    assert (ape[0], ape[-1]) == ("......", "+++---") and len(ape) > 3
    for name in ("TopTwoIDS", "uniform"):
        times, evidence = evidence_along(race, name)
        enough = evidence >= [stylised_threshold(int(time), 0.1) for time in times]
        assert enough.tolist() == [False] * (len(times) - 1) + [True]
        assert [status for _, status in race.runs[name].statuses] == ["......", "+++---"]


def test_statuses_of_racing_are_what_its_boxes_say(race):
    run = race.runs["Racing"]
    assert run.statuses[-1] == (len(run.arms), "+++---")
    gone = {}
    for since, statuses in run.statuses:
        for k, status in enumerate(statuses):
            if status == "-":
                gone.setdefault(k, since)
    for k, since in gone.items():
        assert k not in run.arms[since:]
        counts, means = race.seen("Racing", since)
        radii = box_radii(counts, 0.1)
        leads = (means - means[k]).min(axis=1)
        assert (leads > np.hypot(radii, radii[k])).any()
    assert "w" in "".join(statuses for _, statuses in run.statuses)


def test_boxes_have_the_radius_of_racing():
    algorithm, counts = RULES["Racing"], np.array([1, 2, 10, 300, 5000, 7])
    record = empty_record(SIX.problem)
    record.counts[:] = counts
    radius = np.zeros((6, 2))
    for arm in range(6):
        update_radius(algorithm.parameters(SIX.problem), record, arm, radius)
    np.testing.assert_allclose(radius[:, 0], box_radii(counts, 0.1))
