"""Samples of entrants over the lower bound, and over those of the best."""

import numpy as np
import pytest
from references.kept_runs import case_of

from pareto_book.chapters.arena import Arena


def test_the_frame_divides_by_the_bound_and_by_the_best_of_the_case():
    cases = [
        case_of("A", [10, 10]),
        case_of("B", [30, 30]),
        case_of("A", [8, 12], "there"),
    ]
    frame = Arena({}, {}, {"here": 10.0, "there": 1.0}, {}).frame(cases)
    bound = 0.8 * np.log(9.0)
    assert frame["over_the_bound"].tolist() == pytest.approx([1 / bound, 3 / bound, 10 / bound])
    assert frame["over_the_best"].tolist() == [1.0, 3.0, 1.0]
    assert frame["low"][2] < frame["over_the_bound"][2] < frame["high"][2]
