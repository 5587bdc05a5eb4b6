"""Samples until half of the arms are decided."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.own_experiment import halfway


@pytest.mark.slow
def test_half_of_the_arms_are_decided_at_a_moment():
    vaccines = pc.load_instance("cov_boost").standardised()
    uniform = pc.UniformSampling(delta=1e-3, threshold="proven")
    found = halfway.decided_after(uniform, vaccines, run=0)
    boxes = halfway.widest_box_after(vaccines, run=0)
    assert {found, boxes} <= set(halfway.MOMENTS)
    seen = pc.trajectory(uniform, vaccines, np.array([found]), 0, 0)
    certificate = pc.Certificate(20, 3, delta=0.1)
    certificate.update(seen.counts[0], seen.means[0])
    assert certificate.optimal.size + certificate.dominated.size >= halfway.HALF
