"""The race on six arms, round by round."""

import matplotlib.pyplot as plt

import pareto_core as pc
from pareto_book.chapters.auer2016 import six_arms
from pareto_book.chapters.auer2016.rounds import rounds_of_run

SIX = pc.load_instance("six_arms")


def test_pictures_lead_to_the_last_round_of_the_wait():
    race = list(rounds_of_run(pc.Racing(delta=0.1), SIX, 0))
    wait = six_arms.longest_wait(race)
    pictures, captions, alts = six_arms.race_frames(race, SIX.labels, wait, number=4)
    plt.close("all")
    assert len(pictures) == len(captions) == len(alts) == 4
    waiting = SIX.labels[wait.arm]
    assert captions[-1].startswith(f"Round {wait.last}: {waiting} certainly optimal")
    assert wait.needed_for
    for other in wait.needed_for:
        assert SIX.labels[other] not in captions[-1]
