"""Optimal arms that have to wait are found."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters.problem import longest_wait
from pareto_book.studies.race import RuleRun, box_radii, record_race

RACING = {"Racing": pc.Racing(radius="iterated_logarithm")}


def race_of(arms, statuses, means=((1.0, 1.0), (0.0, 0.0), (2.0, -2.0))):
    """A race on three arms with this run of Racing."""
    race = record_race(pc.Instance(means, labels=list("ABC")), RACING)
    return race._replace(runs={"Racing": RuleRun(arms, statuses)})


def test_the_longest_wait_counts():
    statuses = [(1, "..."), (4, "w.."), (6, "..."), (7, "w.w"), (9, "w.+"), (12, "+-+")]
    wait = longest_wait(race_of([0, 1, 2] * 4, statuses), "Racing")
    assert (wait.arm, wait.since, wait.time) == (0, 7, 11)


def test_a_waiting_arm_is_needed_for_an_open_one():
    race = record_race(pc.load_instance("six_arms"), RACING)
    wait = longest_wait(race, "Racing")
    counts, means = race.seen("Racing", wait.time)
    radii = box_radii(counts, race.delta)
    assert wait.needed_for
    for k in wait.needed_for:
        lead = (means[k] - means[wait.arm]).max()
        assert lead <= np.hypot(radii[k], radii[wait.arm])
