"""R's random numbers, and a printed example of paretoinfer."""

from pareto_book.chapters.newcomers import RULE, RUniform, losses, play

PRINTED_BY_R = [0.2655087, 0.3721239, 0.5728534, 0.9082078]  # set.seed(1); runif(4)


def test_the_numbers_are_those_of_r():
    assert RUniform(1)(4).round(7).tolist() == PRINTED_BY_R


def test_a_run_reproduces_a_printed_example_and_no_other_seed_does():
    pulls, cost = play(RULE, losses("six"), 0.1, RUniform(1))
    assert (pulls.sum(), pulls[1], cost) == (645, 175, 645.0)
    assert play(RULE, losses("six"), 0.1, RUniform(7))[0].tolist() != pulls.tolist()
