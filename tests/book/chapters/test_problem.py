"""Optimal arms that have to wait are found, and arms that a certificate decides."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters.problem import arms_decided, longest_wait, waiting_share
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


def test_samples_of_a_waiting_arm_are_counted():
    run = RuleRun([0, 1, 2, 0, 0, 1, 2, 1], [(1, "..."), (3, "w.."), (5, "+.."), (8, "+-+")])
    assert waiting_share([run]).tolist() == [2 / 5]


def test_a_waiting_arm_is_needed_for_an_open_one():
    race = record_race(pc.load_instance("six_arms"), RACING)
    wait = longest_wait(race, "Racing")
    counts, means = race.seen("Racing", wait.time)
    radii = box_radii(counts, race.delta)
    assert wait.needed_for
    for k in wait.needed_for:
        lead = (means[k] - means[wait.arm]).max()
        assert lead <= np.hypot(radii[k], radii[wait.arm])


def test_a_certificate_decides_one_arm_after_the_other():
    six = pc.load_instance("six_arms")
    race = record_race(six, {"uniform": pc.UniformSampling(delta=1e-5)})
    times, decided = arms_decided(race, "uniform", 0.1)
    assert (times[0], times[-1]) == (6, len(race.runs["uniform"].arms))
    assert (np.diff(decided) >= 0).all()
    assert decided[0] == 0 < decided[-1] <= 6
