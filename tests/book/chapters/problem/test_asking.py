"""Other ways to ask: what a certificate has decided, and errors with a budget."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters.problem.asking import arms_decided, error_rate
from pareto_book.studies.race import record_race

SIX = pc.load_instance("six_arms")


def test_a_certificate_decides_one_arm_after_the_other():
    race = record_race(SIX, {"uniform": pc.UniformSampling(delta=1e-5)})
    times, decided = arms_decided(race, "uniform", 0.1)
    assert (times[0], times[-1]) == (6, len(race.runs["uniform"].arms))
    assert (np.diff(decided) >= 0).all()
    assert decided[0] == 0 < decided[-1] <= 6
    counts, means = race.seen("uniform", int(times[-1]))
    whole = pc.Certificate(6, 2, delta=0.1)
    whole.update(counts, means)
    assert decided[-1] >= 6 - whole.open.size


def test_more_samples_mean_fewer_errors():
    rates = [error_rate(pc.UniformSampling(budget=T), SIX, 50, 0, 1) for T in (12, 600)]
    assert rates[0].value > rates[1].value
    assert rates[0].runs == 50
