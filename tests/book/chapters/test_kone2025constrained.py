"""What an arm is under a limit, and ratios of samples in each reading."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.kone2025constrained import price_frame, reasons_of
from pareto_core.instances.constrained_instances import two_stage_hard


def test_six_arms_with_a_limit():
    six = pc.load_instance("six_arms")
    limit = pc.Polyhedron([[0.0, -1.0]], [-1.6])
    optimal, feasible, dominated = reasons_of(six.means, limit)
    assert optimal.tolist() == feasible.tolist() == [True, True, False, False, False, False]
    assert dominated.tolist() == [False, False, False, True, False, True]


@pytest.mark.compiled
def test_reasons_cost_no_less():
    (row,) = price_frame({"hard": two_stage_hard(0.4)}).to_dict("records")
    assert row["right answers"] == 2
    assert row["price of reasons"] > 0.999
    assert np.isclose(row["T* with reasons / C*"], row["T* with reasons"] / row["C*"])
