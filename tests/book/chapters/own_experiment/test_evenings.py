"""A session that is looked at every evening."""

import matplotlib.pyplot as plt
import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_book.chapters.own_experiment.evenings import evenings

SIX = pc.load_instance("six_arms")


def test_an_evening_tells_what_is_certain_by_then():
    session = lab.Session(
        pc.Certified(pc.APE()), arms=SIX.labels, objectives=["x", "y"], standard_deviation=1.0
    )
    found = evenings(session, SIX, 150, 8, np.random.default_rng(0))
    assert not plt.get_fignums()
    assert session.finished and len(found) < 8
    assert found[-1].caption.startswith(f"{session.samples} samples.")
    certain = [each.certain for each in found]
    assert certain == sorted(certain)
    assert certain[-1] > certain[0]
    assert found[-1].caption.endswith("answer: A, B, C.")
    assert not any("answer" in each.caption for each in found[:-1])
