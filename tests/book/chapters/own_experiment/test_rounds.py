"""The same rewards in rounds of different sizes."""

import numpy as np

import pareto_core as pc
from pareto_book.chapters.own_experiment.rounds import draw_queues, run_in_rounds


def test_the_answer_and_the_samples_used_do_not_depend_on_the_size_of_a_round():
    queues = draw_queues(np.array([[0.0, 2.0], [2.0, 0.0], [-2.0, -2.0]]), [1.0, 1.0])
    algorithm = pc.UniformSampling(delta=0.1)
    one, four = (run_in_rounds(algorithm, queues, [1.0, 1.0], size) for size in (1, 4))
    assert (one.answer, one.used) == (four.answer, four.used) == ([0, 1], one.taken)
    assert four.rounds < one.rounds == one.taken <= four.taken
